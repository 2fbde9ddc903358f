/* Groups of features, by group and by feature. */
#include "data/feature_groups.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static sporf_status check_group(const sporf_feature_group *group, size_t number, size_t features) {
    if (group->count == 0 || !group->features)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "group %zu of features is empty" SPF_HINT "name a feature at least",
                         number);
    for (size_t i = 0; i < group->count; i++)
        if (group->features[i] >= features)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "group %zu names feature %zu, but the features are numbered from 0 "
                             "to %zu",
                             number, group->features[i], features - 1);
    return SPORF_OK;
}

static int compare(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static sporf_status fill_group(const sporf_feature_group *group, size_t number, uint32_t *member) {
    for (size_t i = 0; i < group->count; i++) member[i] = (uint32_t)group->features[i];
    qsort(member, group->count, sizeof *member, compare);
    for (size_t i = 1; i < group->count; i++)
        if (member[i] == member[i - 1])
            return spf_raise(SPORF_ERROR_ARGUMENT, "group %zu names feature %lu twice", number,
                             (unsigned long)member[i]);
    return SPORF_OK;
}

static sporf_status fill_groups(const sporf_feature_group *groups, size_t features,
                                spf_feature_groups *out) {
    size_t members = groups ? 0 : features;
    for (size_t g = 0; groups && g < out->count; g++) {
        SPF_TRY(check_group(&groups[g], g, features));
        members += groups[g].count;
    }
    if (members > UINT32_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the groups name %zu features, which is too many",
                         members);
    out->start = spf_alloc(out->count + 1, sizeof *out->start);
    out->member = spf_alloc(members, sizeof *out->member);
    if (!out->start || !out->member) return spf_raise_memory();
    out->start[0] = 0;
    for (size_t g = 0; g < out->count; g++) {
        out->start[g + 1] = out->start[g] + (groups ? (uint32_t)groups[g].count : 1);
        if (groups)
            SPF_TRY(fill_group(&groups[g], g, out->member + out->start[g]));
        else
            out->member[g] = (uint32_t)g;
    }
    return SPORF_OK;
}

/* of_start[j + 1] runs over the entries of feature j, and ends where the next begin. */
static sporf_status invert(size_t features, spf_feature_groups *out) {
    uint32_t members = out->start[out->count];
    out->of_start = spf_alloc_zero(features + 2, sizeof *out->of_start);
    out->of = spf_alloc(members, sizeof *out->of);
    if (!out->of_start || !out->of) return spf_raise_memory();
    for (uint32_t i = 0; i < members; i++) out->of_start[out->member[i] + 2]++;
    for (size_t j = 2; j < features + 2; j++) out->of_start[j] += out->of_start[j - 1];
    for (uint32_t g = 0; g < out->count; g++)
        for (uint32_t i = out->start[g]; i < out->start[g + 1]; i++)
            out->of[out->of_start[out->member[i] + 1]++] = g;
    return SPORF_OK;
}

sporf_status spf_feature_groups_create(const sporf_feature_group *groups, size_t count,
                                       size_t features, spf_feature_groups *out) {
    *out = (spf_feature_groups){.count = groups ? count : features};
    if (out->count >= UINT32_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%zu groups of features are too many", out->count);
    SPF_TRY(fill_groups(groups, features, out));
    return invert(features, out);
}

void spf_feature_groups_free(spf_feature_groups *groups) {
    free(groups->start);
    free(groups->member);
    free(groups->of_start);
    free(groups->of);
    *groups = (spf_feature_groups){0};
}
