/* The text starts in the same column in every line. */
#include "summary_line.h"

#include "opt.h"
#include "printed.h"

#include <stdarg.h>

enum { LABEL_COLUMNS = 14, TEXT_MAX = 2048 };

void summary_line(FILE *stream, const char *label, const char *format, ...) {
    char raw[TEXT_MAX], text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    text_printable(text, sizeof text, raw);
    fprintf(stream, "%-*s", LABEL_COLUMNS, label);
    opt_wrap(stream, text, LABEL_COLUMNS, LABEL_COLUMNS);
}
