/* What the operating system does: files, pages of memory, the clock and the like. system_posix.c is
 * for Linux and macOS, system_windows.c for Windows; no other file of the library asks which system
 * it is. Like base/place.h this does not depend on the library, so that the command can use it.
 *
 * Paths are UTF-8 on Windows, and bytes elsewhere. Functions that return an int return 0 or an
 * errno, if nothing else is said. */
#ifndef SPF_BASE_SYSTEM_H
#define SPF_BASE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* For __attribute__((format(SPF_PRINTF, ...))): MinGW has two kinds of formats. */
#ifdef __MINGW_PRINTF_FORMAT
#define SPF_PRINTF __MINGW_PRINTF_FORMAT
#else
#define SPF_PRINTF printf
#endif

/* ---- what a file is -------------------------------------------------------------------------- */

typedef enum spf_file_kind {
    SPF_FILE_REGULAR,
    SPF_FILE_DIRECTORY,
    SPF_FILE_LINK,
    SPF_FILE_OTHER, /* a pipe or device */
} spf_file_kind;

typedef struct spf_file_info {
    spf_file_kind kind;
    unsigned mode, user, group; /* permissions and owner; on Windows only whether it is read-only */
    uint64_t size, device, number; /* device and number tell two files apart */
    int64_t seconds;               /* of the last change */
    long nanoseconds;
} spf_file_info;

/* Looks at what a path leads to, at a link itself, or at an open file. */
int spf_system_look(const char *path, spf_file_info *info);
int spf_system_look_at_link(const char *path, spf_file_info *info);
int spf_system_look_at_open(int file, spf_file_info *info);

/* The target of a link as it is written there, to be freed. */
int spf_system_follow(const char *link, char **target);

/* Whether a path such as /dev/stdout names what a process has open; *descriptor is then the number
 * in this process, or -1. */
int spf_system_is_open(const char *path, spf_file_info *info, int *descriptor);

/* Whether a character ends the directory part of a path; whether a path starts at a root. */
int spf_system_ends_directory(char c);
int spf_system_is_absolute(const char *path);

/* Whether the caller may write a file; whether files may be created in a directory. */
int spf_system_may_write(const char *path);
int spf_system_may_create_in(const char *directory);

/* Whether an errno means that the disk, the quota or the largest size is reached. */
int spf_system_is_full(int code);

/* ---- files ----------------------------------------------------------------------------------- */

/* Opens a file to read it; a pipe without a writer is waited for, or not. */
int spf_system_open(const char *path, int waits, int *file);

/* Opens a pipe or device to write to it; `appends`: an open file of another process, at its end. */
int spf_system_open_to_write(const char *path, int appends, int *file);

/* Creates a file, which must be new and is locked until it is closed: EEXIST if another process has
 * it. */
int spf_system_create(const char *path, unsigned mode, int *file);

/* Removes a regular file that spf_system_create made and no process has open. */
void spf_system_sweep(const char *path);

/* A stream for reading a file; NULL with errno. */
FILE *spf_system_read_stream(const char *path);

/* A stream on a copy of the descriptor, for bytes as they are; NULL with errno. */
FILE *spf_system_write_stream(int file);

/* A copy of a descriptor, above those of the standard streams. */
int spf_system_copy(int file, int *copy);

/* One step, of at most that many bytes; interrupted steps are repeated. */
int spf_system_read(int file, void *bytes, size_t most, size_t *got);
int spf_system_read_at(int file, uint64_t from, void *bytes, size_t most, size_t *got);
int spf_system_write(int file, const void *bytes, size_t most, size_t *written);

/* Whether bytes, or the end, can be read within that time. */
int spf_system_ready(int file, int milliseconds);

void spf_system_close(int file);

/* Gives an open file the permissions, and if possible the owner, of the file at `target`, or of
 * `old` if that is gone; where they cannot be set, the file stays stricter. */
void spf_system_copy_permissions(int file, const char *target, const spf_file_info *old);

/* Creates an empty file with the permissions of another one, unless the path exists. */
void spf_system_create_like(const char *path, const spf_file_info *old);

/* Writes an open file, or the names of a directory, to disk. */
int spf_system_sync(int file);
int spf_system_sync_directory(const char *directory);

/* Renames a file, also over an existing one; both may be open. */
int spf_system_move(const char *from, const char *to);

/* A second name of a file. */
int spf_system_name_again(const char *path, const char *name);

void spf_system_remove(const char *path);

/* For loops over characters: no lock for each of them. */
static inline void spf_system_put(char c, FILE *stream) {
#ifdef _WIN32
    _putc_nolock(c, stream);
#else
    putc_unlocked(c, stream);
#endif
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The bytes of an open file as memory, read when they are used; spf_system_unmap afterwards. */
int spf_system_map(int file, size_t size, void **bytes);
void spf_system_unmap(void *bytes, size_t size);

/* All of a mapped file will be read soon. */
void spf_system_map_soon(void *bytes, size_t size);

size_t spf_system_page_size(void);

/* Zeroed pages; NULL when memory runs out. */
void *spf_system_pages(size_t size);
void spf_system_free_pages(void *pages, size_t size);

/* The contents of whole pages are not needed any more; they may still be written again. */
void spf_system_release_pages(void *pages, size_t size);

/* Large memory for random access: huge pages if the system has them. */
void spf_system_use_huge_pages(void *memory, size_t size);

/* ---- machine --------------------------------------------------------------------------------- */

/* The cores that this process may use, at least 1; the memory of the machine, UINT64_MAX if it is
 * unknown. */
unsigned spf_system_cores(void);
uint64_t spf_system_memory(void);

/* Nanoseconds since some time in the past. */
int64_t spf_system_clock(void);

/* Bytes that nobody can guess, as far as the system has them. */
void spf_system_random(void *bytes, size_t size);

/* ---- numbers --------------------------------------------------------------------------------- */

/* The nearest double to a decimal number with a point, and "%.*g" with a point, in any locale. */
double spf_system_scan_double(const char *text);
int spf_system_print_double(char *text, size_t size, int digits, double value);

#endif
