/* Faults of a CSV file in words: where, what, and what to do. */
#include "data/csv.h"

#include "data/text.h"

#include <stdio.h>
#include <string.h>

static size_t line_of(const spf_source *source, const char *at) {
    size_t line = source->lines + 1;
    const char *p = source->bytes;
    for (; (p = memchr(p, '\n', (size_t)(at - p))); p++) line++;
    return line;
}

/* "data.csv line 7, column 3 ('width')". */
static void describe_place(const spf_source *source, const spf_csv_layout *layout,
                           const spf_csv_fault *fault, char place[SPF_PLACE_MAX]) {
    char shown[SPF_EXCERPT_MAX];
    int used = snprintf(place, SPF_PLACE_MAX, "%s line %zu, column %zu", source->name,
                        line_of(source, fault->begin), fault->column + 1);
    if (fault->column >= layout->names.count) return;
    const char *name = spf_strings_at(&layout->names, fault->column);
    if (*name)
        snprintf(place + used, SPF_PLACE_MAX - (size_t)used, " ('%s')",
                 spf_excerpt(name, strlen(name), shown));
}

static size_t count_fields(const spf_csv_layout *layout, const char *record) {
    spf_csv_field field = {.next = record};
    size_t count = 0;
    while (!field.last) {
        count++;
        if (spf_csv_scan_field(field.next, layout->end, layout->separator, &field) != SPF_CSV_OK)
            break;
    }
    return count;
}

static sporf_status raise_fields(const spf_source *source, const spf_csv_layout *layout,
                                 const spf_csv_fault *fault) {
    size_t fields = count_fields(layout, fault->record), line = line_of(source, fault->record);
    if (fields == 1 && fault->begin == fault->end)
        return spf_raise(SPORF_ERROR_DATA, "%s line %zu: a blank line between rows; remove it",
                         source->name, line);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s line %zu: %zu fields, the first row has %zu; every row must have as many",
                     source->name, line, fields, layout->columns);
}

sporf_status spf_csv_raise(const spf_source *source, const spf_csv_layout *layout,
                           const spf_csv_fault *fault) {
    char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX];
    size_t length = (size_t)(fault->end - fault->begin);
    if (fault->kind == SPF_CSV_FIELDS) return raise_fields(source, layout, fault);
    describe_place(source, layout, fault, place);
    spf_excerpt(fault->begin, length, shown);
    switch (fault->kind) {
    case SPF_CSV_OPEN_QUOTE:
        return spf_raise(SPORF_ERROR_DATA, "%s: the quote before '%s' is never closed", place,
                         shown);
    case SPF_CSV_STRAY_QUOTE:
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: a quote next to '%s'; quote the whole field and double the quotes "
                         "inside it",
                         place, shown);
    case SPF_CSV_BAD_LABEL:
        if (!memchr(fault->begin, '\0', length))
            return spf_raise(SPORF_ERROR_DATA,
                             "%s: no class label ('%s'); give the row a label or remove it", place,
                             shown);
        break;
    case SPF_CSV_BAD_NUMBER:
        if (layout->columns == 1 && memchr(fault->begin, ' ', length))
            return spf_raise(SPORF_ERROR_DATA,
                             "%s: '%s' is not a number; fields are parted by commas, semicolons or "
                             "tabs, not by blanks",
                             place, shown);
        break;
    default:
        break;
    }
    return spf_raise_cell(place, fault->begin, length);
}
