/* Which single features are candidates in a round: all of them, or in wide tables some groups of
 * neighbours, drawn anew in each round. */
#ifndef SPF_LEARN_BOOSTING_ROUND_FEATURES_H
#define SPF_LEARN_BOOSTING_ROUND_FEATURES_H

#include "learn/boosting/binned.h"
#include "learn/sampling/choose.h"

/* Features, and sums unless their number is given, that a round has at most. */
enum { SPF_ROUND_FEATURES = 512 };

typedef struct spf_round_features {
    uint8_t *group; /* [groups]: whether its features are candidates; NULL: all are */
    uint32_t *drawn;
    spf_deck deck;
    size_t groups;
} spf_round_features;

/* all: also in wide tables. */
sporf_status spf_round_features_create(const spf_binned *features, int all,
                                       spf_round_features *chosen);
void spf_round_features_free(spf_round_features *chosen);

void spf_round_features_draw(spf_round_features *chosen, uint64_t seed, uint32_t round);

#endif
