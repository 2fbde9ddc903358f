/* Levels have the model's numbers, which a row holds. Sets are bits, from the first level of a set
 * to its last. */
#include "export_levels.h"

#include <math.h>
#include <string.h>

enum { WORD = 32 };

/* ---- what there is --------------------------------------------------------------------------- */

static size_t count_levels(const sporf_forest *forest) {
    size_t count = 0;
    for (size_t j = 0; j < sporf_forest_features(forest); j++)
        count += sporf_schema_levels(sporf_forest_schema(forest), j);
    return count;
}

int export_has_levels(const sporf_forest *forest) {
    return count_levels(forest) > 0 || sporf_forest_level_sets(forest) > 0;
}

/* The levels from `first` on that are in a set. */
static unsigned long word_at(const sporf_forest *forest, size_t set, size_t first) {
    unsigned long word = 0;
    for (size_t bit = 0; bit < WORD; bit++)
        word |= (unsigned long)(sporf_forest_level_set_has(forest, set, first + bit) != 0) << bit;
    return word;
}

/* ---- header ---------------------------------------------------------------------------------- */

void export_levels_header(out_file *file, const export_c *plan) {
    export_put(file, plan,
               "\n/* The number of a level of a feature by its name, spelled as in the model; -1 "
               "where there is no\n"
               " * such level, and for features that are numbers. In a row, what is no level "
               "counts as missing. */\n"
               "int @_level(int feature, const char *name);\n"
               "\n/* How many levels a feature has; 0 for numbers. */\n"
               "int @_levels(int feature);\n");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void put_starts(out_file *file, const sporf_forest *forest) {
    size_t start = 0, features = sporf_forest_features(forest);
    fputs("\n/* The levels of feature j have names from level_starts[j] on. */", file->stream);
    export_begin_table(file, export_type_below(count_levels(forest) + 1), "level_starts",
                       features + 1);
    for (size_t j = 0; j <= features && out_ok(file); j++) {
        export_begin_item(file, j, EXPORT_NUMBERS_IN_LINE);
        fprintf(file->stream, "%zu,", start);
        if (j < features) start += sporf_schema_levels(sporf_forest_schema(forest), j);
    }
    export_end_table(file);
}

static void put_level_names(out_file *file, const sporf_forest *forest) {
    export_begin_table(file, "char *const", "level_names", count_levels(forest));
    for (size_t j = 0; j < sporf_forest_features(forest); j++)
        for (size_t k = 0; k < sporf_schema_levels(sporf_forest_schema(forest), j) && out_ok(file);
             k++) {
            export_begin_item(file, 0, 1);
            export_put_string(file, sporf_schema_level_name(sporf_forest_schema(forest), j, k));
            fputc(',', file->stream);
        }
    export_end_table(file);
}

static void put_fill(out_file *file, float fill) {
    if (isnan(fill))
        fputs("NAN", file->stream);
    else
        export_put_float(file, fill);
}

static void put_sets(out_file *file, const export_tables *tables, const sporf_forest *forest) {
    enum { SETS_IN_LINE = 6 };
    fprintf(file->stream,
            "\n/* Bit b of word w of a set stands for level first + 32 w + b of its feature; where "
            "levels is 0,\n * it is the feature's own value. fill is what stands for a missing "
            "one, which may be missing, too. */\n"
            "struct set {\n    %s feature;\n    %s first;\n    %s start, words;\n    uint8_t "
            "levels;\n    float fill;\n};\n",
            export_type_below(sporf_forest_features(forest)),
            export_type_below(count_levels(forest) + 1), export_type_below(tables->words + 1));
    export_begin_table(file, "struct set", "sets", tables->sets);
    for (size_t i = 0; i < tables->sets && out_ok(file); i++) {
        const export_set *set = &tables->set[i];
        export_begin_item(file, i, SETS_IN_LINE);
        fprintf(file->stream, "{%zu,%zu,%zu,%zu,%d,", set->feature, set->first, set->start,
                set->words, sporf_forest_level_set(forest, i).has_levels);
        put_fill(file, sporf_forest_level_set(forest, i).fill);
        fputs("},", file->stream);
    }
    export_end_table(file);
}

static void put_words(out_file *file, const export_tables *tables, const sporf_forest *forest) {
    size_t index = 0;
    export_begin_table(file, "uint32_t", "set_words", tables->words);
    for (size_t i = 0; i < tables->sets && out_ok(file); i++)
        for (size_t w = 0; w < tables->set[i].words; w++) {
            export_begin_item(file, index++, EXPORT_NUMBERS_IN_LINE);
            fprintf(file->stream, "0x%lx,", word_at(forest, i, tables->set[i].first + WORD * w));
        }
    export_end_table(file);
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char own_value[] =
    "\n/* What is no level is missing. */\n"
    "static float %s(const float *row, size_t feature) {\n"
    "    size_t levels = (size_t)(level_starts[feature + 1] - level_starts[feature]);\n"
    "    float value = row[feature];\n"
    "    return levels == 0 || (value >= 0 && value < (float)levels) ? value : (float)NAN;\n"
    "}\n";

static const char set_value[] =
    "\n/* Features from $_FEATURES on are sets: 1 where the level is in it, 0 where it is not. */\n"
    "static float value_of(const float *row, size_t feature) {\n"
    "    const struct set *set;\n"
    "    float level;\n"
    "    size_t place;\n"
    "    if (feature < $_FEATURES) return own_value(row, feature);\n"
    "    set = &sets[feature - $_FEATURES];\n"
    "    level = own_value(row, set->feature);\n"
    "    if (level != level) return set->fill;\n"
    "    if (!set->levels) return level;\n"
    "    place = (size_t)level - set->first;\n"
    "    if (place / 32 >= set->words) return 0;\n"
    "    return (float)(set_words[set->start + place / 32] >> place % 32 & 1);\n"
    "}\n";

static const char level_functions[] =
    "\nint @_levels(int feature) {\n"
    "    if (feature < 0 || feature >= $_FEATURES) return 0;\n"
    "    return (int)(level_starts[feature + 1] - level_starts[feature]);\n"
    "}\n"
    "\nint @_level(int feature, const char *name) {\n"
    "    int levels = @_levels(feature), i;\n"
    "    for (i = 0; i < levels; i++) {\n"
    "        const char *known = level_names[level_starts[feature] + (size_t)i], *given = name;\n"
    "        while (*given && *given == *known) given++, known++;\n"
    "        if (*given == *known) return i;\n"
    "    }\n"
    "    return -1;\n"
    "}\n";

void export_levels_source(out_file *file, const export_c *plan) {
    const sporf_forest *forest = plan->forest;
    int sets = plan->tables.sets > 0;
    put_starts(file, forest);
    put_level_names(file, forest);
    if (sets) {
        put_sets(file, &plan->tables, forest);
        put_words(file, &plan->tables, forest);
    }
    fprintf(file->stream, own_value, sets ? "own_value" : "value_of");
    if (sets) export_put(file, plan, set_value);
    export_put(file, plan, level_functions);
}

/* ---- size ------------------------------------------------------------------------------------ */

uint64_t export_levels_size(const export_c *plan) {
    enum { CODE = 3072, FILL = 20, NAMES = 16, BETWEEN = 3, WORD_SIZE = 12 };
    const sporf_forest *forest = plan->forest;
    size_t features = sporf_forest_features(forest), levels = count_levels(forest);
    size_t words = plan->tables.words;
    uint64_t set = export_digits(features) + export_digits(levels) + 2 * export_digits(words) +
                   2 * BETWEEN + 3 + FILL;
    uint64_t size = CODE + NAMES * strlen(plan->name) + words * (WORD_SIZE + BETWEEN) +
                    plan->tables.sets * set + (features + 1) * (export_digits(levels) + BETWEEN);
    for (size_t j = 0; j < features; j++)
        for (size_t k = 0; k < sporf_schema_levels(sporf_forest_schema(forest), j); k++)
            size += export_string_size(sporf_schema_level_name(sporf_forest_schema(forest), j, k));
    return size;
}
