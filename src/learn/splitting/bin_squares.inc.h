/* The walk through bins that count classes, by Gini, four classes at a time: more lanes would be
 * empty with few classes. Sums are below 2^32. */

/* The sums of neighbours: a[0] + a[1], a[2] + a[3], and those of b. */
INLINE u32x4 add_neighbours(u32x4 a, u32x4 b) {
    return SPF_SHUFFLE(a, b, 0, 2, 4, 6) + SPF_SHUFFLE(a, b, 1, 3, 5, 7);
}

/* Lists the slots that are not empty, and their weights, without a branch that is hard to predict;
 * returns their number. Slots are read four at a time. */
INLINE uint32_t list_slots(const uint32_t *counts, uint32_t slots, uint16_t *slot, uint32_t *weight,
                           const size_t vectors) {
    uint32_t listed = 0;
    for (uint32_t first = 0; first < slots; first += 4) {
        u32x4 all[4] = {{0}}, next;
        for (size_t i = 0; i < 4; i++)
            for (size_t v = 0; v < vectors; v++, counts += 4) {
                memcpy(&next, counts, sizeof next);
                all[i] += next;
            }
        u32x4 weights =
            add_neighbours(add_neighbours(all[0], all[1]), add_neighbours(all[2], all[3]));
        for (uint32_t i = 0; i < 4; i++) {
            slot[listed] = (uint16_t)(first + i);
            weight[listed] = weights[i];
            listed += (weights[i] > 0) & (first + i < slots);
        }
    }
    return listed;
}

/* `vectors` is a compile-time constant. */
INLINE void walk_vectors(spf_bin_walk *walk, const size_t vectors) {
    const spf_split_node *node = walk->node;
    const uint32_t *counts = walk->histogram->counts;
    u32x4 left[SPF_COUNTED_VECTORS], totals[SPF_COUNTED_VECTORS], bin;
    uint32_t padded[4 * SPF_COUNTED_VECTORS] = {0}, weight[SPF_VALUES_MAX + 5];
    uint16_t slot[SPF_VALUES_MAX + 5];
    uint32_t listed = list_slots(counts, walk->histogram->bins.count + 1, slot, weight, vectors);
    spf_sums sums = {0};
    memcpy(padded, node->class_total, node->classes * sizeof *padded);
    for (size_t v = 0; v < vectors; v++) {
        memcpy(&totals[v], padded + 4 * v, sizeof *totals);
        left[v] = (u32x4){0};
    }
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t *own = counts + slot[i] * 4 * vectors;
        u32x4 squares = {0}, cross = {0};
        spf_walk_try(walk, &sums, slot[i], &spf_gini_narrow_rules);
        for (size_t v = 0; v < vectors; v++) {
            memcpy(&bin, own + 4 * v, sizeof bin);
            left[v] += bin;
            squares += left[v] * left[v];
            cross += left[v] * totals[v];
        }
        u32x4 pairs = add_neighbours(squares, cross);
        sums.squares = pairs[0] + pairs[1];
        sums.cross = pairs[2] + pairs[3];
        sums.weight += weight[i];
        if (slot[i] > 0) spf_walk_leave(walk, slot[i] - 1u, weight[i]);
    }
}

static void walk_squares(spf_bin_walk *walk) {
    size_t vectors = walk->histogram->width / 4;
    if (vectors == 1)
        walk_vectors(walk, 1);
    else if (vectors == 2)
        walk_vectors(walk, 2);
    else if (vectors == 3)
        walk_vectors(walk, 3);
    else
        walk_vectors(walk, vectors);
}
