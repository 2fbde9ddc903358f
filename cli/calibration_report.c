/* Calibration of probabilities, as a table or as JSON. */
#include "calibration_report.h"

#include "printed.h"

void calibration_json(json *writer, const sporf_calibration *calibration) {
    json_double(writer, "calibration_error", calibration->error);
    json_list(writer, "calibration");
    for (size_t b = 0; b < SPORF_CALIBRATION_BINS; b++) {
        const sporf_calibration_bin *bin = &calibration->bins[b];
        json_object(writer, NULL);
        json_line(writer);
        json_double(writer, "from", (double)b / SPORF_CALIBRATION_BINS);
        json_double(writer, "to", (double)(b + 1) / SPORF_CALIBRATION_BINS);
        json_count(writer, "rows", bin->rows);
        json_double(writer, "weight", bin->weight);
        json_double(writer, "confidence", bin->confidence);
        json_double(writer, "accuracy", bin->accuracy);
        json_end(writer);
    }
    json_end(writer);
}

void calibration_text(FILE *stream, const sporf_calibration *calibration) {
    char rows[TEXT_NUMBER], confidence[TEXT_NUMBER], accuracy[TEXT_NUMBER];
    fprintf(stream, "%-12s%12s%9s%11s\n", "confidence", "rows", "mean", "accuracy");
    for (size_t b = 0; b < SPORF_CALIBRATION_BINS; b++) {
        const sporf_calibration_bin *bin = &calibration->bins[b];
        if (bin->rows == 0) continue;
        fprintf(stream, "%.1f to %.1f  %12s%9s%11s\n", (double)b / SPORF_CALIBRATION_BINS,
                (double)(b + 1) / SPORF_CALIBRATION_BINS, text_count(rows, bin->rows),
                text_rate(confidence, bin->confidence), text_rate(accuracy, bin->accuracy));
    }
}
