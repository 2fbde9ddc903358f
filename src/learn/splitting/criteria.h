/* The criterion of a value of sporf_criterion. */
#ifndef SPF_LEARN_SPLITTING_CRITERIA_H
#define SPF_LEARN_SPLITTING_CRITERIA_H

#include "learn/splitting/criterion.h"

const spf_criterion *spf_criterion_of(sporf_criterion criterion);

#endif
