/* A JSON writer, directly to a stream: it only stores its position. */
#ifndef SPORF_CLI_JSON_H
#define SPORF_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 8 };

typedef struct json {
    FILE *stream;
    int depth;
    int flat;  /* depth from which on everything is on one line; 0 for none */
    int empty; /* nothing was written yet at this depth */
    char close[JSON_DEPTH];
} json;

/* Keys are NULL inside lists. */
void json_start(json *writer, FILE *stream);
void json_object(json *writer, const char *key);
void json_list(json *writer, const char *key);
void json_line(json *writer); /* the content of the object or list just begun stays on its line */
void json_end(json *writer);  /* ends the innermost object or list; the last one ends the line */

void json_text(json *writer, const char *key, const char *text); /* NULL gives null */
void json_count(json *writer, const char *key, uint64_t value);
void json_double(json *writer, const char *key, double value); /* NaN and infinities give null */
void json_float(json *writer, const char *key, float value);
void json_bool(json *writer, const char *key, int value);

#endif
