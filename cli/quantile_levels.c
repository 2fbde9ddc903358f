/* Quantile and interval levels as text. */
#include "quantile_levels.h"

#include "cli.h"
#include "out.h"

#include <stdlib.h>
#include <string.h>

void quantiles_declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Regression"},
        {.name = "quantiles",
         .value = "Q,Q",
         .range = "0 to 1",
         .help = "also quantiles, as in 0.05,0.5,0.95"},
        {.name = "interval",
         .value = "C",
         .range = "above 0, below 1",
         .help = "also a prediction interval that contains this share of new data, as in 0.9"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

void quantiles_declare_elsewhere(opt_list *options) {
    static const char advice[] =
        "a forest of numbers can predict any; ask 'sporf predict' for them";
    const opt_spec specs[] = {{.name = "quantiles", .value = "Q,Q", .elsewhere = advice},
                              {.name = "interval", .value = "C", .elsewhere = advice}};
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

/* Whether text is a number from 0 to 1. */
static int read_level(const char *text, double *level) {
    char *end;
    if (*text != '.' && (*text < '0' || *text > '9')) return 0;
    *level = strtod(text, &end);
    return *end == '\0' && *level >= 0 && *level <= 1;
}

static int refuse(const opt_list *options, const char *name, const char *what) {
    out_error(options->verb, "--%s must be %s, got '%s'", name, what, opt_value(options, name));
    return EXIT_USAGE;
}

static int read_quantiles(const opt_list *options, const char *list, quantiles *q) {
    for (size_t length; list; list = list[length] ? list + length + 1 : NULL) {
        length = strcspn(list, ",");
        if (q->count == QUANTILES_MAX || length >= QUANTILE_TEXT)
            return refuse(options, "quantiles", "a list of at most 256 short numbers");
        memcpy(q->text[q->count], list, length);
        q->text[q->count][length] = '\0';
        if (!read_level(q->text[q->count], &q->level[q->count]))
            return refuse(options, "quantiles", "numbers from 0 to 1, separated by commas");
        q->count++;
    }
    return EXIT_DONE;
}

int quantiles_read(const opt_list *options, quantiles *q) {
    const char *list = opt_value(options, "quantiles"), *share = opt_value(options, "interval");
    q->count = 0;
    q->interval = 0;
    if (share && (!read_level(share, &q->interval) || q->interval == 0 || q->interval == 1))
        return refuse(options, "interval", "a number above 0 and below 1");
    return list ? read_quantiles(options, list, q) : EXIT_DONE;
}

int quantiles_asked(const quantiles *q) {
    return q->count > 0 || q->interval > 0;
}

int quantiles_check(const char *verb, const sporf_forest *forest) {
    sporf_boosting boosting;
    if (sporf_forest_has_samples(forest)) return EXIT_DONE;
    if (sporf_forest_targets(forest) == 0)
        out_error(
            verb,
            "quantiles and intervals are for regression, but the model is for classification");
    else if (sporf_forest_boosting(forest, &boosting))
        out_error(verb, "a boosted model keeps no samples to take quantiles from: boost a quantile "
                        "itself, with sporf boost --loss quantile, or train a forest");
    else
        out_error(verb, "the model keeps no samples to take quantiles from: train it without "
                        "--samples drop");
    return EXIT_USAGE;
}
