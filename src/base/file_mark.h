/* Whether a file was changed by somebody else while it was read. */
#ifndef SPF_BASE_FILE_MARK_H
#define SPF_BASE_FILE_MARK_H

#include "base/error.h"

/* Size and time of the last change of a file on disk. */
typedef struct spf_file_mark {
    int on_disk; /* a regular file that is not empty; nothing else can be checked */
    uint64_t size;
    int64_t seconds;
    long nanoseconds;
} spf_file_mark;

struct stat;
spf_file_mark spf_file_mark_of(const struct stat *about);

/* Raises SPORF_ERROR_IO if an open file is not as it was when it was marked. */
sporf_status spf_file_check(int file, const spf_file_mark *mark, const char *name);

#endif
