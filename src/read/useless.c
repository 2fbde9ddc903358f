/* Uninformative numeric columns: those without values and row numbers are left out; others that
 * look like identifiers, or lost digits, get a note. */
#include "read/columns.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { IDENTIFIER_ROWS = 20 };

int spf_has_value(const float *values, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        if (!isnan(values[i])) return 1;
    return 0;
}

/* "id", "ID", "user_id", "row id", "PassengerId". */
static int named_as_identifier(const char *name) {
    size_t length = strlen(name);
    if (length < 2 || strcasecmp(name + length - 2, "id") != 0) return 0;
    if (length == 2) return 1;
    char before = name[length - 3], first = name[length - 2];
    return strchr("_- .", before) != NULL || (first == 'I' && before >= 'a' && before <= 'z');
}

/* Whether a column is named like a row number: it has no name, that of an identifier, or one that
 * spreadsheets, pandas and R give to row numbers. */
static int named_as_counter(const char *name) {
    static const char *const names[] = {
        "",          "row",      "rows",        "row number", "row_number", "row.number",
        "rownum",    "row_num",  "row.names",   "row_names",  "rownames",   "index",
        "idx",       "no",       "no.",         "nr",         "nr.",        "number of row",
        "#",         "lfd. nr.", "lfd.nr.",     "lfdnr",      "lfd_nr",     "obs",
        "obs.",      "obsno",    "observation", "record",     "record no",  "record_no",
        "line",      "line no",  "line_no",     "level_0",    "serial",     "serial no",
        "serial_no", "s.no",     "s.no.",       "sl no",      "sno",        "rowid"};
    static const char unnamed[] = "Unnamed:";
    if (named_as_identifier(name) || strncmp(name, unnamed, sizeof unnamed - 1) == 0) return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0) return 1;
    return 0;
}

static int by_size(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* Whether all values are distinct integers. */
static sporf_status all_different(const float *values, size_t rows, int *different) {
    *different = 1;
    for (size_t i = 0; i < rows && *different; i++) *different = values[i] == rintf(values[i]);
    if (!*different) return SPORF_OK;
    float *sorted = spf_alloc(rows, sizeof *sorted);
    if (!sorted) return spf_raise_memory();
    memcpy(sorted, values, rows * sizeof *sorted);
    qsort(sorted, rows, sizeof *sorted, by_size);
    for (size_t i = 1; i < rows && *different; i++) *different = sorted[i] != sorted[i - 1];
    free(sorted);
    return SPORF_OK;
}

/* How options name a column. */
static const char *name_of(const spf_column_plan *plan, char number[32]) {
    if (plan->name && *plan->name) return plan->name;
    snprintf(number, 32, "%zu", plan->column + 1);
    return number;
}

static sporf_status note_rounded(sporf_dataset *data, const spf_column_plan *plan,
                                 const char *what) {
    char number[32], shown[SPF_NAME_TEXT_MAX];
    const char *name = name_of(plan, number);
    return spf_notes_add(&data->notes, SPORF_NOTE_ROUNDED, name,
                         "%s '%s' has whole numbers that do not fit single precision: they are "
                         "rounded to 7 digits" SPF_HINT
                         "if the other digits matter, subtract a constant",
                         what, spf_name_text(name, shown));
}

static sporf_status note_identifier(sporf_dataset *data, const char *name, const char *why) {
    char shown[SPF_NAME_TEXT_MAX];
    return spf_notes_add(&data->notes, SPORF_NOTE_IDENTIFIER, name,
                         "column '%s' may be an identifier: %s" SPF_HINT
                         "if so, leave it out (" SPF_OPTION_AS("ignore", "%s") ")",
                         spf_name_text(name, shown), why, shown);
}

/* Whether values are consecutive, 1, 2, 3, ... from any start. It cannot be told for large numbers,
 * to which adding 1 changes nothing. */
static int counts_rows(const float *values, size_t rows) {
    if (values[0] != rintf(values[0])) return 0;
    for (size_t i = 1; i < rows; i++)
        if (!(values[i] == values[i - 1] + 1 && values[i] > values[i - 1])) return 0;
    return 1;
}

/* Identifiers that were rounded are no longer distinct. */
sporf_status spf_identifier(const char *name, const float *values, size_t rows, int rounded,
                            const char **why) {
    int different = 0;
    *why = NULL;
    if (rows < IDENTIFIER_ROWS) return SPORF_OK;
    if (counts_rows(values, rows)) *why = "it counts the rows";
    if (*why || !name || !named_as_identifier(name)) return SPORF_OK;
    if (!rounded) SPF_TRY(all_different(values, rows, &different));
    if (rounded) *why = "its numbers are too long for single precision";
    if (different) *why = "its numbers are all different";
    return SPORF_OK;
}

static sporf_status leave_out_counter(sporf_dataset *data, spf_column_plan *plan) {
    char number[32];
    plan->use = SPF_USE_NONE;
    return spf_notes_leave_out(&data->notes, SPORF_LEFT_OUT_IDENTIFIER, name_of(plan, number),
                               "an identifier: it counts the rows");
}

static sporf_status check_numbers(sporf_dataset *data, size_t column, spf_column_plan *plan) {
    const char *why;
    char number[32];
    SPF_TRY(spf_identifier(plan->name, data->columns[column], data->rows, plan->rounded, &why));
    if (why && plan->name && named_as_counter(plan->name) &&
        counts_rows(data->columns[column], data->rows))
        return leave_out_counter(data, plan);
    if (why) return note_identifier(data, name_of(plan, number), why);
    return plan->rounded ? note_rounded(data, plan, "column") : SPORF_OK;
}

sporf_status spf_leave_out_empty(spf_notes *notes, const char *column) {
    return spf_notes_leave_out(notes, SPORF_LEFT_OUT_EMPTY, column, "no value in any row");
}

static sporf_status leave_out_empty(sporf_dataset *data, spf_column_plan *plan) {
    char number[32];
    plan->use = SPF_USE_NONE;
    return spf_leave_out_empty(&data->notes, name_of(plan, number));
}

static sporf_status check_feature(sporf_dataset *data, size_t column, spf_column_plan *plan) {
    if (data->has_missing && !spf_has_value(data->columns[column], data->rows))
        return leave_out_empty(data, plan);
    if (plan->derived || spf_schema_kind(&data->schema, column) != SPORF_KIND_NUMBER)
        return SPORF_OK;
    return check_numbers(data, column, plan);
}

sporf_status spf_plan_useless(sporf_dataset *data, spf_column_plan *plan) {
    for (size_t j = 0; j < data->features; j++) {
        if (plan[j].use == SPF_USE_FEATURE) SPF_TRY(check_feature(data, j, &plan[j]));
        if (plan[j].use == SPF_USE_TARGET && plan[j].rounded)
            SPF_TRY(note_rounded(data, &plan[j], "target"));
    }
    return SPORF_OK;
}
