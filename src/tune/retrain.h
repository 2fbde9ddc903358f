/* Trainings with the settings of a forest on other columns of its data. */
#ifndef SPF_TUNE_RETRAIN_H
#define SPF_TUNE_RETRAIN_H

#include "data/dataset.h"
#include "data/feature_groups.h"
#include "tune/work.h"

typedef struct spf_retrain {
    const sporf_forest *forest;
    const sporf_dataset *data;
    sporf_retrain_options options;
    sporf_params params; /* of the forest; text is borrowed from it */
    spf_feature_groups groups;
    spf_work work;
    double start; /* of spf_work_clock */
} spf_retrain;

/* Reads the caller's arguments, and refuses forests that cannot be trained again. Free with
 * spf_retrain_close, also after a failure. */
sporf_status spf_retrain_open(const sporf_forest *forest, const sporf_dataset *data,
                              const sporf_retrain_options *options, const sporf_hooks *hooks,
                              const sporf_feature_group *groups, size_t count, spf_retrain *out);
void spf_retrain_close(spf_retrain *r);

/* Whether the time is over; never before the first training. */
int spf_retrain_late(const spf_retrain *r);

/* Raises SPORF_ERROR_CANCELLED. */
sporf_status spf_retrain_cancel(void);

#endif
