/* What every machine knows of a training whose rows are apart: outcomes and weights of all rows,
 * names of the columns, and settings; then what all shards together found out about the columns. */
#ifndef SPF_LEARN_APART_FRAME_H
#define SPF_LEARN_APART_FRAME_H

#include "learn/apart/message.h"
#include "learn/growing/plan.h"
#include "learn/settings/settings.h"

/* What is settled once the columns are known: the settings that depend on them, and the numbers
 * that the plan needs. */
typedef struct spf_settled {
    sporf_amount projections, density;
    double bag_fraction;
    uint32_t min_leaf, bag, scale_kind;
    uint8_t has_missing, whole;
    uint8_t has_scale, has_fill; /* whether there are arrays */
} spf_settled;

typedef struct spf_frame {
    sporf_dataset *data;        /* all rows, without values */
    uint64_t training;          /* a checksum of outcomes and settings */
    sporf_params params;        /* as given */
    char *class_weights, *cost; /* of the params */
    spf_settings usual;         /* with these, and the scale as far as it is given */
    int is_settled;             /* the rest is there */
    spf_settled settled;
    float *scale, *fill; /* [features], or NULL */
    spf_settings settings;
    spf_plan plan; /* without a table */
} spf_frame;

/* `outcomes` has the labels and weights of all rows, which are borrowed, and need not have columns;
 * `like` has the columns, and any rows. Refuses what cannot be grown from rows apart. The frame
 * must not move. */
sporf_status spf_frame_create(const sporf_dataset *outcomes, const sporf_dataset *like,
                              const sporf_params *params, spf_frame *frame);
/* The same training as that of another frame, which must outlive this one: the weights of rows are
 * there once. */
sporf_status spf_frame_create_beside(const spf_frame *other, const sporf_dataset *like,
                                     spf_frame *frame);
void spf_frame_free(spf_frame *frame);

/* Takes what was settled, with arrays that it copies, and makes settings and plan of it. */
sporf_status spf_frame_settle(spf_frame *frame, const spf_settled *settled, const float *scale,
                              const float *fill);

/* Settles a frame anew, with the amounts that were chosen. */
sporf_status spf_frame_choose(spf_frame *frame, const sporf_params *chosen);

/* Whether values from another machine could be those of a feature. */
sporf_status spf_frame_check_values(const spf_frame *frame, size_t feature, const float *values,
                                    size_t count);

/* The same as part of a message; a frame that is already settled otherwise refuses it. */
sporf_status spf_frame_write(const spf_frame *frame, spf_writer *writer);
sporf_status spf_frame_read(spf_frame *frame, spf_reader *reader);

#endif
