/* SipHash (Aumasson and Bernstein 2012): a hash with a secret key, for tables of words from
 * outside. Without the key nobody can choose words that collide. Results must not depend on it. */
#ifndef SPF_BASE_SIPHASH_H
#define SPF_BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct spf_hash_key {
    uint64_t word[2];
} spf_hash_key;

/* An unpredictable key. */
spf_hash_key spf_hash_key_draw(void);

/* SipHash-1-3: one round for each eight bytes and three at the end. */
uint64_t spf_hash(spf_hash_key key, const void *bytes, size_t size);

/* The same with other numbers of rounds: 2 and 4 are the paper's, which has test values for
 * them. */
uint64_t spf_hash_rounds(spf_hash_key key, const void *bytes, size_t size, int rounds,
                         int last_rounds);

#endif
