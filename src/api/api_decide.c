/* The public functions for decisions by a cost or a recall, and the threshold for the latter. */
#include "api/api_decide.h"

#include "api/match.h"

#include "api/params.h"
#include "base/number.h"
#include "base/text.h"
#include "data/weights.h"
#include "model/combine.h"

#include <math.h>
#include <stdlib.h>

/* ---- the threshold --------------------------------------------------------------------------- */

/* Out-of-bag rows of a forest for two classes. */
typedef struct {
    double *probabilities, *weights;
    sporf_curve_point *points; /* [rows + 1] */
    size_t count;              /* of points */
} oob_rows;

static void release(oob_rows *rows) {
    free(rows->probabilities);
    free(rows->weights);
    free(rows->points);
}

/* Fills the curve of the class that is to be found. */
static sporf_status fill(const sporf_dataset *data, const sporf_forest *forest, oob_rows *rows) {
    rows->probabilities = spf_alloc(data->rows, 2 * sizeof *rows->probabilities);
    rows->weights = spf_alloc(data->rows, sizeof *rows->weights);
    rows->points = spf_alloc(data->rows + 1, sizeof *rows->points);
    if (!rows->probabilities || !rows->weights || !rows->points) return spf_raise_memory();
    for (size_t i = 0; i < data->rows; i++) rows->weights[i] = spf_weight_of(data, i);
    SPF_TRY(sporf_forest_oob_probabilities(forest, rows->probabilities));
    const sporf_scored_rows scored = {.struct_size = sizeof scored,
                                      .rows = data->rows,
                                      .classes = 2,
                                      .probabilities = rows->probabilities,
                                      .labels = data->labels,
                                      .weights = rows->weights};
    return sporf_score_curve(&scored, forest->decision.found, rows->points, &rows->count);
}

/* Of the points with this recall the one with the highest precision, the one with the higher recall
 * in a tie; 0 if there is none, since no row of the class was out of bag. */
static size_t best_point(const sporf_curve_point *points, size_t count, double recall) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (points[i].recall >= recall &&
            (best == 0 || points[i].precision >= points[best].precision))
            best = i;
    return best;
}

/* Halfway to the next lower probability, or to 0: the same out-of-bag rows are found, and rows of
 * new data with a slightly lower probability, too. */
static double threshold_at(const sporf_curve_point *points, size_t count, size_t at) {
    double upper = points[at].threshold, lower = at + 1 < count ? points[at + 1].threshold : 0;
    double middle = lower + (upper - lower) / 2;
    return middle > lower ? middle : upper;
}

static sporf_status choose(const oob_rows *rows, sporf_forest *forest) {
    spf_decision *decision = &forest->decision;
    char shown[SPF_NAME_TEXT_MAX], text[SPF_NUMBER_TEXT_MAX];
    size_t best = best_point(rows->points, rows->count, decision->recall);
    if (best == 0)
        return spf_raise(
            SPORF_ERROR_DATA,
            SPF_OPTION("recall") " needs out-of-bag rows of the class '%s', and there "
                                 "is none" SPF_HINT "grow more trees, or leave it out",
            spf_name_text(spf_strings_at(&forest->schema.classes, decision->found), shown));
    decision->threshold = threshold_at(rows->points, rows->count, best);
    spf_number_write_double(decision->threshold, text);
    return spf_params_add(SPF_THRESHOLD_SETTING, text, &forest->settings);
}

sporf_status spf_choose_threshold(const sporf_dataset *data, sporf_forest *forest) {
    oob_rows rows = {0};
    if (forest->decision.by != SPF_DECIDE_THRESHOLD) return SPORF_OK;
    sporf_status status = fill(data, forest, &rows);
    if (status == SPORF_OK) status = choose(&rows, forest);
    release(&rows);
    return status;
}

/* ---- decisions ------------------------------------------------------------------------------- */

int sporf_forest_threshold(const sporf_forest *forest, uint32_t *class_index, double *threshold) {
    if (forest->decision.by != SPF_DECIDE_THRESHOLD) return 0;
    *class_index = forest->decision.found;
    *threshold = forest->decision.threshold;
    return 1;
}

double sporf_forest_cost(const sporf_forest *forest, uint32_t truth, uint32_t predicted) {
    return spf_error_cost_of(&forest->decision, truth, predicted);
}

static int is_known(const double *probabilities, size_t classes) {
    for (size_t k = 0; k < classes; k++)
        if (isnan(probabilities[k])) return 0;
    return 1;
}

sporf_status sporf_forest_decide(const sporf_forest *forest, const double *probabilities,
                                 size_t rows, uint32_t *classes) {
    if (!forest || !probabilities || !classes)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "decisions need a forest, probabilities and a place for the classes");
    if (spf_is_regression(forest)) return spf_raise_no_class(forest);
    for (size_t i = 0; i < rows; i++, probabilities += forest->classes)
        classes[i] = is_known(probabilities, forest->classes)
                         ? spf_decide(&forest->decision, probabilities, forest->classes)
                         : SPORF_NO_CLASS;
    return SPORF_OK;
}
