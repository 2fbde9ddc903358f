/* Writing a dataset as CSV: into a temporary file beside the path, which takes the path's place
 * when all is written, so that a full disk costs no older file. */
#include "data/dataset.h"
#include "data/number.h"
#include "data/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 100 };

typedef struct {
    const char *path;
    char *temporary; /* NULL where the path is written directly */
    FILE *file;
} csv_output;

static sporf_status raise_output(const csv_output *output) {
    return spf_raise(SPORF_ERROR_IO, "cannot write %s: %s", output->path, strerror(errno));
}

/* A new file called path.PID.N.tmp, with the permissions any new file gets. */
static sporf_status open_temporary(csv_output *output) {
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
    sporf_status status = raise_output(output);
    if (file >= 0) {
        close(file);
        unlink(output->temporary);
    }
    free(output->temporary);
    output->temporary = NULL;
    return status;
}

/* Devices, pipes and links are written as they are: nothing may take their place. */
static sporf_status open_output(csv_output *output) {
    struct stat about;
    if (strcmp(output->path, "-") == 0) {
        output->file = stdout;
        return SPORF_OK;
    }
    if (lstat(output->path, &about) != 0 || S_ISREG(about.st_mode)) return open_temporary(output);
    output->file = fopen(output->path, "we");
    return output->file ? SPORF_OK : raise_output(output);
}

/* Closes the file, whose writing went as status says, and puts it in its place. */
static sporf_status close_output(csv_output *output, sporf_status status) {
    int failed = output->file == stdout ? fflush(stdout) : fclose(output->file);
    if (status == SPORF_OK && failed) status = raise_output(output);
    if (output->temporary && status == SPORF_OK && rename(output->temporary, output->path) != 0)
        status = raise_output(output);
    if (output->temporary && status != SPORF_OK) unlink(output->temporary);
    free(output->temporary);
    return status;
}

/* Text that a reader would not give back as it is goes into quotes. */
static int needs_quotes(const char *text) {
    size_t length = strlen(text);
    return strpbrk(text, ",;\t\"\r\n") || spf_is_missing(text, length) || text[0] == ' ' ||
           text[length - 1] == ' ';
}

static void put_text(FILE *file, const char *text) {
    if (!needs_quotes(text)) {
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

/* Targets without names are y1, y2, ...; a single one is y. */
static void put_target_name(FILE *file, const sporf_dataset *data, size_t target) {
    putc_unlocked(',', file);
    if (data->target_names.count > 0)
        put_text(file, spf_strings_at(&data->target_names, target));
    else if (data->targets > 1)
        fprintf(file, "y%zu", target + 1);
    else
        putc_unlocked('y', file);
}

static void put_header(FILE *file, const sporf_dataset *data) {
    for (size_t j = 0; j < data->features; j++) {
        if (j > 0) putc_unlocked(',', file);
        if (data->schema.names.count > 0)
            put_text(file, spf_strings_at(&data->schema.names, j));
        else
            fprintf(file, "x%zu", j + 1);
    }
    if (data->labels) {
        putc_unlocked(',', file);
        put_text(file, data->label_name ? data->label_name : "class");
    }
    for (size_t t = 0; t < data->targets; t++) put_target_name(file, data, t);
    putc_unlocked('\n', file);
}

static void put_number(FILE *file, float value) {
    char text[SPF_NUMBER_TEXT_MAX];
    fwrite(text, 1, spf_number_write_float(value, text), file);
}

/* A missing value is an empty cell, unless the line would then be blank. */
static void put_cell(FILE *file, const sporf_dataset *data, size_t row, size_t feature) {
    float value = data->columns[feature][row];
    if (isnan(value)) {
        if (data->features == 1 && !data->labels && data->targets == 0) fputs("NA", file);
    } else if (spf_schema_kind(&data->schema, feature) != SPORF_KIND_NUMBER) {
        put_text(file, spf_strings_at(&data->schema.levels[feature], (size_t)value));
    } else {
        put_number(file, value);
    }
}

static void put_row(FILE *file, const sporf_dataset *data, size_t row) {
    for (size_t j = 0; j < data->features; j++) {
        if (j > 0) putc_unlocked(',', file);
        put_cell(file, data, row, j);
    }
    if (data->labels) {
        putc_unlocked(',', file);
        put_text(file, spf_strings_at(&data->classes, data->labels[row]));
    }
    for (size_t t = 0; t < data->targets; t++) {
        putc_unlocked(',', file);
        put_number(file, data->target_storage[t * data->rows + row]);
    }
    putc_unlocked('\n', file);
}

static sporf_status put_table(const csv_output *output, const sporf_dataset *data) {
    put_header(output->file, data);
    for (size_t i = 0; i < data->rows; i++) {
        put_row(output->file, data, i);
        if (ferror(output->file)) return raise_output(output);
    }
    return SPORF_OK;
}

sporf_status sporf_dataset_write_csv(const sporf_dataset *data, const char *path) {
    if (!data || !path)
        return spf_raise(SPORF_ERROR_ARGUMENT, "writing: data and path must not be NULL");
    csv_output output = {.path = path};
    SPF_TRY(open_output(&output));
    return close_output(&output, put_table(&output, data));
}
