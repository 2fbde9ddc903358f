/* Unpacks gzip, member by member. Without zlib (SPORF_ZLIB off in CMake) it only raises an
 * error. */
#ifndef SPF_READ_GUNZIP_H
#define SPF_READ_GUNZIP_H

#include "base/error.h"

typedef struct spf_gunzip spf_gunzip;

typedef enum spf_gunzip_state {
    SPF_GUNZIP_GOES_ON,
    SPF_GUNZIP_MEMBER_ENDS,
    SPF_GUNZIP_FAILS, /* damaged or truncated */
    SPF_GUNZIP_NEEDS_MEMORY,
} spf_gunzip_state;

/* Bytes to unpack, and room for the output; a step advances the pointers and reduces the counts. */
typedef struct spf_gunzip_span {
    const unsigned char *in;
    unsigned char *out;
    size_t in_left, out_left;
} spf_gunzip_span;

/* name: the file, for the message if there is no zlib. */
sporf_status spf_gunzip_create(const char *name, spf_gunzip **gunzip);
spf_gunzip_state spf_gunzip_step(spf_gunzip *gunzip, spf_gunzip_span *span);
/* Starts on the next member. */
sporf_status spf_gunzip_next(spf_gunzip *gunzip);
/* Why a step failed; NULL if nothing more is known. */
const char *spf_gunzip_reason(const spf_gunzip *gunzip);
void spf_gunzip_free(spf_gunzip *gunzip);

#endif
