/* A device that walks rows down trees in place of the threads, such as a GPU. Its results have the
 * same bits as those of the threads, so that predictions do not show who made them. */
#ifndef SPF_PREDICT_PREDICTOR_H
#define SPF_PREDICT_PREDICTOR_H

#include "predict/wanted.h"

/* What a device is to find out for each row. */
typedef struct spf_predictor_work {
    const sporf_forest *forest;
    spf_leaf_adds adds;
    int mixed; /* values may be missing, or trees have sets of levels */
    int votes; /* the number of trees that vote for each class */
    int sums;  /* the sums of what leaves add, in the order of trees */
} spf_predictor_work;

/* Functions fail with SPORF_ERROR_DEVICE if the device cannot go on. */
typedef struct spf_predictor {
    /* Copies the forest to the device; *most is how many rows it takes at once, at least 1. */
    sporf_status (*open)(const spf_predictor_work *work, size_t *most, void **opened);
    /* rows[count x features] become votes[count x classes] and sums[count x outputs], as far as
     * they were asked for. */
    sporf_status (*predict)(void *opened, const float *rows, size_t count, uint32_t *votes,
                            double *sums);
    void (*close)(void *opened);
} spf_predictor;

/* What devices do not support, as the object of a sentence; NULL if they support all of it. */
const char *spf_predictor_lack(const sporf_forest *forest, const spf_predictions *out);

/* Whether a device is expected to be clearly faster than that many threads, also if it was not used
 * before. */
int spf_predictor_pays(const sporf_forest *forest, size_t rows, unsigned threads);

/* As spf_predict, which can still do all of it after SPORF_ERROR_DEVICE. */
sporf_status spf_predict_on(const spf_predictor *device, const sporf_forest *forest,
                            const spf_values *values, spf_combining how, unsigned threads,
                            const spf_predictions *out);

#endif
