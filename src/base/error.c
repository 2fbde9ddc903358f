/* The thread-local error text. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char error_text[SPF_ERROR_TEXT_MAX];
static _Thread_local unsigned raise_count;

sporf_status spf_raise(sporf_status code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    raise_count++;
    return code;
}

unsigned spf_raise_count(void) {
    return raise_count;
}

sporf_status spf_raise_memory(void) {
    return spf_raise(SPORF_ERROR_MEMORY, "out of memory: fewer rows, trees or threads need less");
}

const char *sporf_last_error(void) {
    return error_text;
}
