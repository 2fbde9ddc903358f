/* The logarithms of smoothing and power minimise the log loss of the rows and a penalty that is
 * worth about one row, by Fisher's scoring: Newton's steps with the expected curvature, which is
 * never negative, damped where a step does not help (Levenberg 1944). A handful of steps is enough.
 */
#include "learn/outcome/trust_fit.h"

#include "base/portable_math.h"

#include <math.h>

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

static void add_row(objective *o, double weight, double power, const row_sums *s,
                    const true_class *truth) {
    double log = s->log / s->all, relative = s->relative / s->all;
    o->loss += weight * (spf_log(s->all) - power * truth->log);
    o->slope[SMOOTHING] += weight * power * (relative - truth->relative);
    o->slope[POWER] += weight * power * (log - truth->log);
    double squared = weight * power * power;
    o->curvature[0] += squared * (s->relative_relative / s->all - relative * relative);
    o->curvature[1] += squared * (s->log_relative / s->all - log * relative);
    o->curvature[2] += squared * (s->log_log / s->all - log * log);
}

static void add_penalty(objective *o, int which, double distance) {
    o->loss += stiffness[which] * distance * distance;
    o->slope[which] += 2 * stiffness[which] * distance;
    o->curvature[2 * which] += 2 * stiffness[which];
}

static objective judge(const spf_voted_rows *rows, point at) {
    objective o = {0};
    double smoothing = spf_exp(at.smoothing), power = spf_exp(at.power);
    for (size_t i = 0; i < rows->count; i++) {
        true_class truth = {0};
        row_sums s = sum_row(rows, &rows->row[i], smoothing, power, &truth);
        add_row(&o, rows->row[i].weight, power, &s, &truth);
    }
    add_penalty(&o, SMOOTHING, at.smoothing - spf_log(USUAL_SMOOTHING));
    add_penalty(&o, POWER, at.power - spf_log(USUAL_POWER));
    return o;
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

static point search(const spf_voted_rows *rows) {
    point best = {spf_log(USUAL_SMOOTHING), spf_log(USUAL_POWER)};
    objective here = judge(rows, best);
    double damping = 0x1p-6, enough = 1e-6 * (1 + (double)rows->count);
    for (int i = 0; i < STEPS; i++) {
        point next = step(best, &here, damping);
        objective there = judge(rows, next);
        double gain = here.loss - there.loss;
        damping *= gain > 0 ? 0x1p-3 : 0x1p4;
        if (gain > 0) {
            best = next;
            here = there;
        }
        if (fabs(gain) < enough) break;
    }
    return best;
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

void spf_trust_fit(const spf_voted_rows *rows, spf_trust *trust) {
    point found = search(rows);
    trust->smoothing = between(spf_exp(found.smoothing), SPF_SMOOTHING_LEAST, SPF_SMOOTHING_MOST);
    trust->power = between(spf_exp(found.power), SPF_POWER_LEAST, SPF_POWER_MOST);
    score(rows, trust);
}
