/* Marks of files: size and modification time from fstat. */
#include "base/file_mark.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#ifdef __APPLE__
#define CHANGED st_mtimespec
#else
#define CHANGED st_mtim
#endif

spf_file_mark spf_file_mark_of(const struct stat *about) {
    return (spf_file_mark){.on_disk = S_ISREG(about->st_mode) && about->st_size > 0,
                           .size = (uint64_t)about->st_size,
                           .seconds = about->CHANGED.tv_sec,
                           .nanoseconds = about->CHANGED.tv_nsec};
}

sporf_status spf_file_check(int file, const spf_file_mark *mark, const char *name) {
    struct stat about;
    if (!mark->on_disk) return SPORF_OK;
    if (fstat(file, &about) != 0)
        return spf_raise(SPORF_ERROR_IO, SPF_FILE ": %s", name, strerror(errno));
    spf_file_mark now = spf_file_mark_of(&about);
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
