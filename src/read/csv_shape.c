/* Finds where the table of a CSV file begins and how its fields are separated: files have titles
 * and comments above the table, separators at line ends, row names without a name in the header.
 * The fields of the first lines are counted for each separator; a table is a run of lines with the
 * same number of fields. */
#include "read/csv_lines.h"

#include "data/cell.h"

#include <string.h>
#include <strings.h>

/* The first line of a table. */
typedef struct {
    int found;
    size_t line;
    int trailing, row_names;
} table_place;

/* Whether the line at p may come before a table. */
static int may_precede(const char *p, const char *end) {
    static const char mark[] = "sep=";
    if (p >= end || *p == '#' || *p == '\n' || *p == '\r' || *p == ' ') return 1;
    p += *p == '"';
    if ((size_t)(end - p) >= sizeof mark && strncasecmp(p, mark, sizeof mark - 1) == 0) return 1;
    while (p < end && *p != '\n' && *p != '\r' && !strchr("\t;,", *p)) p++;
    while (p < end && strchr("\t;,", *p)) p++;
    return p >= end || *p == '\n' || *p == '\r';
}

size_t spf_csv_head_records(const char *p, const char *end) {
    return may_precede(spf_skip_mark(p, (size_t)(end - p)), end) ? SPF_CSV_LONG_HEAD : SPF_CSV_HEAD;
}

/* The end of the records to inspect, the first of which is at p. */
static const char *head_end(const spf_csv_dialect *dialect, const char *p, const char *end) {
    size_t records = spf_csv_head_records(p, end);
    spf_csv_cut cut = spf_csv_pass_records(dialect, p, end, records, 1);
    return cut.records == records ? cut.end : end;
}

/* The first line below titles as spreadsheets write them (column names above numbers); 0 without
 * such titles. */
static size_t line_below_titles(const spf_csv_lines *lines) {
    size_t line = 0;
    while (line < lines->count && spf_csv_holds_texts(lines, line, 0)) line++;
    int names = line > 0 && line + 1 < lines->count && spf_csv_holds_texts(lines, line, 1);
    return names && spf_csv_has_numbers(lines, line + 1) ? line : 0;
}

/* ---- where the table begins ------------------------------------------------------------------ */

/* Checks for a table whose first line, a header or a row, is this one. */
static table_place table_at(const spf_csv_lines *lines, size_t line) {
    table_place place = {.line = line};
    size_t own = lines->fields[line], rows = spf_csv_common_fields(lines, line + 1);
    if (line + 1 == lines->count) {
        place.found = own > 1 && (!lines->dialect.blanks || spf_csv_has_numbers(lines, line));
        return place;
    }
    if (own == 0 || rows < 2) return place;
    place.trailing =
        own + 1 == rows ? spf_csv_all_open(lines, line + 1) : own == rows + 1 && lines->open[line];
    place.row_names = own + 1 == rows && own > 1 && !place.trailing && lines->count > line + 2 &&
                      spf_csv_are_row_names(lines, line + 1);
    place.found = own == rows || place.trailing || place.row_names;
    if (lines->dialect.blanks)
        place.found = place.found && spf_csv_has_numbers(lines, line + 1);
    else if (line == 0 && own == rows)
        place.line = line_below_titles(lines);
    return place;
}

/* Like table_at, but only most of the lines below need to have as many fields; the first line has
 * several. */
static table_place usual_table_at(const spf_csv_lines *lines, size_t line) {
    table_place place = {.line = line};
    size_t own = lines->fields[line], rows = spf_csv_usual_fields(lines, line + 1);
    if (own < 2 || rows < 2 || lines->dialect.blanks || *lines->at[line] == '#') return place;
    place.trailing = own + 1 == rows ? spf_csv_mostly_open(lines, line + 1, rows)
                                     : own == rows + 1 && lines->open[line];
    place.row_names = own + 1 == rows && !place.trailing && lines->count > line + 2 &&
                      spf_csv_are_row_names(lines, line + 1);
    place.found = own == rows || place.trailing || place.row_names;
    return place;
}

/* Whether the lines above a table are comments or titles of one field. A title may contain
 * blanks. */
static int may_be_ignored(const spf_csv_lines *lines, size_t table) {
    for (size_t i = 0; i < table; i++)
        if (*lines->at[i] != '#' && (lines->dialect.blanks || lines->fields[i] != 1)) return 0;
    return 1;
}

enum { IGNORED_MAX = SPF_CSV_LONG_HEAD - SPF_CSV_HEAD };

/* The first line after `line` at which a table of at least two lines begins. */
static table_place table_after(const spf_csv_lines *lines, size_t line) {
    table_place place = {0};
    for (size_t i = line + 1; i + 1 < lines->count && i <= IGNORED_MAX && !place.found; i++)
        place = table_at(lines, i);
    return place;
}

static char most_frequent(const char *p, const char *end, char line_end) {
    static const char choices[] = {'\t', ';', ','};
    size_t counts[sizeof choices] = {0}, best = 0;
    for (int quoted = 0; p < end && (quoted || *p != line_end); p++) {
        if (*p == '"') quoted = !quoted;
        for (size_t i = 0; !quoted && i < sizeof choices; i++) counts[i] += *p == choices[i];
    }
    for (size_t i = 1; i < sizeof choices; i++)
        if (counts[i] > counts[best]) best = i;
    return counts[best] > 0 ? choices[best] : '\0';
}

enum { SEPARATORS_MAX = 6 };

/* Candidate separators in the order in which they are tried. */
typedef struct {
    spf_csv_dialect dialects[SEPARATORS_MAX];
    size_t count;
} separators;

static separators list_separators(const spf_csv_dialect *given, char first) {
    static const char choices[] = {'\t', ';', ',', '|', ' '};
    separators list = {.dialects = {*given}, .count = 1};
    if (given->separator) return list;
    list.dialects[0].separator = first ? first : ',';
    for (size_t i = 0; i < sizeof choices; i++) {
        if (choices[i] == list.dialects[0].separator) continue;
        list.dialects[list.count] = *given;
        list.dialects[list.count].separator = choices[i];
        list.dialects[list.count++].blanks = choices[i] == ' ';
    }
    return list;
}

static size_t line_of(const spf_source *source, const spf_csv_layout *layout, const char *at) {
    size_t line = 1;
    for (const char *p = source->bytes; p < at; line++)
        p = spf_csv_next_line(&layout->dialect, p, at);
    return line;
}

/* A title gets a note, comments do not. */
static void take_title(spf_csv_layout *layout, const spf_csv_lines *lines, size_t table) {
    size_t i = 0;
    while (i < table && *lines->at[i] == '#') i++;
    if (i == table) return;
    const char *end = spf_csv_next_line(&lines->dialect, lines->at[i], lines->end);
    layout->title = lines->at[i];
    end = spf_csv_trim(layout->title, end);
    while (end > layout->title && end[-1] == lines->dialect.separator) end--;
    layout->title_length = (size_t)(end - layout->title);
}

static void take(spf_csv_layout *layout, const spf_csv_lines *lines, const table_place *place) {
    take_title(layout, lines, place->line);
    layout->dialect = lines->dialect;
    layout->dialect.trailing = place->trailing;
    layout->row_names = place->row_names;
    if (lines->count > 0) layout->first = lines->at[place->line];
}

static sporf_status raise_above(const spf_source *source, const spf_csv_layout *layout,
                                const spf_csv_lines *lines, size_t table) {
    size_t line = line_of(source, layout, lines->at[0]);
    size_t later = line_of(source, layout, lines->at[table]);
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": " SPF_LINE
                              " has %zu field%s, and the lines from %zu on have %zu" SPF_HINT
                              "correct it or, if the table begins in " SPF_LINE
                              ", skip what is above (" SPF_OPTION_AS("skip-lines", "%zu") ")",
                     source->name, line, lines->fields[0], lines->fields[0] == 1 ? "" : "s", later,
                     lines->fields[table], later, later - 1);
}

/* Whether a line has no number while most lines below it have one: names above values. */
static int names_values(const spf_csv_lines *lines, size_t line) {
    size_t below = 0;
    for (size_t i = line + 1; i < lines->count; i++) below += spf_csv_has_number(lines, i);
    return !spf_csv_has_number(lines, line) && 2 * below > lines->count - line - 1;
}

/* Searches, with any separator, for the first line up to `last` whose number of fields most lines
 * below it have. If there is one, the table begins there. */
static int take_usual(const separators *list, size_t limit, size_t last, spf_csv_layout *layout) {
    spf_csv_lines lines[SEPARATORS_MAX];
    for (size_t i = 0; i < list->count; i++) {
        lines[i].dialect = list->dialects[i];
        spf_csv_count_lines(layout, limit, &lines[i]);
    }
    for (size_t k = 0; k < (last + 1) * list->count; k++) {
        const spf_csv_lines *these = &lines[k % list->count];
        size_t line = k / list->count;
        if (line + 1 >= these->count) continue;
        table_place place = usual_table_at(these, line);
        if (!place.found || !may_be_ignored(these, line)) continue;
        take(layout, these, &place);
        return 1;
    }
    return 0;
}

/* Takes a table that begins at the first line. Commas also occur in texts and numbers: they do not
 * separate fields if most lines have as many semicolons or tabs as the header. */
static void take_at_once(const separators *list, size_t limit, const spf_csv_lines *lines,
                         const table_place *place, spf_csv_layout *layout) {
    const separators first = {.dialects = {list->dialects[0]}, .count = 1};
    if (lines->dialect.separator == ',' && first.dialects[0].separator != ',' &&
        take_usual(&first, limit, 0, layout))
        return;
    take(layout, lines, place);
}

/* Takes a table that begins below other lines. A line above it is a header and not a title if most
 * lines have as many fields: then a row with a different number of fields made another separator
 * look right. */
static void take_later(const separators *list, size_t limit, const spf_csv_lines *lines,
                       const table_place *place, spf_csv_layout *layout) {
    if (!names_values(lines, place->line) && take_usual(list, limit, place->line - 1, layout))
        return;
    take(layout, lines, place);
}

/* Tries all separators, first for a table that begins at the first line, then for one that begins
 * later. Lines above it that may belong to it are refused. */
static sporf_status try_all(const spf_source *source, const separators *list, size_t limit,
                            spf_csv_layout *layout) {
    spf_csv_lines lines;
    table_place place;
    for (size_t i = 0; i < 2 * list->count; i++) {
        lines.dialect = list->dialects[i % list->count];
        spf_csv_count_lines(layout, limit, &lines);
        place = i < list->count ? table_at(&lines, 0) : table_after(&lines, 0);
        if (!place.found) continue;
        if (i < list->count) {
            take_at_once(list, limit, &lines, &place, layout);
            return SPORF_OK;
        }
        if (may_be_ignored(&lines, place.line)) {
            take_later(list, limit, &lines, &place, layout);
            return SPORF_OK;
        }
        if (lines.fields[0] == 0 || lines.fields[0] == lines.fields[place.line]) continue;
        if (take_usual(list, limit, place.line - 1, layout)) return SPORF_OK;
        return raise_above(source, layout, &lines, place.line);
    }
    return SPORF_OK;
}

/* Excel's first line "sep=;". Returns the line after it, or p. */
static const char *take_sep_line(spf_csv_layout *layout, const char *p) {
    const char *end = layout->end, *line = p;
    int quoted = p < end && *p == '"';
    p += quoted;
    if (end - p < 5 || strncasecmp(p, "sep=", 4) != 0) return line;
    char separator = p[4];
    p += 5;
    if (quoted && (p >= end || *p++ != '"')) return line;
    if (p < end && *p == '\r' && layout->dialect.line_end == '\n') p++;
    if (p < end && *p != layout->dialect.line_end) return line;
    if (!layout->dialect.separator) layout->dialect.separator = separator;
    return p < end ? p + 1 : end;
}

/* A table of one column, or one whose first line is unlike the others. In a single column a blank
 * line is a missing value. */
static void take_first_line(spf_csv_layout *layout, const spf_csv_lines *lines) {
    take(layout, lines, &(table_place){.line = 0});
    layout->dialect.blank_rows = lines->fields[0] < 2;
    layout->first = spf_csv_record_at(&layout->dialect, layout->body, layout->end);
}

sporf_status spf_csv_find_shape(const spf_source *source, int one_column, spf_csv_layout *layout) {
    size_t limit = spf_csv_head_records(layout->body, layout->end);
    const char *begin = layout->body;
    spf_csv_lines lines;
    layout->head = head_end(&layout->dialect, begin, layout->end);
    layout->body = take_sep_line(layout, begin);
    if (layout->body > begin) limit--;
    begin = spf_csv_record_at(&layout->dialect, layout->body, layout->end);
    separators list = list_separators(&layout->dialect,
                                      most_frequent(begin, layout->head, layout->dialect.line_end));
    lines.dialect = list.dialects[0];
    spf_csv_count_lines(layout, limit, &lines);
    if (lines.count == 0) return SPORF_OK;
    if (!one_column) SPF_TRY(try_all(source, &list, limit, layout));
    if (!one_column && !layout->first) take_usual(&list, limit, IGNORED_MAX, layout);
    if (!layout->first) take_first_line(layout, &lines);
    layout->first_line = line_of(source, layout, layout->first);
    return SPORF_OK;
}
