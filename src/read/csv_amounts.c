/* How the numbers of a CSV file are written. The counts of cells decide which columns are numeric,
 * with which sign or unit, and which decimal mark the whole file has. */
#include "read/csv_parts.h"

#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"

#include <stdio.h>
#include <string.h>

/* The kind of a column without a given kind, from its cells. Among numbers with one sign or unit,
 * words that may mean a missing number do so, unless they are half of the cells. */
static void infer_kind(const spf_csv_count *count, spf_csv_column *column) {
    size_t texts = count->texts + count->marked;
    int alike = count->marked > count->texts && count->texts == count->no_numbers &&
                count->bare == 0 && !count->odd.begin;
    int text = !alike && texts > 0 && texts >= count->bare;
    column->kind = text ? SPORF_KIND_CATEGORY : SPORF_KIND_NUMBER;
    column->form = alike ? count->form : (spf_form){.kind = SPF_FORM_BARE};
}

/* Columns that are given as numeric take the form of the first number of the file. */
static void find_form(const spf_csv_count *count, spf_csv_column *column) {
    const char *marks = count->marks.begin, *number = count->number.begin;
    if (!column->seen && column->form.kind == SPF_FORM_BARE && marks && (!number || marks < number))
        column->form = count->form;
}

void spf_csv_set_kinds(spf_csv_layout *layout, const spf_csv_count *counts) {
    for (size_t i = 0; i < layout->features; i++) {
        spf_csv_column *column = &layout->read[i];
        if (spf_csv_infers(layout, column))
            infer_kind(&counts[i], column);
        else if (column->kind == SPORF_KIND_NUMBER && column->part == SPF_DATE_NONE)
            find_form(&counts[i], column);
    }
    spf_csv_set_roles(layout);
}

/* ---- the decimal mark ------------------------------------------------------------------------ */

/* A cell and its column. */
typedef struct {
    spf_csv_span cell;
    size_t column;
} csv_witness;

static void hear(const spf_csv_span *cell, size_t column, csv_witness *first) {
    if (!cell->begin || (first->cell.begin && first->cell.begin < cell->begin)) return;
    *first = (csv_witness){*cell, column};
}

static const char *show(const csv_witness *witness, char out[SPF_EXCERPT_MAX]) {
    return spf_excerpt(witness->cell.begin, (size_t)(witness->cell.end - witness->cell.begin), out);
}

static sporf_status raise_both(const spf_csv_layout *layout, const csv_witness *comma,
                               const csv_witness *point) {
    char place[SPF_PLACE_MAX], with_comma[SPF_EXCERPT_MAX], with_point[SPF_EXCERPT_MAX];
    const char *file, *comma_file;
    size_t line = spf_csv_line(layout, point->cell.begin, &file);
    spf_csv_line(layout, comma->cell.begin, &comma_file);
    int apart = strcmp(file, comma_file) != 0;
    spf_csv_place(layout, comma->cell.begin, comma->column, place);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' is a number with a decimal comma, but '%s' (%.200s%s" SPF_LINE
                     ", " SPF_COLUMN ") is one with a decimal point" SPF_HINT
                     "write all numbers alike, or read one of the columns as a category "
                     "(" SPF_OPTION("categorical") ") or not at all (" SPF_OPTION("ignore") ")",
                     place, show(comma, with_comma), show(point, with_point), apart ? file : "",
                     apart ? " " : "", line, point->column + 1);
}

#define DECIMALS SPF_OPTION_AS("decimal", ",") " or " SPF_OPTION_AS("decimal", ".")

static sporf_status raise_unclear(const spf_csv_layout *layout, const csv_witness *either) {
    char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX];
    spf_csv_place(layout, either->cell.begin, either->column, place);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' may have a decimal comma or a comma between thousands, and no other "
                     "number of the file tells which" SPF_HINT
                     "say which is the decimal mark (" DECIMALS ")",
                     place, show(either, shown));
}

/* Cells that contradict the decimal mark of earlier blocks. */
static sporf_status raise_late(const spf_csv_layout *layout, const csv_witness *late) {
    char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX];
    spf_csv_place(layout, late->cell.begin, late->column, place);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' has a decimal %s, and the rows before it were read with a decimal "
                     "%s" SPF_HINT "say which is the decimal mark (" DECIMALS ")",
                     place, show(late, shown), layout->decimal == '.' ? "comma" : "point",
                     layout->decimal == '.' ? "point" : "comma");
}

static void set_decimal(spf_csv_layout *layout, char decimal) {
    layout->decimal = decimal;
    layout->decimal_known = 1;
    spf_csv_set_roles(layout);
}

/* The first cells that reveal the decimal mark. */
typedef struct {
    csv_witness point, comma, either, dotted;
} csv_evidence;

static csv_evidence hear_all(const spf_csv_layout *layout, const spf_csv_count *counts) {
    csv_evidence first = {.point = {.column = 0}};
    for (size_t i = 0; i < layout->features; i++) {
        const spf_csv_column *column = &layout->read[i];
        if (column->kind != SPORF_KIND_NUMBER) continue;
        hear(&counts[i].point, column->column, &first.point);
        hear(&counts[i].comma, column->column, &first.comma);
        hear(&counts[i].either, column->column, &first.either);
        hear(&counts[i].dotted, column->column, &first.dotted);
    }
    return first;
}

sporf_status spf_csv_set_decimal(spf_csv_layout *layout, const spf_csv_count *counts) {
    if (layout->decimal_given) return SPORF_OK;
    csv_evidence first = hear_all(layout, counts);
    const char *point = first.point.cell.begin, *comma = first.comma.cell.begin;
    const char *either = first.either.cell.begin, *dotted = first.dotted.cell.begin;
    if (point && comma) return raise_both(layout, &first.comma, &first.point);
    if (layout->decimal_known) {
        const csv_witness *late = layout->decimal == '.' ? &first.comma : &first.point;
        return late->cell.begin ? raise_late(layout, late) : SPORF_OK;
    }
    if (comma && layout->points) return raise_late(layout, &first.comma);
    if (point || comma)
        set_decimal(layout, comma ? ',' : '.');
    else if (layout->comma_expected && (either || dotted))
        set_decimal(layout, ',');
    return either && !layout->decimal_known ? raise_unclear(layout, &first.either) : SPORF_OK;
}

/* If commas separate fields, the decimal mark is almost always a point. */
const spf_csv_span *spf_csv_unclear_point(const spf_csv_layout *layout,
                                          const spf_csv_count *counts) {
    csv_evidence first = hear_all(layout, counts);
    char separator = layout->dialect.separator;
    if (layout->decimal_known || (separator != ';' && separator != '\t')) return NULL;
    if (first.point.cell.begin || first.comma.cell.begin) return NULL;
    for (size_t i = 0; i < layout->features; i++)
        if (first.dotted.cell.begin && counts[i].dotted.begin == first.dotted.cell.begin)
            return &counts[i].dotted;
    return NULL;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static sporf_status add_note(const spf_csv_span *cell, const char *column, const char *what,
                             spf_csv_layout *layout) {
    char shown[SPF_EXCERPT_MAX], number[SPF_NUMBER_TEXT_MAX];
    double value;
    spf_form form;
    if (!spf_amount_read(cell->begin, cell->end, layout->decimal, &value, &form)) return SPORF_OK;
    spf_number_write_float((float)value, number);
    return spf_notes_add(&layout->notes, SPORF_NOTE_NUMBERS, column, "%s: '%s' is %s", what,
                         spf_excerpt(cell->begin, (size_t)(cell->end - cell->begin), shown),
                         number);
}

static sporf_status note_comma(spf_csv_layout *layout, const spf_csv_count *counts) {
    csv_witness comma = {.column = 0};
    for (size_t i = 0; i < layout->features; i++)
        if (layout->read[i].kind == SPORF_KIND_NUMBER) hear(&counts[i].comma, i, &comma);
    if (!comma.cell.begin || layout->decimal != ',' || layout->decimal_given) return SPORF_OK;
    return add_note(&comma.cell, NULL, "numbers are read with decimal commas", layout);
}

/* Points that were read as decimal although they may separate thousands. */
static sporf_status note_points(spf_csv_layout *layout, const spf_csv_count *counts) {
    char shown[SPF_EXCERPT_MAX], number[SPF_NUMBER_TEXT_MAX];
    const spf_csv_span *cell = spf_csv_unclear_point(layout, counts);
    double value;
    spf_form form;
    if (!cell || !spf_amount_read(cell->begin, cell->end, '.', &value, &form)) return SPORF_OK;
    spf_number_write_float((float)value, number);
    return spf_notes_add(&layout->notes, SPORF_NOTE_NUMBERS, NULL,
                         "'%s' is read as %s" SPF_HINT
                         "if points separate thousands, say so (" SPF_OPTION_AS("decimal", ",") ")",
                         spf_excerpt(cell->begin, (size_t)(cell->end - cell->begin), shown),
                         number);
}

sporf_status spf_csv_note_amounts(spf_csv_layout *layout, const spf_csv_count *counts) {
    char what[160], number[32];
    SPF_TRY(note_comma(layout, counts));
    SPF_TRY(note_points(layout, counts));
    for (size_t i = 0; i < layout->features; i++) {
        const spf_csv_column *column = &layout->read[i];
        int bare = column->form.kind == SPF_FORM_BARE;
        if (column->kind != SPORF_KIND_NUMBER || !counts[i].example.begin) continue;
        if (bare && layout->decimal == ',') continue;
        const char *name = spf_csv_name(layout, column->column, number);
        snprintf(what, sizeof what, "column '%.100s' is read as numbers", name);
        SPF_TRY(add_note(&counts[i].example, name, what, layout));
    }
    return SPORF_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

void spf_csv_note_block(spf_csv_layout *layout, const sporf_dataset *data) {
    size_t bytes = (size_t)(layout->end - layout->body);
    if (!layout->decimal_known && !layout->points && !layout->comma_expected)
        layout->points = memchr(layout->body, '.', bytes) != NULL;
    for (size_t i = 0; i < layout->features; i++) {
        spf_csv_column *column = &layout->read[i];
        if (!column->seen) column->seen = spf_has_value(data->columns[column->place], data->rows);
    }
}
