/* A temporary file is locked while it is written. The lock ends with the process, however that
 * ends. */
#include "base/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 200, /* bytes of the target's name in the temporary name */
    NAME_ROOM = 32,       /* for the rest of the temporary name */
    SWEPT = 16,           /* names that are searched for leftover files */
    TRIES = 1000,
};

/* ---- names ----------------------------------------------------------------------------------- */

/* How many bytes of the target's name the temporary name takes: all, up to a limit, and whole UTF-8
 * characters. */
static size_t part_of_name(const char *name) {
    size_t length = strlen(name);
    if (length <= NAME_MAX_BYTES) return length;
    length = NAME_MAX_BYTES;
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) length--;
    return length;
}

/* Memory for the temporary names of a target; NULL when memory runs out. */
static char *name_room(const char *target) {
    return malloc(spf_place_directory(target) + NAME_MAX_BYTES + NAME_ROOM);
}

static void name_temporary(const char *target, int number, char *name) {
    size_t directory = spf_place_directory(target);
    const char *last = target + directory;
    memcpy(name, target, directory);
    snprintf(name + directory, NAME_MAX_BYTES + NAME_ROOM, ".%.*s.sporf-%d.tmp",
             (int)part_of_name(last), last, number);
}

/* ---- temporary files ------------------------------------------------------------------------- */

static int open_temporary(spf_replacement *r) {
    unsigned mode = r->place.kind == SPF_PLACE_NEW ? 0666 : 0600; /* of the old file: set later */
    char *name = name_room(r->place.target), *spare = name_room(r->place.target);
    int code = name && spare ? EEXIST : ENOMEM;
    for (int i = 0; code == EEXIST && i < TRIES; i++) {
        name_temporary(r->place.target, i, name);
        if (i < SWEPT) spf_system_sweep(name);
        code = spf_system_create(name, mode, &r->file);
        for (int k = i + 1; code == 0 && k < SWEPT; k++) {
            name_temporary(r->place.target, k, spare);
            spf_system_sweep(spare);
        }
    }
    free(spare);
    if (code == 0)
        r->temporary = name;
    else
        free(name);
    return code;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* An open file is written at its current position, or at its end in append mode. */
static int open_as_it_is(spf_replacement *r) {
    const spf_place *place = &r->place;
    if (place->descriptor >= 0) return spf_system_copy(place->descriptor, &r->file);
    return spf_system_open_to_write(place->target, place->kind == SPF_PLACE_OPEN, &r->file);
}

int spf_replace_start(const spf_place *place, spf_replacement *r) {
    *r = (spf_replacement){.place = *place, .file = -1};
    int code = spf_place_check(place);
    if (code != 0) return code;
    int replaced = place->kind == SPF_PLACE_FILE || place->kind == SPF_PLACE_NEW;
    return replaced ? open_temporary(r) : open_as_it_is(r);
}

FILE *spf_replace_stream(const spf_replacement *r) {
    return spf_system_write_stream(r->file);
}

/* ---- finishing ------------------------------------------------------------------------------- */

int spf_replace_sync(spf_replacement *r) {
    if (!r->temporary) return 0;
    spf_system_copy_permissions(r->file, r->place.target,
                                r->place.kind == SPF_PLACE_NEW ? NULL : &r->place.info);
    return spf_system_sync(r->file);
}

/* Makes a rename durable. */
static int sync_directory(char *target) {
    size_t length = spf_place_directory(target);
    char kept = target[length];
    target[length] = '\0';
    int code = spf_system_sync_directory(length > 0 ? target : ".");
    target[length] = kept;
    return code;
}

static int move(spf_replacement *r) {
    int code = spf_system_move(r->temporary, r->place.target);
    if (code != 0) return code;
    free(r->temporary);
    r->temporary = NULL;
    return 0;
}

int spf_replace_put(spf_replacement *r) {
    if (!r->temporary) return 0;
    int code = move(r);
    return code == 0 ? sync_directory(r->place.target) : code;
}

/* Gives the file to be replaced a second name, which is swept if this process dies. On a file
 * system without hard links there is no way back. */
static int keep_old(spf_replacement *r) {
    if (r->place.kind != SPF_PLACE_FILE) return 0;
    char *name = name_room(r->place.target);
    if (!name) return ENOMEM;
    int code = EEXIST;
    for (int i = 0; code == EEXIST && i < SWEPT; i++) {
        name_temporary(r->place.target, i, name);
        code = spf_system_name_again(r->place.target, name);
    }
    if (code != 0)
        free(name);
    else
        r->old = name;
    return 0;
}

static void put_back(spf_replacement *r) {
    if (r->place.kind == SPF_PLACE_NEW) spf_system_remove(r->place.target);
    if (!r->old || spf_system_move(r->old, r->place.target) != 0) return;
    free(r->old);
    r->old = NULL;
}

/* Both are renamed before either directory is synced. */
int spf_replace_put_both(spf_replacement *one, spf_replacement *other) {
    int moves = one->temporary != NULL;
    int code = moves ? keep_old(one) : 0;
    if (code == 0 && moves) code = move(one);
    if (code != 0) return code;
    code = spf_replace_put(other);
    if (code != 0 && other->temporary && moves) put_back(one);
    int synced = moves ? sync_directory(one->place.target) : 0;
    return code == 0 ? synced : code;
}

void spf_replace_end(spf_replacement *r) {
    if (r->temporary) spf_system_remove(r->temporary);
    if (r->old) spf_system_remove(r->old);
    if (r->file >= 0) spf_system_close(r->file);
    free(r->temporary);
    free(r->old);
    spf_place_free(&r->place);
    *r = (spf_replacement){.file = -1};
}
