/* Classification, one target, several targets: the parts of exported source that differ. */
#include "export_outcome.h"

/* ---- classes --------------------------------------------------------------------------------- */

static const export_outcome classes = {
    .unit = "CLASSES",
    .count = sporf_forest_classes,
    .names = "class_names",
    .name = sporf_schema_class_name,
    .leaf = "the class that it votes for",
    .example = " *     puts(@_class_name(@_predict(row)));\n",
    .promise =
        "@_predict keeps $_CLASSES counts on the stack. Classes and votes\n"
        " * are those of sporf, bit for bit, unless the program is built with -ffast-math.\n",
    .declarations =
        "\n/* The class of a row of $_FEATURES values, in the order and the units of the training: "
        "the\n"
        " * one with most votes, the lower in a tie. A missing value is NaN. */\n"
        "int @_predict(const float *row);\n"
        "\n/* Sets votes[k] to the number of trees that vote for class k; they sum to $_TREES. */\n"
        "void @_votes(const float *row, unsigned votes[$_CLASSES]);\n"
        "\n/* Sets probabilities[k] to that of class k. */\n"
        "void @_probabilities(const float *row, double probabilities[$_CLASSES]);\n"
        "\n/* The name of class 0 .. $_CLASSES - 1; a null pointer for others. */\n"
        "const char *@_class_name(int index);\n",
    .functions = "\nvoid @_votes(const float *row, unsigned votes[$_CLASSES]) {\n"
                 "    size_t i;\n"
                 "    for (i = 0; i < $_CLASSES; i++) votes[i] = 0;\n"
                 "    for (i = 0; i < $_TREES; i++) votes[leaf_of(&trees[i], row)]++;\n"
                 "}\n"
                 "\nint @_predict(const float *row) {\n"
                 "    unsigned votes[$_CLASSES];\n"
                 "    int best = 0, k;\n"
                 "    @_votes(row, votes);\n"
                 "    for (k = 1; k < $_CLASSES; k++)\n"
                 "        if (votes[k] > votes[best]) best = k;\n"
                 "    return best;\n"
                 "}\n"
                 "\nvoid @_probabilities(const float *row, double probabilities[$_CLASSES]) {\n"
                 "    unsigned votes[$_CLASSES];\n"
                 "    double sum = 0;\n"
                 "    int k;\n"
                 "    @_votes(row, votes);\n"
                 "    for (k = 0; k < $_CLASSES; k++) sum += probabilities[k] = trust[votes[k]];\n"
                 "    for (k = 0; k < $_CLASSES; k++) probabilities[k] /= sum;\n"
                 "}\n"
                 "\nconst char *@_class_name(int index) {\n"
                 "    return index >= 0 && index < $_CLASSES ? class_names[index] : NULL;\n"
                 "}\n",
};

/* ---- numbers --------------------------------------------------------------------------------- */

#define LEAF_NUMBER "its number in the tree"

/* Sums are in the order of the trees and in double precision, as in prediction. */
#define SAME_NUMBERS                                                                               \
    "Numbers are those of sporf, bit for bit, unless the program\n"                                \
    " * is built with -ffast-math, or for a machine that adds with more digits than double\n"      \
    " * precision has, as the x87 does.\n"

#define DECLARE_NAME                                                                               \
    "\n/* The name of target 0 .. $_TARGETS - 1; a null pointer for others. */\n"                  \
    "const char *@_target_name(int index);\n"

#define DEFINE_NAME                                                                                \
    "\nconst char *@_target_name(int index) {\n"                                                   \
    "    return index >= 0 && index < $_TARGETS ? target_names[index] : NULL;\n"                   \
    "}\n"

static const export_outcome number = {
    .unit = "TARGETS",
    .count = sporf_forest_targets,
    .names = "target_names",
    .name = sporf_schema_target_name,
    .leaf = LEAF_NUMBER,
    .example = " *     double value = @_predict(row);\n",
    .promise = SAME_NUMBERS,
    .declarations =
        "\n/* The number of a row of $_FEATURES values, in the order and the units of the "
        "training: the\n"
        " * mean over the trees of what their leaves hold. A missing value is NaN. */\n"
        "double @_predict(const float *row);\n" DECLARE_NAME,
    .functions =
        "\ndouble @_predict(const float *row) {\n"
        "    double sum = 0;\n"
        "    size_t i;\n"
        "    for (i = 0; i < $_TREES; i++) sum += means[trees[i].first + i + leaf_of(&trees[i], "
        "row)];\n"
        "    return sum / $_TREES;\n"
        "}\n" DEFINE_NAME,
};

static const export_outcome numbers = {
    .unit = "TARGETS",
    .count = sporf_forest_targets,
    .names = "target_names",
    .name = sporf_schema_target_name,
    .leaf = LEAF_NUMBER,
    .example = " *     double values[$_TARGETS];\n"
               " *     @_predict(row, values);\n",
    .promise = SAME_NUMBERS,
    .declarations =
        "\n/* Sets values[t] to the number that target t has for a row of $_FEATURES values, in "
        "the order\n"
        " * and the units of the training: the mean over the trees of what their leaves hold. A\n"
        " * missing value is NaN. */\n"
        "void @_predict(const float *row, double values[$_TARGETS]);\n" DECLARE_NAME,
    .functions =
        "\nvoid @_predict(const float *row, double values[$_TARGETS]) {\n"
        "    size_t i, t;\n"
        "    for (t = 0; t < $_TARGETS; t++) values[t] = 0;\n"
        "    for (i = 0; i < $_TREES; i++) {\n"
        "        size_t leaf = trees[i].first + i + leaf_of(&trees[i], row);\n"
        "        for (t = 0; t < $_TARGETS; t++) values[t] += means[leaf * $_TARGETS + t];\n"
        "    }\n"
        "    for (t = 0; t < $_TARGETS; t++) values[t] /= $_TREES;\n"
        "}\n" DEFINE_NAME,
};

/* ---- boosted models -------------------------------------------------------------------------- */

#define A_ROW "a row of $_FEATURES values, in the order and the units of the training"

/* Their functions call outputs_of(row, outputs), of export_boosting.c. */
static const export_outcome boosted_classes = {
    .unit = "CLASSES",
    .count = sporf_forest_classes,
    .names = "class_names",
    .name = sporf_schema_class_name,
    .leaf = LEAF_NUMBER,
    .example = " *     puts(@_class_name(@_predict(row)));\n",
    .promise = SAME_NUMBERS,
    .declarations =
        "\n/* The class of " A_ROW ": the\n"
        " * one with the largest probability, the lower in a tie. A missing value is NaN. */\n"
        "int @_predict(const float *row);\n"
        "\n/* Sets probabilities[k] to that of class k. */\n"
        "void @_probabilities(const float *row, double probabilities[$_CLASSES]);\n"
        "\n/* The name of class 0 .. $_CLASSES - 1; a null pointer for others. */\n"
        "const char *@_class_name(int index);\n",
    .functions = "\nvoid @_probabilities(const float *row, double probabilities[$_CLASSES]) {\n"
                 "    outputs_of(row, probabilities);\n"
                 "}\n"
                 "\nint @_predict(const float *row) {\n"
                 "    double probabilities[$_CLASSES];\n"
                 "    int best = 0, k;\n"
                 "    outputs_of(row, probabilities);\n"
                 "    for (k = 1; k < $_CLASSES; k++)\n"
                 "        if (probabilities[k] > probabilities[best]) best = k;\n"
                 "    return best;\n"
                 "}\n"
                 "\nconst char *@_class_name(int index) {\n"
                 "    return index >= 0 && index < $_CLASSES ? class_names[index] : NULL;\n"
                 "}\n",
};

static const export_outcome boosted_number = {
    .unit = "TARGETS",
    .count = sporf_forest_targets,
    .names = "target_names",
    .name = sporf_schema_target_name,
    .leaf = LEAF_NUMBER,
    .example = " *     double value = @_predict(row);\n",
    .promise = SAME_NUMBERS,
    .declarations = "\n/* The number of " A_ROW ". A\n"
                    " * missing value is NaN. */\n"
                    "double @_predict(const float *row);\n" DECLARE_NAME,
    .functions = "\ndouble @_predict(const float *row) {\n"
                 "    double value;\n"
                 "    outputs_of(row, &value);\n"
                 "    return value;\n"
                 "}\n" DEFINE_NAME,
};

static const export_outcome boosted_numbers = {
    .unit = "TARGETS",
    .count = sporf_forest_targets,
    .names = "target_names",
    .name = sporf_schema_target_name,
    .leaf = LEAF_NUMBER,
    .example = " *     double values[$_TARGETS];\n"
               " *     @_predict(row, values);\n",
    .promise = SAME_NUMBERS,
    .declarations = "\n/* Sets values[t] to the number that target t has for " A_ROW ".\n"
                    " * A missing value is NaN. */\n"
                    "void @_predict(const float *row, double values[$_TARGETS]);\n" DECLARE_NAME,
    .functions = "\nvoid @_predict(const float *row, double values[$_TARGETS]) {\n"
                 "    outputs_of(row, values);\n"
                 "}\n" DEFINE_NAME,
};

const export_outcome *export_outcome_of(const sporf_forest *forest) {
    sporf_boosting boosting;
    int is_boosted = sporf_forest_boosting(forest, &boosting);
    switch (sporf_forest_targets(forest)) {
    case 0:
        return is_boosted ? &boosted_classes : &classes;
    case 1:
        return is_boosted ? &boosted_number : &number;
    default:
        return is_boosted ? &boosted_numbers : &numbers;
    }
}
