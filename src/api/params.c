/* The table of options, and text to and from the fields it describes. */
#include "api/params.h"

#include "base/number.h"
#include "base/spelling.h"
#include "base/text.h"
#include "base/versioned.h"
#include "data/weights.h"
#include "learn/settings/settings.h"
#include "learn/splitting/criterion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    CHOICE,
    WHOLE,
    WHOLE_AUTO,
    WHOLE64,
    FRACTION,
    SHARE,
    AMOUNT,
    BYTES,
    SECONDS,
    CLASS_WEIGHTS,
    TEXT
} kind;

typedef struct {
    sporf_option option; /* the public part */
    kind kind;
    size_t offset; /* into sporf_params */
    double least, most;
    /* the models that record it; UNUSUAL: those in which it is not the default */
    enum { NOTHING, MODELS, CLASSES, WEIGHTED, UNUSUAL } shapes;
    enum { FOREST = 1, BOOSTING = 2, BOTH = 3 } learners; /* that use it */
} row;

/* The values of auto, of a fraction and of an integer: training chooses. */
#define FRACTION_AUTO 0.0
enum { AUTO = 0 };

#define BELOW_ONE 0x1.fffffffffffffp-1 /* the last number before 1 */

#define FIELD(field) offsetof(sporf_params, field)
#define CRITERION(value, name) "|" #name
#define CRITERIA (&(SPF_CRITERIA(CRITERION))[1])

/* clang-format off */
static const row table[] = {
    {{"method", "choice", spf_method_names, "sporf",
      "how the candidate splits of a node are drawn"}, CHOICE, FIELD(method), 0, 0, MODELS, BOTH},
    {{"trees", "integer", "1 to 10000000, or auto", "500",
      "number of trees; auto: as many as help, 50 to 2000, by the out-of-bag error"},
     WHOLE_AUTO, FIELD(trees), 1, 1e7, MODELS, FOREST},
    {{"projections", "amount", "a number, p, sqrt, p^E, Kp such as 0.5p, or auto", "auto",
      "number of candidates in each node (d); for ccf the number of features; auto: sqrt for rf, "
      "chosen by pilot forests for sporf with bags, otherwise p; p is the number of features"},
     AMOUNT, FIELD(projections), 0, 0, MODELS, BOTH},
    {{"density", "amount", "K/p, a fraction or auto", "auto",
      "mean share of the features in a projection (lambda), for sporf and frc; auto: chosen "
      "together with projections, otherwise 3/p, or 1/p for sporf in regression or below ten "
      "features"},
     AMOUNT, FIELD(density), 0, 0, MODELS, BOTH},
    {{"weights", "choice", "auto|sign|one|uniform|normal", "auto",
      "weights in a projection; auto: sign for sporf, uniform for frc, one for patch"},
     CHOICE, FIELD(weights), 0, 0, MODELS, BOTH},
    {{"nonzeros", "choice", "grid|poisson", "grid",
      "how sporf draws features: cells of the p x d matrix, or a Poisson number for each projection"},
     CHOICE, FIELD(nonzeros), 0, 0, MODELS, BOTH},
    {{"image-width", "integer", "0 to 1000000000", "0",
      "patch: features in one line of the image; 0 for a series"},
     WHOLE, FIELD(image_width), 0, 1e9, MODELS, BOTH},
    {{"patch-min", "integer", "1 to 65535", "1",
      "patch: smallest length of a side"}, WHOLE, FIELD(patch_min), 1, 65535, MODELS, BOTH},
    {{"patch-max", "integer", "1 to 65535", "5",
      "patch: largest length of a side"}, WHOLE, FIELD(patch_max), 1, 65535, MODELS, BOTH},
    {{"criterion", "choice", CRITERIA, "gini",
      "splitting criterion for classification; regression uses the variance"},
     CHOICE, FIELD(criterion), 0, 0, CLASSES, FOREST},
    {{"split", "choice", "auto|exact", "auto",
      "how cuts are searched: exact tries all; auto tries those between bins in large nodes, then "
      "all near the best"}, CHOICE, FIELD(split), 0, 0, MODELS, FOREST},
    {{"max-depth", "integer", "0 to 1000000000", "0",
      "maximum depth; 0 for no limit"},
     WHOLE, FIELD(max_depth), 0, 1e9, MODELS, BOTH},
    {{"min-split", "integer", "2 to 1000000000, or auto", "auto",
      "minimum number of rows in a node to split it, counted as often as they are in the bag; auto: 5 "
      "in regression, otherwise 2"},
     WHOLE_AUTO, FIELD(min_split), 2, 1e9, MODELS, FOREST},
    {{"min-leaf", "integer", "1 to 1000000000, or auto", "auto",
      "minimum number of rows in a leaf, counted in the same way; larger for noisy data; auto: "
      "chosen together with projections, otherwise 1"},
     WHOLE_AUTO, FIELD(min_leaf), 1, 1e9, MODELS, BOTH},
    {{"min-leaf-weight", "real", "from 0 to 0.5", "0",
      "minimum share of the weight of a tree's rows in a leaf, in addition to min-leaf; without "
      "weights, a share of the rows"}, SHARE, FIELD(min_leaf_weight), 0, 0.5, UNUSUAL, FOREST},
    {{"bag", "choice", "auto|bootstrap|stratified|subsample|none", "auto",
      "how the rows of a tree are drawn; auto: none for ccf, otherwise bootstrap, but subsample for "
      "sporf if projections are auto for the classes of more than 10,000 rows"},
     CHOICE, FIELD(bag), 0, 0, MODELS, FOREST},
    {{"bag-fraction", "real", "above 0, up to 1, or auto", "auto",
      "share of the rows to draw for a tree, with replacement except for subsample; auto: 0.632 "
      "for subsample, 0.8 for that of auto, otherwise 1"}, FRACTION, FIELD(bag_fraction), 0, 1, MODELS, FOREST},
    {{"class-weights", "text", "none, balanced, or NAME=W,NAME=W with 1 for all others", "none",
      "class weights, multiplied with the row weights; balanced gives all classes the same total "
      "weight"},
     CLASS_WEIGHTS, FIELD(class_weights), 0, 0, CLASSES, BOTH},
    {{"weight-is", "choice", "relative|count", "relative",
      "what row weights mean; relative: only their ratios matter; count: how often a row is "
      "repeated"},
     CHOICE, FIELD(weight_is), 0, 0, WEIGHTED, BOTH},
    {{"honest", "real", "from 0 up to less than 1", "0",
      "share of the bag's rows that fill the leaves and do not choose splits; usually 0.5"},
     SHARE, FIELD(honest), 0, BELOW_ONE, MODELS, FOREST},
    {{"scale", "choice", "none|sd|range|iqr|auto", "auto",
      "divide features by their spread when projecting; the model still takes raw units; auto: sd "
      "in regression, or if standard deviations differ by more than a factor of 100 and not all "
      "features are bytes, otherwise none"},
     CHOICE, FIELD(scale), 0, 0, MODELS, BOTH},
    {{"samples", "choice", "keep|drop", "keep",
      "regression: keep the training values in the leaves, for quantiles and intervals; drop makes "
      "the model smaller"}, CHOICE, FIELD(samples), 0, 0, MODELS, FOREST},
    {{"calibration", "choice", "auto|none", "auto",
      "classification: learn from out-of-bag votes how far to trust votes, for probabilities that "
      "are as often right as they say; changes no class; none: shares of votes"},
     CHOICE, FIELD(calibration), 0, 0, UNUSUAL, FOREST},
    {{"cost", "text", "none, or TRUE:PREDICTED=COST,... with 1 for all other errors", "none",
      "classification: costs of errors; the class with the least expected cost is predicted"},
     TEXT, FIELD(cost), 0, 0, UNUSUAL, BOTH},
    {{"recall", "text", "none, or CLASS=SHARE", "none",
      "two classes: predict CLASS from the probability on that finds at least this share of its "
      "out-of-bag rows, with the highest precision"},
     TEXT, FIELD(recall), 0, 0, UNUSUAL, FOREST},
    {{"learner", "choice", "forest|boosting", "forest",
      "what is trained: trees that are averaged, or trees that correct those before them"},
     CHOICE, FIELD(learner), 0, 0, UNUSUAL, BOTH},
    {{"rounds", "integer", "1 to 1000000", "2000",
      "maximum number of rounds; each adds a tree for every output and bag"},
     WHOLE, FIELD(rounds), 1, 1e6, MODELS, BOOSTING},
    {{"rate", "real", "above 0, up to 1, or auto", "auto",
      "learning rate: the factor of every leaf; auto: 0.05, or 0.1 from 10,000 rows on"}, FRACTION, FIELD(rate), 0, 1, MODELS, BOOSTING},
    {{"max-leaves", "integer", "0 to 1000000", "0",
      "maximum number of leaves of a tree, which then grows where it gains most; 0 for no limit"},
     WHOLE, FIELD(max_leaves), 0, 1e6, MODELS, BOOSTING},
    {{"valid", "real", "from 0 to 0.9", "0.1",
      "share of the rows that are held out to stop by; 0: none, and all rounds are kept"},
     SHARE, FIELD(valid), 0, 0.9, MODELS, BOOSTING},
    {{"patience", "integer", "1 to 1000000", "50",
      "rounds without a smaller loss on held-out rows after which training stops"},
     WHOLE, FIELD(patience), 1, 1e6, MODELS, BOOSTING},
    {{"loss", "choice", "auto|squared|absolute|quantile|poisson|log", "auto",
      "what is minimised; auto: log for classification, squared for regression"},
     CHOICE, FIELD(loss), 0, 0, MODELS, BOOSTING},
    {{"quantile", "real", "above 0, below 1", "0.5",
      "the quantile that the loss quantile predicts"},
     SHARE, FIELD(quantile), 0x1p-30, BELOW_ONE, MODELS, BOOSTING},
    {{"l2", "real", "from 0 to 1000000000", "1",
      "L2 penalty: added to the hessian of every leaf"}, SHARE, FIELD(l2), 0, 1e9, MODELS, BOOSTING},
    {{"subsample", "real", "above 0, up to 1, or auto", "auto",
      "share of the rows that a tree is grown on; auto: 0.7 for regression with held-out rows, "
      "otherwise 1"},
     FRACTION, FIELD(subsample), 0, 1, MODELS, BOOSTING},
    {{"bags", "integer", "1 to 1000, or auto", "auto",
      "boosters with different held-out rows whose scores are averaged; auto: 1 to 8, more for small "
      "tables"},
     WHOLE_AUTO, FIELD(bags), 1, 1000, MODELS, BOOSTING},
    {{"monotone", "text", "none, or NAME=+,NAME=-", "none",
      "features with which predictions never fall (+) or never rise (-)"},
     TEXT, FIELD(monotone), 0, 0, UNUSUAL, BOOSTING},
    {{"seed", "integer", "0 to 18446744073709551615", "1",
      "seed; the same seed gives the same forest"}, WHOLE64, FIELD(seed), 0, 0, MODELS, BOTH},
    {{"effort", "choice", "low|default|high", "default",
      "time for choosing projections, density and min-leaf if they are auto; low: none, fixed "
      "values; default: about an eighth of the work of the trees, at least a tenth of a second, and "
      "costly values only if they gain much; high: up to 40 times the work of the trees, and costly "
      "values, with which these take many times as long, if they gain at all"},
     CHOICE, FIELD(effort), 0, 0, NOTHING, FOREST},
    {{"time", "duration", "seconds, or with s, m or h, up to a year, or none", "none",
      "end the training after this time with what was grown so far, at least one tree or round; "
      "choosing settings takes at most half of it"},
     SECONDS, FIELD(time), 0, 366 * 86400.0, NOTHING, BOTH},
    {{"threads", "integer", "0 to 4096", "0",
      "number of threads; 0 for one per core; never changes the forest"},
     WHOLE, FIELD(threads), 0, 4096, NOTHING, BOTH},
    {{"device", "choice", "auto|cpu|gpu", "auto",
      "what grows the trees: cpu, gpu, or auto: the GPU if there is one and it is expected to be "
      "faster; never changes the forest"},
     CHOICE, FIELD(device), 0, 0, NOTHING, FOREST},
    {{"max-memory", "bytes", "bytes, or with K, M or G", "0",
      "do not start what may need more memory; 0 limits only the table, to the memory of the "
      "machine"}, BYTES, FIELD(max_memory), 0, 0, NOTHING, BOTH},
};
/* clang-format on */

enum { ROWS = sizeof table / sizeof *table, VALUE_TEXT_MAX = 96 };

const sporf_option *sporf_option_at(size_t index) {
    return index < ROWS ? &table[index].option : NULL;
}

/* '_' and '-' are equal in names, for languages in which '-' is a minus. */
static int same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b)) return 0;
    return *a == *b;
}

static const row *find(const char *name) {
    for (size_t i = 0; name && i < ROWS; i++)
        if (same_name(table[i].option.name, name)) return &table[i];
    return NULL;
}

static sporf_status raise_value(const row *r, const char *value) {
    static const char *const kinds[] = {[CHOICE] = "one of ",
                                        [WHOLE] = "a whole number from ",
                                        [WHOLE_AUTO] = "a whole number from ",
                                        [WHOLE64] = "a whole number from ",
                                        [FRACTION] = "a number ",
                                        [SHARE] = "a number ",
                                        [AMOUNT] = "above 0: ",
                                        [BYTES] = "",
                                        [SECONDS] = "a time above 0: ",
                                        [CLASS_WEIGHTS] = "",
                                        [TEXT] = ""};
    return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("%s") " must be %s%s, got '%s'",
                     r->option.name, kinds[r->kind], r->option.choices, value);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The index of a word among choices separated by '|', or -1. */
static int choice_index(const char *choices, const char *word) {
    size_t length = strlen(word);
    for (int index = 0;; index++) {
        size_t span = strcspn(choices, "|");
        if (span == length && memcmp(choices, word, length) == 0) return index;
        if (choices[span] == '\0') return -1;
        choices += span + 1;
    }
}

/* Whether text up to `end` is a number. */
static int read_real(const char *text, const char *end, double *number) {
    char copy[SPF_NUMBER_TEXT_MAX];
    size_t length = (size_t)(end - text);
    if (length >= sizeof copy) return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return spf_number_read(copy, copy + length, number) && isfinite(*number);
}

static int read_whole(const char *text, uint64_t *number) {
    *number = 0;
    if (!*text) return 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return 0;
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(*text - '0'), number))
            return 0;
    }
    return 1;
}

static int read_bytes(const char *text, uint64_t *bytes) {
    size_t length = strlen(text);
    static const char suffixes[] = "KMG";
    const char *suffix = length > 0 ? strchr(suffixes, text[length - 1] & ~0x20) : NULL;
    double number;
    if (!suffix || !*suffix) return read_whole(text, bytes);
    if (!read_real(text, text + length - 1, &number) || number < 0) return 0;
    number = ldexp(number, 10 * (int)(suffix - suffixes + 1));
    if (number >= 0x1p63) return 0;
    *bytes = (uint64_t)number;
    return 1;
}

/* Seconds; 0 for none. */
static int read_seconds(const char *text, double *seconds) {
    static const char units[] = "smh";
    static const double unit_seconds[] = {1, 60, 3600};
    size_t length = strlen(text);
    const char *unit = length > 0 ? strchr(units, text[length - 1]) : NULL;
    *seconds = 0;
    if (strcmp(text, "none") == 0) return 1;
    if (!read_real(text, text + length - (unit ? 1 : 0), seconds)) return 0;
    if (unit) *seconds *= unit_seconds[unit - units];
    return *seconds > 0;
}

/* A number, p, sqrt, p^E, Kp, Kp^E or K/p. */
static int read_amount(const char *text, sporf_amount *amount) {
    const char *end = text + strlen(text), *p = strchr(text, 'p');
    *amount = (sporf_amount){1, 0};
    if (strcmp(text, "sqrt") == 0) {
        amount->exponent = 0.5;
        return 1;
    }
    if (!p) return read_real(text, end, &amount->factor);
    int divided = p > text && p[-1] == '/';
    amount->exponent = divided ? -1 : 1;
    if (p > text && !read_real(text, p - divided, &amount->factor)) return 0;
    if (p + 1 == end) return 1;
    return !divided && p[1] == '^' && read_real(p + 2, end, &amount->exponent);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static int in_range(const row *r, const void *field) {
    switch (r->kind) {
    case CHOICE: {
        int index, last = 0;
        memcpy(&index, field, sizeof index);
        for (const char *c = r->option.choices; *c; c++) last += *c == '|';
        return index >= 0 && index <= last;
    }
    case WHOLE:
    case WHOLE_AUTO: {
        uint32_t number = *(const uint32_t *)field;
        if (r->kind == WHOLE_AUTO && number == AUTO) return 1;
        return number >= r->least && number <= r->most;
    }
    case FRACTION: {
        double number = *(const double *)field;
        return number == FRACTION_AUTO || (number > r->least && number <= r->most);
    }
    case SHARE:
    case SECONDS: {
        double number = *(const double *)field;
        return number >= r->least && number <= r->most;
    }
    case AMOUNT: {
        const sporf_amount *amount = field;
        if (spf_is_auto(*amount)) return amount->exponent == 0;
        return amount->factor > 0 && isfinite(amount->factor) && fabs(amount->exponent) <= 4;
    }
    case CLASS_WEIGHTS:
        return spf_class_weights_ok(*(const char *const *)field);
    default:
        return 1;
    }
}

static sporf_status set_field(const row *r, const char *value, void *field) {
    uint64_t whole;
    int ok = 0;
    switch (r->kind) {
    case CHOICE: {
        int index = choice_index(r->option.choices, value);
        ok = index >= 0;
        if (ok) memcpy(field, &index, sizeof index);
        break;
    }
    case WHOLE:
        ok = read_whole(value, &whole) && whole <= UINT32_MAX;
        if (ok) *(uint32_t *)field = (uint32_t)whole;
        break;
    case WHOLE_AUTO:
        if (strcmp(value, "auto") == 0) {
            *(uint32_t *)field = AUTO;
            return SPORF_OK;
        }
        ok = read_whole(value, &whole) && whole <= UINT32_MAX && whole != AUTO;
        if (ok) *(uint32_t *)field = (uint32_t)whole;
        break;
    case WHOLE64:
        ok = read_whole(value, field);
        break;
    case FRACTION:
        *(double *)field = FRACTION_AUTO;
        ok = strcmp(value, "auto") == 0 ||
             (read_real(value, value + strlen(value), field) && *(double *)field != FRACTION_AUTO);
        break;
    case SHARE:
        ok = read_real(value, value + strlen(value), field);
        break;
    case AMOUNT:
        *(sporf_amount *)field = SPF_AUTO;
        ok = strcmp(value, "auto") == 0 ||
             (read_amount(value, field) && !spf_is_auto(*(const sporf_amount *)field));
        break;
    case BYTES:
        ok = read_bytes(value, field);
        break;
    case SECONDS:
        ok = read_seconds(value, field);
        break;
    case CLASS_WEIGHTS:
    case TEXT:
        ok = 1;
        *(const char **)field = strcmp(value, "none") == 0 ? NULL : value;
        break;
    }
    return ok && in_range(r, field) ? SPORF_OK : raise_value(r, value);
}

static void fill_defaults(sporf_params *params) {
    *params = (sporf_params){.struct_size = sizeof *params};
    for (size_t i = 0; i < ROWS; i++)
        set_field(&table[i], table[i].option.default_value, (char *)params + table[i].offset);
}

/* Copies the caller's parameters, of any version, over the defaults. */
static sporf_status complete(const sporf_params *given, sporf_params *params) {
    fill_defaults(params);
    return spf_versioned_read(given, params, sizeof *params, "sporf_params_init");
}

static sporf_status raise_unknown(const char *name) {
    char shown[SPF_NAME_TEXT_MAX], near[SPF_NAME_TEXT_MAX];
    spf_strings names = {0};
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < ROWS; i++)
        status = spf_strings_add(&names, table[i].option.name, strlen(table[i].option.name));
    const char *nearest = status == SPORF_OK ? spf_nearest_name(name, strlen(name), &names) : NULL;
    if (nearest) spf_name_text(nearest, near);
    spf_strings_free(&names);
    if (status != SPORF_OK) return status;
    spf_name_text(name, shown);
    if (!nearest) return spf_raise(SPORF_ERROR_ARGUMENT, "there is no option '%s'", shown);
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "there is no option '%s'" SPF_HINT "did you mean " SPF_OPTION("%s") "?", shown,
                     near);
}

/* The row of an option that parameters of this size have. */
static sporf_status look_up(const char *name, size_t struct_size, const row **found) {
    *found = find(name);
    if (*found && (*found)->offset < struct_size) return SPORF_OK;
    return raise_unknown(name ? name : "");
}

sporf_status sporf_params_set(sporf_params *params, const char *name, const char *value) {
    sporf_params changed;
    const row *r;
    if (!params) return spf_raise(SPORF_ERROR_ARGUMENT, "params is NULL");
    SPF_TRY(complete(params, &changed));
    SPF_TRY(look_up(name, params->struct_size, &r));
    if (!value) return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("%s") " has no value", name);
    SPF_TRY(set_field(r, value, (char *)&changed + r->offset));
    changed.struct_size = params->struct_size;
    memcpy(params, &changed, params->struct_size);
    return SPORF_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void print_choice(const char *choices, int index, char *buffer, size_t size) {
    for (; index > 0; index--) choices = strchr(choices, '|') + 1;
    snprintf(buffer, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

static void print_amount(const sporf_amount *amount, char *buffer, size_t size) {
    char factor[SPF_NUMBER_TEXT_MAX], exponent[SPF_NUMBER_TEXT_MAX];
    spf_number_write_double(amount->factor, factor);
    spf_number_write_double(amount->exponent, exponent);
    if (amount->exponent == 0)
        snprintf(buffer, size, "%s", factor);
    else if (amount->exponent == -1)
        snprintf(buffer, size, "%s/p", factor);
    else if (amount->exponent == 1)
        snprintf(buffer, size, "%sp", amount->factor == 1 ? "" : factor);
    else
        snprintf(buffer, size, "%sp^%s", amount->factor == 1 ? "" : factor, exponent);
}

/* The field as text, in the buffer or in place. */
static const char *text_of(const row *r, const void *field, char buffer[VALUE_TEXT_MAX]) {
    int index;
    const char *text;
    switch (r->kind) {
    case CHOICE:
        memcpy(&index, field, sizeof index);
        print_choice(r->option.choices, index, buffer, VALUE_TEXT_MAX);
        break;
    case WHOLE:
    case WHOLE_AUTO:
        if (r->kind == WHOLE_AUTO && *(const uint32_t *)field == AUTO) return "auto";
        snprintf(buffer, VALUE_TEXT_MAX, "%lu", (unsigned long)*(const uint32_t *)field);
        break;
    case FRACTION:
    case SHARE:
    case SECONDS:
        if (r->kind == SECONDS && *(const double *)field == 0) return "none";
        if (r->kind == FRACTION && *(const double *)field == FRACTION_AUTO) return "auto";
        spf_number_write_double(*(const double *)field, buffer);
        break;
    case AMOUNT:
        if (spf_is_auto(*(const sporf_amount *)field)) return "auto";
        print_amount(field, buffer, VALUE_TEXT_MAX);
        break;
    case WHOLE64:
    case BYTES:
        snprintf(buffer, VALUE_TEXT_MAX, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case CLASS_WEIGHTS:
    case TEXT:
        text = *(const char *const *)field;
        return text ? text : "none";
    }
    return buffer;
}

sporf_status sporf_params_get(const sporf_params *params, const char *name, char *buffer,
                              size_t size) {
    sporf_params known;
    const row *r;
    if (!params) return spf_raise(SPORF_ERROR_ARGUMENT, "params is NULL");
    SPF_TRY(complete(params, &known));
    SPF_TRY(look_up(name, params->struct_size, &r));
    const void *field = (const char *)&known + r->offset;
    char value[VALUE_TEXT_MAX];
    if (!in_range(r, field))
        return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("%s") " must be %s", r->option.name,
                         r->option.choices);
    const char *text = text_of(r, field, value);
    if (!buffer || strlen(text) >= size)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("%s") " is '%.96s', too long for a buffer of %zu bytes",
                         r->option.name, text, size);
    strcpy(buffer, text);
    return SPORF_OK;
}

sporf_status spf_params_add(const char *name, const char *value, spf_strings *settings) {
    SPF_TRY(spf_strings_add(settings, name, strlen(name)));
    return spf_strings_add(settings, value, strlen(value));
}

const char *spf_params_unrecorded(const char *name) {
    const row *r = find(name);
    return r && r->shapes == UNUSUAL ? r->option.default_value : NULL;
}

static int is_used(const row *r, sporf_learner learner) {
    return (r->learners & (learner == SPORF_LEARNER_FOREST ? FOREST : BOOSTING)) != 0;
}

int sporf_learner_uses(sporf_learner learner, const char *option) {
    const row *r = find(option);
    return r && is_used(r, learner);
}

static int belongs(const row *r, const char *value, size_t targets, int weighted) {
    return r->shapes == MODELS || (r->shapes == CLASSES && targets == 0) ||
           (r->shapes == WEIGHTED && weighted) ||
           (r->shapes == UNUSUAL && strcmp(value, r->option.default_value) != 0);
}

sporf_status spf_params_record(const sporf_params *params, const char *sampler, size_t targets,
                               int weighted, spf_strings *settings) {
    for (size_t i = 0; i < ROWS; i++) {
        const row *r = &table[i];
        char buffer[VALUE_TEXT_MAX];
        const char *value = text_of(r, (const char *)params + r->offset, buffer);
        if (!is_used(r, params->learner) || !belongs(r, value, targets, weighted)) continue;
        if (sampler && r->offset == FIELD(method)) {
            SPF_TRY(spf_params_add(SPF_SAMPLER_SETTING, sampler, settings));
            continue;
        }
        SPF_TRY(spf_params_add(r->option.name, value, settings));
    }
    return SPORF_OK;
}

/* ---- whole structs --------------------------------------------------------------------------- */

void sporf_params_init_sized(sporf_params *params, size_t struct_size) {
    sporf_params defaults;
    fill_defaults(&defaults);
    spf_versioned_fill(params, struct_size, &defaults, sizeof defaults);
}

static sporf_status check_ranges(const sporf_params *params) {
    for (size_t i = 0; i < ROWS; i++) {
        const row *r = &table[i];
        const void *field = (const char *)params + r->offset;
        char value[VALUE_TEXT_MAX];
        int index;
        if (in_range(r, field)) continue;
        if (r->kind != CHOICE) return raise_value(r, text_of(r, field, value));
        memcpy(&index, field, sizeof index);
        snprintf(value, sizeof value, "%d", index);
        return raise_value(r, value);
    }
    return SPORF_OK;
}

sporf_status spf_params_check_fixed(const sporf_params *params, const char *what) {
    if (params->trees == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION_AS("trees", "auto") " cannot be used for %s, which must agree "
                                                        "on the number of trees" SPF_HINT
                                                        "give a number",
                         what);
    if (params->time > 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("time") " cannot be used for %s, which have all their trees or "
                                            "none" SPF_HINT "leave it out",
                         what);
    if (params->recall)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("recall") " cannot be used for %s: the threshold follows from "
                                              "the out-of-bag rows of the whole forest" SPF_HINT
                                              "use " SPF_OPTION("cost") ", which needs none",
                         what);
    return SPORF_OK;
}

sporf_status spf_params_check_no_gpu(const sporf_params *params, const char *what) {
    if (params->device != SPORF_DEVICE_GPU) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION_AS("device", "gpu") " cannot be used for %s, which grow on the "
                                                    "CPU" SPF_HINT "use " SPF_OPTION_AS(
                                                        "device", "cpu") ", or leave it out",
                     what);
}

sporf_status spf_params_read(const sporf_params *given, sporf_params *params) {
    SPF_TRY(complete(given, params));
    return check_ranges(params);
}
