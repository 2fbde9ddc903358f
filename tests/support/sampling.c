/* A sampler by itself. */
#include "support/sampling.h"

#include "support/check.h"

static void show_rows(sampling *s, const sporf_dataset *data) {
    s->numbers = need(2 * data->rows, sizeof *s->numbers);
    for (size_t i = 0; i < data->rows; i++) {
        s->numbers[i] = (uint32_t)i;
        s->numbers[data->rows + i] = 1;
    }
    s->view.columns = data->columns;
    s->view.rows = data->rows;
    s->view.row = s->numbers;
    s->view.weight = s->numbers + data->rows;
    s->view.label = data->labels;
    s->view.classes = data->schema.classes.count;
}

sampling *sampling_start(sporf_params params, const sporf_dataset *data, size_t features) {
    sampling *s = need(1, sizeof *s);
    s->view.features = data ? data->features : features;
    if (data) show_rows(s, data);
    assert_ok(spf_method_resolve(&params, s->view.features, s->view.features, &s->settings));
    s->sampler = spf_method_sampler(spf_method_of(params.method), &s->settings);
    sporf_random random = spf_random_start(1, 1, SPF_USE_PREPARE);
    s->basis.features = s->drawn.features = s->view.features;
    assert_ok(s->sampler.prepare(s->sampler.payload, &s->view, &random, &s->basis, &s->state));
    return s;
}

void sampling_end(sampling *s) {
    s->sampler.finish(s->sampler.payload, s->state);
    spf_projections_free(&s->basis);
    spf_projections_free(&s->drawn);
    free(s->numbers);
    free(s);
}

void sampling_draw(sampling *s, uint64_t node) {
    sporf_random random = spf_random_start(2, node, SPF_USE_DRAW);
    spf_projections_clear(&s->drawn);
    assert_ok(s->sampler.draw(s->sampler.payload, s->state, &s->view, &random, &s->drawn));
}
