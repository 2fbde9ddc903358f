/* One field of a CSV record, the careful way: quotes, blanks, line ends. The parser of numbers has
 * a shorter way of its own and comes here for everything else. */
#include "data/csv.h"

#include "data/text.h"

static int is_blank(char c, char separator) {
    return c == ' ' || (c == '\t' && separator != '\t');
}

static const char *skip_blanks(const char *p, const char *end, char separator) {
    while (p < end && is_blank(*p, separator)) p++;
    return p;
}

/* Whether a field can close at p; sets next and last if so. */
static int close_field(const char *p, const char *end, char separator, spf_csv_field *field) {
    field->last = 1;
    field->next = p;
    if (p >= end) return 1;
    field->next = p + 1;
    if (*p == '\n') return 1;
    if (*p == '\r' && (p + 1 >= end || p[1] == '\n')) {
        field->next = p + 1 < end ? p + 2 : end;
        return 1;
    }
    field->last = 0;
    return *p == separator;
}

/* p is after the opening quote. */
static spf_csv_fault_kind scan_quoted(const char *p, const char *end, char separator,
                                      spf_csv_field *field) {
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
    p = skip_blanks(p + 1, end, separator);
    return close_field(p, end, separator, field) ? SPF_CSV_OK : SPF_CSV_STRAY_QUOTE;
}

spf_csv_fault_kind spf_csv_scan_field(const char *p, const char *end, char separator,
                                      spf_csv_field *field) {
    *field = (spf_csv_field){0};
    p = skip_blanks(p, end, separator);
    if (p < end && *p == '"') return scan_quoted(p + 1, end, separator, field);
    field->begin = p;
    field->end = p;
    for (; !close_field(p, end, separator, field); p++) {
        if (*p == '"') return SPF_CSV_STRAY_QUOTE;
        if (!is_blank(*p, separator)) field->end = p + 1;
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

int spf_csv_is_missing(const spf_csv_field *field) {
    size_t length = (size_t)(field->end - field->begin);
    return field->quoted ? length == 0 : spf_is_missing(field->begin, length);
}
