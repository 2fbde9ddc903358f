/* The sections of a model file: one row of a table for each. Encoder, frame and decoder use it. */
#ifndef SPF_IO_SECTIONS_H
#define SPF_IO_SECTIONS_H

#include "io/model_format.h"

/* Traits of a section. */
enum {
    SPF_SECTION_REQUIRED = 1,
    SPF_SECTION_MAY_BE_EMPTY = 2, /* others are omitted if empty */
    SPF_SECTION_LARGE = 4,        /* contains trees; read on demand from a mapped file */
};

/* An array of the packed form, written as it is in memory. */
typedef struct spf_section_array {
    size_t at, element; /* offset of the pointer in spf_packed; bytes of an element, 0: none */
    size_t count;       /* offset of the element count in spf_packed */
    int ends;           /* one element more: starts, and the end of the last */
    int of_values;      /* one element for each value of a leaf */
} spf_section_array;

typedef struct spf_section {
    const char *name; /* content, for messages */
    unsigned traits;
    spf_section_array array;
    size_t strings; /* offset of a list of strings in sporf_forest; 0: none */
    /* For all other sections. An array is written unless it is NULL, strings unless there are
     * none. */
    int (*is_there)(const sporf_forest *forest);
    sporf_status (*put)(spf_sink sink, const sporf_forest *forest);
} spf_section;

extern const spf_section spf_sections[SPF_SECTION_END]; /* by id */

const char *spf_section_name(uint32_t id);

/* How many elements the array of a section must have. */
uint64_t spf_section_count(spf_section_id id, const sporf_forest *forest);

int spf_section_is_there(spf_section_id id, const sporf_forest *forest);
sporf_status spf_section_put(spf_section_id id, const sporf_forest *forest, spf_sink sink);

sporf_status spf_put(spf_sink sink, const void *bytes, size_t size);

#endif
