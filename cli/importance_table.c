/* A line for each feature or group, with the columns that there are, and a part for projections. */
#include "importance_table.h"

#include "cli.h"
#include "console.h"
#include "json.h"
#include "printed.h"
#include "terms.h"

#include <math.h>
#include <stdlib.h>

/* The key of a column in CSV and JSON, and its heading. */
static const struct {
    const char *key, *heading;
} columns[IMPORTANCE_COLUMNS] = {
    [COLUMN_IMPURITY] = {"importance", "importance"},
    [COLUMN_CORRECTED] = {"corrected", "corrected"},
    [COLUMN_P_VALUE] = {"p_value", "p-value"},
    [COLUMN_PERMUTATION] = {"permutation", "permutation"},
    [COLUMN_PERMUTATION_ERROR] = {"permutation_error", "std error"},
    [COLUMN_DROP] = {"drop_column", "drop-column"},
    [COLUMN_DROP_ERROR] = {"drop_column_error", "std error"},
};

static size_t shown_lines(const importance_table *table) {
    return table->lines.count < table->top ? table->lines.count : table->top;
}

/* ---- order ----------------------------------------------------------------------------------- */

enum { KEYS = 4 };

typedef struct {
    size_t line;
    double keys[KEYS]; /* the first one decides; NaN comes last */
} ranked_line;

static int compare_lines(const void *a, const void *b) {
    const ranked_line *left = a, *right = b;
    for (size_t k = 0; k < KEYS; k++) {
        double one = left->keys[k], other = right->keys[k];
        if (isnan(one) || isnan(other)) {
            if (isnan(one) != isnan(other)) return isnan(one) ? 1 : -1;
        } else if (one != other) {
            return one > other ? -1 : 1;
        }
    }
    return left->line < right->line ? -1 : left->line > right->line;
}

int importance_table_sort(importance_table *table) {
    static const importance_column keys[KEYS] = {COLUMN_DROP, COLUMN_PERMUTATION, COLUMN_CORRECTED,
                                                 COLUMN_IMPURITY};
    size_t count = table->lines.count;
    ranked_line *ranked = calloc(count, sizeof *ranked);
    if (!ranked) return 0;
    for (size_t i = 0; i < count; i++) {
        ranked[i].line = i;
        for (size_t k = 0; k < KEYS; k++)
            if (table->values[keys[k]]) ranked[i].keys[k] = table->values[keys[k]][i];
    }
    qsort(ranked, count, sizeof *ranked, compare_lines);
    for (size_t i = 0; i < count; i++) table->order[i] = ranked[i].line;
    free(ranked);
    return 1;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_more(FILE *stream, size_t more, const char *what) {
    char number[TEXT_NUMBER];
    if (more > 0) fprintf(stream, "and %s more %s\n", text_count(number, more), what);
}

static void write_number(FILE *stream, importance_column column, double value) {
    char number[TEXT_NUMBER];
    if (column == COLUMN_IMPURITY)
        fprintf(stream, "%10s  ", text_rate(number, value));
    else
        fprintf(stream, "%12s  ",
                column == COLUMN_P_VALUE || column == COLUMN_CORRECTED ? text_rate(number, value)
                                                                       : text_score(number, value));
}

static void write_features(out_file *file, const importance_table *table) {
    for (int c = 0; c < IMPORTANCE_COLUMNS; c++)
        if (table->values[c])
            fprintf(file->stream, "%*s  ", c == COLUMN_IMPURITY ? 10 : 12, columns[c].heading);
    fputs("feature\n", file->stream);
    for (size_t i = 0; i < shown_lines(table) && out_ok(file); i++) {
        for (int c = 0; c < IMPORTANCE_COLUMNS; c++)
            if (table->values[c])
                write_number(file->stream, (importance_column)c, table->values[c][table->order[i]]);
        feature_lines_print(file->stream, &table->lines, table->order[i]);
        fputc('\n', file->stream);
    }
    write_more(file->stream, table->lines.count - shown_lines(table), "features");
}

static void write_projections(out_file *file, const importance_table *table) {
    char number[TEXT_NUMBER];
    size_t count = table->ranking->count;
    fputs("\nimportance    splits  projection\n", file->stream);
    for (size_t i = 0; i < count && out_ok(file); i++) {
        const sporf_ranked *line = &table->ranking->projections[i];
        fprintf(file->stream, "%10s  ", text_rate(number, line->importance));
        fprintf(file->stream, "%8s  ", text_count(number, line->splits));
        terms_print(file->stream, table->forest, line->features, line->weights, line->terms);
        fputc('\n', file->stream);
    }
    write_more(file->stream, table->ranking->distinct - count, "projections");
}

void importance_table_text(out_file *file, const importance_table *table) {
    write_features(file, table);
    if (table->ranking) write_projections(file, table);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_number(FILE *stream, double value) {
    char number[TEXT_NUMBER];
    fprintf(stream, ",%s", isnan(value) ? "" : text_double(number, value));
}

static void csv_line(FILE *stream, const importance_table *table, size_t line) {
    fputs(line < table->lines.named ? "group," : "feature,", stream);
    feature_lines_csv(stream, &table->lines, line);
    for (int c = 0; c < IMPORTANCE_COLUMNS; c++)
        if (table->values[c]) csv_number(stream, table->values[c][line]);
    fputs(table->ranking ? ",\n" : "\n", stream);
}

static int csv_projection(FILE *stream, const importance_table *table, const sporf_ranked *line) {
    char *text = terms_text(table->forest, line);
    int whole = text != NULL;
    if (whole) {
        fputs("projection,", stream);
        text_csv_field(stream, text);
        csv_number(stream, line->importance);
        for (int c = COLUMN_IMPURITY + 1; c < IMPORTANCE_COLUMNS; c++)
            if (table->values[c]) fputc(',', stream);
        fprintf(stream, ",%llu\n", (unsigned long long)line->splits);
    } else {
        out_error("importance", "out of memory for a projection of %zu terms", line->terms);
    }
    free(text);
    return whole ? EXIT_DONE : EXIT_FAILED;
}

int importance_table_csv(out_file *file, const importance_table *table) {
    size_t projections = table->ranking ? table->ranking->count : 0;
    int code = EXIT_DONE;
    fputs("kind,name", file->stream);
    for (int c = 0; c < IMPORTANCE_COLUMNS; c++)
        if (table->values[c]) fprintf(file->stream, ",%s", columns[c].key);
    fputs(table->ranking ? ",splits\n" : "\n", file->stream);
    for (size_t i = 0; i < shown_lines(table) && out_ok(file); i++)
        csv_line(file->stream, table, table->order[i]);
    for (size_t i = 0; i < projections && out_ok(file) && code == EXIT_DONE; i++)
        code = csv_projection(file->stream, table, &table->ranking->projections[i]);
    return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void group_json(json *writer, const importance_table *table, size_t line) {
    const sporf_feature_group *group = &table->lines.groups[line];
    json_text(writer, "group", table->lines.names[line]);
    json_list(writer, "features");
    for (size_t i = 0; i < group->count; i++) json_count(writer, NULL, group->features[i]);
    json_end(writer);
}

static void line_json(json *writer, const importance_table *table, size_t line) {
    const sporf_schema *schema = sporf_forest_schema(table->forest);
    size_t feature = table->lines.groups[line].features[0];
    json_object(writer, NULL);
    json_line(writer);
    if (line < table->lines.named) {
        group_json(writer, table, line);
    } else {
        json_count(writer, "feature", feature);
        json_text(writer, "name", sporf_schema_feature_name(schema, feature));
    }
    for (int c = 0; c < IMPORTANCE_COLUMNS; c++)
        if (table->values[c]) json_double(writer, columns[c].key, table->values[c][line]);
    json_end(writer);
}

static void projections_json(out_file *file, json *writer, const importance_table *table) {
    json_count(writer, "distinct_projections", table->ranking->distinct);
    terms_sets_json(file, writer, table->forest);
    json_list(writer, "projections");
    for (size_t i = 0; i < table->ranking->count && out_ok(file); i++) {
        const sporf_ranked *line = &table->ranking->projections[i];
        json_object(writer, NULL);
        json_line(writer);
        terms_json(writer, line->features, line->weights, line->terms);
        json_double(writer, "importance", line->importance);
        json_count(writer, "splits", line->splits);
        json_end(writer);
    }
    json_end(writer);
}

void importance_table_json(out_file *file, const importance_table *table) {
    json writer;
    json_start(&writer, file->stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", table->path);
    json_count(&writer, "features", sporf_forest_features(table->forest));
    json_count(&writer, "trees", sporf_forest_trees(table->forest));
    json_list(&writer, "importances");
    for (size_t i = 0; i < shown_lines(table) && out_ok(file); i++)
        line_json(&writer, table, table->order[i]);
    json_end(&writer);
    if (table->ranking) projections_json(file, &writer, table);
    json_end(&writer);
}
