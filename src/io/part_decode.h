/* The sections of a part of a forest. */
#ifndef SPF_IO_PART_DECODE_H
#define SPF_IO_PART_DECODE_H

#include "io/model_format.h"

/* Takes them, if the file is a part, after the tree table was checked; refuses them otherwise. */
sporf_status spf_part_decode(const spf_model_frame *frame, sporf_forest *forest);

#endif
