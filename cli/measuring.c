/* Reads the training table again, with its label, targets and weights. */
#include "measuring.h"

#include "cli.h"
#include "interrupt.h"
#include "out.h"
#include "predicting.h"
#include "table_input.h"

void measuring_declare(opt_list *options, int targets) {
    input_declare(options, "the class column; not needed if it has the same name as in training",
                  1);
    if (targets) {
        input_declare_labels(options);
        input_declare_target(options);
    }
    input_declare_weight(options);
    input_declare_ignore(options);
    input_declare_limits(options);
}

static void show_progress(void *payload, size_t done, size_t trees) {
    progress_show(payload, done, trees);
}

static int asked_to_stop(void *payload) {
    (void)payload;
    return interrupt_seen();
}

static int read_table(const opt_list *options, const sporf_forest *forest, sporf_read_options *read,
                      sporf_dataset **data) {
    int code = predicting_training(options, forest, read);
    if (code != EXIT_DONE) return code;
    if (read->targets_count + read->labels_count == 0)
        return input_read_labelled(options, read, data);
    sporf_status status = input_read(options, read, data);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}

int measuring_read(const opt_list *options, const sporf_forest *forest, measuring *m) {
    sporf_read_options read;
    *m = (measuring){0};
    sporf_measure_options_init(&m->options);
    m->options.seed = 1; /* the default of --seed */
    sporf_hooks_init(&m->hooks);
    m->hooks.payload = &m->bar;
    m->hooks.progress = show_progress;
    m->hooks.interrupt = asked_to_stop;
    int code = input_options(options, &read);
    if (code == EXIT_DONE) code = read_table(options, forest, &read, &m->data);
    m->options.threads = read.threads;
    input_free(&read);
    return code;
}

void measuring_free(measuring *m) {
    sporf_dataset_free(m->data);
    m->data = NULL;
}

void measuring_start(measuring *m) {
    interrupt_catch();
    progress_start(&m->bar, "trees");
}

void measuring_end(measuring *m) {
    progress_end(&m->bar);
}
