/* The threshold that a training chooses for a recall. */
#ifndef SPF_API_API_DECIDE_H
#define SPF_API_API_DECIDE_H

#include "data/dataset.h"
#include "model/forest.h"

/* Chooses the threshold of a forest that was just trained on the data with a recall, and records
 * it. Does nothing for other forests. */
sporf_status spf_choose_threshold(const sporf_dataset *data, sporf_forest *forest);

#endif
