/* Marks of files: size and modification time. */
#include "base/file_mark.h"

#include <string.h>

spf_file_mark spf_file_mark_of(const spf_file_info *info) {
    return (spf_file_mark){.on_disk = info->kind == SPF_FILE_REGULAR && info->size > 0,
                           .size = info->size,
                           .seconds = info->seconds,
                           .nanoseconds = info->nanoseconds};
}

sporf_status spf_file_check(int file, const spf_file_mark *mark, const char *name) {
    spf_file_info info;
    if (!mark->on_disk) return SPORF_OK;
    int code = spf_system_look_at_open(file, &info);
    if (code != 0) return spf_raise(SPORF_ERROR_IO, SPF_FILE ": %s", name, strerror(code));
    spf_file_mark now = spf_file_mark_of(&info);
    if (now.size != mark->size)
        return spf_raise(SPORF_ERROR_IO,
                         SPF_FILE
                         " changed while it was read: it had %llu bytes and has %llu now" SPF_HINT
                         "try again when nothing writes to it, or read a copy",
                         name, (unsigned long long)mark->size, (unsigned long long)now.size);
    if (now.seconds != mark->seconds || now.nanoseconds != mark->nanoseconds)
        return spf_raise(SPORF_ERROR_IO,
                         SPF_FILE " changed while it was read: it was written to" SPF_HINT
                                  "try again when nothing writes to it, or read a copy",
                         name);
    return SPORF_OK;
}
