/* Exact cuts of small nodes, several columns side by side: lane c of line i holds a key of column
 * c. A key has the upper bits of a value's order and, below, the row's weight and class, so that a
 * sorting network of minima and maxima sorts all lanes at once and the scan reads only keys; in
 * regression the row number is there instead. Columns whose values agree in those upper bits, and
 * nodes whose classes take too many bits, are sorted with row numbers in the lower bits instead. */
#include "learn/splitting/kernels.h"
#include "learn/splitting/split_scan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { TAG_BITS_MAX = 8 };

/* The lowest bits of a key, which hold a row number. */
static uint32_t numbers_mask(size_t rows) {
    uint32_t mask = 1;
    while (mask < rows - 1) mask = 2 * mask + 1;
    return mask;
}

/* The bits of a key for weight and class; 0 if these are too many, or do not suffice. */
static uint32_t bits_of_tag(const spf_split_node *node) {
    unsigned bits = node->weight_bits;
    if (node->numeric || node->draws) return 0;
    if (spf_split_is_pair(node) && node->total > SPF_LANES_TOTAL) return 0;
    for (size_t classes = node->classes - 1; classes > 0; classes /= 2) bits++;
    return bits > TAG_BITS_MAX ? 0 : (1u << bits) - 1;
}

/* Whether keys have row numbers, by which rows are looked up. */
static int are_numbered(const spf_split_node *node) {
    return node->numeric || (node->numbered && !bits_of_tag(node));
}

/* The lowest bits of a key, for weight and class or a row number; 0 if the columns are better
 * searched one by one. */
static uint32_t tag_mask(const spf_split_node *node) {
    if (!are_numbered(node)) return bits_of_tag(node);
    uint64_t most = node->numeric ? SPF_NUMBERS_TOTAL : SPF_NUMBERED_TOTAL;
    return node->total > most ? 0 : numbers_mask(node->rows);
}

/* ---- the threshold --------------------------------------------------------------------------- */

/* The threshold of a cut behind the key `last`. */
static float threshold_behind(const float *values, size_t rows, uint32_t mask, uint32_t last) {
    uint32_t a = 0, b = UINT32_MAX;
    for (size_t i = 0; i < rows; i++) {
        uint32_t order = spf_float_order(values[i]), stays = order > (last | mask) ? UINT32_MAX : 0;
        uint32_t left = order & ~stays, right = order | ~stays;
        a = left > a ? left : a;
        b = right < b ? right : b;
    }
    return spf_threshold_between(spf_float_unorder(a), spf_float_unorder(b));
}

/* ---- columns that keys cannot tell apart ----------------------------------------------------- */

/* Of columns that may be so: those where different values agree above the mask. If none do, keys
 * that agree are of equal values. All bits of the values are sorted instead of keys. */
static void find_confused(const float *values, size_t columns, size_t rows, uint32_t mask,
                          spf_split_scratch *scratch, int *confused) {
    static const uint32_t no_tags[SPF_LANES_ROWS];
    const spf_kernels *kernels = scratch->kernels;
    int lossy[SPF_LANES_MAX], agree[SPF_LANES_MAX];
    kernels->fill(values, columns, no_tags, rows, 0, scratch->lanes, lossy);
    kernels->sort(scratch->lanes, rows);
    kernels->agree_above(scratch->lanes, rows, mask, agree);
    for (size_t c = 0; c < columns; c++) confused[c] &= agree[c];
}

/* Sorts rows whose keys agree above the mask by their values; 0 if that would take too long. */
static int sort_ties(const float *values, size_t rows, uint32_t mask, uint32_t *lane,
                     size_t lanes) {
    size_t moves = 0;
    for (size_t i = 1; i < rows; i++) {
        uint32_t key = lane[i * lanes];
        size_t j = i;
        for (; j > 0; j--) {
            uint32_t before = lane[(j - 1) * lanes];
            if ((before ^ key) > mask || values[before & mask] <= values[key & mask]) break;
            lane[j * lanes] = before;
        }
        lane[j * lanes] = key;
        if ((moves += i - j) > 8 * rows) return 0;
    }
    return 1;
}

/* The same lanes with row numbers in the lowest bits: rows that agree in the upper bits are sorted
 * by their values, and the scan looks up classes and weights. */
static void number_lanes(const float *values, size_t columns, size_t rows,
                         spf_split_scratch *scratch) {
    int lossy[SPF_LANES_MAX];
    scratch->kernels->fill(values, columns, scratch->numbers, rows, numbers_mask(rows),
                           scratch->lanes, lossy);
    scratch->kernels->sort(scratch->lanes, rows);
}

static sporf_status search_numbered(const spf_split_node *node, const float *values, uint32_t *lane,
                                    spf_split_scratch *scratch, spf_split *best) {
    const size_t lanes = scratch->kernels->lanes;
    uint32_t row[SPF_LANES_ROWS], mask = numbers_mask(node->rows);
    if (!sort_ties(values, node->rows, mask, lane, lanes))
        return spf_split_exact(node, values, scratch, best);
    assert(node->rows > 0);
    for (size_t i = 0; i < node->rows; i++) row[i] = lane[i * lanes] & mask;
    spf_order order = {row, node->rows};
    spf_scan_from(node, values, &order, 0, scratch->left, best);
    return SPORF_OK;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Two classes, and any number of them by Gini, are scanned in all lanes at once; otherwise the
 * criterion scans lane by lane. */
static void scan_lanes(const spf_split_node *node, size_t columns, uint32_t mask,
                       spf_split_scratch *scratch, spf_lane_cut *cuts) {
    const spf_kernels *kernels = scratch->kernels;
    const spf_criterion *criterion = node->criterion;
    if (spf_split_is_pair(node))
        kernels->scan_pairs(node, scratch->lanes, mask, cuts);
    else if (criterion->squares && node->total <= SPF_SQUARES_TOTAL)
        kernels->scan_squares(node, scratch->lanes, mask, cuts);
    else
        for (size_t c = 0; c < columns; c++)
            criterion->scan_lane(node, scratch->lanes + c, kernels->lanes, mask, scratch->left,
                                 &cuts[c]);
}

/* ---- the node -------------------------------------------------------------------------------- */

/* Replaces *best by a lane's cut with a higher score. Few have one: a product, with a margin for
 * its rounding, excludes most cuts without a division. */
static void take_cut(const spf_lane_cut *cut, spf_split *best) {
    if (cut->line == SPF_NOWHERE) return;
    double most = best->score * cut->bottom;
    if (best->found && cut->top < most - fabs(most) * 0x1p-50) return;
    double score = cut->top / cut->bottom;
    if (best->found && !(score > best->score)) return;
    *best = (spf_split){.found = 1, .score = score};
}

sporf_status spf_split_lanes(const spf_split_node *node, const float *values, size_t columns,
                             spf_split_scratch *scratch, spf_split *best, size_t *winner) {
    const spf_kernels *kernels = scratch->kernels;
    uint32_t mask = tag_mask(node), last[SPF_LANES_MAX] = {0};
    const int by_number = are_numbered(node);
    const uint32_t *tags = by_number ? scratch->numbers : node->tag;
    size_t rows = node->rows,
           behind = SPF_LANES_MAX; /* the column whose tagged lane has the best cut */
    int lossy[SPF_LANES_MAX] = {0}, numbered = 0, in_doubt = 0;
    spf_lane_cut cuts[SPF_LANES_MAX] = {0};
    if (mask) {
        kernels->fill(values, columns, tags, rows, mask, scratch->lanes, lossy);
        kernels->sort(scratch->lanes, rows);
        if (by_number)
            kernels->scan_numbers(node, scratch->lanes, mask, cuts);
        else
            scan_lanes(node, columns, mask, scratch, cuts);
    }
    for (size_t c = 0; c < columns; c++) {
        lossy[c] = !mask || (lossy[c] && cuts[c].tied);
        in_doubt |= lossy[c];
        if (mask && cuts[c].line != SPF_NOWHERE)
            last[c] = scratch->lanes[cuts[c].line * kernels->lanes + c];
    }
    if (mask && in_doubt) find_confused(values, columns, rows, mask, scratch, lossy);
    for (size_t c = 0; c < columns; c++) numbered |= lossy[c];
    if (numbered) number_lanes(values, columns, rows, scratch);
    for (size_t c = 0; c < columns; c++) {
        const float *column = values + c * SPF_LANES_ROWS;
        spf_split before = *best;
        if (lossy[c])
            SPF_TRY(search_numbered(node, column, scratch->lanes + c, scratch, best));
        else
            take_cut(&cuts[c], best);
        if (best->found == before.found && best->score == before.score) continue;
        behind = lossy[c] ? SPF_LANES_MAX : c;
        *winner = c;
    }
    if (behind < SPF_LANES_MAX)
        best->threshold =
            threshold_behind(values + behind * SPF_LANES_ROWS, rows, mask, last[behind]);
    return SPORF_OK;
}
