/* Tables as offices and laboratories make them, in tests/tables: NAME.csv with the answer expected
 * in NAME.expected, which tests/tables/README.md describes. Each is read as a whole, and in small
 * blocks with its own schema, as predict reads it. */
#include "read/blocks.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/notes.h"

#define FOLDER "tests/tables/"

enum { LINE_MAX_BYTES = 1000, LIST_MAX = 8, TABLES_MAX = 500, TABLES_MIN = 40 };

/* The options of a table, and what they point to. */
typedef struct {
    sporf_read_options read;
    char text[LIST_MAX][LINE_MAX_BYTES]; /* the values given */
    const char *lists[LIST_MAX][LIST_MAX];
    size_t count;
} table_options;

/* What is compared, and where in the expectations. */
typedef struct {
    const char *name;
    size_t line;
    sporf_dataset *data; /* NULL where it was refused */
    char message[1000];
    size_t features, left_out, notes, targets; /* that were told so far */
    int refusal_expected, rows_expected;
} comparison;

#define EXPECT(c, truth, ...)                                                                      \
    do {                                                                                           \
        if (!(truth)) refuse(c, __VA_ARGS__);                                                      \
    } while (0)

static __attribute__((format(printf, 2, 3))) void refuse(const comparison *c, const char *format,
                                                         ...) {
    char words[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    fail_msg(FOLDER "%s.expected line %zu: %s", c->name, c->line, words);
}

/* ---- options, spelled as for the command ----------------------------------------------------- */

static void set_list(table_options *o, const char *const **list, size_t *count, char mark) {
    char *text = o->text[o->count];
    *list = o->lists[o->count];
    for (*count = 0; text; (*count)++) {
        char *next = strchr(text, mark);
        assert_true(*count < LIST_MAX);
        if (next) *next++ = '\0';
        o->lists[o->count][*count] = text;
        text = next;
    }
}

static int set_option(table_options *o, const char *name) {
    const char *value = o->text[o->count];
    sporf_read_options *read = &o->read;
    if (strcmp(name, "label") == 0)
        read->label = value;
    else if (strcmp(name, "weight") == 0)
        read->weight = value;
    else if (strcmp(name, "header") == 0)
        read->header = strcmp(value, "yes") == 0 ? SPORF_HEADER_YES : SPORF_HEADER_NO;
    else if (strcmp(name, "separator") == 0)
        read->separator = value;
    else if (strcmp(name, "comment") == 0)
        read->comment = value;
    else if (strcmp(name, "skip-lines") == 0)
        read->skip_lines = strtoul(value, NULL, 10);
    else if (strcmp(name, "decimal") == 0)
        read->decimal = *value == ',' ? SPORF_DECIMAL_COMMA : SPORF_DECIMAL_POINT;
    else if (strcmp(name, "dates") == 0)
        read->dates = strcmp(value, "dmy") == 0   ? SPORF_DATES_DMY
                      : strcmp(value, "mdy") == 0 ? SPORF_DATES_MDY
                                                  : SPORF_DATES_AUTO;
    else if (strcmp(name, "missing") == 0)
        set_list(o, &read->missing, &read->missing_count, ',');
    else if (strcmp(name, "target") == 0)
        set_list(o, &read->targets, &read->targets_count, ',');
    else if (strcmp(name, "categorical") == 0)
        set_list(o, &read->categorical, &read->categorical_count, ',');
    else if (strcmp(name, "ignore") == 0)
        set_list(o, &read->ignored, &read->ignored_count, ',');
    else if (strcmp(name, "ordinal") == 0)
        set_list(o, &read->ordinal, &read->ordinal_count, ';');
    else
        return 0;
    o->count++;
    return 1;
}

/* "--label class" */
static void add_option(const comparison *c, table_options *o, const char *line) {
    char name[LINE_MAX_BYTES];
    size_t length = strcspn(line + 2, " ");
    memcpy(name, line + 2, length);
    name[length] = '\0';
    EXPECT(c, o->count < LIST_MAX, "too many options");
    strcpy(o->text[o->count], line[2 + length] ? line + 3 + length : "");
    EXPECT(c, set_option(o, name), "option --%s is not known to this test", name);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static size_t find_feature(const comparison *c, const char *name, size_t length) {
    for (size_t j = 0; j < sporf_dataset_features(c->data); j++) {
        const char *other = sporf_schema_feature_name(sporf_dataset_schema(c->data), j);
        if (other && strlen(other) == length && memcmp(other, name, length) == 0) return j;
    }
    char *end;
    size_t number = strtoul(name, &end, 10);
    EXPECT(c, end == name + length && number >= 1 && number <= sporf_dataset_features(c->data),
           "there is no feature '%.*s'", (int)length, name);
    return number - 1;
}

/* "age (2 missing)", or with levels "town: Bonn|Ulm (1 missing)", as the table has it. */
static void describe(const comparison *c, size_t feature, char *text, size_t size) {
    const char *name = sporf_schema_feature_name(sporf_dataset_schema(c->data), feature);
    size_t used = (size_t)(name ? snprintf(text, size, "%s", name)
                                : snprintf(text, size, "%zu", feature + 1));
    for (size_t k = 0; k < sporf_schema_levels(sporf_dataset_schema(c->data), feature); k++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", k > 0 ? "|" : ": ",
                             sporf_schema_level_name(sporf_dataset_schema(c->data), feature, k));
    size_t missing = sporf_dataset_missing(c->data, feature);
    if (missing > 0) snprintf(text + used, size - used, " (%zu missing)", missing);
}

static void compare_feature(comparison *c, sporf_kind kind, const char *expected) {
    char text[4000];
    size_t feature = c->features++;
    EXPECT(c, feature < sporf_dataset_features(c->data), "there are only %zu features", feature);
    describe(c, feature, text, sizeof text);
    EXPECT(c,
           sporf_schema_kind(sporf_dataset_schema(c->data), feature) == kind &&
               strcmp(text, expected) == 0,
           "kind %d, '%s'", (int)sporf_schema_kind(sporf_dataset_schema(c->data), feature), text);
}

/* "3 town = Bonn": a row from 1, a feature, and its value or "missing". */
static void compare_value(const comparison *c, const char *expected) {
    char *name;
    size_t row = strtoul(expected, &name, 10);
    const char *equals = strstr(expected, " = ");
    EXPECT(c, equals && *name == ' ', "'ROW COLUMN = VALUE' is expected");
    name++;
    EXPECT(c, row >= 1 && row <= sporf_dataset_rows(c->data), "there is no row %zu", row);
    size_t feature = find_feature(c, name, (size_t)(equals - name));
    float value = sporf_dataset_feature(c->data, feature)[row - 1];
    const char *words = equals + 3;
    if (isnan(value) || strcmp(words, "missing") == 0)
        EXPECT(c, isnan(value) && strcmp(words, "missing") == 0, "the value is %g", (double)value);
    else if (sporf_schema_levels(sporf_dataset_schema(c->data), feature) > 0)
        EXPECT(
            c,
            strcmp(sporf_schema_level_name(sporf_dataset_schema(c->data), feature, (size_t)value),
                   words) == 0,
            "the level is '%s'",
            sporf_schema_level_name(sporf_dataset_schema(c->data), feature, (size_t)value));
    else
        EXPECT(c, value == (float)strtod(words, NULL), "the value is %.9g", (double)value);
}

static void compare_classes(const comparison *c, const char *expected) {
    char text[4000] = "";
    size_t used = 0;
    for (size_t k = 0; k < sporf_dataset_classes(c->data); k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", k > 0 ? "|" : "",
                                 sporf_schema_class_name(sporf_dataset_schema(c->data), k));
    EXPECT(c, strcmp(text, expected) == 0, "the classes are '%s'", text);
}

static void compare_left_out(comparison *c, const char *expected) {
    char text[4000];
    size_t i = c->left_out++;
    EXPECT(c, i < left_out_count(c->data), "only %zu columns were left out", i);
    snprintf(text, sizeof text, "%s: %s", left_out_note(c->data, i)->column,
             left_out_note(c->data, i)->text);
    EXPECT(c, strcmp(text, expected) == 0, "'%s'", text);
}

static void compare_note(comparison *c, const char *expected) {
    size_t i = c->notes++;
    EXPECT(c, i < other_note_count(c->data), "there are only %zu notes", i);
    EXPECT(c, strstr(other_note(c->data, i)->text, expected), "'%s'", other_note(c->data, i)->text);
}

static void compare_target(comparison *c, const char *expected) {
    size_t i = c->targets++;
    EXPECT(c, i < sporf_dataset_targets(c->data), "there are only %zu targets", i);
    EXPECT(c, strcmp(sporf_schema_target_name(sporf_dataset_schema(c->data), i), expected) == 0,
           "'%s'", sporf_schema_target_name(sporf_dataset_schema(c->data), i));
}

/* What follows a word at the start of a line; NULL for another line. */
static const char *after(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

static void compare_table(comparison *c, const char *line) {
    const char *rest;
    if ((rest = after(line, "rows "))) {
        c->rows_expected = 1;
        EXPECT(c, sporf_dataset_rows(c->data) == strtoul(rest, NULL, 10), "there are %zu rows",
               sporf_dataset_rows(c->data));
    } else if ((rest = after(line, "number "))) {
        compare_feature(c, SPORF_KIND_NUMBER, rest);
    } else if ((rest = after(line, "category "))) {
        compare_feature(c, SPORF_KIND_CATEGORY, rest);
    } else if ((rest = after(line, "ordinal "))) {
        compare_feature(c, SPORF_KIND_ORDINAL, rest);
    } else if ((rest = after(line, "value "))) {
        compare_value(c, rest);
    } else if ((rest = after(line, "classes "))) {
        compare_classes(c, rest);
    } else if ((rest = after(line, "target "))) {
        compare_target(c, rest);
    } else if ((rest = after(line, "left out "))) {
        compare_left_out(c, rest);
    } else if ((rest = after(line, "note "))) {
        compare_note(c, rest);
    } else {
        refuse(c, "'%s' is not known to this test", line);
    }
}

static void compare_line(comparison *c, const char *line) {
    const char *error = after(line, "error ");
    if (error) {
        c->refusal_expected = 1;
        EXPECT(c, !c->data, "the table was read");
        EXPECT(c, strstr(c->message, error), "the message is '%s'", c->message);
        return;
    }
    EXPECT(c, c->data, "the table was refused: %s", c->message);
    compare_table(c, line);
}

/* Nothing may be left that the expectations do not tell of. */
static void compare_counts(const comparison *c) {
    if (c->refusal_expected) return;
    EXPECT(c, c->rows_expected, "the number of rows is not told");
    EXPECT(c, c->features == sporf_dataset_features(c->data), "there are %zu features",
           sporf_dataset_features(c->data));
    EXPECT(c, c->left_out == left_out_count(c->data), "%zu columns were left out",
           left_out_count(c->data));
    EXPECT(c, c->notes == other_note_count(c->data), "there is another note: '%s'",
           other_note(c->data, c->notes)->text);
    EXPECT(c, c->targets == sporf_dataset_targets(c->data), "there are %zu targets",
           sporf_dataset_targets(c->data));
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void compare_block(const comparison *c, const sporf_dataset *block, size_t first) {
    EXPECT(c, first + block->rows <= c->data->rows, "blocks have more rows");
    EXPECT(c, block->features == c->data->features, "a block has %zu features", block->features);
    for (size_t j = 0; j < block->features; j++)
        for (size_t i = 0; i < block->rows; i++) {
            float value = block->columns[j][i], whole = c->data->columns[j][first + i];
            EXPECT(c, value == whole || (isnan(value) && isnan(whole)),
                   "row %zu, feature %zu: in blocks %g, as a whole %g", first + i + 1, j + 1,
                   (double)value, (double)whole);
        }
}

/* The rows again, a few at a time. Weights and targets are passed over by name. */
static void compare_blocks(const comparison *c, const char *path, const table_options *o,
                           size_t block_bytes) {
    sporf_read_options read = o->read;
    sporf_reader *reader = NULL;
    read.schema = sporf_dataset_schema(c->data);
    read.categorical_count = read.ordinal_count = read.targets_count = 0;
    read.weight = NULL;
    EXPECT(c, spf_reader_open(path, &read, block_bytes, &reader) == SPORF_OK, "in blocks: %s",
           sporf_last_error());
    size_t rows = 0;
    for (;;) {
        sporf_dataset *block = NULL;
        EXPECT(c, sporf_reader_next(reader, 3, &block) == SPORF_OK, "in blocks: %s",
               sporf_last_error());
        if (!block) break;
        compare_block(c, block, rows);
        rows += block->rows;
        sporf_dataset_free(block);
    }
    EXPECT(c, rows == c->data->rows, "in blocks there are %zu rows", rows);
    sporf_reader_free(reader);
}

/* ---- a table --------------------------------------------------------------------------------- */

/* The next line of expectations that says something; NULL after the last. */
static char *next_line(FILE *file, comparison *c, char line[LINE_MAX_BYTES]) {
    while (fgets(line, LINE_MAX_BYTES, file)) {
        c->line++;
        line[strcspn(line, "\n")] = '\0';
        if (*line && *line != '#') return line;
    }
    return NULL;
}

static void a_table_of_the_folder_is_read_as_expected(void **state) {
    comparison c = {.name = *state};
    char path[300], line[LINE_MAX_BYTES];
    table_options options = {.count = 0};
    sporf_read_options_init(&options.read);
    options.read.threads = 1;
    snprintf(path, sizeof path, FOLDER "%s.expected", c.name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const char *expected = next_line(file, &c, line);
    for (; expected && after(expected, "--"); expected = next_line(file, &c, line))
        add_option(&c, &options, expected);
    snprintf(path, sizeof path, FOLDER "%s.csv", c.name);
    if (sporf_dataset_read(path, &options.read, &c.data) != SPORF_OK)
        snprintf(c.message, sizeof c.message, "%s", sporf_last_error());
    for (; expected; expected = next_line(file, &c, line)) compare_line(&c, expected);
    compare_counts(&c);
    for (size_t bytes = 1; c.data && bytes < 10000; bytes *= 20)
        compare_blocks(&c, path, &options, bytes);
    sporf_dataset_free(c.data);
    fclose(file);
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const struct CMUnitTest *)left)->name,
                  ((const struct CMUnitTest *)right)->name);
}

/* One test for each file NAME.ending of the folder. */
static size_t list_tables(const char *ending, struct CMUnitTest *tests) {
    DIR *folder = opendir(FOLDER);
    size_t count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ending) != 0 || count == TABLES_MAX) continue;
        char *name = strndup(entry->d_name, (size_t)(dot - entry->d_name));
        tests[count++] = (struct CMUnitTest){.name = name,
                                             .test_func = a_table_of_the_folder_is_read_as_expected,
                                             .initial_state = name};
    }
    if (folder) closedir(folder);
    qsort(tests, count, sizeof *tests, by_name);
    return count;
}

static void free_names(struct CMUnitTest *tests, size_t count) {
    for (size_t i = 0; i < count; i++) free(tests[i].initial_state);
}

static void the_folder_has_its_tables_each_with_its_answer(void **state) {
    (void)state;
    static struct CMUnitTest tables[TABLES_MAX], answers[TABLES_MAX];
    size_t count = list_tables(".csv", tables), answered = list_tables(".expected", answers);
    assert_int_equal(count, answered);
    for (size_t i = 0; i < count; i++) assert_string_equal(tables[i].name, answers[i].name);
    free_names(tables, count);
    free_names(answers, answered);
    assert_true(count >= TABLES_MIN);
}

int main(void) {
    static struct CMUnitTest tests[TABLES_MAX + 1];
    size_t count = list_tables(".csv", tests);
    tests[count] =
        (struct CMUnitTest)cmocka_unit_test(the_folder_has_its_tables_each_with_its_answer);
    int failed = _cmocka_run_group_tests("office tables", tests, count + 1, NULL, NULL);
    free_names(tests, count);
    return failed;
}
