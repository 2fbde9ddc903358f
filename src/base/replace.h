/* Files that take the place of others only when they are whole. Each is written under a temporary
 * name beside the path, `.NAME.sporf-N.tmp`, which is locked while its writer lives: what a process
 * that was killed left there is removed by the next one that writes to the path. The new file has
 * the permissions and, where that is allowed, the owner of the old one; nobody who may not open
 * that can open the temporary. Links stay links. Pipes, devices and what is open already, such as
 * /dev/stdout, are written as they are. All functions but the last return 0, an errno or
 * SPF_READ_ONLY. */
#ifndef SPF_BASE_REPLACE_H
#define SPF_BASE_REPLACE_H

#include "base/place.h"

#include <stdio.h>

typedef struct spf_replacement {
    spf_place place;
    int file;        /* to write to */
    char *temporary; /* NULL where the place itself is written, and once it is in its place */
    char *old;       /* a second name of what was replaced, while it may be put back; or NULL */
} spf_replacement;

/* Starts to write at a place that was found; the place is part of the replacement from then on. */
int spf_replace_start(const spf_place *place, spf_replacement *r);

/* A stream that writes to it, to be closed before the next step; NULL with errno. */
FILE *spf_replace_stream(const spf_replacement *r);

/* All is written: permissions are given, and the bytes brought to the disk. */
int spf_replace_sync(spf_replacement *r);

/* Puts what was synced in its place, and makes that last. */
int spf_replace_put(spf_replacement *r);

/* The same for two files: both are put in their places, or neither is. */
int spf_replace_put_both(spf_replacement *one, spf_replacement *other);

/* Closes it and frees all; what has not been put in its place is removed. */
void spf_replace_end(spf_replacement *r);

#endif
