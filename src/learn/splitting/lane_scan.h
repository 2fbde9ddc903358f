/* What scans of sorted lanes find, and up to which weight of a node they are exact. */
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

/* Up to this weight of a node sums of squares are below 2^31. */
enum { SPF_SQUARES_TOTAL = 46340 };

/* Products of a node's weight and the ones on a side are exact in doubles up to SPF_NUMBERS_TOTAL
 * in regression, where ones add up to nearly 2^32, and up to SPF_NUMBERED_TOTAL with two classes.
 * The kernel scan_numbers is for such nodes: keys have row numbers in the bits of the mask, and
 * bottom is 1. */
enum { SPF_NUMBERS_TOTAL = 1 << 21, SPF_NUMBERED_TOTAL = 1 << 26 };

#endif
