/* Text and tables of C source. */
#include "export_write.h"

#include "printed.h"

#include <string.h>

void export_put(out_file *file, const export_c *plan, const char *pattern) {
    for (; *pattern; pattern++) {
        if (*pattern == '@')
            fputs(plan->name, file->stream);
        else if (*pattern == '$')
            fputs(plan->macro, file->stream);
        else
            fputc(*pattern, file->stream);
    }
}

static int is_plain(char byte) {
    return byte >= ' ' && byte <= '~' && byte != '\\' && byte != '?';
}

void export_put_remark(out_file *file, const char *text) {
    for (; *text; text++) fputc(is_plain(*text) && *text != '*' ? *text : '.', file->stream);
}

/* Characters with a special meaning, in C or elsewhere, are written in octal. */
void export_put_string(out_file *file, const char *text) {
    fputc('"', file->stream);
    for (; *text; text++) {
        if (is_plain(*text) && *text != '"')
            fputc(*text, file->stream);
        else
            fprintf(file->stream, "\\%03o", (unsigned)(unsigned char)*text);
    }
    fputc('"', file->stream);
}

void export_put_float(out_file *file, float value) {
    char number[TEXT_NUMBER];
    text_float(number, value);
    fprintf(file->stream, "%s%s", number, strpbrk(number, ".e") ? "f" : ".0f");
}

const char *export_type_below(uint64_t bound) {
    return bound <= UINT64_C(1) << 8    ? "uint8_t"
           : bound <= UINT64_C(1) << 16 ? "uint16_t"
           : bound <= UINT64_C(1) << 32 ? "uint32_t"
                                        : "uint64_t";
}

/* An array may not be empty: an empty table holds a zero. */
void export_begin_table(out_file *file, const char *type, const char *name, size_t count) {
    fprintf(file->stream, "\nstatic const %s %s[%zu] = {", type, name, count ? count : 1);
    if (count == 0) fputc('0', file->stream);
}

void export_end_table(out_file *file) {
    fputs("\n};\n", file->stream);
}

void export_begin_item(out_file *file, size_t index, size_t in_line) {
    fputs(index % in_line == 0 ? "\n    " : " ", file->stream);
}

uint64_t export_digits(uint64_t number) {
    uint64_t count = 1;
    for (; number >= 10; number /= 10) count++;
    return count;
}

uint64_t export_string_size(const char *text) {
    enum { OCTAL = 4, AROUND = 8 };
    return OCTAL * strlen(text) + AROUND;
}
