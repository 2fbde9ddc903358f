/* Model files on disk, written through base/replace.h: whatever happens, the path holds the old
 * model or the new one. */
#include "io/model_file.h"

#include "base/replace.h"
#include "base/system.h"
#include "io/model_format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

enum { BUFFER_SIZE = 1 << 16 };

typedef struct {
    const char *path;
    spf_replacement to;
    size_t used; /* bytes in buffer */
    unsigned char *buffer;
} writer;

static const char *write_advice(int error) {
    if (spf_system_is_full(error)) return "make room or choose another place";
    switch (error) {
    case SPF_READ_ONLY:
        return "make it writable or choose another name";
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
    if (error == ENOMEM) return spf_raise_memory();
    return spf_raise(SPORF_ERROR_IO, "cannot write " SPF_FILE ": %s" SPF_HINT "%s", w->path,
                     spf_place_error(error), write_advice(error));
}

/* Refuses devices, pipes and the like. */
static sporf_status check_kind(const writer *w, spf_place_kind kind) {
    if (kind == SPF_PLACE_NEW || kind == SPF_PLACE_FILE) return SPORF_OK;
    return spf_raise(SPORF_ERROR_IO,
                     "cannot write " SPF_FILE ": it is %s" SPF_HINT "choose another name", w->path,
                     kind == SPF_PLACE_DIRECTORY ? "a directory" : "not a regular file");
}

static sporf_status start(writer *w) {
    spf_place place;
    if (*w->path == '\0')
        return spf_raise(SPORF_ERROR_ARGUMENT, "the path of the model file is empty");
    int code = spf_place_find(w->path, &place);
    sporf_status status = code != 0 ? raise_write(w, code) : check_kind(w, place.kind);
    if (status != SPORF_OK) {
        spf_place_free(&place);
        return status;
    }
    code = spf_replace_start(&place, &w->to);
    return code == 0 ? SPORF_OK : raise_write(w, code);
}

static sporf_status write_all(writer *w, const unsigned char *bytes, size_t size) {
    for (size_t written; size > 0; bytes += written, size -= written) {
        int code = spf_system_write(w->to.file, bytes, size, &written);
        if (code != 0) return raise_write(w, code);
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

static sporf_status finish(writer *w) {
    SPF_TRY(flush(w));
    int code = spf_replace_sync(&w->to);
    if (code == 0) code = spf_replace_put(&w->to);
    return code == 0 ? SPORF_OK : raise_write(w, code);
}

static sporf_status write_model(writer *w, const sporf_forest *forest) {
    spf_encoding encoding;
    w->buffer = spf_alloc(BUFFER_SIZE, 1);
    if (!w->buffer) return spf_raise_memory();
    SPF_TRY(spf_encoding_plan(forest, &encoding));
    SPF_TRY(start(w));
    SPF_TRY(spf_encoding_write(&encoding, (spf_sink){write_buffered, w}));
    return finish(w);
}

sporf_status spf_model_write(const sporf_forest *forest, const char *path) {
    writer w = {.path = path, .to = {.file = -1}};
    sporf_status status = write_model(&w, forest);
    spf_replace_end(&w.to);
    free(w.buffer);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static sporf_status raise_read(const char *path, int error) {
    return spf_raise(SPORF_ERROR_IO, "cannot read the model " SPF_FILE ": %s", path,
                     strerror(error));
}

static sporf_status read_fully(int file, const char *path, unsigned char *bytes, size_t size) {
    for (size_t got; size > 0; bytes += got, size -= got) {
        int code = spf_system_read(file, bytes, size, &got);
        if (code != 0) return raise_read(path, code);
        if (got == 0)
            return spf_raise(SPORF_ERROR_IO,
                             SPF_FILE " became shorter while it was read" SPF_HINT "try again",
                             path);
    }
    return SPORF_OK;
}

/* The header is checked before memory is allocated: a huge file that is not a model costs
 * nothing. */
static sporf_status read_header(int file, const char *path, uint64_t size, unsigned char *header,
                                size_t *length) {
    if (size > SIZE_MAX / 2) return raise_read(path, EFBIG);
    *length = size < sizeof(spf_model_header) ? (size_t)size : sizeof(spf_model_header);
    SPF_TRY(read_fully(file, path, header, *length));
    return spf_model_check_header(header, size, path);
}

static sporf_status read_bytes(int file, const char *path, uint64_t size,
                               spf_model_buffer *buffer) {
    unsigned char header[sizeof(spf_model_header)], *bytes = NULL;
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
    void *bytes = NULL;
    int code = spf_system_map(file, size, &bytes);
    if (code != 0) return raise_read(path, code);
    *buffer = (spf_model_buffer){
        .storage = {.base = bytes, .mapped = size}, .bytes = bytes, .size = size};
    return SPORF_OK;
}

/* ---- pipes ----------------------------------------------------------------------------------- */

typedef struct {
    unsigned char *bytes;
    size_t size, capacity;
} gathered;

/* Reads until there are `most` bytes, or no more come. Memory grows with the bytes read. */
static sporf_status gather(int file, const char *path, uint64_t most, gathered *g) {
    while (g->size < most) {
        SPF_TRY(SPF_RESERVE(g->bytes, g->capacity, g->size + 1));
        size_t room = g->capacity - g->size, got;
        if (room > most - g->size) room = (size_t)(most - g->size);
        int code = spf_system_read(file, g->bytes + g->size, room, &got);
        if (code != 0) return raise_read(path, code);
        if (got == 0) break;
        g->size += got;
    }
    return SPORF_OK;
}

/* The size in the header tells whether the rest is worth reading, and where it ends. */
static sporf_status gather_model(int file, const char *path, gathered *g) {
    spf_model_header header;
    SPF_TRY(gather(file, path, sizeof header, g));
    if (g->size == sizeof header) {
        memcpy(&header, g->bytes, sizeof header);
        SPF_TRY(spf_model_check_header(g->bytes, header.file_size, path));
        if (header.file_size > SIZE_MAX / 2) return raise_read(path, EFBIG);
        SPF_TRY(gather(file, path, header.file_size + 1, g));
    }
    return spf_model_check_header(g->bytes, g->size, path);
}

static sporf_status read_pipe(int file, const char *path, spf_model_buffer *buffer) {
    gathered g = {0};
    unsigned char *bytes = NULL;
    sporf_status status = gather_model(file, path, &g);
    if (status == SPORF_OK) status = spf_model_buffer_create(g.size, buffer, &bytes);
    if (status == SPORF_OK) memcpy(bytes, g.bytes, g.size);
    free(g.bytes);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

static sporf_status refuse_kind(const char *path, spf_file_kind kind) {
    return spf_raise(SPORF_ERROR_IO, "cannot read the model " SPF_FILE ": it is %s", path,
                     kind == SPF_FILE_DIRECTORY ? "a directory" : "not a regular file");
}

/* Only a regular file can be mapped. */
static sporf_status open_bytes(int file, const char *path, spf_model_care care,
                               spf_model_buffer *buffer) {
    spf_file_info info;
    int code = spf_system_look_at_open(file, &info), whole = care == SPF_MODEL_CHECK_ALL;
    if (code != 0) return raise_read(path, code);
    if (info.kind == SPF_FILE_REGULAR)
        return (whole ? read_bytes : map_bytes)(file, path, info.size, buffer);
    if (!whole || info.kind == SPF_FILE_DIRECTORY) return refuse_kind(path, info.kind);
    return read_pipe(file, path, buffer);
}

static sporf_status open_model(const char *path, spf_model_care care, sporf_forest **out) {
    spf_model_buffer buffer = {0};
    int file, code = spf_system_open(path, care == SPF_MODEL_CHECK_ALL, &file);
    if (code != 0) return raise_read(path, code);
    sporf_status status = open_bytes(file, path, care, &buffer);
    spf_system_close(file);
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
