/* Agreement of true and predicted classes. */
#include "score/metric.h"

#include <math.h>

double spf_cohen_kappa(double total, double agree, const double *true_weight,
                       const double *predicted_weight, size_t classes) {
    double chance = 0, observed = agree / total;
    for (size_t k = 0; k < classes; k++)
        chance += true_weight[k] / total * (predicted_weight[k] / total);
    if (chance >= 1) return NAN;
    return (observed - chance) / (1 - chance);
}

double spf_kappa_paper(double total, double agree, const double *true_weight, size_t classes) {
    double largest = 0;
    for (size_t k = 1; k < classes; k++)
        if (true_weight[k] > largest) largest = true_weight[k];
    if (largest == total) return NAN;
    return 1 - (total - agree) / (total - largest);
}
