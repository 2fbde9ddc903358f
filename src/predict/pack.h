/* Packs plain trees (model/packed.h). */
#ifndef SPF_PREDICT_PACK_H
#define SPF_PREDICT_PACK_H

#include "model/forest.h"

/* Packs the forest's plain trees on that many threads (0: the number of cores) and frees each one
 * once it is packed, so that a forest is never held twice. After a failure the forest can only be
 * freed. */
sporf_status spf_pack(sporf_forest *forest, unsigned threads);

#endif
