/* The content of each section of a model file, and the table of all sections. */
#include "io/sections.h"

#include <math.h>
#include <string.h>

sporf_status spf_put(spf_sink sink, const void *bytes, size_t size) {
    return size == 0 ? SPORF_OK : sink.write(sink.context, bytes, size);
}

static sporf_status put_string_list(spf_sink sink, uint64_t count, const uint64_t *offsets,
                                    const char *bytes) {
    SPF_TRY(spf_put(sink, &count, sizeof count));
    SPF_TRY(spf_put(sink, offsets, (count + 1) * sizeof *offsets));
    return spf_put(sink, bytes, offsets[count]);
}

static sporf_status put_strings(spf_sink sink, const spf_strings *list) {
    return put_string_list(sink, list->count, list->offsets, list->bytes);
}

static int has_label_name(const sporf_forest *forest) {
    return forest->schema.label_name != NULL;
}

static sporf_status put_label_name(spf_sink sink, const sporf_forest *forest) {
    uint64_t offsets[2] = {0, strlen(forest->schema.label_name) + 1};
    return put_string_list(sink, 1, offsets, forest->schema.label_name);
}

/* The sign of a NaN differs between processors, but not in files. */
static double one_nan(double value) {
    static const uint64_t bits = 0x7ff8000000000000u;
    if (isnan(value)) memcpy(&value, &bits, sizeof value);
    return value;
}

static int has_oob(const sporf_forest *forest) {
    return forest->oob_rows > 0 || forest->oob_curve != NULL;
}

static sporf_status put_oob(spf_sink sink, const sporf_forest *forest) {
    spf_model_oob oob = {.rows = forest->oob_rows,
                         .error = one_nan(forest->oob_error),
                         .score = one_nan(forest->oob_score),
                         .curve = forest->oob_curve ? forest->trees_count : 0};
    SPF_TRY(spf_put(sink, &oob, sizeof oob));
    for (size_t i = 0; i < oob.curve; i++) {
        double value = one_nan(forest->oob_curve[i]);
        SPF_TRY(spf_put(sink, &value, sizeof value));
    }
    return SPORF_OK;
}

static int has_oob_targets(const sporf_forest *forest) {
    return forest->oob_targets != NULL;
}

static sporf_status put_oob_targets(spf_sink sink, const sporf_forest *forest) {
    for (size_t t = 0; t < forest->targets; t++) {
        const sporf_target_scores *own = &forest->oob_targets[t];
        sporf_target_scores scores = {one_nan(own->rmse), one_nan(own->mae), one_nan(own->r2)};
        SPF_TRY(spf_put(sink, &scores, sizeof scores));
    }
    return SPORF_OK;
}

static sporf_status put_kinds(spf_sink sink, const sporf_forest *forest) {
    const sporf_schema *schema = &forest->schema;
    for (size_t i = 0; i < schema->count; i++) {
        spf_model_kind kind = {schema->kinds[i], (uint32_t)schema->levels[i].count};
        SPF_TRY(spf_put(sink, &kind, sizeof kind));
    }
    return SPORF_OK;
}

/* The names of all levels of all features as one list. */
static sporf_status put_level_names(spf_sink sink, const sporf_forest *forest) {
    const sporf_schema *schema = &forest->schema;
    uint64_t count = 0, end = 0;
    for (size_t i = 0; i < schema->count; i++) count += schema->levels[i].count;
    SPF_TRY(spf_put(sink, &count, sizeof count));
    SPF_TRY(spf_put(sink, &end, sizeof end));
    for (size_t i = 0; i < schema->count; i++) {
        const spf_strings *levels = &schema->levels[i];
        for (size_t k = 0; k < levels->count; k++) {
            uint64_t offset = end + levels->offsets[k + 1];
            SPF_TRY(spf_put(sink, &offset, sizeof offset));
        }
        end += levels->count > 0 ? levels->offsets[levels->count] : 0;
    }
    for (size_t i = 0; i < schema->count; i++)
        if (schema->levels[i].count > 0)
            SPF_TRY(spf_put(sink, schema->levels[i].bytes,
                            schema->levels[i].offsets[schema->levels[i].count]));
    return SPORF_OK;
}

static int has_levels(const sporf_forest *forest) {
    const sporf_schema *schema = &forest->schema;
    for (size_t i = 0; schema->kinds && i < schema->count; i++)
        if (schema->levels[i].count > 0) return 1;
    return 0;
}

/* Whether a section must list the features of a forest without names, kinds and scale factors: then
 * scale factors of 1 are written. */
static int needs_list(const sporf_forest *forest) {
    return forest->features > SPF_MODEL_UNLISTED_FEATURES && forest->schema.names.count == 0 &&
           !has_levels(forest);
}

static int has_scale(const sporf_forest *forest) {
    return forest->scale != NULL || needs_list(forest);
}

static sporf_status put_scale(spf_sink sink, const sporf_forest *forest) {
    static const float one = 1;
    if (forest->scale) return spf_put(sink, forest->scale, forest->features * sizeof one);
    for (size_t i = 0; i < forest->features; i++) SPF_TRY(spf_put(sink, &one, sizeof one));
    return SPORF_OK;
}

static sporf_status put_label_ends(spf_sink sink, const sporf_forest *forest) {
    for (size_t i = 0; i < forest->schema.label_columns.count; i++) {
        uint64_t end = forest->schema.label_ends[i];
        SPF_TRY(spf_put(sink, &end, sizeof end));
    }
    return SPORF_OK;
}

static int has_oob_labels(const sporf_forest *forest) {
    return forest->oob_labels != NULL;
}

static sporf_status put_oob_labels(spf_sink sink, const sporf_forest *forest) {
    for (size_t i = 0; i <= forest->schema.label_columns.count; i++) {
        double error = one_nan(forest->oob_labels[i]);
        SPF_TRY(spf_put(sink, &error, sizeof error));
    }
    return SPORF_OK;
}

static int has_quantile_levels(const sporf_forest *forest) {
    return forest->oob_levels != NULL;
}

static sporf_status put_quantile_levels(spf_sink sink, const sporf_forest *forest) {
    return spf_put(sink, forest->oob_levels,
                   forest->targets * SPF_LEVELS * sizeof *forest->oob_levels);
}

static int has_calibration(const sporf_forest *forest) {
    return forest->trust[0].power > 0;
}

static sporf_status put_calibration(spf_sink sink, const sporf_forest *forest) {
    spf_model_calibration calibration;
    for (size_t i = 0; i < 2; i++) {
        const spf_trust *trust = &forest->trust[i];
        calibration.of[i].smoothing = trust->smoothing;
        calibration.of[i].power = trust->power;
        calibration.of[i].log_loss = trust->log_loss;
        calibration.of[i].brier = trust->brier;
    }
    return spf_put(sink, &calibration, sizeof calibration);
}

static sporf_status put_boosting(spf_sink sink, const sporf_forest *forest) {
    const spf_boosting *own = &forest->boosting;
    spf_model_boosting boosting = {.link = own->link,
                                   .outputs = own->outputs,
                                   .bags = own->bags,
                                   .valid_rows = own->valid_rows,
                                   .tried = own->tried};
    SPF_TRY(spf_put(sink, &boosting, sizeof boosting));
    SPF_TRY(spf_put(sink, own->base, own->outputs * sizeof *own->base));
    return spf_put(sink, own->losses, spf_boosting_losses(own) * sizeof *own->losses);
}

static sporf_status put_part(spf_sink sink, const sporf_forest *forest) {
    const spf_forest_part *own = &forest->part;
    spf_model_of_part part = {.first = own->first,
                              .whole = own->whole,
                              .rows = own->rows,
                              .table = own->table,
                              .weighted = own->weights != NULL};
    memcpy(part.version, own->version, sizeof part.version);
    return spf_put(sink, &part, sizeof part);
}

static sporf_status put_part_rows(spf_sink sink, const sporf_forest *forest) {
    const spf_forest_part *own = &forest->part;
    if (own->labels) SPF_TRY(spf_put(sink, own->labels, own->rows * sizeof *own->labels));
    if (own->values)
        SPF_TRY(spf_put(sink, own->values, forest->targets * own->rows * sizeof *own->values));
    return own->weights ? spf_put(sink, own->weights, own->rows * sizeof *own->weights) : SPORF_OK;
}

static int has_part_oob(const sporf_forest *forest) {
    return forest->part.out_of_bag != NULL;
}

static sporf_status put_part_oob(spf_sink sink, const sporf_forest *forest) {
    const spf_forest_part *own = &forest->part;
    size_t trees = forest->trees_count;
    SPF_TRY(spf_put(sink, own->starts, (trees + 1) * sizeof *own->starts));
    return spf_put(sink, own->out_of_bag, own->starts[trees]);
}

static int has_sets(const sporf_forest *forest) {
    return forest->packed.sets.count > 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define ELEMENTS(field, number, ...)                                                               \
    .array = {.at = offsetof(spf_packed, field),                                                   \
              .element = sizeof *((const spf_packed *)NULL)->field,                                \
              .count = offsetof(spf_packed, number),                                               \
              __VA_ARGS__}
#define ARRAY(field, number) ELEMENTS(field, number, .ends = 0)
#define STARTS(field, number) ELEMENTS(field, number, .ends = 1)
#define OF_VALUES(field, number) ELEMENTS(field, number, .of_values = 1)
#define STRINGS(field) .strings = offsetof(sporf_forest, field)

enum {
    REQUIRED = SPF_SECTION_REQUIRED,
    MAY_BE_EMPTY = SPF_SECTION_MAY_BE_EMPTY,
    LARGE = SPF_SECTION_LARGE,
};

const spf_section spf_sections[SPF_SECTION_END] = {
    [SPF_SECTION_CLASS_NAMES] = {"class names", REQUIRED, STRINGS(schema.classes)},
    [SPF_SECTION_FEATURE_NAMES] = {"feature names", 0, STRINGS(schema.names)},
    [SPF_SECTION_LABEL_NAME] = {"label name", 0, .is_there = has_label_name, .put = put_label_name},
    [SPF_SECTION_SETTINGS] = {"settings", 0, STRINGS(settings)},
    [SPF_SECTION_SCALE] = {"scale factors", 0, .is_there = has_scale, .put = put_scale},
    [SPF_SECTION_OUT_OF_BAG] = {"out-of-bag results", 0, .is_there = has_oob, .put = put_oob},
    [SPF_SECTION_TREES] = {"tree table", REQUIRED, ARRAY(trees, trees_count)},
    [SPF_SECTION_NODES] = {"nodes", REQUIRED | MAY_BE_EMPTY | LARGE, ARRAY(nodes, nodes_count)},
    [SPF_SECTION_PROJECTION_STARTS] = {"projection starts", REQUIRED | LARGE,
                                       STARTS(projection_start, projections_count)},
    [SPF_SECTION_TERM_FEATURES] = {"term features", REQUIRED | MAY_BE_EMPTY | LARGE,
                                   ARRAY(term_feature, terms_count)},
    [SPF_SECTION_TERM_WEIGHTS] = {"term weights", REQUIRED | MAY_BE_EMPTY | LARGE,
                                  ARRAY(term_weight, terms_count)},
    [SPF_SECTION_LEAF_WEIGHTS] = {"leaf weights", REQUIRED | LARGE,
                                  ARRAY(leaf_weight, leaves_count)},
    [SPF_SECTION_LEAF_CLASSES] = {"leaf classes", LARGE, ARRAY(leaf_class, leaves_count)},
    [SPF_SECTION_MIXED_STARTS] = {"starts of mixed leaves", REQUIRED | LARGE,
                                  STARTS(mixed_start, mixed_count)},
    [SPF_SECTION_ENTRY_CLASSES] = {"entry classes", REQUIRED | MAY_BE_EMPTY | LARGE,
                                   ARRAY(entry_class, entries_count)},
    [SPF_SECTION_ENTRY_WEIGHTS] = {"entry weights", REQUIRED | MAY_BE_EMPTY | LARGE,
                                   ARRAY(entry_weight, entries_count)},
    [SPF_SECTION_KINDS] = {"kinds of features", 0, .is_there = has_levels, .put = put_kinds},
    [SPF_SECTION_LEVEL_NAMES] = {"level names", 0, .is_there = has_levels, .put = put_level_names},
    [SPF_SECTION_SETS] = {"sets of levels", LARGE, ARRAY(sets.sets, sets.count),
                          .is_there = has_sets},
    [SPF_SECTION_SET_WORDS] = {"words of sets", MAY_BE_EMPTY | LARGE,
                               ARRAY(sets.words, sets.words_count), .is_there = has_sets},
    [SPF_SECTION_TARGET_NAMES] = {"target names", 0, STRINGS(schema.target_names)},
    [SPF_SECTION_LEAF_VALUES] = {"leaf values", LARGE, OF_VALUES(leaf_value, leaves_count)},
    [SPF_SECTION_SAMPLE_STARTS] = {"starts of samples", 0, STARTS(sample_tree, trees_count)},
    [SPF_SECTION_SAMPLE_ENDS] = {"ends of samples", LARGE, ARRAY(sample_end, leaves_count)},
    [SPF_SECTION_SAMPLE_VALUES] = {"sample values", LARGE, OF_VALUES(sample_value, samples_count)},
    [SPF_SECTION_SAMPLE_WEIGHTS] = {"sample weights", LARGE, ARRAY(sample_weight, samples_count)},
    [SPF_SECTION_LEVELS] = {"levels of quantiles", 0, .is_there = has_quantile_levels,
                            .put = put_quantile_levels},
    [SPF_SECTION_OOB_TARGETS] = {"out-of-bag results of targets", 0, .is_there = has_oob_targets,
                                 .put = put_oob_targets},
    [SPF_SECTION_CALIBRATION] = {"calibration", 0, .is_there = has_calibration,
                                 .put = put_calibration},
    [SPF_SECTION_BOOSTING] = {"boosting", 0, .is_there = spf_is_boosted, .put = put_boosting},
    [SPF_SECTION_PART] = {"part", 0, .is_there = spf_is_part, .put = put_part},
    [SPF_SECTION_PART_ROWS] = {"rows of the part", 0, .is_there = spf_is_part,
                               .put = put_part_rows},
    [SPF_SECTION_PART_OOB] = {"out-of-bag rows of the part", 0, .is_there = has_part_oob,
                              .put = put_part_oob},
    [SPF_SECTION_LABEL_COLUMNS] = {"label columns", 0, STRINGS(schema.label_columns)},
    [SPF_SECTION_LABEL_ENDS] = {"ends of label columns", 0, .is_there = spf_has_several_labels,
                                .put = put_label_ends},
    [SPF_SECTION_OOB_LABELS] = {"out-of-bag results of labels", 0, .is_there = has_oob_labels,
                                .put = put_oob_labels},
};

/* ---- queries of a row ------------------------------------------------------------------------ */

const char *spf_section_name(uint32_t id) {
    return id > 0 && id < SPF_SECTION_END ? spf_sections[id].name : "unknown";
}

static const void *array_of(const spf_section *section, const sporf_forest *forest) {
    const void *array;
    memcpy(&array, (const char *)&forest->packed + section->array.at, sizeof array);
    return array;
}

static const spf_strings *strings_of(const spf_section *section, const sporf_forest *forest) {
    return (const void *)((const char *)forest + section->strings);
}

uint64_t spf_section_count(spf_section_id id, const sporf_forest *forest) {
    const spf_section_array *array = &spf_sections[id].array;
    uint64_t count;
    memcpy(&count, (const char *)&forest->packed + array->count, sizeof count);
    if (array->ends) count++;
    if (array->of_values && __builtin_mul_overflow(count, spf_leaf_width(forest), &count))
        return UINT64_MAX;
    return count;
}

int spf_section_is_there(spf_section_id id, const sporf_forest *forest) {
    const spf_section *section = &spf_sections[id];
    if (section->traits & SPF_SECTION_REQUIRED) return 1;
    if (section->is_there) return section->is_there(forest);
    return section->strings ? strings_of(section, forest)->count > 0
                            : array_of(section, forest) != NULL;
}

sporf_status spf_section_put(spf_section_id id, const sporf_forest *forest, spf_sink sink) {
    const spf_section *section = &spf_sections[id];
    if (section->put) return section->put(sink, forest);
    if (section->strings) return put_strings(sink, strings_of(section, forest));
    return spf_put(sink, array_of(section, forest),
                   spf_section_count(id, forest) * section->array.element);
}
