/* Class labels: a hash table with open addressing over a list of strings, and the order of the
 * classes. */
#include "data/labels.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_WORDS = 8, /* up to here words are compared one by one, without slots */
    FIRST_SLOTS = 4 * FEW_WORDS,
};

static int is_word(const spf_dictionary *dictionary, size_t number, const char *text,
                   size_t length) {
    return spf_strings_length(&dictionary->words, number) == length &&
           memcmp(spf_strings_at(&dictionary->words, number), text, length) == 0;
}

/* The slot of the word, or the free one in which it belongs. */
static uint32_t *find_slot(const spf_dictionary *dictionary, const char *text, size_t length) {
    size_t mask = dictionary->slot_count - 1;
    size_t slot = (size_t)spf_hash(dictionary->key, text, length) & mask;
    for (; dictionary->slots[slot]; slot = (slot + 1) & mask)
        if (is_word(dictionary, dictionary->slots[slot] - 1, text, length)) break;
    return &dictionary->slots[slot];
}

static sporf_status grow_slots(spf_dictionary *dictionary) {
    spf_dictionary grown = *dictionary;
    grown.slot_count = grown.slot_count ? grown.slot_count * 2 : FIRST_SLOTS;
    if (!grown.slots) grown.key = spf_hash_key_draw();
    grown.slots = spf_alloc_zero(grown.slot_count, sizeof *grown.slots);
    if (!grown.slots) return spf_raise_memory();
    for (size_t i = 0; i < grown.words.count; i++) {
        const char *word = spf_strings_at(&grown.words, i);
        *find_slot(&grown, word, spf_strings_length(&grown.words, i)) = (uint32_t)i + 1;
    }
    free(dictionary->slots);
    *dictionary = grown;
    return SPORF_OK;
}

int spf_dictionary_find(const spf_dictionary *dictionary, const char *text, size_t length,
                        uint32_t *number) {
    if (dictionary->slots) {
        uint32_t slot = *find_slot(dictionary, text, length);
        if (slot > 0) *number = slot - 1;
        return slot > 0;
    }
    for (size_t i = 0; i < dictionary->words.count; i++)
        if (is_word(dictionary, i, text, length)) {
            *number = (uint32_t)i;
            return 1;
        }
    return 0;
}

sporf_status spf_dictionary_add(spf_dictionary *dictionary, const char *text, size_t length,
                                uint32_t *number) {
    size_t count = dictionary->words.count;
    if (!dictionary->slots && spf_dictionary_find(dictionary, text, length, number))
        return SPORF_OK;
    if (count >= FEW_WORDS && count * 2 >= dictionary->slot_count) SPF_TRY(grow_slots(dictionary));
    uint32_t *slot = dictionary->slots ? find_slot(dictionary, text, length) : NULL;
    *number = slot && *slot ? *slot - 1 : (uint32_t)count;
    if (*number < count) return SPORF_OK;
    SPF_TRY(spf_strings_add(&dictionary->words, text, length));
    if (slot) *slot = (uint32_t)count + 1;
    return SPORF_OK;
}

sporf_status spf_dictionary_of(const spf_strings *words, spf_dictionary *dictionary) {
    uint32_t number;
    for (size_t i = 0; i < words->count; i++)
        SPF_TRY(spf_dictionary_add(dictionary, spf_strings_at(words, i),
                                   spf_strings_length(words, i), &number));
    return SPORF_OK;
}

sporf_status spf_find_repeated(const spf_strings *list, size_t *first, size_t *again) {
    spf_dictionary known = {0};
    sporf_status status = SPORF_OK;
    for (*again = 0; *again < list->count; ++*again) {
        uint32_t number = 0;
        status = spf_dictionary_add(&known, spf_strings_at(list, *again),
                                    spf_strings_length(list, *again), &number);
        *first = number;
        if (status != SPORF_OK || number != *again) break;
    }
    spf_dictionary_free(&known);
    return status;
}

void spf_dictionary_free(spf_dictionary *dictionary) {
    spf_strings_free(&dictionary->words);
    free(dictionary->slots);
    *dictionary = (spf_dictionary){0};
}

typedef struct {
    const char *text;
    int64_t value;
    uint32_t number; /* word number in the dictionary */
} class_word;

static int by_value(const void *left, const void *right) {
    const class_word *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

static int by_bytes(const void *left, const void *right) {
    const class_word *a = left, *b = right;
    return strcmp(a->text, b->text);
}

/* Whether the text is a 64-bit integer as printf writes it. */
static int plain_integer(const char *text, int64_t *value) {
    const char *digits = text + (*text == '-');
    uint64_t size = 0;
    if (*digits == '0') {
        *value = 0;
        return strcmp(text, "0") == 0;
    }
    const char *p = digits;
    for (; spf_is_digit(*p); p++)
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, (uint64_t)(*p - '0'), &size))
            return 0;
    if (p == digits || *p != '\0' || size > (uint64_t)INT64_MAX + (*text == '-')) return 0;
    *value = (int64_t)(*text == '-' ? 0 - size : size);
    return 1;
}

/* Whether the text is an integer, plain or with a point or an exponent: "2", "2.0", "2e+00". */
static int whole_number(const char *text, int64_t *value) {
    double number;
    if (plain_integer(text, value)) return 1;
    if (!strpbrk(text, ".eE") || !spf_number_read(text, text + strlen(text), &number)) return 0;
    if (!(number >= -0x1p53 && number <= 0x1p53) || number != (double)(int64_t)number) return 0;
    *value = (int64_t)number;
    return 1;
}

int spf_level_find(const spf_dictionary *levels, const char *text, size_t length,
                   uint32_t *number) {
    char copy[SPF_NUMBER_TEXT_MAX], plain[SPF_NUMBER_TEXT_MAX];
    int64_t value;
    if (spf_dictionary_find(levels, text, length, number)) return 1;
    if (length >= sizeof copy) return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (!whole_number(copy, &value)) return 0;
    int used = snprintf(plain, sizeof plain, "%lld", (long long)value);
    return spf_dictionary_find(levels, plain, (size_t)used, number);
}

int spf_all_integers(const spf_strings *words) {
    int64_t value;
    for (size_t i = 0; i < words->count; i++)
        if (!plain_integer(spf_strings_at(words, i), &value)) return 0;
    return 1;
}

/* If all words are integers, they are written without points: "2", "2.0" and "2e0" become one word.
 * place[i] is the new number of word i. */
static sporf_status unify_numbers(const spf_strings *words, spf_dictionary *unified,
                                  uint32_t *place) {
    int64_t value = 0;
    int whole = 1;
    for (size_t i = 0; whole && i < words->count; i++)
        whole = whole_number(spf_strings_at(words, i), &value);
    for (size_t i = 0; i < words->count; i++) {
        const char *text = spf_strings_at(words, i);
        char printed[SPF_NUMBER_TEXT_MAX];
        if (whole) {
            whole_number(text, &value);
            snprintf(printed, sizeof printed, "%lld", (long long)value);
            text = printed;
        }
        SPF_TRY(spf_dictionary_add(unified, text, strlen(text), &place[i]));
    }
    return SPORF_OK;
}

static class_word *sorted_words(const spf_strings *words) {
    class_word *sorted = spf_alloc(words->count, sizeof *sorted);
    if (!sorted) return NULL;
    int integers = 1;
    for (size_t i = 0; i < words->count; i++) {
        sorted[i] = (class_word){.text = spf_strings_at(words, i), .number = (uint32_t)i};
        integers = integers && plain_integer(sorted[i].text, &sorted[i].value);
    }
    qsort(sorted, words->count, sizeof *sorted, integers ? by_value : by_bytes);
    return sorted;
}

sporf_status spf_dictionary_order(const spf_dictionary *dictionary, spf_strings *ordered,
                                  uint32_t *place) {
    spf_dictionary unified = {0};
    class_word *sorted = NULL;
    uint32_t *rank = NULL;
    sporf_status status = unify_numbers(&dictionary->words, &unified, place);
    if (status != SPORF_OK) goto out;
    sorted = sorted_words(&unified.words);
    rank = spf_alloc(unified.words.count, sizeof *rank);
    if (!sorted || !rank) status = spf_raise_memory();
    for (size_t i = 0; status == SPORF_OK && i < unified.words.count; i++) {
        rank[sorted[i].number] = (uint32_t)i;
        status = spf_strings_add(ordered, sorted[i].text, strlen(sorted[i].text));
    }
    for (size_t i = 0; status == SPORF_OK && i < dictionary->words.count; i++)
        place[i] = rank[place[i]];
out:
    free(sorted);
    free(rank);
    spf_dictionary_free(&unified);
    return status;
}

sporf_status spf_dataset_take_labels(sporf_dataset *data, const spf_dictionary *dictionary,
                                     uint32_t *codes) {
    spf_strings classes = {0};
    uint32_t *class_of = spf_alloc(dictionary->words.count, sizeof *class_of);
    sporf_status status =
        class_of ? spf_dictionary_order(dictionary, &classes, class_of) : spf_raise_memory();
    if (status != SPORF_OK) {
        spf_strings_free(&classes);
        free(class_of);
        return status;
    }
    for (size_t i = 0; i < data->rows; i++) codes[i] = class_of[codes[i]];
    free(class_of);
    spf_strings_free(&data->schema.classes);
    free(data->labels);
    data->schema.classes = classes;
    data->labels = codes;
    return SPORF_OK;
}

void spf_dataset_move_labels(sporf_dataset *from, sporf_dataset *to) {
    spf_strings_free(&to->schema.classes);
    free(to->labels);
    free(to->schema.label_name);
    to->schema.classes = from->schema.classes;
    to->labels = from->labels;
    to->schema.label_name = from->schema.label_name;
    from->schema.classes = (spf_strings){0};
    from->labels = NULL;
    from->schema.label_name = NULL;
}

static sporf_status check_count(const sporf_dataset *data, const void *labels, size_t count) {
    if (!data || !labels)
        return spf_raise(SPORF_ERROR_ARGUMENT, "labels: data and labels must not be NULL");
    if (count != data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%zu labels for %zu rows", count, data->rows);
    return SPORF_OK;
}

/* Adds the label of each row to the dictionary, from integers or from text. */
static sporf_status code_labels(const int64_t *integers, const char *const *texts, size_t count,
                                spf_dictionary *dictionary, uint32_t *codes) {
    char printed[SPF_NUMBER_TEXT_MAX];
    for (size_t i = 0; i < count; i++) {
        const char *text = printed;
        if (texts)
            text = texts[i];
        else
            snprintf(printed, sizeof printed, "%lld", (long long)integers[i]);
        if (!text || !*text)
            return spf_raise(SPORF_ERROR_DATA, "the label of " SPF_ROW " is empty", i + 1);
        SPF_TRY(spf_dictionary_add(dictionary, text, strlen(text), &codes[i]));
    }
    return SPORF_OK;
}

static sporf_status set_labels(sporf_dataset *data, const int64_t *integers,
                               const char *const *texts) {
    spf_dictionary dictionary = {0};
    uint32_t *codes = spf_alloc(data->rows, sizeof *codes);
    sporf_status status =
        codes ? code_labels(integers, texts, data->rows, &dictionary, codes) : spf_raise_memory();
    if (status == SPORF_OK) status = spf_dataset_take_labels(data, &dictionary, codes);
    if (status != SPORF_OK) free(codes);
    spf_dictionary_free(&dictionary);
    return status;
}

sporf_status sporf_dataset_set_labels_int(sporf_dataset *data, const int64_t *labels,
                                          size_t count) {
    SPF_TRY(check_count(data, labels, count));
    return set_labels(data, labels, NULL);
}

sporf_status sporf_dataset_set_labels_text(sporf_dataset *data, const char *const *labels,
                                           size_t count) {
    SPF_TRY(check_count(data, labels, count));
    return set_labels(data, NULL, labels);
}

sporf_status spf_check_distinct(const spf_strings *names, sporf_status code) {
    char shown[SPF_EXCERPT_MAX];
    size_t first, again;
    SPF_TRY(spf_find_repeated(names, &first, &again));
    if (again == names->count) return SPORF_OK;
    const char *name = spf_strings_at(names, again);
    return spf_raise(code,
                     "features %zu and %zu are both named '%s'" SPF_HINT
                     "rename one of them, so that they can be told apart in new data",
                     first + 1, again + 1, spf_excerpt(name, strlen(name), shown));
}
