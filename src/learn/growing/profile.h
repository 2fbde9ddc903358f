/* Time of a training by phase and by node size. */
#ifndef SPF_LEARN_GROWING_PROFILE_H
#define SPF_LEARN_GROWING_PROFILE_H

#include "sporf.h"

/* The current phase, and the sums; one per thread. */
typedef struct spf_profile {
    int on;
    unsigned bucket; /* of the node being grown */
    uint64_t since;  /* nanoseconds: when the current phase began */
    sporf_profile sums;
} spf_profile;

/* Begins a node with that many rows, of its own or to help another thread. */
void spf_profile_begin(spf_profile *profile, size_t rows);
void spf_profile_help(spf_profile *profile, size_t rows);
void spf_profile_lap_slow(spf_profile *profile, sporf_phase phase);
void spf_profile_add(sporf_profile *to, const sporf_profile *from);

/* Adds the time since the last lap to a phase. */
static inline void spf_profile_lap(spf_profile *profile, sporf_phase phase) {
    if (profile->on) spf_profile_lap_slow(profile, phase);
}

static inline void spf_profile_count(spf_profile *profile, uint64_t row_projections) {
    if (profile->on) profile->sums.row_projections[profile->bucket] += row_projections;
}

#endif
