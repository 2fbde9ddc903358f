/* Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * 2011): a block cipher with a public key, whose output for the counters 0, 1, 2 ... passes for
 * random. Each of ten rounds multiplies two of four words, and crosses the halves of the products
 * with the others and the key. */
#ifndef SPF_BASE_PHILOX_H
#define SPF_BASE_PHILOX_H

#include <stdint.h>

#ifdef __CUDACC__
#define SPF_EVERYWHERE __host__ __device__ /* also on a GPU */
#else
#define SPF_EVERYWHERE
#endif

typedef struct spf_philox_key {
    uint32_t v[2];
} spf_philox_key;

typedef struct spf_philox_block {
    uint32_t v[4];
} spf_philox_block;

static inline SPF_EVERYWHERE spf_philox_block spf_philox(spf_philox_block x, spf_philox_key key) {
    enum { ROUNDS = 10 };
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t a = (uint64_t)0xd2511f53 * x.v[0], b = (uint64_t)0xcd9e8d57 * x.v[2];
        x = (spf_philox_block){{(uint32_t)(b >> 32) ^ x.v[1] ^ key.v[0], (uint32_t)b,
                                (uint32_t)(a >> 32) ^ x.v[3] ^ key.v[1], (uint32_t)a}};
        key.v[0] += 0x9e3779b9; /* the golden ratio, and sqrt(3) - 1 */
        key.v[1] += 0xbb67ae85;
    }
    return x;
}

#endif
