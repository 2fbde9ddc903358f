/* Row weights: set, read and checked. Class weights, parsed from text. */
#include "data/weights.h"

#include "base/number.h"
#include "base/spelling.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sporf_status spf_weights_check(const float *weights, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        char text[SPF_NUMBER_TEXT_MAX];
        if (weights[i] >= 0 && weights[i] <= SPF_VALUE_MAX) continue;
        spf_number_write_float(weights[i], text);
        return spf_raise(SPORF_ERROR_DATA,
                         "the weight of " SPF_ROW " is %s: weights must be finite and not negative",
                         i + 1, text);
    }
    return SPORF_OK;
}

sporf_status sporf_dataset_set_weight_name(sporf_dataset *data, const char *name) {
    if (!data) return spf_raise(SPORF_ERROR_ARGUMENT, "weight name: data is NULL");
    char *copy = name && *name ? spf_strdup(name) : NULL;
    if (name && *name && !copy) return spf_raise_memory();
    free(data->weight_name);
    data->weight_name = copy;
    return SPORF_OK;
}

sporf_status sporf_dataset_set_weights(sporf_dataset *data, const double *weights, size_t count) {
    if (!data) return spf_raise(SPORF_ERROR_ARGUMENT, "weights: data is NULL");
    if (!weights) {
        free(data->weights);
        data->weights = NULL;
        return sporf_dataset_set_weight_name(data, NULL);
    }
    if (count != data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%zu weights for %zu rows", count, data->rows);
    float *copy = spf_alloc(count, sizeof *copy);
    if (!copy) return spf_raise_memory();
    for (size_t i = 0; i < count; i++) copy[i] = (float)weights[i];
    sporf_status status = spf_weights_check(copy, count);
    if (status != SPORF_OK) {
        free(copy);
        return status;
    }
    free(data->weights);
    data->weights = copy;
    return sporf_dataset_set_weight_name(data, NULL);
}

const float *sporf_dataset_weights(const sporf_dataset *data) {
    return data->weights;
}

/* ---- classes ------------------------------------------------------------------------------------
 */

/* Names may contain commas and equals signs: an item ends at the first comma, or the end of the
 * text, that an equals sign and a number precede. */
typedef struct {
    const char *name;
    size_t length;
    double weight;
} item;

static int read_item(const char *begin, const char *end, item *found) {
    const char *equals = end;
    while (equals > begin && equals[-1] != '=') equals--;
    if (equals <= begin + 1 || !spf_number_read(equals, end, &found->weight)) return 0;
    found->name = begin;
    found->length = (size_t)(equals - 1 - begin);
    return found->weight >= 0 && isfinite(found->weight);
}

/* Takes the first item off the text; returns 0 if it does not begin with one. */
static int next_item(const char **text, item *found) {
    const char *end = *text + strcspn(*text, ",");
    while (!read_item(*text, end, found)) {
        if (*end == '\0') return 0;
        end += 1 + strcspn(end + 1, ",");
    }
    *text = *end == ',' ? end + 1 : end;
    return *end == '\0' || **text != '\0'; /* a comma at the end is an error */
}

static int is_word(const char *text, const char *word) {
    return text && strcmp(text, word) == 0;
}

int spf_class_weights_ok(const char *text) {
    item ignored;
    if (!text || is_word(text, "none") || is_word(text, "balanced")) return 1;
    do
        if (!next_item(&text, &ignored)) return 0;
    while (*text);
    return 1;
}

static sporf_status raise_unknown(const sporf_dataset *data, const item *found) {
    char given[SPF_EXCERPT_MAX], near[SPF_EXCERPT_MAX];
    const char *nearest = spf_nearest_name(found->name, found->length, &data->schema.classes);
    spf_excerpt(found->name, found->length, given);
    if (!nearest)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("class-weights") " names the class '%s', which no row has",
                         given);
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION("class-weights") " names the class '%s', which no row has" SPF_HINT
                                                 "did you mean '%s'?",
                     given, spf_excerpt(nearest, strlen(nearest), near));
}

static size_t find_class(const sporf_dataset *data, const item *found) {
    for (size_t k = 0; k < data->schema.classes.count; k++) {
        const char *name = spf_strings_at(&data->schema.classes, k);
        if (strlen(name) == found->length && memcmp(name, found->name, found->length) == 0)
            return k;
    }
    return data->schema.classes.count;
}

static sporf_status read_list(const char *text, const sporf_dataset *data, double *factors) {
    char shown[SPF_NAME_TEXT_MAX];
    item found;
    for (size_t k = 0; k < data->schema.classes.count; k++) factors[k] = -1; /* -1: not named */
    while (*text && next_item(&text, &found)) {
        size_t k = find_class(data, &found);
        if (k == data->schema.classes.count) return raise_unknown(data, &found);
        if (factors[k] >= 0)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             SPF_OPTION("class-weights") " names the class '%s' twice",
                             spf_name_text(spf_strings_at(&data->schema.classes, k), shown));
        factors[k] = found.weight;
    }
    for (size_t k = 0; k < data->schema.classes.count; k++)
        if (factors[k] < 0) factors[k] = 1;
    return SPORF_OK;
}

/* Classes without weight are not balanced. */
static void balance(const sporf_dataset *data, double *factors) {
    size_t classes = data->schema.classes.count, present = 0;
    double total = 0;
    for (size_t k = 0; k < classes; k++) factors[k] = 0;
    for (size_t i = 0; i < data->rows; i++) {
        factors[data->labels[i]] += spf_weight_of(data, i);
        total += spf_weight_of(data, i);
    }
    for (size_t k = 0; k < classes; k++) present += factors[k] > 0;
    for (size_t k = 0; k < classes; k++)
        factors[k] = factors[k] > 0 ? total / ((double)present * factors[k]) : 1;
}

sporf_status spf_class_weights_read(const char *text, const sporf_dataset *data, double *factors) {
    if (is_word(text, "balanced")) {
        balance(data, factors);
        return SPORF_OK;
    }
    return read_list(!text || is_word(text, "none") ? "" : text, data, factors);
}
