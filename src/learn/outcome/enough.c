/* The rule by which the number of trees is chosen. */
#include "learn/outcome/enough.h"

enum { FIRST = 50, STEP = 10 };

#define SMALL_PART 0.005         /* of the loss */
#define SMALL_PART_OF_ERROR 0.05 /* of the standard error of the loss */

int spf_is_judged_at(uint32_t trees, uint32_t given) {
    return trees >= FIRST && (trees == given || (trees > given && trees % STEP == 0));
}

void spf_evidence_add(spf_evidence *e, double weight, double loss, double distance,
                      uint32_t trees) {
    double noise = distance / (trees - 1); /* the variance of the mean, estimated without bias */
    spf_sum_add(&e->weight, weight);
    spf_sum_add(&e->loss, weight * loss);
    spf_sum_add(&e->noise, weight * noise);
    spf_sum_add(&e->spread, weight * noise * trees);
    spf_sum_add(&e->weight2, weight * weight);
    spf_sum_add(&e->loss_weight2, weight * weight * loss);
    spf_sum_add(&e->loss2_weight2, weight * weight * loss * loss);
}

static double standard_error(const spf_evidence *e, double mean) {
    double squares = spf_sum_value(&e->loss2_weight2) - 2 * mean * spf_sum_value(&e->loss_weight2) +
                     mean * mean * spf_sum_value(&e->weight2);
    return sqrt(fmax(squares, 0)) / spf_sum_value(&e->weight);
}

int spf_is_enough(const spf_evidence *e, uint32_t trees) {
    double weight = spf_sum_value(&e->weight);
    if (!(weight > 0)) return 0;
    double loss = spf_sum_value(&e->loss) / weight;
    double limit = loss - spf_sum_value(&e->noise) / weight; /* the loss of infinitely many */
    double gain = spf_sum_value(&e->spread) / weight / trees;
    return gain <= fmax(SMALL_PART * limit, SMALL_PART_OF_ERROR * standard_error(e, loss));
}
