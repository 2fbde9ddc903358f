/* Recognising columns of numbers with signs or units beside them that are not all the same. */
#ifndef SPF_DATA_MEASURE_H
#define SPF_DATA_MEASURE_H

#include "base/strings.h"

/* Two of the texts, if nearly all of them, or of the cells that have them, are numbers, and several
 * of these have a sign or unit, as "12 kg": the first of these, and the first number that has not
 * the same, or where there is none, the first text that is no number. one is NULL where the texts
 * are something else. */
typedef struct spf_measure {
    const char *one, *other;
    int is_word; /* the other is no number */
} spf_measure;

/* cells[texts->count] says how many have each text. */
spf_measure spf_find_measure(const spf_strings *texts, const uint32_t *cells);

#endif
