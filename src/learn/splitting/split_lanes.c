/* Exact cuts of small nodes, several columns side by side: lane c of line i holds a key of column
 * c. A key has the upper bits of a value's order and, below, the row's weight and class, so that a
 * sorting network of minima and maxima sorts all lanes at once and the scan reads only keys; in
 * regression the row number is there instead. Columns whose values agree in those upper bits, and
 * nodes whose classes take too many bits, are sorted with row numbers in the lower bits instead. */
#include "base/vectors.h"
#include "learn/splitting/lane_scan.h"
#include "learn/splitting/split_scan.h"

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

/* ---- keys ------------------------------------------------------------------------------------ */

/* spf_float_order of four values of a column, without the bits of the mask; `lost` collects those
 * bits. */
static inline u32x4 order_values(const float *values, uint32_t mask, u32x4 *lost) {
    f32x4 value;
    memcpy(&value, values, sizeof value);
    u32x4 bits = (u32x4)(value + 0.0f), sign = (u32x4)((i32x4)bits >> 31);
    *lost |= bits & mask;
    return (bits ^ (sign | 0x80000000u)) & ~mask;
}

/* Transposes four rows of four columns to four lines. */
static inline void fill_lines(const float *const *columns, size_t row, const uint32_t *tags,
                              uint32_t mask, uint32_t *lines, u32x4 *lost) {
    u32x4 a = order_values(columns[0] + row, mask, &lost[0]);
    u32x4 b = order_values(columns[1] + row, mask, &lost[1]);
    u32x4 c = order_values(columns[2] + row, mask, &lost[2]);
    u32x4 d = order_values(columns[3] + row, mask, &lost[3]);
    u32x4 ab = SPF_SHUFFLE(a, b, 0, 4, 1, 5);
    u32x4 cd = SPF_SHUFFLE(c, d, 0, 4, 1, 5);
    u32x4 high_ab = SPF_SHUFFLE(a, b, 2, 6, 3, 7);
    u32x4 high_cd = SPF_SHUFFLE(c, d, 2, 6, 3, 7);
    u32x4 line[4] = {SPF_SHUFFLE(ab, cd, 0, 1, 4, 5) | tags[0],
                     SPF_SHUFFLE(ab, cd, 2, 3, 6, 7) | tags[1],
                     SPF_SHUFFLE(high_ab, high_cd, 0, 1, 4, 5) | tags[2],
                     SPF_SHUFFLE(high_ab, high_cd, 2, 3, 6, 7) | tags[3]};
    memcpy(lines, line, sizeof line);
}

/* Fills the lines, repeating the last column if there are fewer than four; lossy[c] tells whether a
 * value of column c has bits that its key lacks. */
static void fill_lanes(const float *values, size_t columns, const uint32_t *tags, size_t rows,
                       uint32_t mask, uint32_t *lines, int *lossy) {
    const float *column[SPF_LANES];
    u32x4 lost[SPF_LANES] = {{0}};
    size_t whole = rows / 4 * 4;
    for (size_t c = 0; c < SPF_LANES; c++)
        column[c] = values + (c < columns ? c : columns - 1) * SPF_LANES_ROWS;
    for (size_t i = 0; i < whole; i += 4)
        fill_lines(column, i, tags + i, mask, lines + i * SPF_LANES, lost);
    if (whole < rows) {
        uint32_t last_tags[4] = {0};
        for (size_t i = whole; i < rows; i++) last_tags[i - whole] = tags[i];
        fill_lines(column, whole, last_tags, mask, lines + whole * SPF_LANES, lost);
    }
    for (size_t c = 0; c < SPF_LANES; c++)
        lossy[c] = (lost[c][0] | lost[c][1] | lost[c][2] | lost[c][3]) != 0;
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

/* Sorts rows whose keys agree above the mask by their values; 0 if that would take too long. */
static int sort_ties(const float *values, size_t rows, uint32_t mask, uint32_t *lane) {
    size_t moves = 0;
    for (size_t i = 1; i < rows; i++) {
        uint32_t key = lane[i * SPF_LANES];
        size_t j = i;
        for (; j > 0; j--) {
            uint32_t before = lane[(j - 1) * SPF_LANES];
            if ((before ^ key) > mask || values[before & mask] <= values[key & mask]) break;
            lane[j * SPF_LANES] = before;
        }
        lane[j * SPF_LANES] = key;
        if ((moves += i - j) > 8 * rows) return 0;
    }
    return 1;
}

/* The same lanes with row numbers in the lowest bits: rows that agree in the upper bits are sorted
 * by their values, and the scan looks up classes and weights. */
static void number_lanes(const float *values, size_t columns, size_t rows,
                         spf_split_scratch *scratch) {
    int lossy[SPF_LANES];
    fill_lanes(values, columns, scratch->numbers, rows, numbers_mask(rows), scratch->lanes, lossy);
    spf_lane_sort(scratch->lanes, rows);
}

static sporf_status search_numbered(const spf_split_node *node, const float *values, uint32_t *lane,
                                    spf_split_scratch *scratch, spf_split *best) {
    uint32_t row[SPF_LANES_ROWS], mask = numbers_mask(node->rows);
    if (!sort_ties(values, node->rows, mask, lane))
        return spf_split_exact(node, values, scratch, best);
    for (size_t i = 0; i < node->rows; i++) row[i] = lane[i * SPF_LANES] & mask;
    spf_order order = {row, node->rows};
    spf_scan_from(node, values, &order, 0, scratch->left, best);
    return SPORF_OK;
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
    uint32_t mask = tag_mask(node), last[SPF_LANES] = {0};
    const int by_number = are_numbered(node);
    const uint32_t *tags = by_number ? scratch->numbers : node->tag;
    size_t rows = node->rows,
           behind = SPF_LANES; /* the column whose tagged lane has the best cut */
    int lossy[SPF_LANES] = {0}, numbered = !mask;
    spf_lane_cut cuts[SPF_LANES] = {0};
    if (mask) {
        fill_lanes(values, columns, tags, rows, mask, scratch->lanes, lossy);
        spf_lane_sort(scratch->lanes, rows);
        if (by_number)
            spf_scan_numbers(node, scratch->lanes, mask, cuts);
        else
            spf_scan_lanes(node, columns, mask, scratch, cuts);
    }
    for (size_t c = 0; c < columns; c++) {
        lossy[c] = !mask || (lossy[c] && cuts[c].tied);
        numbered |= lossy[c];
        if (mask && cuts[c].line != SPF_NOWHERE)
            last[c] = scratch->lanes[cuts[c].line * SPF_LANES + c];
    }
    if (numbered && !(mask && by_number)) number_lanes(values, columns, rows, scratch);
    for (size_t c = 0; c < columns; c++) {
        const float *column = values + c * SPF_LANES_ROWS;
        spf_split before = *best;
        if (lossy[c])
            SPF_TRY(search_numbered(node, column, scratch->lanes + c, scratch, best));
        else
            take_cut(&cuts[c], best);
        if (best->found == before.found && best->score == before.score) continue;
        behind = lossy[c] ? SPF_LANES : c;
        *winner = c;
    }
    if (behind < SPF_LANES)
        best->threshold =
            threshold_behind(values + behind * SPF_LANES_ROWS, rows, mask, last[behind]);
    return SPORF_OK;
}
