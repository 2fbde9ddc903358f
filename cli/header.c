/* Equal names are found by sorting, since there may be as many as classes. A number behind a name
 * never collides with another numbered column, since their names would have been equal. */
#include "header.h"

#include "printed.h"

#include <stdlib.h>
#include <string.h>

struct header_name {
    char *text;
    size_t place;
    int main;
    unsigned number; /* 0: the name needs none */
};

void header_add(header *line, int main, const char *name, const char *middle, const char *end) {
    size_t room = strlen(name) + strlen(middle) + strlen(end) + 1;
    if (line->count == line->capacity && !line->failed) {
        size_t capacity = line->capacity * 2 + 8;
        struct header_name *columns = realloc(line->columns, capacity * sizeof *columns);
        line->failed = columns == NULL;
        if (columns) line->columns = columns;
        if (columns) line->capacity = capacity;
    }
    char *text = line->failed ? NULL : malloc(room);
    line->failed |= text == NULL;
    if (line->failed) return;
    snprintf(text, room, "%s%s%s", name, middle, end);
    line->columns[line->count] = (struct header_name){text, line->count, main, 0};
    line->count++;
}

int header_has(const header *line, size_t from, const char *name) {
    for (size_t i = from; i < line->count; i++)
        if (strcmp(line->columns[i].text, name) == 0) return 1;
    return 0;
}

static int by_name(const void *a, const void *b) {
    const struct header_name *x = *(struct header_name *const *)a;
    const struct header_name *y = *(struct header_name *const *)b;
    int order = strcmp(x->text, y->text);
    if (order == 0) order = y->main - x->main;
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

static int against_name(const void *text, const void *item) {
    return strcmp(text, (*(struct header_name *const *)item)->text);
}

/* The next number that does not give another column's name; 0 if memory runs out. */
static unsigned next_number(struct header_name *const *sorted, size_t count, const char *name,
                            unsigned number) {
    size_t room = strlen(name) + TEXT_NUMBER;
    char *text = malloc(room);
    int taken = text != NULL;
    while (taken) {
        snprintf(text, room, "%s_%u", name, ++number);
        taken = bsearch(text, sorted, count, sizeof *sorted, against_name) != NULL;
    }
    free(text);
    return text ? number : 0;
}

static void number_clashes(header *line, struct header_name **sorted) {
    unsigned number = 1;
    for (size_t i = 1; i < line->count && !line->failed; i++) {
        if (strcmp(sorted[i]->text, sorted[i - 1]->text) != 0) {
            number = 1;
            continue;
        }
        number = next_number(sorted, line->count, sorted[i]->text, number);
        sorted[i]->number = number;
        line->failed = number == 0;
    }
}

static void make_distinct(header *line) {
    struct header_name **sorted = malloc(line->count * sizeof *sorted);
    line->failed |= sorted == NULL;
    if (line->failed) {
        free(sorted);
        return;
    }
    for (size_t i = 0; i < line->count; i++) sorted[i] = &line->columns[i];
    qsort(sorted, line->count, sizeof *sorted, by_name);
    number_clashes(line, sorted);
    free(sorted);
}

/* Returns 0 if memory runs out. */
static int put(FILE *stream, const struct header_name *column) {
    size_t room = strlen(column->text) + TEXT_NUMBER;
    char *text = malloc(room);
    if (!text) return 0;
    if (column->number > 0)
        snprintf(text, room, "%s_%u", column->text, column->number);
    else
        strcpy(text, column->text);
    text_csv_field(stream, text);
    free(text);
    return 1;
}

int header_write(FILE *stream, header *line) {
    if (!line->failed) make_distinct(line);
    for (size_t i = 0; i < line->count && !line->failed; i++) {
        if (i > 0) fputc(',', stream);
        line->failed = !put(stream, &line->columns[i]);
    }
    if (!line->failed) fputc('\n', stream);
    return !line->failed;
}

void header_free(header *line) {
    for (size_t i = 0; i < line->count; i++) free(line->columns[i].text);
    free(line->columns);
    *line = (header){0};
}
