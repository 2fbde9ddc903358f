/* Any number of classes by Gini, all lanes at once. What a row moves depends on how much of its
 * class is on either side in its lane: these are looked up one by one, for a few lines at a time;
 * the rest is done lane by lane. Sums are integers below 2^31, and scores those of criterion_gini.c
 * to the last bit. */

enum { LINES_AT_ONCE = 16, TAGGED_CLASSES_MAX = 128 };

/* For each class and lane: the weight on the right, above 16 bits with that on the left. */
typedef struct {
    uint32_t sides[TAGGED_CLASSES_MAX * LANES];
} class_sides;

typedef struct {
    u32v weight, left, right; /* the weight on the left, and the sums of squares on both sides */
    i32v tied;
    f64v score[2];
    i64v line[2];
} squares_front;

/* Moves some lines, and writes what was on the sides of each row's class before. */
INLINE void move_classes(const spf_split_node *node, const uint32_t *keys, size_t lines,
                         uint32_t mask, class_sides *classes, uint32_t *before) {
    const unsigned weight_bits = node->weight_bits;
    u32v number;
    for (uint32_t c = 0; c < LANES; c++) number[c] = c;
    for (size_t i = 0; i < lines; i++, keys += LANES, before += LANES) {
        u32v key = load(keys), weight = key & ((1u << weight_bits) - 1);
        u32v place_v = ((key & mask) >> weight_bits) * LANES + number;
        u32v moved_v = weight - (weight << 16);
        uint32_t place[LANES], moved[LANES];
        store(place, place_v);
        store(moved, moved_v);
        for (size_t c = 0; c < LANES; c++) {
            uint32_t *sides = &classes->sides[place[c]], held = *sides;
            before[c] = held;
            *sides = held + moved[c];
        }
    }
}

/* The cut behind a line. */
INLINE void cut_squares(const spf_split_node *node, const uint32_t *keys, const uint32_t *before,
                        uint32_t mask, int64_t line, squares_front *f) {
    const int32_t total = (int32_t)node->total;
    const int32_t least = node->min_leaf < node->total ? (int32_t)node->min_leaf : total;
    u32v key = load(keys), next = load(keys + LANES), sides = load(before);
    u32v w = key & ((1u << node->weight_bits) - 1);
    f->weight += w;
    f->left += w * (2 * (sides & 0xFFFF) + w);
    f->right += w * (w - 2 * (sides >> 16));
    i32v tied = ((key ^ next) & ~mask) == 0;
    i32v ok = ~tied & ((i32v)f->weight >= least) & ((i32v)f->weight <= total - least);
    doubles left = to_doubles((i32v)f->left), right = to_doubles((i32v)f->right);
    doubles weight = to_doubles((i32v)f->weight);
    wide_mask allowed = widen(ok);
    f->tied |= tied;
    for (size_t h = 0; h < 2; h++) {
        f64v n = weight.half[h], rest = (double)total - n;
        f64v score = (left.half[h] * rest + right.half[h] * n) / (n * rest);
        i64v better = (score > f->score[h]) & allowed.half[h];
        f->score[h] = either_double(better, score, f->score[h]);
        f->line[h] = (better & line) | (~better & f->line[h]);
    }
}

static void scan_squares(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                         spf_lane_cut *cuts) {
    class_sides classes;
    uint32_t before[LINES_AT_ONCE * LANES];
    const i64v nowhere = (i64v){0} + (int64_t)SPF_NOWHERE;
    const f64v none = (f64v){0} - 1;
    squares_front f = {.right = (u32v){0} + (uint32_t)node->sums.squares,
                       .score = {none, none},
                       .line = {nowhere, nowhere}};
    for (size_t k = 0; k < node->classes; k++)
        store(classes.sides + k * LANES, (u32v){0} + (node->class_total[k] << 16));
    for (size_t first = 0; first + 1 < node->rows; first += LINES_AT_ONCE) {
        size_t left = node->rows - 1 - first, lines = left < LINES_AT_ONCE ? left : LINES_AT_ONCE;
        const uint32_t *own = keys + first * LANES;
        move_classes(node, own, lines, mask, &classes, before);
        for (size_t i = 0; i < lines; i++)
            cut_squares(node, own + i * LANES, before + i * LANES, mask, (int64_t)(first + i), &f);
    }
    for (size_t c = 0; c < LANES; c++) {
        const size_t h = c / (LANES / 2), i = c % (LANES / 2);
        cuts[c] = (spf_lane_cut){(uint32_t)f.line[h][i], f.score[h][i], 1, f.tied[c] != 0};
    }
}
