/* Scores that only depend on true and predicted classes, from sums of weights. */
#ifndef SPF_SCORE_CONFUSION_SUMS_H
#define SPF_SCORE_CONFUSION_SUMS_H

#include "score/scored.h"

/* Sums of weights by class; the class after the last has the rows whose true class has no
 * probability, and is never predicted. */
typedef struct spf_confusion_sums {
    size_t classes; /* with that one */
    double total;
    double *is_true, *is_predicted, *is_right; /* [classes] */
} spf_confusion_sums;

/* Sums in memory[3 x (classes + 1)]. */
void spf_confusion_add_up(const spf_scored *scored, const double *weights, double *memory,
                          spf_confusion_sums *sums);

double spf_accuracy(const spf_confusion_sums *sums);

/* Of a class; NaN if it is never predicted, never true, or neither. */
double spf_precision(const spf_confusion_sums *sums, size_t class);
double spf_recall(const spf_confusion_sums *sums, size_t class);
double spf_f1(const spf_confusion_sums *sums, size_t class);

/* Means over the classes that have a value: of recall, and of F1. */
double spf_balanced_accuracy(const spf_confusion_sums *sums);
double spf_macro_f1(const spf_confusion_sums *sums);

/* Matthews' correlation of true and predicted classes, for any number of them (Gorodkin 2004); 0 if
 * either is always the same. */
double spf_mcc(const spf_confusion_sums *sums);

#endif
