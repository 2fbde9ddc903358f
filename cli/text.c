/* Numbers and names as text. */
#include "text.h"

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

static int is_control(unsigned char byte) {
    return byte < 0x20 || byte == 0x7f;
}

void text_printable(char *buffer, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length >= size) length = size - 1;
    for (size_t i = 0; i < length; i++)
        buffer[i] = is_control((unsigned char)text[i]) ? '?' : text[i];
    buffer[length] = '\0';
}

/* Bytes of the first `width` characters: those that continue a UTF-8 character take no room. */
static size_t fitting(const char *text, size_t width, size_t *characters) {
    size_t at = 0;
    *characters = 0;
    for (; text[at]; at++) {
        if (((unsigned char)text[at] & 0xc0) == 0x80) continue;
        if (*characters == width) break;
        ++*characters;
    }
    return at;
}

void text_cell(FILE *stream, const char *text, int width) {
    size_t room = (size_t)abs(width), characters;
    size_t bytes = fitting(text, room, &characters);
    if (width > 0) fprintf(stream, "%*s", (int)(room - characters), "");
    for (size_t i = 0; i < bytes; i++)
        fputc(is_control((unsigned char)text[i]) ? '?' : text[i], stream);
    if (width < 0) fprintf(stream, "%*s", (int)(room - characters), "");
}

void text_csv_field(FILE *stream, const char *text) {
    if (*text && !strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}
