/* Shared by the files of several labels. */
#ifndef SPF_LEARN_OUTCOME_SEVERAL_LABELS_H
#define SPF_LEARN_OUTCOME_SEVERAL_LABELS_H

#include "data/label_columns.h"
#include "learn/outcome/regression.h"

/* The state of the outcome. */
typedef struct spf_labels_state {
    spf_regression_state values; /* of the indicators: the base */
    const sporf_schema *schema;  /* of the training data */
    size_t columns;              /* label columns */
    uint32_t *truth;             /* [rows x columns]: the target that is the class of a row */
} spf_labels_state;

/* The classes of a row. */
static inline const uint32_t *spf_labels_truth(const spf_labels_state *state, uint32_t row) {
    return state->truth + (size_t)row * state->columns;
}

/* Members of spf_outcome_kind; see there. */
void spf_labels_open_node(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                          const spf_waiting *node);
double spf_labels_tally_bytes(size_t rows, const spf_leaf_size *leaf, int calibrates);
sporf_status spf_labels_tally_create(const spf_outcome *outcome, spf_tally **tally);

#endif
