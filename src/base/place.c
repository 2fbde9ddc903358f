/* Links are followed by hand: realpath fails for a file that does not exist yet, and would turn
 * /dev/stdout into the name of a file, which must not be replaced. */
#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MAX = 40, LINK_ROOM = 4096 };

size_t spf_place_directory(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The directory of a path's last part, to be freed; NULL with errno. */
static char *directory_of(const char *path) {
    size_t length = spf_place_directory(path);
    return length > 0 ? strndup(path, length) : strdup(".");
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Replaces the path of a link by its target, as a path from the working directory. */
static int follow(char **path) {
    char text[LINK_ROOM];
    ssize_t length = readlink(*path, text, sizeof text - 1);
    if (length < 0) return errno;
    if ((size_t)length == sizeof text - 1) return ENAMETOOLONG;
    text[length] = '\0';
    size_t directory = text[0] == '/' ? 0 : spf_place_directory(*path);
    char *next = malloc(directory + (size_t)length + 1);
    if (!next) return ENOMEM;
    memcpy(next, *path, directory);
    memcpy(next + directory, text, (size_t)length + 1);
    free(*path);
    *path = next;
    return 0;
}

/* ---- open files ------------------------------------------------------------------------------ */

static int is_descriptor_folder(const char *folder) {
    static const char own[] = "/dev/fd", all[] = "/proc/", end[] = "/fd";
    size_t length = strlen(folder);
    if (strcmp(folder, own) == 0) return 1;
    return strncmp(folder, all, sizeof all - 1) == 0 && length > sizeof end &&
           strcmp(folder + length - (sizeof end - 1), end) == 0;
}

/* The number of one of this process's own descriptors; -1 for any other path. */
static int own_number(const char *folder, const char *name) {
    char *end, *own = realpath("/proc/self/fd", NULL);
    int ours = strcmp(folder, "/dev/fd") == 0 || (own && strcmp(folder, own) == 0);
    long number = strtol(name, &end, 10);
    free(own);
    return ours && end != name && *end == '\0' && number >= 0 && number <= INT_MAX ? (int)number
                                                                                   : -1;
}

/* Whether a path, such as /proc/self/fd/1, names what a process has open. */
static int find_open(spf_place *place) {
    char *directory = directory_of(place->target);
    char *folder = directory ? realpath(directory, NULL) : NULL;
    int found = folder && is_descriptor_folder(folder) && stat(place->target, &place->info) == 0 &&
                !S_ISDIR(place->info.st_mode);
    if (found) {
        place->kind = SPF_PLACE_OPEN;
        place->descriptor = own_number(folder, place->target + spf_place_directory(place->target));
    }
    free(folder);
    free(directory);
    return found;
}

/* ---- finding --------------------------------------------------------------------------------- */

static spf_place_kind kind_of(mode_t mode) {
    return S_ISREG(mode) ? SPF_PLACE_FILE : S_ISDIR(mode) ? SPF_PLACE_DIRECTORY : SPF_PLACE_OTHER;
}

int spf_place_find(const char *path, spf_place *place) {
    *place = (spf_place){.kind = SPF_PLACE_NEW, .target = strdup(path), .descriptor = -1};
    if (!place->target) return ENOMEM;
    if (*path == '\0') return ENOENT;
    for (int links = 0; links <= LINKS_MAX; links++) {
        if (find_open(place)) return 0;
        if (lstat(place->target, &place->info) != 0) return errno == ENOENT ? 0 : errno;
        if (!S_ISLNK(place->info.st_mode)) {
            place->kind = kind_of(place->info.st_mode);
            return 0;
        }
        int code = follow(&place->target);
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
    int code = access(directory, W_OK | X_OK) == 0 ? 0 : errno;
    free(directory);
    return code;
}

/* The superuser can write every file, but one without any write permission is meant to stay. */
int spf_place_check(const spf_place *place) {
    if (place->kind == SPF_PLACE_DIRECTORY) return EISDIR;
    if (place->kind == SPF_PLACE_FILE) {
        if ((place->info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) return SPF_READ_ONLY;
        if (access(place->target, W_OK) != 0) return errno == EACCES ? SPF_READ_ONLY : errno;
    }
    int replaced = place->kind == SPF_PLACE_FILE || place->kind == SPF_PLACE_NEW;
    return replaced ? check_directory(place->target) : 0;
}

static int same_node(const struct stat *one, const struct stat *other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Two files that do not exist yet: the same name in the same directory. */
static int same_name(const char *one, const char *other) {
    struct stat a, b;
    if (strcmp(one + spf_place_directory(one), other + spf_place_directory(other)) != 0) return 0;
    char *first = directory_of(one), *second = directory_of(other);
    int same =
        first && second && stat(first, &a) == 0 && stat(second, &b) == 0 && same_node(&a, &b);
    free(first);
    free(second);
    return same;
}

int spf_place_same(const spf_place *one, const spf_place *other) {
    if (one->kind == SPF_PLACE_NEW || other->kind == SPF_PLACE_NEW)
        return one->kind == other->kind && same_name(one->target, other->target);
    if (one->descriptor >= 0 && one->descriptor == other->descriptor) return 1;
    return S_ISREG(one->info.st_mode) && same_node(&one->info, &other->info);
}

const char *spf_place_error(int code) {
    return code == SPF_READ_ONLY ? "the file is read-only" : strerror(code);
}
