/* Joins the parts of a forest, one after the other, to the forest that one training gives. */
#ifndef SPF_LEARN_REPLAY_JOIN_H
#define SPF_LEARN_REPLAY_JOIN_H

#include "learn/settings/settings.h"
#include "model/forest.h"

typedef struct spf_join spf_join;

/* The settings are those of the whole forest on the table of its first part (spf_part_table), and
 * must live as long. */
sporf_status spf_join_create(const spf_settings *settings, const float *scale, spf_join **out);
void spf_join_free(spf_join *join); /* NULL is allowed */

/* Adds the part whose first tree is the next one. Nothing of it is needed afterwards. On failure
 * some of its trees may have been added. */
sporf_status spf_join_add(spf_join *join, const sporf_forest *part);

/* The trees so far. */
uint32_t spf_join_trees(const spf_join *join);

/* The forest of the trees so far, at least one: what a training that was interrupted there keeps.
 * It has no settings yet. Nothing can be added afterwards. */
sporf_status spf_join_end(spf_join *join, sporf_forest **out);

#endif
