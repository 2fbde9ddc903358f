/* The logarithms of smoothing and power minimise the log loss of the rows and a penalty that is
 * worth about one row, by Fisher's scoring: Newton's steps with the expected curvature, which is
 * never negative, damped where a step does not help (Levenberg 1944). A handful of steps is enough.
 */
#include "learn/outcome/trust_fit.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/portable_math.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 40, SMOOTHING = 0, POWER = 1 };

/* The penalty: squared distances from these, of the logarithm of the smoothing by one eighth. */
#define USUAL_SMOOTHING 0x1p-5
#define USUAL_POWER 1.0
static const double stiffness[2] = {0.125, 1};

typedef struct {
    double loss, slope[2], curvature[3]; /* those of both parameters are the first and the last */
} objective;

typedef struct {
    double smoothing, power; /* logarithms */
} point;

/* ---- one row --------------------------------------------------------------------------------- */

/* Sums over the classes of a row, weighted by their probabilities. */
typedef struct {
    double all, squares;
    double log, relative; /* the logarithm of a share; its slope by that of the smoothing */
    double log_log, log_relative, relative_relative;
} row_sums;

static inline void add_classes(row_sums *s, double classes, double weight, double log,
                               double relative) {
    double share = classes * weight;
    s->all += share;
    s->squares += share * weight;
    s->log += share * log;
    s->relative += share * relative;
    s->log_log += share * log * log;
    s->log_relative += share * log * relative;
    s->relative_relative += share * relative * relative;
}

typedef struct {
    double log, relative, weight; /* of the true class */
} true_class;

static row_sums sum_row(const spf_voted_rows *rows, const spf_voted_row *row, double smoothing,
                        double power, true_class *truth) {
    row_sums s = {0};
    double each = 1 / (double)row->trees, extra = SPF_TRUST_EXTRA * each + smoothing;
    for (size_t i = row->start; i < row[1].start; i++) {
        double share = rows->votes[i] * each + extra, log = spf_log(share);
        double weight = spf_exp(power * log), relative = smoothing / share;
        if (i == row->start) *truth = (true_class){log, relative, weight};
        add_classes(&s, 1, weight, log, relative);
    }
    if (row->none == 0) return s;
    double log = spf_log(extra);
    add_classes(&s, row->none, spf_exp(power * log), log, smoothing / extra);
    return s;
}

/* ---- all rows -------------------------------------------------------------------------------- */

static objective judge_row(double weight, double power, const row_sums *s,
                           const true_class *truth) {
    double log = s->log / s->all, relative = s->relative / s->all;
    double squared = weight * power * power;
    return (objective){
        .loss = weight * (spf_log(s->all) - power * truth->log),
        .slope = {[SMOOTHING] = weight * power * (relative - truth->relative),
                  [POWER] = weight * power * (log - truth->log)},
        .curvature = {squared * (s->relative_relative / s->all - relative * relative),
                      squared * (s->log_relative / s->all - log * relative),
                      squared * (s->log_log / s->all - log * log)}};
}

static void add(objective *o, const objective *row) {
    o->loss += row->loss;
    for (int i = 0; i < 2; i++) o->slope[i] += row->slope[i];
    for (int i = 0; i < 3; i++) o->curvature[i] += row->curvature[i];
}

static void add_penalty(objective *o, int which, double distance) {
    o->loss += stiffness[which] * distance * distance;
    o->slope[which] += 2 * stiffness[which] * distance;
    o->curvature[2 * which] += 2 * stiffness[which];
}

enum { BLOCK = 1 << 9 };

/* Threads judge blocks of rows; the sum is in the order of the rows, whatever their number. */
typedef struct {
    const spf_voted_rows *rows;
    unsigned threads;
    objective *of_row; /* [rows] */
    double smoothing, power;
} judging;

static sporf_status judge_block(void *context, size_t block, unsigned worker) {
    (void)worker;
    judging *j = context;
    const spf_voted_rows *rows = j->rows;
    size_t begin = block * BLOCK, end = begin + BLOCK < rows->count ? begin + BLOCK : rows->count;
    for (size_t i = begin; i < end; i++) {
        true_class truth = {0};
        row_sums s = sum_row(rows, &rows->row[i], j->smoothing, j->power, &truth);
        j->of_row[i] = judge_row(rows->row[i].weight, j->power, &s, &truth);
    }
    return SPORF_OK;
}

static sporf_status judge(judging *j, point at, objective *out) {
    objective o = {0};
    j->smoothing = spf_exp(at.smoothing);
    j->power = spf_exp(at.power);
    SPF_TRY(spf_parallel((j->rows->count + BLOCK - 1) / BLOCK, j->threads, judge_block, j));
    for (size_t i = 0; i < j->rows->count; i++) add(&o, &j->of_row[i]);
    add_penalty(&o, SMOOTHING, at.smoothing - spf_log(USUAL_SMOOTHING));
    add_penalty(&o, POWER, at.power - spf_log(USUAL_POWER));
    *out = o;
    return SPORF_OK;
}

/* ---- the search ------------------------------------------------------------------------------ */

static double between(double value, double least, double most) {
    return fmin(fmax(value, least), most);
}

/* A damped step, within the limits. */
static point step(point at, const objective *o, double damping) {
    double a = o->curvature[0] + damping, b = o->curvature[1], c = o->curvature[2] + damping;
    double determinant = a * c - b * b;
    double smoothing = (c * o->slope[SMOOTHING] - b * o->slope[POWER]) / determinant;
    double power = (a * o->slope[POWER] - b * o->slope[SMOOTHING]) / determinant;
    return (point){between(at.smoothing - smoothing, spf_log(SPF_SMOOTHING_LEAST),
                           spf_log(SPF_SMOOTHING_MOST)),
                   between(at.power - power, spf_log(SPF_POWER_LEAST), spf_log(SPF_POWER_MOST))};
}

static sporf_status search(judging *j, point *found) {
    point best = {spf_log(USUAL_SMOOTHING), spf_log(USUAL_POWER)};
    objective here, there;
    SPF_TRY(judge(j, best, &here));
    double damping = 0x1p-6, enough = 1e-6 * (1 + (double)j->rows->count);
    for (int i = 0; i < STEPS; i++) {
        point next = step(best, &here, damping);
        SPF_TRY(judge(j, next, &there));
        double gain = here.loss - there.loss;
        damping *= gain > 0 ? 0x1p-3 : 0x1p4;
        if (gain > 0) {
            best = next;
            here = there;
        }
        if (fabs(gain) < enough) break;
    }
    *found = best;
    return SPORF_OK;
}

/* Log loss and Brier score of the rows, as probabilities now are. */
static void score(const spf_voted_rows *rows, spf_trust *trust) {
    double all = 0, loss = 0, brier = 0;
    for (size_t i = 0; i < rows->count; i++) {
        true_class truth = {0};
        row_sums s = sum_row(rows, &rows->row[i], trust->smoothing, trust->power, &truth);
        double right = truth.weight / s.all, weight = rows->row[i].weight;
        all += weight;
        loss -= weight * spf_log(right);
        brier += weight * (1 - 2 * right + s.squares / (s.all * s.all));
    }
    trust->log_loss = fmax(0, loss / all);
    trust->brier = between(brier / all, 0, 2);
}

double spf_trust_fit_bytes(double rows) {
    return spf_alloc_bytes(rows, sizeof(objective));
}

sporf_status spf_trust_fit(const spf_voted_rows *rows, unsigned threads, spf_trust *trust) {
    judging j = {.rows = rows, .threads = threads};
    point found = {0, 0};
    j.of_row = spf_alloc(rows->count, sizeof *j.of_row);
    sporf_status status = j.of_row ? search(&j, &found) : spf_raise_memory();
    free(j.of_row);
    if (status != SPORF_OK) return status;
    trust->smoothing = between(spf_exp(found.smoothing), SPF_SMOOTHING_LEAST, SPF_SMOOTHING_MOST);
    trust->power = between(spf_exp(found.power), SPF_POWER_LEAST, SPF_POWER_MOST);
    score(rows, trust);
    return SPORF_OK;
}
