/* Bytes in order: read from a file or pipe, unpacked if they start like gzip, and converted to
 * UTF-8 if they start like UTF-16. */
#include "read/input.h"

#include "base/memory.h"
#include "base/system.h"

#include <stdlib.h>
#include <string.h>

enum {
    NAME_MAX_SHOWN = 150,
    READ_BYTES = 1 << 20,
    MAGIC_BYTES = 2,
    WIDE_BYTES = 1 << 16, /* bytes of UTF-16 converted at a time */
};

/* The path for messages: only its end if it is long. */
static const char *shown_name(const char *path) {
    if (strcmp(path, "-") == 0) return "standard input";
    size_t length = strlen(path);
    return length > NAME_MAX_SHOWN ? path + (length - NAME_MAX_SHOWN) : path;
}

static sporf_status raise_read(const spf_input *input, int code) {
    return spf_raise(SPORF_ERROR_IO, SPF_FILE ": cannot read: %s", input->name, strerror(code));
}

static sporf_status read_file(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    int code = spf_system_read(input->file, out, room < READ_BYTES ? room : READ_BYTES, got);
    if (code != 0) return raise_read(input, code);
    input->read += *got;
    return spf_file_check(input->file, &input->mark, input->name);
}

/* Fills the buffer if it is empty; afterwards it is empty only at the end of the file. */
static sporf_status look_ahead(spf_input *input) {
    if (input->begin < input->end) return SPORF_OK;
    input->begin = input->end = 0;
    return read_file(input, input->ahead, READ_BYTES, &input->end);
}

static sporf_status examine(spf_input *input) {
    spf_file_info info;
    int code = spf_system_look_at_open(input->file, &info);
    if (code != 0) return spf_raise(SPORF_ERROR_IO, SPF_FILE ": %s", input->name, strerror(code));
    if (info.kind == SPF_FILE_DIRECTORY)
        return spf_raise(SPORF_ERROR_IO, SPF_FILE ": is a directory, not a file", input->name);
    input->mark = spf_file_mark_of(&info);
    if (input->mark.on_disk) input->size = input->mark.size;
    input->plain = !input->is_standard && input->mark.on_disk;
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
    input->plain = 0;
    return spf_gunzip_create(input->name, &input->unpacker);
}

static sporf_status raise_damage(const spf_input *input, const char *reason) {
    return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": damaged gzip data near byte %llu: %s",
                     input->name, (unsigned long long)(input->read - (input->end - input->begin)),
                     reason);
}

static sporf_status raise_unpacking(spf_input *input) {
    const char *reason = spf_gunzip_reason(input->unpacker);
    SPF_TRY(look_ahead(input));
    if (input->begin == input->end)
        return spf_raise(
            SPORF_ERROR_DATA,
            SPF_FILE ": the gzip data end too early: the file was not written or copied completely",
            input->name);
    return raise_damage(input, reason ? reason : "cannot be unpacked");
}

/* After a member comes another one, or the end, perhaps padded with zeros. */
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

/* One step over the buffered bytes. */
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

/* The unpacked bytes of the file, in their own encoding. */
static sporf_status read_unpacked(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    if (input->unpacker) return unpack(input, out, room, got);
    size_t left = input->end - input->begin;
    if (left == 0) return read_file(input, out, room, got);
    *got = left < room ? left : room;
    memcpy(out, input->ahead + input->begin, *got);
    input->begin += *got;
    return SPORF_OK;
}

/* Reads as many of the first bytes as decide the encoding: two if these show that it is not UTF-16,
 * since the rest of a pipe may take long to come. */
static sporf_status read_head(spf_input *input) {
    unsigned char *head = input->head;
    for (size_t got = 1; got > 0 && input->head_end < SPF_UTF16_HEAD; input->head_end += got) {
        int marked = head[0] >= 0xfe || head[0] == 0 || head[1] == 0;
        if (input->head_end >= 2 && !marked) return SPORF_OK;
        SPF_TRY(
            read_unpacked(input, head + input->head_end, SPF_UTF16_HEAD - input->head_end, &got));
    }
    return SPORF_OK;
}

static sporf_status find_encoding(spf_input *input) {
    SPF_TRY(read_head(input));
    spf_encoding_kind kind = spf_text_encoding(input->head, input->head_end);
    if (kind == SPF_TEXT_BYTES) return SPORF_OK;
    if (kind == SPF_TEXT_UTF32)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": text in UTF-32" SPF_HINT "save it as UTF-8",
                         input->name);
    input->plain = 0;
    input->wide = (spf_utf16){.name = input->name, .big_endian = kind == SPF_TEXT_UTF16_BE};
    input->text = spf_alloc(WIDE_BYTES + spf_utf16_room(WIDE_BYTES), 1);
    return input->text ? SPORF_OK : spf_raise_memory();
}

sporf_status spf_input_open(const char *path, spf_input *input) {
    *input = (spf_input){.name = shown_name(path), .is_standard = strcmp(path, "-") == 0};
    int code = input->is_standard ? 0 : spf_system_open(path, 1, &input->file);
    if (code != 0)
        return spf_raise(SPORF_ERROR_IO, "cannot open " SPF_FILE ": %s", input->name,
                         strerror(code));
    SPF_TRY(examine(input));
    SPF_TRY(read_magic(input));
    int packed = input->end >= MAGIC_BYTES && input->ahead[0] == 0x1f && input->ahead[1] == 0x8b;
    if (packed) SPF_TRY(start_unpacking(input));
    return find_encoding(input);
}

static sporf_status read_from_head(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    size_t left = input->head_end - input->head_begin;
    if (left == 0) return read_unpacked(input, out, room, got);
    *got = left < room ? left : room;
    memcpy(out, input->head + input->head_begin, *got);
    input->head_begin += *got;
    return SPORF_OK;
}

/* Converts the next piece of UTF-16; nothing is left only at the end. The buffer has the output
 * first and the input behind it. */
static sporf_status convert(spf_input *input) {
    unsigned char *wide = input->text + spf_utf16_room(WIDE_BYTES);
    input->text_begin = input->text_end = 0;
    while (input->text_end == 0) {
        size_t got = 0;
        SPF_TRY(read_from_head(input, wide, WIDE_BYTES, &got));
        if (got == 0) return spf_utf16_finish(&input->wide);
        SPF_TRY(spf_utf16_convert(&input->wide, wide, got, input->text, &input->text_end));
    }
    return SPORF_OK;
}

sporf_status spf_input_read(spf_input *input, unsigned char *out, size_t room, size_t *got) {
    if (!input->text) return read_from_head(input, out, room, got);
    if (input->text_begin == input->text_end) SPF_TRY(convert(input));
    size_t left = input->text_end - input->text_begin;
    *got = left < room ? left : room;
    memcpy(out, input->text + input->text_begin, *got);
    input->text_begin += *got;
    return SPORF_OK;
}

sporf_status spf_input_read_at(const spf_input *input, uint64_t from, unsigned char *out,
                               size_t size) {
    size_t done = 0;
    for (size_t got = 1; done < size && got > 0; done += got) {
        int code = spf_system_read_at(input->file, from + done, out + done, size - done, &got);
        if (code != 0) return raise_read(input, code);
    }
    SPF_TRY(spf_file_check(input->file, &input->mark, input->name));
    return done == size ? SPORF_OK
                        : spf_raise(SPORF_ERROR_IO, SPF_FILE ": ends after %llu bytes", input->name,
                                    (unsigned long long)from + done);
}

int spf_input_ready(const spf_input *input, int milliseconds) {
    if (input->mark.on_disk || input->begin < input->end || input->head_begin < input->head_end ||
        input->text_begin < input->text_end)
        return 1;
    return spf_system_ready(input->file, milliseconds);
}

sporf_status spf_input_verify(spf_input *input) {
    enum { PAUSE = 1000, SCRATCH_BYTES = 1 << 16 };
    unsigned char *scratch = input->unpacker ? spf_alloc(SCRATCH_BYTES, 1) : NULL;
    sporf_status status = SPORF_OK;
    size_t got = scratch != NULL;
    while (status == SPORF_OK && got > 0 && spf_input_ready(input, PAUSE))
        status = unpack(input, scratch, SCRATCH_BYTES, &got);
    free(scratch);
    return status;
}

void spf_input_close(spf_input *input) {
    spf_gunzip_free(input->unpacker);
    free(input->ahead);
    free(input->text);
    if (!input->is_standard && input->file >= 0) spf_system_close(input->file);
    *input = (spf_input){.file = -1};
}
