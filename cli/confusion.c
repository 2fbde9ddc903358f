/* The confusion matrix, as a table or as JSON. */
#include "confusion.h"

#include "printed.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLASSES_SHOWN = 20,
    NAME_MAX_COLUMNS = 20,
    CELL_MIN = 6,
    CELL_CUT = 12,
    WIDTH_MAX = 100,
    RECALL_COLUMNS = 9
};

static size_t row_total(const size_t *row, size_t classes) {
    size_t total = 0;
    for (size_t j = 0; j < classes; j++) total += row[j];
    return total;
}

/* The recall of a class; NaN for a class without rows. */
static double recall(const size_t *counts, size_t classes, size_t class_index) {
    const size_t *row = counts + class_index * classes;
    return (double)row[class_index] / (double)row_total(row, classes);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void row_json(json *writer, const char *key, const size_t *row, size_t classes) {
    json_list(writer, key);
    json_line(writer);
    for (size_t j = 0; j < classes; j++) json_count(writer, NULL, row[j]);
    json_end(writer);
}

void confusion_json(json *writer, const sporf_forest *forest, const size_t *counts) {
    size_t classes = sporf_forest_classes(forest);
    json_list(writer, "classes");
    json_line(writer);
    for (size_t i = 0; i < classes; i++)
        json_text(writer, NULL, sporf_schema_class_name(sporf_forest_schema(forest), i));
    json_end(writer);
    json_list(writer, "recall");
    json_line(writer);
    for (size_t i = 0; i < classes; i++) json_double(writer, NULL, recall(counts, classes, i));
    json_end(writer);
    json_list(writer, "confusion");
    for (size_t i = 0; i < classes; i++) row_json(writer, NULL, counts + i * classes, classes);
    json_end(writer);
    row_json(writer, "unknown_confusion", counts + classes * classes, classes);
}

/* ---- text ------------------------------------------------------------------------------------ */

static int columns_of(const char *text) {
    int columns = 0;
    for (; *text; text++) columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* Width of the names on the left, at most NAME_MAX_COLUMNS. */
static int name_columns(const sporf_forest *forest) {
    int widest = larger(CELL_MIN, columns_of("(unknown)"));
    for (size_t i = 0; i < sporf_forest_classes(forest); i++)
        widest =
            larger(widest, columns_of(sporf_schema_class_name(sporf_forest_schema(forest), i)));
    return widest < NAME_MAX_COLUMNS ? widest : NAME_MAX_COLUMNS;
}

/* Width of a cell of the matrix: for the largest count, and for the names above up to `most`. */
static int cell_columns(const sporf_forest *forest, const size_t *counts, int most) {
    size_t classes = sporf_forest_classes(forest), largest = 0;
    for (size_t i = 0; i < (classes + 1) * classes; i++)
        if (counts[i] > largest) largest = counts[i];
    char number[TEXT_NUMBER];
    int widest = larger(CELL_MIN, columns_of(text_count(number, largest)));
    for (size_t i = 0; i < classes; i++)
        widest =
            larger(widest, columns_of(sporf_schema_class_name(sporf_forest_schema(forest), i)));
    return (widest < most ? widest : most) + 2;
}

static void print_recall(FILE *stream, double value) {
    char number[TEXT_NUMBER];
    fprintf(stream, "%*s", RECALL_COLUMNS, text_rate(number, value));
}

static void print_matrix_row(FILE *stream, const char *name, int name_width, const size_t *row,
                             size_t classes, int cell) {
    char number[TEXT_NUMBER];
    text_cell(stream, name, -name_width);
    for (size_t j = 0; j < classes; j++) fprintf(stream, "%*s", cell, text_count(number, row[j]));
}

static void print_matrix(FILE *stream, const sporf_forest *forest, const size_t *counts,
                         int name_width, int cell) {
    size_t classes = sporf_forest_classes(forest);
    fprintf(stream, "%*s  predicted\n", name_width, "");
    text_cell(stream, "true", -name_width);
    for (size_t j = 0; j < classes; j++) {
        fputs("  ", stream);
        text_cell(stream, sporf_schema_class_name(sporf_forest_schema(forest), j), cell - 2);
    }
    fprintf(stream, "%*s\n", RECALL_COLUMNS, "recall");
    for (size_t i = 0; i < classes; i++) {
        print_matrix_row(stream, sporf_schema_class_name(sporf_forest_schema(forest), i),
                         name_width, counts + i * classes, classes, cell);
        print_recall(stream, recall(counts, classes, i));
        fputc('\n', stream);
    }
    const size_t *unknown = counts + classes * classes;
    if (row_total(unknown, classes) == 0) return;
    print_matrix_row(stream, "(unknown)", name_width, unknown, classes, cell);
    fputc('\n', stream);
}

typedef struct {
    size_t index;
    double recall; /* 2 for a class without rows, which goes last */
} ranked;

static int by_recall(const void *a, const void *b) {
    const ranked *left = a, *right = b;
    if (left->recall != right->recall) return left->recall < right->recall ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

static ranked *rank_classes(const size_t *counts, size_t classes) {
    ranked *order = malloc(classes * sizeof *order);
    for (size_t i = 0; order && i < classes; i++) {
        double value = recall(counts, classes, i);
        order[i] = (ranked){i, value >= 0 ? value : 2};
    }
    if (order && classes > CLASSES_SHOWN) qsort(order, classes, sizeof *order, by_recall);
    return order;
}

/* The class that most wrong rows of a class were predicted as; the class itself if none is
 * wrong. */
static size_t mistaken_for(const size_t *row, size_t classes, size_t class_index) {
    size_t most = class_index;
    for (size_t j = 0; j < classes; j++)
        if (j != class_index && row[j] > (most == class_index ? 0 : row[most])) most = j;
    return most;
}

static void print_class(FILE *stream, const sporf_forest *forest, const size_t *counts, size_t i,
                        int name_width) {
    size_t classes = sporf_forest_classes(forest), other;
    const size_t *row = counts + i * classes;
    char number[TEXT_NUMBER];
    text_cell(stream, sporf_schema_class_name(sporf_forest_schema(forest), i), -name_width);
    fprintf(stream, "%12s", text_count(number, row_total(row, classes)));
    print_recall(stream, recall(counts, classes, i));
    if ((other = mistaken_for(row, classes, i)) != i) {
        fputs("  ", stream);
        text_cell(stream, sporf_schema_class_name(sporf_forest_schema(forest), other), -name_width);
        fprintf(stream, " (%s)", text_count(number, row[other]));
    }
    fputc('\n', stream);
}

static void print_classes(FILE *stream, const sporf_forest *forest, const size_t *counts,
                          int name_width) {
    size_t classes = sporf_forest_classes(forest);
    size_t shown = classes < CLASSES_SHOWN ? classes : CLASSES_SHOWN;
    ranked *order = rank_classes(counts, classes);
    if (!order) return;
    if (shown < classes)
        fprintf(stream, "The %zu of %zu classes with the lowest recall (--json has all):\n", shown,
                classes);
    text_cell(stream, "true", -name_width);
    fprintf(stream, "%12s%*s  most often taken for\n", "rows", RECALL_COLUMNS, "recall");
    for (size_t k = 0; k < shown; k++)
        print_class(stream, forest, counts, order[k].index, name_width);
    free(order);
}

void confusion_text(FILE *stream, const sporf_forest *forest, const size_t *counts) {
    size_t classes = sporf_forest_classes(forest);
    int name_width = name_columns(forest);
    for (int most = NAME_MAX_COLUMNS; most >= CELL_CUT; most -= NAME_MAX_COLUMNS - CELL_CUT) {
        int cell = cell_columns(forest, counts, most);
        if ((size_t)name_width + classes * (size_t)cell + RECALL_COLUMNS > WIDTH_MAX) continue;
        print_matrix(stream, forest, counts, name_width, cell);
        return;
    }
    print_classes(stream, forest, counts, name_width);
}
