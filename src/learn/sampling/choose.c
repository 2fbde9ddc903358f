/* Random subsets: Fisher-Yates with undo for decks, Floyd's method for grids. */
#include "learn/sampling/choose.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 32, BITS_MAX = 1 << 23 };

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

double spf_deck_bytes(uint32_t size) {
    return 2 * sizeof(uint32_t) * (double)size;
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
    free(cells->bits);
    *cells = (spf_cells){0};
}

double spf_cells_bytes(double size, double count) {
    double word = sizeof(uint64_t);
    if (count <= FEW) return 0;
    return size <= BITS_MAX ? 2 * (size / 64 + 1) * word : (4 * count + 16) * word;
}

/* Three sets of the cells drawn so far: for few cells, for small grids, and for any. Each tells
 * whether a cell is new; the last two add it. */
static int is_new_of_few(const uint64_t *drawn, size_t count, uint64_t cell) {
    for (size_t i = 0; i < count; i++)
        if (drawn[i] == cell) return 0;
    return 1;
}

static int is_new_bit(uint64_t *bits, uint64_t cell) {
    uint64_t *word = &bits[cell / 64], bit = UINT64_C(1) << cell % 64;
    int is_new = !(*word & bit);
    *word |= bit;
    return is_new;
}

static int is_new_slot(uint64_t *slots, size_t mask, uint64_t cell) {
    size_t at = (size_t)((cell * 0x9E3779B97F4A7C15u) >> 32) & mask;
    for (; slots[at] != 0; at = (at + 1) & mask)
        if (slots[at] == cell + 1) return 0;
    slots[at] = cell + 1;
    return 1;
}

static sporf_status reserve_bits(spf_cells *cells, uint64_t size) {
    size_t words = (size_t)(size / 64) + 1, before = cells->bits_capacity;
    SPF_TRY(SPF_RESERVE(cells->bits, cells->bits_capacity, words));
    memset(cells->bits + before, 0, (cells->bits_capacity - before) * sizeof *cells->bits);
    return SPORF_OK;
}

static sporf_status draw_by_bits(spf_cells *cells, sporf_random *random, uint64_t size,
                                 size_t count, uint64_t *drawn) {
    SPF_TRY(reserve_bits(cells, size));
    for (size_t i = 0; i < count; i++) {
        uint64_t last = size - count + i, cell = spf_random_below64(random, last + 1);
        if (!is_new_bit(cells->bits, cell)) is_new_bit(cells->bits, cell = last);
        drawn[i] = cell;
    }
    for (size_t i = 0; i < count; i++) cells->bits[drawn[i] / 64] = 0;
    return SPORF_OK;
}

/* Few cells of a grid that is hardly larger, in ascending order. */
static void draw_in_order(uint64_t *bits, sporf_random *random, uint64_t size, size_t count,
                          uint64_t *drawn) {
    uint64_t words = size / 64 + 1;
    memset(bits, 0, words * sizeof *bits);
    for (size_t i = 0; i < count; i++) {
        uint32_t last = (uint32_t)(size - count + i);
        if (!is_new_bit(bits, spf_random_below(random, last + 1))) is_new_bit(bits, last);
    }
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t left = bits[w]; left != 0; left &= left - 1)
            *drawn++ = w * 64 + (uint64_t)__builtin_ctzll(left);
}

static sporf_status draw_by_slots(spf_cells *cells, sporf_random *random, uint64_t size,
                                  size_t count, uint64_t *drawn) {
    size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    SPF_TRY(SPF_RESERVE(cells->slots, cells->slots_capacity, slots));
    memset(cells->slots, 0, slots * sizeof *cells->slots);
    for (size_t i = 0; i < count; i++) {
        uint64_t last = size - count + i, cell = spf_random_below64(random, last + 1);
        if (!is_new_slot(cells->slots, slots - 1, cell))
            is_new_slot(cells->slots, slots - 1, cell = last);
        drawn[i] = cell;
    }
    return SPORF_OK;
}

/* Floyd's method (Bentley and Floyd 1987): for each j of the last `count` numbers, a random number
 * up to j, or j itself if that number is taken. */
sporf_status spf_cells_draw(spf_cells *cells, sporf_random *random, uint64_t size, size_t count,
                            uint64_t *drawn) {
    if (count > FEW)
        return (size <= BITS_MAX ? draw_by_bits : draw_by_slots)(cells, random, size, count, drawn);
    if (size / 64 < count) {
        uint64_t bits[FEW];
        draw_in_order(bits, random, size, count, drawn);
        return SPORF_OK;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t last = size - count + i, cell = spf_random_below64(random, last + 1);
        drawn[i] = is_new_of_few(drawn, i, cell) ? cell : last;
    }
    return SPORF_OK;
}
