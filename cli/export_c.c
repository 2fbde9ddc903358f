/* Writes the C source: header, tables, walk. */
#include "export_c.h"

#include "export_boosting.h"
#include "export_levels.h"
#include "export_outcome.h"
#include "printed.h"

#include <string.h>

enum { SPLITS_IN_LINE = 4, DOUBLES_IN_LINE = 4 };

/* ---- header ---------------------------------------------------------------------------------- */

static void put_settings(out_file *file, const sporf_forest *forest) {
    const char *name, *value;
    for (size_t i = 0; (name = sporf_forest_setting_at(forest, i, &value)); i++) {
        fputs("\n *     ", file->stream);
        export_put_remark(file, name);
        fputc(' ', file->stream);
        export_put_remark(file, value);
    }
}

/* The features in the order of a row; nothing if all are numbers without names. */
static void put_features(out_file *file, const sporf_forest *forest) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    if (!sporf_schema_feature_name(schema, 0) && !export_has_levels(forest)) return;
    fputs(" *\n * A row holds these features, counted from 0:\n", file->stream);
    for (size_t j = 0; j < sporf_forest_features(forest) && out_ok(file); j++) {
        const char *name = sporf_schema_feature_name(schema, j);
        size_t levels = sporf_schema_levels(schema, j);
        fprintf(file->stream, " *     %zu", j);
        if (name && *name) fputc(' ', file->stream);
        if (name) export_put_remark(file, name);
        if (levels > 0)
            fprintf(file->stream, " (%zu %s)", levels, levels == 1 ? "level" : "levels");
        fputc('\n', file->stream);
    }
}

static void put_constants(out_file *file, const export_c *plan) {
    const export_outcome *outcome = export_outcome_of(plan->forest);
    export_put(file, plan, "\n#define $_FEATURES ");
    fprintf(file->stream, "%zu", sporf_forest_features(plan->forest));
    export_put(file, plan, "\n#define $_");
    fprintf(file->stream, "%s %zu", outcome->unit, outcome->count(plan->forest));
    export_put(file, plan, "\n#define $_TREES ");
    fprintf(file->stream, "%zu\n", plan->tables.trees);
}

void export_c_header(out_file *file, const export_c *plan) {
    const export_outcome *outcome = export_outcome_of(plan->forest);
    export_put(file, plan,
               EXPORT_HEADER_BEGINS ", in C99 or C++:\n"
                                    " *\n"
                                    " *     float row[$_FEATURES] = {...};\n");
    export_put(file, plan, outcome->example);
    fputs(
        " *\n"
        " * Functions allocate nothing and change nothing but their arguments, so that any number "
        "of\n"
        " * threads may call them. ",
        file->stream);
    export_put(file, plan, outcome->promise);
    put_features(file, plan->forest);
    fprintf(file->stream, " *\n * Written by sporf %s. The model was trained with",
            sporf_version());
    put_settings(file, plan->forest);
    export_put(file, plan, "\n */\n#ifndef $_FOREST_H\n#define $_FOREST_H\n");
    put_constants(file, plan);
    fputs("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n", file->stream);
    export_put(file, plan, outcome->declarations);
    export_put(
        file, plan,
        "\n/* The name of feature 0 .. $_FEATURES - 1; a null pointer for others, and where the\n"
        " * features had no names. */\n"
        "const char *@_feature_name(int index);\n");
    if (export_has_levels(plan->forest)) export_levels_header(file, plan);
    fputs("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n", file->stream);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_names(out_file *file, const sporf_schema *schema, const char *table, size_t count,
                      const char *(*name)(const sporf_schema *, size_t)) {
    export_begin_table(file, "char *const", table, count);
    for (size_t i = 0; i < count && out_ok(file); i++) {
        export_begin_item(file, i, 1);
        export_put_string(file, name(schema, i));
        fputc(',', file->stream);
    }
    export_end_table(file);
}

static void put_terms(out_file *file, const export_tables *tables, size_t features) {
    export_begin_table(file, export_type_below(tables->terms + 1), "starts",
                       tables->projections + 1);
    for (size_t i = 0; i <= tables->projections && out_ok(file); i++) {
        export_begin_item(file, i, EXPORT_NUMBERS_IN_LINE);
        fprintf(file->stream, "%zu,", tables->start[i]);
    }
    export_end_table(file);
    export_begin_table(file, export_type_below(features), "features", tables->terms);
    for (size_t i = 0; i < tables->terms && out_ok(file); i++) {
        export_begin_item(file, i, EXPORT_NUMBERS_IN_LINE);
        fprintf(file->stream, "%lu,", (unsigned long)tables->term[i].feature);
    }
    export_end_table(file);
    export_begin_table(file, tables->whole ? "int8_t" : "float", "weights", tables->terms);
    for (size_t i = 0; i < tables->terms && out_ok(file); i++) {
        export_begin_item(file, i, EXPORT_NUMBERS_IN_LINE);
        if (tables->whole)
            fprintf(file->stream, "%d", (int)tables->term[i].weight);
        else
            export_put_float(file, tables->term[i].weight);
        fputc(',', file->stream);
    }
    export_end_table(file);
}

static void put_splits(out_file *file, const export_tables *tables) {
    export_begin_table(file, "struct split", "splits", tables->splits);
    for (size_t i = 0; i < tables->splits && out_ok(file); i++) {
        const export_split *split = &tables->split[i];
        export_begin_item(file, i, SPLITS_IN_LINE);
        fputc('{', file->stream);
        export_put_float(file, split->threshold);
        fprintf(file->stream, ",%lu,{%lu,%lu}},",
                2 * (unsigned long)split->projection + (split->missing_left != 0),
                (unsigned long)split->child[0], (unsigned long)split->child[1]);
    }
    export_end_table(file);
}

static void put_trees(out_file *file, const export_tables *tables) {
    export_begin_table(file, "struct tree", "trees", tables->trees);
    for (size_t i = 0; i < tables->trees && out_ok(file); i++) {
        export_begin_item(file, i, EXPORT_NUMBERS_IN_LINE);
        fprintf(file->stream, "{%zu,%lu},", tables->tree[i].first,
                (unsigned long)tables->tree[i].root);
    }
    export_end_table(file);
}

/* A tree has one leaf more than splits, so that the index of its first leaf needs no table. */
static void put_means(out_file *file, const export_tables *tables) {
    fputs("\n/* What leaves predict: those of tree i begin with leaf trees[i].first + i. */",
          file->stream);
    export_begin_table(file, "float", "means", tables->means);
    for (size_t i = 0; i < tables->means && out_ok(file); i++) {
        export_begin_item(file, i, EXPORT_NUMBERS_IN_LINE);
        export_put_float(file, tables->mean[i]);
        fputc(',', file->stream);
    }
    export_end_table(file);
}

/* Without a calibration votes weigh what they are. */
static void put_trust(out_file *file, const export_c *plan) {
    char number[TEXT_NUMBER];
    sporf_calibration_map map;
    int is = sporf_forest_calibration(plan->forest, SPORF_COMBINE_VOTES, &map);
    fputs("\n/* What 0, 1, ... votes for a class weigh in its probability. */", file->stream);
    export_begin_table(file, "double", "trust", plan->tables.trees + 1);
    for (size_t i = 0; i <= plan->tables.trees && out_ok(file); i++) {
        export_begin_item(file, i, DOUBLES_IN_LINE);
        fprintf(file->stream, "%s,", text_double(number, is ? map.weights[i] : (double)i));
    }
    export_end_table(file);
}

static void put_types(out_file *file, const export_c *plan) {
    const export_tables *tables = &plan->tables;
    const char *child = export_type_below(tables->children);
    fprintf(
        file->stream,
        "\n/* Rows with a projected value up to the threshold take child 0, all others child 1. "
        "The\n"
        " * number of the projection is doubled; where 1 is added to that, a missing value "
        "takes\n"
        " * child 0, otherwise child 1. A child below LEAVES is a leaf: %s.\n"
        " * Any other, less LEAVES, is a split of the same tree, counted from the tree's first. "
        "*/\n"
        "enum { LEAVES = %zu };\n",
        export_outcome_of(plan->forest)->leaf, tables->leaves);
    fprintf(file->stream,
            "\nstruct split {\n    float threshold;\n    %s projection;\n    %s child[2];\n};\n",
            export_type_below(2 * (uint64_t)tables->projections), child);
    fprintf(file->stream, "\nstruct tree {\n    %s first;\n    %s root;\n};\n",
            export_type_below(tables->splits + 1), child);
}

/* ---- source ---------------------------------------------------------------------------------- */

/* A source and a header of two different exports would compile and read past their arrays. */
static void put_opening(out_file *file, const export_c *plan) {
    const export_outcome *outcome = export_outcome_of(plan->forest);
    fprintf(file->stream,
            EXPORT_SOURCE_BEGINS " %s; see %s. */\n"
                                 "#include \"%s\"\n\n%s#include <stddef.h>\n#include <stdint.h>\n",
            sporf_version(), plan->header, plan->header,
            export_has_levels(plan->forest) ? "#include <math.h>\n" : "");
    export_put(file, plan, "\n#if $_FEATURES != ");
    fprintf(file->stream, "%zu", sporf_forest_features(plan->forest));
    export_put(file, plan, " || $_");
    fprintf(file->stream, "%s != %zu", outcome->unit, outcome->count(plan->forest));
    export_put(file, plan, " || $_TREES != ");
    fprintf(file->stream, "%zu\n", plan->tables.trees);
    fprintf(file->stream, "#error \"%s is of another model: export both files again\"\n#endif\n",
            plan->header);
    fputs("\n/* Names may be longer than the 4095 bytes that every C99 compiler takes. */\n"
          "#if defined(__GNUC__)\n"
          "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
          "#endif\n",
          file->stream);
}

static const char rounding[] =
    "\n/* Rounds to single precision here and now: no compiler, whatever its options, may join a\n"
    " * product and a sum into one operation, or carry more digits along. */\n"
    "static float rounded(float value) {\n"
    "#if defined(__GNUC__) && defined(__aarch64__)\n"
    "    __asm__(\"\" : \"+w\"(value));\n"
    "    return value;\n"
    "#elif defined(__GNUC__) && defined(__SSE_MATH__)\n"
    "    __asm__(\"\" : \"+x\"(value));\n"
    "    return value;\n"
    "#else\n"
    "    volatile float kept = value;\n"
    "    return kept;\n"
    "#endif\n"
    "}\n";

static const char project[] =
    "\nstatic float project(const float *row, size_t projection) {\n"
    "    size_t i = starts[projection], end = starts[projection + 1];\n"
    "    float value = rounded(weights[i] * row[features[i]]);\n"
    "    while (++i < end) value = rounded(value + rounded(weights[i] * row[features[i]]));\n"
    "    return value;\n"
    "}\n";

static const char project_levels[] =
    "\nstatic float project(const float *row, size_t projection) {\n"
    "    size_t i = starts[projection], end = starts[projection + 1];\n"
    "    float value = rounded(weights[i] * value_of(row, features[i]));\n"
    "    while (++i < end)\n"
    "        value = rounded(value + rounded(weights[i] * value_of(row, features[i])));\n"
    "    return value;\n"
    "}\n";

static const char walk[] =
    "\nstatic size_t leaf_of(const struct tree *tree, const float *row) {\n"
    "    size_t at = tree->root;\n"
    "    while (at >= LEAVES) {\n"
    "        const struct split *split = &splits[tree->first + (at - LEAVES)];\n"
    "        float value = project(row, split->projection / 2);\n"
    "        at = split->child[split->projection % 2 ? value > split->threshold\n"
    "                                                : !(value <= split->threshold)];\n"
    "    }\n"
    "    return at;\n"
    "}\n";

static void put_tables(out_file *file, const export_c *plan) {
    const sporf_forest *forest = plan->forest;
    const export_tables *tables = &plan->tables;
    const export_outcome *outcome = export_outcome_of(forest);
    size_t features = sporf_forest_features(forest);
    put_names(file, sporf_forest_schema(forest), outcome->names, outcome->count(forest),
              outcome->name);
    if (sporf_schema_feature_name(sporf_forest_schema(forest), 0))
        put_names(file, sporf_forest_schema(forest), "feature_names", features,
                  sporf_schema_feature_name);
    fputs("\n/* Projection p sums weight times feature over its terms, from starts[p] on. */",
          file->stream);
    put_terms(file, tables, features + tables->sets);
    put_splits(file, tables);
    put_trees(file, tables);
    if (tables->means > 0) put_means(file, tables);
    if (tables->means == 0) put_trust(file, plan);
}

static void put_functions(out_file *file, const export_c *plan) {
    export_put(file, plan, rounding);
    export_put(file, plan, export_has_levels(plan->forest) ? project_levels : project);
    export_put(file, plan, walk);
    export_boosting_source(file, plan);
    export_put(file, plan, export_outcome_of(plan->forest)->functions);
    export_put(file, plan, "\nconst char *@_feature_name(int index) {\n");
    export_put(
        file, plan,
        sporf_schema_feature_name(sporf_forest_schema(plan->forest), 0)
            ? "    return index >= 0 && index < $_FEATURES ? feature_names[index] : NULL;\n}\n"
            : "    (void)index;\n    return NULL;\n}\n");
}

void export_c_source(out_file *file, const export_c *plan) {
    put_opening(file, plan);
    put_types(file, plan);
    put_tables(file, plan);
    if (export_has_levels(plan->forest)) export_levels_source(file, plan);
    put_functions(file, plan);
}

/* ---- size ------------------------------------------------------------------------------------ */

static uint64_t names_size(const sporf_schema *schema, size_t count,
                           const char *(*name)(const sporf_schema *, size_t)) {
    uint64_t size = 0;
    for (size_t i = 0; i < count && name(schema, i); i++)
        size += export_string_size(name(schema, i));
    return size;
}

uint64_t export_c_size(const export_c *plan) {
    enum { CODE = 4608, NAMES = 36, FLOAT = 16, DOUBLE = 26, WHOLE = 4, BETWEEN = 3 };
    const export_tables *tables = &plan->tables;
    const sporf_forest *forest = plan->forest;
    const export_outcome *outcome = export_outcome_of(forest);
    uint64_t child = export_digits(tables->children);
    uint64_t split =
        FLOAT + export_digits(2 * (uint64_t)tables->projections) + 2 * child + BETWEEN + 7;
    uint64_t term = export_digits(sporf_forest_features(forest) + tables->sets) +
                    (tables->whole ? WHOLE : FLOAT);
    uint64_t tree = export_digits(tables->splits) + child + BETWEEN + 3;
    uint64_t levels = export_has_levels(forest) ? export_levels_size(plan) : 0;
    return CODE + export_boosting_size(forest) + levels +
           NAMES * (strlen(plan->name) + strlen(plan->header)) +
           names_size(sporf_forest_schema(forest), outcome->count(forest), outcome->name) +
           names_size(sporf_forest_schema(forest), sporf_forest_features(forest),
                      sporf_schema_feature_name) +
           tables->splits * split + tables->terms * (term + 2 * BETWEEN) +
           (tables->projections + 1) * (export_digits(tables->terms) + BETWEEN) +
           tables->trees * (tree + DOUBLE + 1) + tables->means * (FLOAT + BETWEEN);
}
