/* svmlight (libsvm) files: a label and the features that are not zero, one row a line:
 *
 *     +1 3:0.5 7:2 # a comment
 *
 * Feature numbers start at 1 unless the options say 0, come in any order and at most once in a row.
 * A qid pair is ignored. The file is read twice: for the size of the table, and to fill it.
 *
 * The label is the class or, if it is named as the target, the number to predict. */
#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"
#include "data/labels.h"
#include "read/columns.h"
#include "read/date.h"
#include "read/reader.h"
#include "read/recode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DETECTION_LINES = 1000 };

/* The name of the first number of each line. */
#define LABEL "label"

static const uint64_t index_max = (uint64_t)1 << 31;

/* A line without its comment and line end. */
typedef struct {
    const char *at, *end;
    const char *next; /* line */
} svm_line;

typedef struct {
    const char *begin, *end;
    uint64_t index;
    double value;
} svm_pair;

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(svm_line *line) {
    while (line->at < line->end && is_blank(*line->at)) line->at++;
}

/* The next line that is not blank; 0 at the end of the file. */
static int next_line(const spf_source *source, svm_line *line) {
    const char *end = source->bytes + source->size;
    while (line->next < end) {
        size_t left = (size_t)(end - line->next);
        const char *feed = memchr(line->next, '\n', left);
        line->at = line->next;
        line->end = feed ? feed : end;
        line->next = feed ? feed + 1 : end;
        const char *comment = memchr(line->at, '#', (size_t)(line->end - line->at));
        if (comment) line->end = comment;
        skip_blanks(line);
        if (line->at < line->end) return 1;
    }
    return 0;
}

static int next_token(svm_line *line, const char **begin, const char **end) {
    skip_blanks(line);
    *begin = line->at;
    while (line->at < line->end && !is_blank(*line->at)) line->at++;
    *end = line->at;
    return *end > *begin;
}

typedef enum { PAIR_GOOD, PAIR_NONE, PAIR_QUERY, PAIR_BAD, PAIR_LARGE_INDEX } pair_kind;

static pair_kind read_pair(svm_line *line, svm_pair *pair) {
    if (!next_token(line, &pair->begin, &pair->end)) return PAIR_NONE;
    size_t length = (size_t)(pair->end - pair->begin);
    if (length >= 4 && memcmp(pair->begin, "qid:", 4) == 0) return PAIR_QUERY;
    const char *p = pair->begin;
    for (pair->index = 0; p < pair->end && spf_is_digit(*p); p++)
        if (pair->index <= index_max) pair->index = pair->index * 10 + (uint64_t)(*p - '0');
    if (p == pair->begin || p >= pair->end || *p != ':') return PAIR_BAD;
    if (pair->index > index_max) return PAIR_LARGE_INDEX;
    return spf_number_read(p + 1, pair->end, &pair->value) ? PAIR_GOOD : PAIR_BAD;
}

/* The position before the first line. Only the start of a file has a byte order mark. */
static svm_line before_first(const spf_source *source) {
    const char *bytes = source->bytes;
    return (svm_line){.next = source->lines > 0 ? bytes : spf_skip_mark(bytes, source->size)};
}

/* The kinds of lines. */
typedef enum { ROW_GOOD, ROW_LABEL, ROW_BROKEN, ROW_NONE } row_kind;

/* Tables of other formats have dates, and a time of day looks like a pair. A row with a good first
 * pair and a bad one later may be either. */
static row_kind kind_of_row(svm_line line) {
    const char *begin, *end;
    svm_pair pair;
    double value;
    next_token(&line, &begin, &end);
    int number = spf_number_read(begin, end, &value);
    size_t length = (size_t)(end - begin);
    if (memchr(begin, ':', length) || (!number && spf_is_date(begin, length))) return ROW_NONE;
    pair_kind kind = read_pair(&line, &pair);
    if (kind == PAIR_NONE) return number ? ROW_LABEL : ROW_NONE;
    if (kind == PAIR_BAD) return ROW_NONE;
    while (kind != PAIR_NONE && kind != PAIR_BAD) kind = read_pair(&line, &pair);
    return kind == PAIR_NONE ? ROW_GOOD : number ? ROW_BROKEN : ROW_NONE;
}

/* The first good row decides, unless a line that cannot be a row, such as a header, precedes it.
 * Lines with a single number are skipped: a row of zeros looks like that. */
int spf_is_svmlight(const spf_source *source) {
    svm_line line = before_first(source);
    for (int i = 0; i < DETECTION_LINES && next_line(source, &line); i++) {
        row_kind kind = kind_of_row(line);
        if (kind == ROW_GOOD || kind == ROW_NONE) return kind == ROW_GOOD;
    }
    return 0;
}

typedef struct {
    const spf_source *source;
    const sporf_read_options *options;
    size_t rows, features;
    uint32_t *seen; /* [features]: 1 + the last row with it */
    uint32_t *codes;
    spf_dictionary words;
    float *targets; /* instead of labels; NULL in classification */
    sporf_dataset *data;
} svm_reader;

static void describe_place(const svm_reader *reader, const svm_line *line,
                           char place[SPF_PLACE_MAX]) {
    const char *file;
    size_t number = spf_source_line(reader->source, '\n', line->at, &file);
    snprintf(place, SPF_PLACE_MAX, SPF_FILE_CUT " " SPF_LINE, file, number);
}

/* Reports what is wrong with a pair that is not index:number. */
static sporf_status raise_pair(const svm_reader *reader, const svm_line *line,
                               const svm_pair *pair) {
    char place[SPF_PLACE_MAX + 32], shown[SPF_EXCERPT_MAX];
    describe_place(reader, line, place);
    const char *colon = memchr(pair->begin, ':', (size_t)(pair->end - pair->begin));
    int has_index = colon && colon > pair->begin;
    for (const char *p = pair->begin; has_index && p < colon; p++) has_index = spf_is_digit(*p);
    if (!has_index)
        return spf_raise(SPORF_ERROR_DATA, "%s: '%s' is not of the form feature:value", place,
                         spf_excerpt(pair->begin, (size_t)(pair->end - pair->begin), shown));
    size_t used = strlen(place), length = (size_t)(colon - pair->begin);
    snprintf(place + used, sizeof place - used, ", feature %s",
             spf_excerpt(pair->begin, length < 12 ? length : 12, shown));
    return spf_raise_cell(place, colon + 1, (size_t)(pair->end - colon) - 1);
}

static sporf_status raise_feature_zero(const svm_reader *reader, const svm_line *line) {
    char place[SPF_PLACE_MAX];
    describe_place(reader, line, place);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: feature 0, but features are numbered from 1" SPF_HINT
                     "if the file counts from 0, say so (" SPF_OPTION("zero-based") ")",
                     place);
}

/* The feature, from 0, that a good pair belongs to. */
static sporf_status place_pair(const svm_reader *reader, const svm_line *line, const svm_pair *pair,
                               size_t *feature) {
    size_t from = reader->options->zero_based ? 0 : 1;
    if (pair->index < from) return raise_feature_zero(reader, line);
    if (!spf_double_ok(pair->value)) return raise_pair(reader, line, pair);
    *feature = (size_t)pair->index - from;
    return SPORF_OK;
}

/* The next pair with a feature; *found is 0 at the end of the line. */
static sporf_status next_feature(const svm_reader *reader, svm_line *line, svm_pair *pair,
                                 size_t *feature, int *found) {
    pair_kind kind;
    do kind = read_pair(line, pair);
    while (kind == PAIR_QUERY);
    *found = kind == PAIR_GOOD;
    if (kind == PAIR_GOOD) return place_pair(reader, line, pair, feature);
    if (kind == PAIR_BAD) return raise_pair(reader, line, pair);
    if (kind == PAIR_LARGE_INDEX) {
        char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX];
        describe_place(reader, line, place);
        return spf_raise(SPORF_ERROR_DATA, "%s: the feature number in '%s' is beyond %llu", place,
                         spf_excerpt(pair->begin, (size_t)(pair->end - pair->begin), shown),
                         (unsigned long long)index_max);
    }
    return SPORF_OK;
}

/* A number is written as in other formats: "+1" and "1.0" are the class 1. */
static sporf_status read_label(svm_reader *reader, svm_line *line, uint32_t *code) {
    char place[SPF_PLACE_MAX], shown[SPF_EXCERPT_MAX], text[SPF_NUMBER_TEXT_MAX];
    const char *begin, *end;
    double value;
    next_token(line, &begin, &end);
    size_t length = (size_t)(end - begin);
    if (memchr(begin, ':', length) || memchr(begin, '\0', length) ||
        spf_is_missing(begin, length)) {
        describe_place(reader, line, place);
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: '%s' where the label of the row should be" SPF_HINT
                         "svmlight lines are: label feature:value ...",
                         place, spf_excerpt(begin, length, shown));
    }
    if (spf_number_read(begin, end, &value) && spf_double_ok(value)) {
        length = spf_number_write_double(value + 0.0, text);
        begin = text;
    }
    return spf_dictionary_add(&reader->words, begin, length, code);
}

static sporf_status read_target(svm_reader *reader, svm_line *line, float *target) {
    char place[SPF_PLACE_MAX + 32];
    const char *begin, *end;
    double value;
    next_token(line, &begin, &end);
    if (spf_number_read(begin, end, &value) && spf_double_ok(value)) {
        *target = (float)value;
        return SPORF_OK;
    }
    describe_place(reader, line, place);
    strcat(place, ", label");
    return spf_raise_cell(place, begin, (size_t)(end - begin));
}

/* At least the features that are asked for, and those in a schema. */
static size_t least_features(const sporf_read_options *options) {
    size_t least = options->svmlight_features;
    if (!options->schema || !spf_all_integers(&options->schema->names)) return least;
    for (size_t i = 0; i < options->schema->names.count; i++) {
        size_t number = strtoull(spf_strings_at(&options->schema->names, i), NULL, 10);
        if (number > least && number <= index_max) least = number;
    }
    return least;
}

/* Counts rows and features and, on the way, checks everything but duplicates and labels. */
static sporf_status measure(svm_reader *reader) {
    svm_line line = before_first(reader->source);
    reader->features = least_features(reader->options);
    while (next_line(reader->source, &line)) {
        const char *begin, *end;
        svm_pair pair;
        size_t feature = 0;
        int found = 1;
        next_token(&line, &begin, &end);
        for (;;) {
            SPF_TRY(next_feature(reader, &line, &pair, &feature, &found));
            if (!found) break;
            if (feature >= reader->features) reader->features = feature + 1;
        }
        reader->rows++;
    }
    if (reader->rows == 0)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": the file is empty", reader->source->name);
    if (reader->features == 0)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": no row has a feature", reader->source->name);
    return SPORF_OK;
}

static sporf_status fill_row(svm_reader *reader, svm_line *line, size_t row) {
    svm_pair pair;
    size_t feature = 0;
    int found = 1;
    if (reader->targets)
        SPF_TRY(read_target(reader, line, &reader->targets[row]));
    else
        SPF_TRY(read_label(reader, line, &reader->codes[row]));
    for (;;) {
        SPF_TRY(next_feature(reader, line, &pair, &feature, &found));
        if (!found) return SPORF_OK;
        if (reader->seen[feature] == row + 1) {
            char place[SPF_PLACE_MAX];
            describe_place(reader, line, place);
            return spf_raise(SPORF_ERROR_DATA, "%s: feature %llu comes twice", place,
                             (unsigned long long)pair.index);
        }
        reader->seen[feature] = (uint32_t)row + 1;
        spf_dataset_column(reader->data, feature)[row] = (float)pair.value;
    }
}

static sporf_status take_targets(svm_reader *reader) {
    SPF_TRY(spf_strings_add(&reader->data->schema.target_names, LABEL, strlen(LABEL)));
    reader->data->targets = 1;
    reader->data->target_storage = reader->targets;
    reader->targets = NULL;
    return SPORF_OK;
}

static sporf_status take_labels(svm_reader *reader) {
    SPF_TRY(spf_dataset_take_labels(reader->data, &reader->words, reader->codes));
    reader->codes = NULL;
    return SPORF_OK;
}

/* Memory besides the table: row numbers for each feature, targets or labels for each row, and plans
 * for the features if options or a schema describe them. */
static uint64_t bytes_beside(const svm_reader *reader) {
    const sporf_read_options *options = reader->options;
    int plans = spf_asks_for_columns(options) || (options->schema && options->schema->kinds);
    uint64_t of_feature =
        sizeof *reader->seen + (plans ? sizeof(spf_column_plan) + sizeof(size_t) : 0);
    return reader->features < UINT64_MAX / of_feature ? reader->features * of_feature : UINT64_MAX;
}

static sporf_status allocate(svm_reader *reader) {
    SPF_TRY(spf_dataset_create(reader->rows, reader->features, &reader->data));
    reader->seen = spf_alloc_zero(reader->features, sizeof *reader->seen);
    reader->codes = spf_alloc(reader->rows, sizeof *reader->codes);
    if (reader->options->targets_count > 0)
        reader->targets = spf_alloc(reader->rows, sizeof *reader->targets);
    if (!reader->seen || !reader->codes || (reader->options->targets_count > 0 && !reader->targets))
        return spf_raise_memory();
    memset(reader->data->storage, 0, reader->rows * reader->features * sizeof(float));
    return SPORF_OK;
}

static sporf_status fill(svm_reader *reader) {
    svm_line line = before_first(reader->source);
    sporf_read_options of_features = *reader->options;
    of_features.targets_count = 0;
    SPF_TRY(allocate(reader));
    for (size_t row = 0; next_line(reader->source, &line); row++)
        SPF_TRY(fill_row(reader, &line, row));
    SPF_TRY(spf_apply_columns(reader->data, reader->source->name, SPF_NO_COLUMN, &of_features));
    return reader->targets ? take_targets(reader) : take_labels(reader);
}

/* A feature cannot be a target: svmlight files store the target in place of the label. */
static sporf_status check_targets(const svm_reader *reader) {
    char shown[SPF_EXCERPT_MAX];
    const sporf_read_options *options = reader->options;
    if (options->labels_count > 0)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": an svmlight file has one label, not several columns of them",
                         reader->source->name);
    for (size_t i = 0; i < options->targets_count; i++)
        if (strcmp(options->targets[i], LABEL) != 0 || i > 0)
            return spf_raise(
                SPORF_ERROR_DATA,
                SPF_FILE
                ": no target column '%s'" SPF_HINT
                "the targets of an svmlight file are in place of the labels: " SPF_OPTION_AS(
                    "target", LABEL),
                reader->source->name,
                spf_excerpt(options->targets[i], strlen(options->targets[i]), shown));
    return SPORF_OK;
}

int spf_svmlight_has_rows(const spf_source *source) {
    svm_line line = before_first(source);
    return next_line(source, &line);
}

sporf_status spf_read_svmlight(const spf_source *source, const sporf_read_options *options,
                               sporf_dataset **out) {
    svm_reader reader = {.source = source, .options = options};
    if (options->kept_count > 0)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": an svmlight file has no columns that could be kept",
                         source->name);
    sporf_status status = check_targets(&reader);
    if (status == SPORF_OK) status = measure(&reader);
    if (status == SPORF_OK)
        status = spf_source_check_memory(source, reader.rows, reader.features,
                                         bytes_beside(&reader), options->max_memory);
    if (status == SPORF_OK) status = fill(&reader);
    if (status != SPORF_OK)
        sporf_dataset_free(reader.data);
    else
        *out = reader.data;
    free(reader.seen);
    free(reader.codes);
    free(reader.targets);
    spf_dictionary_free(&reader.words);
    return status;
}
