/* Random subsets: Fisher-Yates with undo for decks, Floyd's method with a hash set for grids. */
#include "learn/choose.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 32 };

sporf_status spf_deck_create(uint32_t size, spf_deck *deck) {
    *deck = (spf_deck){.size = size};
    deck->cards = spf_alloc(size, sizeof *deck->cards);
    deck->swapped = spf_alloc(size, sizeof *deck->swapped);
    if (!deck->cards || !deck->swapped) {
        spf_deck_free(deck);
        return spf_raise_memory();
    }
    for (uint32_t i = 0; i < size; i++) deck->cards[i] = i;
    return SPORF_OK;
}

void spf_deck_free(spf_deck *deck) {
    free(deck->cards);
    free(deck->swapped);
    *deck = (spf_deck){0};
}

static void swap_cards(uint32_t *cards, uint32_t i, uint32_t j) {
    uint32_t card = cards[i];
    cards[i] = cards[j];
    cards[j] = card;
}

uint32_t spf_deck_next(spf_deck *deck, sporf_random *random, uint32_t place) {
    deck->swapped[place] = place + spf_random_below(random, deck->size - place);
    swap_cards(deck->cards, place, deck->swapped[place]);
    return deck->cards[place];
}

void spf_deck_put_back(spf_deck *deck, uint32_t count) {
    for (uint32_t i = count; i-- > 0;) swap_cards(deck->cards, i, deck->swapped[i]);
}

void spf_deck_draw(spf_deck *deck, sporf_random *random, uint32_t count, uint32_t *drawn) {
    for (uint32_t i = 0; i < count; i++) drawn[i] = spf_deck_next(deck, random, i);
    spf_deck_put_back(deck, count);
}

void spf_cells_free(spf_cells *cells) {
    free(cells->slots);
    *cells = (spf_cells){0};
}

/* Adds a cell to the set; 0 if it was there. */
static int insert(uint64_t *slots, size_t mask, uint64_t cell) {
    size_t at = (size_t)((cell * 0x9E3779B97F4A7C15u) >> 32) & mask;
    for (; slots[at] != 0; at = (at + 1) & mask)
        if (slots[at] == cell + 1) return 0;
    slots[at] = cell + 1;
    return 1;
}

/* Floyd's method (Bentley and Floyd 1987): for each j of the last `count` numbers, a random number
 * up to j, or j itself where that one is taken. */
static int contains(const uint64_t *drawn, size_t count, uint64_t cell) {
    for (size_t i = 0; i < count; i++)
        if (drawn[i] == cell) return 1;
    return 0;
}

sporf_status spf_cells_draw(spf_cells *cells, sporf_random *random, uint64_t size, size_t count,
                            uint64_t *drawn) {
    size_t slots = 16;
    if (count <= FEW) { /* no set is needed */
        for (size_t i = 0; i < count; i++) {
            uint64_t last = size - count + i, cell = spf_random_below64(random, last + 1);
            drawn[i] = contains(drawn, i, cell) ? last : cell;
        }
        return SPORF_OK;
    }
    while (slots < 2 * count) slots *= 2;
    SPF_TRY(SPF_RESERVE(cells->slots, cells->slots_capacity, slots));
    memset(cells->slots, 0, slots * sizeof *cells->slots);
    for (size_t i = 0; i < count; i++) {
        uint64_t last = size - count + i, cell = spf_random_below64(random, last + 1);
        drawn[i] = cell;
        if (!insert(cells->slots, slots - 1, cell)) {
            insert(cells->slots, slots - 1, last);
            drawn[i] = last;
        }
    }
    return SPORF_OK;
}
