/* Files that a test writes and removes again; what fails here ends the test program. */
#include "support/tmpfile.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef SPORF_ZLIB
#include <zlib.h>
#else
#include "support/check.h"
#endif

static void require(int condition, const char *path) {
    if (condition) return;
    perror(path);
    abort();
}

tmp_file tmp_file_name(const char *name) {
    static int count;
    tmp_file file;
    const char *folder = getenv("TMPDIR");
    int length = snprintf(file.path, sizeof file.path, "%s/sporf-test-%ld-%d-%s",
                          folder && *folder ? folder : "/tmp", (long)getpid(), count++, name);
    require(length > 0 && (size_t)length < sizeof file.path, name);
    return file;
}

tmp_file tmp_folder(const char *name) {
    tmp_file folder = tmp_file_name(name);
    require(mkdir(folder.path, 0700) == 0, folder.path);
    return folder;
}

void tmp_file_write(const tmp_file *file, const void *bytes, size_t size) {
    FILE *out = fopen(file->path, "wb");
    require(out != NULL, file->path);
    require(fwrite(bytes, 1, size, out) == size, file->path);
    require(fclose(out) == 0, file->path);
}

tmp_file tmp_file_of(const char *name, const void *bytes, size_t size) {
    tmp_file file = tmp_file_name(name);
    tmp_file_write(&file, bytes, size);
    return file;
}

#ifdef SPORF_ZLIB
void need_gzip(void) {}

tmp_file tmp_file_gzip(const char *name, const void *bytes, size_t size) {
    tmp_file file = tmp_file_name(name);
    gzFile out = gzopen(file.path, "wb");
    require(out != NULL, file.path);
    require(size == 0 || gzwrite(out, bytes, (unsigned)size) == (int)size, file.path);
    require(gzclose(out) == Z_OK, file.path);
    return file;
}
#else
void need_gzip(void) {
    print_message("built without zlib\n");
    skip();
}

tmp_file tmp_file_gzip(const char *name, const void *bytes, size_t size) {
    need_gzip();
    return tmp_file_of(name, bytes, size);
}
#endif

char *tmp_file_read(const tmp_file *file, size_t *size) {
    FILE *in = fopen(file->path, "rb");
    require(in != NULL, file->path);
    require(fseek(in, 0, SEEK_END) == 0, file->path);
    *size = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(*size + 1);
    require(bytes != NULL && fread(bytes, 1, *size, in) == *size, file->path);
    bytes[*size] = '\0';
    fclose(in);
    return bytes;
}

size_t tmp_file_count(const tmp_file *file) {
    char pattern[sizeof file->path + 2];
    glob_t found;
    const char *name = strrchr(file->path, '/') + 1;
    snprintf(pattern, sizeof pattern, "%s*", file->path);
    glob(pattern, 0, NULL, &found);
    snprintf(pattern, sizeof pattern, "%.*s.%s*", (int)(name - file->path), file->path, name);
    glob(pattern, GLOB_APPEND, NULL, &found);
    size_t count = found.gl_pathc;
    globfree(&found);
    return count;
}

void tmp_file_remove(const tmp_file *file) {
    unlink(file->path);
}
