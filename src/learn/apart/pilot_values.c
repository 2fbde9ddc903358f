/* Pilot forests of rows that are apart. */
#include "learn/apart/pilot_values.h"

#include "learn/settings/pilot_rows.h"

#include <stdlib.h>

void spf_pilot_values_free(spf_pilot_values *p) {
    free(p->rows);
    sporf_dataset_free(p->data);
    *p = (spf_pilot_values){0};
}

/* Outcomes and weights of the rows, without values yet. */
static sporf_status make_table(const spf_frame *frame, spf_pilot_values *p) {
    const sporf_dataset *all = frame->data;
    SPF_TRY(spf_dataset_create(p->count, all->features, &p->data));
    SPF_TRY(spf_schema_copy(&all->schema, &p->data->schema));
    p->data->selected = !spf_pilot_takes_all(all);
    return spf_select_outcomes(all, p->rows, p->data);
}

sporf_status spf_pilot_values_ask(const spf_frame *frame, spf_pilot_values *p, spf_writer *w) {
    SPF_TRY(spf_pilot_rows_choose(frame->data, frame->params.seed, &p->rows, &p->count));
    SPF_TRY(make_table(frame, p));
    SPF_TRY(spf_write_number(w, (uint32_t)p->count));
    return spf_write(w, p->rows, p->count * sizeof *p->rows);
}

sporf_status spf_pilot_values_hear(spf_pilot_values *p, spf_reader *answer) {
    uint32_t count;
    SPF_TRY(spf_read_number(answer, &count));
    if (count > p->count - p->heard) return spf_raise_message();
    for (size_t j = 0; j < p->data->features; j++)
        SPF_TRY(spf_read(answer, spf_dataset_column(p->data, j) + p->heard, count * sizeof(float)));
    p->heard += count;
    return SPORF_OK;
}

static sporf_status choose(const spf_pilot_values *p, const sporf_hooks *hooks,
                           spf_packed_training train, const spf_frame *frame,
                           sporf_params *chosen) {
    spf_settings settled, whole = {0};
    const spf_settings *usual = &frame->settings;
    const sporf_dataset *part = p->data;
    if (spf_pilot_takes_all(frame->data)) {
        SPF_TRY(spf_settings_create(p->data, &frame->settings.params, NULL, &whole));
        usual = &whole;
        part = NULL;
    }
    sporf_status status = spf_auto_settle_on(usual, part, &frame->params, hooks, train, &settled);
    if (status == SPORF_OK) *chosen = settled.params;
    spf_settings_free(&whole);
    return status;
}

sporf_status spf_pilot_values_settle(const spf_pilot_values *p, const sporf_hooks *hooks,
                                     spf_packed_training train, spf_frame *frame) {
    sporf_params chosen;
    if (p->heard != p->count) return spf_raise_message();
    for (size_t j = 0; j < p->data->features; j++)
        SPF_TRY(spf_frame_check_values(frame, j, p->data->columns[j], p->count));
    SPF_TRY(spf_dataset_check_values(p->data));
    SPF_TRY(choose(p, hooks, train, frame, &chosen));
    return spf_frame_choose(frame, &chosen);
}
