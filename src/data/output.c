/* Writing into a temporary file beside the path, which takes the path's place when all is written,
 * so that a full disk costs no older file. */
#include "data/output.h"

#include "base/memory.h"
#include "data/number.h"
#include "data/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 100 };

sporf_status spf_output_raise(const spf_output *output) {
    return spf_raise(SPORF_ERROR_IO, "cannot write %s: %s", output->path, strerror(errno));
}

/* A new file called path.PID.N.tmp, with the permissions any new file gets. */
static sporf_status open_temporary(spf_output *output) {
    size_t room = strlen(output->path) + 64;
    int file = -1;
    output->temporary = spf_alloc(room, 1);
    if (!output->temporary) return spf_raise_memory();
    for (int i = 0; i < TEMPORARY_TRIES && file < 0; i++) {
        snprintf(output->temporary, room, "%s.%ld.%d.tmp", output->path, (long)getpid(), i);
        file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) break;
    }
    output->file = file >= 0 ? fdopen(file, "w") : NULL;
    if (output->file) return SPORF_OK;
    sporf_status status = spf_output_raise(output);
    if (file >= 0) {
        close(file);
        unlink(output->temporary);
    }
    free(output->temporary);
    output->temporary = NULL;
    return status;
}

/* Devices, pipes and links are written as they are: nothing may take their place. */
sporf_status spf_output_open(const char *path, spf_output *output) {
    struct stat about;
    *output = (spf_output){.path = path};
    if (strcmp(output->path, "-") == 0) {
        output->file = stdout;
        return SPORF_OK;
    }
    if (lstat(output->path, &about) != 0 || S_ISREG(about.st_mode)) return open_temporary(output);
    output->file = fopen(output->path, "we");
    return output->file ? SPORF_OK : spf_output_raise(output);
}

sporf_status spf_output_close(spf_output *output, sporf_status status) {
    int failed = output->file == stdout ? fflush(stdout) : fclose(output->file);
    if (status == SPORF_OK && failed) status = spf_output_raise(output);
    if (output->temporary && status == SPORF_OK && rename(output->temporary, output->path) != 0)
        status = spf_output_raise(output);
    if (output->temporary && status != SPORF_OK) unlink(output->temporary);
    free(output->temporary);
    return status;
}

int sporf_csv_needs_quotes(const char *text) {
    size_t length = strlen(text);
    return strpbrk(text, ",;|\t\"\r\n") || spf_is_missing(text, length) || text[0] == ' ' ||
           text[0] == '#' || text[length - 1] == ' ';
}

void spf_output_text(FILE *file, const char *text) {
    if (!sporf_csv_needs_quotes(text)) {
        fputs(text, file);
        return;
    }
    putc_unlocked('"', file);
    for (; *text; text++) {
        if (*text == '"') putc_unlocked('"', file);
        putc_unlocked(*text, file);
    }
    putc_unlocked('"', file);
}

void spf_output_float(FILE *file, float value) {
    char text[SPF_NUMBER_TEXT_MAX];
    fwrite(text, 1, spf_number_write_float(value, text), file);
}
