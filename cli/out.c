/* Messages, and result files that appear whole or not at all. */
#include "out.h"
#include "text.h"

#include "cli.h"
#include "interrupt.h"
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGE_MAX = 2048 };

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
    message_options(message, sizeof message, sporf_last_error());
    out_error(verb, "%s%s%s", message, hint ? "; " : "", hint ? hint : "");
    return status == SPORF_ERROR_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

/* Whether whoever read our standard output has gone. */
static int reader_gone(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

static int refuse(const out_file *file) {
    if (file->path)
        out_error(file->verb, "%s: cannot write: %s", file->path, strerror(errno));
    else if (!reader_gone())
        out_error(file->verb, "cannot write to standard output: %s", strerror(errno));
    return EXIT_FAILED;
}

static void forget(out_file *file) {
    interrupt_spares(file->temporary);
    free(file->path);
    free(file->temporary);
    *file = (out_file){.verb = file->verb};
}

/* Opens file->path by way of a temporary name beside it. */
static int open_beside(out_file *file) {
    size_t size = strlen(file->path) + 32;
    file->temporary = malloc(size);
    if (!file->temporary) return -1;
    snprintf(file->temporary, size, "%s.%ld.tmp", file->path, (long)getpid());
    int handle = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (handle >= 0) interrupt_removes(file->temporary);
    return handle;
}

int out_open(out_file *file, const char *verb, const char *path) {
    *file = (out_file){.verb = verb, .stream = stdout};
    if (!path || strcmp(path, "-") == 0) return EXIT_DONE;
    struct stat old;
    int exists = stat(path, &old) == 0;
    file->path = exists ? realpath(path, NULL) : strdup(path);
    if (!file->path) return refuse(file);
    int plain = exists && !S_ISREG(old.st_mode);
    int handle = plain ? open(path, O_WRONLY | O_CLOEXEC) : open_beside(file);
    file->stream = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (file->stream) {
        if (exists && !plain) fchmod(handle, old.st_mode & 07777);
        return EXIT_DONE;
    }
    refuse(file);
    if (handle >= 0) close(handle);
    if (handle >= 0 && file->temporary) unlink(file->temporary);
    forget(file);
    return EXIT_FAILED;
}

int out_ok(const out_file *file) {
    return !ferror(file->stream);
}

/* What could not be written stays in the buffer, and must not come out elsewhere. */
static void take_back(const out_file *file, int written) {
    if (written) dup2(file->lent, STDOUT_FILENO);
    close(file->lent);
}

int out_close(out_file *file, int good) {
    int written = out_ok(file) && fflush(file->stream) == 0;
    if (written && file->temporary) written = fsync(fileno(file->stream)) == 0;
    int code = good && !written ? refuse(file) : good ? EXIT_DONE : EXIT_FAILED;
    if (file->lent > 0)
        take_back(file, code == EXIT_DONE);
    else if (file->path)
        fclose(file->stream);
    if (file->temporary && code == EXIT_DONE && rename(file->temporary, file->path) != 0)
        code = refuse(file);
    if (file->temporary && code != EXIT_DONE) unlink(file->temporary);
    forget(file);
    return code;
}

int out_lend(out_file *file, const char *verb, const char *path) {
    int code = out_open(file, verb, path);
    if (code != EXIT_DONE || !file->path) return code;
    fflush(stdout);
    file->lent = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (file->lent < 0 || dup2(fileno(file->stream), STDOUT_FILENO) < 0) {
        refuse(file);
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
