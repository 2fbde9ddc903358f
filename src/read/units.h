/* Names with a unit in brackets at the end, as in "height [cm]": it may be left away. */
#ifndef SPF_READ_UNITS_H
#define SPF_READ_UNITS_H

#include <stddef.h>

/* The length of a name without its unit and the blanks in front of that. */
size_t spf_base_length(const char *name, size_t length);

/* Whether a text means a column of this name: the same, or one of them without a unit. */
int spf_means_name(const char *text, size_t length, const char *name);

/* Whether both names have units, and not the same. */
int spf_units_differ(const char *one, const char *other);

#endif
