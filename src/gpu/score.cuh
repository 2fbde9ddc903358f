/* The scores of cuts, with the arithmetic of learn/splitting. */
#ifndef SPF_GPU_SCORE_CUH
#define SPF_GPU_SCORE_CUH

#include "level.cuh"

#include <math.h>

/* Sums over the classes of the left side: see spf_sums. */
template <typename W> struct gpu_sums_in {
    typedef W number;
    W weight, squares, cross;
    double xlogx_left, xlogx_right;
};
using gpu_sums = gpu_sums_in<uint64_t>;

/* What the score of a node's cuts needs of the node. */
struct gpu_scored {
    uint64_t total;
    uint64_t squares; /* of all classes */
    uint64_t ones;    /* of a pair: the weight of its last class */
    uint32_t one;     /* of a pair: that class */
    uint32_t least;   /* least weight of a child */
    int pair;
    uint32_t classes;
    const uint32_t *totals; /* [classes] */
};

/* The logarithm of base/portable_math.h, with the same bits. */
static __device__ double log_of(double x) {
    const double ln2 = 0.69314718055994530942;
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcdu;
    uint64_t bits;
    double m;
    memcpy(&bits, &x, sizeof bits);
    int64_t exponent = (int64_t)(bits - sqrt_half) >> 52;
    bits -= (uint64_t)exponent << 52;
    memcpy(&m, &bits, sizeof m);
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return (double)exponent * ln2 + 2 * s * sum;
}

/* See spf_xlogx_at. */
static __device__ double xlogx_at(const gpu_rules &rules, uint64_t number) {
    if (number < rules.xlogx_size) return rules.xlogx[number];
    return rint((double)number * log_of((double)number) / rules.xlogx_unit) * rules.xlogx_unit;
}

/* `totals` are those of all classes, or of the node's own. */
static __device__ __forceinline__ gpu_scored scored_of(const gpu_rules &rules, const gpu_node &node,
                                                       const uint32_t *totals, uint32_t classes) {
    gpu_scored s = {node.total, 0, 0, 0, node.least_units, is_pair(rules, node), classes, totals};
    for (uint32_t k = 0; k < classes; k++) {
        s.squares += (uint64_t)totals[k] * totals[k];
        if (totals[k] > 0) s.one = k;
    }
    s.ones = totals[s.one];
    return s;
}

/* The classes of a node that a block takes, numbered within the node. There are up to 32. */
struct gpu_own_classes {
    uint32_t mask;
    uint32_t totals[32];
};

static __device__ __forceinline__ void
number_classes(const gpu_rules &rules, const uint32_t *totals, gpu_own_classes *own) {
    if (threadIdx.x == 0) {
        uint32_t mask = 0, count = 0;
        for (uint32_t k = 0; k < rules.classes; k++) {
            if (totals[k] == 0) continue;
            mask |= 1u << k;
            own->totals[count++] = totals[k];
        }
        own->mask = mask;
    }
    __syncthreads();
}

static __device__ __forceinline__ uint32_t own_class(uint32_t mask, uint32_t class_number) {
    return (uint32_t)__popc(mask & ((1u << class_number) - 1));
}

template <typename W = uint64_t>
static __device__ __forceinline__ gpu_sums_in<W> sums_start(const gpu_rules &rules,
                                                            const gpu_scored &s) {
    gpu_sums_in<W> sums = {0, 0, 0, 0, 0};
    if (rules.entropy)
        for (uint32_t k = 0; k < s.classes; k++) sums.xlogx_right += xlogx_at(rules, s.totals[k]);
    return sums;
}

/* Moves `weight` of class k, of which `left` is already on the left. In a pair, squares has the
 * weight of its last class. */
template <typename W>
static __device__ __forceinline__ void
sums_move(const gpu_rules &rules, const gpu_scored &s, gpu_sums_in<W> *sums, uint32_t k,
          typename gpu_sums_in<W>::number left, typename gpu_sums_in<W>::number weight) {
    sums->weight += weight;
    if (s.pair) {
        sums->squares += k == s.one ? weight : 0;
    } else if (rules.entropy) {
        W right = s.totals[k] - left;
        sums->xlogx_left += xlogx_at(rules, left + weight) - xlogx_at(rules, left);
        sums->xlogx_right -= xlogx_at(rules, right) - xlogx_at(rules, right - weight);
    } else {
        sums->squares += weight * (2 * left + weight);
        sums->cross += weight * s.totals[k];
    }
}

static __device__ __forceinline__ int leaves_allow(const gpu_scored &s, uint64_t left) {
    return left >= s.least && s.total - left >= s.least;
}

static __device__ __forceinline__ double score_of(const gpu_rules &rules, const gpu_scored &s,
                                                  const gpu_sums &sums) {
    if (s.pair) {
        double excess = (double)((int64_t)sums.squares * (int64_t)s.total -
                                 (int64_t)s.ones * (int64_t)sums.weight);
        double weight = (double)sums.weight;
        return excess * excess / (weight * ((double)s.total - weight));
    }
    if (rules.entropy)
        return (sums.xlogx_left - xlogx_at(rules, sums.weight)) +
               (sums.xlogx_right - xlogx_at(rules, s.total - sums.weight));
    uint64_t right = s.squares - 2 * sums.cross + sums.squares;
    double left_weight = (double)sums.weight, right_weight = (double)(s.total - sums.weight);
    return ((double)sums.squares * right_weight + (double)right * left_weight) /
           (left_weight * right_weight);
}

/* 0 if a bound that costs no division shows that the score cannot exceed `best`: see
 * spf_gini_may_exceed. */
static __device__ __forceinline__ int may_exceed(const gpu_rules &rules, const gpu_scored &s,
                                                 const gpu_sums &sums, double best) {
    double left = (double)sums.weight, right = (double)(s.total - sums.weight), top;
    if (rules.entropy) return 1;
    if (s.pair) {
        double excess = (double)((int64_t)sums.squares * (int64_t)s.total -
                                 (int64_t)s.ones * (int64_t)sums.weight);
        top = excess * excess;
    } else {
        uint64_t squares_right = s.squares - 2 * sums.cross + sums.squares;
        top = (double)sums.squares * right + (double)squares_right * left;
    }
    return top >= best * (left * right) * (1 - 0x1p-50);
}

/* Replaces *best by a cut with a higher score. */
static __device__ __forceinline__ int improves(const gpu_rules &rules, const gpu_scored &s,
                                               const gpu_sums &sums, int found, double *best) {
    if (found && !may_exceed(rules, s, sums, *best)) return 0;
    double score = score_of(rules, s, sums);
    if (found && !(score > *best)) return 0;
    *best = score;
    return 1;
}

/* Bounds of a score in single precision, which cost no division of doubles. */
struct gpu_bounds {
    float least, most;
};

/* `left` and `ones`, the weights on the left of both classes and of the last, are of a pair. */
static __device__ __forceinline__ gpu_bounds bounds_of_pair(const gpu_scored &s, uint32_t left,
                                                            uint32_t ones) {
    const float rounding = 1e-6f, slack = 1e-5f;
    float below = (float)left, above = (float)((uint32_t)s.total - left);
    float a = (float)ones * (float)(uint32_t)s.total, b = (float)(uint32_t)s.ones * below;
    float excess = fabsf(a - b), error = (a + b) * rounding, per = __fdividef(1, below * above);
    float low = excess > error ? excess - error : 0, high = excess + error;
    gpu_bounds bounds = {low * low * per * (1 - slack), high * high * per * (1 + slack)};
    return bounds;
}

template <typename W>
static __device__ __forceinline__ gpu_bounds bounds_of(const gpu_rules &rules, const gpu_scored &s,
                                                       const gpu_sums_in<W> &sums) {
    const float slack = 1e-5f;
    const float left = (float)sums.weight, right = (float)(W)(s.total - sums.weight);
    if (rules.entropy) {
        gpu_bounds none = {-INFINITY, INFINITY};
        return none;
    }
    if (s.pair) return bounds_of_pair(s, (uint32_t)sums.weight, (uint32_t)sums.squares);
    float squares_right = (float)(W)(s.squares - 2 * sums.cross + sums.squares);
    float score = (float)sums.squares / left + squares_right / right;
    gpu_bounds bounds = {score * (1 - slack), score * (1 + slack)};
    return bounds;
}

/* The midpoint of a < b, but never b itself: see spf_threshold_between. */
static __device__ __forceinline__ float threshold_between(float a, float b) {
    float middle = (float)(((double)a + (double)b) * 0.5);
    return middle < b ? middle : a;
}

#endif
