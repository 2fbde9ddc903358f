/* How the class of a row follows from its probabilities: the most probable one, the one with the
 * least expected cost, or a class whose probability reaches a threshold (docs/decisions/0058). */
#ifndef SPF_MODEL_DECISION_H
#define SPF_MODEL_DECISION_H

#include "base/strings.h"

/* Settings that only exist if a forest decides by them. The threshold is the one that training
 * chose for the recall. */
#define SPF_COST_SETTING "cost"
#define SPF_RECALL_SETTING "recall"
#define SPF_THRESHOLD_SETTING "threshold"

/* Of an error that does not cost 1. */
typedef struct spf_error_cost {
    uint32_t predicted, truth;
    double extra; /* the cost less 1 */
} spf_error_cost;

typedef struct spf_decision {
    enum { SPF_DECIDE_PLAIN, SPF_DECIDE_COST, SPF_DECIDE_THRESHOLD } by;
    spf_error_cost *costs; /* [costs_count], by predicted and true class */
    size_t costs_count;
    uint32_t found;   /* of two classes, the one that the threshold is for */
    double recall;    /* that was asked for */
    double threshold; /* predicted is `found` if its probability is at least this */
} spf_decision;

void spf_decision_free(spf_decision *decision);

/* Reads the texts of the options, each of which may be NULL: "TRUE:PREDICTED=COST,..." and
 * "CLASS=SHARE". The threshold stays 0. Free with spf_decision_free, also after a failure. */
sporf_status spf_decision_read(const char *cost, const char *recall, const spf_strings *classes,
                               spf_decision *decision);

/* The same from the settings of a forest, with its threshold. */
sporf_status spf_decision_of_settings(const spf_strings *settings, const spf_strings *classes,
                                      spf_decision *decision);

/* What an error costs; 0 if both classes are the same. */
double spf_error_cost_of(const spf_decision *decision, uint32_t truth, uint32_t predicted);

/* The index of the largest value, the lowest in a tie. */
uint32_t spf_argmax(const double *values, size_t count);

/* The class, the lowest one in a tie. Without a decision it is the most probable one. */
uint32_t spf_decide(const spf_decision *decision, const double *probabilities, size_t classes);

#endif
