/* What the chapters of a report share: the models, the table, and what the models say about it. */
#ifndef SPF_REPORT_REPORT_H
#define SPF_REPORT_REPORT_H

#include "report/page.h"

enum { SPF_REPORT_MODELS = SPF_TONES };

/* What a guess without a model gives: the same class for every row. */
typedef struct spf_baseline {
    uint32_t most_frequent;
    double accuracy;         /* of predicting it */
    int has_cost;            /* the model has costs, and the rest is filled */
    double cost, cost_error; /* of a row, by the predictions of the model; its standard error */
    uint32_t cheapest;
    double cheapest_cost;    /* of a row, by predicting the cheapest class */
    double difference_error; /* the standard error of the difference */
} spf_baseline;

/* A model and, with data, its predictions for the rows that are scored. */
typedef struct spf_report_model {
    const sporf_forest *forest;
    const char *name;
    size_t features, classes, targets; /* classes 0: regression; targets 0: classification */
    size_t labels;       /* several labels, whose classes are targets from 0 to 1; otherwise 0 */
    size_t width;        /* outputs of a row: classes or targets */
    double *importances; /* [features] */
    size_t *order;       /* [features]: the most important first */
    /* With data: [rows x width] probabilities or values, NaN for rows that were never out of bag;
     * and the classes [rows], which are NULL for regression. */
    double *outputs;
    uint32_t *predicted;
    int out_of_bag; /* the rows are those of the training, and only trees that did not see them
                       predict */
    int other_rows; /* the table has more or fewer rows than that of the training */
    double seconds; /* for these predictions */
    sporf_class_scores scores; /* classification with true classes */
    sporf_by_class *by_class;  /* [classes] */
    sporf_calibration calibration;
    spf_baseline baseline; /* likewise */
} spf_report_model;

typedef struct spf_report {
    spf_page page;
    sporf_report_options options;
    sporf_hooks hooks;
    size_t count;
    spf_report_model models[SPF_REPORT_MODELS];
    const sporf_dataset *data; /* the whole table; NULL: none */
    const sporf_dataset
        *rows;              /* the rows that are scored: the table or, if it is large, a sample */
    sporf_dataset *sampled; /* the latter */
    uint32_t *row_numbers;  /* [scored]: in the whole table; NULL: the same */
    size_t scored;
    uint32_t *truth;     /* [scored]: classes of the first model, or their number; NULL: unknown */
    double *true_values; /* [scored x targets]; NULL: unknown */
    double *weights;     /* [scored]; NULL: all 1 */
} spf_report;

/* Fills the models and what they predict; frees it. */
sporf_status spf_report_gather(spf_report *report, const sporf_forest *const *forests, size_t count,
                               const sporf_dataset *data);
void spf_report_free(spf_report *report);

/* A sample of at most `most` of `rows` rows, ascending: [*count], to be freed. */
sporf_status spf_report_sample(const spf_report *report, size_t rows, size_t most, uint32_t **list,
                               size_t *count);

/* A note on the rows that are scored. */
void spf_report_note_rows(spf_report *report, size_t rows);

/* Names, made up if there are none. */
enum { SPF_REPORT_NAME_MAX = 256 };
const char *spf_feature_name(const sporf_schema *schema, size_t feature,
                             char text[SPF_REPORT_NAME_MAX]);
const char *spf_output_name(const spf_report_model *model, size_t output,
                            char text[SPF_REPORT_NAME_MAX]);
/* The column of the data that holds a feature of the model. Its levels may have other numbers than
 * those of the model. */
typedef struct spf_column {
    const sporf_schema *schema; /* of the data */
    size_t place;               /* there */
    const float *values;        /* [rows]; NULL if the data do not have the feature */
} spf_column;

spf_column spf_column_of(const spf_report_model *model, const sporf_dataset *data, size_t feature);
/* A value of it as text: a number or the name of a level. */
void spf_value_text(const spf_column *column, size_t row, char text[SPF_REPORT_NAME_MAX]);

/* The chapters, in order. Each puts nothing if it does not apply. */
sporf_status spf_chapter_glance(spf_report *report);
sporf_status spf_chapter_data(spf_report *report);
sporf_status spf_chapter_training(spf_report *report);
sporf_status spf_chapter_class_scores(spf_report *report);
sporf_status spf_chapter_label_scores(spf_report *report);
sporf_status spf_chapter_value_scores(spf_report *report);
sporf_status spf_chapter_calibration(spf_report *report);
sporf_status spf_chapter_importance(spf_report *report);
sporf_status spf_chapter_dependence(spf_report *report);
sporf_status spf_chapter_projections(spf_report *report);
sporf_status spf_chapter_rows(spf_report *report);
sporf_status spf_chapter_settings(spf_report *report);
sporf_status spf_chapter_reproduce(spf_report *report);

#endif
