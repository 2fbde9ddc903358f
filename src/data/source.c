/* A file's bytes in memory: regular files mapped, pipes read, gzip unpacked. Each way closes them
 * with a NUL, so that scanners need not look where the end is at every byte. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "data/reader.h"

#include "data/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    NAME_MAX_SHOWN = 150,
    READ_BYTES = 1 << 20,
    GZIP_WINDOW = 15 + 16, /* zlib's code for the largest window in a gzip wrapper */
};

/* A block of bytes that grows up to a limit. */
typedef struct {
    unsigned char *bytes;
    size_t size, capacity;
    uint64_t limit;
} byte_block;

static uint64_t memory_limit(uint64_t max_memory) {
    if (max_memory > 0) return max_memory;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

/* Room for `more` bytes and the closing NUL. */
static sporf_status block_reserve(byte_block *block, size_t more, const char *name) {
    char limit[SPF_BYTES_TEXT_MAX];
    if (block->size > block->limit)
        return spf_raise(SPORF_ERROR_MEMORY,
                         "%s: what it holds, unpacked, is more than the memory allowed, %s", name,
                         spf_bytes_text(block->limit, limit));
    return SPF_RESERVE(block->bytes, block->capacity, block->size + more + 1);
}

static sporf_status read_all(int file, const char *name, byte_block *block) {
    for (;;) {
        SPF_TRY(block_reserve(block, READ_BYTES, name));
        ssize_t got = read(file, block->bytes + block->size, READ_BYTES);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return spf_raise(SPORF_ERROR_IO, "%s: cannot read: %s", name, strerror(errno));
        if (got == 0) return SPORF_OK;
        block->size += (size_t)got;
    }
}

/* Maps a regular file of size > 0 over the start of zero pages, one more than it needs. Leaves the
 * source without bytes where the system cannot. */
static void map_file(int file, size_t size, spf_source *source) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (size > PTRDIFF_MAX - 2 * page) return;
    size_t whole = (size + page - 1) / page * page + page;
    void *area = mmap(NULL, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED) return;
    if (mmap(area, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED) {
        munmap(area, whole);
        return;
    }
    madvise(area, size, MADV_WILLNEED);
    source->mapped = area;
    source->mapped_size = whole;
    source->bytes = area;
    source->size = size;
}

static sporf_status load_file(int file, int is_input, byte_block *block, spf_source *source) {
    struct stat about;
    if (fstat(file, &about) != 0)
        return spf_raise(SPORF_ERROR_IO, "%s: %s", source->name, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return spf_raise(SPORF_ERROR_IO, "%s: is a directory, not a file", source->name);
    if (!is_input && S_ISREG(about.st_mode) && about.st_size > 0)
        map_file(file, (size_t)about.st_size, source);
    if (source->bytes) return SPORF_OK;
    SPF_TRY(read_all(file, source->name, block));
    block->bytes[block->size] = '\0';
    return SPORF_OK;
}

static void source_own(spf_source *source, byte_block *block) {
    source->owned = block->bytes;
    source->bytes = (const char *)block->bytes;
    source->size = block->size;
    *block = (byte_block){0};
}

static int is_gzip(const unsigned char *bytes, size_t size) {
    return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* One step of inflate, over as much input and output as zlib can count. */
static int inflate_step(z_stream *stream, const spf_source *packed, size_t *position,
                        byte_block *out) {
    size_t left = packed->size - *position, room = out->capacity - out->size - 1;
    uInt in = left < READ_BYTES ? (uInt)left : READ_BYTES;
    uInt space = room < READ_BYTES ? (uInt)room : READ_BYTES;
    stream->next_in = (Bytef *)(packed->bytes + *position);
    stream->avail_in = in;
    stream->next_out = out->bytes + out->size;
    stream->avail_out = space;
    int code = inflate(stream, Z_NO_FLUSH);
    *position += in - stream->avail_in;
    out->size += space - stream->avail_out;
    return code;
}

static sporf_status raise_inflate(int code, const z_stream *stream, const spf_source *packed,
                                  size_t position) {
    if (code == Z_MEM_ERROR) return spf_raise_memory();
    if (position == packed->size)
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: the gzip data end too early; the file was not written or copied whole",
            packed->name);
    return spf_raise(SPORF_ERROR_DATA, "%s: damaged gzip data near byte %zu: %s", packed->name,
                     position, stream->msg ? stream->msg : "cannot be unpacked");
}

static int all_zero(const char *bytes, size_t size) {
    while (size > 0 && *bytes == '\0') {
        bytes++;
        size--;
    }
    return size == 0;
}

/* Unpacks every member of the file, one after the other; zeros may pad its end. */
static sporf_status inflate_members(z_stream *stream, const spf_source *packed, byte_block *out) {
    size_t position = 0;
    for (;;) {
        SPF_TRY(block_reserve(out, READ_BYTES, packed->name));
        int code = inflate_step(stream, packed, &position, out);
        if (code == Z_STREAM_END) {
            if (all_zero(packed->bytes + position, packed->size - position)) return SPORF_OK;
            code = inflateReset(stream);
        }
        if (code != Z_OK) return raise_inflate(code, stream, packed, position);
    }
}

static sporf_status unpack(spf_source *source, uint64_t limit) {
    byte_block out = {.limit = limit};
    z_stream stream = {0};
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK) return spf_raise_memory();
    sporf_status status = inflate_members(&stream, source, &out);
    inflateEnd(&stream);
    if (status != SPORF_OK) {
        free(out.bytes);
        return status;
    }
    out.bytes[out.size] = '\0';
    const char *name = source->name;
    spf_source_close(source);
    source->name = name;
    source_own(source, &out);
    return SPORF_OK;
}

/* The path as messages show it: its tail, where it is long. */
static const char *shown_name(const char *path) {
    if (strcmp(path, "-") == 0) return "standard input";
    size_t length = strlen(path);
    return length > NAME_MAX_SHOWN ? path + (length - NAME_MAX_SHOWN) : path;
}

sporf_status spf_source_open(const char *path, uint64_t max_memory, spf_source *source) {
    int is_input = strcmp(path, "-") == 0;
    byte_block block = {.limit = memory_limit(max_memory)};
    *source = (spf_source){.name = shown_name(path)};
    int file = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return spf_raise(SPORF_ERROR_IO, "cannot open %s: %s", source->name, strerror(errno));
    sporf_status status = load_file(file, is_input, &block, source);
    if (!is_input) close(file);
    if (status != SPORF_OK)
        free(block.bytes);
    else if (block.bytes)
        source_own(source, &block);
    if (status == SPORF_OK && is_gzip((const unsigned char *)source->bytes, source->size))
        status = unpack(source, memory_limit(max_memory));
    if (status != SPORF_OK) spf_source_close(source);
    return status;
}

void spf_source_close(spf_source *source) {
    free(source->owned);
    if (source->mapped) munmap(source->mapped, source->mapped_size);
    *source = (spf_source){0};
}

void spf_source_release(const spf_source *source, const void *begin, size_t size) {
    if (!source || !source->mapped) return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)begin + size) / page * page;
    if (first < last) madvise((void *)first, last - first, MADV_DONTNEED);
}

sporf_status spf_source_check_table(const spf_source *source, size_t rows, size_t features,
                                    uint64_t max_memory) {
    char need[SPF_BYTES_TEXT_MAX], limit[SPF_BYTES_TEXT_MAX];
    uint64_t allowed = memory_limit(max_memory), held = source->owned ? source->size : 0;
    uint64_t bytes = spf_dataset_bytes(rows, features);
    if (bytes <= allowed && held <= allowed - bytes) return SPORF_OK;
    bytes = bytes > UINT64_MAX - held ? UINT64_MAX : bytes + held;
    return spf_raise(SPORF_ERROR_MEMORY,
                     "%s: %zu rows x %zu features take %s%s, more than the %s %s", source->name,
                     rows, features, spf_bytes_text(bytes, need),
                     held > 0 ? " with the unpacked file" : "", spf_bytes_text(allowed, limit),
                     max_memory ? "that max_memory allows" : "of memory in this machine");
}
