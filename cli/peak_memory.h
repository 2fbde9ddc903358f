/* How much memory the command has used. */
#ifndef SPORF_CLI_PEAK_MEMORY_H
#define SPORF_CLI_PEAK_MEMORY_H

#include <stdint.h>

/* The most bytes that were resident at a time; 0 if nobody knows. */
uint64_t memory_peak(void);

#endif
