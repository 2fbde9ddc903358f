/* Forests of every method, criterion, bag and scaling on tables of awkward shapes, for laws that
 * hold for each of them. */
#ifndef TEST_EVERY_FOREST_H
#define TEST_EVERY_FOREST_H

#include "model/forest.h"
#include "support/random_data.h"

typedef struct forest_case {
    const sporf_dataset *data;
    sporf_params params;
} forest_case;

/* A law about one case, whose forest it may train again or differently. */
typedef void (*forest_law)(const forest_case *c, const sporf_forest *forest);

/* Calls law for each case; `trees` is how many its forests have. */
void for_every_forest(forest_law law, uint32_t trees);

/* The same for a few tables so large that training copies them, searches between bins and lets
 * several threads work on one tree. Under a sanitizer every second case. */
void for_every_large_forest(forest_law law, uint32_t trees);

/* To be the teardown of a test that uses one of these: names the case that broke the law. */
int name_broken_case(void **state);

/* The bag of tree number `tree`, by the seed alone: weights[rows]. */
void bag_of_tree(const forest_case *c, uint32_t tree, uint32_t *weights);

/* Parts it as an honest tree does: `bag` keeps the weights of the rows that choose splits,
 * estimation gets those of the rows that fill leaves. Returns how many these are. */
uint32_t part_bag_of_tree(const forest_case *c, uint32_t tree, uint32_t *bag, uint32_t *estimation);

/* Whether two trees are equal in every array; and whether they are but for what is in their leaves.
 */
int same_tree(const spf_tree *a, const spf_tree *b);
int same_splits(const spf_tree *a, const spf_tree *b);

#endif
