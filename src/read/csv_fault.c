/* Error messages for faults of a CSV file: where, what, and what to do. */
#include "read/csv_parts.h"

#include "base/text.h"
#include "data/cell.h"

#include <stdio.h>
#include <string.h>

size_t spf_csv_line(const spf_csv_layout *layout, const char *at, const char **file) {
    return spf_source_line(layout->source, layout->dialect.line_end, at, file);
}

void spf_csv_place(const spf_csv_layout *layout, const char *begin, size_t column,
                   char place[SPF_PLACE_MAX]) {
    char shown[SPF_EXCERPT_MAX];
    const char *file = layout->source->name;
    size_t line = begin ? spf_csv_line(layout, begin, &file) : 0;
    int used = snprintf(place, SPF_PLACE_MAX, SPF_FILE_CUT, file);
    if (line > 0) used += snprintf(place + used, SPF_PLACE_MAX - (size_t)used, " " SPF_LINE, line);
    used += snprintf(place + used, SPF_PLACE_MAX - (size_t)used, ", " SPF_COLUMN, column + 1);
    if (column >= layout->names.count) return;
    const char *name = spf_strings_at(&layout->names, column);
    if (*name)
        snprintf(place + used, SPF_PLACE_MAX - (size_t)used, " ('%s')",
                 spf_excerpt(name, strlen(name), shown));
}

const char *spf_csv_name(const spf_csv_layout *layout, size_t column, char number[32]) {
    const char *name = layout->names.count > 0 ? spf_strings_at(&layout->names, column) : "";
    if (*name) return name;
    snprintf(number, 32, "%zu", column + 1);
    return number;
}

static size_t count_fields(const spf_csv_layout *layout, const char *record) {
    spf_csv_field field = {.next = record};
    size_t count = 0;
    while (!field.last) {
        count++;
        if (spf_csv_scan_field(field.next, layout->end, &layout->dialect, &field) != SPF_CSV_OK)
            break;
    }
    return count;
}

static sporf_status raise_fields(const spf_source *source, const spf_csv_layout *layout,
                                 const spf_csv_fault *fault) {
    const char *file;
    size_t fields = count_fields(layout, fault->record);
    size_t line = spf_source_line(source, layout->dialect.line_end, fault->record, &file);
    const char *advice = *fault->record == '#' ? SPF_HINT
                             "if this is a comment, say so (" SPF_OPTION_AS("comment", "#") ")"
                                               : "";
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE " " SPF_LINE ": %zu field%s, but the %s (" SPF_LINE
                              ") has %zu: every row must have as many%s",
                     file, line, fields, fields == 1 ? "" : "s",
                     layout->names.count > 0 && !layout->row_names ? "header" : "first row",
                     layout->first_line + (size_t)layout->row_names, layout->columns, advice);
}

/* How options name a column. */
static const char *name_to_give(const spf_csv_layout *layout, size_t column,
                                char out[SPF_EXCERPT_MAX]) {
    const char *name = column < layout->names.count ? spf_strings_at(&layout->names, column) : "";
    if (*name) return spf_excerpt(name, strlen(name), out);
    snprintf(out, SPF_EXCERPT_MAX, "%zu", column + 1);
    return out;
}

/* Whether a record is the first below the header and has no number: it may be units, or explain
 * names. */
static int explains_names(const spf_csv_layout *layout, const char *record) {
    spf_csv_field field = {.next = record};
    const char *file;
    if (layout->names.count == 0 || spf_csv_line(layout, record, &file) != layout->body_line)
        return 0;
    while (!field.last) {
        if (spf_csv_scan_field(field.next, layout->end, &layout->dialect, &field) != SPF_CSV_OK ||
            spf_is_bare_number(field.begin, (size_t)(field.end - field.begin)))
            return 0;
    }
    return 1;
}

/* Text in place of a number. */
static sporf_status raise_text(const spf_csv_layout *layout, const spf_csv_fault *fault,
                               const char *place, const char *shown) {
    char name[SPF_EXCERPT_MAX];
    size_t length = (size_t)(fault->end - fault->begin);
    if (layout->columns == 1 && memchr(fault->begin, ' ', length))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: '%s' is not a number" SPF_HINT
                         "if blanks separate fields, every line must have as many: skip the lines "
                         "above the table (" SPF_OPTION("skip-lines") ")",
                         place, shown);
    if (layout->schema)
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: '%s' is not a number, but the model was trained on numbers here" SPF_HINT
            "correct the cell or leave it empty, or say which texts mean a missing value "
            "(" SPF_OPTION("missing") ")",
            place, shown);
    if (layout->plan && layout->plan[fault->column].use != SPF_USE_FEATURE)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: '%s' is not a number, as weights and targets must be" SPF_HINT
                         "is it the right column?",
                         place, shown);
    if (explains_names(layout, fault->record))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: '%s' is not a number" SPF_HINT
                         "if the line below the header holds units or explanations, remove it",
                         place, shown);
    name_to_give(layout, fault->column, name);
    return spf_raise(
        SPORF_ERROR_DATA,
        "%s: '%s' is not a number, but most cells of the column are" SPF_HINT
        "correct or empty the cell, say which texts mean a missing value (" SPF_OPTION(
            "missing") "), or read the column as a category (" SPF_OPTION_AS("categorical",
                                                                             "%s") ") or not at "
                                                                                   "all "
                                                                                   "(" SPF_OPTION_AS(
                                                                                       "ignore",
                                                                                       "%s") ")",
        place, shown, name, name);
}

static const spf_csv_column *column_at(const spf_csv_layout *layout, size_t column) {
    size_t i = 0;
    while (layout->read[i].column != column) i++;
    return &layout->read[i];
}

/* A number with a sign or unit among bare ones. */
static sporf_status raise_marked(const spf_csv_layout *layout, const spf_csv_fault *fault,
                                 const spf_form *form, const char *place, const char *shown) {
    char name[SPF_EXCERPT_MAX];
    name_to_give(layout, fault->column, name);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' is %s, but most cells of the column are plain numbers" SPF_HINT
                     "write them all alike, or read the column as a category (" SPF_OPTION_AS(
                         "categorical", "%s") ") or not at all (" SPF_OPTION_AS("ignore", "%s") ")",
                     place, shown,
                     form->kind == SPF_FORM_MARKED ? "a number with a sign or unit" : "a time",
                     name, name);
}

/* A number that is not written like the others of its file or column. A feature may also be
 * something else that looks like a number. */
static sporf_status raise_amount(const spf_csv_layout *layout, const spf_csv_fault *fault,
                                 const spf_form *form, const char *place, const char *shown) {
    char name[SPF_EXCERPT_MAX], advice[SPF_EXCERPT_MAX + 120] = "";
    const spf_csv_column *column = column_at(layout, fault->column);
    const char *other = layout->decimal == '.' ? "comma" : "point";
    int inferred = spf_csv_infers(layout, column);
    if (inferred && form->kind != SPF_FORM_BARE)
        return raise_marked(layout, fault, form, place, shown);
    if (inferred)
        snprintf(advice, sizeof advice,
                 "; if the column holds no numbers, read it as a category (" SPF_OPTION_AS(
                     "categorical", "%s") ")",
                 name_to_give(layout, fault->column, name));
    if (spf_form_equal(form, &column->form))
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: '%s' is not a number with a decimal %s" SPF_HINT
            "if the %s is decimal in this file, say so (" SPF_OPTION_AS("decimal", "%s") ")%s",
            place, shown, layout->decimal == '.' ? "point" : "comma", other, other, advice);
    return spf_raise(
        SPORF_ERROR_DATA,
        "%s: '%s' does not have the same sign or unit as the first number of its column" SPF_HINT
        "write them all alike",
        place, shown);
}

/* A cell of a numeric column that is not a number. */
static sporf_status raise_number(const spf_csv_layout *layout, const spf_csv_fault *fault,
                                 const char *place, const char *shown) {
    size_t length = (size_t)(fault->end - fault->begin);
    spf_decimal_sign sign;
    spf_form form;
    double value;
    if (memchr(fault->begin, '\0', length) || spf_is_infinite(fault->begin, length))
        return spf_raise_cell(place, fault->begin, length);
    if (!spf_amount_weigh(fault->begin, fault->end, &form, &sign))
        return raise_text(layout, fault, place, shown);
    if (spf_amount_read(fault->begin, fault->end, layout->decimal, &value, &form) &&
        spf_form_equal(&form, &column_at(layout, fault->column)->form))
        return spf_raise_cell(place, fault->begin, length);
    return raise_amount(layout, fault, &form, place, shown);
}

static sporf_status raise_unlisted(const spf_csv_layout *layout, const spf_csv_fault *fault,
                                   const char *place, const char *shown) {
    char list[SPF_LIST_MAX] = "";
    for (size_t i = 0; i < layout->features; i++)
        if (layout->read[i].column == fault->column)
            spf_columns_list(&layout->read[i].known->words, list);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' is not a level of its order (%s)" SPF_HINT
                     "add it there or correct the cell",
                     place, shown, list);
}

/* Skips one record; *missing tells whether its label is missing. Returns 0 for a broken record. */
static int pass_record(const spf_csv_layout *layout, const char **p, int *missing) {
    for (size_t j = 0; j < layout->columns; j++) {
        spf_csv_field field;
        if (spf_csv_scan_field(*p, layout->end, &layout->dialect, &field) != SPF_CSV_OK ||
            field.last != (j + 1 == layout->columns))
            return 0;
        if (j == layout->label) *missing = spf_csv_is_missing_label(layout, &field);
        *p = field.next;
    }
    return 1;
}

/* Counts the missing labels, since the user has to fill them in. */
static sporf_status raise_label(const spf_csv_layout *layout, const char *place,
                                const char *shown) {
    size_t rows = 0, count = 0;
    int missing = 0;
    const char *p = layout->body;
    for (; (p = spf_csv_record_at(&layout->dialect, p, layout->end)) < layout->end; rows++) {
        if (!pass_record(layout, &p, &missing)) break;
        count += (size_t)missing;
    }
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: no class label ('%s'), in %zu of %zu rows" SPF_HINT
                     "give them labels or remove them%s",
                     place, shown, count, rows,
                     *shown ? ", or write the name of a class in quotes" : "");
}

sporf_status spf_csv_raise(const spf_source *source, const spf_csv_layout *layout,
                           const spf_csv_fault *fault) {
    char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX];
    size_t length = (size_t)(fault->end - fault->begin);
    SPF_TRY(spf_source_restore(source));
    if (fault->kind == SPF_CSV_FIELDS) return raise_fields(source, layout, fault);
    spf_csv_place(layout, fault->begin, fault->column, place);
    spf_excerpt(fault->begin, length, shown);
    switch (fault->kind) {
    case SPF_CSV_OPEN_QUOTE:
        return spf_raise(SPORF_ERROR_DATA, "%s: the quote before '%s' is never closed", place,
                         shown);
    case SPF_CSV_STRAY_QUOTE:
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: a quote next to '%s'" SPF_HINT
                         "quote the whole field and double the quotes inside it",
                         place, shown);
    case SPF_CSV_BAD_LABEL:
        if (!memchr(fault->begin, '\0', length)) return raise_label(layout, place, shown);
        break;
    case SPF_CSV_BAD_NUMBER:
    case SPF_CSV_TEXT:
        return raise_number(layout, fault, place, shown);
    case SPF_CSV_BAD_DATE:
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: '%s' is not a date like the others of its column" SPF_HINT
                         "correct it or leave the cell empty",
                         place, shown);
    case SPF_CSV_UNLISTED:
        return raise_unlisted(layout, fault, place, shown);
    case SPF_CSV_LEVELS:
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: more than %zu different texts, too many for a category" SPF_HINT
                         "leave the column out (" SPF_OPTION("ignore") ")",
                         place, SPF_LEVELS_MAX);
    default:
        break;
    }
    return spf_raise_cell(place, fault->begin, length);
}
