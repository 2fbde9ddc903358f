/* What the columns are like, found out by shards that have some of the rows each. */
#ifndef SPF_LEARN_APART_FACTS_H
#define SPF_LEARN_APART_FACTS_H

#include "base/exact_sum.h"
#include "learn/apart/frame.h"

/* The rows of a shard: those of `data`, from row `first` of the whole table on. */
typedef struct spf_some_rows {
    const sporf_dataset *data;
    uint32_t first;
} spf_some_rows;

/* Weighted sums leave out rows without weight. */
typedef struct spf_column_facts {
    spf_exact_sum sum;
    uint64_t units;        /* the weight of all rows with a value */
    float low, high;       /* low > high if no row with weight has a value */
    uint32_t missing;      /* some value is missing */
    uint32_t lacks;        /* some row with weight has no value */
    uint32_t beyond_bytes; /* some value is not an integer from 0 to 255 */
    uint32_t unused;
} spf_column_facts;

/* What is known so far, of all columns. */
typedef struct spf_facts {
    size_t features;
    spf_column_facts *column; /* [features] */
    spf_exact_sum *squares;   /* [features]: around the means */
    double *mean;             /* [features] */
} spf_facts;

sporf_status spf_facts_create(size_t features, spf_facts *facts);
void spf_facts_free(spf_facts *facts);

/* The shard's side. */
sporf_status spf_facts_answer(const spf_frame *frame, const spf_some_rows *rows, unsigned threads,
                              spf_writer *writer);
sporf_status spf_spread_answer(const spf_frame *frame, const spf_some_rows *rows, unsigned threads,
                               spf_reader *question, spf_writer *writer);

/* What was heard, as the answer of all that was heard. */
sporf_status spf_facts_write(spf_facts *facts, spf_writer *writer);
sporf_status spf_spread_write(spf_facts *facts, spf_writer *writer);

/* The other side: answers of all shards, the question about the spread without its head, once the
 * means are known, and whether it has to be asked. */
sporf_status spf_facts_hear(spf_facts *facts, spf_reader *answer);
int spf_facts_need_spread(const spf_frame *frame);
sporf_status spf_spread_ask(spf_facts *facts, spf_writer *question);
sporf_status spf_spread_hear(spf_facts *facts, spf_reader *answer);

/* Settles the frame, with the amounts of its usual settings. */
sporf_status spf_facts_settle(const spf_facts *facts, spf_frame *frame);

#endif
