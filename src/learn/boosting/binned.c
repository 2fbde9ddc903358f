/* Groups of binned columns. */
#include "learn/boosting/binned.h"

#include <stdlib.h>

/* As narrow as its columns allow, in steps that the histograms know. */
static unsigned width_of(unsigned columns) {
    unsigned width = SPF_GROUP_PART;
    while (width < columns) width *= 2;
    return width;
}

static sporf_status create_group(size_t rows, size_t columns, size_t number, spf_bin_group *group) {
    size_t first = number * SPF_GROUP_COLUMNS, left = columns - first;
    group->first = first;
    group->columns = (unsigned)(left < SPF_GROUP_COLUMNS ? left : SPF_GROUP_COLUMNS);
    group->width = width_of(group->columns);
    group->bytes = spf_alloc_zero(rows, group->width);
    return group->bytes ? SPORF_OK : spf_raise_memory();
}

sporf_status spf_binned_create(size_t rows, size_t columns, spf_binned *binned) {
    size_t groups = (columns + SPF_GROUP_COLUMNS - 1) / SPF_GROUP_COLUMNS;
    *binned = (spf_binned){.rows = rows, .columns_count = columns, .groups_count = groups};
    binned->columns = spf_alloc_zero(columns, sizeof *binned->columns);
    binned->groups = spf_alloc_zero(groups, sizeof *binned->groups);
    if (!binned->columns || !binned->groups) return spf_raise_memory();
    for (size_t g = 0; g < groups; g++) SPF_TRY(create_group(rows, columns, g, &binned->groups[g]));
    return SPORF_OK;
}

void spf_binned_free(spf_binned *binned) {
    for (size_t j = 0; binned->columns && j < binned->columns_count; j++) {
        free(binned->columns[j].threshold);
        free(binned->columns[j].of_level);
    }
    for (size_t g = 0; binned->groups && g < binned->groups_count; g++)
        free(binned->groups[g].bytes);
    free(binned->columns);
    free(binned->groups);
    *binned = (spf_binned){0};
}

/* The least power of two that holds the bins of every column. */
static unsigned bits_of(const spf_binned *binned, const spf_bin_group *group, unsigned least) {
    unsigned bits = 4;
    while (1u << bits < least) bits++;
    for (size_t j = group->first; j < group->first + group->columns; j++)
        while (1u << bits < spf_bins_of(&binned->columns[j])) bits++;
    return bits;
}

void spf_binned_lay_out(spf_binned *binned, unsigned least) {
    for (size_t g = 0; g < binned->groups_count; g++)
        binned->groups[g].bits = bits_of(binned, &binned->groups[g], least);
}
