/* Errors: raised once where they are found, with their text in thread-local memory; callers pass
 * the code up unchanged. */
#ifndef SPF_BASE_ERROR_H
#define SPF_BASE_ERROR_H

#include "base/message.h"
#include "base/platform.h"
#include "base/system.h"

enum { SPF_ERROR_TEXT_MAX = 1280 };

/* Sets this thread's error and returns the code: `return spf_raise(SPORF_ERROR_DATA, ...)`. Options
 * and places in the text are marked: SPF_OPTION, SPF_ROW and the like. */
sporf_status spf_raise(sporf_status code, const char *format, ...)
    __attribute__((format(SPF_PRINTF, 2, 3)));

/* "out of memory", the text every failed allocation gives. */
sporf_status spf_raise_memory(void);

/* The text of the last error with its marks, to be raised again with "%s" in another thread. */
const char *spf_error_marked(void);

/* How often this thread has raised an error. Tells whether a failed callback set a message. */
unsigned spf_raise_count(void);

/* Tells a caller something, if it wants to know. */
void spf_note(void (*note)(void *payload, const char *text), void *payload, const char *format, ...)
    __attribute__((format(SPF_PRINTF, 3, 4)));

/* Passes the first failure on to the caller; for functions with nothing to free. */
#define SPF_TRY(call)                                                                              \
    do {                                                                                           \
        sporf_status spf_try_status = (call);                                                      \
        if (spf_try_status != SPORF_OK) return spf_try_status;                                     \
    } while (0)

#endif
