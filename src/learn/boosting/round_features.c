/* Groups of features are drawn without replacement. */
#include "learn/boosting/round_features.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = SPF_ROUND_FEATURES / SPF_GROUP_COLUMNS };

sporf_status spf_round_features_create(const spf_binned *features, int all,
                                       spf_round_features *chosen) {
    size_t groups = features->groups_count;
    *chosen = (spf_round_features){.groups = groups};
    if (all || groups <= GROUPS) return SPORF_OK;
    chosen->group = spf_alloc(groups, sizeof *chosen->group);
    chosen->drawn = spf_alloc(GROUPS, sizeof *chosen->drawn);
    if (!chosen->group || !chosen->drawn) return spf_raise_memory();
    return spf_deck_create((uint32_t)groups, &chosen->deck);
}

void spf_round_features_free(spf_round_features *chosen) {
    free(chosen->group);
    free(chosen->drawn);
    spf_deck_free(&chosen->deck);
    *chosen = (spf_round_features){0};
}

void spf_round_features_draw(spf_round_features *chosen, uint64_t seed, uint32_t round) {
    if (!chosen->group) return;
    sporf_random random =
        spf_random_start(spf_tree_key(seed, round), SPF_ROOT_KEY, SPF_USE_ROUND_FEATURES);
    memset(chosen->group, 0, chosen->groups);
    spf_deck_draw(&chosen->deck, &random, GROUPS, chosen->drawn);
    for (size_t i = 0; i < GROUPS; i++) chosen->group[chosen->drawn[i]] = 1;
}
