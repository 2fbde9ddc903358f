/* The routines that R calls; init.c registers them. Each has its comment where it is defined. */
#ifndef ROUTINES_H
#define ROUTINES_H

#include "core.h"

SEXP core_is_plain(SEXP frame);
SEXP core_dataset(SEXP list);
SEXP core_dataset_draw(SEXP pointer, SEXP number, SEXP seed);
SEXP core_dataset_free(SEXP pointer);
SEXP core_set_labels(SEXP pointer, SEXP codes, SEXP levels, SEXP name);
SEXP core_set_targets(SEXP pointer, SEXP targets, SEXP names);
SEXP core_set_weights(SEXP pointer, SEXP weights, SEXP name);
SEXP core_simulate(SEXP problem, SEXP rows, SEXP features, SEXP seed, SEXP noise);

SEXP core_model_keep(SEXP pointer);
SEXP core_model_bytes(SEXP pointer);
SEXP core_model_load(SEXP bytes);
SEXP core_model_read(SEXP path);
SEXP core_model_write(SEXP pointer, SEXP path);

SEXP core_train(SEXP data, SEXP options, SEXP valid, SEXP verbose);
SEXP core_predict(SEXP model, SEXP list, SEXP name, SEXP levels, SEXP posteriors, SEXP raw,
                  SEXP threads);
SEXP core_predict_row(SEXP object, SEXP data, SEXP type);
SEXP core_proximities(SEXP model, SEXP first, SEXP second, SEXP threads);
SEXP core_nearest(SEXP model, SEXP reference, SEXP data, SEXP number, SEXP threads);

SEXP core_describe(SEXP model);
SEXP core_oob(SEXP model, SEXP with_votes);
SEXP core_summary(SEXP model);
SEXP core_importances(SEXP model);
SEXP core_ranking(SEXP model, SEXP count);
SEXP core_tree(SEXP model, SEXP number);
SEXP core_show_tree(SEXP model, SEXP number, SEXP depth, SEXP svg);
SEXP core_level_set(SEXP model, SEXP number);
SEXP core_options(void);
SEXP core_learner_uses(SEXP option, SEXP boosting);

SEXP core_permutation(SEXP model, SEXP data, SEXP seed, SEXP threads, SEXP verbose);
SEXP core_strength(SEXP model, SEXP data, SEXP threads);
SEXP core_bags(SEXP model, SEXP data, SEXP trees, SEXP threads);

SEXP core_explain(SEXP model, SEXP data, SEXP background, SEXP projections, SEXP posteriors,
                  SEXP steps, SEXP seed, SEXP threads, SEXP verbose);

SEXP core_dependence(SEXP model, SEXP data, SEXP features, SEXP kind, SEXP grid, SEXP range,
                     SEXP values, SEXP settings, SEXP verbose);
SEXP core_interactions(SEXP model, SEXP data, SEXP features, SEXP settings, SEXP verbose);

SEXP core_report(SEXP models, SEXP data, SEXP names, SEXP title, SEXP data_name, SEXP settings,
                 SEXP verbose);

SEXP core_score_classes(SEXP probabilities, SEXP labels, SEXP predicted, SEXP weights,
                        SEXP settings);
SEXP core_score_curve(SEXP probabilities, SEXP labels, SEXP weights, SEXP number);
SEXP core_score_numbers(SEXP model, SEXP data, SEXP level, SEXP threads);
SEXP core_oob_probabilities(SEXP model);
SEXP core_decide(SEXP model, SEXP probabilities);

SEXP core_corrected(SEXP model, SEXP data, SEXP groups, SEXP repeats, SEXP seed, SEXP threads,
                    SEXP verbose);
SEXP core_drop_column(SEXP model, SEXP data, SEXP groups, SEXP seconds, SEXP threads, SEXP verbose);

SEXP core_search(SEXP data, SEXP options, SEXP all, SEXP projections, SEXP densities, SEXP folds,
                 SEXP verbose);
SEXP core_crossval(SEXP data, SEXP options, SEXP folds, SEXP posteriors, SEXP tune, SEXP all,
                   SEXP projections, SEXP densities, SEXP verbose);

#endif
