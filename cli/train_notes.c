/* Notes on out-of-bag results. These come from the rows that trees left out: a large subsample
 * leaves out few of them, and a bootstrap hardly ever one with a large count. */
#include "train_notes.h"

#include "decision_report.h"
#include "out.h"
#include "printed.h"

#include <stdlib.h>
#include <string.h>

/* With fewer trees many rows are never left out, whatever their weights. */
enum { TREES_MIN = 20 };

/* Trees that leave out fewer rows than a bootstrap does, which is more than a third, and fewer
 * votes for a row than are enough: see docs/settings.md. */
static const double LEFT_OUT_FEW = 0.3;
enum { VOTES_ENOUGH = 50 };

static const char advice[] =
    "rows of large counts are in every bootstrap; --bag subsample leaves out a share of all rows";

/* Rows of one class, or of all. */
typedef struct {
    size_t rows, out;
} bag_count;

static int is_few(const bag_count *count) {
    return count->out * 2 < count->rows;
}

static int has_counts(const sporf_dataset *data, const sporf_params *params) {
    int weighted = sporf_dataset_weights(data) ||
                   (params->class_weights && strcmp(params->class_weights, "none") != 0);
    return weighted && params->weight_is == SPORF_WEIGHT_COUNT;
}

/* A class with weight 0 in --class-weights is in no tree; any other class that is never out of bag
 * is in all trees. */
static int is_in_first_tree(const sporf_forest *forest, size_t class) {
    sporf_node node;
    for (size_t i = 0; i < sporf_forest_nodes(forest, 0); i++) {
        if (sporf_forest_node(forest, 0, i, &node) != SPORF_OK) return 0;
        for (size_t k = 0; node.is_leaf && k < node.classes; k++)
            if (node.class_index[k] == class) return 1;
    }
    return 0;
}

static int was_out(const sporf_oob *oob, size_t row, size_t classes) {
    for (size_t k = 0; k < classes; k++)
        if (oob->votes[row * classes + k] > 0) return 1;
    return 0;
}

/* Weighted rows, by class. */
static void count_classes(const sporf_dataset *data, const sporf_forest *forest,
                          const sporf_oob *oob, bag_count *counts) {
    size_t classes = sporf_forest_classes(forest);
    const uint32_t *labels = sporf_dataset_labels(data);
    const float *weights = sporf_dataset_weights(data);
    for (size_t i = 0; i < oob->training_rows; i++) {
        if (weights && weights[i] == 0) continue;
        counts[labels[i]].rows++;
        counts[labels[i]].out += (size_t)was_out(oob, i, classes);
    }
    for (size_t k = 0; k < classes; k++)
        if (counts[k].out == 0 && !is_in_first_tree(forest, k)) counts[k].rows = 0;
}

/* The same for all rows together, in regression. */
static void count_all(const sporf_dataset *data, const sporf_oob *oob, bag_count *count) {
    const float *weights = sporf_dataset_weights(data);
    for (size_t i = 0; i < sporf_dataset_rows(data); i++) count->rows += weights[i] > 0;
    count->out = oob->rows;
}

/* Reports too few out-of-bag rows: of all rows or, if these are enough, of single classes. */
static void report(const char *verb, const sporf_forest *forest, const bag_count *counts,
                   size_t groups) {
    enum { TOLD_MAX = 3 };
    char out[TEXT_NUMBER], rows[TEXT_NUMBER];
    bag_count all = {0};
    for (size_t k = 0; k < groups; k++) {
        all.rows += counts[k].rows;
        all.out += counts[k].out;
    }
    if (is_few(&all))
        out_error(verb, "only %s of %s rows were out of bag: %s", text_count(out, all.out),
                  text_count(rows, all.rows), advice);
    for (size_t k = 0, told = 0; !is_few(&all) && k < groups && told < TOLD_MAX; k++) {
        if (!is_few(&counts[k])) continue;
        out_error(verb, "only %s of %s rows of class '%s' were out of bag: %s",
                  text_count(out, counts[k].out), text_count(rows, counts[k].rows),
                  sporf_schema_class_name(sporf_forest_schema(forest), k), advice);
        told++;
    }
}

static int is_bootstrap(const sporf_params *params) {
    sporf_bag bag =
        params->bag == SPORF_BAG_AUTO ? sporf_method_at(params->method)->bag : params->bag;
    return bag == SPORF_BAG_BOOTSTRAP || bag == SPORF_BAG_STRATIFIED;
}

/* The share of the rows that a subsample leaves out; a bootstrap leaves out enough. */
static double share_left_out(const sporf_forest *forest) {
    const char *bag = sporf_forest_setting(forest, "bag");
    const char *drawn = sporf_forest_setting(forest, "bag-fraction");
    return bag && drawn && strcmp(bag, "subsample") == 0 ? 1 - strtod(drawn, NULL) : 1;
}

void train_notes_votes(const char *verb, const sporf_forest *forest) {
    char votes[TEXT_NUMBER], all[TEXT_NUMBER];
    size_t trees = sporf_forest_trees(forest);
    double share = share_left_out(forest), expected = share * (double)trees;
    if (trees < 2 || share <= 0 || share > LEFT_OUT_FEW || expected > VOTES_ENOUGH - 1e-6) return;
    out_error(verb, "the out-of-bag error reads high: a row has votes of about %s of the %s trees",
              text_count(votes, expected < 1 ? 1 : (uint64_t)(expected + 0.5)),
              text_count(all, trees));
}

/* Of its equal share of the rows a rare class has less than this; of its rows a missed one is
 * predicted in less; and by its area under the curve some of them could be told from others. */
static const double RARE = 0.5, MISSED = 0.25, TOLD_APART = 0.6;
enum { ROWS_MIN = 10, LEAF_LARGE = 20 };

static int is_missed(const class_report *report, size_t k) {
    const sporf_by_class *own = &report->by_class[k];
    double equal = (double)report->scores.rows / (double)report->classes;
    return own->rows >= ROWS_MIN && (double)own->rows < RARE * equal && own->recall < MISSED &&
           own->auc > TOLD_APART;
}

/* In small leaves of many rows of one class a few rows of another hardly gain by their weights. */
static int has_large_leaves(const sporf_forest *forest) {
    const char *rows = sporf_forest_setting(forest, "min-leaf");
    return rows && strtod(rows, NULL) >= LEAF_LARGE;
}

/* What finds more rows of a class, for a model without costs and thresholds. */
static void advise(const sporf_forest *forest, const class_report *report, size_t class,
                   char *advice, size_t size) {
    char name[100], other[100];
    text_printable(name, sizeof name, sporf_schema_class_name(report->schema, class));
    text_printable(other, sizeof other, sporf_schema_class_name(report->schema, class == 0));
    if (decision_weighs_classes(forest))
        snprintf(advice, size, "with class weights, larger leaves find more, as in --min-leaf %d",
                 LEAF_LARGE);
    else if (report->classes > 2)
        snprintf(advice, size,
                 "to find more, see --class-weights balanced with larger leaves, as in --min-leaf "
                 "%d, and --cost",
                 LEAF_LARGE);
    else if (strchr(name, '\'') || strchr(other, '\''))
        snprintf(advice, size, "to find more, see --recall and --cost");
    else
        snprintf(advice, size,
                 "to find more, see --recall, as in --recall '%s=0.8', and --cost, as in --cost "
                 "'%s:%s=10'",
                 name, name, other);
}

void train_notes_missed(const char *verb, const sporf_forest *forest, const class_report *report) {
    char name[100], more[64] = "", advice[400];
    size_t missed = 0, first = 0;
    if (!report->by_class || decision_is_own(forest)) return;
    if (decision_weighs_classes(forest) && has_large_leaves(forest)) return;
    for (size_t k = report->classes; k-- > 0;)
        if (is_missed(report, k)) missed++, first = k;
    if (missed == 0) return;
    text_printable(name, sizeof name, sporf_schema_class_name(report->schema, first));
    if (missed == 2) snprintf(more, sizeof more, " (of another rare class hardly more)");
    if (missed > 2)
        snprintf(more, sizeof more, " (of %zu other rare classes hardly more)", missed - 1);
    advise(forest, report, first, advice, sizeof advice);
    out_error(verb, "out of bag, %.1f%% of the rows of class '%s' are predicted as such%s: %s",
              100 * report->by_class[first].recall, name, more, advice);
}

void train_notes_bag(const char *verb, const sporf_dataset *data, const sporf_params *params,
                     const sporf_forest *forest) {
    size_t classes = sporf_forest_classes(forest), groups = classes > 0 ? classes : 1;
    if (!is_bootstrap(params) || !has_counts(data, params) ||
        sporf_forest_trees(forest) < TREES_MIN)
        return;
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    bag_count *counts = calloc(groups, sizeof *counts);
    if (!counts) return;
    if (classes == 0)
        count_all(data, &oob, counts);
    else if (oob.votes)
        count_classes(data, forest, &oob, counts);
    report(verb, forest, counts, groups);
    free(counts);
}
