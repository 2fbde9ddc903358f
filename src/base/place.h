/* Where a path to be written leads. This file and base/replace.h do not depend on the library, so
 * that the command writes its files in the same way. */
#ifndef SPF_BASE_PLACE_H
#define SPF_BASE_PLACE_H

#include "base/system.h"

typedef enum spf_place_kind {
    SPF_PLACE_NEW,       /* nothing is there yet */
    SPF_PLACE_FILE,      /* a regular file, which can be replaced */
    SPF_PLACE_DIRECTORY, /* nothing can be written there */
    SPF_PLACE_OPEN,      /* an open file, such as /dev/stdout: written in place */
    SPF_PLACE_OTHER,     /* a pipe or device: written in place */
} spf_place_kind;

typedef struct spf_place {
    spf_place_kind kind;
    char *target;       /* the path, with links in its last part followed */
    int descriptor;     /* SPF_PLACE_OPEN: its descriptor in this process; otherwise -1 */
    spf_file_info info; /* unless SPF_PLACE_NEW */
} spf_place;

/* Finds out where a path leads. A dangling link counts as a new file; a circle of links is an
 * error. Returns 0 or an errno; free the place either way. */
int spf_place_find(const char *path, spf_place *place);
void spf_place_free(spf_place *place);

/* Whether a file may be written there: 0, an errno, or SPF_READ_ONLY for a file without write
 * permission for the caller or for anybody. */
enum { SPF_READ_ONLY = -1 };
int spf_place_check(const spf_place *place);

/* Whether two paths lead to the same file, which need not exist yet, or the same open
 * descriptor. */
int spf_place_same(const spf_place *one, const spf_place *other);

/* Length of the directory part of a path, with its slash. */
size_t spf_place_directory(const char *path);

/* An errno, or SPF_READ_ONLY, in words. */
const char *spf_place_error(int code);

#endif
