/* A temporary file is locked while it is written. The lock ends with the process, however that
 * ends, and works across containers and machines that share a directory, where process numbers mean
 * nothing. */
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

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

static int is_at(int file, const char *name) {
    struct stat here, there;
    return fstat(file, &here) == 0 && lstat(name, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* Removes what a killed process left under a name. A running one holds the lock, or finds on
 * locking that the file is gone or replaced. */
static void sweep(const char *name) {
    struct stat info;
    if (lstat(name, &info) != 0 || !S_ISREG(info.st_mode)) return;
    int file = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_at(file, name)) unlink(name);
    close(file);
}

/* Creates and locks a new file; EEXIST if another process has it. Without file locks nothing is
 * swept. */
static int take(const char *name, mode_t mode, int *file) {
    *file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (*file < 0) return errno == EINTR ? EEXIST : errno;
    int swept = flock(*file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!swept && is_at(*file, name)) return 0;
    close(*file);
    *file = -1;
    return EEXIST;
}

static int open_temporary(spf_replacement *r) {
    mode_t mode = r->place.kind == SPF_PLACE_NEW ? 0666 : 0600; /* of the old file: set later */
    char *name = name_room(r->place.target), *spare = name_room(r->place.target);
    int code = name && spare ? EEXIST : ENOMEM;
    for (int i = 0; code == EEXIST && i < TRIES; i++) {
        name_temporary(r->place.target, i, name);
        if (i < SWEPT) sweep(name);
        code = take(name, mode, &r->file);
        for (int k = i + 1; code == 0 && k < SWEPT; k++) {
            name_temporary(r->place.target, k, spare);
            sweep(spare);
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
    if (place->descriptor >= 0)
        r->file = fcntl(place->descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    else
        r->file = open(place->target, O_WRONLY | O_NOCTTY | O_CLOEXEC |
                                          (place->kind == SPF_PLACE_OPEN ? O_APPEND : 0));
    return r->file >= 0 ? 0 : errno;
}

int spf_replace_start(const spf_place *place, spf_replacement *r) {
    *r = (spf_replacement){.place = *place, .file = -1};
    int code = spf_place_check(place);
    if (code != 0) return code;
    int replaced = place->kind == SPF_PLACE_FILE || place->kind == SPF_PLACE_NEW;
    return replaced ? open_temporary(r) : open_as_it_is(r);
}

FILE *spf_replace_stream(const spf_replacement *r) {
    int file = fcntl(r->file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (file >= 0 && !stream) {
        int error = errno;
        close(file);
        errno = error;
    }
    return stream;
}

/* ---- permissions ----------------------------------------------------------------------------- */

/* For a group that the old file did not have: the permissions of everybody else. */
static mode_t without_group(mode_t mode) {
    return (mode & ~(mode_t)S_IRWXG) | ((mode & S_IRWXO) << 3);
}

/* Copies the access control list, whose mask the group permissions are. Returns 0 if there is one
 * that cannot be copied. */
static int copy_list(const spf_replacement *r) {
#ifdef __linux__
    static const char name[] = "system.posix_acl_access";
    char list[4096];
    ssize_t size = getxattr(r->place.target, name, list, sizeof list);
    if (size < 0) return errno != ERANGE;
    return fsetxattr(r->file, name, list, (size_t)size, 0) == 0;
#else
    (void)r;
    return 1;
#endif
}

/* Permissions that cannot be set are left as they are, which is stricter. */
static void copy_permissions(const spf_replacement *r) {
    struct stat old, new;
    if (lstat(r->place.target, &old) != 0 || !S_ISREG(old.st_mode)) {
        if (r->place.kind == SPF_PLACE_NEW) return;
        old = r->place.info;
    }
    mode_t mode = old.st_mode & 07777;
    if (fstat(r->file, &new) != 0) return;
    if (new.st_gid != old.st_gid && fchown(r->file, (uid_t)-1, old.st_gid) != 0)
        mode = without_group(mode) & 0777;
    if (new.st_uid != old.st_uid && fchown(r->file, old.st_uid, (gid_t)-1) != 0) mode &= 0777;
    if (!copy_list(r)) mode = without_group(mode);
    if (fchmod(r->file, mode) != 0) return;
}

/* ---- finishing ------------------------------------------------------------------------------- */

int spf_replace_sync(spf_replacement *r) {
    if (!r->temporary) return 0;
    copy_permissions(r);
    return fsync(r->file) == 0 ? 0 : errno;
}

/* Makes a rename durable. If a directory cannot be opened or synced, nothing more can be done. */
static int sync_directory(char *target) {
    size_t length = spf_place_directory(target);
    char kept = target[length];
    target[length] = '\0';
    int directory = open(length > 0 ? target : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    target[length] = kept;
    if (directory < 0) return 0;
    int code = fsync(directory) == 0 ? 0 : errno;
    close(directory);
    return code == EINVAL ? 0 : code;
}

static int move(spf_replacement *r) {
    if (rename(r->temporary, r->place.target) != 0) return errno;
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
    int failed = 1;
    for (int i = 0; failed && i < SWEPT; i++) {
        name_temporary(r->place.target, i, name);
        failed = link(r->place.target, name) != 0;
        if (failed && errno != EEXIST) break;
    }
    if (failed)
        free(name);
    else
        r->old = name;
    return 0;
}

static void put_back(spf_replacement *r) {
    if (r->place.kind == SPF_PLACE_NEW) unlink(r->place.target);
    if (!r->old || rename(r->old, r->place.target) != 0) return;
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
    if (r->temporary) unlink(r->temporary);
    if (r->old) unlink(r->old);
    if (r->file >= 0) close(r->file);
    free(r->temporary);
    free(r->old);
    spf_place_free(&r->place);
    *r = (spf_replacement){.file = -1};
}
