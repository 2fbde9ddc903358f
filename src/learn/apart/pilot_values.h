/* The rows that pilot forests are grown on, gathered from all shards. */
#ifndef SPF_LEARN_APART_PILOT_VALUES_H
#define SPF_LEARN_APART_PILOT_VALUES_H

#include "learn/apart/frame.h"
#include "learn/settings/auto_settings.h"

typedef struct spf_pilot_values {
    uint32_t *rows; /* [count] */
    size_t count, heard;
    sporf_dataset *data;
} spf_pilot_values;

/* Draws the rows and appends the question about their values. */
sporf_status spf_pilot_values_ask(const spf_frame *frame, spf_pilot_values *pilot,
                                  spf_writer *question);
void spf_pilot_values_free(spf_pilot_values *pilot);

/* The answers of the shards, in the order of their rows. */
sporf_status spf_pilot_values_hear(spf_pilot_values *pilot, spf_reader *answer);

/* Chooses the settings that are auto, and settles the frame with them. */
sporf_status spf_pilot_values_settle(const spf_pilot_values *pilot, const sporf_hooks *hooks,
                                     spf_packed_training train, spf_frame *frame);

#endif
