/* Splits in words. */
#include "picture/words.h"

#include <math.h>
#include <string.h>

#define BEYOND_ALL 1e38f /* larger than any sum of features */

void spf_words_feature(spf_markup *words, const sporf_forest *forest, size_t feature) {
    const char *name = sporf_schema_feature_name(sporf_forest_schema(forest), feature);
    if (name)
        spf_markup_plain(words, name, SPF_NAME_MOST);
    else
        spf_markup_format(words, "x%lu", (unsigned long)feature + 1);
}

/* ---- terms ----------------------------------------------------------------------------------- */

static int names_set(const sporf_forest *forest, uint32_t term, size_t *set) {
    size_t features = sporf_forest_features(forest);
    if (term < features) return 0;
    *set = term - features;
    return 1;
}

static size_t feature_of(const sporf_forest *forest, uint32_t term) {
    size_t set;
    return names_set(forest, term, &set) ? sporf_forest_level_set(forest, set).feature : term;
}

/* "red, green and 3 more" */
static void put_levels(spf_markup *words, const sporf_forest *forest, size_t set) {
    size_t feature = sporf_forest_level_set(forest, set).feature, shown = 0, more = 0;
    const sporf_schema *schema = sporf_forest_schema(forest);
    for (size_t i = 0; i < sporf_schema_levels(schema, feature); i++) {
        if (!sporf_forest_level_set_has(forest, set, i)) continue;
        if (shown == SPF_LEVELS_SHOWN) {
            more++;
            continue;
        }
        if (shown++ > 0) spf_markup_put(words, ", ");
        spf_markup_plain(words, sporf_schema_level_name(schema, feature, i), SPF_NAME_MOST);
    }
    if (shown == 0) spf_markup_put(words, "none");
    if (more > 0) spf_markup_format(words, " and %lu more", (unsigned long)more);
}

/* "height", "[colour in red, green]", or "[height or 170.5]" with what replaces a missing value. */
static void put_term(spf_markup *words, const sporf_forest *forest, uint32_t term) {
    size_t set = 0;
    int has_set = names_set(forest, term, &set);
    int has_levels = has_set && sporf_forest_level_set(forest, set).has_levels;
    if (has_set) spf_markup_put(words, "[");
    spf_words_feature(words, forest, feature_of(forest, term));
    if (has_set) spf_markup_put(words, has_levels ? " in " : " or ");
    if (has_levels)
        put_levels(words, forest, set);
    else if (has_set)
        spf_markup_number(words, sporf_forest_level_set(forest, set).fill, 4);
    if (has_set) spf_markup_put(words, "]");
}

/* "- 0.5 width": the sign, and the weight unless it is 1. */
static void put_weighted(spf_markup *words, const sporf_forest *forest, const sporf_node *node,
                         size_t i) {
    double weight = node->weights[i], size = fabs(weight);
    if (weight < 0)
        spf_markup_put(words, i > 0 ? "- " : "-");
    else if (i > 0)
        spf_markup_put(words, "+ ");
    if (size != 1) {
        spf_markup_number(words, size, 3);
        spf_markup_put(words, " ");
    }
    put_term(words, forest, node->features[i]);
}

static size_t characters(const char *text) {
    size_t count = 0;
    uint32_t c;
    for (; *text; count++) text = spf_utf8_next(text, &c);
    return count;
}

/* Puts a word after a blank, or on a new line. */
static void put_wrapped(spf_markup *words, const char *word, size_t line, size_t *used) {
    size_t length = characters(word);
    if (*used > 0 && line > 0 && *used + 1 + length > line) {
        spf_markup_put(words, "\n");
        *used = 0;
    } else if (*used > 0) {
        spf_markup_put(words, " ");
        *used += 1;
    }
    spf_markup_put(words, word);
    *used += length;
}

static void put_sum(spf_markup *words, const sporf_forest *forest, const sporf_node *node,
                    size_t most, size_t line, size_t *used) {
    size_t shown = node->terms <= most ? node->terms : most - 1;
    for (size_t i = 0; i < shown; i++) {
        spf_markup term = {0};
        put_weighted(&term, forest, node, i);
        if (term.status == SPORF_OK)
            put_wrapped(words, term.text, line, used);
        else
            words->status = term.status;
        spf_markup_free(&term);
    }
    if (shown == node->terms) return;
    char more[64];
    spf_markup rest = {0};
    spf_markup_format(&rest, "+ %lu more terms", (unsigned long)(node->terms - shown));
    if (rest.status == SPORF_OK) {
        memcpy(more, rest.text, rest.length + 1);
        put_wrapped(words, more, line, used);
    } else {
        words->status = rest.status;
    }
    spf_markup_free(&rest);
}

void spf_words_sum(spf_markup *words, const sporf_forest *forest, const sporf_ranked *sum,
                   size_t most) {
    sporf_node node = {.terms = sum->terms, .features = sum->features, .weights = sum->weights};
    size_t used = 0;
    put_sum(words, forest, &node, most, 0, &used);
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* Whether training replaces missing values in sums; then a term of a sum that has no replacement
 * had no missing value in the training table. */
static int fills_sums(const sporf_forest *forest) {
    const char *name = sporf_forest_setting(forest, "method");
    const sporf_method_info *method;
    for (size_t i = 0; name && (method = sporf_method_at(i)); i++)
        if (strcmp(method->name, name) == 0) return method->traits.draws_slots;
    return 0;
}

static int may_be_missing(const sporf_forest *forest, const sporf_node *node) {
    size_t set;
    for (size_t i = 0; i < node->terms; i++)
        if (!names_set(forest, node->features[i], &set) ||
            isnan(sporf_forest_level_set(forest, set).fill))
            return 1;
    return 0;
}

/* Whether rows with a missing value go left, unless the words say so already or there were no such
 * rows in training. */
static int says_missing(const sporf_forest *forest, const sporf_node *node) {
    size_t set;
    if (may_be_missing(forest, node))
        return node->missing_left && (node->terms == 1 || !fills_sums(forest));
    return node->terms == 1 && names_set(forest, node->features[0], &set) &&
           sporf_forest_level_set(forest, set).has_levels &&
           node->weights[0] * sporf_forest_level_set(forest, set).fill <= node->threshold;
}

/* A cut beyond any sum separates rows with all values from rows with a missing one. */
static int is_presence(const sporf_node *node) {
    return node->missing_left ? node->threshold <= -BEYOND_ALL : node->threshold >= BEYOND_ALL;
}

static void put_presence(spf_markup *words, const sporf_forest *forest, const sporf_node *node) {
    for (size_t i = 0; i < node->terms; i++) {
        if (i > 0) spf_markup_put(words, node->missing_left ? " or " : " and ");
        spf_words_feature(words, forest, feature_of(forest, node->features[i]));
    }
    spf_markup_put(words, node->missing_left ? " missing" : " known");
}

/* Whether the split only asks for the level of a category. */
static int is_level_question(const sporf_forest *forest, const sporf_node *node, size_t *set) {
    return node->terms == 1 && names_set(forest, node->features[0], set) &&
           sporf_forest_level_set(forest, *set).has_levels && node->weights[0] > 0 &&
           node->threshold >= 0 && node->threshold < node->weights[0];
}

static void put_comparison(spf_markup *words, const sporf_forest *forest, const sporf_node *node,
                           size_t line) {
    size_t used = 0;
    spf_markup cut = {0};
    put_sum(words, forest, node, SPF_TERMS_SHOWN, line, &used);
    spf_markup_put(&cut, "\xe2\x89\xa4 ");
    spf_markup_number(&cut, node->threshold, 4);
    if (cut.status == SPORF_OK)
        put_wrapped(words, cut.text, line, &used);
    else
        words->status = cut.status;
    spf_markup_free(&cut);
}

void spf_words_split(spf_markup *words, const sporf_forest *forest, const sporf_node *node,
                     size_t line) {
    size_t set;
    if (is_presence(node)) {
        put_presence(words, forest, node);
        return;
    }
    if (is_level_question(forest, node, &set)) {
        spf_words_feature(words, forest, feature_of(forest, node->features[0]));
        spf_markup_put(words, line > 0 ? " not in\n" : " not in ");
        put_levels(words, forest, set);
    } else {
        put_comparison(words, forest, node, line);
    }
    if (says_missing(forest, node))
        spf_markup_put(words, line > 0 ? "\nor missing" : " or missing");
}
