/* Rows of weight 0 are used neither for training nor for scores. */
#include "fold_notes.h"

#include "out.h"
#include "printed.h"

#include <stdlib.h>

/* ---- classes --------------------------------------------------------------------------------- */

/* Rows of a class are dealt to at most as many folds as it has rows. */
void fold_notes_small(const char *verb, const sporf_dataset *data, size_t folds) {
    size_t classes = sporf_dataset_classes(data), small = 0, first = 0;
    size_t *rows = calloc(classes, sizeof *rows);
    char count[TEXT_NUMBER];
    for (size_t i = 0; rows && i < sporf_dataset_rows(data); i++)
        rows[sporf_dataset_labels(data)[i]]++;
    for (size_t k = classes; rows && k-- > 0;) {
        if (rows[k] == 0 || rows[k] >= folds) continue;
        small++;
        first = k;
    }
    if (small == 1)
        out_error(verb, "class '%s' has %zu row%s, fewer than the %zu folds: some folds test none",
                  sporf_schema_class_name(sporf_dataset_schema(data), first), rows[first],
                  rows[first] > 1 ? "s" : "", folds);
    if (small > 1)
        out_error(verb,
                  "%s classes have fewer rows than the %zu folds, '%s' among them with %zu: some "
                  "folds test none of them",
                  text_count(count, small), folds,
                  sporf_schema_class_name(sporf_dataset_schema(data), first), rows[first]);
    free(rows);
}

static int counts(const sporf_dataset *data, size_t row) {
    const float *weights = sporf_dataset_weights(data);
    return !weights || weights[row] > 0;
}

#define NOWHERE 0
#define EVERYWHERE UINT32_MAX

/* The fold of each class, from 1. */
static void find_homes(const sporf_dataset *data, const sporf_folds *folds, uint32_t *home) {
    for (size_t i = 0; i < sporf_dataset_rows(data); i++) {
        uint32_t fold = folds->fold[i] + 1;
        uint32_t *own = &home[sporf_dataset_labels(data)[i]];
        if (!counts(data, i)) continue;
        *own = *own == NOWHERE || *own == fold ? fold : EVERYWHERE;
    }
}

void fold_notes_lone(const char *verb, const sporf_dataset *data, const sporf_folds *folds) {
    size_t classes = sporf_dataset_classes(data), lone = 0, first = 0;
    uint32_t *home = calloc(classes, sizeof *home);
    char count[TEXT_NUMBER];
    if (!home) return;
    find_homes(data, folds, home);
    for (size_t k = classes; k-- > 0;) {
        if (home[k] == NOWHERE || home[k] == EVERYWHERE) continue;
        lone++;
        first = k;
    }
    if (lone == 1)
        out_error(
            verb,
            "all rows of class '%s' are in fold %lu: the forest that is tested there is grown "
            "without it",
            sporf_schema_class_name(sporf_dataset_schema(data), first), (unsigned long)home[first]);
    if (lone > 1)
        out_error(verb,
                  "%s classes have all of their rows in one fold, '%s' among them in fold %lu: the "
                  "forests that are tested there are grown without them",
                  text_count(count, lone),
                  sporf_schema_class_name(sporf_dataset_schema(data), first),
                  (unsigned long)home[first]);
    free(home);
}

/* ---- means ----------------------------------------------------------------------------------- */

/* How many classes the weighted rows of a fold have: 0, 1, or 2 for several. Regression counts as
 * several. */
static int classes_tested(const sporf_dataset *data, const sporf_folds *folds, size_t fold) {
    const uint32_t *rows = folds->test[fold].rows, *first = NULL;
    const uint32_t *labels = sporf_dataset_targets(data) > 0 ? NULL : sporf_dataset_labels(data);
    for (size_t i = 0; i < folds->test[fold].count; i++) {
        if (!counts(data, rows[i])) continue;
        if (!first) first = &rows[i];
        if (!labels || labels[rows[i]] != labels[*first]) return 2;
    }
    return first != NULL;
}

/* Folds of one kind: how many, and the first of them, from 1. */
typedef struct {
    size_t count, first;
} some_folds;

static const char *name_folds(char *buffer, size_t size, const some_folds *some, size_t done) {
    char count[TEXT_NUMBER], all[TEXT_NUMBER];
    if (some->count == 1)
        snprintf(buffer, size, "fold %zu", some->first);
    else
        snprintf(buffer, size, "%s of %s folds, the first of them %zu,",
                 text_count(count, some->count), text_count(all, done), some->first);
    return buffer;
}

void fold_notes_means(const char *verb, const sporf_dataset *data, const sporf_folds *folds,
                      size_t done) {
    some_folds kinds[3] = {{0}};
    char name[3 * TEXT_NUMBER];
    for (size_t k = done; k-- > 0;) {
        some_folds *kind = &kinds[classes_tested(data, folds, k)];
        kind->count++;
        kind->first = k + 1;
    }
    if (kinds[0].count > 0)
        out_error(verb, "%s cannot be judged: the rows all weigh 0; the means leave %s out",
                  name_folds(name, sizeof name, &kinds[0], done),
                  kinds[0].count > 1 ? "them" : "it");
    if (kinds[1].count > 0)
        out_error(verb,
                  "%s test%s one class only, where kappa says nothing; its mean leaves %s out",
                  name_folds(name, sizeof name, &kinds[1], done), kinds[1].count > 1 ? "" : "s",
                  kinds[1].count > 1 ? "them" : "it");
}
