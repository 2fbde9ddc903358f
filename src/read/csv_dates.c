/* Date columns of a CSV file: whether day or month comes first, and the features made of them. */
#include "read/csv_parts.h"

#include "base/text.h"
#include "data/cell.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether nearly all cells of a column are dates, and its kind is not given. */
static int makes_features(const spf_csv_layout *layout, const spf_csv_column *column,
                          const spf_csv_count *count) {
    size_t cells = count->bare + count->marked + count->texts - count->no_dates;
    return layout->dates && spf_csv_infers(layout, column) && count->dates > 0 &&
           count->dates * 100 >= cells * 99;
}

int spf_csv_shows_dates(const spf_csv_layout *layout, const spf_csv_count *counts) {
    for (size_t i = 0; i < layout->features; i++)
        if (makes_features(layout, &layout->read[i], &counts[i])) return 1;
    return 0;
}

int spf_csv_has_unclear_dates(const spf_csv_layout *layout) {
    for (size_t i = 0; i < layout->features; i++)
        if (layout->read[i].part != SPF_DATE_NONE && layout->read[i].order == SPF_DATE_UNCLEAR)
            return 1;
    return 0;
}

/* ---- the order of day and month -------------------------------------------------------------- */

static const char *show(const spf_csv_span *cell, char out[SPF_EXCERPT_MAX]) {
    return spf_excerpt(cell->begin, (size_t)(cell->end - cell->begin), out);
}

static sporf_status raise_both(const spf_csv_layout *layout, size_t column,
                               const spf_csv_count *count) {
    char place[SPF_PLACE_MAX], one[SPF_EXCERPT_MAX], other[SPF_EXCERPT_MAX];
    const char *file;
    spf_csv_place(layout, count->dmy.begin, column, place);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' has the day first, but '%s' (" SPF_LINE ") the month" SPF_HINT
                     "write all dates of the column alike",
                     place, show(&count->dmy, one), show(&count->mdy, other),
                     spf_csv_line(layout, count->mdy.begin, &file));
}

static sporf_status raise_unclear(const spf_csv_layout *layout, size_t column,
                                  const spf_csv_span *cell) {
    char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX];
    spf_csv_place(layout, cell->begin, column, place);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: '%s' may have the day or the month first, and no other date of the "
                     "column tells which" SPF_HINT "say it (" SPF_OPTION_AS(
                         "dates", "dmy") " or " SPF_OPTION_AS("dates", "mdy") ")",
                     place, show(cell, shown));
}

static sporf_status find_order(const spf_csv_layout *layout, const spf_csv_count *count,
                               spf_csv_column *column) {
    if (layout->date_order != SPF_DATE_UNCLEAR) column->order = layout->date_order;
    if (column->order != SPF_DATE_UNCLEAR) return SPORF_OK;
    if (count->dmy.begin && count->mdy.begin) return raise_both(layout, column->column, count);
    if (count->dmy.begin) column->order = SPF_DATE_DMY;
    if (count->mdy.begin) column->order = SPF_DATE_MDY;
    if (column->order != SPF_DATE_UNCLEAR || !count->unclear.begin) return SPORF_OK;
    return raise_unclear(layout, column->column, &count->unclear);
}

sporf_status spf_csv_set_orders(spf_csv_layout *layout, const spf_csv_count *counts) {
    for (size_t i = 0; i < layout->features; i++) {
        spf_csv_column *column = &layout->read[i];
        size_t first = i; /* the parts of a date share a count */
        while (first > 0 && layout->read[first - 1].column == column->column) first--;
        if (column->part != SPF_DATE_NONE || makes_features(layout, column, &counts[i]))
            SPF_TRY(find_order(layout, &counts[first], column));
    }
    return SPORF_OK;
}

/* ---- features -------------------------------------------------------------------------------- */

static sporf_status check_name(const spf_csv_layout *layout, const spf_csv_column *column) {
    char name[SPF_CSV_NAME_MAX], number[32], shown[SPF_EXCERPT_MAX];
    size_t length =
        spf_csv_part_name(spf_csv_name(layout, column->column, number), column->part, name);
    for (size_t i = 0; i < layout->names.count; i++)
        if (strcmp(spf_strings_at(&layout->names, i), name) == 0)
            return spf_raise(
                SPORF_ERROR_DATA,
                SPF_FILE
                ": a date would make the feature '%s', but there is a column of that name" SPF_HINT
                "rename one of them",
                layout->source->name, spf_excerpt(name, length, shown));
    return SPORF_OK;
}

/* Adds a column to read, or one for each part of its dates. */
static sporf_status add_column(const spf_csv_layout *layout, const spf_csv_column *column,
                               const spf_csv_count *count, spf_csv_column *read, size_t *used) {
    if (!makes_features(layout, column, count)) {
        read[*used] = *column;
        read[*used].place = *used;
        ++*used;
        return SPORF_OK;
    }
    for (int part = SPF_DATE_YEAR; part < SPF_DATE_PARTS; part++) {
        if (part == SPF_DATE_HOUR && count->times == 0) continue;
        read[*used] = *column;
        read[*used].given = 1;
        read[*used].kind = SPORF_KIND_NUMBER;
        read[*used].part = (spf_date_part)part;
        read[*used].place = *used;
        SPF_TRY(check_name(layout, &read[*used]));
        ++*used;
    }
    return SPORF_OK;
}

sporf_status spf_csv_expand_dates(spf_csv_layout *layout, const spf_csv_count *counts) {
    if (!spf_csv_shows_dates(layout, counts)) return SPORF_OK;
    size_t used = 0, most = layout->features * (SPF_DATE_PARTS - 1);
    sporf_status status = SPORF_OK;
    spf_csv_column *read = spf_alloc_zero(most, sizeof *read);
    atomic_uchar *rounded = spf_alloc_zero(most, sizeof *rounded);
    if (!read || !rounded) status = spf_raise_memory();
    for (size_t i = 0; status == SPORF_OK && i < layout->features; i++)
        status = add_column(layout, &layout->read[i], &counts[i], read, &used);
    if (status != SPORF_OK) {
        free(read);
        free(rounded);
        return status;
    }
    free(layout->read);
    free(layout->rounded);
    layout->read = read;
    layout->rounded = rounded;
    layout->features = used;
    spf_csv_set_roles(layout);
    return SPORF_OK;
}

size_t spf_csv_part_name(const char *name, spf_date_part part, char out[SPF_CSV_NAME_MAX]) {
    int used = snprintf(out, SPF_CSV_NAME_MAX, "%.*s.%s", SPF_CSV_NAME_MAX - 16, name,
                        spf_date_part_name[part]);
    return (size_t)used;
}
