/* The sums of trees become scores, and a link turns these into predictions, with the same
 * operations as in the library. */
#include "export_boosting.h"

#include "printed.h"

#include <string.h>

static const char scores[] =
    "\nstatic void score(const float *row, double *scores) {\n"
    "    size_t i;\n"
    "    for (i = 0; i < OUTPUTS; i++) scores[i] = 0;\n"
    "    for (i = 0; i < $_TREES; i++)\n"
    "        scores[i % OUTPUTS] += means[trees[i].first + i + leaf_of(&trees[i], row)];\n"
    "    for (i = 0; i < OUTPUTS; i++) scores[i] = bases[i] + scores[i] / (double)BAGS;\n"
    "}\n";

/* As spf_exp; numbers are rounded to integers by adding 1.5 * 2^52, which leaves no bits for
 * more. */
static const char exponential[] =
    "\n/* Keeps a product apart from the sum that it goes into. */\n"
    "static double apart(double value) {\n"
    "#if defined(__GNUC__) && defined(__aarch64__)\n"
    "    __asm__(\"\" : \"+w\"(value));\n"
    "    return value;\n"
    "#elif defined(__GNUC__) && defined(__SSE2_MATH__)\n"
    "    __asm__(\"\" : \"+x\"(value));\n"
    "    return value;\n"
    "#else\n"
    "    volatile double kept = value;\n"
    "    return kept;\n"
    "#endif\n"
    "}\n"
    "\n/* e^x, with the same bits on every machine: 2^k times a series of the rest. */\n"
    "static double exponential(double x) {\n"
    "    static const double factor[] = {\n"
    "        1, 1, 1 / 2., 1 / 6., 1 / 24., 1 / 120., 1 / 720., 1 / 5040., 1 / 40320.,\n"
    "        1 / 362880., 1 / 3628800., 1 / 39916800., 1 / 479001600., 1 / 6227020800.};\n"
    "    static const double integer = 6755399441055744.0;\n"
    "    double k, rest, sum = 0, power = 1, base;\n"
    "    int i;\n"
    "    if (x < -700) return 0;\n"
    "    if (x > 700) x = 700;\n"
    "    k = apart(apart(x * 1.44269504088896340736) + integer) - integer;\n"
    "    rest = x - apart(k * 0.69314718055989033) - apart(k * 5.4979230187083712e-14);\n"
    "    for (i = 13; i >= 0; i--) sum = apart(sum * rest) + factor[i];\n"
    "    base = k < 0 ? 0.5 : 2;\n"
    "    for (i = (int)(k < 0 ? -k : k); i > 0; i /= 2, base *= base)\n"
    "        if (i % 2) power *= base;\n"
    "    return sum * power;\n"
    "}\n";

typedef struct {
    const char *name; /* as in sporf_boosting */
    const char *code; /* of outputs_of */
} link_code;

#define OUTPUTS_OF(body)                                                                           \
    "\nstatic void outputs_of(const float *row, double *outputs) {\n" body "}\n"

static const link_code links[] = {
    {"identity", OUTPUTS_OF("    score(row, outputs);\n")},
    {"log",
     OUTPUTS_OF("    size_t i;\n"
                "    score(row, outputs);\n"
                "    for (i = 0; i < OUTPUTS; i++) outputs[i] = exponential(outputs[i]);\n")},
    {"logit", OUTPUTS_OF("    double odds;\n"
                         "    score(row, &odds);\n"
                         "    outputs[0] = 1 / (1 + exponential(odds));\n"
                         "    outputs[1] = 1 / (1 + exponential(-odds));\n")},
    {"softmax",
     OUTPUTS_OF("    double most, sum = 0;\n"
                "    size_t i;\n"
                "    score(row, outputs);\n"
                "    most = outputs[0];\n"
                "    for (i = 1; i < OUTPUTS; i++)\n"
                "        if (outputs[i] > most) most = outputs[i];\n"
                "    for (i = 0; i < OUTPUTS; i++) sum += outputs[i] = exponential(outputs[i] - "
                "most);\n"
                "    for (i = 0; i < OUTPUTS; i++) outputs[i] /= sum;\n")},
};

static void put_bases(out_file *file, const sporf_boosting *boosting) {
    enum { IN_LINE = 4 };
    char text[TEXT_NUMBER];
    fprintf(file->stream, "\nenum { OUTPUTS = %zu, BAGS = %zu };\n", boosting->outputs,
            boosting->bags);
    fputs("\n/* What scores begin with. */", file->stream);
    export_begin_table(file, "double", "bases", boosting->outputs);
    for (size_t i = 0; i < boosting->outputs && out_ok(file); i++) {
        export_begin_item(file, i, IN_LINE);
        fprintf(file->stream, "%s,", text_double(text, boosting->base[i]));
    }
    export_end_table(file);
}

void export_boosting_source(out_file *file, const export_c *plan) {
    sporf_boosting boosting;
    if (!sporf_forest_boosting(plan->forest, &boosting)) return;
    put_bases(file, &boosting);
    export_put(file, plan, scores);
    if (strcmp(boosting.link, links[0].name) != 0) export_put(file, plan, exponential);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (strcmp(boosting.link, links[i].name) == 0) export_put(file, plan, links[i].code);
}

uint64_t export_boosting_size(const sporf_forest *forest) {
    enum { CODE = 3072, DOUBLE = 28 };
    sporf_boosting boosting;
    if (!sporf_forest_boosting(forest, &boosting)) return 0;
    return CODE + boosting.outputs * DOUBLE;
}
