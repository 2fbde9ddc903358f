/* A forest as C99 source: constant tables and the few functions that walk them. */
#ifndef SPORF_CLI_EXPORT_C_H
#define SPORF_CLI_EXPORT_C_H

#include "export_write.h"

/* By which files that were exported are known. */
#define EXPORT_HEADER_BEGINS                                                                       \
    "/* A decision forest that needs nothing but the source beside this header"
#define EXPORT_SOURCE_BEGINS "/* Tables and functions of a decision forest, written by sporf"

/* Bytes that the source will not exceed; it usually takes a quarter less. */
uint64_t export_c_size(const export_c *plan);

/* Both stop early where writing fails. */
void export_c_header(out_file *file, const export_c *plan);
void export_c_source(out_file *file, const export_c *plan);

#endif
