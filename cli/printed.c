/* Numbers and names as text. */
#include "printed.h"

#include "characters.h"
#include "console.h"
#include "sporf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *text_double(char *buffer, double value) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, TEXT_NUMBER, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    return buffer;
}

const char *text_float(char *buffer, float value) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(buffer, TEXT_NUMBER, "%.*g", digits, (double)value);
        if (strtof(buffer, NULL) == value) break;
    }
    return buffer;
}

const char *text_count(char *buffer, uint64_t value) {
    char digits[TEXT_NUMBER];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = buffer;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buffer;
}

const char *text_bytes(char *buffer, uint64_t bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double amount = (double)bytes;
    size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++) amount /= 1024;
    snprintf(buffer, TEXT_NUMBER, "%.*f %s", unit == 0 ? 0 : 1, amount, units[unit]);
    return buffer;
}

const char *text_rate(char *buffer, double value) {
    if (isnan(value))
        snprintf(buffer, TEXT_NUMBER, "-");
    else
        snprintf(buffer, TEXT_NUMBER, "%.4f", value);
    return buffer;
}

const char *text_score(char *buffer, double value) {
    int whole = fabs(value) >= 1e6 && fabs(value) < 1e15;
    if (isnan(value))
        snprintf(buffer, TEXT_NUMBER, "-");
    else
        snprintf(buffer, TEXT_NUMBER, whole ? "%.0f" : "%.6g", value);
    return buffer;
}

const char *text_seconds(char *buffer, double seconds) {
    snprintf(buffer, TEXT_NUMBER, "%.*f s", seconds < 10 ? 2 : 0, seconds);
    return buffer;
}

void text_printable(char *buffer, size_t size, const char *text) {
    size_t used = 0;
    while (*text) {
        int shown;
        size_t length = character_shown(text, &shown);
        if (used + length >= size) break;
        memcpy(buffer + used, shown ? text : "?", shown ? length : 1);
        used += shown ? length : 1;
        text += length;
    }
    buffer[used] = '\0';
}

/* Writes at most `width` characters; with stream NULL none. Returns their number. */
static size_t put_characters(FILE *stream, const char *text, size_t width) {
    size_t count = 0;
    for (; *text && count < width; count++) {
        int shown;
        size_t length = character_shown(text, &shown);
        if (stream && shown) fwrite(text, 1, length, stream);
        if (stream && !shown) fputc('?', stream);
        text += length;
    }
    return count;
}

void text_cell(FILE *stream, const char *text, int width) {
    size_t room = (size_t)abs(width), blanks = room - put_characters(NULL, text, room);
    if (width > 0) fprintf(stream, "%*s", (int)blanks, "");
    put_characters(stream, text, room);
    if (width < 0) fprintf(stream, "%*s", (int)blanks, "");
}

static int is_terminal(FILE *stream) {
    static int known, terminal;
    if (stream != stdout) return 0;
    if (!known) terminal = console_prints_to_terminal();
    known = 1;
    return terminal;
}

/* Line ends are kept: they are in quotes, and harmless. */
static void put_text(FILE *stream, const char *text, int double_quotes) {
    int terminal = is_terminal(stream), shown;
    for (size_t length; *text; text += length) {
        length = character_shown(text, &shown);
        if (double_quotes && *text == '"') fputc('"', stream);
        if (shown || !terminal || *text == '\n')
            fwrite(text, 1, length, stream);
        else
            fputc('?', stream);
    }
}

void text_csv_field(FILE *stream, const char *text) {
    int quoted = sporf_csv_needs_quotes(text);
    if (quoted) fputc('"', stream);
    put_text(stream, text, 1);
    if (quoted) fputc('"', stream);
}

void text_csv_written(FILE *stream, const char *field) {
    put_text(stream, field, 0);
}
