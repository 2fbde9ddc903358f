/* Registers the routines. */
#include "routines.h"

#include <R_ext/Rdynload.h>

#define ROUTINE(name, arguments)                                                                   \
    { #name, (DL_FUNC)(void (*)(void))name, arguments }

static const R_CallMethodDef routines[] = {
    ROUTINE(core_dataset, 1),
    ROUTINE(core_dataset_free, 1),
    ROUTINE(core_set_labels, 4),
    ROUTINE(core_set_targets, 3),
    ROUTINE(core_set_weights, 3),
    ROUTINE(core_simulate, 5),
    ROUTINE(core_model_keep, 1),
    ROUTINE(core_is_plain, 1),
    ROUTINE(core_model_bytes, 1),
    ROUTINE(core_model_load, 1),
    ROUTINE(core_model_read, 1),
    ROUTINE(core_model_write, 2),
    ROUTINE(core_train, 4),
    ROUTINE(core_predict, 7),
    ROUTINE(core_predict_row, 3),
    ROUTINE(core_proximities, 4),
    ROUTINE(core_nearest, 5),
    ROUTINE(core_describe, 1),
    ROUTINE(core_oob, 2),
    ROUTINE(core_summary, 1),
    ROUTINE(core_importances, 1),
    ROUTINE(core_ranking, 2),
    ROUTINE(core_tree, 2),
    ROUTINE(core_level_set, 2),
    ROUTINE(core_options, 0),
    ROUTINE(core_learner_uses, 2),
    ROUTINE(core_permutation, 5),
    ROUTINE(core_strength, 3),
    ROUTINE(core_bags, 4),
    ROUTINE(core_search, 7),
    ROUTINE(core_corrected, 7),
    ROUTINE(core_drop_column, 6),
    ROUTINE(core_crossval, 9),
    ROUTINE(core_dataset_draw, 3),
    ROUTINE(core_dependence, 9),
    ROUTINE(core_interactions, 5),
    ROUTINE(core_report, 7),
    ROUTINE(core_score_classes, 5),
    ROUTINE(core_score_curve, 4),
    ROUTINE(core_score_numbers, 4),
    ROUTINE(core_oob_probabilities, 1),
    ROUTINE(core_decide, 2),
    ROUTINE(core_show_tree, 4),
    ROUTINE(core_explain, 9),
    {NULL, NULL, 0},
};

void R_init_sporf(DllInfo *dll) {
    R_registerRoutines(dll, NULL, routines, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
