/* Scores of predicted probabilities and numbers. */
#include "job.h"
#include "routines.h"

#include <string.h>

typedef struct {
    core_job job; /* first */
    sporf_scored_rows rows;
    sporf_score_options options;
    sporf_class_scores scores;
} scoring;

static sporf_status score(core_job *job) {
    scoring *s = (scoring *)job;
    sporf_hooks hooks = core_job_hooks(job);
    s->options.hooks = &hooks;
    return sporf_score_classes(&s->rows, &s->options, &s->scores);
}

static void discard(core_job *job) {
    (void)job; /* all results are R's */
}

/* Probabilities [classes, rows], and of each row the true class, the predicted one or NULL, both
 * from 0 on, and the weight or NULL. */
static sporf_scored_rows rows_of(SEXP probabilities, SEXP labels, SEXP predicted, SEXP weights) {
    sporf_scored_rows rows;
    sporf_scored_rows_init(&rows);
    rows.rows = (size_t)Rf_ncols(probabilities);
    rows.classes = (size_t)Rf_nrows(probabilities);
    rows.probabilities = REAL(probabilities);
    rows.labels = (const uint32_t *)INTEGER(labels);
    rows.predicted = predicted == R_NilValue ? NULL : (const uint32_t *)INTEGER(predicted);
    rows.weights = weights == R_NilValue ? NULL : REAL(weights);
    return rows;
}

/* A matrix [3, scores] of values and their intervals, whose columns have the names of the scores.
 */
static SEXP scores_of(const sporf_class_scores *scores) {
    int count = 0;
    while (sporf_class_scores_at(scores, (size_t)count, NULL)) count++;
    SEXP values = PROTECT(Rf_allocMatrix(REALSXP, 3, count));
    SEXP names = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(names, 1, Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count; i++) {
        sporf_score one;
        const char *name = sporf_class_scores_at(scores, (size_t)i, &one);
        SET_STRING_ELT(VECTOR_ELT(names, 1), i, core_text(name));
        REAL(values)[3 * i] = one.value;
        REAL(values)[3 * i + 1] = one.low;
        REAL(values)[3 * i + 2] = one.high;
    }
    Rf_setAttrib(values, R_DimNamesSymbol, names);
    UNPROTECT(2);
    return values;
}

enum { CLASS_COLUMNS = 10, BIN_COLUMNS = 4 };

static SEXP classes_of(const sporf_by_class *by_class, int classes) {
    SEXP matrix = Rf_allocMatrix(REALSXP, CLASS_COLUMNS, classes);
    for (int k = 0; k < classes; k++) {
        const sporf_by_class *own = &by_class[k];
        const double line[CLASS_COLUMNS] = {(double)own->rows,
                                            own->weight,
                                            own->predicted_weight,
                                            own->precision,
                                            own->recall,
                                            own->f1,
                                            own->auc,
                                            own->auc_low,
                                            own->auc_high,
                                            own->average_precision};
        memcpy(REAL(matrix) + (R_xlen_t)CLASS_COLUMNS * k, line, sizeof line);
    }
    return matrix;
}

static SEXP bins_of(const sporf_calibration *calibration) {
    SEXP matrix = Rf_allocMatrix(REALSXP, BIN_COLUMNS, SPORF_CALIBRATION_BINS);
    for (int b = 0; b < SPORF_CALIBRATION_BINS; b++) {
        const sporf_calibration_bin *bin = &calibration->bins[b];
        const double line[BIN_COLUMNS] = {(double)bin->rows, bin->weight, bin->confidence,
                                          bin->accuracy};
        memcpy(REAL(matrix) + BIN_COLUMNS * b, line, sizeof line);
    }
    return matrix;
}

/* A list: how many rows count, their weight, the k of top-k, scores [3, scores], what there is of
 * each class [10, classes], the calibration error, and its bins [4, bins]. */
SEXP core_score_classes(SEXP probabilities, SEXP labels, SEXP predicted, SEXP weights,
                        SEXP settings) {
    const char *names[] = {"rows", "weight", "top.k", "scores", "by.class", "calibration.error",
                           "bins", ""};
    scoring s = {.job = {.work = score, .discard = discard, .unit = "draws"},
                 .rows = rows_of(probabilities, labels, predicted, weights)};
    sporf_calibration calibration;
    sporf_score_options_init(&s.options);
    s.options.confidence = Rf_asReal(core_element(settings, "confidence"));
    s.options.replicates = (uint32_t)Rf_asReal(core_element(settings, "replicates"));
    s.options.top_k = (uint32_t)Rf_asReal(core_element(settings, "top.k"));
    s.options.seed = (uint64_t)Rf_asReal(core_element(settings, "seed"));
    s.options.threads = (unsigned)Rf_asInteger(core_element(settings, "threads"));
    sporf_class_scores_init(&s.scores);
    s.scores.calibration = &calibration;
    s.scores.by_class =
        (sporf_by_class *)(void *)R_alloc(s.rows.classes + 1, sizeof *s.scores.by_class);
    if (!core_job_run(&s.job))
        return core_failure_text(SPORF_ERROR_MEMORY, "the system refused a thread");
    if (s.job.status != SPORF_OK) return core_job_failure(&s.job);
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_ScalarReal((double)s.scores.rows));
    SET_VECTOR_ELT(result, 1, Rf_ScalarReal(s.scores.weight));
    SET_VECTOR_ELT(result, 2, Rf_ScalarReal((double)s.scores.top_k));
    SET_VECTOR_ELT(result, 3, scores_of(&s.scores));
    SET_VECTOR_ELT(result, 4, classes_of(s.scores.by_class, (int)s.rows.classes));
    SET_VECTOR_ELT(result, 5, Rf_ScalarReal(calibration.error));
    SET_VECTOR_ELT(result, 6, bins_of(&calibration));
    UNPROTECT(1);
    return result;
}

/* The points of the curves of a class, from 0: a matrix [4, points]. */
SEXP core_score_curve(SEXP probabilities, SEXP labels, SEXP weights, SEXP number) {
    sporf_scored_rows rows = rows_of(probabilities, labels, R_NilValue, weights);
    size_t count = 0;
    sporf_curve_point *points = (sporf_curve_point *)(void *)R_alloc(rows.rows + 1, sizeof *points);
    sporf_status status = sporf_score_curve(&rows, (uint32_t)Rf_asInteger(number), points, &count);
    if (status != SPORF_OK) return core_failure(status);
    SEXP matrix = Rf_allocMatrix(REALSXP, 4, (int)count);
    for (size_t i = 0; i < count; i++) {
        const double line[] = {points[i].threshold, points[i].false_positive_rate, points[i].recall,
                               points[i].precision};
        memcpy(REAL(matrix) + 4 * i, line, sizeof line);
    }
    return matrix;
}

/* Right after training: out-of-bag probabilities [classes, rows]. */
SEXP core_oob_probabilities(SEXP model) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    SEXP result =
        PROTECT(Rf_allocMatrix(REALSXP, (int)sporf_forest_classes(forest), (int)oob.training_rows));
    sporf_status status = sporf_forest_oob_probabilities(forest, REAL(result));
    UNPROTECT(1);
    return status == SPORF_OK ? result : core_failure(status);
}

/* The classes, from 0 on, that the forest decides for with its probabilities [classes, rows]; one
 * that it does not have for a row without any. */
SEXP core_decide(SEXP model, SEXP probabilities) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    int rows = Rf_ncols(probabilities);
    SEXP result = PROTECT(Rf_allocVector(INTSXP, rows));
    sporf_status status =
        sporf_forest_decide(forest, REAL(probabilities), (size_t)rows, (uint32_t *)INTEGER(result));
    UNPROTECT(1);
    return status == SPORF_OK ? result : core_failure(status);
}

/* A matrix [rmse, mae, r2, and of intervals the coverage and the width] x targets. The level is 0
 * without intervals. */
SEXP core_score_numbers(SEXP model, SEXP data, SEXP level, SEXP threads) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    size_t targets = sporf_forest_targets(forest);
    sporf_predict_options options;
    sporf_evaluation found;
    sporf_predict_options_init(&options);
    options.threads = (unsigned)Rf_asInteger(threads);
    sporf_evaluation_init(&found);
    found.targets = (sporf_target_scores *)(void *)R_alloc(targets + 1, sizeof *found.targets);
    found.interval = Rf_asReal(level);
    if (found.interval > 0)
        found.interval_scores =
            (sporf_interval_scores *)(void *)R_alloc(targets + 1, sizeof *found.interval_scores);
    sporf_status status = sporf_forest_evaluate(forest, core_data(data), &options, &found);
    if (status != SPORF_OK) return core_failure(status);
    SEXP matrix = Rf_allocMatrix(REALSXP, 5, (int)targets);
    for (size_t k = 0; k < targets; k++) {
        const sporf_target_scores *own = &found.targets[k];
        const sporf_interval_scores *interval = found.interval_scores;
        const double line[] = {own->rmse, own->mae, own->r2,
                               interval ? interval[k].coverage : NA_REAL,
                               interval ? interval[k].width : NA_REAL};
        memcpy(REAL(matrix) + 5 * k, line, sizeof line);
    }
    return matrix;
}
