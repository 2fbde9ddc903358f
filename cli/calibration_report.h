/* Calibration of probabilities, as a table or as JSON. */
#ifndef SPORF_CLI_CALIBRATION_REPORT_H
#define SPORF_CLI_CALIBRATION_REPORT_H

#include "json.h"
#include "sporf.h"

/* Adds the keys "calibration_error" and "calibration", a list of bins. */
void calibration_json(json *writer, const sporf_calibration *calibration);

/* Prints a line for each bin with rows. */
void calibration_text(FILE *stream, const sporf_calibration *calibration);

#endif
