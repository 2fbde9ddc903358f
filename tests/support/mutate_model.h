/* Model files changed at random by their structure, with right checksums: sections dropped,
 * emptied, doubled, resized and exchanged, counts of the header edited, names made equal, words and
 * elements changed. What mutation of bytes alone does not come upon, because the section table and
 * all checksums have to follow. */
#ifndef TEST_MUTATE_MODEL_H
#define TEST_MUTATE_MODEL_H

#include "support/model_checksums.h"

enum { MUTATE_IDS = 37, MUTATE_SECTIONS_MAX = 40, MUTATE_SIZE_MAX = 1 << 16 };

/* Numbers from 0 to below - 1 (SplitMix64). */
static inline uint64_t roll(uint64_t *dice, uint64_t below) {
    uint64_t z = (*dice += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return below > 0 ? (z ^ z >> 31) % below : 0;
}

/* Whether there is a table whose sections lie in the file, by ascending id. */
static inline int has_sections(const model *m) {
    if (m->size < MODEL_HEADER) return 0;
    uint32_t count = get32(m, MODEL_COUNT_AT), last = 0;
    if (count == 0 || count > MUTATE_SECTIONS_MAX || count > (m->size - MODEL_HEADER) / MODEL_ENTRY)
        return 0;
    for (size_t i = 0; i < count; i++) {
        size_t entry = MODEL_HEADER + i * MODEL_ENTRY;
        uint64_t offset = get64(m, entry + 8), size = get64(m, entry + 16);
        if (get32(m, entry) <= last || offset > m->size || size > m->size - offset) return 0;
        last = get32(m, entry);
    }
    return 1;
}

static inline uint32_t any_section(const model *m, uint64_t *dice) {
    uint64_t number = roll(dice, get32(m, MODEL_COUNT_AT));
    return get32(m, MODEL_HEADER + (size_t)number * MODEL_ENTRY);
}

/* Puts a changed copy in the place of a model. */
static inline void replace_model(model *m, model changed) {
    free(m->bytes);
    *m = changed;
}

static inline void drop_section(model *m, uint64_t *dice) {
    replace_model(m, with_section(m, any_section(m, dice), NULL, 0));
}

static inline void empty_section(model *m, uint64_t *dice) {
    replace_model(m, with_section(m, any_section(m, dice), "", 0));
}

static inline void add_empty_section(model *m, uint64_t *dice) {
    replace_model(m, with_section(m, 1 + (uint32_t)roll(dice, MUTATE_IDS), "", 0));
}

/* The bytes of a section under another number, too, of which bit 31 may be set. */
static inline void double_section(model *m, uint64_t *dice) {
    uint32_t id = any_section(m, dice), other = 1 + (uint32_t)roll(dice, MUTATE_IDS);
    if (roll(dice, 8) == 0) other |= 0x80000000u;
    replace_model(m, with_section(m, other, m->bytes + offset_of(m, id), size_of(m, id)));
}

/* Shorter, or longer by what it holds already. */
static inline void resize_section(model *m, uint64_t *dice) {
    static const size_t steps[] = {1, 4, 8, 20, 28, 32, 64};
    uint32_t id = any_section(m, dice);
    size_t size = size_of(m, id), step = steps[roll(dice, sizeof steps / sizeof *steps)];
    size_t wanted = roll(dice, 4) == 0 ? (size_t)roll(dice, 2 * size + 1)
                    : roll(dice, 2)    ? size + step
                                       : size - (step < size ? step : size);
    unsigned char *bytes = calloc(wanted + 1, 1);
    for (size_t i = 0; bytes && i < wanted; i++)
        bytes[i] = size > 0 ? m->bytes[offset_of(m, id) + i % size] : 0;
    if (bytes) replace_model(m, with_section(m, id, bytes, wanted));
    free(bytes);
}

static inline void exchange_sections(model *m, uint64_t *dice) {
    uint32_t a = any_section(m, dice), b = any_section(m, dice);
    model half = with_section(m, a, m->bytes + offset_of(m, b), size_of(m, b));
    model whole = with_section(&half, b, m->bytes + offset_of(m, a), size_of(m, a));
    free(half.bytes);
    replace_model(m, whole);
}

/* Trees, features or classes: one more, one less, or far too many. */
static inline void edit_count(model *m, uint64_t *dice) {
    static const uint64_t counts[] = {0, 1, 2, 9, 65537, 1 << 20, (1 << 20) + 1, UINT32_MAX};
    size_t at = 32 + 8 * (size_t)roll(dice, 3);
    uint64_t count = get64(m, at), kind = roll(dice, 3);
    set64(m, at, kind == 0 ? count + 1 : kind == 1 ? count - 1 : counts[roll(dice, 8)]);
}

/* Overwrites a string with another of its list, or exchanges the two, if they are equally long. */
static inline void mix_names(model *m, uint64_t *dice) {
    static const uint32_t lists[] = {1, 2, 4, 18, 21};
    uint32_t id = lists[roll(dice, sizeof lists / sizeof *lists)];
    size_t size = entry_of(m, id) ? size_of(m, id) : 0, at = size ? offset_of(m, id) : 0;
    uint64_t count = size > 24 ? get64(m, at) : 0;
    if (count < 2 || count > size / 8 - 2) return;
    uint64_t a = roll(dice, count), b = roll(dice, count), text = 8 * (count + 2);
    uint64_t from = get64(m, at + 8 + 8 * a), to = get64(m, at + 8 + 8 * b);
    uint64_t length = get64(m, at + 16 + 8 * a) - from;
    if (length != get64(m, at + 16 + 8 * b) - to || length > 64 || from > size || to > size ||
        text + from + length > size || text + to + length > size)
        return;
    unsigned char kept[64];
    memcpy(kept, m->bytes + at + text + to, length);
    memmove(m->bytes + at + text + to, m->bytes + at + text + from, length);
    if (roll(dice, 3) == 0) memcpy(m->bytes + at + text + from, kept, length);
}

/* All strings of a list become the same whole number, or ascending ones. */
static inline void number_names(model *m, uint64_t *dice) {
    enum { MOST = 1000 };
    uint32_t id = 1 + (uint32_t)roll(dice, 2);
    uint64_t count = get64(m, id == 1 ? 48 : 40), step = roll(dice, 2);
    if (count == 0 || count > MOST) return;
    size_t size = 8 * (size_t)(count + 2) + 2 * (size_t)count;
    unsigned char *bytes = calloc(size, 1);
    if (!bytes) return;
    model list = {bytes, size};
    set64(&list, 0, count);
    for (uint64_t i = 0; i <= count; i++) set64(&list, 8 + 8 * i, 2 * i);
    for (uint64_t i = 0; i < count; i++)
        bytes[8 * (count + 2) + 2 * i] = (unsigned char)('1' + step * i % 9);
    replace_model(m, with_section(m, id, bytes, size));
    free(bytes);
}

static inline void edit_word(model *m, uint64_t *dice) {
    static const uint32_t words[] = {0,          1,          2,          9,          64,
                                     0x3f800000, 0x7f800000, 0x7fc00000, 0x80000000, 0xbf800000,
                                     0xc0000000, 0xc0000001, 0x3fffffff, UINT32_MAX};
    uint32_t id = any_section(m, dice);
    size_t size = size_of(m, id);
    if (size < 4) return;
    size_t at = offset_of(m, id) + 4 * (size_t)roll(dice, size / 4);
    uint32_t word = get32(m, at);
    uint64_t kind = roll(dice, 3);
    set32(m, at, kind == 0 ? word + 1 : kind == 1 ? word - 1 : words[roll(dice, 14)]);
}

/* One element of a section over another. */
static inline void copy_element(model *m, uint64_t *dice) {
    static const size_t sizes[] = {4, 8, 20, 28, 32};
    uint32_t id = any_section(m, dice);
    size_t element = sizes[roll(dice, 5)], count = size_of(m, id) / element;
    if (count < 2) return;
    unsigned char *first = m->bytes + offset_of(m, id);
    memmove(first + element * (size_t)roll(dice, count),
            first + element * (size_t)roll(dice, count), element);
}

/* Changes a model that is its caller's, in one way. Leaves alone what is none. */
static inline void mutate_model(model *m, uint64_t *dice) {
    static void (*const ways[])(model *, uint64_t *) = {
        drop_section,      empty_section, add_empty_section, double_section, resize_section,
        exchange_sections, edit_count,    mix_names,         number_names,   edit_word,
        edit_word,         edit_word,     copy_element,      copy_element};
    if (!has_sections(m) || m->size > MUTATE_SIZE_MAX) return;
    ways[roll(dice, sizeof ways / sizeof *ways)](m, dice);
    fix_model_checksums(m->bytes, m->size);
}

#endif
