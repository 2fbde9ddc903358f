/* A sampler by itself: prepared once, then drawn from for node after node, as the grower does. */
#ifndef TEST_SAMPLING_H
#define TEST_SAMPLING_H

#include "data/dataset.h"
#include "learn/sampling/method.h"
#include "model/projection.h"

typedef struct sampling {
    spf_sampler_settings settings;
    sporf_sampler sampler;
    void *state;
    sporf_projections basis, drawn;
    sporf_view view;
    uint32_t *numbers; /* the rows of the view and their weights */
} sampling;

/* For all rows of data, each of weight 1; or, where data is NULL, for `features` features of which
 * no row may be looked at. A failure ends the test. */
sampling *sampling_start(sporf_params params, const sporf_dataset *data, size_t features);
void sampling_end(sampling *s);

/* Draws node number `node` into s->drawn. */
void sampling_draw(sampling *s, uint64_t node);

/* Projection `index` of the draw: its terms. */
static inline const uint32_t *sampled_features(const sampling *s, size_t index) {
    return s->drawn.feature + s->drawn.start[index];
}

static inline const float *sampled_weights(const sampling *s, size_t index) {
    return s->drawn.weight + s->drawn.start[index];
}

#endif
