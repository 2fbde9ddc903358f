/* The bag of a tree: how often each row counts. */
#ifndef SPF_LEARN_BAG_H
#define SPF_LEARN_BAG_H

#include "base/rng.h"
#include "data/dataset.h"

typedef struct spf_bagger {
    sporf_bag kind; /* not AUTO */
    size_t rows;
    size_t drawn;          /* rows that SUBSAMPLE draws */
    uint32_t *class_start; /* STRATIFIED: [classes + 1] into class_rows */
    uint32_t *class_rows;  /* rows sorted by class */
    size_t classes;
} spf_bagger;

sporf_status spf_bagger_create(const sporf_dataset *data, sporf_bag kind, double fraction,
                               spf_bagger *bagger);
void spf_bagger_free(spf_bagger *bagger);

/* Fills weights[rows]; 0 means out of the bag. */
void spf_bagger_draw(const spf_bagger *bagger, sporf_random *random, uint32_t *weights);

#endif
