/* Detects that another process changed a file while it was read. */
#ifndef SPF_BASE_FILE_MARK_H
#define SPF_BASE_FILE_MARK_H

#include "base/error.h"
#include "base/system.h"

/* Size and modification time of a file on disk. */
typedef struct spf_file_mark {
    int on_disk; /* a non-empty regular file; others cannot be checked */
    uint64_t size;
    int64_t seconds;
    long nanoseconds;
} spf_file_mark;

spf_file_mark spf_file_mark_of(const spf_file_info *info);

/* Raises SPORF_ERROR_IO if an open file has changed since it was marked. */
sporf_status spf_file_check(int file, const spf_file_mark *mark, const char *name);

#endif
