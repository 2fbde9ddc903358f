/* The JSON writer. Text that is not UTF-8 becomes U+FFFD, byte by byte. */
#include "json.h"

#include "characters.h"
#include "printed.h"

#include <assert.h>
#include <math.h>

/* Characters that control terminals are escaped, which leaves the text the same. */
static void write_text(FILE *stream, const char *text) {
    uint32_t point;
    fputc('"', stream);
    while (*text) {
        size_t length = character_read(text, &point);
        if (length == 0)
            fputs("\\ufffd", stream);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if (character_drives(point))
            fprintf(stream, "\\u%04x", (unsigned)point);
        else
            fwrite(text, 1, length, stream);
        text += length > 0 ? length : 1;
    }
    fputc('"', stream);
}

static void new_line(json *writer) {
    fprintf(writer->stream, "\n%*s", 2 * writer->depth, "");
}

/* Writes what precedes a value: comma, line break, key. */
static void lead_in(json *writer, const char *key) {
    int flat = writer->flat > 0 && writer->depth >= writer->flat;
    if (!writer->empty) fputs(flat ? ", " : ",", writer->stream);
    if (!flat && writer->depth > 0) new_line(writer);
    if (key) {
        write_text(writer->stream, key);
        fputs(": ", writer->stream);
    }
    writer->empty = 0;
}

static void begin(json *writer, const char *key, char open, char close) {
    assert(writer->depth < JSON_DEPTH);
    lead_in(writer, key);
    fputc(open, writer->stream);
    writer->close[writer->depth++] = close;
    writer->empty = 1;
}

void json_start(json *writer, FILE *stream) {
    *writer = (json){.stream = stream, .empty = 1};
}

void json_object(json *writer, const char *key) {
    begin(writer, key, '{', '}');
}

void json_list(json *writer, const char *key) {
    begin(writer, key, '[', ']');
}

void json_line(json *writer) {
    if (writer->flat == 0) writer->flat = writer->depth;
}

void json_end(json *writer) {
    int flat = writer->flat > 0 && writer->depth >= writer->flat;
    if (writer->flat == writer->depth) writer->flat = 0;
    writer->depth--;
    if (!flat && !writer->empty) new_line(writer);
    fputc(writer->close[writer->depth], writer->stream);
    if (writer->depth == 0) fputc('\n', writer->stream);
    writer->empty = 0;
}

void json_text(json *writer, const char *key, const char *text) {
    lead_in(writer, key);
    if (text)
        write_text(writer->stream, text);
    else
        fputs("null", writer->stream);
}

void json_count(json *writer, const char *key, uint64_t value) {
    lead_in(writer, key);
    fprintf(writer->stream, "%llu", (unsigned long long)value);
}

void json_double(json *writer, const char *key, double value) {
    char number[TEXT_NUMBER];
    lead_in(writer, key);
    fputs(isfinite(value) ? text_double(number, value) : "null", writer->stream);
}

void json_float(json *writer, const char *key, float value) {
    char number[TEXT_NUMBER];
    lead_in(writer, key);
    fputs(isfinite(value) ? text_float(number, value) : "null", writer->stream);
}

void json_bool(json *writer, const char *key, int value) {
    lead_in(writer, key);
    fputs(value ? "true" : "false", writer->stream);
}
