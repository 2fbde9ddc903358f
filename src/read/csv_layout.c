/* Decides from the first lines of a CSV file: the separator, whether there is a header, and the
 * role of each column. */
#include "read/csv_parts.h"

#include "base/number.h"
#include "data/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_LOOKED_AT = SPF_CSV_HEAD - 1 };

/* Adds a field's text to a list, with doubled quotes made single. */
static sporf_status add_text(const spf_csv_field *field, spf_strings *list) {
    size_t length = (size_t)(field->end - field->begin);
    if (!field->doubled) return spf_strings_add(list, field->begin, length);
    char *text = spf_alloc(length, 1);
    if (!text) return spf_raise_memory();
    sporf_status status = spf_strings_add(list, text, spf_csv_field_text(field, text));
    free(text);
    return status;
}

/* Whether a cell of the first line is a number and not a column name: 1,5 is a number, but (1), 5-
 * or, between commas, "1,000" are names. */
static int is_value(const spf_csv_layout *layout, const char *text, size_t length) {
    double value;
    if (spf_number_read(text, text + length, &value)) return 1;
    if (layout->dialect.separator == ',' || !memchr(text, ',', length)) return 0;
    for (size_t i = 0; i < length; i++)
        if (!spf_is_digit(text[i]) && (i + 1 == length || !strchr("+-.,", text[i]))) return 0;
    return spf_is_bare_number(text, length);
}

/* Lists the cells of the record at p; *next is the record after it. Numbers and NUL bytes are
 * counted on the way. */
typedef struct {
    spf_strings cells;
    size_t numbers;
    const char *next;
} csv_record;

static sporf_status read_record(const spf_source *source, const spf_csv_layout *layout,
                                const char *p, csv_record *record) {
    spf_csv_field field = {.next = p};
    while (!field.last) {
        spf_csv_fault fault = {.record = p, .column = record->cells.count};
        fault.kind = spf_csv_scan_field(field.next, layout->end, &layout->dialect, &field);
        fault.begin = field.begin;
        fault.end = field.end;
        size_t length = (size_t)(field.end - field.begin);
        if (fault.kind == SPF_CSV_OK && memchr(field.begin, '\0', length))
            fault.kind = SPF_CSV_BAD_NUMBER;
        if (fault.kind != SPF_CSV_OK) return spf_csv_raise(source, layout, &fault);
        SPF_TRY(add_text(&field, &record->cells));
        record->numbers += (size_t)is_value(layout, field.begin, length);
    }
    record->next = field.next;
    return SPORF_OK;
}

static int names_a_cell(const spf_strings *cells, const char *name) {
    double value;
    size_t column;
    return name && !spf_number_read(name, name + strlen(name), &value) &&
           spf_find_name(cells, name, strlen(name), &column) > 0;
}

static int one_names_a_cell(const spf_strings *cells, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (names_a_cell(cells, names[i])) return 1;
    return 0;
}

/* Whether the options name a column by a cell of the first record. */
static int options_name_a_cell(const spf_strings *cells, const sporf_read_options *options) {
    return names_a_cell(cells, options->label) || names_a_cell(cells, options->weight) ||
           one_names_a_cell(cells, options->columns, options->columns_count > 0) ||
           one_names_a_cell(cells, options->targets, options->targets_count) ||
           one_names_a_cell(cells, options->labels, options->labels_count) ||
           one_names_a_cell(cells, options->ignored, options->ignored_count) ||
           one_names_a_cell(cells, options->kept, options->kept_count) ||
           one_names_a_cell(cells, options->categorical, options->categorical_count);
}

/* Whether a name is a number no larger than the last column's, which could stand for an unnamed
 * column. */
static int is_column_number(const char *name, size_t columns) {
    return strspn(name, "0123456789") == strlen(name) && strtoull(name, NULL, 10) <= columns;
}

/* Whether all names of a schema are present, and at least one is not a column number. Columns that
 * are numbered from 0 must be several and in their order: a row may have such numbers by chance. */
static sporf_status schema_names_cells(const spf_strings *cells, const sporf_schema *schema,
                                       int *all) {
    enum { SEVERAL = 3 };
    spf_dictionary known = {0};
    sporf_status status = SPORF_OK;
    uint32_t number, before = 0;
    int named = 0, from_zero = 0, in_order = schema->names.count >= SEVERAL;
    for (size_t i = 0; status == SPORF_OK && i < cells->count; i++) {
        const char *cell = spf_strings_at(cells, i);
        status = spf_dictionary_add(&known, cell, strlen(cell), &number);
    }
    *all = schema->names.count > 0;
    for (size_t i = 0; *all && status == SPORF_OK && i < schema->names.count; i++) {
        const char *name = spf_strings_at(&schema->names, i);
        *all = spf_dictionary_find(&known, name, strlen(name), &number);
        named |= !is_column_number(name, cells->count);
        from_zero |= strcmp(name, "0") == 0;
        in_order &= i == 0 || number > before;
        before = number;
    }
    *all = *all && (named || (from_zero && in_order));
    spf_dictionary_free(&known);
    return status;
}

/* Whether the first record has names that options or the schema know. */
static sporf_status holds_known_names(const spf_strings *cells, const sporf_read_options *options,
                                      int *known) {
    *known = options_name_a_cell(cells, options);
    if (*known || !options->schema || options->schema->names.count == 0) return SPORF_OK;
    *known = names_a_cell(cells, spf_strings_at(&options->schema->names, 0));
    return *known ? SPORF_OK : schema_names_cells(cells, options->schema, known);
}

static int is_number(const spf_strings *cells, size_t column) {
    const char *text = column < cells->count ? spf_strings_at(cells, column) : "";
    return spf_is_bare_number(text, strlen(text));
}

static int is_word(const spf_strings *cells, size_t column) {
    if (column >= cells->count || is_number(cells, column)) return 0;
    const char *text = spf_strings_at(cells, column);
    return !spf_is_missing(text, strlen(text));
}

/* Whether a cell is a spelling of a missing value, such as "NA" or "?", which is no column name. */
static int holds_missing_mark(const spf_strings *cells) {
    for (size_t i = 0; i < cells->count; i++) {
        const char *text = spf_strings_at(cells, i);
        if (*text && spf_is_missing(text, strlen(text))) return 1;
    }
    return 0;
}

/* Looks at the records after the first: how many numbers the second has, and whether the cells of
 * `column` are numbers in all of the first few. */
static sporf_status look_ahead(const spf_source *source, const spf_csv_layout *layout,
                               const char *p, size_t column, size_t *numbers, int *all_numbers) {
    *all_numbers = 1;
    for (int i = 0; i < RECORDS_LOOKED_AT && *all_numbers; i++) {
        csv_record record = {0};
        p = spf_csv_record_at(&layout->dialect, p, layout->head);
        if (p >= layout->head) break;
        sporf_status status = read_record(source, layout, p, &record);
        if (i == 0) *numbers = record.numbers;
        *all_numbers = is_number(&record.cells, column);
        p = record.next;
        spf_strings_free(&record.cells);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

/* The column of the label, or else of a target or the weights, if it is given by number. */
static size_t deciding_column(const sporf_read_options *options, size_t columns) {
    const char *first_target = options->targets_count > 0  ? options->targets[0]
                               : options->labels_count > 0 ? options->labels[0]
                                                           : NULL;
    const char *given = options->label ? options->label
                        : first_target ? first_target
                                       : options->weight;
    size_t column = SIZE_MAX;
    return given && spf_find_number(given, strlen(given), columns, &column) ? column : SIZE_MAX;
}

/* The position of a model's column in tables without a header: the number that is its name or, for
 * an unnamed one, its position without the label. */
static size_t place_of(const sporf_schema *schema, size_t column, size_t label) {
    double number = 0;
    if (schema->names.count == 0) return column + (label <= column);
    const char *name = spf_strings_at(&schema->names, column);
    int named = spf_number_read(name, name + strlen(name), &number) && number >= 1;
    return named && number < (double)UINT32_MAX ? (size_t)number - 1 : SIZE_MAX;
}

static int is_level(const spf_strings *levels, const char *text) {
    for (size_t k = 0; k < levels->count; k++)
        if (strcmp(spf_strings_at(levels, k), text) == 0) return 1;
    return 0;
}

/* Whether a cell is a level of the model's category at its position: then it is a row, not a
 * header. */
static int holds_level(const spf_strings *cells, const sporf_read_options *options) {
    const sporf_schema *schema = options->schema;
    size_t label = deciding_column(options, cells->count);
    for (size_t j = 0; schema && schema->kinds && j < schema->count; j++) {
        size_t place = schema->levels[j].count > 0 ? place_of(schema, j, label) : SIZE_MAX;
        if (place < cells->count && is_level(&schema->levels[j], spf_strings_at(cells, place)))
            return 1;
    }
    return 0;
}

/* Whether the numbers of a record are consecutive years, which may be column names. */
static int are_years(const csv_record *record) {
    double before = 0, step = 0;
    size_t years = 0;
    for (size_t i = 0; i < record->cells.count; i++) {
        const char *text = spf_strings_at(&record->cells, i);
        double value;
        if (!spf_number_read(text, text + strlen(text), &value)) continue;
        if (strlen(text) != 4 || value < 1500 || value > 2200) return 0;
        if (years == 1) step = value - before;
        if (years >= 1 && (step == 0 || value - before != step)) return 0;
        before = value;
        years++;
    }
    return years >= 2;
}

/* Whether the first record has years where the next ones have other numbers, and a word in the
 * label's column that does not occur below. */
static sporf_status names_years(const spf_source *source, const spf_csv_layout *layout,
                                const csv_record *first, size_t column, int *names) {
    const char *p = first->next;
    *names = is_word(&first->cells, column) && are_years(first);
    for (int i = 0; i < RECORDS_LOOKED_AT && *names; i++) {
        csv_record record = {0};
        p = spf_csv_record_at(&layout->dialect, p, layout->head);
        if (p >= layout->head) break;
        sporf_status status = read_record(source, layout, p, &record);
        const char *cell = column < record.cells.count ? spf_strings_at(&record.cells, column) : "";
        *names = *cell && strcmp(cell, spf_strings_at(&first->cells, column)) != 0 &&
                 !are_years(&record);
        p = record.next;
        spf_strings_free(&record.cells);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

/* Whether the first record is a header, by the rule in csv_parts.h. */
static sporf_status find_header(const spf_source *source, const sporf_read_options *options,
                                const spf_csv_layout *layout, const csv_record *first,
                                int *is_header) {
    *is_header = options->header == SPORF_HEADER_YES;
    if (options->header != SPORF_HEADER_AUTO) return SPORF_OK;
    SPF_TRY(holds_known_names(&first->cells, options, is_header));
    *is_header = *is_header || layout->row_names;
    if (*is_header) return SPORF_OK;
    *is_header = first->numbers == 0 && !holds_missing_mark(&first->cells) &&
                 !holds_level(&first->cells, options);
    if (!*is_header && first->numbers == 0) return SPORF_OK;
    if (spf_csv_record_at(&layout->dialect, first->next, layout->end) >= layout->end)
        return SPORF_OK;
    size_t numbers = 0, column = deciding_column(options, first->cells.count);
    int all_numbers;
    SPF_TRY(look_ahead(source, layout, first->next, column, &numbers, &all_numbers));
    if (first->numbers == 0)
        *is_header = numbers > 0 || first->cells.count > 1;
    else
        *is_header = all_numbers && is_word(&first->cells, column);
    if (*is_header || first->numbers == 0) return SPORF_OK;
    return names_years(source, layout, first, column, is_header);
}

/* Whether a line without the usual separators is a single cell: options or a schema name it, or the
 * options only say that its column is a category. */
static sporf_status wants_one_column(const spf_source *source, const sporf_read_options *options,
                                     const spf_csv_layout *layout, int *wanted) {
    spf_csv_layout whole = *layout;
    csv_record line = {0};
    int nothing_else = !options->label && !options->weight && options->targets_count == 0 &&
                       options->labels_count == 0;
    *wanted = source->single || (options->categorical_count > 0 && nothing_else) ||
              (options->schema && spf_schema_columns(options->schema) == 1 &&
               options->schema->names.count == 0);
    if (*wanted || layout->dialect.separator) return SPORF_OK;
    whole.dialect.separator = whole.dialect.line_end;
    const char *first = spf_csv_record_at(&whole.dialect, layout->body, layout->end);
    sporf_status status = SPORF_OK;
    if (!memchr(first, '"',
                (size_t)(spf_csv_next_line(&whole.dialect, first, layout->end) - first)))
        status = read_record(source, &whole, first, &line);
    if (status == SPORF_OK) status = holds_known_names(&line.cells, options, wanted);
    spf_strings_free(&line.cells);
    return status;
}

static sporf_status find_label(const spf_source *source, const sporf_read_options *options,
                               spf_csv_layout *layout) {
    const spf_columns columns = {source->name, &layout->names, layout->columns};
    layout->has_label = options->label != NULL;
    if (!layout->has_label) return SPORF_OK;
    return spf_columns_find(&columns, "label", options->label, strlen(options->label),
                            &layout->label);
}

/* Finds the first line that options do not skip. */
static sporf_status find_begin(const spf_source *source, const sporf_read_options *options,
                               spf_csv_layout *layout) {
    SPF_TRY(spf_csv_dialect_given(options, &layout->dialect));
    layout->body = spf_skip_mark(source->bytes, source->size);
    if (spf_csv_trim(layout->body, layout->end) <= layout->body)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": the file is empty", source->name);
    layout->dialect.line_end = spf_csv_find_line_end(layout->body, layout->end);
    layout->body =
        spf_csv_skip_lines(&layout->dialect, layout->body, layout->end, options->skip_lines);
    if (layout->body < layout->end) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE ": " SPF_OPTION("skip-lines") " is %zu, but the file has no more lines than that",
        source->name, options->skip_lines);
}

static sporf_status find_shape(const spf_source *source, const sporf_read_options *options,
                               spf_csv_layout *layout) {
    int one_column;
    SPF_TRY(find_begin(source, options, layout));
    SPF_TRY(wants_one_column(source, options, layout, &one_column));
    SPF_TRY(spf_csv_find_shape(source, one_column, layout));
    if (layout->first && layout->first < layout->end) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": no header and no rows, nothing but comments",
                     source->name);
}

/* The names of the header; an unnamed first column has row names. */
static sporf_status take_names(spf_csv_layout *layout, const spf_strings *cells) {
    if (layout->row_names) SPF_TRY(spf_strings_add(&layout->names, "", 0));
    for (size_t i = 0; i < cells->count; i++)
        SPF_TRY(spf_strings_add(&layout->names, spf_strings_at(cells, i),
                                spf_strings_length(cells, i)));
    return SPORF_OK;
}

static sporf_status read_first(const spf_source *source, const sporf_read_options *options,
                               spf_csv_layout *layout, csv_record *first) {
    int is_header = 0;
    SPF_TRY(read_record(source, layout, layout->first, first));
    SPF_TRY(find_header(source, options, layout, first, &is_header));
    layout->row_names = layout->row_names && is_header;
    layout->columns = first->cells.count + (size_t)layout->row_names;
    layout->body = layout->first;
    if (!is_header) return SPORF_OK;
    layout->body = spf_csv_record_at(&layout->dialect, first->next, layout->end);
    layout->body_line = layout->first_line;
    for (const char *p = layout->first; p < layout->body; layout->body_line++)
        p = spf_csv_next_line(&layout->dialect, p, layout->body);
    return take_names(layout, &first->cells);
}

/* Whether the options list a number as a missing value. */
static int lists_numbers(const sporf_read_options *options) {
    double value;
    for (size_t i = 0; i < options->missing_count; i++) {
        const char *text = options->missing[i];
        if (spf_number_read(text, text + strlen(text), &value)) return 1;
    }
    return 0;
}

sporf_status spf_csv_layout_find(const spf_source *source, const char *end,
                                 const sporf_read_options *options, spf_csv_layout *layout) {
    csv_record first = {0};
    *layout = (spf_csv_layout){.source = source,
                               .end = end,
                               .decimal = options->decimal == SPORF_DECIMAL_COMMA ? ',' : '.',
                               .dates = options->dates != SPORF_DATES_NO,
                               .date_order = options->dates == SPORF_DATES_DMY   ? SPF_DATE_DMY
                                             : options->dates == SPORF_DATES_MDY ? SPF_DATE_MDY
                                                                                 : SPF_DATE_UNCLEAR,
                               .decimal_known = options->decimal != SPORF_DECIMAL_AUTO,
                               .decimal_given = options->decimal != SPORF_DECIMAL_AUTO};
    sporf_status status = find_shape(source, options, layout);
    if (status == SPORF_OK) status = read_first(source, options, layout, &first);
    spf_strings_free(&first.cells);
    layout->missing = options->missing;
    layout->missing_count = options->missing_count;
    layout->plain = !layout->dialect.blanks && !layout->dialect.trailing && !lists_numbers(options);
    if (status == SPORF_OK) status = find_label(source, options, layout);
    return status == SPORF_OK ? spf_csv_assign(layout, options) : status;
}

sporf_status spf_csv_check_rows(const spf_csv_layout *layout) {
    if (layout->body < layout->end) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": a header and no rows", layout->source->name);
}

void spf_csv_layout_free(spf_csv_layout *layout) {
    for (size_t i = 0; layout->known && i < layout->known_count; i++)
        spf_dictionary_free(&layout->known[i]);
    free(layout->known);
    free(layout->read);
    free(layout->rounded);
    free(layout->kept);
    free(layout->plan);
    free(layout->roles);
    spf_notes_free(&layout->notes);
    spf_strings_free(&layout->names);
    *layout = (spf_csv_layout){0};
}
