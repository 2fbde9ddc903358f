/* Measures of agreement. */
#include "data/metric.h"

#include <math.h>

double spf_cohen_kappa(size_t rows, size_t agree, const size_t *true_count,
                       const size_t *predicted_count, size_t classes) {
    double chance = 0, total = (double)rows, observed = (double)agree / total;
    for (size_t k = 0; k < classes; k++)
        chance += (double)true_count[k] / total * ((double)predicted_count[k] / total);
    if (chance >= 1) return agree == rows ? 1 : 0;
    return (observed - chance) / (1 - chance);
}

double spf_kappa_paper(size_t rows, size_t agree, const size_t *true_count, size_t classes) {
    size_t largest = 0;
    for (size_t k = 1; k < classes; k++)
        if (true_count[k] > largest) largest = true_count[k];
    if (largest == rows) return NAN;
    return 1 - (double)(rows - agree) / (double)(rows - largest);
}
