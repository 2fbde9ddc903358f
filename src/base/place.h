/* Where a path leads, for those who are about to write there. This file and base/replace.h know
 * nothing of the library, so that the command writes its files by the same laws. */
#ifndef SPF_BASE_PLACE_H
#define SPF_BASE_PLACE_H

#include <stddef.h>
#include <sys/stat.h>

typedef enum spf_place_kind {
    SPF_PLACE_NEW,       /* nothing is there yet */
    SPF_PLACE_FILE,      /* a regular file, which another may replace */
    SPF_PLACE_DIRECTORY, /* nothing can be written there */
    SPF_PLACE_OPEN,      /* a file that is open already, as /dev/stdout: written as it is */
    SPF_PLACE_OTHER,     /* a pipe or device: written as it is */
} spf_place_kind;

typedef struct spf_place {
    spf_place_kind kind;
    char *target;     /* the path, with the links followed that its last part may be */
    int descriptor;   /* SPF_PLACE_OPEN: its number in this process; otherwise -1 */
    struct stat info; /* not SPF_PLACE_NEW */
} spf_place;

/* Finds out where a path leads. A link that leads nowhere leads to a new file; a circle of links is
 * an error. Returns 0 or an errno; to be freed either way. */
int spf_place_find(const char *path, spf_place *place);
void spf_place_free(spf_place *place);

/* Whether a file may be put there: 0, an errno, or SPF_READ_ONLY for a file that nobody, or not the
 * caller, may write. */
enum { SPF_READ_ONLY = -1 };
int spf_place_check(const spf_place *place);

/* Whether two paths lead to one file, which may be yet to be made, or to one open descriptor. */
int spf_place_same(const spf_place *one, const spf_place *other);

/* Length of the directory at the beginning of a path, with its slash. */
size_t spf_place_directory(const char *path);

/* An errno, or SPF_READ_ONLY, in words. */
const char *spf_place_error(int code);

#endif
