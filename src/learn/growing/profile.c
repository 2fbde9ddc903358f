/* Times in nanoseconds of the monotonic clock, summed in seconds. */
#include "learn/growing/profile.h"

#include "base/system.h"

static uint64_t now(void) {
    return (uint64_t)spf_system_clock();
}

/* Bucket b holds nodes of 2^b to 2^(b+1) - 1 rows. */
static unsigned bucket_of(size_t rows) {
    unsigned bucket = 0;
    while (rows > 1 && bucket < SPORF_PROFILE_SIZES - 1) {
        rows /= 2;
        bucket++;
    }
    return bucket;
}

void spf_profile_begin(spf_profile *profile, size_t rows) {
    if (!profile->on) return;
    spf_profile_help(profile, rows);
    profile->sums.nodes[profile->bucket]++;
}

void spf_profile_help(spf_profile *profile, size_t rows) {
    if (!profile->on) return;
    profile->bucket = bucket_of(rows);
    profile->since = now();
}

void spf_profile_lap_slow(spf_profile *profile, sporf_phase phase) {
    uint64_t time = now();
    profile->sums.seconds[phase][profile->bucket] += (double)(time - profile->since) * 1e-9;
    profile->since = time;
}

void spf_profile_add(sporf_profile *to, const sporf_profile *from) {
    for (int size = 0; size < SPORF_PROFILE_SIZES; size++) {
        for (int phase = 0; phase < SPORF_PHASES; phase++)
            to->seconds[phase][size] += from->seconds[phase][size];
        to->nodes[size] += from->nodes[size];
        to->row_projections[size] += from->row_projections[size];
    }
}
