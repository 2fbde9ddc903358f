/* One number for everything that training sees of a table. */
#ifndef SPF_DATA_TABLE_CHECKSUM_H
#define SPF_DATA_TABLE_CHECKSUM_H

#include "data/dataset.h"

/* The checksum of columns, labels, targets, weights and schema. All missing values count as the
 * same one. */
sporf_status spf_table_checksum(const sporf_dataset *data, unsigned threads, uint64_t *checksum);

#endif
