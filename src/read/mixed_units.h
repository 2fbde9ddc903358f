/* Recognising columns of numbers with signs or units beside them that are not all the same. */
#ifndef SPF_READ_MIXED_UNITS_H
#define SPF_READ_MIXED_UNITS_H

#include "base/strings.h"

/* Two of the texts, if nearly all of them, or of the cells that have them, are numbers, and several
 * of these have a sign or unit, as "12 kg": the first of these, and the first number that has not
 * the same, or where there is none, the first text that is no number. one is NULL where the texts
 * are something else. */
typedef struct spf_mixed_units {
    const char *one, *other;
    int is_word; /* the other is no number */
} spf_mixed_units;

/* cells[texts->count] says how many have each text. */
spf_mixed_units spf_find_mixed_units(const spf_strings *texts, const uint32_t *cells);

#endif
