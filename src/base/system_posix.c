/* Linux and macOS. */
#ifndef _WIN32
#define _GNU_SOURCE /* strtod_l, sched_getaffinity, MAP_ANONYMOUS, getentropy */

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#ifdef __APPLE__
#include <sys/random.h>
#define CHANGED st_mtimespec
#else
#define CHANGED st_mtim
#endif

/* ---- what a file is -------------------------------------------------------------------------- */

static spf_file_kind kind_of(mode_t mode) {
    return S_ISREG(mode)   ? SPF_FILE_REGULAR
           : S_ISDIR(mode) ? SPF_FILE_DIRECTORY
           : S_ISLNK(mode) ? SPF_FILE_LINK
                           : SPF_FILE_OTHER;
}

static int tell(int failed, const struct stat *about, spf_file_info *info) {
    *info = (spf_file_info){0};
    if (failed) return errno;
    *info = (spf_file_info){.kind = kind_of(about->st_mode),
                            .mode = about->st_mode & 07777,
                            .user = about->st_uid,
                            .group = about->st_gid,
                            .size = (uint64_t)about->st_size,
                            .device = (uint64_t)about->st_dev,
                            .number = (uint64_t)about->st_ino,
                            .seconds = about->CHANGED.tv_sec,
                            .nanoseconds = about->CHANGED.tv_nsec};
    return 0;
}

int spf_system_look(const char *path, spf_file_info *info) {
    struct stat about;
    return tell(stat(path, &about), &about, info);
}

int spf_system_look_at_link(const char *path, spf_file_info *info) {
    struct stat about;
    return tell(lstat(path, &about), &about, info);
}

int spf_system_look_at_open(int file, spf_file_info *info) {
    struct stat about;
    return tell(fstat(file, &about), &about, info);
}

int spf_system_follow(const char *link, char **target) {
    enum { LINK_ROOM = 4096 };
    char text[LINK_ROOM];
    ssize_t length = readlink(link, text, sizeof text - 1);
    if (length < 0) return errno;
    if ((size_t)length == sizeof text - 1) return ENAMETOOLONG;
    text[length] = '\0';
    *target = strdup(text);
    return *target ? 0 : ENOMEM;
}

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

int spf_system_is_open(const char *path, spf_file_info *info, int *descriptor) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *directory = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
    char *folder = directory ? realpath(directory, NULL) : NULL;
    int found = folder && is_descriptor_folder(folder) && spf_system_look(path, info) == 0 &&
                info->kind != SPF_FILE_DIRECTORY;
    if (found) *descriptor = own_number(folder, name);
    free(folder);
    free(directory);
    return found;
}

int spf_system_ends_directory(char c) {
    return c == '/';
}

int spf_system_is_absolute(const char *path) {
    return path[0] == '/';
}

int spf_system_may_write(const char *path) {
    return access(path, W_OK) == 0 ? 0 : errno;
}

int spf_system_may_create_in(const char *directory) {
    return access(directory, W_OK | X_OK) == 0 ? 0 : errno;
}

int spf_system_is_full(int code) {
    return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

/* ---- files ----------------------------------------------------------------------------------- */

int spf_system_open(const char *path, int waits, int *file) {
    *file = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK));
    return *file >= 0 ? 0 : errno;
}

int spf_system_open_to_write(const char *path, int appends, int *file) {
    *file = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | (appends ? O_APPEND : 0));
    return *file >= 0 ? 0 : errno;
}

static int is_at(int file, const char *path) {
    struct stat here, there;
    return fstat(file, &here) == 0 && lstat(path, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* The lock ends with the process, however that ends, and works across containers and machines that
 * share a directory, where process numbers mean nothing. Without file locks nothing is swept. */
int spf_system_create(const char *path, unsigned mode, int *file) {
    *file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
    if (*file < 0) return errno == EINTR ? EEXIST : errno;
    int swept = flock(*file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!swept && is_at(*file, path)) return 0;
    close(*file);
    *file = -1;
    return EEXIST;
}

/* A running process holds the lock, or finds on locking that the file is gone or replaced. */
void spf_system_sweep(const char *path) {
    struct stat about;
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode)) return;
    int file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_at(file, path)) unlink(path);
    close(file);
}

FILE *spf_system_read_stream(const char *path) {
    return fopen(path, "re");
}

FILE *spf_system_write_stream(int file) {
    int copy, code = spf_system_copy(file, &copy);
    FILE *stream = code == 0 ? fdopen(copy, "w") : NULL;
    if (code == 0 && !stream) {
        code = errno;
        close(copy);
    }
    if (!stream) errno = code;
    return stream;
}

int spf_system_copy(int file, int *copy) {
    *copy = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return *copy >= 0 ? 0 : errno;
}

int spf_system_read(int file, void *bytes, size_t most, size_t *got) {
    ssize_t count;
    do count = read(file, bytes, most);
    while (count < 0 && errno == EINTR);
    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? errno : 0;
}

int spf_system_read_at(int file, uint64_t from, void *bytes, size_t most, size_t *got) {
    ssize_t count;
    do count = pread(file, bytes, most, (off_t)from);
    while (count < 0 && errno == EINTR);
    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? errno : 0;
}

int spf_system_write(int file, const void *bytes, size_t most, size_t *written) {
    ssize_t count;
    do count = write(file, bytes, most);
    while (count < 0 && errno == EINTR);
    *written = count > 0 ? (size_t)count : 0;
    return count > 0 ? 0 : count < 0 ? errno : ENOSPC;
}

int spf_system_ready(int file, int milliseconds) {
    struct pollfd wanted = {.fd = file, .events = POLLIN};
    return poll(&wanted, 1, milliseconds) != 0;
}

void spf_system_close(int file) {
    close(file);
}

/* For a group that the old file did not have: the permissions of everybody else. */
static mode_t without_group(mode_t mode) {
    return (mode & ~(mode_t)S_IRWXG) | ((mode & S_IRWXO) << 3);
}

/* Copies the access control list, whose mask the group permissions are. Returns 0 if there is one
 * that cannot be copied. */
static int copy_list(int file, const char *target) {
#ifdef __linux__
    static const char name[] = "system.posix_acl_access";
    char list[4096];
    ssize_t size = getxattr(target, name, list, sizeof list);
    if (size < 0) return errno != ERANGE;
    return fsetxattr(file, name, list, (size_t)size, 0) == 0;
#else
    (void)file, (void)target;
    return 1;
#endif
}

void spf_system_copy_permissions(int file, const char *target, const spf_file_info *given) {
    spf_file_info old, new;
    if (spf_system_look_at_link(target, &old) != 0 || old.kind != SPF_FILE_REGULAR) {
        if (!given) return;
        old = *given;
    }
    mode_t mode = (mode_t)old.mode;
    if (spf_system_look_at_open(file, &new) != 0) return;
    if (new.group != old.group && fchown(file, (uid_t)-1, (gid_t)old.group) != 0)
        mode = without_group(mode) & 0777;
    if (new.user != old.user && fchown(file, (uid_t)old.user, (gid_t)-1) != 0) mode &= 0777;
    if (!copy_list(file, target)) mode = without_group(mode);
    if (fchmod(file, mode) != 0) return;
}

void spf_system_create_like(const char *path, const spf_file_info *old) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return;
    int owned = fchown(file, (uid_t)old->user, (gid_t)old->group) == 0;
    fchmod(file, (mode_t)old->mode & (owned ? 0777 : 0700));
    close(file);
}

int spf_system_sync(int file) {
    return fsync(file) == 0 ? 0 : errno;
}

/* If a directory cannot be opened or synced, nothing more can be done. */
int spf_system_sync_directory(const char *path) {
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return 0;
    int code = spf_system_sync(directory);
    close(directory);
    return code == EINVAL ? 0 : code;
}

int spf_system_move(const char *from, const char *to) {
    return rename(from, to) == 0 ? 0 : errno;
}

int spf_system_name_again(const char *path, const char *name) {
    return link(path, name) == 0 ? 0 : errno;
}

void spf_system_remove(const char *path) {
    unlink(path);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A row needs few pages of a mapped tree, not their neighbours. */
int spf_system_map(int file, size_t size, void **bytes) {
    *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (*bytes == MAP_FAILED) return errno;
    madvise(*bytes, size, MADV_RANDOM);
    return 0;
}

void spf_system_unmap(void *bytes, size_t size) {
    munmap(bytes, size);
}

void spf_system_map_soon(void *bytes, size_t size) {
    madvise(bytes, size, MADV_WILLNEED);
}

size_t spf_system_page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Only advice: failure is harmless. */
static void prefer_huge_pages(void *pages, size_t size) {
#ifdef MADV_HUGEPAGE
    madvise(pages, size, MADV_HUGEPAGE);
#else
    (void)pages, (void)size;
#endif
}

void *spf_system_pages(size_t size) {
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    prefer_huge_pages(pages, size);
    return pages;
}

void spf_system_free_pages(void *pages, size_t size) {
    munmap(pages, size);
}

void spf_system_release_pages(void *pages, size_t size) {
    madvise(pages, size, MADV_DONTNEED);
}

void spf_system_use_huge_pages(void *memory, size_t size) {
    const uintptr_t page = spf_system_page_size();
    uintptr_t begin = ((uintptr_t)memory + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)memory + size) / page * page;
    prefer_huge_pages((void *)begin, end - begin);
}

/* ---- machine --------------------------------------------------------------------------------- */

unsigned spf_system_cores(void) {
#ifdef __linux__
    cpu_set_t allowed; /* a container or a batch job may allow only some */
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        return (unsigned)CPU_COUNT(&allowed);
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (unsigned)cores : 1;
}

uint64_t spf_system_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

int64_t spf_system_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Without system randomness, time and addresses have to do. */
void spf_system_random(void *bytes, size_t size) {
    if (getentropy(bytes, size) == 0) return;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t word[2] = {(uint64_t)(uintptr_t)&now ^ (uint64_t)now.tv_nsec << 20,
                        (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_sec};
    for (size_t done = 0; done < size; done += sizeof word) {
        size_t rest = size - done;
        memcpy((char *)bytes + done, word, rest < sizeof word ? rest : sizeof word);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

double spf_system_scan_double(const char *text) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = strtod_l(text, NULL, c);
    freelocale(c);
    return value;
}

int spf_system_print_double(char *text, size_t size, int digits, double value) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c);
    int length = snprintf(text, size, "%.*g", digits, value);
    uselocale(before);
    freelocale(c);
    return length;
}

#endif
