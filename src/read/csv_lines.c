/* Counts the fields of the first lines of a CSV file, and checks their contents. */
#include "read/csv_lines.h"

#include "base/number.h"

#include <string.h>

/* ---- counting -------------------------------------------------------------------------------- */

/* Counts the fields of the record at p. Returns the next record. */
static const char *count_line(spf_csv_lines *lines, const char *p, const char *end) {
    spf_csv_field field = {.next = p};
    size_t fields = 0;
    lines->at[lines->count] = p;
    for (; !field.last; fields++)
        if (spf_csv_scan_field(field.next, end, &lines->dialect, &field) != SPF_CSV_OK) break;
    lines->open[lines->count] = field.last && field.begin == field.end && !field.quoted;
    lines->fields[lines->count++] = field.last ? fields : 0;
    return field.last ? field.next : spf_csv_next_line(&lines->dialect, p, end);
}

void spf_csv_count_lines(const spf_csv_layout *layout, size_t limit, spf_csv_lines *lines) {
    const char *p = layout->body;
    lines->count = 0;
    while (lines->count < limit &&
           (p = spf_csv_record_at(&lines->dialect, p, layout->head)) < layout->head)
        p = count_line(lines, p, layout->head);
    lines->end = p;
}

size_t spf_csv_common_fields(const spf_csv_lines *lines, size_t first) {
    for (size_t i = first + 1; i < lines->count; i++)
        if (lines->fields[i] != lines->fields[first]) return 0;
    return first < lines->count ? lines->fields[first] : 0;
}

int spf_csv_all_open(const spf_csv_lines *lines, size_t first) {
    for (size_t i = first; i < lines->count; i++)
        if (!lines->open[i]) return 0;
    return 1;
}

/* ---- what the first cells of rows are -------------------------------------------------------- */

static spf_csv_field first_cell(const spf_csv_lines *lines, size_t line) {
    spf_csv_field field;
    spf_csv_scan_field(lines->at[line], lines->end, &lines->dialect, &field);
    return field;
}

static int same_cell(const spf_csv_field *a, const spf_csv_field *b) {
    size_t length = (size_t)(a->end - a->begin);
    return length == (size_t)(b->end - b->begin) && memcmp(a->begin, b->begin, length) == 0;
}

int spf_csv_are_row_names(const spf_csv_lines *lines, size_t first) {
    int counts = 1, texts = 1;
    for (size_t i = first; i < lines->count; i++) {
        spf_csv_field cell = first_cell(lines, i);
        double value;
        int number = spf_number_read(cell.begin, cell.end, &value);
        counts = counts && number && value == (double)(i - first + 1);
        texts = texts && !number && cell.begin < cell.end;
        for (size_t k = first; texts && k < i; k++) {
            spf_csv_field other = first_cell(lines, k);
            texts = !same_cell(&cell, &other);
        }
    }
    return counts || texts;
}

int spf_csv_has_number(const spf_csv_lines *lines, size_t line) {
    spf_csv_field field = {.next = lines->at[line]};
    while (!field.last) {
        if (spf_csv_scan_field(field.next, lines->end, &lines->dialect, &field) != SPF_CSV_OK)
            return 0;
        if (spf_is_bare_number(field.begin, (size_t)(field.end - field.begin))) return 1;
    }
    return 0;
}

int spf_csv_has_numbers(const spf_csv_lines *lines, size_t first) {
    const char *at[SPF_CSV_LONG_HEAD];
    for (size_t i = first; i < lines->count; i++) at[i] = lines->at[i];
    for (size_t column = 0; column < lines->fields[first]; column++) {
        int numbers = 1;
        for (size_t i = first; i < lines->count; i++) {
            spf_csv_field field;
            spf_csv_scan_field(at[i], lines->end, &lines->dialect, &field);
            at[i] = field.next;
            if (numbers)
                numbers = spf_is_bare_number(field.begin, (size_t)(field.end - field.begin));
        }
        if (numbers) return 1;
    }
    return 0;
}

int spf_csv_holds_texts(const spf_csv_lines *lines, size_t line, int all) {
    spf_csv_field field = {.next = lines->at[line]};
    for (size_t i = 0; !field.last; i++) {
        if (spf_csv_scan_field(field.next, lines->end, &lines->dialect, &field) != SPF_CSV_OK)
            return 0;
        size_t length = (size_t)(field.end - field.begin);
        if (spf_is_bare_number(field.begin, length) || (all ? length == 0 : i > 0 && length > 0))
            return 0;
    }
    return 1;
}

size_t spf_csv_usual_fields(const spf_csv_lines *lines, size_t first) {
    for (size_t i = first; i < lines->count; i++) {
        size_t same = 0;
        for (size_t k = first; k < lines->count; k++) same += lines->fields[k] == lines->fields[i];
        if (2 * same + (i == first) > lines->count - first) return lines->fields[i];
    }
    return 0;
}

int spf_csv_mostly_open(const spf_csv_lines *lines, size_t first, size_t fields) {
    size_t open = 0, all = 0;
    for (size_t i = first; i < lines->count; i++) {
        all += lines->fields[i] == fields;
        open += lines->fields[i] == fields && lines->open[i];
    }
    return 2 * open > all;
}
