/* The candidates of every node of a level, drawn as learn/sampling does, word for word. */
#ifndef SPF_GPU_DRAW_CUH
#define SPF_GPU_DRAW_CUH

#include "level.cuh"

#include "memory.cuh"

/* Memory to draw in. */
struct gpu_drawing {
    gpu_array<uint32_t> cards, swapped; /* decks: see spf_deck */
    gpu_array<unsigned char> cells;     /* of nodes that a block draws */
    uint32_t decks;
};

/* Its size, at most. */
double gpu_drawing_bytes(const gpu_sampler &sampler);

/* Fills level.candidates. */
int gpu_draw(const gpu_level &level, const gpu_sampler &sampler, const gpu_tree *trees,
             gpu_drawing *drawing);

#endif
