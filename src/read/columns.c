/* Finds the columns that reading options name. */
#include "read/columns.h"

#include "base/spelling.h"
#include "base/text.h"
#include "read/units.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_LISTED = 8 };

const char *spf_columns_list(const spf_strings *names, char out[SPF_LIST_MAX]) {
    char shown[SPF_EXCERPT_MAX];
    size_t used = 0, i = 0;
    out[0] = '\0';
    for (; i < names->count && i < COLUMNS_LISTED; i++) {
        const char *name = spf_strings_at(names, i);
        spf_excerpt(name, strlen(name), shown);
        size_t need = strlen(shown) + 2;
        if (used + need + SPF_EXCERPT_MAX + sizeof ", ...,  (18446744073709551615 in all)" >
            SPF_LIST_MAX)
            break;
        used += (size_t)snprintf(out + used, SPF_LIST_MAX - used, "%s%s", i > 0 ? ", " : "", shown);
    }
    if (i == names->count) return out;
    const char *last = spf_strings_at(names, names->count - 1);
    snprintf(out + used, SPF_LIST_MAX - used, "%s%s (%zu in all)",
             i + 1 < names->count ? ", ..., " : ", ", spf_excerpt(last, strlen(last), shown),
             names->count);
    return out;
}

/* Whether the letters of a word occur in a name in this order: "chrn" in "churned". */
static int abbreviates(const char *word, size_t length, const char *name) {
    size_t found = 0;
    for (; *name && found < length; name++)
        found += tolower((unsigned char)*name) == tolower((unsigned char)word[found]);
    return found == length;
}

/* The only name that a word may abbreviate, or NULL. */
static const char *likely_name(const char *word, size_t length, const spf_strings *names) {
    enum { LETTERS_MIN = 3 };
    const char *nearest = spf_nearest_name(word, length, names), *whole = NULL;
    if (nearest || length < LETTERS_MIN) return nearest;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = spf_strings_at(names, i);
        if (!abbreviates(word, length, name)) continue;
        if (whole) return NULL;
        whole = name;
    }
    return whole;
}

/* Whether a header has at most one name, the first: it may be a title above the table. */
static int is_title(const spf_strings *names) {
    for (size_t i = 1; i < names->count; i++)
        if (*spf_strings_at(names, i)) return 0;
    return 1;
}

static sporf_status raise_unknown(const spf_columns *columns, const char *what, const char *text,
                                  size_t length) {
    char shown[SPF_EXCERPT_MAX], near[SPF_EXCERPT_MAX], list[SPF_LIST_MAX];
    const char *nearest = likely_name(text, length, columns->names);
    spf_excerpt(text, length, shown);
    if (columns->names->count == 0)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE
                         ": no %s column '%s'; the file has %zu column%s without names" SPF_HINT
                         "give a number from 1 to %zu or 'last', or if its first line is a header, "
                         "say so (" SPF_OPTION_AS("header", "yes") ")",
                         columns->file, what, shown, columns->count, columns->count == 1 ? "" : "s",
                         columns->count);
    if (nearest)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": no %s column '%s'" SPF_HINT "did you mean '%s'?",
                         columns->file, what, shown, spf_excerpt(nearest, strlen(nearest), near));
    return spf_raise(
        SPORF_ERROR_DATA, SPF_FILE ": no %s column '%s'" SPF_HINT "its columns are: %s%s",
        columns->file, what, shown, spf_columns_list(columns->names, list),
        is_title(columns->names)
            ? "; if their names are in a later line, skip the lines above it (" SPF_OPTION(
                  "skip-lines") ")"
            : "");
}

static int is_name(const char *text, size_t length, const char *name) {
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static size_t find_all(const spf_strings *names, const char *text, size_t length,
                       int (*means)(const char *, size_t, const char *), size_t *column) {
    size_t found = 0;
    for (size_t i = names->count; i-- > 0;) {
        if (!means(text, length, spf_strings_at(names, i))) continue;
        *column = i;
        found++;
    }
    return found;
}

size_t spf_find_name(const spf_strings *names, const char *text, size_t length, size_t *column) {
    size_t found = find_all(names, text, length, is_name, column);
    return found > 0 ? found : find_all(names, text, length, spf_means_name, column);
}

int spf_find_number(const char *text, size_t length, size_t count, size_t *column) {
    size_t number = 0;
    if (length == 4 && memcmp(text, "last", 4) == 0) {
        *column = count - 1;
        return count > 0;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || number > count) return 0;
        number = number * 10 + (size_t)(text[i] - '0');
    }
    *column = number - 1;
    return number >= 1 && number <= count;
}

sporf_status spf_columns_find(const spf_columns *columns, const char *what, const char *text,
                              size_t length, size_t *column) {
    char shown[SPF_EXCERPT_MAX];
    size_t found = spf_find_name(columns->names, text, length, column);
    if (found == 0 && spf_find_number(text, length, columns->count, column)) return SPORF_OK;
    if (found == 0) return raise_unknown(columns, what, text, length);
    if (found == 1) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": %zu columns are named '%s'" SPF_HINT
                              "give the %s column by its number",
                     columns->file, found, spf_excerpt(text, length, shown), what);
}

/* Finds a column and checks that it has no other role. */
static sporf_status claim(const spf_columns *columns, const char *what, const char *text,
                          size_t length, spf_column_plan *plan, spf_column_plan **claimed) {
    char shown[SPF_EXCERPT_MAX];
    size_t column;
    SPF_TRY(spf_columns_find(columns, what, text, length, &column));
    *claimed = &plan[column];
    if (plan[column].claimed && strcmp(plan[column].claimed, what) == 0)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": column '%s' is named twice as %s",
                         columns->file, spf_excerpt(text, length, shown), what);
    if (plan[column].claimed)
        return spf_raise(
            SPORF_ERROR_DATA,
            SPF_FILE ": column '%s' is named as %s and as %s; it can be only one of them",
            columns->file, spf_excerpt(text, length, shown), plan[column].claimed, what);
    plan[column].claimed = what;
    return SPORF_OK;
}

/* Claims the column that a text names or, with a star at its end, all columns that begin with it:
 * found has room for all columns. */
static sporf_status claim_all(const spf_columns *columns, const char *what, const char *text,
                              spf_column_plan *plan, spf_column_plan **found, size_t *count) {
    size_t length = strlen(text), column;
    int pattern = length > 1 && text[length - 1] == '*' &&
                  spf_find_name(columns->names, text, length, &column) == 0;
    *count = 0;
    for (size_t i = 0; pattern && i < columns->names->count; i++) {
        const char *name = spf_strings_at(columns->names, i);
        if (strncmp(name, text, length - 1) == 0 && !plan[i].claimed) {
            plan[i].claimed = what;
            found[(*count)++] = &plan[i];
        }
    }
    if (*count > 0) return SPORF_OK;
    SPF_TRY(claim(columns, what, text, length, plan, &found[0]));
    *count = 1;
    return SPORF_OK;
}

static sporf_status plan_ordinal(const spf_columns *columns, const char *text,
                                 spf_column_plan *plan) {
    const char *equals = strrchr(text, '=');
    size_t column, length = strlen(text);
    spf_column_plan *found;
    if (spf_find_name(columns->names, text, length, &column) > 0) equals = NULL;
    SPF_TRY(
        claim(columns, "ordinal", text, equals ? (size_t)(equals - text) : length, plan, &found));
    found->has_kind = 1;
    found->kind = SPORF_KIND_ORDINAL;
    found->order = equals ? equals + 1 : NULL;
    return SPORF_OK;
}

static sporf_status plan_ignored(const spf_columns *columns, const sporf_read_options *options,
                                 spf_column_plan *plan, spf_column_plan **found) {
    size_t count;
    for (size_t i = 0; i < options->ignored_count; i++) {
        SPF_TRY(claim_all(columns, "ignored", options->ignored[i], plan, found, &count));
        for (size_t k = 0; k < count; k++) found[k]->use = SPF_USE_NONE;
    }
    return SPORF_OK;
}

static sporf_status plan_categorical(const spf_columns *columns, const sporf_read_options *options,
                                     spf_column_plan *plan, spf_column_plan **found) {
    size_t count;
    for (size_t i = 0; i < options->categorical_count; i++) {
        SPF_TRY(claim_all(columns, "categorical", options->categorical[i], plan, found, &count));
        for (size_t k = 0; k < count; k++) {
            found[k]->has_kind = 1;
            found[k]->kind = SPORF_KIND_CATEGORY;
        }
    }
    return SPORF_OK;
}

static sporf_status plan_weight_and_targets(const spf_columns *columns,
                                            const sporf_read_options *options,
                                            spf_column_plan *plan) {
    spf_column_plan *found;
    if (options->weight) {
        SPF_TRY(claim(columns, "weight", options->weight, strlen(options->weight), plan, &found));
        found->use = SPF_USE_WEIGHT;
    }
    for (size_t i = 0; i < options->targets_count; i++) {
        const char *name = options->targets[i];
        SPF_TRY(claim(columns, "target", name, strlen(name), plan, &found));
        found->use = SPF_USE_TARGET;
        found->target = i;
    }
    return SPORF_OK;
}

static sporf_status plan_labels(const spf_columns *columns, const sporf_read_options *options,
                                spf_column_plan *plan) {
    spf_column_plan *found;
    for (size_t i = 0; i < options->labels_count; i++) {
        const char *name = options->labels[i];
        SPF_TRY(claim(columns, "label", name, strlen(name), plan, &found));
        found->use = SPF_USE_LABELS;
        found->target = i;
        found->has_kind = 1;
        found->kind = SPORF_KIND_CATEGORY;
    }
    return SPORF_OK;
}

/* Patterns come last, so that they skip columns with another role. */
sporf_status spf_plan_columns(const spf_columns *columns, const sporf_read_options *options,
                              spf_column_plan *plan) {
    spf_column_plan **found = spf_alloc(columns->count, sizeof *found);
    if (!found) return spf_raise_memory();
    sporf_status status = plan_weight_and_targets(columns, options, plan);
    if (status == SPORF_OK) status = plan_labels(columns, options, plan);
    for (size_t i = 0; status == SPORF_OK && i < options->ordinal_count; i++)
        status = plan_ordinal(columns, options->ordinal[i], plan);
    if (status == SPORF_OK) status = plan_ignored(columns, options, plan, found);
    if (status == SPORF_OK) status = plan_categorical(columns, options, plan, found);
    free(found);
    return status;
}

static sporf_status add_level(const char *begin, const char *end, const char *name,
                              spf_dictionary *levels) {
    char shown[SPF_EXCERPT_MAX], column[SPF_NAME_TEXT_MAX];
    uint32_t number;
    while (begin < end && *begin == ' ') begin++;
    while (end > begin && end[-1] == ' ') end--;
    size_t length = (size_t)(end - begin), before = levels->words.count;
    if (length == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the order of column '%s' has a level without a name" SPF_HINT
                         "write it as small<medium<large",
                         spf_name_text(name, column));
    SPF_TRY(spf_dictionary_add(levels, begin, length, &number));
    if (levels->words.count > before) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "the order of column '%s' has '%s' twice",
                     spf_name_text(name, column), spf_excerpt(begin, length, shown));
}

sporf_status spf_plan_order(const char *order, const char *name, spf_strings *levels) {
    spf_dictionary found = {0};
    sporf_status status = SPORF_OK;
    for (const char *p = order, *end; status == SPORF_OK && p; p = *end ? end + 1 : NULL) {
        end = p + strcspn(p, "<");
        status = add_level(p, end, name, &found);
    }
    if (status == SPORF_OK) {
        *levels = found.words;
        found.words = (spf_strings){0};
    }
    spf_dictionary_free(&found);
    return status;
}
