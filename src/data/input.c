/* Bytes in order: read from a file or pipe, and unpacked if they start as gzip does. */
#include "data/input.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_MAX_SHOWN = 150,
    READ_BYTES = 1 << 20,
    MAGIC_BYTES = 2,
};

/* The path as messages show it: its tail, where it is long. */
static const char *shown_name(const char *path) {
    if (strcmp(path, "-") == 0) return "standard input";
    size_t length = strlen(path);
    return length > NAME_MAX_SHOWN ? path + (length - NAME_MAX_SHOWN) : path;
}

static sporf_status read_file(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    ssize_t count;
    do count = read(input->file, out, room < READ_BYTES ? room : READ_BYTES);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return spf_raise(SPORF_ERROR_IO, "%s: cannot read: %s", input->name, strerror(errno));
    *got = (size_t)count;
    input->read += *got;
    return SPORF_OK;
}

/* Reads ahead where nothing is left of what was; afterwards nothing is left only at the end. */
static sporf_status look_ahead(spf_input *input) {
    if (input->begin < input->end) return SPORF_OK;
    input->begin = input->end = 0;
    return read_file(input, input->ahead, READ_BYTES, &input->end);
}

static sporf_status examine(spf_input *input) {
    struct stat about;
    if (fstat(input->file, &about) != 0)
        return spf_raise(SPORF_ERROR_IO, "%s: %s", input->name, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return spf_raise(SPORF_ERROR_IO, "%s: is a directory, not a file", input->name);
    if (S_ISREG(about.st_mode)) input->size = (uint64_t)about.st_size;
    input->mappable = !input->is_standard && input->size > 0;
    return SPORF_OK;
}

static sporf_status read_magic(spf_input *input) {
    input->ahead = spf_alloc(READ_BYTES, 1);
    if (!input->ahead) return spf_raise_memory();
    for (size_t got = 1; got > 0 && input->end < MAGIC_BYTES; input->end += got)
        SPF_TRY(read_file(input, input->ahead + input->end, READ_BYTES - input->end, &got));
    return SPORF_OK;
}

static sporf_status start_unpacking(spf_input *input) {
    input->mappable = 0;
    return spf_gunzip_create(input->name, &input->unpacker);
}

sporf_status spf_input_open(const char *path, spf_input *input) {
    *input = (spf_input){.name = shown_name(path), .is_standard = strcmp(path, "-") == 0};
    input->file = input->is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (input->file < 0)
        return spf_raise(SPORF_ERROR_IO, "cannot open %s: %s", input->name, strerror(errno));
    SPF_TRY(examine(input));
    SPF_TRY(read_magic(input));
    int packed = input->end >= MAGIC_BYTES && input->ahead[0] == 0x1f && input->ahead[1] == 0x8b;
    return packed ? start_unpacking(input) : SPORF_OK;
}

static sporf_status raise_damage(const spf_input *input, const char *reason) {
    return spf_raise(SPORF_ERROR_DATA, "%s: damaged gzip data near byte %llu: %s", input->name,
                     (unsigned long long)(input->read - (input->end - input->begin)), reason);
}

static sporf_status raise_unpacking(spf_input *input) {
    const char *reason = spf_gunzip_reason(input->unpacker);
    SPF_TRY(look_ahead(input));
    if (input->begin == input->end)
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: the gzip data end too early; the file was not written or copied whole",
            input->name);
    return raise_damage(input, reason ? reason : "cannot be unpacked");
}

/* After a member comes another one, or the end, which zeros may pad. */
static sporf_status pass_to_next_member(spf_input *input) {
    int padded = 0;
    for (;;) {
        SPF_TRY(look_ahead(input));
        if (input->begin == input->end) return SPORF_OK;
        if (input->ahead[input->begin] != '\0') break;
        input->begin++;
        padded = 1;
    }
    if (padded) return raise_damage(input, "neither zeros nor another member");
    input->between_members = 0;
    return spf_gunzip_next(input->unpacker);
}

/* One step, over what was read ahead. */
static sporf_status unpack_step(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    spf_gunzip_span span = {input->ahead + input->begin, out, input->end - input->begin, room};
    spf_gunzip_state state = spf_gunzip_step(input->unpacker, &span);
    input->begin = input->end - span.in_left;
    *got = room - span.out_left;
    input->between_members = state == SPF_GUNZIP_MEMBER_ENDS;
    if (state == SPF_GUNZIP_NEEDS_MEMORY) return spf_raise_memory();
    return state == SPF_GUNZIP_FAILS ? raise_unpacking(input) : SPORF_OK;
}

static sporf_status unpack(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    for (*got = 0; *got == 0;) {
        if (input->between_members) SPF_TRY(pass_to_next_member(input));
        if (input->between_members) return SPORF_OK;
        SPF_TRY(look_ahead(input));
        SPF_TRY(unpack_step(input, out, room < READ_BYTES ? room : READ_BYTES, got));
    }
    return SPORF_OK;
}

sporf_status spf_input_read(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    if (input->unpacker) return unpack(input, out, room, got);
    size_t left = input->end - input->begin;
    if (left == 0) return read_file(input, out, room, got);
    *got = left < room ? left : room;
    memcpy(out, input->ahead + input->begin, *got);
    input->begin += *got;
    return SPORF_OK;
}

void spf_input_close(spf_input *input) {
    spf_gunzip_free(input->unpacker);
    free(input->ahead);
    if (!input->is_standard && input->file >= 0) close(input->file);
    *input = (spf_input){.file = -1};
}
