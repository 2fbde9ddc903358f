/* The table of criteria, made of the rows in criterion.h. */
#include "learn/splitting/criteria.h"

#define PLACE(value, name) [value] = &spf_criterion_##name,
static const spf_criterion *const table[] = {SPF_CRITERIA(PLACE)};

const spf_criterion *spf_criterion_of(sporf_criterion criterion) {
    return table[criterion];
}
