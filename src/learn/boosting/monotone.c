/* Reads monotone constraints. */
#include "learn/boosting/monotone.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The feature of this name, or of this number from 1 on if features have no names. */
static size_t find_feature(const sporf_dataset *data, const char *name, size_t length) {
    const spf_strings *names = &data->schema.names;
    for (size_t j = 0; j < names->count; j++) {
        const char *own = spf_strings_at(names, j);
        if (strlen(own) == length && memcmp(own, name, length) == 0) return j;
    }
    double number;
    if (names->count > 0 || !spf_number_read(name, name + length, &number)) return data->features;
    int is_there = number >= 1 && number <= (double)data->features && number == floor(number);
    return is_there ? (size_t)number - 1 : data->features;
}

static sporf_status read_one(const sporf_dataset *data, const char *text, size_t length,
                             int8_t *monotone) {
    char shown[SPF_NAME_TEXT_MAX], copy[SPF_NAME_TEXT_MAX];
    size_t kept = length < sizeof copy ? length : sizeof copy - 1;
    memcpy(copy, text, kept);
    copy[kept] = '\0';
    spf_name_text(copy, shown);
    int signs = length > 2 && text[length - 2] == '=' &&
                (text[length - 1] == '+' || text[length - 1] == '-');
    if (!signs)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("monotone") " must be NAME=+ or NAME=-, separated by commas, "
                                                "got '%s'",
                         shown);
    size_t feature = find_feature(data, text, length - 2);
    if (feature == data->features)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("monotone") " names a feature that is not there: '%s'", shown);
    if (spf_schema_kind(&data->schema, feature) == SPORF_KIND_CATEGORY)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("monotone") " names a category, which has no order: '%s'",
                         shown);
    if (monotone[feature] != 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("monotone") " names a feature twice: '%s'", shown);
    monotone[feature] = text[length - 1] == '+' ? 1 : -1;
    return SPORF_OK;
}

static sporf_status read_all(const sporf_dataset *data, const char *text, int8_t *monotone) {
    while (*text) {
        size_t length = strcspn(text, ",");
        SPF_TRY(read_one(data, text, length, monotone));
        text += length + (text[length] == ',');
    }
    return SPORF_OK;
}

sporf_status spf_monotone_create(const sporf_dataset *data, const char *text,
                                 const spf_boost_loss *loss, int8_t **monotone) {
    if (!text) return SPORF_OK;
    if (loss->link == SPF_LINK_SOFTMAX)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("monotone") " is for regression and two classes: with %zu "
                                                "classes, a probability may fall although its "
                                                "score rises",
                         loss->outputs);
    int8_t *made = spf_alloc_zero(data->features, sizeof *made);
    if (!made) return spf_raise_memory();
    sporf_status status = read_all(data, text, made);
    if (status != SPORF_OK) {
        free(made);
        return status;
    }
    *monotone = made;
    return SPORF_OK;
}
