/* Sums of levels are counted in bytes, a category alone by the sums of its levels. */
#include "learn/growing/counted_search.h"

#include "learn/splitting/split_bytes.h"

enum { COUNTED_ROWS = 16 }; /* smaller nodes are as fast in lanes */

int spf_search_may_count(const spf_split_search *s) {
    return s->owner->levels.codes.stored && s->node.rows >= COUNTED_ROWS && !s->node.draws &&
           s->node.targets <= 1 && s->plan->split == SPORF_SPLIT_AUTO;
}

int spf_search_is_counted(const spf_split_search *s, size_t candidate) {
    if (!s->counts) return 0;
    if (spf_search_alone(s, candidate)) return spf_split_is_pair(&s->node);
    return spf_level_codes_countable(&s->owner->levels.codes, s->candidates, candidate);
}

/* Whether a histogram would have a bin for each rank, and one for missing values, which are put
 * beyond them by less than one of 64 bins: then counting finds the same cut. */
static int bins_tell_apart(const spf_split_search *s, size_t ranks, int has_missing) {
    size_t bins = spf_split_bins(&s->node);
    return s->in_lanes || (ranks + ranks / 32 + 2 < bins && (!has_missing || bins > 64));
}

static sporf_status search_sums(const spf_split_search *s, spf_searcher *w, const uint64_t *sums,
                                size_t count, float low, spf_missing_side side, spf_split *best) {
    spf_split before = *best;
    SPF_TRY(spf_split_sums(&s->node, sums, (uint32_t)count, low, &w->scratch, best));
    if (spf_split_improved(best, &before)) best->missing_side = side;
    return SPORF_OK;
}

/* A category alone, with two classes. *done is 0 if there are too many ranks. */
static sporf_status search_ranks(const spf_split_search *s, spf_searcher *w, size_t candidate,
                                 spf_split *best, int *done) {
    uint32_t feature = s->candidates->feature[s->candidates->start[candidate]];
    uint64_t *sums, missing;
    size_t ranks = spf_categories_add_up(&w->levels, &s->rows, &s->node, feature, &sums, &missing);
    *done = bins_tell_apart(s, ranks, missing != 0);
    if (!*done || ranks == 0) return SPORF_OK;
    if (missing == 0) return search_sums(s, w, sums + 1, ranks, 0, SPF_MISSING_NONE, best);
    sums[ranks + 1] = missing;
    SPF_TRY(search_sums(s, w, sums + 1, ranks + 1, 0, SPF_MISSING_GO_RIGHT, best));
    sums[0] = missing;
    return search_sums(s, w, sums, ranks + 1, -1, SPF_MISSING_GO_LEFT, best);
}

sporf_status spf_search_counts(const spf_split_search *s, spf_searcher *w, size_t candidate,
                               spf_split *best, int *done) {
    uint8_t *byte = (uint8_t *)(void *)w->value;
    float low;
    if (spf_search_alone(s, candidate)) return search_ranks(s, w, candidate, best, done);
    *done = 1;
    uint32_t values = spf_level_codes_count(&s->owner->levels.codes, s->candidates, candidate,
                                            s->rows.count, byte, &low);
    return spf_split_bytes(&s->node, byte, values, low, &w->scratch, best);
}
