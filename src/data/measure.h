/* Recognising columns of numbers with signs or units beside them that are not all the same. */
#ifndef SPF_DATA_MEASURE_H
#define SPF_DATA_MEASURE_H

#include "base/strings.h"

/* Two of the texts, if nearly all of them are numbers with a sign or unit, as "12 kg": the first of
 * these, and the first text that has not the same. one is NULL where they are something else. */
typedef struct spf_measure {
    const char *one, *other;
} spf_measure;

spf_measure spf_find_measure(const spf_strings *texts);

#endif
