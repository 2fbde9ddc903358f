/* Trees and their out-of-bag results become a forest. */
#ifndef SPF_LEARN_GROWING_ASSEMBLE_H
#define SPF_LEARN_GROWING_ASSEMBLE_H

#include "learn/growing/grow.h"

/* What a forest is made of; what it takes over is set to NULL here. */
typedef struct spf_assembly {
    const sporf_dataset *data; /* its columns are not read */
    const spf_outcome *outcome;
    int weighted;     /* row weights differ */
    uint32_t trees;   /* at least 1 */
    spf_grown *grown; /* [trees]: their trees are taken over */
    spf_tally *tally; /* of all of them; NULL without bags */
    double *curve;    /* [trees]: taken over; NULL without a tally */
    float *scale;     /* [features]: taken over; NULL for none */
    uint64_t work;
    unsigned threads; /* that may help; at least 1 */
} spf_assembly;

/* A forest of plain trees, without settings. */
sporf_status spf_assemble(spf_assembly *made, sporf_forest **out);

#endif
