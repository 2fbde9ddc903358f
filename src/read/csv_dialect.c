/* Lines of a CSV file: how they end, which of them are ignored, and the options for characters that
 * separate fields and begin comments. */
#include "read/csv_parts.h"

#include "base/text.h"

#include <string.h>

int spf_csv_ignores(const spf_csv_dialect *dialect, const char *p, const char *end) {
    if (dialect->comment && *p == dialect->comment) return 1;
    if (dialect->blank_rows) return 0;
    while (p < end && (*p == ' ' || (*p == '\t' && dialect->separator != '\t'))) p++;
    return p >= end || *p == dialect->line_end || (*p == '\r' && (p + 1 >= end || p[1] == '\n'));
}

const char *spf_csv_next_line(const spf_csv_dialect *dialect, const char *p, const char *end) {
    const char *line_end = memchr(p, dialect->line_end, (size_t)(end - p));
    return line_end ? line_end + 1 : end;
}

const char *spf_csv_skip_lines(const spf_csv_dialect *dialect, const char *p, const char *end,
                               size_t lines) {
    while (lines-- > 0 && p < end) p = spf_csv_next_line(dialect, p, end);
    return p;
}

/* Ignored lines belong to the record after them. */
spf_csv_cut spf_csv_pass_records(const spf_csv_dialect *dialect, const char *begin, const char *end,
                                 size_t records, int quotes) {
    spf_csv_cut cut = {.next = begin};
    size_t lines = 0;
    int quoted = 0, look = quotes && memchr(begin, '"', (size_t)(end - begin));
    for (const char *p = begin, *feed; cut.records < records; p = feed + 1) {
        feed = memchr(p, dialect->line_end, (size_t)(end - p));
        if (!feed) break;
        lines++;
        int ignored =
            !quoted && (*p <= ' ' || *p == dialect->comment) && spf_csv_ignores(dialect, p, end);
        for (const char *q = p; look && !ignored && q < feed; q++) quoted ^= *q == '"';
        if (!quoted && !ignored) cut = (spf_csv_cut){feed, feed + 1, cut.records + 1, lines};
    }
    return cut;
}

/* A line feed among the first few lines shows that lines do not end with CR alone. */
char spf_csv_find_line_end(const char *p, const char *end) {
    enum { LINES = 10 };
    size_t returns = 0;
    for (int quoted = 0; p < end && returns < LINES; p++) {
        quoted ^= *p == '"';
        if (quoted) continue;
        if (*p == '\n') return '\n';
        returns += *p == '\r' && p + 1 < end;
    }
    return returns > 0 ? '\r' : '\n';
}

/* Characters that are part of numbers, names or lines cannot separate fields. */
static int can_separate(char c) {
    return (unsigned char)c < 0x80 && (c == '\t' || c > ' ') && c != 0x7f && !strchr("\"+-.", c) &&
           !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
}

static sporf_status set_separator(const char *given, spf_csv_dialect *dialect) {
    static const struct {
        const char *name;
        char separator;
    } names[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"\\t", '\t'},
                 {"bar", '|'},   {"blanks", ' '},    {" ", ' '},    {"auto", '\0'}};
    char shown[SPF_EXCERPT_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(given, names[i].name) != 0) continue;
        dialect->separator = names[i].separator;
        dialect->blanks = names[i].separator == ' ';
        return SPORF_OK;
    }
    if (strlen(given) != 1 || !can_separate(*given))
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            SPF_OPTION("separator") " must be one character that is neither a letter, a digit, a "
                                    "quote nor part of numbers, or one of comma, semicolon, tab, "
                                    "bar, blanks and auto, got '%s'",
            spf_excerpt(given, strlen(given), shown));
    dialect->separator = *given;
    return SPORF_OK;
}

sporf_status spf_csv_dialect_given(const sporf_read_options *options, spf_csv_dialect *dialect) {
    const char *comment = options->comment;
    char shown[SPF_EXCERPT_MAX];
    *dialect = (spf_csv_dialect){.line_end = '\n'};
    if (options->separator) SPF_TRY(set_separator(options->separator, dialect));
    if (!comment || !*comment) return SPORF_OK;
    if (strlen(comment) != 1 || *comment == '"' || (unsigned char)*comment <= ' ' ||
        *comment == dialect->separator)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            SPF_OPTION(
                "comment") " must be one character that comments begin with, such as #, got '%s'",
            spf_excerpt(comment, strlen(comment), shown));
    dialect->comment = *comment;
    return SPORF_OK;
}

const char *spf_csv_trim(const char *begin, const char *end) {
    while (end > begin && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' ')) end--;
    return end;
}
