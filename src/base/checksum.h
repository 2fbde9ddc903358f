/* XXH3, 64 bits, seed 0, the checksum of model files: of one buffer, or of a stream in pieces. */
#ifndef SPF_BASE_CHECKSUM_H
#define SPF_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { SPF_CHECKSUM_LANES = 8, SPF_CHECKSUM_STRIPE = 64, SPF_CHECKSUM_HELD = 256 };

typedef struct spf_checksum {
    uint64_t lane[SPF_CHECKSUM_LANES];
    uint64_t size;    /* bytes of the stream so far */
    unsigned stripes; /* since the lanes were last scrambled */
    unsigned held; /* bytes not processed yet: the last ones of a stream are treated differently */
    unsigned char before[SPF_CHECKSUM_STRIPE]; /* the last stripe processed; held bytes follow it */
    unsigned char bytes[SPF_CHECKSUM_HELD];
} spf_checksum;

uint64_t spf_checksum_of(const void *bytes, size_t size);

void spf_checksum_start(spf_checksum *checksum);
void spf_checksum_add(spf_checksum *checksum, const void *bytes, size_t size);
/* The checksum of all bytes so far; more may follow. */
uint64_t spf_checksum_value(const spf_checksum *checksum);

#endif
