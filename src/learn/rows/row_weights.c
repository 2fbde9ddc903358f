/* For counts the unit is the largest power of two, up to 1, of which all weights are multiples; if
 * that gives too many units, it is the smallest power that does not, and weights are rounded to it.
 * So integers are kept exactly, and so are halves and quarters. With n rows of similar weight, a
 * row has about 2^30 / n units or more: rounding changes it by less than one in 2^12 up to 5 x 10^5
 * rows.
 *
 * For relative weights the unit is the smallest weight, or a small part of it, if all weights are
 * multiples of that in single precision; otherwise a 256th of it or, if that gives too many units,
 * as small as possible. So multiplying all weights by a number changes nothing. Fewer units are
 * faster to search. */
#include "learn/rows/row_weights.h"

#include "base/text.h"
#include "data/weights.h"

#include <math.h>
#include <stdlib.h>

enum {
    UNITS_MAX = INT32_MAX,
    TAG_BITS = 32,
    RELATIVE_MAX = 1 << 27, /* units of all rows, since a bag may hold each several times */
    PARTS_MOST = 16,        /* parts of the smallest weight that are tried as units */
    FINE_PARTS = 256,       /* parts if none of these fits */
    DRAWS_MOST = 15,        /* of one row; more have a probability below 10^-13 */
};

typedef struct {
    const sporf_dataset *data;
    spf_row_classes classes;
    double *factors;                 /* of classes; NULL: all 1 */
    double total, largest, smallest; /* above 0 */
    size_t rows;                     /* rows with positive weight */
    double room;                     /* limit of a row's units: the rest of its tag is its class */
} measures;

static double weight_of(const measures *m, size_t row) {
    double weight = spf_weight_of(m->data, row);
    return m->factors ? weight * m->factors[m->classes.label[row]] : weight;
}

static sporf_status measure(measures *m) {
    const uint32_t *label = m->classes.label;
    size_t first = SIZE_MAX, classes = m->classes.count;
    int several = 0;
    for (size_t i = 0; i < m->data->rows; i++) {
        double weight = weight_of(m, i);
        if (!(weight > 0)) continue;
        m->total += weight;
        m->largest = fmax(m->largest, weight);
        m->smallest = m->rows == 0 ? weight : fmin(m->smallest, weight);
        m->rows++;
        if (!label) continue;
        if (first == SIZE_MAX) first = label[i];
        several |= label[i] != first;
    }
    m->room = ldexp(1, TAG_BITS);
    for (; classes > 1; classes = (classes + 1) / 2) m->room /= 2;
    if (m->rows == 0)
        return spf_raise(SPORF_ERROR_DATA, "all weights are 0: no row is left to learn from");
    if (several || !label) return SPORF_OK;
    char shown[SPF_NAME_TEXT_MAX];
    return spf_raise(SPORF_ERROR_DATA,
                     "only the class '%s' has rows of weight above 0; training needs two classes",
                     spf_name_text(spf_strings_at(&m->data->schema.classes, first), shown));
}

/* ---- counts ---------------------------------------------------------------------------------- */

static int are_whole(const measures *m, double scale) {
    for (size_t i = 0; i < m->data->rows; i++) {
        double scaled = scale * weight_of(m, i);
        if (scaled != floor(scaled)) return 0;
    }
    return 1;
}

/* Rounding adds up to one unit per row. */
static int fits(const measures *m, double scale, int rounded) {
    double more = rounded ? (double)m->rows : 0;
    return scale * m->total + more <= UNITS_MAX && scale * m->largest + rounded < m->room;
}

static sporf_status raise_too_heavy(const measures *m) {
    if (m->total + (double)m->rows > UNITS_MAX)
        return spf_raise(SPORF_ERROR_DATA,
                         "the weights of the rows, times those of their classes, add up to %.10g, "
                         "which is too much (rows may count %d times in all)" SPF_HINT
                         "divide all weights by a constant",
                         m->total, (int)UNITS_MAX);
    return spf_raise(
        SPORF_ERROR_DATA,
        "a row weighs %.10g, but with %zu classes its weight must be below %.0f" SPF_HINT
        "divide all weights by a constant",
        m->largest, m->classes.count, m->room);
}

/* Finds the unit: 2^-exponent. */
static sporf_status choose_unit(const measures *m, spf_row_weights *w) {
    w->whole = m->total <= UNITS_MAX && are_whole(m, 1);
    if (!fits(m, 1, !w->whole)) return raise_too_heavy(m);
    if (w->whole) return SPORF_OK;
    int exponent = 1;
    for (; fits(m, ldexp(1, exponent), 1); exponent++)
        if (are_whole(m, ldexp(1, exponent))) {
            w->exponent = exponent;
            return SPORF_OK;
        }
    w->exponent = exponent - 1;
    return SPORF_OK;
}

static sporf_status fill_counts(const measures *m, spf_row_weights *w) {
    double scale = ldexp(1, w->exponent);
    if (w->whole && m->largest == 1 && m->rows == m->data->rows) {
        w->total = m->rows; /* as without weights */
        return SPORF_OK;
    }
    w->units = spf_alloc(m->data->rows, sizeof *w->units);
    if (!w->units) return spf_raise_memory();
    for (size_t i = 0; i < m->data->rows; i++) {
        double weight = weight_of(m, i);
        w->units[i] = weight > 0 ? (uint32_t)fmax(1, floor(scale * weight + 0.5)) : 0;
        w->total += w->units[i];
    }
    return SPORF_OK;
}

/* ---- relative weights ------------------------------------------------------------------------ */

/* Whether all weights are multiples of a part of the smallest, up to rounding. */
static int are_multiples(const measures *m, double parts) {
    const double rounding = 0x1p-22;
    for (size_t i = 0; i < m->data->rows; i++) {
        double scaled = weight_of(m, i) / m->smallest * parts;
        if (fabs(scaled - floor(scaled + 0.5)) > rounding * scaled) return 0;
    }
    return 1;
}

/* Units in the smallest weight: these few have small sums, which are exact. */
static double exact_parts(const measures *m, double most) {
    for (double parts = 1; parts <= PARTS_MOST && parts <= most; parts++)
        if (are_multiples(m, parts)) return parts;
    return 0;
}

/* The units of the largest weight. */
static double choose_largest(const measures *m) {
    double of_all = RELATIVE_MAX - fmin(0.5 * RELATIVE_MAX, (double)m->rows); /* for rounding */
    double most = fmin(of_all / (m->total / m->largest), m->room / DRAWS_MOST - 1);
    double ratio = m->largest / m->smallest, parts = exact_parts(m, most / ratio);
    return parts > 0 ? parts * ratio : fmin(most, FINE_PARTS * ratio);
}

static sporf_status fill_relative(const measures *m, spf_row_weights *w) {
    if (!isfinite(m->total)) return raise_too_heavy(m);
    w->whole = 1; /* rows are counted */
    w->largest = (uint32_t)fmax(1, floor(choose_largest(m) + 0.5));
    if (w->largest == 1 && m->rows == m->data->rows) {
        w->total = m->rows;
        return SPORF_OK;
    }
    w->units = spf_alloc(m->data->rows, sizeof *w->units);
    if (!w->units) return spf_raise_memory();
    for (size_t i = 0; i < m->data->rows; i++) {
        double weight = weight_of(m, i), units = weight / m->largest * w->largest;
        w->units[i] = weight > 0 ? (uint32_t)fmax(1, floor(units + 0.5)) : 0;
        w->total += w->units[i];
    }
    w->relative = w->largest > 1;
    w->most = (uint32_t)fmin(UNITS_MAX / (double)w->total, (m->room - 1) / w->largest);
    return SPORF_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

static sporf_status make_units(const measures *m, spf_row_weights *w) {
    w->rows = m->rows;
    if (!w->counts) return fill_relative(m, w);
    SPF_TRY(choose_unit(m, w));
    return fill_counts(m, w);
}

sporf_status spf_row_weights_create(const sporf_dataset *data, spf_row_classes classes,
                                    const char *class_weights, sporf_weight_is is,
                                    spf_row_weights *weights) {
    measures m = {.data = data, .classes = classes};
    sporf_status status = SPORF_OK;
    int counts = is == SPORF_WEIGHT_COUNT;
    *weights =
        (spf_row_weights){.rows = data->rows, .total = data->rows, .whole = 1, .counts = counts};
    if (!data->weights && !class_weights) return SPORF_OK;
    if (class_weights && !classes.label)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "class weights are for classification, but the data have no classes");
    *weights = (spf_row_weights){.counts = counts};
    if (data->weights) SPF_TRY(spf_weights_check(data->weights, data->rows));
    if (class_weights) {
        m.factors = spf_alloc(classes.count, sizeof *m.factors);
        status =
            m.factors ? spf_class_weights_read(class_weights, data, m.factors) : spf_raise_memory();
    }
    if (status == SPORF_OK) status = measure(&m);
    if (status == SPORF_OK) status = make_units(&m, weights);
    free(m.factors);
    return status;
}

void spf_row_weights_free(spf_row_weights *weights) {
    free(weights->units);
    *weights = (spf_row_weights){0};
}

double spf_row_weights_bytes(const spf_row_weights *weights, double rows) {
    return weights->units ? spf_alloc_bytes(rows, sizeof *weights->units) : 0;
}
