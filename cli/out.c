/* Messages, and result files that are written completely or not at all. */
#include "out.h"
#include "printed.h"

#include "console.h"
#include "interrupt.h"
#include "messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void out_error(const char *verb, const char *format, ...) {
    char raw[MESSAGE_MAX], text[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    text_printable(text, sizeof text, raw);
    fprintf(stderr, "sporf%s%s: %s\n", verb ? " " : "", verb ? verb : "", text);
}

int out_failure(const char *verb, sporf_status status, const char *hint) {
    char message[MESSAGE_MAX];
    const sporf_error *error = sporf_error_details();
    message_words(error->parts, error->parts_count, message);
    out_error(verb, "%s%s%s", message, hint ? "; " : "", hint ? hint : "");
    return status == SPORF_ERROR_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

static int refuse(const out_file *file, int error) {
    const char *path = file->to.place.target ? file->to.place.target : file->path;
    if (file->path)
        out_error(file->verb, "%s: cannot write: %s%s", path, spf_place_error(error),
                  error == SPF_READ_ONLY ? "; make it writable or name another one" : "");
    else if (!console_reader_gone())
        out_error(file->verb, "cannot write to standard output: %s", strerror(error));
    return EXIT_FAILED;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Signals are blocked between the creation of a temporary file and its registration for removal. A
 * pipe may have to wait for its reader; then signals are let through. */
static int start(out_file *file) {
    spf_place place = file->to.place;
    int beside = place.kind == SPF_PLACE_NEW || place.kind == SPF_PLACE_FILE;
    if (beside) interrupt_hold();
    int error = spf_replace_start(&place, &file->to);
    if (beside && error == 0) interrupt_removes(file->to.temporary);
    if (beside) interrupt_release();
    if (error != 0) return error;
    file->stream = spf_replace_stream(&file->to);
    return file->stream ? 0 : errno;
}

/* Closes a file that was put in its place, and removes one that was not. */
static void discard(out_file *file) {
    interrupt_hold();
    interrupt_keeps(file->to.temporary);
    spf_replace_end(&file->to);
    interrupt_release();
}

int out_open(out_file *file, const char *verb, const char *path) {
    int named = path && strcmp(path, "-") != 0;
    *file =
        (out_file){.verb = verb, .stream = stdout, .path = named ? path : NULL, .to = {.file = -1}};
    if (!named) return EXIT_DONE;
    int error = spf_place_find(path, &file->to.place);
    if (error == 0) error = start(file);
    if (error == 0) return EXIT_DONE;
    refuse(file, error);
    discard(file);
    return EXIT_FAILED;
}

int out_ok(const out_file *file) {
    return !ferror(file->stream);
}

/* ---- closing --------------------------------------------------------------------------------- */

/* Writes everything to disk. Unwritten bytes of standard output stay in its buffer and must not be
 * written anywhere else. Returns 0 or an errno. */
static int store(out_file *file) {
    int written = out_ok(file) && fflush(file->stream) == 0;
    int error = written ? 0 : errno ? errno : EIO;
    if (file->lent > 0)
        console_take_output_back(file->lent, written);
    else if (file->path && fclose(file->stream) != 0 && written)
        error = errno;
    return error == 0 ? spf_replace_sync(&file->to) : error;
}

int out_close(out_file *file, int good) {
    int error = store(file), code = EXIT_FAILED;
    interrupt_hold();
    interrupt_keeps(file->to.temporary);
    if (good && error == 0) error = spf_replace_put(&file->to);
    if (good) code = error == 0 ? EXIT_DONE : refuse(file, error);
    discard(file);
    interrupt_release();
    return code;
}

/* The one of the two that was not put in its place failed. */
static int put_both(out_file *one, out_file *other) {
    int error = spf_replace_put_both(&one->to, &other->to);
    return error == 0 ? EXIT_DONE : refuse(one->to.temporary ? one : other, error);
}

int out_close_both(out_file *one, out_file *other) {
    int first = store(one), second = store(other);
    interrupt_hold();
    interrupt_keeps(one->to.temporary);
    interrupt_keeps(other->to.temporary);
    int code = first != 0    ? refuse(one, first)
               : second != 0 ? refuse(other, second)
                             : put_both(one, other);
    discard(one);
    discard(other);
    interrupt_release();
    return code;
}

/* ---- lending --------------------------------------------------------------------------------- */

int out_lend(out_file *file, const char *verb, const char *path) {
    int code = out_open(file, verb, path);
    if (code != EXIT_DONE || !file->path) return code;
    fflush(stdout);
    int error = console_lend_output(file->to.file, &file->lent);
    if (error != 0) {
        refuse(file, error);
        return out_close(file, 0);
    }
    fclose(file->stream);
    file->stream = stdout;
    return EXIT_DONE;
}

int out_lent(out_file *file, sporf_status status) {
    if (status == SPORF_OK || !out_ok(file)) return out_close(file, 1);
    int code = out_failure(file->verb, status, NULL);
    out_close(file, 0);
    return code;
}
