/* Class labels from text: collects distinct strings as rows arrive, then sorts the classes and
 * numbers the rows. */
#ifndef SPF_DATA_LABELS_H
#define SPF_DATA_LABELS_H

#include "base/siphash.h"
#include "data/dataset.h"

/* A dictionary that maps text to a number, in order of first appearance. */
typedef struct spf_dictionary {
    spf_strings words;
    uint32_t *slots; /* open addressing: 1 + word number, 0 for free; NULL while words are few */
    size_t slot_count;
    spf_hash_key key; /* of the hash of the slots; word numbers do not depend on it */
} spf_dictionary;

/* The number of a word, which is added if new. */
sporf_status spf_dictionary_add(spf_dictionary *dictionary, const char *text, size_t length,
                                uint32_t *number);
void spf_dictionary_free(spf_dictionary *dictionary);

/* Finds a word; returns 0 if it is not there. */
int spf_dictionary_find(const spf_dictionary *dictionary, const char *text, size_t length,
                        uint32_t *number);

/* The same among levels, where integers are written plainly: "2.0" finds "2". */
int spf_level_find(const spf_dictionary *levels, const char *text, size_t length, uint32_t *number);

/* The dictionary of a list of distinct words, with the list's numbers. */
sporf_status spf_dictionary_of(const spf_strings *words, spf_dictionary *dictionary);

/* Finds the first string of a list that equals an earlier one, and both indices; *again is the
 * number of strings if all are distinct. */
sporf_status spf_find_repeated(const spf_strings *list, size_t *first, size_t *again);

/* Raises `code` if two features have the same name. */
sporf_status spf_check_distinct(const spf_strings *names, sporf_status code);

/* The words in the order of classes; place[words] is the new number of each. */
sporf_status spf_dictionary_order(const spf_dictionary *dictionary, spf_strings *ordered,
                                  uint32_t *place);

/* Whether all words are integers as printf writes them, which are ordered by value. */
int spf_all_integers(const spf_strings *words);

/* Gives the dataset its labels, in place of any it has: codes[rows], numbers of dictionary's words,
 * are taken over (and renumbered); the classes become the words in order. On failure codes stays
 * the caller's.
 *
 * Classes are ordered by value if every word is a 64-bit integer (7, 7.0 or 7e0), and by bytes
 * otherwise. "07", "+7" and "-0" are not plain: "07" and "7" are different words, and a set with
 * them is ordered as text. */
sporf_status spf_dataset_take_labels(sporf_dataset *data, const spf_dictionary *dictionary,
                                     uint32_t *codes);

/* Moves the labels of one dataset to another with the same number of rows, and replaces its own. */
void spf_dataset_move_labels(sporf_dataset *from, sporf_dataset *to);

#endif
