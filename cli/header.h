/* The header of a CSV file of results, with distinct column names. */
#ifndef SPORF_CLI_HEADER_H
#define SPORF_CLI_HEADER_H

#include <stddef.h>
#include <stdio.h>

typedef struct header {
    size_t count, capacity;
    struct header_name *columns; /* [count], in order */
    int failed;                  /* memory ran out */
} header;

/* Adds a column whose name is the three texts joined. Of columns with the same name a main one
 * keeps it, or else the first; the others become NAME_2, NAME_3 and so on, skipping numbers that
 * give the name of a third column. */
void header_add(header *line, int main, const char *name, const char *middle, const char *end);

/* Whether a column from this index on was added under this name. */
int header_has(const header *line, size_t from, const char *name);

/* Writes the names, separated by commas, and the line end. Returns 0 if memory ran out, now or
 * when a column was added. */
int header_write(FILE *stream, header *line);
void header_free(header *line);

#endif
