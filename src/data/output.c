/* Text files, written through base/replace.h, so that a full disk does not destroy an older
 * file. */
#include "data/output.h"

#include "base/number.h"
#include "base/system.h"
#include "data/cell.h"

#include <errno.h>
#include <string.h>

static sporf_status raise_code(const spf_output *output, int code) {
    if (code == ENOMEM) return spf_raise_memory();
    return spf_raise(SPORF_ERROR_IO, "cannot write " SPF_FILE ": %s", output->path,
                     spf_place_error(code));
}

sporf_status spf_output_raise(const spf_output *output) {
    return raise_code(output, errno);
}

/* Programs that have the standard output for themselves, such as R, define SPORF_NO_STDOUT. */
static sporf_status open_standard_output(spf_output *output) {
#ifdef SPORF_NO_STDOUT
    return raise_code(output, EBADF);
#else
    output->file = stdout;
    return SPORF_OK;
#endif
}

sporf_status spf_output_open(const char *path, spf_output *output) {
    spf_place place;
    *output = (spf_output){.path = path, .to = {.file = -1}};
    if (strcmp(path, "-") == 0) return open_standard_output(output);
    int code = spf_place_find(path, &place);
    if (code == 0)
        code = spf_replace_start(&place, &output->to);
    else
        spf_place_free(&place);
    output->file = code == 0 ? spf_replace_stream(&output->to) : NULL;
    if (output->file) return SPORF_OK;
    sporf_status status = raise_code(output, code != 0 ? code : errno);
    spf_replace_end(&output->to);
    return status;
}

sporf_status spf_output_close(spf_output *output, sporf_status status) {
    int is_standard = strcmp(output->path, "-") == 0;
    int failed = is_standard ? fflush(output->file) : fclose(output->file);
    if (status == SPORF_OK && failed) status = spf_output_raise(output);
    int code = status == SPORF_OK ? spf_replace_sync(&output->to) : 0;
    if (status == SPORF_OK && code == 0) code = spf_replace_put(&output->to);
    if (code != 0) status = raise_code(output, code);
    spf_replace_end(&output->to);
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
    spf_system_put('"', file);
    for (; *text; text++) {
        if (*text == '"') spf_system_put('"', file);
        spf_system_put(*text, file);
    }
    spf_system_put('"', file);
}

void spf_output_float(FILE *file, float value) {
    char text[SPF_NUMBER_TEXT_MAX];
    fwrite(text, 1, spf_number_write_float(value, text), file);
}
