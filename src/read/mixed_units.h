/* Recognises columns of numbers whose signs or units differ. */
#ifndef SPF_READ_MIXED_UNITS_H
#define SPF_READ_MIXED_UNITS_H

#include "base/strings.h"

/* Two example texts, if nearly all texts or cells are numbers and several of them have a sign or
 * unit, as "12 kg": `one` is the first such text, the other the first number with another unit or
 * none or, if all have the same, the first text that is no number. one is NULL if the texts are
 * something else. */
typedef struct spf_mixed_units {
    const char *one, *other;
    int is_word; /* the other text is no number */
} spf_mixed_units;

/* cells[texts->count] is the number of cells with each text. */
spf_mixed_units spf_find_mixed_units(const spf_strings *texts, const uint32_t *cells);

#endif
