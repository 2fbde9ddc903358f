/* XXH3 as specified, with seed 0 and the default secret. Up to 240 bytes have formulas of their
 * own. Longer streams run through eight lanes, a stripe of 64 bytes at a time, each with the secret
 * from 8 bytes further on; every 16 stripes the lanes are scrambled. The last 64 bytes are a stripe
 * once more, so at least one byte is always held back. */
#include "base/checksum.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "words are read as they lie in memory: XXH3 wants them little-endian"
#endif

#define PRIME32_1 0x9e3779b1u
#define PRIME32_2 0x85ebca77u
#define PRIME32_3 0xc2b2ae3du
#define PRIME64_1 0x9e3779b185ebca87u
#define PRIME64_2 0xc2b2ae3d27d4eb4fu
#define PRIME64_3 0x165667b19e3779f9u
#define PRIME64_4 0x85ebca77c2b2ae63u
#define PRIME64_5 0x27d4eb2f165667c5u
#define PRIME_MX1 0x165667919e3779f9u
#define PRIME_MX2 0x9fb21c651e98df25u

enum {
    LANES = SPF_CHECKSUM_LANES,
    STRIPE = SPF_CHECKSUM_STRIPE,
    HELD = SPF_CHECKSUM_HELD,
    SHORT_MAX = 240,
    SECRET = 192,
    BLOCK_STRIPES = (SECRET - STRIPE) / 8,
};

/* clang-format off */
static const unsigned char secret[SECRET] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e
};
/* clang-format on */

static uint32_t word32(const unsigned char *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t word64(const unsigned char *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t rotate(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

/* Both halves of the product, crossed. */
static uint64_t fold(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t avalanche(uint64_t hash) {
    hash ^= hash >> 37;
    hash *= PRIME_MX1;
    return hash ^ hash >> 32;
}

static uint64_t avalanche64(uint64_t hash) {
    hash ^= hash >> 33;
    hash *= PRIME64_2;
    hash ^= hash >> 29;
    hash *= PRIME64_3;
    return hash ^ hash >> 32;
}

/* ---- up to 240 bytes ------------------------------------------------------------------------- */

static uint64_t of_1_to_3(const unsigned char *bytes, size_t size) {
    uint32_t all = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[size / 2] << 24 |
                   (uint32_t)bytes[size - 1] | (uint32_t)size << 8;
    return avalanche64(all ^ (uint64_t)(word32(secret) ^ word32(secret + 4)));
}

static uint64_t of_4_to_8(const unsigned char *bytes, size_t size) {
    uint64_t all = word32(bytes + size - 4) + ((uint64_t)word32(bytes) << 32);
    uint64_t hash = all ^ word64(secret + 8) ^ word64(secret + 16);
    hash ^= rotate(hash, 49) ^ rotate(hash, 24);
    hash *= PRIME_MX2;
    hash ^= (hash >> 35) + size;
    hash *= PRIME_MX2;
    return hash ^ hash >> 28;
}

static uint64_t of_9_to_16(const unsigned char *bytes, size_t size) {
    uint64_t low = word64(bytes) ^ word64(secret + 24) ^ word64(secret + 32);
    uint64_t high = word64(bytes + size - 8) ^ word64(secret + 40) ^ word64(secret + 48);
    return avalanche(size + __builtin_bswap64(low) + high + fold(low, high));
}

static uint64_t mix(const unsigned char *bytes, const unsigned char *key) {
    return fold(word64(bytes) ^ word64(key), word64(bytes + 8) ^ word64(key + 8));
}

/* Pairs of 16 bytes from both ends. */
static uint64_t of_17_to_128(const unsigned char *bytes, size_t size) {
    uint64_t hash = size * PRIME64_1;
    for (size_t i = 0; i <= (size - 1) / 32; i++)
        hash += mix(bytes + 16 * i, secret + 32 * i) +
                mix(bytes + size - 16 * (i + 1), secret + 32 * i + 16);
    return avalanche(hash);
}

static uint64_t of_129_to_240(const unsigned char *bytes, size_t size) {
    uint64_t hash = size * PRIME64_1;
    for (size_t i = 0; i < 8; i++) hash += mix(bytes + 16 * i, secret + 16 * i);
    hash = avalanche(hash);
    for (size_t i = 8; i < size / 16; i++) hash += mix(bytes + 16 * i, secret + 16 * (i - 8) + 3);
    return avalanche(hash + mix(bytes + size - 16, secret + 119));
}

static uint64_t of_short(const unsigned char *bytes, size_t size) {
    if (size > 128) return of_129_to_240(bytes, size);
    if (size > 16) return of_17_to_128(bytes, size);
    if (size > 8) return of_9_to_16(bytes, size);
    if (size > 3) return of_4_to_8(bytes, size);
    if (size > 0) return of_1_to_3(bytes, size);
    return avalanche64(word64(secret + 56) ^ word64(secret + 64));
}

/* ---- streams --------------------------------------------------------------------------------- */

static inline void take_stripe(uint64_t *restrict lane, const unsigned char *bytes,
                               const unsigned char *key) {
    for (int i = 0; i < LANES; i++) {
        uint64_t word = word64(bytes + 8 * i), keyed = word ^ word64(key + 8 * i);
        lane[i ^ 1] += word;
        lane[i] += (keyed & 0xffffffff) * (keyed >> 32);
    }
}

static void scramble(uint64_t *lane) {
    for (int i = 0; i < LANES; i++)
        lane[i] = (lane[i] ^ lane[i] >> 47 ^ word64(secret + SECRET - STRIPE + 8 * i)) * PRIME32_1;
}

static void take(spf_checksum *checksum, const unsigned char *bytes, size_t stripes) {
    uint64_t lane[LANES];
    memcpy(lane, checksum->lane, sizeof lane);
    while (stripes > 0) {
        size_t run = BLOCK_STRIPES - checksum->stripes;
        if (run > stripes) run = stripes;
        const unsigned char *key = secret + 8 * checksum->stripes;
        for (size_t i = 0; i < run; i++) take_stripe(lane, bytes + i * STRIPE, key + 8 * i);
        bytes += run * STRIPE;
        stripes -= run;
        checksum->stripes = (checksum->stripes + (unsigned)run) % BLOCK_STRIPES;
        if (checksum->stripes == 0) scramble(lane);
    }
    memcpy(checksum->lane, lane, sizeof lane);
}

void spf_checksum_start(spf_checksum *checksum) {
    static const uint64_t start[LANES] = {PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3,
                                          PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1};
    memcpy(checksum->lane, start, sizeof start);
    checksum->size = 0;
    checksum->stripes = checksum->held = 0;
}

static void hold(spf_checksum *checksum, const unsigned char *bytes, size_t size) {
    memcpy(checksum->bytes + checksum->held, bytes, size);
    checksum->held += (unsigned)size;
}

void spf_checksum_add(spf_checksum *checksum, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    checksum->size += size;
    size_t room = HELD - checksum->held;
    if (size > room) {
        hold(checksum, from, room);
        take(checksum, checksum->bytes, HELD / STRIPE);
        memcpy(checksum->before, checksum->bytes + HELD - STRIPE, STRIPE);
        from += room;
        size -= room;
        checksum->held = 0;
        size_t stripes = (size - 1) / STRIPE;
        if (stripes > 0) {
            take(checksum, from, stripes);
            from += stripes * STRIPE;
            size -= stripes * STRIPE;
            memcpy(checksum->before, from - STRIPE, STRIPE);
        }
    }
    if (size > 0) hold(checksum, from, size);
}

static uint64_t merge(const uint64_t *lane, uint64_t size) {
    uint64_t hash = size * PRIME64_1;
    for (int i = 0; i < LANES; i += 2)
        hash +=
            fold(lane[i] ^ word64(secret + 11 + 8 * i), lane[i + 1] ^ word64(secret + 19 + 8 * i));
    return avalanche(hash);
}

uint64_t spf_checksum_value(const spf_checksum *checksum) {
    if (checksum->size <= SHORT_MAX) return of_short(checksum->bytes, checksum->held);
    spf_checksum end = *checksum;
    unsigned char last[STRIPE];
    size_t old = end.held < STRIPE ? STRIPE - end.held : 0;
    memcpy(last, end.before + STRIPE - old, old);
    memcpy(last + old, end.bytes + end.held - (STRIPE - old), STRIPE - old);
    take(&end, end.bytes, (end.held - 1) / STRIPE);
    take_stripe(end.lane, last, secret + SECRET - STRIPE - 7);
    return merge(end.lane, end.size);
}

uint64_t spf_checksum_of(const void *bytes, size_t size) {
    if (size <= SHORT_MAX) return of_short(bytes, size);
    spf_checksum checksum;
    spf_checksum_start(&checksum);
    spf_checksum_add(&checksum, bytes, size);
    return spf_checksum_value(&checksum);
}
