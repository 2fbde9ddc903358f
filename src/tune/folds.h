/* Folds: which rows are tested together. */
#ifndef SPF_TUNE_FOLDS_H
#define SPF_TUNE_FOLDS_H

#include "base/error.h"

struct sporf_folds {
    size_t count, rows;
    uint32_t *fold;  /* [rows] */
    uint32_t *order; /* [rows]: those of fold 0, ascending, then those of fold 1, and so on */
    size_t *start;   /* [count + 1]: into order */
};

#endif
