/* Numbers and names as text, for people and for programs. */
#ifndef SPORF_CLI_PRINTED_H
#define SPORF_CLI_PRINTED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TEXT_NUMBER = 40 }; /* room for any number as text */

/* Each writes to buffer[TEXT_NUMBER] and returns it. The first two give as many digits as it
 * takes to read back the same value. */
const char *text_double(char *buffer, double value);
const char *text_float(char *buffer, float value);
const char *text_count(char *buffer, uint64_t value); /* 1,234,567 */
const char *text_bytes(char *buffer, uint64_t bytes); /* 1.2 MiB */
const char *text_rate(char *buffer, double value);    /* 0.0123, or - for NaN */
const char *text_score(char *buffer, double value);   /* 6 digits, or all before the point, or - */
const char *text_seconds(char *buffer, double seconds); /* 3.21 s */

/* Copies text with terminal controls made harmless. */
void text_printable(char *buffer, size_t size, const char *text);

/* Prints text in this way, in `width` columns; longer text is cut. Negative widths align left. */
void text_cell(FILE *stream, const char *text, int width);

/* A field of a CSV file, in quotes if it needs them. On a terminal, control characters are made
 * harmless; files and pipes get every byte. */
void text_csv_field(FILE *stream, const char *text);

/* A field that is quoted already, if needed. */
void text_csv_written(FILE *stream, const char *field);

#endif
