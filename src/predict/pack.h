/* Packs plain trees (model/packed.h). */
#ifndef SPF_PREDICT_PACK_H
#define SPF_PREDICT_PACK_H

#include "model/forest.h"

/* Packs the forest's plain trees and frees each one once it is packed, so that a forest is never
 * held twice. On failure the plain trees are unchanged. */
sporf_status spf_pack(sporf_forest *forest);

#endif
