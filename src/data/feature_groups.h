/* Groups of features that are shuffled, or left out, together. A feature may be in several groups.
 */
#ifndef SPF_DATA_FEATURE_GROUPS_H
#define SPF_DATA_FEATURE_GROUPS_H

#include "base/error.h"

typedef struct spf_feature_groups {
    size_t count;
    uint32_t *start;    /* [count + 1] into member */
    uint32_t *member;   /* features, ascending within a group */
    uint32_t *of_start; /* [features + 1] into of */
    uint32_t *of;       /* the groups of a feature, ascending */
} spf_feature_groups;

/* groups[count] are the caller's, which are checked; NULL stands for each feature by itself. Free
 * with spf_feature_groups_free, also after a failure. */
sporf_status spf_feature_groups_create(const sporf_feature_group *groups, size_t count,
                                       size_t features, spf_feature_groups *out);
void spf_feature_groups_free(spf_feature_groups *groups);

#endif
