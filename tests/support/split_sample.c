/* Random nodes, and cuts counted row by row. */
#include "support/split_sample.h"

#include <float.h>

#include "support/check.h"

split_sample *split_sample_create(size_t rows, size_t classes, uint32_t heaviest) {
    split_sample *s = need(1, sizeof *s);
    s->rows_max = rows;
    s->classes_max = classes;
    s->label = need(rows, sizeof *s->label);
    s->weight = need(rows, sizeof *s->weight);
    s->tag = need(rows, sizeof *s->tag);
    s->pair = need(rows, sizeof *s->pair);
    s->class_total = need(classes, sizeof *s->class_total);
    assert_ok(spf_xlogx_create((uint64_t)rows * heaviest, &s->xlogx));
    assert_ok(spf_split_scratch_create(classes, &s->scratch));
    return s;
}

void split_sample_free(split_sample *s) {
    free(s->label);
    free(s->weight);
    free(s->tag);
    free(s->pair);
    free(s->class_total);
    spf_xlogx_free(&s->xlogx);
    spf_split_scratch_free(&s->scratch);
    free(s);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static unsigned bits_of(uint32_t number) {
    unsigned bits = 0;
    for (; number > 0; number /= 2) bits++;
    return bits;
}

/* Numbers the classes that occur in the order in which they do. */
static size_t number_classes(split_sample *s, size_t classes) {
    uint32_t *number = need(classes, sizeof *number);
    size_t count = 0;
    for (size_t i = 0; i < s->node.rows; i++) {
        uint32_t *known = &number[s->label[i]];
        if (*known == 0) *known = (uint32_t)++count;
        s->label[i] = *known - 1;
    }
    free(number);
    return count;
}

void split_sample_count(split_sample *s, size_t classes) {
    uint32_t heaviest = 0;
    s->node.classes = number_classes(s, classes);
    s->node.total = 0;
    memset(s->class_total, 0, s->classes_max * sizeof *s->class_total);
    for (size_t i = 0; i < s->node.rows; i++)
        if (s->weight[i] > heaviest) heaviest = s->weight[i];
    s->node.weight_bits = bits_of(heaviest);
    for (size_t i = 0; i < s->node.rows; i++) {
        s->tag[i] = s->label[i] << s->node.weight_bits | s->weight[i];
        s->pair[i] = (uint64_t)(s->label[i] == 1 ? s->weight[i] : 0) << 32 | s->weight[i];
        s->class_total[s->label[i]] += s->weight[i];
        s->node.total += s->weight[i];
    }
    s->node.tag = s->tag;
    s->node.pair = s->pair;
    s->node.class_total = s->class_total;
    s->node.xlogx = &s->xlogx;
    s->node.criterion->open(&s->node);
}

void split_sample_draw(split_sample *s, sporf_random *random, split_shape shape) {
    s->node.rows = shape.rows;
    for (size_t i = 0; i < shape.rows; i++) {
        s->label[i] = spf_random_below(random, (uint32_t)shape.classes);
        s->weight[i] = 1 + spf_random_below(random, shape.heaviest);
    }
    s->node.criterion = spf_criterion_of(spf_random_below(random, 2) ? SPORF_GINI : SPORF_ENTROPY);
    s->node.min_leaf = spf_random_below(random, 2) ? 1 : 1 + spf_random_below(random, 12);
    split_sample_count(s, shape.classes);
}

/* ---- values ---------------------------------------------------------------------------------- */

static float neighbour(sporf_random *random, float start, uint32_t most) {
    for (uint32_t steps = spf_random_below(random, most); steps > 0; steps--)
        start = nextafterf(start, FLT_MAX);
    return start;
}

static float draw_value(sporf_random *random, uint32_t kind) {
    static const float special[] = {0.0f,     -0.0f,     1e-45f, -1e-45f, 0x1p-148f,  -0x1p-148f,
                                    FLT_MIN,  -FLT_MIN,  1.0f,   -1.0f,   1e30f,      -1e30f,
                                    9.99e29f, -9.99e29f, 1e-30f, 0x1p24f, 0x1p24f + 2};
    static const float starts[] = {1.0f, -1.0f, 0x1p-149f, -0x3p-149f, 0x1.fffffcp-1f, 9.9e29f};
    switch (kind) {
    case 0:
        return (float)spf_random_below(random, 4);
    case 1:
        return (float)spf_random_normal(random);
    case 2:
        return special[spf_random_below(random, sizeof special / sizeof *special)];
    case 3: /* half of them one value, as in sparse tables */
        return spf_random_below(random, 2) ? 0 : (float)spf_random_normal(random);
    case 4: /* differences of bytes */
        return (float)spf_random_below(random, 256) - (float)spf_random_below(random, 256);
    case 5: /* some differ in the lowest byte alone, some do not */
        return neighbour(random, 1.0f, 700);
    default:
        return neighbour(random, starts[kind % (sizeof starts / sizeof *starts)], 6);
    }
}

void split_values_draw(sporf_random *random, uint32_t kind, float *values, size_t rows) {
    for (size_t i = 0; i < rows; i++) values[i] = draw_value(random, kind);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Sums over the classes of both children. */
typedef struct {
    uint64_t total[2], squares[2];
    double logs[2];
} children;

static double xlogx_at(const split_sample *s, uint64_t number) {
    return number < s->xlogx.size ? s->xlogx.table[number] : NAN;
}

/* What n rows of one class add to the criterion, in a node of that weight. */
static long double purity(const split_sample *s, uint64_t n, uint64_t weight) {
    long double share = (long double)n / (long double)weight;
    if (n == 0) return 0;
    return (long double)n *
           (s->node.criterion == spf_criterion_of(SPORF_GINI) ? share : logl(share));
}

static double score_of(const split_sample *s, const children *c, uint64_t ones_left) {
    double left = (double)c->total[0], right = (double)c->total[1];
    if (s->node.criterion == spf_criterion_of(SPORF_ENTROPY))
        return c->logs[0] - xlogx_at(s, c->total[0]) + c->logs[1] - xlogx_at(s, c->total[1]);
    if (s->node.classes != 2)
        return ((double)c->squares[0] * right + (double)c->squares[1] * left) / (left * right);
    double excess = (double)ones_left * (double)s->node.total - (double)s->class_total[1] * left;
    return excess * excess / (left * right);
}

split_truth split_sample_cut(const split_sample *s, const float *values, float a) {
    uint64_t *counts = need(2 * s->node.classes, sizeof *counts);
    children c = {0};
    split_truth truth = {0};
    for (size_t i = 0; i < s->node.rows; i++) {
        int side = values[i] > a;
        counts[2 * s->label[i] + (size_t)side] += s->weight[i];
        c.total[side] += s->weight[i];
    }
    for (size_t k = 0; k < s->node.classes; k++) {
        for (size_t side = 0; side < 2; side++) {
            uint64_t n = counts[2 * k + side];
            c.squares[side] += n * n;
            c.logs[side] += xlogx_at(s, n);
            truth.gain += purity(s, n, c.total[side]);
        }
        truth.gain -= purity(s, s->class_total[k], s->node.total);
    }
    truth.left = c.total[0];
    truth.right = c.total[1];
    truth.score = score_of(s, &c, s->node.classes > 1 ? counts[2] : 0);
    free(counts);
    return truth;
}

double split_sample_gain(const split_sample *s, double score) {
    long double parent = 0;
    if (spf_split_is_pair(&s->node)) return 2 * score / (double)s->node.total;
    for (size_t k = 0; k < s->node.classes; k++)
        parent += purity(s, s->class_total[k], s->node.total);
    return (double)((long double)score - parent);
}
