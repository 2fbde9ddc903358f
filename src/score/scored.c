/* Losses of single rows. */
#include "score/scored.h"

#include "base/portable_math.h"

double spf_log_loss(double probability) {
    return -spf_log(fmax(probability, 0x1p-52));
}

uint32_t spf_most_probable(const double *probabilities, size_t classes) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < classes; k++)
        if (probabilities[k] > probabilities[best]) best = k;
    return best;
}

static const double *probabilities_of(const spf_scored *scored, size_t row) {
    return scored->probabilities + row * scored->classes;
}

double spf_row_log_loss(const spf_scored *scored, size_t row) {
    uint32_t label = scored->label[row];
    return spf_log_loss(label < scored->classes ? probabilities_of(scored, row)[label] : 0);
}

double spf_row_brier(const spf_scored *scored, size_t row) {
    const double *probabilities = probabilities_of(scored, row);
    double sum = scored->label[row] >= scored->classes;
    for (size_t k = 0; k < scored->classes; k++) {
        double miss = probabilities[k] - (k == scored->label[row]);
        sum += miss * miss;
    }
    return sum;
}

int spf_row_in_top(const spf_scored *scored, size_t row, size_t k) {
    const double *probabilities = probabilities_of(scored, row);
    uint32_t label = scored->label[row];
    size_t before = 0;
    if (k <= 1) return scored->predicted[row] == label;
    if (label >= scored->classes) return 0;
    for (size_t c = 0; c < scored->classes; c++)
        before += probabilities[c] > probabilities[label] ||
                  (c > label && probabilities[c] == probabilities[label]);
    return before < k;
}
