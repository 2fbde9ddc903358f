/* A decided split, as it is said to shards: with its projection, so that nobody has to draw it
 * again. */
#ifndef SPF_LEARN_APART_SAID_SPLIT_H
#define SPF_LEARN_APART_SAID_SPLIT_H

#include "learn/apart/asks.h"
#include "learn/growing/builder.h"
#include "model/projection.h"

typedef struct spf_said_split {
    spf_apart_split split;
    uint32_t range[2];      /* where the terms begin and end */
    sporf_projections list; /* the projection */
    spf_set_list sets;      /* that it names */
} spf_said_split;

/* `projection` has no other; sets the sizes of the split. */
sporf_status spf_said_split_write(spf_apart_split *split, const spf_builder *projection,
                                  spf_writer *writer);

/* Checks it against the columns of the data. Free it, also after a failure; it must not move. */
sporf_status spf_said_split_read(const sporf_dataset *data, spf_reader *reader,
                                 spf_said_split *said);
void spf_said_split_free(spf_said_split *said);

#endif
