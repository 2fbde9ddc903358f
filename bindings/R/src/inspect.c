/* What is in a model: columns, settings, out-of-bag results, trees. */
#include "core.h"
#include "routines.h"

#include <math.h>
#include <stdlib.h>

/* ---- columns, classes, settings -------------------------------------------------------------- */

typedef const char *(*name_at)(const sporf_schema *schema, size_t index);

/* NULL if the first has no name. */
static SEXP names_of(const sporf_schema *schema, name_at name, size_t count) {
    if (count == 0 || !name(schema, 0)) return R_NilValue;
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (size_t i = 0; i < count; i++)
        SET_STRING_ELT(names, (R_xlen_t)i, core_text(name(schema, i)));
    UNPROTECT(1);
    return names;
}

static SEXP levels_of(const sporf_schema *schema, size_t features) {
    SEXP all = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)features));
    for (size_t j = 0; j < features; j++) {
        size_t count = sporf_schema_levels(schema, j);
        if (sporf_schema_kind(schema, j) == SPORF_KIND_NUMBER) continue;
        SEXP levels = Rf_allocVector(STRSXP, (R_xlen_t)count);
        SET_VECTOR_ELT(all, (R_xlen_t)j, levels);
        for (size_t k = 0; k < count; k++)
            SET_STRING_ELT(levels, (R_xlen_t)k, core_text(sporf_schema_level_name(schema, j, k)));
    }
    UNPROTECT(1);
    return all;
}

static SEXP ordered_of(const sporf_schema *schema, size_t features) {
    SEXP is_ordered = Rf_allocVector(LGLSXP, (R_xlen_t)features);
    for (size_t j = 0; j < features; j++)
        LOGICAL(is_ordered)[j] = sporf_schema_kind(schema, j) == SPORF_KIND_ORDINAL;
    return is_ordered;
}

static SEXP settings_of(const sporf_forest *forest) {
    R_xlen_t count = 0;
    const char *value;
    while (sporf_forest_setting_at(forest, (size_t)count, &value)) count++;
    SEXP settings = PROTECT(Rf_allocVector(STRSXP, count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        SET_STRING_ELT(names, i, core_text(sporf_forest_setting_at(forest, (size_t)i, &value)));
        SET_STRING_ELT(settings, i, core_text(value));
    }
    Rf_setAttrib(settings, R_NamesSymbol, names);
    UNPROTECT(2);
    return settings;
}

static SEXP reals(const double *values, size_t count) {
    SEXP result = Rf_allocVector(REALSXP, values ? (R_xlen_t)count : 0);
    for (size_t i = 0; values && i < count; i++) REAL(result)[i] = values[i];
    return result;
}

static SEXP boosting_of(const sporf_forest *forest) {
    const char *names[] = {"loss", "link",         "outputs",      "bags",       "rounds",
                           "base", "train.losses", "valid.losses", "valid.rows", ""};
    sporf_boosting b;
    if (!sporf_forest_boosting(forest, &b)) return R_NilValue;
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_ScalarString(core_text(b.loss)));
    SET_VECTOR_ELT(result, 1, Rf_ScalarString(core_text(b.link)));
    SET_VECTOR_ELT(result, 2, Rf_ScalarInteger((int)b.outputs));
    SET_VECTOR_ELT(result, 3, Rf_ScalarInteger((int)b.bags));
    SET_VECTOR_ELT(result, 4, Rf_ScalarInteger((int)b.rounds));
    SET_VECTOR_ELT(result, 5, reals(b.base, b.outputs));
    SET_VECTOR_ELT(result, 6, reals(b.train_losses, b.tried));
    SET_VECTOR_ELT(result, 7, reals(b.valid_losses, b.tried));
    SET_VECTOR_ELT(result, 8, Rf_ScalarReal((double)b.valid_rows));
    UNPROTECT(1);
    return result;
}

SEXP core_describe(SEXP model) {
    const char *names[] = {"trees",   "features", "names",    "levels",   "ordered", "classes",
                           "targets", "label",    "settings", "boosting", "samples", ""};
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    const sporf_schema *schema = sporf_forest_schema(forest);
    size_t features = sporf_forest_features(forest);
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_ScalarInteger((int)sporf_forest_trees(forest)));
    SET_VECTOR_ELT(result, 1, Rf_ScalarInteger((int)features));
    SET_VECTOR_ELT(result, 2, names_of(schema, sporf_schema_feature_name, features));
    SET_VECTOR_ELT(result, 3, levels_of(schema, features));
    SET_VECTOR_ELT(result, 4, ordered_of(schema, features));
    SET_VECTOR_ELT(result, 5,
                   names_of(schema, sporf_schema_class_name, sporf_forest_classes(forest)));
    SET_VECTOR_ELT(result, 6,
                   names_of(schema, sporf_schema_target_name, sporf_forest_targets(forest)));
    const char *label = sporf_schema_label_name(schema);
    if (label) SET_VECTOR_ELT(result, 7, Rf_ScalarString(core_text(label)));
    SET_VECTOR_ELT(result, 8, settings_of(forest));
    SET_VECTOR_ELT(result, 9, boosting_of(forest));
    SET_VECTOR_ELT(result, 10, Rf_ScalarLogical(sporf_forest_has_samples(forest)));
    UNPROTECT(1);
    return result;
}

/* ---- out-of-bag results ---------------------------------------------------------------------- */

/* The class with most votes of each row, from 1 on, the first in a tie; NA without votes. */
static SEXP oob_classes(const sporf_oob *oob, size_t classes) {
    if (!oob->votes) return R_NilValue;
    SEXP result = Rf_allocVector(INTSXP, (R_xlen_t)oob->training_rows);
    for (size_t i = 0; i < oob->training_rows; i++) {
        const uint32_t *votes = oob->votes + i * classes;
        size_t best = 0;
        for (size_t k = 1; k < classes; k++)
            if (votes[k] > votes[best]) best = k;
        INTEGER(result)[i] = votes[best] > 0 ? (int)best + 1 : NA_INTEGER;
    }
    return result;
}

static SEXP oob_votes(const sporf_oob *oob, size_t classes) {
    size_t rows = oob->training_rows;
    if (!oob->votes) return R_NilValue;
    SEXP votes = Rf_allocMatrix(INTSXP, (int)rows, (int)classes);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < classes; k++)
            INTEGER(votes)[k * rows + i] = (int)oob->votes[i * classes + k];
    return votes;
}

static SEXP oob_predictions(const sporf_oob *oob, size_t targets) {
    size_t rows = oob->training_rows;
    if (!oob->predictions) return R_NilValue;
    SEXP values = Rf_allocMatrix(REALSXP, (int)rows, (int)targets);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < targets; k++)
            REAL(values)[k * rows + i] = oob->predictions[i * targets + k];
    return values;
}

/* Classes, votes (if wanted) and predictions only right after training: model files do not have
 * them. */
SEXP core_oob(SEXP model, SEXP with_votes) {
    const char *names[] = {"rows",    "error", "kappa",       "r2", "curve",
                           "classes", "votes", "predictions", ""};
    SEXP failure = R_NilValue;
    sporf_oob oob;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    sporf_forest_oob(forest, &oob);
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_ScalarReal((double)oob.rows));
    SET_VECTOR_ELT(result, 1, Rf_ScalarReal(oob.error));
    SET_VECTOR_ELT(result, 2, Rf_ScalarReal(oob.kappa));
    SET_VECTOR_ELT(result, 3, Rf_ScalarReal(oob.r2));
    SET_VECTOR_ELT(result, 4, reals(oob.curve, sporf_forest_trees(forest)));
    SET_VECTOR_ELT(result, 5, oob_classes(&oob, sporf_forest_classes(forest)));
    if (Rf_asLogical(with_votes))
        SET_VECTOR_ELT(result, 6, oob_votes(&oob, sporf_forest_classes(forest)));
    SET_VECTOR_ELT(result, 7, oob_predictions(&oob, sporf_forest_targets(forest)));
    UNPROTECT(1);
    return result;
}

SEXP core_summary(SEXP model) {
    const char *names[] = {"nodes", "leaves", "mean.depth", "max.depth", "mean.nonzeros", ""};
    SEXP failure = R_NilValue;
    sporf_forest_summary s;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    sporf_status status = sporf_forest_summarise(forest, &s);
    if (status != SPORF_OK) return core_failure(status);
    SEXP result = PROTECT(Rf_mkNamed(REALSXP, names));
    double values[] = {(double)s.nodes, (double)s.leaves, s.mean_depth, (double)s.max_depth,
                       s.mean_nonzeros};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) REAL(result)[i] = values[i];
    UNPROTECT(1);
    return result;
}

/* ---- importances ----------------------------------------------------------------------------- */

SEXP core_importances(SEXP model) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    SEXP result = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)sporf_forest_features(forest)));
    sporf_status status = sporf_forest_importances(forest, REAL(result));
    UNPROTECT(1);
    return status == SPORF_OK ? result : core_failure(status);
}

/* The features, from 1 on, and the weights of a projection. */
static void put_terms(size_t terms, const uint32_t *features, const float *weights, SEXP lists[2],
                      R_xlen_t at) {
    SEXP of_features = Rf_allocVector(INTSXP, (R_xlen_t)terms);
    SET_VECTOR_ELT(lists[0], at, of_features);
    SEXP of_weights = Rf_allocVector(REALSXP, (R_xlen_t)terms);
    SET_VECTOR_ELT(lists[1], at, of_weights);
    for (size_t i = 0; i < terms; i++) {
        INTEGER(of_features)[i] = (int)features[i] + 1;
        REAL(of_weights)[i] = weights[i];
    }
}

static SEXP ranked(const sporf_ranking *ranking) {
    const char *names[] = {"importance", "splits", "features", "weights", ""};
    R_xlen_t count = (R_xlen_t)ranking->count;
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SEXP importance = Rf_allocVector(REALSXP, count);
    SET_VECTOR_ELT(result, 0, importance);
    SEXP splits = Rf_allocVector(REALSXP, count);
    SET_VECTOR_ELT(result, 1, splits);
    SEXP lists[2] = {Rf_allocVector(VECSXP, count), R_NilValue};
    SET_VECTOR_ELT(result, 2, lists[0]);
    lists[1] = Rf_allocVector(VECSXP, count);
    SET_VECTOR_ELT(result, 3, lists[1]);
    for (R_xlen_t i = 0; i < count; i++) {
        const sporf_ranked *one = &ranking->projections[i];
        REAL(importance)[i] = one->importance;
        REAL(splits)[i] = (double)one->splits;
        put_terms(one->terms, one->features, one->weights, lists, i);
    }
    UNPROTECT(1);
    return result;
}

SEXP core_ranking(SEXP model, SEXP count) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    sporf_ranking *ranking = NULL;
    if (!forest) return failure;
    sporf_status status = sporf_ranking_create(forest, (size_t)Rf_asReal(count), &ranking);
    if (status != SPORF_OK) return core_failure(status);
    SEXP result = ranked(ranking);
    sporf_ranking_free(ranking);
    return result;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* What a leaf predicts: the weights of the classes, or the means of the targets. */
static void put_leaf(const sporf_forest *forest, const sporf_node *node, R_xlen_t nodes,
                     double *to) {
    for (size_t k = 0; !node->values && k < sporf_forest_classes(forest); k++)
        to[(R_xlen_t)k * nodes] = 0;
    for (size_t k = 0; !node->values && k < node->classes; k++)
        to[(R_xlen_t)node->class_index[k] * nodes] = node->class_weight[k];
    size_t width = sporf_forest_targets(forest) > 0 ? sporf_forest_targets(forest) : 1;
    for (size_t k = 0; node->values && k < width; k++) to[(R_xlen_t)k * nodes] = node->values[k];
}

/* The training weight of a leaf; boosting: the sum of the hessians. */
static double leaf_weight(const sporf_node *node) {
    double weight = 0;
    size_t count = node->values ? 1 : node->classes;
    for (size_t k = 0; k < count; k++) weight += node->class_weight[k];
    return weight;
}

/* How many numbers a leaf has. */
static size_t leaf_width(const sporf_forest *forest) {
    sporf_boosting boosting;
    if (sporf_forest_boosting(forest, &boosting)) return 1;
    size_t classes = sporf_forest_classes(forest);
    return classes > 0 ? classes : sporf_forest_targets(forest);
}

SEXP core_tree(SEXP model, SEXP number) {
    const char *names[] = {"leaf",     "left",    "right",  "threshold", "missing",
                           "features", "weights", "values", "weight",    ""};
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    size_t tree = (size_t)Rf_asReal(number) - 1, width = leaf_width(forest);
    R_xlen_t count = (R_xlen_t)sporf_forest_nodes(forest, tree);
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    static const SEXPTYPE types[] = {INTSXP, INTSXP, INTSXP, REALSXP, LGLSXP, VECSXP, VECSXP};
    for (int i = 0; i < 7; i++) SET_VECTOR_ELT(result, i, Rf_allocVector(types[i], count));
    SET_VECTOR_ELT(result, 7, Rf_allocMatrix(REALSXP, (int)count, (int)width));
    double *values = REAL(VECTOR_ELT(result, 7));
    SET_VECTOR_ELT(result, 8, Rf_allocVector(REALSXP, count));
    double *weight = REAL(VECTOR_ELT(result, 8));
    SEXP lists[2] = {VECTOR_ELT(result, 5), VECTOR_ELT(result, 6)};
    for (R_xlen_t i = 0; i < count; i++) {
        sporf_node node;
        sporf_status status = sporf_forest_node(forest, tree, (size_t)i, &node);
        if (status != SPORF_OK) {
            UNPROTECT(1);
            return core_failure(status);
        }
        int is_leaf = node.is_leaf;
        INTEGER(VECTOR_ELT(result, 0))[i] = is_leaf ? (int)node.leaf : NA_INTEGER;
        INTEGER(VECTOR_ELT(result, 1))[i] = is_leaf ? NA_INTEGER : (int)node.left;
        INTEGER(VECTOR_ELT(result, 2))[i] = is_leaf ? NA_INTEGER : (int)node.right;
        REAL(VECTOR_ELT(result, 3))[i] = is_leaf ? NA_REAL : node.threshold;
        LOGICAL(VECTOR_ELT(result, 4))[i] = is_leaf ? NA_LOGICAL : node.missing_left != 0;
        if (!is_leaf) put_terms(node.terms, node.features, node.weights, lists, i);
        for (size_t k = 0; k < width; k++) values[(R_xlen_t)k * count + i] = NA_REAL;
        if (is_leaf) put_leaf(forest, &node, count, values + i);
        weight[i] = is_leaf ? leaf_weight(&node) : NA_REAL;
    }
    UNPROTECT(1);
    return result;
}

/* A tree, from 1 on, as text or SVG, down to `depth` splits from the root; below 0: all of it. */
SEXP core_show_tree(SEXP model, SEXP number, SEXP depth, SEXP svg) {
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    size_t tree = (size_t)Rf_asReal(number) - 1;
    size_t most = Rf_asReal(depth) < 0 ? SIZE_MAX : (size_t)Rf_asReal(depth);
    char *text = NULL;
    sporf_status status = Rf_asLogical(svg) ? sporf_forest_draw_tree(forest, tree, most, &text)
                                            : sporf_forest_write_tree(forest, tree, most, &text);
    if (status != SPORF_OK) return core_failure(status);
    SEXP result = PROTECT(Rf_ScalarString(core_text(text)));
    sporf_free(text);
    UNPROTECT(1);
    return result;
}

/* Sets of levels, numbered from 1 on: a list of the feature, the levels, and what a missing value
 * counts as. */
SEXP core_level_set(SEXP model, SEXP number) {
    const char *names[] = {"feature", "levels", "fill", ""};
    SEXP failure = R_NilValue;
    const sporf_forest *forest = core_forest(model, &failure);
    if (!forest) return failure;
    size_t set = (size_t)Rf_asReal(number) - 1, count = 0;
    sporf_level_set s = sporf_forest_level_set(forest, set);
    const sporf_schema *schema = sporf_forest_schema(forest);
    size_t all = s.has_levels ? sporf_schema_levels(schema, s.feature) : 0;
    for (size_t k = 0; k < all; k++) count += sporf_forest_level_set_has(forest, set, k) != 0;
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_ScalarInteger((int)s.feature + 1));
    if (s.has_levels) SET_VECTOR_ELT(result, 1, Rf_allocVector(STRSXP, (R_xlen_t)count));
    R_xlen_t at = 0;
    for (size_t k = 0; k < all; k++)
        if (sporf_forest_level_set_has(forest, set, k))
            SET_STRING_ELT(VECTOR_ELT(result, 1), at++,
                           core_text(sporf_schema_level_name(schema, s.feature, k)));
    SET_VECTOR_ELT(result, 2, Rf_ScalarReal(isnan(s.fill) ? NA_REAL : s.fill));
    UNPROTECT(1);
    return result;
}

/* ---- options --------------------------------------------------------------------------------- */

SEXP core_options(void) {
    const char *names[] = {"name", "type", "choices", "default", "help", ""};
    R_xlen_t count = 0;
    while (sporf_option_at((size_t)count)) count++;
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 5; i++) SET_VECTOR_ELT(result, i, Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        const sporf_option *option = sporf_option_at((size_t)i);
        const char *texts[] = {option->name, option->type, option->choices, option->default_value,
                               option->help};
        for (int k = 0; k < 5; k++) SET_STRING_ELT(VECTOR_ELT(result, k), i, core_text(texts[k]));
    }
    UNPROTECT(1);
    return result;
}

/* Whether forests, and boosted models, use an option. */
SEXP core_learner_uses(SEXP option, SEXP boosting) {
    sporf_learner learner = Rf_asLogical(boosting) ? SPORF_LEARNER_BOOSTING : SPORF_LEARNER_FOREST;
    return Rf_ScalarLogical(sporf_learner_uses(learner, core_utf8(option, 0)));
}
