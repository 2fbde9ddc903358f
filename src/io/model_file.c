/* Model files on disk. A model is written under a temporary name in the same directory, synced and
 * renamed, so that whatever happens the path holds the old model or the new one. */
#include "io/model_file.h"

#include "io/model_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- writing --------------------------------------------------------------------------------- */

enum { BUFFER_SIZE = 1 << 16, NAME_TRIES = 10000, NAME_ROOM = 64 };

typedef struct {
    const char *path; /* as the caller named it, for messages */
    char *target;     /* the same with symbolic links followed */
    size_t directory; /* length of the target's directory, with the slash */
    char *temporary;  /* NULL while there is no such file */
    int file;
    size_t used; /* bytes of buffer */
    unsigned char *buffer;
} writer;

static const char *write_advice(int error) {
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "make room or choose another place";
    case ENOENT:
    case ENOTDIR:
        return "create the directory first or choose another place";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a directory that you may write to";
    default:
        return "choose another place";
    }
}

static sporf_status raise_write(const writer *w, int error) {
    return spf_raise(SPORF_ERROR_IO, "cannot write %s: %s; %s", w->path, strerror(error),
                     write_advice(error));
}

/* A link is followed so that it stays a link; devices, pipes and the like are never replaced. */
static sporf_status choose_target(writer *w) {
    struct stat info;
    if (*w->path == '\0')
        return spf_raise(SPORF_ERROR_ARGUMENT, "the path of the model file is empty");
    w->target = realpath(w->path, NULL);
    if (!w->target && errno == ENOENT) w->target = spf_strdup(w->path);
    if (!w->target) return errno == ENOMEM ? spf_raise_memory() : raise_write(w, errno);
    if (stat(w->target, &info) == 0 && !S_ISREG(info.st_mode))
        return spf_raise(SPORF_ERROR_IO, "cannot write %s: it is %s; choose another name", w->path,
                         S_ISDIR(info.st_mode) ? "a directory" : "not a regular file");
    const char *slash = strrchr(w->target, '/');
    w->directory = slash ? (size_t)(slash - w->target) + 1 : 0;
    return SPORF_OK;
}

static sporf_status open_temporary(writer *w) {
    size_t room = w->directory + NAME_ROOM;
    char *name = spf_alloc(room, 1);
    if (!name) return spf_raise_memory();
    memcpy(name, w->target, w->directory);
    for (int i = 0; i < NAME_TRIES && w->file < 0; i++) {
        snprintf(name + w->directory, NAME_ROOM, ".sporf-%ld-%d.tmp", (long)getpid(), i);
        w->file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (w->file < 0 && errno != EEXIST && errno != EINTR) break;
    }
    if (w->file < 0) {
        int error = errno;
        free(name);
        return raise_write(w, error);
    }
    w->temporary = name;
    return SPORF_OK;
}

static sporf_status write_all(writer *w, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(w->file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return raise_write(w, written < 0 ? errno : ENOSPC);
        bytes += written;
        size -= (size_t)written;
    }
    return SPORF_OK;
}

static sporf_status flush(writer *w) {
    size_t size = w->used;
    w->used = 0;
    return write_all(w, w->buffer, size);
}

static sporf_status write_buffered(void *context, const void *bytes, size_t size) {
    writer *w = context;
    if (size > BUFFER_SIZE - w->used) SPF_TRY(flush(w));
    if (size >= BUFFER_SIZE) return write_all(w, bytes, size);
    memcpy(w->buffer + w->used, bytes, size);
    w->used += size;
    return SPORF_OK;
}

static sporf_status close_synced(writer *w) {
    int file = w->file;
    if (fsync(file) != 0) return raise_write(w, errno);
    w->file = -1;
    if (close(file) != 0 && errno != EINTR) return raise_write(w, errno);
    return SPORF_OK;
}

/* Makes the rename last. Directories that cannot be opened, and file systems that cannot sync them,
 * have no better to offer. */
static sporf_status sync_directory(writer *w) {
    char kept = w->target[w->directory];
    w->target[w->directory] = '\0';
    int directory = open(w->directory ? w->target : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    w->target[w->directory] = kept;
    if (directory < 0) return SPORF_OK;
    int error = fsync(directory) == 0 ? 0 : errno;
    close(directory);
    return error == 0 || error == EINVAL ? SPORF_OK : raise_write(w, error);
}

static sporf_status put_in_place(writer *w) {
    if (rename(w->temporary, w->target) != 0) return raise_write(w, errno);
    free(w->temporary);
    w->temporary = NULL;
    return sync_directory(w);
}

static void writer_close(writer *w) {
    if (w->file >= 0) close(w->file);
    if (w->temporary) unlink(w->temporary);
    free(w->temporary);
    free(w->target);
    free(w->buffer);
}

static sporf_status write_model(writer *w, const sporf_forest *forest) {
    spf_encoding encoding;
    w->buffer = spf_alloc(BUFFER_SIZE, 1);
    if (!w->buffer) return spf_raise_memory();
    SPF_TRY(choose_target(w));
    SPF_TRY(spf_encoding_plan(forest, &encoding));
    SPF_TRY(open_temporary(w));
    SPF_TRY(spf_encoding_write(&encoding, (spf_sink){write_buffered, w}));
    SPF_TRY(flush(w));
    SPF_TRY(close_synced(w));
    return put_in_place(w);
}

sporf_status spf_model_write(const sporf_forest *forest, const char *path) {
    writer w = {.path = path, .file = -1};
    sporf_status status = write_model(&w, forest);
    writer_close(&w);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static sporf_status raise_read(const char *path, int error) {
    return spf_raise(SPORF_ERROR_IO, "cannot read the model %s: %s", path, strerror(error));
}

static sporf_status read_fully(int file, const char *path, unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t got = read(file, bytes, size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return raise_read(path, errno);
        if (got == 0)
            return spf_raise(SPORF_ERROR_IO, "%s became shorter while it was read: try again",
                             path);
        bytes += got;
        size -= (size_t)got;
    }
    return SPORF_OK;
}

/* The header is judged before memory is asked for: a huge file that is no model costs nothing. */
static sporf_status read_header(int file, const char *path, uint64_t size, unsigned char *header,
                                size_t *length) {
    if (size > SIZE_MAX / 2) return raise_read(path, EFBIG);
    *length = size < sizeof(spf_model_header) ? (size_t)size : sizeof(spf_model_header);
    SPF_TRY(read_fully(file, path, header, *length));
    return spf_model_check_header(header, size, path);
}

static sporf_status read_bytes(int file, const char *path, uint64_t size,
                               spf_model_buffer *buffer) {
    unsigned char header[sizeof(spf_model_header)], *bytes;
    size_t length = 0;
    SPF_TRY(read_header(file, path, size, header, &length));
    SPF_TRY(spf_model_buffer_create(size, buffer, &bytes));
    memcpy(bytes, header, length);
    return read_fully(file, path, bytes + length, size - length);
}

static sporf_status map_bytes(int file, const char *path, uint64_t size, spf_model_buffer *buffer) {
    unsigned char header[sizeof(spf_model_header)];
    size_t length = 0;
    SPF_TRY(read_header(file, path, size, header, &length));
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) return raise_read(path, errno);
    madvise(bytes, size, MADV_RANDOM); /* a row needs a few pages of each tree, not those around */
    *buffer = (spf_model_buffer){
        .storage = {.base = bytes, .mapped = size}, .bytes = bytes, .size = size};
    return SPORF_OK;
}

static sporf_status open_model(const char *path, spf_model_care care, sporf_forest **out) {
    spf_model_buffer buffer = {0};
    struct stat info;
    sporf_status status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* or a pipe would block */
    if (file < 0) return raise_read(path, errno);
    if (fstat(file, &info) != 0)
        status = raise_read(path, errno);
    else if (!S_ISREG(info.st_mode))
        status = spf_raise(SPORF_ERROR_IO, "cannot read the model %s: it is %s", path,
                           S_ISDIR(info.st_mode) ? "a directory" : "not a regular file");
    else
        status = care == SPF_MODEL_CHECK_ALL
                     ? read_bytes(file, path, (uint64_t)info.st_size, &buffer)
                     : map_bytes(file, path, (uint64_t)info.st_size, &buffer);
    close(file);
    if (status == SPORF_OK) status = spf_model_decode_buffer(&buffer, care, path, out);
    if (status != SPORF_OK) spf_model_buffer_free(&buffer);
    return status;
}

sporf_status spf_model_read(const char *path, sporf_forest **out) {
    return open_model(path, SPF_MODEL_CHECK_ALL, out);
}

sporf_status spf_model_map(const char *path, sporf_forest **out) {
    return open_model(path, SPF_MODEL_CHECK_FRAME, out);
}
