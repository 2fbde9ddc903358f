/* How much memory the command has used. */
#ifndef SPORF_CLI_PEAK_MEMORY_H
#define SPORF_CLI_PEAK_MEMORY_H

#include <stdint.h>

/* The largest number of resident bytes; 0 if unknown. */
uint64_t memory_peak(void);

#endif
