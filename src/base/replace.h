/* Files that replace others only when they are complete. Each is written under a temporary name
 * beside the path, `.NAME.sporf-N.tmp`, and locked while its writer lives; what a killed process
 * left there is removed by the next one that writes to the path. The new file gets the permissions
 * and, if allowed, the owner of the old one; the temporary file is no more readable than the old
 * file. Links stay links. Pipes, devices and open files such as /dev/stdout are written in place.
 * All functions but the last return 0, an errno or SPF_READ_ONLY. */
#ifndef SPF_BASE_REPLACE_H
#define SPF_BASE_REPLACE_H

#include "base/place.h"

typedef struct spf_replacement {
    spf_place place;
    int file;        /* the descriptor to write to */
    char *temporary; /* NULL if the target is written in place, and after the rename */
    char *old;       /* a second name of the replaced file, while it may be put back; or NULL */
} spf_replacement;

/* Starts a replacement of a place from spf_place_find, which belongs to the replacement from then
 * on. */
int spf_replace_start(const spf_place *place, spf_replacement *r);

/* A stream on the file, to be closed before the next step; NULL with errno. */
FILE *spf_replace_stream(const spf_replacement *r);

/* After all is written: sets the permissions and syncs the file. */
int spf_replace_sync(spf_replacement *r);

/* Renames the synced file to the target and syncs the directory. */
int spf_replace_put(spf_replacement *r);

/* The same for two files: both targets are replaced, or neither. */
int spf_replace_put_both(spf_replacement *one, spf_replacement *other);

/* Closes the file and frees everything; a file that was not put is removed. */
void spf_replace_end(spf_replacement *r);

#endif
