/* Precision, recall, F1 and their means; Matthews' correlation. */
#include "score/confusion_sums.h"

#include <math.h>
#include <string.h>

void spf_confusion_add_up(const spf_scored *scored, const double *weights, double *memory,
                          spf_confusion_sums *sums) {
    size_t classes = scored->classes + 1;
    memset(memory, 0, 3 * classes * sizeof *memory);
    *sums = (spf_confusion_sums){.classes = classes,
                                 .is_true = memory,
                                 .is_predicted = memory + classes,
                                 .is_right = memory + 2 * classes};
    for (size_t i = 0; i < scored->count; i++) {
        uint32_t row = scored->row[i], label = scored->label[row],
                 predicted = scored->predicted[row];
        sums->total += weights[row];
        sums->is_true[label] += weights[row];
        sums->is_predicted[predicted] += weights[row];
        if (label == predicted) sums->is_right[label] += weights[row];
    }
}

double spf_accuracy(const spf_confusion_sums *sums) {
    double right = 0;
    for (size_t k = 0; k < sums->classes; k++) right += sums->is_right[k];
    return right / sums->total;
}

double spf_precision(const spf_confusion_sums *sums, size_t class) {
    return sums->is_right[class] / sums->is_predicted[class];
}

double spf_recall(const spf_confusion_sums *sums, size_t class) {
    return sums->is_right[class] / sums->is_true[class];
}

double spf_f1(const spf_confusion_sums *sums, size_t class) {
    return 2 * sums->is_right[class] / (sums->is_true[class] + sums->is_predicted[class]);
}

static double mean_of(const spf_confusion_sums *sums,
                      double (*score)(const spf_confusion_sums *sums, size_t class)) {
    double sum = 0;
    size_t count = 0;
    for (size_t k = 0; k < sums->classes; k++) {
        double value = score(sums, k);
        if (isnan(value)) continue;
        sum += value;
        count++;
    }
    return sum / (double)count;
}

double spf_balanced_accuracy(const spf_confusion_sums *sums) {
    return mean_of(sums, spf_recall);
}

double spf_macro_f1(const spf_confusion_sums *sums) {
    return mean_of(sums, spf_f1);
}

/* Covariances of the indicators of classes, added up over the classes. */
static double covariance(const spf_confusion_sums *sums, double agree, const double *one,
                         const double *other) {
    double by_chance = 0;
    for (size_t k = 0; k < sums->classes; k++)
        by_chance += one[k] / sums->total * (other[k] / sums->total);
    return agree - by_chance;
}

double spf_mcc(const spf_confusion_sums *sums) {
    double both = covariance(sums, spf_accuracy(sums), sums->is_true, sums->is_predicted),
           of_true = covariance(sums, 1, sums->is_true, sums->is_true),
           of_predicted = covariance(sums, 1, sums->is_predicted, sums->is_predicted);
    return of_true > 0 && of_predicted > 0 ? both / sqrt(of_true * of_predicted) : 0;
}
