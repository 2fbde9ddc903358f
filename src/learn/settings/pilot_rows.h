/* The rows that pilot forests are grown on. */
#ifndef SPF_LEARN_SETTINGS_PILOT_ROWS_H
#define SPF_LEARN_SETTINGS_PILOT_ROWS_H

#include "data/dataset.h"

/* Rows with a positive weight; others do not influence the choice. */
size_t spf_rows_with_weight(const sporf_dataset *data);

/* How many rows are used for the choice. */
size_t spf_pilot_rows_count(const sporf_dataset *data);

/* Whether all rows are used. */
int spf_pilot_takes_all(const sporf_dataset *data);

/* The rows that are used, ascending; columns are not read. Free *rows with free(). */
sporf_status spf_pilot_rows_choose(const sporf_dataset *data, uint64_t seed, uint32_t **rows,
                                   size_t *count);

/* Draws a part of a tall table; *out is NULL if all rows are used. */
sporf_status spf_pilot_rows_draw(const sporf_dataset *data, uint64_t seed, sporf_dataset **out);

#endif
