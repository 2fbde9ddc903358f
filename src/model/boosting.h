/* What a boosted model has beside its trees. Their leaves hold one value each; tree t adds to
 * output t % outputs. The score of an output is its base plus the sum of its leaves, divided by the
 * number of bags; the link turns the scores of a row into what is predicted. */
#ifndef SPF_MODEL_BOOSTING_H
#define SPF_MODEL_BOOSTING_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* What scores are. The numbers are those of model files. */
typedef enum spf_link {
    SPF_LINK_NONE,     /* the values themselves */
    SPF_LINK_LOG,      /* their logarithms */
    SPF_LINK_LOG_ODDS, /* of the second of two classes */
    SPF_LINK_SOFTMAX,  /* of each class */
} spf_link;

typedef struct spf_boosting {
    spf_link link;
    size_t outputs; /* scores of a row; 0 in a forest */
    size_t bags;
    size_t valid_rows; /* held out, counted once for each bag */
    size_t tried;      /* rounds with losses, at least those that the model has */
    double *base;      /* [outputs] */
    double *losses; /* [tried]: of the rows that trees are grown on; [tried] more: of held-out ones,
                       if there are any */
} spf_boosting;

void spf_boosting_free(spf_boosting *boosting);

/* The number of losses. */
static inline size_t spf_boosting_losses(const spf_boosting *boosting) {
    return boosting->valid_rows > 0 ? 2 * boosting->tried : boosting->tried;
}

/* Turns the sums of leaves of a row, [outputs], into predictions, in place; two classes take the
 * room of two. */
void spf_boosting_finish(const spf_boosting *boosting, double *row);

/* The same without the link: the scores. */
void spf_boosting_score(const spf_boosting *boosting, double *row);

#endif
