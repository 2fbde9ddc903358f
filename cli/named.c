/* Names are looked up as they are spelled; a misspelt one is answered with the nearest. */
#include "named.h"

#include "out.h"
#include "table_input.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef const char *name_of(const sporf_schema *schema, size_t index);

static int refuse_memory(const opt_list *options) {
    out_error(options->verb, "out of memory");
    return EXIT_FAILED;
}

/* The index of a name; `count` if there is none. */
static size_t find(const sporf_schema *schema, name_of *get, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && get(schema, i) && strcmp(get(schema, i), name) != 0) i++;
    return i < count && get(schema, i) ? i : count;
}

static int refuse(const opt_list *options, const sporf_schema *schema, name_of *get, size_t count,
                  const char *what, const char *name) {
    const char **names = calloc(count, sizeof *names), *nearest = NULL;
    int nameless = !get(schema, 0);
    for (size_t i = 0; names && !nameless && i < count; i++) names[i] = get(schema, i);
    if (names && !nameless) nearest = opt_nearest(name, names, count);
    if (nearest)
        out_error(options->verb, "the model has no %s '%s'; did you mean '%s'?", what, name,
                  nearest);
    else if (nameless)
        out_error(options->verb,
                  "the model has no %s '%s': its features have no names; give a number from 1 to "
                  "%zu",
                  what, name, count);
    else
        out_error(options->verb, "the model has no %s '%s'; the first of its %zu is '%s'", what,
                  name, count, get(schema, 0));
    free(names);
    return EXIT_USAGE;
}

int named_class(const opt_list *options, const sporf_forest *forest, size_t *place) {
    const char *name = opt_value(options, "class");
    const sporf_schema *schema = sporf_forest_schema(forest);
    size_t classes = sporf_forest_classes(forest);
    *place = SIZE_MAX;
    if (!name) return EXIT_DONE;
    *place = find(schema, sporf_schema_class_name, classes, name);
    if (*place < classes) return EXIT_DONE;
    return refuse(options, schema, sporf_schema_class_name, classes, "class", name);
}

/* ---- features -------------------------------------------------------------------------------- */

/* A number from 1, for features without names also as x1; `count` if it is none of these. */
static size_t by_number(const sporf_schema *schema, size_t count, const char *text) {
    if (!sporf_schema_feature_name(schema, 0) && *text == 'x') text++;
    if (*text < '1' || *text > '9') return count;
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    return *end == '\0' && number <= count ? (size_t)number - 1 : count;
}

int named_feature(const opt_list *options, const sporf_forest *forest, const char *name,
                  size_t *place) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    size_t all = sporf_forest_features(forest);
    *place = find(schema, sporf_schema_feature_name, all, name);
    if (*place == all) *place = by_number(schema, all, name);
    if (*place < all) return EXIT_DONE;
    return refuse(options, schema, sporf_schema_feature_name, all, "feature", name);
}

static int find_features(const opt_list *options, const char *option, const sporf_forest *forest,
                         const char *const *names, size_t count, size_t *features) {
    for (size_t i = 0; i < count; i++) {
        size_t place;
        int code = named_feature(options, forest, names[i], &place);
        if (code != EXIT_DONE) return code;
        for (size_t j = 0; j < i; j++) {
            if (features[j] != place) continue;
            out_error(options->verb, "--%s names '%s' twice; leave one of them out", option,
                      names[i]);
            return EXIT_USAGE;
        }
        features[i] = place;
    }
    return EXIT_DONE;
}

static int given_features(const opt_list *options, const sporf_forest *forest, size_t **features,
                          size_t *count) {
    const char *const *names = NULL;
    int code = input_list(options, "features", &names, count);
    if (code == EXIT_DONE) {
        *features = calloc(*count, sizeof **features);
        code = *features ? find_features(options, "features", forest, names, *count, *features)
                         : refuse_memory(options);
    }
    free((void *)names);
    return code;
}

int named_pair(const opt_list *options, const char *option, const sporf_forest *forest,
               size_t pair[2]) {
    const char *const *names = NULL;
    size_t count;
    int code = input_list(options, option, &names, &count);
    if (code == EXIT_DONE && count != 2) {
        out_error(options->verb, "--%s takes two features, such as 'height,width', got '%s'",
                  option, opt_value(options, option));
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE) code = find_features(options, option, forest, names, 2, pair);
    free((void *)names);
    return code;
}

typedef struct {
    size_t feature;
    double importance;
} ranked;

static int by_importance(const void *a, const void *b) {
    const ranked *left = a, *right = b;
    if (left->importance != right->importance) return left->importance > right->importance ? -1 : 1;
    return left->feature < right->feature ? -1 : 1;
}

/* Ranks the features that may be chosen; returns their number. */
static size_t rank(const sporf_forest *forest, int ordered, const double *importances,
                   ranked *list) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    size_t count = 0;
    for (size_t j = 0; j < sporf_forest_features(forest); j++)
        if (!ordered || sporf_schema_kind(schema, j) != SPORF_KIND_CATEGORY)
            list[count++] = (ranked){j, importances[j]};
    qsort(list, count, sizeof *list, by_importance);
    return count;
}

static int choose_features(const opt_list *options, const sporf_forest *forest, size_t top,
                           int ordered, size_t **features, size_t *count) {
    size_t all = sporf_forest_features(forest);
    double *importances = calloc(all, sizeof *importances);
    ranked *list = calloc(all, sizeof *list);
    *features = calloc(all, sizeof **features);
    int code = importances && list && *features ? EXIT_DONE : refuse_memory(options);
    sporf_status status =
        code == EXIT_DONE ? sporf_forest_importances(forest, importances) : SPORF_OK;
    if (status != SPORF_OK) code = out_failure(options->verb, status, NULL);
    if (code == EXIT_DONE) all = rank(forest, ordered, importances, list);
    *count = all < top ? all : top;
    for (size_t i = 0; code == EXIT_DONE && i < *count; i++) (*features)[i] = list[i].feature;
    free(importances);
    free(list);
    return code;
}

int named_features(const opt_list *options, const sporf_forest *forest, size_t top, int ordered,
                   size_t **features, size_t *count) {
    if (opt_value(options, "features")) return given_features(options, forest, features, count);
    return choose_features(options, forest, top, ordered, features, count);
}
