/* SipHash (Aumasson and Bernstein 2012): a hash with a secret key, for tables of words that come
 * from outside. Who does not know the key cannot choose words that meet in one slot. Results must
 * not depend on it. */
#ifndef SPF_BASE_SIPHASH_H
#define SPF_BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct spf_hash_key {
    uint64_t word[2];
} spf_hash_key;

/* A key that nobody can foresee. */
spf_hash_key spf_hash_key_draw(void);

/* SipHash-1-3 of some bytes: one round for each eight of them and three at the end. */
uint64_t spf_hash(spf_hash_key key, const void *bytes, size_t size);

/* The same with other numbers of rounds; 2 and 4 are those of the paper, for which values are
 * published. */
uint64_t spf_hash_rounds(spf_hash_key key, const void *bytes, size_t size, int rounds,
                         int last_rounds);

#endif
