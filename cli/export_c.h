/* A forest as C99 source: constant tables and a few functions that walk them. */
#ifndef SPORF_CLI_EXPORT_C_H
#define SPORF_CLI_EXPORT_C_H

#include "export_write.h"

/* How exported files begin, by which they are recognised. */
#define EXPORT_HEADER_BEGINS                                                                       \
    "/* A decision forest that needs nothing but the source beside this header"
#define EXPORT_SOURCE_BEGINS "/* Tables and functions of a decision forest, written by sporf"

/* An upper bound on the bytes of the source, which usually takes a quarter less. */
uint64_t export_c_size(const export_c *plan);

/* Both stop early if writing fails. */
void export_c_header(out_file *file, const export_c *plan);
void export_c_source(out_file *file, const export_c *plan);

#endif
