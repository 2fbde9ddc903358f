/* Bags drawn on the device: plain bootstraps of unweighted rows. */
#ifndef SPF_GPU_BAGS_CUH
#define SPF_GPU_BAGS_CUH

#include "level.cuh"
#include "memory.cuh"

struct gpu_bagging {
    gpu_array<uint32_t> draws;    /* [trees x rows]: how often each row is in a bag */
    gpu_array<uint32_t> rejected; /* [trees] */
    gpu_array<uint32_t> parts;    /* [trees x parts]: rows in the bag in a part of the rows */
};

/* How many draws of a bag, and which class a row has. */
struct gpu_urn {
    uint32_t rows, draws;
    const uint32_t *label;
    unsigned weight_bits;
};

/* Draws the bags of all trees; count[trees], on the host, becomes their numbers of rows. */
int gpu_draw_bags(const gpu_urn &urn, const gpu_tree *trees, uint32_t count, gpu_bagging *bagging,
                  uint32_t *rows_in);

/* Lists the rows in each bag with their tags, and the others, in ascending order. The lists of a
 * tree begin at begin[tree] and other_begin[tree]. */
int gpu_list_bags(const gpu_urn &urn, uint32_t count, const gpu_bagging &bagging,
                  const uint32_t *begin, const uint32_t *other_begin, uint32_t *row, uint32_t *tag,
                  uint32_t *other);

#endif
