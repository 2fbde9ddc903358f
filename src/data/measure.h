/* Recognising numbers that are text for the sign or the unit beside them. */
#ifndef SPF_DATA_MEASURE_H
#define SPF_DATA_MEASURE_H

#include "base/strings.h"

/* One of the texts, if nearly all of them are numbers with the same sign or unit beside them, as in
 * "$112.50", "12%" or "95.4 m2"; otherwise NULL. */
const char *spf_find_measure(const spf_strings *texts);

#endif
