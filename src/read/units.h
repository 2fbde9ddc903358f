/* Names with a unit in brackets at the end, as in "height [cm]"; the unit may be omitted. */
#ifndef SPF_READ_UNITS_H
#define SPF_READ_UNITS_H

#include <stddef.h>

/* The length of a name without its unit and the blanks before it. */
size_t spf_base_length(const char *name, size_t length);

/* Whether a text means a column with this name: they are equal, or one of them lacks the unit. */
int spf_means_name(const char *text, size_t length, const char *name);

/* Whether both names have units that differ. */
int spf_units_differ(const char *one, const char *other);

#endif
