/* What train and boost share: from the options to a saved model and a report on it. */
#ifndef SPORF_CLI_FITTING_H
#define SPORF_CLI_FITTING_H

#include "json.h"
#include "opt.h"
#include "saving.h"
#include "sporf.h"
#include "training.h"

typedef struct fitting {
    const char *verb;
    sporf_read_options read;
    sporf_params params;
    sporf_dataset *data;
    sporf_forest *old; /* the model to add to; NULL for none */
    sporf_forest *forest;
    sporf_forest_summary summary;
    double read_seconds, seconds;
    saving saved;
    void *own; /* what only the verb knows */
} fitting;

/* What a verb does in its own way. Functions that return int return 0, or an exit code after a
 * message. */
typedef struct fitting_steps {
    const training_takes *takes;
    int (*prepare)(const opt_list *options, fitting *f); /* after the table was read; may be NULL */
    int (*grow)(const opt_list *options, fitting *f);
    /* Whether a signal ended the training early; if so, writes "stopped after 3 of 10 trees". */
    int (*was_stopped)(const fitting *f, char *what, size_t size);
    void (*json)(json *writer, const fitting *f); /* the keys of the report */
    void (*text)(FILE *stream, const fitting *f);
    void (*notes)(const fitting *f); /* on standard error, after the report */
} fitting_steps;

/* Declares --model and --json, under the heading "Result"; `unless` is an option that needs no
 * model, or NULL. */
void fitting_declare(opt_list *options, const char *unless);

/* Runs a verb. Returns an exit code. */
int fitting_run(const opt_list *options, const fitting_steps *steps, void *own);

/* Trains, or adds to the old model, with Ctrl-C as the hook for interrupts, and measures the time.
 */
sporf_status fitting_train(fitting *f, sporf_hooks *hooks);

/* Reports a failed training. Returns the exit code. */
int fitting_failure(const fitting *f, sporf_status status);

/* Parts of reports: the model, the table; for text also where time and memory went. */
void fitting_model_json(json *writer, const fitting *f);
void fitting_data_json(json *writer, const fitting *f);
void fitting_model_lines(FILE *stream, const fitting *f);
void fitting_time_line(FILE *stream, const fitting *f);
void fitting_file_lines(FILE *stream, const fitting *f);

#endif
