/* All scores of classification for given row weights, and their intervals. */
#ifndef SPF_SCORE_CLASS_SCORES_H
#define SPF_SCORE_CLASS_SCORES_H

#include "score/confusion_sums.h"
#include "score/scored.h"

/* In the order of the members of sporf_class_scores. */
typedef enum spf_score_id {
    SPF_SCORE_ACCURACY,
    SPF_SCORE_BALANCED_ACCURACY,
    SPF_SCORE_F1,
    SPF_SCORE_MCC,
    SPF_SCORE_LOG_LOSS,
    SPF_SCORE_BRIER,
    SPF_SCORE_TOP_K,
    SPF_SCORE_AUC,
    SPF_SCORE_HAND_TILL,
    SPF_SCORE_AVERAGE_PRECISION,
    SPF_SCORES,
} spf_score_id;

/* What does not depend on weights. */
typedef struct spf_row_scores {
    const spf_scored *scored;
    double *log_loss, *brier; /* [rows] */
    unsigned char *in_top;    /* [rows] */
    uint32_t *order;          /* [count], or [classes x count] if orders are kept */
    uint64_t *spare;          /* [2 x count] */
    int keeps_orders;         /* rankings by all classes are in order */
} spf_row_scores;

/* Free with spf_row_scores_free, also after a failure. */
sporf_status spf_row_scores_create(const spf_scored *scored, size_t top_k, int keeps_orders,
                                   spf_row_scores *rows);
void spf_row_scores_free(spf_row_scores *rows);

/* The rows that count, ranked by a class. */
const uint32_t *spf_row_scores_order(const spf_row_scores *rows, size_t class);

/* How many doubles of scratch memory scores take. */
size_t spf_scores_memory(size_t classes);

/* Fills values[SPF_SCORES] and, unless it is NULL, by_class[classes] except intervals. */
void spf_scores_find(const spf_row_scores *rows, const double *weights, double *memory,
                     double *values, sporf_by_class *by_class);

/* The areas of all classes with their intervals (DeLong), in by_class, and that of their mean: with
 * two classes that of the second class. */
sporf_status spf_scores_area_intervals(const spf_row_scores *rows, const double *weights,
                                       double reach, sporf_by_class *by_class, sporf_score *auc);

#endif
