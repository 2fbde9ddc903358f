/* Arrays over classes are allocated at once, those over rows grow with the nodes. */
#include "learn/growing/workspace.h"

#include <stdlib.h>

static sporf_status make_targets(size_t count, spf_node_targets *targets) {
    *targets = (spf_node_targets){.count = count};
    if (count == 0) return SPORF_OK;
    targets->low = spf_alloc(3 * count, sizeof *targets->low);
    if (!targets->low) return spf_raise_memory();
    targets->high = targets->low + count;
    targets->mean = targets->high + count;
    return SPORF_OK;
}

sporf_status spf_workspace_create(const spf_plan *plan, spf_workspace *w) {
    size_t classes = plan->outcome.split_classes;
    *w = (spf_workspace){.plan = plan};
    w->class_total = spf_alloc_zero(classes, sizeof *w->class_total);
    w->present = spf_alloc(classes, sizeof *w->present);
    w->dense_total = spf_alloc(classes, sizeof *w->dense_total);
    w->number = spf_alloc(classes, sizeof *w->number);
    if (!w->class_total || !w->present || !w->dense_total || !w->number) return spf_raise_memory();
    SPF_TRY(make_targets(plan->outcome.targets, &w->targets));
    return spf_searcher_create(plan, &w->searcher);
}

double spf_workspace_bytes(const spf_expected *e) {
    enum { DEPTH = 64 }; /* waiting nodes of a deep tree */
    const size_t word = sizeof(uint32_t);
    double targets = e->targets > 0 ? spf_alloc_bytes(3 * e->targets, sizeof(double)) : 0;
    double values = e->targets > 1 ? spf_reserve_bytes(e->targets * e->in_bag, sizeof(float)) : 0;
    double draws = e->counted > 0 ? spf_reserve_bytes(e->in_bag, word) : 0;
    double view = e->looks_at_rows ? 2 * spf_reserve_bytes(e->in_bag, word) : 0;
    return sizeof(spf_workspace) + spf_projections_bytes(e->candidates, e->candidates * e->drawn) +
           spf_repeats_bytes(e->candidates) +
           4 * spf_alloc_bytes(spf_expected_split_classes(e), word) + targets + values + draws +
           spf_reserve_bytes(e->in_bag, word) + view +
           spf_reserve_bytes(spf_expected_most(e), sizeof(uint64_t)) + spf_searcher_bytes(e) +
           spf_reserve_bytes(DEPTH, sizeof(spf_waiting));
}

void spf_workspace_finish_sampler(spf_workspace *w) {
    const sporf_sampler *sampler = &w->plan->sampler;
    if (w->prepared && sampler->prepare && sampler->finish)
        sampler->finish(sampler->payload, w->sampler_state);
    w->prepared = 0;
    w->sampler_state = NULL;
}

/* The arrays come back at the next large node, page by page, which costs little beside growing
 * it. */
void spf_workspace_trim(spf_workspace *w) {
    enum { KEPT_ROWS = 1 << 20 };
    if (w->searcher.value_capacity <= KEPT_ROWS) return;
    free(w->draws);
    free(w->tag);
    free(w->pair);
    free(w->searcher.value);
    w->draws = NULL;
    w->tag = NULL;
    w->pair = NULL;
    w->searcher.value = NULL;
    w->draws_capacity = w->tag_capacity = w->pair_capacity = w->searcher.value_capacity = 0;
}

void spf_workspace_trim_blocks(spf_workspace *w) {
    enum { KEPT_BYTES = 16 << 20 };
    for (int i = 0; i < SPF_BLOCK_LEVELS; i++)
        if (w->blocks[i].storage_capacity > KEPT_BYTES) spf_block_free(&w->blocks[i]);
}

void spf_workspace_free(spf_workspace *w) {
    if (w->plan) spf_workspace_finish_sampler(w);
    spf_projections_free(&w->candidates);
    spf_repeats_free(&w->repeats);
    free(w->targets.low);
    free(w->targets.value);
    spf_searcher_free(&w->searcher);
    free(w->class_total);
    free(w->present);
    free(w->dense_total);
    free(w->number);
    free(w->draws);
    free(w->tag);
    free(w->view_label);
    free(w->view_weight);
    free(w->pair);
    free(w->stack);
    for (int i = 0; i < SPF_BLOCK_LEVELS; i++) spf_block_free(&w->blocks[i]);
    *w = (spf_workspace){0};
}
