/* One field of a CSV record with all checks: quotes, blanks, line ends. The parser of numbers has a
 * fast path and comes here for everything else. */
#include "read/csv_parts.h"

#include "data/cell.h"

#include <string.h>

static int is_blank(char c, const spf_csv_dialect *dialect) {
    return (c == ' ' || c == '\t') && (c != dialect->separator || dialect->blanks);
}

static const char *skip_blanks(const char *p, const char *end, const spf_csv_dialect *dialect) {
    while (p < end && is_blank(*p, dialect)) p++;
    return p;
}

/* Whether a line ends at p; sets next if so. */
static int close_line(const char *p, const char *end, const spf_csv_dialect *dialect,
                      spf_csv_field *field) {
    field->next = p < end ? p + 1 : p;
    if (p >= end || *p == dialect->line_end) return 1;
    if (*p != '\r' || (p + 1 < end && p[1] != '\n')) return 0;
    field->next = p + 1 < end ? p + 2 : end;
    return 1;
}

/* Whether a field can close at p; sets next and last if so. */
static int close_field(const char *p, const char *end, const spf_csv_dialect *dialect,
                       spf_csv_field *field) {
    field->last = close_line(p, end, dialect, field);
    if (field->last) return 1;
    if (*p != dialect->separator && !(dialect->blanks && *p == '\t')) return 0;
    if (!dialect->blanks && !dialect->trailing) return 1;
    const char *next = p + 1, *behind = skip_blanks(next, end, dialect);
    field->last = close_line(behind, end, dialect, field);
    if (!field->last) field->next = dialect->blanks ? behind : next;
    return 1;
}

/* p is behind the opening quote. */
static spf_csv_fault_kind scan_quoted(const char *p, const char *end,
                                      const spf_csv_dialect *dialect, spf_csv_field *field) {
    field->quoted = 1;
    field->begin = p;
    for (;;) {
        while (p < end && *p != '"') p++;
        field->end = p;
        if (p >= end) return SPF_CSV_OPEN_QUOTE;
        if (p + 1 >= end || p[1] != '"') break;
        field->doubled = 1;
        p += 2;
    }
    p = dialect->blanks ? p + 1 : skip_blanks(p + 1, end, dialect);
    return close_field(p, end, dialect, field) ? SPF_CSV_OK : SPF_CSV_STRAY_QUOTE;
}

spf_csv_fault_kind spf_csv_scan_field(const char *p, const char *end,
                                      const spf_csv_dialect *dialect, spf_csv_field *field) {
    *field = (spf_csv_field){0};
    p = skip_blanks(p, end, dialect);
    if (p < end && *p == '"') return scan_quoted(p + 1, end, dialect, field);
    field->begin = p;
    field->end = p;
    for (; !close_field(p, end, dialect, field); p++) {
        if (*p == '"') return SPF_CSV_STRAY_QUOTE;
        if (!is_blank(*p, dialect)) field->end = p + 1;
    }
    return SPF_CSV_OK;
}

size_t spf_csv_field_text(const spf_csv_field *field, char *out) {
    size_t used = 0;
    for (const char *p = field->begin; p < field->end; p++) {
        out[used++] = *p;
        if (field->quoted && *p == '"') p++;
    }
    return used;
}

int spf_csv_is_listed(const spf_csv_layout *layout, const spf_csv_field *field) {
    size_t length = (size_t)(field->end - field->begin);
    for (size_t i = 0; i < layout->missing_count; i++)
        if (strlen(layout->missing[i]) == length &&
            memcmp(layout->missing[i], field->begin, length) == 0)
            return 1;
    return 0;
}

/* Blanks inside quotes count. */
static int is_empty(const spf_csv_field *field) {
    const char *p = field->begin;
    while (p < field->end && (*p == ' ' || *p == '\t')) p++;
    return p == field->end;
}

int spf_csv_is_missing(const spf_csv_layout *layout, const spf_csv_field *field) {
    size_t length = (size_t)(field->end - field->begin);
    if (layout->missing_count > 0 && spf_csv_is_listed(layout, field)) return 1;
    return field->quoted ? is_empty(field) : spf_is_missing(field->begin, length);
}

int spf_csv_is_missing_label(const spf_csv_layout *layout, const spf_csv_field *field) {
    if (!field->quoted || field->begin == field->end) return spf_csv_is_missing(layout, field);
    return layout->missing_count > 0 && spf_csv_is_listed(layout, field);
}

int spf_csv_is_missing_number(const spf_csv_layout *layout, const spf_csv_field *field) {
    size_t length = (size_t)(field->end - field->begin);
    return spf_is_missing(field->begin, length) || is_empty(field) ||
           spf_csv_is_listed(layout, field);
}
