/* The levels of a CSV file's columns: merges the texts of the chunks, sorts and numbers them, and
 * marks columns whose texts carry no information. */
#include "read/csv_parts.h"

#include "base/parallel.h"
#include "base/text.h"
#include "data/cell.h"
#include "read/date.h"
#include "read/mixed_units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDENTIFIER_CELLS = 20 };

sporf_status spf_csv_merge_words(const spf_dictionary *of_chunk, spf_dictionary *merged,
                                 uint32_t **map, size_t *capacity) {
    const spf_strings *words = &of_chunk->words;
    SPF_TRY(SPF_RESERVE(*map, *capacity, words->count));
    for (size_t k = 0; k < words->count; k++) {
        const char *word = spf_strings_at(words, k);
        SPF_TRY(spf_dictionary_add(merged, word, strlen(word), &(*map)[k]));
    }
    return SPORF_OK;
}

/* What was found out about one column. */
typedef struct {
    spf_strings levels;
    sporf_left_out useless;                  /* why the column is left out */
    int doubtful;                            /* more numbers than texts */
    int too_many;                            /* more levels than can be numbered */
    char measure[3 * SPF_EXCERPT_MAX + 120]; /* why numbers with units are read as text; or "" */
    const char *measure_advice;
    size_t scattered;           /* distinct texts, if too many to be informative; or 0 */
    char dash[SPF_EXCERPT_MAX]; /* the first text that would be a missing value among numbers; or ""
                                 */
} column_levels;

typedef struct {
    const spf_csv_layout *layout;
    const spf_csv_chunk *chunks;
    size_t count;
    sporf_dataset *data;
    const spf_csv_column **columns; /* [coded] */
    column_levels *found;           /* [coded] */
} level_job;

/* Renumbers the values of the rows: map[code]. */
static void renumber(float *values, size_t rows, const uint32_t *map) {
    for (size_t i = 0; i < rows; i++)
        if (!isnan(values[i])) values[i] = (float)map[(size_t)values[i]];
}

static sporf_status merge_chunks(const level_job *job, const spf_csv_column *column, float *values,
                                 spf_dictionary *merged, int *too_many) {
    uint32_t *map = NULL;
    size_t capacity = 0;
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < job->count; i++) {
        const spf_csv_chunk *chunk = &job->chunks[i];
        status = spf_csv_merge_words(&chunk->texts[column->coded], merged, &map, &capacity);
        *too_many = merged->words.count > SPF_LEVELS_MAX;
        if (*too_many) break;
        if (status == SPORF_OK) renumber(values + chunk->first_row, chunk->rows, map);
    }
    free(map);
    return status;
}

/* Counts of a column's cells by their texts. */
typedef struct {
    size_t cells, numbers, texts, dates;
    size_t no_dates; /* texts that mean a missing date */
    size_t dashes;   /* dashes and the like: missing values if all other cells are numbers */
} text_count;

static void count_texts(const spf_strings *words, const uint32_t *cells, text_count *count) {
    for (size_t i = 0; i < words->count; i++) {
        const char *word = spf_strings_at(words, i);
        size_t length = strlen(word);
        count->cells += cells[i];
        if (spf_is_missing(word, length)) continue; /* in quotes: counts as neither */
        if (spf_is_bare_number(word, length) || spf_is_infinite(word, length))
            count->numbers += cells[i];
        else
            count->texts += cells[i];
        if (spf_may_be_missing(word, length)) count->dashes += cells[i];
        if (spf_is_date(word, length)) count->dates += cells[i];
        if (spf_is_missing_date(word, length)) count->no_dates += cells[i];
    }
}

/* Checks a column whose kind is not given. */
static void check_texts(const spf_csv_layout *layout, const text_count *count, size_t words,
                        size_t rows, column_levels *found) {
    size_t cells = count->cells - count->no_dates;
    int dates = count->dates > 0 && count->dates * 100 >= cells * 99;
    found->doubtful = count->texts < count->numbers || (dates && layout->dates);
    if (dates)
        found->useless = SPORF_LEFT_OUT_DATES;
    else if (words == count->cells && words >= IDENTIFIER_CELLS)
        found->useless = *found->measure ? SPORF_LEFT_OUT_UNITS : SPORF_LEFT_OUT_IDENTIFIER;
    else if (words * 2 > rows && words >= IDENTIFIER_CELLS && !*found->measure)
        found->scattered = words;
}

static void describe_measure(const spf_strings *words, const uint32_t *cells,
                             column_levels *found) {
    char one[SPF_EXCERPT_MAX], other[SPF_EXCERPT_MAX];
    spf_mixed_units measure = spf_find_mixed_units(words, cells);
    if (!measure.one) return;
    spf_excerpt(measure.one, strlen(measure.one), one);
    spf_excerpt(measure.other, strlen(measure.other), other);
    if (measure.is_word)
        snprintf(found->measure, sizeof found->measure,
                 "'%s' is not a number like '%s'" SPF_HINT
                 "if it means a missing value, say so (" SPF_OPTION_AS("missing", "%s") ")",
                 other, one, other);
    else
        snprintf(found->measure, sizeof found->measure,
                 "not all of its numbers have the same sign or unit ('%s', '%s')", one, other);
    found->measure_advice =
        measure.is_word ? "" : SPF_HINT "write them alike to use them as numbers";
}

static sporf_status check_words(const spf_csv_layout *layout, const spf_strings *words,
                                const float *values, size_t rows, column_levels *found) {
    text_count count = {0};
    uint32_t *cells = spf_alloc_zero(words->count, sizeof *cells);
    if (!cells) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++)
        if (!isnan(values[i])) cells[(size_t)values[i]]++;
    count_texts(words, cells, &count);
    describe_measure(words, cells, found);
    check_texts(layout, &count, words->count, rows, found);
    for (size_t i = 0; count.numbers > 0 && count.texts == count.dashes && i < words->count; i++) {
        const char *word = spf_strings_at(words, i);
        if (!*found->dash && spf_may_be_missing(word, strlen(word)))
            spf_excerpt(word, strlen(word), found->dash);
    }
    free(cells);
    return SPORF_OK;
}

static sporf_status order_words(const spf_dictionary *merged, float *values, size_t rows,
                                column_levels *found) {
    uint32_t *place = spf_alloc(merged->words.count, sizeof *place);
    if (!place) return spf_raise_memory();
    sporf_status status = spf_dictionary_order(merged, &found->levels, place);
    if (status == SPORF_OK) renumber(values, rows, place);
    free(place);
    return status;
}

static sporf_status finish_column(void *context, size_t item, unsigned worker) {
    (void)worker;
    level_job *job = context;
    const spf_csv_column *column = job->columns[item];
    column_levels *found = &job->found[item];
    float *values = spf_dataset_column(job->data, column->place);
    spf_dictionary merged = {0};
    if (column->known) return spf_strings_copy(&column->known->words, &found->levels);
    sporf_status status = merge_chunks(job, column, values, &merged, &found->too_many);
    if (status == SPORF_OK && !found->too_many && spf_csv_infers(job->layout, column))
        status = check_words(job->layout, &merged.words, values, job->data->rows, found);
    if (status == SPORF_OK && !found->too_many && !found->useless && !found->doubtful)
        status = order_words(&merged, values, job->data->rows, found);
    spf_dictionary_free(&merged);
    return status;
}

static sporf_status raise_too_many(const level_job *job, const spf_csv_column *column) {
    const spf_csv_fault fault = {.kind = SPF_CSV_LEVELS, .column = column->column};
    return spf_csv_raise(job->layout->source, job->layout, &fault);
}

/* An order that is not given must be that of integers. */
static sporf_status check_order(const level_job *job, const spf_csv_column *column,
                                const spf_strings *levels) {
    if (column->kind != SPORF_KIND_ORDINAL || column->known || spf_all_integers(levels))
        return SPORF_OK;
    char name[SPF_EXCERPT_MAX], list[SPF_LIST_MAX], number[32];
    const char *given = spf_csv_name(job->layout, column->column, number);
    spf_excerpt(given, strlen(given), name);
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": the values of column '%s' are not all whole numbers, so their "
                              "order is not clear (%s)" SPF_HINT
                              "list them in order: " SPF_OPTION_AS("ordinal", "%s=low<medium<high"),
                     job->layout->source->name, name, spf_columns_list(levels, list), name);
}

static sporf_status note_measure(const level_job *job, const spf_csv_column *column,
                                 const column_levels *found) {
    char number[32], shown[SPF_NAME_TEXT_MAX];
    const char *name = spf_csv_name(job->layout, column->column, number);
    return spf_notes_add(&job->data->notes, SPORF_NOTE_CATEGORY, name,
                         "column '%s' is read as text: %s%s", spf_name_text(name, shown),
                         found->measure, found->measure_advice);
}

static sporf_status note_dash(const level_job *job, const spf_csv_column *column,
                              const char *dash) {
    char number[32], shown[SPF_NAME_TEXT_MAX];
    const char *name = spf_csv_name(job->layout, column->column, number);
    return spf_notes_add(
        &job->data->notes, SPORF_NOTE_CATEGORY, name,
        "column '%s' has numbers, and '%s' in most cells, and is read as a "
        "category" SPF_HINT
        "if '%s' means a missing value, say so (" SPF_OPTION_AS("missing", "%s") ")",
        spf_name_text(name, shown), dash, dash, dash);
}

static sporf_status note_scattered(const level_job *job, const spf_csv_column *column,
                                   size_t texts) {
    char number[32], shown[SPF_NAME_TEXT_MAX];
    const char *name = spf_csv_name(job->layout, column->column, number);
    return spf_notes_add(&job->data->notes, SPORF_NOTE_LEVELS, name,
                         "column '%s' has %zu different texts in %zu rows: it carries little "
                         "information" SPF_HINT "leave it out with " SPF_OPTION_AS("ignore", "%s"),
                         spf_name_text(name, shown), texts, job->data->rows, shown);
}

static sporf_status leave_out(const level_job *job, const char *name, const column_levels *found) {
    const char *words = found->useless == SPORF_LEFT_OUT_DATES
                            ? "dates (" SPF_OPTION("dates") " makes features of them)"
                        : found->useless == SPORF_LEFT_OUT_UNITS
                            ? found->measure
                            : "an identifier: every value is different";
    return spf_notes_leave_out(&job->data->notes, found->useless, name, words);
}

/* Stores the levels, or leaves the column out. */
static sporf_status store_column(const level_job *job, size_t item, spf_column_plan *plan) {
    const spf_csv_column *column = job->columns[item];
    column_levels *found = &job->found[item];
    char number[32];
    if (found->too_many) return raise_too_many(job, column);
    if (*found->measure && !found->useless) SPF_TRY(note_measure(job, column, found));
    if (found->scattered > 0) SPF_TRY(note_scattered(job, column, found->scattered));
    if (*found->dash) SPF_TRY(note_dash(job, column, found->dash));
    if (found->useless) {
        plan[column->place].use = SPF_USE_NONE;
        return leave_out(job, spf_csv_name(job->layout, column->column, number), found);
    }
    SPF_TRY(check_order(job, column, &found->levels));
    return spf_schema_set_levels(&job->data->schema, job->data->features, column->place,
                                 column->kind, &found->levels);
}

static sporf_status finish_all(level_job *job, unsigned workers, spf_column_plan *plan,
                               int *doubtful) {
    size_t coded = job->layout->coded;
    SPF_TRY(spf_parallel(coded, workers, finish_column, job));
    for (size_t i = 0; i < coded && !job->layout->resolved; i++)
        *doubtful |= job->found[i].doubtful;
    for (size_t i = 0; i < coded && !*doubtful; i++) SPF_TRY(store_column(job, i, plan));
    return SPORF_OK;
}

sporf_status spf_csv_finish_levels(const spf_csv_layout *layout, const spf_csv_chunk *chunks,
                                   size_t count, unsigned workers, sporf_dataset *data,
                                   spf_column_plan *plan, int *doubtful) {
    level_job job = {.layout = layout, .chunks = chunks, .count = count, .data = data};
    *doubtful = 0;
    if (layout->coded == 0) return SPORF_OK;
    job.columns = spf_alloc(layout->coded, sizeof *job.columns);
    job.found = spf_alloc_zero(layout->coded, sizeof *job.found);
    sporf_status status = job.columns && job.found ? SPORF_OK : spf_raise_memory();
    for (size_t i = 0; status == SPORF_OK && i < layout->features; i++)
        if (layout->read[i].kind != SPORF_KIND_NUMBER)
            job.columns[layout->read[i].coded] = &layout->read[i];
    if (status == SPORF_OK) status = finish_all(&job, workers, plan, doubtful);
    for (size_t i = 0; job.found && i < layout->coded; i++) spf_strings_free(&job.found[i].levels);
    free(job.found);
    free(job.columns);
    return status;
}
