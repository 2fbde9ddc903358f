/* The JSON writer. Text that is not UTF-8 becomes U+FFFD, byte by byte. */
#include "json.h"

#include "text.h"

#include <assert.h>
#include <math.h>

/* The length of the UTF-8 character that text starts with; 0 where it is none (RFC 3629: no
 * overlong forms, no surrogates, nothing above U+10FFFF). */
static int character_length(const unsigned char *text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = text[0];
    if (lead < 0x80) return 1;
    int length = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
    if (length == 0) return 0;
    uint32_t point = lead & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) return 0;
        point = point << 6 | (text[i] & 0x3fu);
    }
    int surrogate = point >= 0xd800 && point <= 0xdfff;
    return point >= least[length] && point <= 0x10ffff && !surrogate ? length : 0;
}

static void write_text(FILE *stream, const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    fputc('"', stream);
    while (*at) {
        int length = character_length(at);
        if (length == 0)
            fputs("\\ufffd", stream);
        else if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(stream, "\\u%04x", *at);
        else
            fwrite(at, 1, (size_t)length, stream);
        at += length > 0 ? length : 1;
    }
    fputc('"', stream);
}

static void new_line(json *writer) {
    fprintf(writer->stream, "\n%*s", 2 * writer->depth, "");
}

/* What comes before a value: comma, line, key. */
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
