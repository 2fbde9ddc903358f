/* Scans sorted lanes for the best cut of each. */
#ifndef SPF_LEARN_SPLITTING_LANE_SCAN_H
#define SPF_LEARN_SPLITTING_LANE_SCAN_H

#include "learn/splitting/split.h"

enum { SPF_NOWHERE = UINT32_MAX };

/* Scores of two classes are fractions, compared without division: a numerator times the other's
 * denominator is at most N^6 / 64, which is exact in a double up to this weight N of a node. */
enum { SPF_LANES_TOTAL = 900 };

/* The best cut of one lane: behind the line `line`, with the score top / bottom. */
struct spf_lane_cut {
    uint32_t line; /* or SPF_NOWHERE */
    double top, bottom;
    int tied; /* neighbours agree above the mask */
};

/* Scans the scratch's lanes; a key has weight and class in the bits of the mask. */
void spf_scan_lanes(const spf_split_node *node, size_t columns, uint32_t mask,
                    spf_split_scratch *scratch, spf_lane_cut *cuts);

/* The same for regression nodes of weight up to SPF_NUMBERS_TOTAL, and for two classes and weights
 * up to SPF_NUMBERED_TOTAL: keys have row numbers in the bits of the mask, and bottom is 1. */
enum { SPF_NUMBERS_TOTAL = 1 << 21, SPF_NUMBERED_TOTAL = 1 << 26 };
void spf_scan_numbers(const spf_split_node *node, const uint32_t *lanes, uint32_t mask,
                      spf_lane_cut *cuts);

#endif
