/* The lowest values are kept in a heap with the largest on top, which is removed once the others
 * suffice. Most values are above it and cost one comparison. */
#include "learn/splitting/ends.h"

static void sift_up(spf_end *heap, size_t at) {
    spf_end end = heap[at];
    for (; at > 0 && heap[(at - 1) / 2].value < end.value; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = end;
}

/* Removes the top and returns the number left. */
static size_t pop(spf_end *heap, size_t count) {
    spf_end end = heap[--count];
    size_t at = 0, child = 1;
    for (; child < count; at = child, child = 2 * at + 1) {
        child += child + 1 < count && heap[child].value < heap[child + 1].value;
        if (!(end.value < heap[child].value)) break;
        heap[at] = heap[child];
    }
    heap[at] = end;
    return count;
}

size_t spf_ends_hold(const float *values, float sign, const uint32_t *draws, size_t count,
                     uint32_t least, spf_end *heap) {
    uint64_t sum = 0;
    size_t held = 0;
    for (size_t i = 0; i < count; i++) {
        float value = sign * values[i];
        if (sum >= least && value >= heap[0].value) continue;
        heap[held] = (spf_end){value, draws[i]};
        sift_up(heap, held++);
        sum += draws[i];
        while (sum - heap[0].draws >= least) {
            sum -= heap[0].draws;
            held = pop(heap, held);
        }
    }
    return held;
}

/* The smallest of the values, times a sign, such that at least `least` draws do not exceed it. */
static float end_of(const float *values, float sign, const uint32_t *draws, size_t count,
                    uint32_t least, spf_end *heap) {
    spf_ends_hold(values, sign, draws, count, least, heap);
    return sign * heap[0].value;
}

void spf_ends_clamp(float *values, size_t count, float low, float high) {
    for (size_t i = 0; i < count; i++) {
        float value = values[i] < low ? low : values[i];
        values[i] = value > high ? high : value;
    }
}

int spf_ends_close(float *values, const uint32_t *draws, size_t count, uint32_t least,
                   spf_end *heap) {
    float low = end_of(values, 1, draws, count, least, heap);
    float high = end_of(values, -1, draws, count, least, heap);
    if (!(low < high)) return 0;
    spf_ends_clamp(values, count, low, high);
    return 1;
}
