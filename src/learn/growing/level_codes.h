/* The levels that a node's candidates ask for, and which of them each row has, in bytes: the levels
 * of a category are numbered as they are drawn, and the numbers of the node's rows are stored next
 * to each other. A term then costs a comparison of bytes, however many terms ask for the same
 * category and however many levels it has. */
#ifndef SPF_LEARN_GROWING_LEVEL_CODES_H
#define SPF_LEARN_GROWING_LEVEL_CODES_H

#include "data/schema.h"
#include "learn/growing/expected.h"
#include "learn/rows/table.h"
#include "model/projection.h"

struct spf_looks;

/* The rows of a node, and the table with their values. If the rows are elsewhere, there are none
 * here, and `looks` tells what candidates want to see of them. */
typedef struct spf_node_rows {
    const spf_table *table;
    const uint32_t *row;
    size_t count;
    struct spf_looks *looks; /* NULL if the rows are here */
} spf_node_rows;

/* Memory of one thread, for one node at a time; empty without categories. */
typedef struct spf_level_codes {
    size_t features;
    uint32_t *first; /* [features]: where the levels of a category begin in `code` */
    uint8_t *code;   /* [levels of all categories]: number of a level that was drawn; otherwise 0 */
    uint8_t *last;   /* [features]: the last number of a category; otherwise 0 */
    uint32_t *drawn; /* [features]: categories with numbered levels */
    uint32_t *place; /* the places of numbered levels in `code` */
    uint8_t *of_set; /* [sets_count]: the number of a set's level; 0 if it has none */
    const uint8_t **column; /* [features]: of a category in `drawn`, the numbers of the rows */
    uint8_t *storage;
    size_t drawn_count, place_count, sets_count, place_capacity, of_set_capacity, storage_capacity;
    int stored; /* the columns are there */
} spf_level_codes;

sporf_status spf_level_codes_create(const sporf_schema *schema, size_t features,
                                    spf_level_codes *codes);
void spf_level_codes_free(spf_level_codes *codes);
double spf_level_codes_bytes(const spf_expected *expected);

/* Forgets the levels of the last node. */
void spf_level_codes_clear(spf_level_codes *codes);

/* Numbers the level of a set with one level, unless too many of its category are numbered
 * already. */
sporf_status spf_level_codes_add(spf_level_codes *codes, uint32_t set, uint32_t feature,
                                 uint32_t level);

/* Whether the numbers of so many rows' levels are stored: not if that would take too much
 * memory. */
int spf_level_codes_stores(const spf_level_codes *codes, size_t rows);

/* Stores the numbers of the rows' levels, if there is memory for so many. */
sporf_status spf_level_codes_store(spf_level_codes *codes, const spf_node_rows *rows);

/* spf_project_rows for a candidate that names sets, by the stored numbers; returns 0 if it is
 * another candidate, or if they were not stored. */
int spf_level_codes_project(const spf_level_codes *codes, const sporf_projections *candidates,
                            size_t candidate, const spf_node_rows *rows, float *value);

/* Whether the terms of a candidate are levels with numbers and weights 1 and -1, so that its values
 * are small integers; and whether they are counted, since the numbers are stored. */
int spf_level_codes_are_summed(const spf_level_codes *codes, const sporf_projections *candidates,
                               size_t candidate);
int spf_level_codes_countable(const spf_level_codes *codes, const sporf_projections *candidates,
                              size_t candidate);

/* The values of such a candidate, less the lowest possible one; returns a bound that all of these
 * differences are below. */
uint32_t spf_level_codes_count(const spf_level_codes *codes, const sporf_projections *candidates,
                               size_t candidate, size_t rows, uint8_t *byte, float *low);

#endif
