/* Windows, compiled with MinGW-w64. Files are opened by the system's own functions, because those
 * of the C library know neither UTF-8 nor files that may be renamed while they are open; after that
 * they have descriptors as elsewhere, but bytes are read and written without a change of line
 * ends. */
#ifdef _WIN32

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
/* After windows.h. */
#include <ntsecapi.h>

/* Words of 16-bit processors, which are names elsewhere in the amalgamation. */
#undef near
#undef far

enum { STEP_MAX = 1 << 30 }; /* bytes of one read or write */

/* ---- errors and paths ------------------------------------------------------------------------ */

static int last_error(void) {
    static const struct {
        DWORD error;
        int code;
    } known[] = {{ERROR_FILE_NOT_FOUND, ENOENT},
                 {ERROR_PATH_NOT_FOUND, ENOENT},
                 {ERROR_INVALID_NAME, ENOENT},
                 {ERROR_BAD_NETPATH, ENOENT},
                 {ERROR_BAD_PATHNAME, ENOENT},
                 {ERROR_NOT_READY, ENOENT},
                 {ERROR_ACCESS_DENIED, EACCES},
                 {ERROR_SHARING_VIOLATION, EACCES},
                 {ERROR_LOCK_VIOLATION, EACCES},
                 {ERROR_USER_MAPPED_FILE, EACCES},
                 {ERROR_WRITE_PROTECT, EROFS},
                 {ERROR_FILE_EXISTS, EEXIST},
                 {ERROR_ALREADY_EXISTS, EEXIST},
                 {ERROR_DISK_FULL, ENOSPC},
                 {ERROR_HANDLE_DISK_FULL, ENOSPC},
                 {ERROR_FILE_TOO_LARGE, EFBIG},
                 {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                 {ERROR_OUTOFMEMORY, ENOMEM},
                 {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
                 {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
                 {ERROR_DIRECTORY, ENOTDIR},
                 {ERROR_BROKEN_PIPE, EPIPE},
                 {ERROR_NO_DATA, EPIPE},
                 {ERROR_INVALID_HANDLE, EBADF}};
    DWORD error = GetLastError();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].error == error) return known[i].code;
    return EIO;
}

/* A path as the system wants it, to be freed. */
static int widen(const char *path, wchar_t **wide) {
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    *wide = NULL;
    if (length <= 0) return EILSEQ;
    *wide = malloc((size_t)length * sizeof **wide);
    if (!*wide) return ENOMEM;
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, *wide, length);
    return 0;
}

static HANDLE handle_of(int file) {
    return (HANDLE)_get_osfhandle(file);
}

typedef struct {
    DWORD access, share, how, flags;
} opening;

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

static int open_handle(const char *path, opening o, HANDLE *handle) {
    wchar_t *wide;
    int code = widen(path, &wide);
    *handle = code == 0 ? CreateFileW(wide, o.access, o.share, NULL, o.how, o.flags, NULL)
                        : INVALID_HANDLE_VALUE;
    if (code == 0 && *handle == INVALID_HANDLE_VALUE) code = last_error();
    free(wide);
    return code;
}

static int open_file(const char *path, opening o, int mode, int *file) {
    HANDLE handle;
    *file = -1;
    int code = open_handle(path, o, &handle);
    if (code != 0) return code;
    *file = _open_osfhandle((intptr_t)handle, mode | _O_BINARY | _O_NOINHERIT);
    if (*file >= 0) return 0;
    code = errno;
    CloseHandle(handle);
    return code;
}

/* ---- what a file is -------------------------------------------------------------------------- */

static int look_at_handle(HANDLE handle, spf_file_info *info) {
    BY_HANDLE_FILE_INFORMATION about;
    *info = (spf_file_info){.kind = SPF_FILE_OTHER, .mode = 0666};
    if (GetFileType(handle) != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle(handle, &about)) return last_error();
    int directory = (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    int read_only = (about.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0;
    uint64_t changed =
        (uint64_t)about.ftLastWriteTime.dwHighDateTime << 32 | about.ftLastWriteTime.dwLowDateTime;
    *info =
        (spf_file_info){.kind = directory ? SPF_FILE_DIRECTORY : SPF_FILE_REGULAR,
                        .mode = read_only && !directory ? 0444 : 0666,
                        .size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow,
                        .device = about.dwVolumeSerialNumber,
                        .number = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow,
                        .seconds = (int64_t)(changed / 10000000), /* in units of 100 nanoseconds */
                        .nanoseconds = (long)(changed % 10000000) * 100};
    return 0;
}

int spf_system_look(const char *path, spf_file_info *info) {
    HANDLE handle;
    const opening o = {0, SHARE_ALL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS};
    int code = open_handle(path, o, &handle);
    if (code != 0) return code;
    code = look_at_handle(handle, info);
    CloseHandle(handle);
    return code;
}

/* Links are rare, and only administrators may create them: the system follows them, and a file that
 * replaces one takes the place of the link. */
int spf_system_look_at_link(const char *path, spf_file_info *info) {
    return spf_system_look(path, info);
}

int spf_system_look_at_open(int file, spf_file_info *info) {
    return look_at_handle(handle_of(file), info);
}

int spf_system_follow(const char *link, char **target) {
    (void)link, (void)target;
    return EINVAL;
}

int spf_system_is_open(const char *path, spf_file_info *info, int *descriptor) {
    (void)path, (void)info, (void)descriptor;
    return 0;
}

int spf_system_ends_directory(char c) {
    return c == '/' || c == '\\' || c == ':';
}

int spf_system_is_absolute(const char *path) {
    return path[0] == '/' || path[0] == '\\' || (path[0] != '\0' && path[1] == ':');
}

/* The attribute is in the mode; other reasons show when the file is replaced. */
int spf_system_may_write(const char *path) {
    (void)path;
    return 0;
}

int spf_system_may_create_in(const char *directory) {
    spf_file_info info;
    int code = spf_system_look(directory, &info);
    return code != 0 ? code : info.kind == SPF_FILE_DIRECTORY ? 0 : ENOTDIR;
}

int spf_system_is_full(int code) {
    return code == ENOSPC || code == EFBIG;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A directory can be opened, and is refused by who wants to read it. */
int spf_system_open(const char *path, int waits, int *file) {
    const opening o = {GENERIC_READ, SHARE_ALL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS};
    (void)waits;
    return open_file(path, o, _O_RDONLY, file);
}

int spf_system_open_to_write(const char *path, int appends, int *file) {
    const opening o = {appends ? FILE_APPEND_DATA : GENERIC_WRITE, SHARE_ALL, OPEN_EXISTING, 0};
    return open_file(path, o, _O_WRONLY, file);
}

/* Locks a byte far behind the end of a file, so that the file can be read; whoever has the file
 * open can be the only one to have the lock. */
static int lock(int file) {
    OVERLAPPED place = {.OffsetHigh = 1 << 30};
    return LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                      &place);
}

static int is_removed(int file) {
    FILE_STANDARD_INFO about;
    return GetFileInformationByHandleEx(handle_of(file), FileStandardInfo, &about, sizeof about) &&
           about.DeletePending;
}

/* The lock ends with the process. Without locks nothing is swept. */
int spf_system_create(const char *path, unsigned mode, int *file) {
    const opening o = {GENERIC_WRITE, SHARE_ALL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL};
    (void)mode;
    int code = open_file(path, o, _O_WRONLY, file);
    if (code != 0) return code;
    int swept = !lock(*file) && GetLastError() == ERROR_LOCK_VIOLATION;
    if (!swept && !is_removed(*file)) return 0;
    _close(*file);
    *file = -1;
    return EEXIST;
}

void spf_system_sweep(const char *path) {
    const opening o = {GENERIC_READ, SHARE_ALL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL};
    int file;
    if (open_file(path, o, _O_RDONLY, &file) != 0) return;
    if (lock(file)) spf_system_remove(path);
    _close(file);
}

FILE *spf_system_read_stream(const char *path) {
    int file, code = spf_system_open(path, 1, &file);
    FILE *stream = code == 0 ? _fdopen(file, "rb") : NULL;
    if (code == 0 && !stream) {
        code = errno;
        _close(file);
    }
    if (!stream) errno = code;
    return stream;
}

FILE *spf_system_write_stream(int file) {
    int copy, code = spf_system_copy(file, &copy);
    FILE *stream = code == 0 ? _fdopen(copy, "wb") : NULL;
    if (code == 0 && !stream) {
        code = errno;
        _close(copy);
    }
    if (!stream) errno = code;
    return stream;
}

int spf_system_copy(int file, int *copy) {
    *copy = _dup(file);
    return *copy >= 0 ? 0 : errno;
}

/* A pipe whose writer has gone is at its end; so is a file at an offset beyond it. */
static int read_step(int file, OVERLAPPED *place, void *bytes, size_t most, size_t *got) {
    DWORD count = 0, room = most < STEP_MAX ? (DWORD)most : STEP_MAX;
    int good = ReadFile(handle_of(file), bytes, room, &count, place);
    *got = count;
    if (good || GetLastError() == ERROR_BROKEN_PIPE || GetLastError() == ERROR_HANDLE_EOF) return 0;
    return last_error();
}

int spf_system_read(int file, void *bytes, size_t most, size_t *got) {
    return read_step(file, NULL, bytes, most, got);
}

/* Reading at a place moves the position of the file, which is put back. */
int spf_system_read_at(int file, uint64_t from, void *bytes, size_t most, size_t *got) {
    OVERLAPPED place = {.Offset = (DWORD)from, .OffsetHigh = (DWORD)(from >> 32)};
    int64_t before = _lseeki64(file, 0, SEEK_CUR);
    int code = read_step(file, &place, bytes, most, got);
    if (before >= 0) _lseeki64(file, before, SEEK_SET);
    return code;
}

int spf_system_write(int file, const void *bytes, size_t most, size_t *written) {
    DWORD count = 0, room = most < STEP_MAX ? (DWORD)most : STEP_MAX;
    int good = WriteFile(handle_of(file), bytes, room, &count, NULL);
    *written = count;
    return !good ? last_error() : count > 0 ? 0 : ENOSPC;
}

/* Only pipes are waited for, by asking again and again. */
int spf_system_ready(int file, int milliseconds) {
    enum { NAP = 5 };
    HANDLE handle = handle_of(file);
    if (GetFileType(handle) != FILE_TYPE_PIPE) return 1;
    for (int waited = 0;; waited += NAP) {
        DWORD bytes = 0;
        if (!PeekNamedPipe(handle, NULL, 0, NULL, &bytes, NULL) || bytes > 0) return 1;
        if (waited >= milliseconds) return 0;
        Sleep(NAP);
    }
}

void spf_system_close(int file) {
    _close(file);
}

/* New files get the permissions of their directory. */
void spf_system_copy_permissions(int file, const char *target, const spf_file_info *old) {
    (void)file, (void)target, (void)old;
}

void spf_system_create_like(const char *path, const spf_file_info *old) {
    (void)path, (void)old;
}

int spf_system_sync(int file) {
    return FlushFileBuffers(handle_of(file)) ? 0 : last_error();
}

/* MOVEFILE_WRITE_THROUGH has done it. */
int spf_system_sync_directory(const char *directory) {
    (void)directory;
    return 0;
}

/* Scanners and indexers open new files for a moment, in which these cannot be moved. */
static BOOL move(const wchar_t *old, const wchar_t *new) {
    enum { TRIES = 10, PAUSE_MS = 50 };
    for (int i = 1;; i++) {
        if (MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return TRUE;
        DWORD error = GetLastError();
        int is_busy = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
        if (!is_busy || i == TRIES) return FALSE;
        Sleep(PAUSE_MS);
    }
}

int spf_system_move(const char *from, const char *to) {
    wchar_t *old = NULL, *new = NULL;
    int code = widen(from, &old);
    if (code == 0) code = widen(to, &new);
    if (code == 0 && !move(old, new)) code = last_error();
    free(old);
    free(new);
    return code;
}

int spf_system_name_again(const char *path, const char *name) {
    wchar_t *old = NULL, *new = NULL;
    int code = widen(path, &old);
    if (code == 0) code = widen(name, &new);
    if (code == 0 && !CreateHardLinkW(new, old, NULL)) code = last_error();
    free(old);
    free(new);
    return code;
}

void spf_system_remove(const char *path) {
    wchar_t *wide;
    if (widen(path, &wide) == 0) DeleteFileW(wide);
    free(wide);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The file cannot be replaced while it is mapped. */
int spf_system_map(int file, size_t size, void **bytes) {
    HANDLE mapping = CreateFileMappingW(handle_of(file), NULL, PAGE_READONLY, 0, 0, NULL);
    if (!mapping) return last_error();
    *bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size);
    int code = *bytes ? 0 : last_error();
    CloseHandle(mapping);
    return code;
}

void spf_system_unmap(void *bytes, size_t size) {
    (void)size;
    UnmapViewOfFile(bytes);
}

void spf_system_map_soon(void *bytes, size_t size) {
    (void)bytes, (void)size;
}

size_t spf_system_page_size(void) {
    SYSTEM_INFO machine;
    GetSystemInfo(&machine);
    return machine.dwPageSize;
}

void *spf_system_pages(size_t size) {
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void spf_system_free_pages(void *pages, size_t size) {
    (void)size;
    VirtualFree(pages, 0, MEM_RELEASE);
}

/* Unlocking pages that are not locked takes them out of the working set. */
void spf_system_release_pages(void *pages, size_t size) {
    VirtualAlloc(pages, size, MEM_RESET, PAGE_READWRITE);
    VirtualUnlock(pages, size);
}

void spf_system_use_huge_pages(void *memory, size_t size) {
    (void)memory, (void)size;
}

/* ---- machine --------------------------------------------------------------------------------- */

unsigned spf_system_cores(void) {
    DWORD_PTR own, all;
    unsigned cores = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &own, &all))
        cores = (unsigned)__builtin_popcountll(own);
    return cores > 0 ? cores : 1;
}

uint64_t spf_system_memory(void) {
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : UINT64_MAX;
}

int64_t spf_system_clock(void) {
    LARGE_INTEGER ticks, second;
    QueryPerformanceFrequency(&second);
    QueryPerformanceCounter(&ticks);
    int64_t whole = ticks.QuadPart / second.QuadPart, rest = ticks.QuadPart % second.QuadPart;
    return whole * 1000000000 + rest * 1000000000 / second.QuadPart;
}

/* Without system randomness, time and addresses have to do. */
void spf_system_random(void *bytes, size_t size) {
    if (RtlGenRandom(bytes, (ULONG)size)) return;
    uint64_t word[2] = {(uint64_t)(uintptr_t)&size ^ (uint64_t)GetCurrentProcessId() << 32,
                        (uint64_t)spf_system_clock()};
    for (size_t i = 0; i < size; i++) ((unsigned char *)bytes)[i] = ((unsigned char *)word)[i % 16];
}

/* ---- numbers ---------------------------------------------------------------------------------
 *
 * MinGW's own strtod and printf round correctly, those of msvcrt.dll do not; so the former are
 * used, and the decimal mark of the locale is exchanged. */

static const char *decimal_mark(void) {
    return localeconv()->decimal_point;
}

double spf_system_scan_double(const char *text) {
    const char *mark = decimal_mark();
    size_t length = strspn(text, "0123456789.eE+-"), before = strcspn(text, ".");
    if (strcmp(mark, ".") == 0 || before >= length) return strtod(text, NULL);
    char *copy = malloc(length + strlen(mark) + 1);
    if (!copy) return strtod(text, NULL);
    memcpy(copy, text, before);
    strcpy(copy + before, mark);
    strncat(copy, text + before + 1, length - before - 1);
    double value = strtod(copy, NULL);
    free(copy);
    return value;
}

int spf_system_print_double(char *text, size_t size, int digits, double value) {
    int length = snprintf(text, size, "%.*g", digits, value);
    const char *mark = decimal_mark();
    char *place = strcmp(mark, ".") != 0 ? strstr(text, mark) : NULL;
    if (!place) return length;
    size_t taken = strlen(mark);
    *place = '.';
    memmove(place + 1, place + taken, strlen(place + taken) + 1);
    return length - (int)taken + 1;
}

#endif
