/* SipHash, and keys for it. */
#include "base/siphash.h"

#include "base/system.h"

#include <string.h>

typedef struct {
    uint64_t a, b, c, d;
} sip_state;

static inline uint64_t turn(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

static inline void mix(sip_state *s, int rounds) {
    for (int i = 0; i < rounds; i++) {
        s->a += s->b;
        s->c += s->d;
        s->b = turn(s->b, 13) ^ s->a;
        s->d = turn(s->d, 16) ^ s->c;
        s->a = turn(s->a, 32) + s->d;
        s->c += s->b;
        s->d = turn(s->d, 21) ^ s->a;
        s->b = turn(s->b, 17) ^ s->c;
        s->c = turn(s->c, 32);
    }
}

static inline void take_in(sip_state *s, uint64_t word, int rounds) {
    s->d ^= word;
    mix(s, rounds);
    s->a ^= word;
}

static inline uint64_t hash(spf_hash_key key, const void *bytes, size_t size, int rounds,
                            int last_rounds) {
    sip_state s = {key.word[0] ^ 0x736f6d6570736575, key.word[1] ^ 0x646f72616e646f6d,
                   key.word[0] ^ 0x6c7967656e657261, key.word[1] ^ 0x7465646279746573};
    const unsigned char *p = bytes;
    uint64_t word;
    for (size_t left = size; left >= 8; left -= 8, p += 8) {
        memcpy(&word, p, 8);
        take_in(&s, word, rounds);
    }
    word = (uint64_t)size << 56;
    for (size_t i = 0; i < size % 8; i++) word |= (uint64_t)p[i] << (8 * i);
    take_in(&s, word, rounds);
    s.c ^= 0xff;
    mix(&s, last_rounds);
    return s.a ^ s.b ^ s.c ^ s.d;
}

uint64_t spf_hash_rounds(spf_hash_key key, const void *bytes, size_t size, int rounds,
                         int last_rounds) {
    return hash(key, bytes, size, rounds, last_rounds);
}

uint64_t spf_hash(spf_hash_key key, const void *bytes, size_t size) {
    return hash(key, bytes, size, 1, 3);
}

spf_hash_key spf_hash_key_draw(void) {
    spf_hash_key key;
    spf_system_random(&key, sizeof key);
    return key;
}
