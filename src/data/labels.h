/* Class labels from text: collects distinct strings as rows arrive, then sorts the classes and
 * numbers the rows. */
#ifndef SPF_DATA_LABELS_H
#define SPF_DATA_LABELS_H

#include "data/dataset.h"

/* A dictionary from text to the number of its first appearance. */
typedef struct spf_dictionary {
    spf_strings words;
    uint32_t *slots; /* open addressing: 1 + word number, 0 for free */
    size_t slot_count;
} spf_dictionary;

/* The number of a word, which is added if it is new. */
sporf_status spf_dictionary_add(spf_dictionary *dictionary, const char *text, size_t length,
                                uint32_t *number);
void spf_dictionary_free(spf_dictionary *dictionary);

/* Gives the dataset its labels: codes[rows], numbers of dictionary's words, are taken over (and
 * renumbered); the classes become the words in order: by value where every word is an integer,
 * otherwise by bytes. On failure codes stays the caller's. */
sporf_status spf_dataset_take_labels(sporf_dataset *data, const spf_dictionary *dictionary,
                                     uint32_t *codes);

#endif
