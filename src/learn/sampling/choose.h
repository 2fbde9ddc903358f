/* Random subsets without replacement, in time proportional to the number drawn. */
#ifndef SPF_LEARN_SAMPLING_CHOOSE_H
#define SPF_LEARN_SAMPLING_CHOOSE_H

#include "base/memory.h"
#include "base/rng.h"

/* Draws distinct numbers below `size`, in random order: a shuffle that is undone afterwards, so
 * that no draw depends on earlier ones. */
typedef struct spf_deck {
    uint32_t size;
    uint32_t *cards;   /* [size], in order between draws */
    uint32_t *swapped; /* [size]: positions exchanged by the current draw */
} spf_deck;

sporf_status spf_deck_create(uint32_t size, spf_deck *deck);
void spf_deck_free(spf_deck *deck);
double spf_deck_bytes(uint32_t size);
void spf_deck_draw(spf_deck *deck, sporf_random *random, uint32_t count, uint32_t *drawn);

/* The same one by one, if the number is not known beforehand: card `place` of the current draw, for
 * place = 0, 1, ...; then put all of them back. */
uint32_t spf_deck_next(spf_deck *deck, sporf_random *random, uint32_t place);
void spf_deck_put_back(spf_deck *deck, uint32_t count);

/* Draws distinct cells of a grid that is too large to shuffle. */
typedef struct spf_cells {
    uint64_t *slots; /* hash set: 1 + cell, 0 for free */
    uint64_t *bits;  /* one bit for each cell of a small grid; all 0 between draws */
    size_t slots_capacity, bits_capacity;
} spf_cells;

void spf_cells_free(spf_cells *cells);
/* Memory for drawing `count` of `size` cells, at most. */
double spf_cells_bytes(double size, double count);
/* `count` of the numbers below `size`, as a set: the order of drawn[] is not random. */
sporf_status spf_cells_draw(spf_cells *cells, sporf_random *random, uint64_t size, size_t count,
                            uint64_t *drawn);

#endif
