/* The only file that uses zlib; it also compiles without. */
#include "read/gunzip.h"

#ifdef SPORF_ZLIB

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct spf_gunzip {
    z_stream stream;
};

sporf_status spf_gunzip_create(const char *name, spf_gunzip **gunzip) {
    enum { GZIP_WINDOW = 15 + 16 }; /* zlib's code for the largest window in a gzip wrapper */
    (void)name;
    spf_gunzip *created = spf_alloc_zero(1, sizeof *created);
    if (!created || inflateInit2(&created->stream, GZIP_WINDOW) != Z_OK) {
        free(created);
        return spf_raise_memory();
    }
    *gunzip = created;
    return SPORF_OK;
}

static uInt countable(size_t size) {
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

spf_gunzip_state spf_gunzip_step(spf_gunzip *gunzip, spf_gunzip_span *span) {
    z_stream *stream = &gunzip->stream;
    uInt in = countable(span->in_left), out = countable(span->out_left);
    stream->next_in = (Bytef *)span->in; /* inflate does not write there */
    stream->avail_in = in;
    stream->next_out = span->out;
    stream->avail_out = out;
    int code = inflate(stream, Z_NO_FLUSH);
    span->in = stream->next_in;
    span->out = stream->next_out;
    span->in_left -= in - stream->avail_in;
    span->out_left -= out - stream->avail_out;
    return code == Z_OK           ? SPF_GUNZIP_GOES_ON
           : code == Z_STREAM_END ? SPF_GUNZIP_MEMBER_ENDS
           : code == Z_MEM_ERROR  ? SPF_GUNZIP_NEEDS_MEMORY
                                  : SPF_GUNZIP_FAILS;
}

sporf_status spf_gunzip_next(spf_gunzip *gunzip) {
    return inflateReset(&gunzip->stream) == Z_OK ? SPORF_OK : spf_raise_memory();
}

const char *spf_gunzip_reason(const spf_gunzip *gunzip) {
    return gunzip->stream.msg;
}

void spf_gunzip_free(spf_gunzip *gunzip) {
    if (gunzip) inflateEnd(&gunzip->stream);
    free(gunzip);
}

#else

sporf_status spf_gunzip_create(const char *name, spf_gunzip **gunzip) {
    (void)gunzip;
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE
                     ": compressed with gzip, which this build of sporf cannot read" SPF_HINT
                     "unpack it with gunzip first, or build sporf with zlib (-DSPORF_ZLIB=ON)",
                     name);
}

/* Never called: nothing can be created without zlib. */
spf_gunzip_state spf_gunzip_step(spf_gunzip *gunzip, spf_gunzip_span *span) {
    (void)gunzip, (void)span;
    return SPF_GUNZIP_FAILS;
}

sporf_status spf_gunzip_next(spf_gunzip *gunzip) {
    (void)gunzip;
    return SPORF_OK;
}

const char *spf_gunzip_reason(const spf_gunzip *gunzip) {
    (void)gunzip;
    return NULL;
}

void spf_gunzip_free(spf_gunzip *gunzip) {
    (void)gunzip;
}

#endif
