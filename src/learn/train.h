/* Training a forest: the trees' plan, their threads, their order. */
#ifndef SPF_LEARN_TRAIN_H
#define SPF_LEARN_TRAIN_H

#include "data/dataset.h"
#include "model/forest.h"

/* As sporf_forest_train, with parameters that are in range and hooks that are not NULL. The forest
 * has no settings yet. The trees of `given`, unless it is NULL, are the first ones: it was trained
 * with these data and parameters to at most as many, is trusted, and must live until the forest is
 * packed. */
sporf_status spf_train(const sporf_dataset *data, const sporf_params *params,
                       const sporf_hooks *hooks, const sporf_forest *given, sporf_forest **out);

/* As sporf_train_amounts, with parameters that are in range. */
sporf_status spf_train_amounts(const sporf_dataset *data, const sporf_params *params,
                               sporf_amounts *amounts);

/* As sporf_train_memory. */
sporf_status spf_train_memory(const sporf_dataset *data, const sporf_params *params,
                              uint64_t *bytes);

#endif
