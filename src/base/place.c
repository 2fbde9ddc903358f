/* Links are followed by hand: realpath fails for a file that does not exist yet, and would turn
 * /dev/stdout into the name of a file, which must not be replaced. */
#include "base/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS_MAX = 40 };

size_t spf_place_directory(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && !spf_system_ends_directory(path[length - 1])) length--;
    return length;
}

/* The directory of a path's last part, to be freed; NULL when memory runs out. */
static char *directory_of(const char *path) {
    size_t length = spf_place_directory(path);
    char *directory = strdup(length > 0 ? path : ".");
    if (directory && length > 0) directory[length] = '\0';
    return directory;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Replaces the path of a link by its target, as a path from the working directory. */
static int follow(char **path) {
    char *text;
    int code = spf_system_follow(*path, &text);
    if (code != 0) return code;
    size_t directory = spf_system_is_absolute(text) ? 0 : spf_place_directory(*path);
    char *next = malloc(directory + strlen(text) + 1);
    if (next) {
        memcpy(next, *path, directory);
        memcpy(next + directory, text, strlen(text) + 1);
        free(*path);
        *path = next;
    }
    free(text);
    return next ? 0 : ENOMEM;
}

static spf_place_kind kind_of(const spf_file_info *info) {
    return info->kind == SPF_FILE_REGULAR     ? SPF_PLACE_FILE
           : info->kind == SPF_FILE_DIRECTORY ? SPF_PLACE_DIRECTORY
                                              : SPF_PLACE_OTHER;
}

int spf_place_find(const char *path, spf_place *place) {
    *place = (spf_place){.kind = SPF_PLACE_NEW, .target = strdup(path), .descriptor = -1};
    if (!place->target) return ENOMEM;
    if (*path == '\0') return ENOENT;
    for (int links = 0; links <= LINKS_MAX; links++) {
        if (spf_system_is_open(place->target, &place->info, &place->descriptor)) {
            place->kind = SPF_PLACE_OPEN;
            return 0;
        }
        int code = spf_system_look_at_link(place->target, &place->info);
        if (code != 0) return code == ENOENT ? 0 : code;
        if (place->info.kind != SPF_FILE_LINK) {
            place->kind = kind_of(&place->info);
            return 0;
        }
        code = follow(&place->target);
        if (code != 0) return code;
    }
    return ELOOP;
}

void spf_place_free(spf_place *place) {
    free(place->target);
    place->target = NULL;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static int check_directory(const char *target) {
    char *directory = directory_of(target);
    if (!directory) return ENOMEM;
    int code = spf_system_may_create_in(directory);
    free(directory);
    return code;
}

/* The superuser can write every file, but one without any write permission is meant to stay. */
int spf_place_check(const spf_place *place) {
    if (place->kind == SPF_PLACE_DIRECTORY) return EISDIR;
    if (place->kind == SPF_PLACE_FILE) {
        if ((place->info.mode & 0222) == 0) return SPF_READ_ONLY;
        int code = spf_system_may_write(place->target);
        if (code != 0) return code == EACCES ? SPF_READ_ONLY : code;
    }
    int replaced = place->kind == SPF_PLACE_FILE || place->kind == SPF_PLACE_NEW;
    return replaced ? check_directory(place->target) : 0;
}

static int same_node(const spf_file_info *one, const spf_file_info *other) {
    return one->device == other->device && one->number == other->number;
}

/* Two files that do not exist yet: the same name in the same directory. */
static int same_name(const char *one, const char *other) {
    spf_file_info a, b;
    if (strcmp(one + spf_place_directory(one), other + spf_place_directory(other)) != 0) return 0;
    char *first = directory_of(one), *second = directory_of(other);
    int same = first && second && spf_system_look(first, &a) == 0 &&
               spf_system_look(second, &b) == 0 && same_node(&a, &b);
    free(first);
    free(second);
    return same;
}

int spf_place_same(const spf_place *one, const spf_place *other) {
    if (one->kind == SPF_PLACE_NEW || other->kind == SPF_PLACE_NEW)
        return one->kind == other->kind && same_name(one->target, other->target);
    if (one->descriptor >= 0 && one->descriptor == other->descriptor) return 1;
    return one->info.kind == SPF_FILE_REGULAR && same_node(&one->info, &other->info);
}

const char *spf_place_error(int code) {
    return code == SPF_READ_ONLY ? "the file is read-only" : strerror(code);
}
