/* The tops of trees whose rows are on several machines, or in a file: grown by asking all shards,
 * until the rows of a node fit one machine and become a branch there. Some trees grow at a time, so
 * that shards need not remember the rows of all of them. */
#ifndef SPF_LEARN_APART_CROWN_H
#define SPF_LEARN_APART_CROWN_H

#include "learn/apart/brought.h"
#include "learn/apart/facts.h"
#include "learn/settings/auto_settings.h"

typedef struct spf_crown spf_crown;

/* How large branches may be, and how many trees grow at a time; both at least 1. */
typedef struct spf_crown_limits {
    uint64_t branch_rows;
    uint32_t trees;
} spf_crown_limits;

/* `outcomes` and `like` as in spf_frame_create. `train` grows forests that choose settings. */
sporf_status spf_crown_create(const sporf_dataset *outcomes, const sporf_dataset *like,
                              const sporf_params *params, const sporf_hooks *hooks,
                              spf_packed_training train, const spf_crown_limits *limits,
                              spf_crown **out);
void spf_crown_free(spf_crown *crown);

/* What comes next. */
typedef enum spf_crown_step {
    SPF_CROWN_ASKS,     /* there is a question to all shards */
    SPF_CROWN_BRANCHES, /* there are branches to grow */
    SPF_CROWN_DONE      /* the forest is there */
} spf_crown_step;

spf_crown_step spf_crown_next(const spf_crown *crown);

/* The question; it stays valid until the answers are heard. */
void spf_crown_question(const spf_crown *crown, const void **question, size_t *size);

/* The answers of all shards, in the order of their rows. If they are not of this question, or not
 * of all rows, nothing has changed; after any other failure the crown can only be finished. */
sporf_status spf_crown_hear(spf_crown *crown, spf_reader *answers, size_t count);

/* The branches to grow: how many, the question about one's rows, and how many it has. */
size_t spf_crown_branches(const spf_crown *crown);
sporf_status spf_crown_branch(const spf_crown *crown, size_t branch, spf_writer *question,
                              uint64_t *rows);

/* Takes a grown branch; after the last one the crown goes on. */
sporf_status spf_crown_take(spf_crown *crown, size_t branch, spf_reader *grown);

/* The settings, and the forest of plain trees, once it is done. */
const spf_settings *spf_crown_settings(const spf_crown *crown);
sporf_status spf_crown_finish(spf_crown *crown, sporf_forest **out);

#endif
