/* Files that a test writes and removes again. */
#ifndef TEST_TMPFILE_H
#define TEST_TMPFILE_H

#include <stddef.h>

typedef struct tmp_file {
    char path[512];
} tmp_file;

/* A path under TMPDIR that no other test uses, ending in name; no file is there yet. */
tmp_file tmp_file_name(const char *name);

/* The same with an empty folder there. */
tmp_file tmp_folder(const char *name);

/* The same with a file of these bytes. */
tmp_file tmp_file_of(const char *name, const void *bytes, size_t size);

/* The same, the bytes packed with gzip; needs it. */
tmp_file tmp_file_gzip(const char *name, const void *bytes, size_t size);

/* Leaves the test out from here on where the library was built without zlib. */
void need_gzip(void);

void tmp_file_write(const tmp_file *file, const void *bytes, size_t size);

/* The bytes of the file, closed with a NUL; free() them. */
char *tmp_file_read(const tmp_file *file, size_t *size);

/* How many files there are whose path starts with that of the file, or whose name does after a dot.
 */
size_t tmp_file_count(const tmp_file *file);

void tmp_file_remove(const tmp_file *file);

#endif
