/* Decoding of a model file in place: names and results are copied, trees point into the bytes. The
 * bytes may be hostile: every number is checked against the file before it is used, each byte is
 * read a bounded number of times, and allocations are bounded by a small multiple of the file. */
#include "base/system.h"
#include "data/labels.h"
#include "io/model_file.h"
#include "io/part_decode.h"
#include "io/sections.h"
#include "model/samples.h"
#include "model/unpack.h"
#include "model/validate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAMAGED(...) spf_raise(SPORF_ERROR_MODEL, __VA_ARGS__)

typedef struct {
    spf_model_frame frame;
    sporf_forest *forest;
    uint64_t counts[SPF_SECTION_END]; /* elements of each array */
} decoder;

/* ---- names and settings ---------------------------------------------------------------------- */

static sporf_status check_strings(const char *what, const uint64_t *offsets, uint64_t count,
                                  const char *bytes, uint64_t length) {
    if (offsets[0] != 0 || offsets[count] != length)
        return DAMAGED("the offsets in the section with the %s do not match its size", what);
    for (uint64_t i = 0; i < count; i++) {
        if (offsets[i + 1] <= offsets[i] || offsets[i + 1] > length)
            return DAMAGED("string %llu of the %s has no proper place", (unsigned long long)i,
                           what);
        const char *start = bytes + offsets[i];
        uint64_t size = offsets[i + 1] - offsets[i];
        if (memchr(start, '\0', size) != start + size - 1)
            return DAMAGED("string %llu of the %s is not closed by its only NUL",
                           (unsigned long long)i, what);
    }
    return SPORF_OK;
}

/* A list of strings, copied: count, count + 1 offsets, bytes. Absent sections leave it empty. */
static sporf_status decode_strings(const decoder *d, spf_section_id id, spf_strings *list) {
    const spf_model_part *part = &d->frame.parts[id];
    const uint64_t *words = (const void *)part->bytes;
    if (!part->bytes) return SPORF_OK;
    if (part->size < 2 * sizeof *words || words[0] == 0 ||
        words[0] > part->size / sizeof *words - 2)
        return DAMAGED("the section with the %s is too short for its strings",
                       spf_section_name(id));
    uint64_t count = words[0], length = part->size - (count + 2) * sizeof *words;
    const char *bytes = (const char *)(words + count + 2);
    SPF_TRY(check_strings(spf_section_name(id), words + 1, count, bytes, length));
    SPF_TRY(SPF_RESERVE(list->offsets, list->offsets_capacity, count + 1));
    SPF_TRY(SPF_RESERVE(list->bytes, list->bytes_capacity, length));
    memcpy(list->offsets, words + 1, (count + 1) * sizeof *words);
    memcpy(list->bytes, bytes, length);
    list->count = count;
    return SPORF_OK;
}

static sporf_status decode_label_name(const decoder *d) {
    spf_strings list = {0};
    sporf_status status = decode_strings(d, SPF_SECTION_LABEL_NAME, &list);
    if (status == SPORF_OK && list.count > 1) status = DAMAGED("there is more than one label name");
    if (status == SPORF_OK) {
        d->forest->schema.label_name = list.bytes;
        list.bytes = NULL;
    }
    spf_strings_free(&list);
    return status;
}

/* Names that are looked up must be distinct. */
static sporf_status check_distinct(const spf_strings *list, const char *what) {
    size_t first, again;
    SPF_TRY(spf_find_repeated(list, &first, &again));
    return again == list->count ? SPORF_OK
                                : DAMAGED("%s %zu and %zu have the same name", what, first, again);
}

static sporf_status decode_distinct(const decoder *d, spf_section_id id, const char *what,
                                    spf_strings *list) {
    SPF_TRY(decode_strings(d, id, list));
    return check_distinct(list, what);
}

/* Whether new tables are read with decimal commas, unless their cells show otherwise. */
static int has_decimal_comma(const spf_strings *settings) {
    const char *value = spf_strings_value(settings, SPF_DECIMAL_SETTING);
    return value && strcmp(value, SPF_DECIMAL_COMMA_VALUE) == 0;
}

/* Costs and a threshold are settings of classification. */
static sporf_status decode_decision(sporf_forest *forest) {
    const spf_strings none = {0};
    sporf_status status = spf_decision_of_settings(
        &forest->settings, forest->targets > 0 ? &none : &forest->schema.classes,
        &forest->decision);
    if (status != SPORF_ERROR_ARGUMENT) return status;
    return DAMAGED("a setting for the predicted class (" SPF_COST_SETTING ", " SPF_RECALL_SETTING
                   ") does not fit its classes");
}

static sporf_status decode_names(const decoder *d) {
    sporf_forest *forest = d->forest;
    spf_strings *features = &forest->schema.names;
    SPF_TRY(decode_distinct(d, SPF_SECTION_CLASS_NAMES, "classes", &forest->schema.classes));
    SPF_TRY(decode_distinct(d, SPF_SECTION_FEATURE_NAMES, "features", features));
    SPF_TRY(decode_distinct(d, SPF_SECTION_TARGET_NAMES, "targets", &forest->schema.target_names));
    forest->targets = forest->schema.target_names.count;
    if (forest->targets > 0 && forest->classes != 1)
        return DAMAGED("it predicts numbers and %zu classes", forest->classes);
    SPF_TRY(decode_strings(d, SPF_SECTION_SETTINGS, &forest->settings));
    SPF_TRY(decode_label_name(d));
    if (forest->schema.classes.count != forest->classes)
        return DAMAGED("there are %zu class names for %zu classes", forest->schema.classes.count,
                       forest->classes);
    if (features->count > 0 && features->count != forest->features)
        return DAMAGED("there are %zu feature names for %zu features", features->count,
                       forest->features);
    if (forest->settings.count % 2 != 0) return DAMAGED("the last setting has no value");
    forest->schema.decimal_comma = has_decimal_comma(&forest->settings);
    return decode_decision(forest);
}

/* ---- the schema ------------------------------------------------------------------------------ */

/* Takes the next `count` names of the list of all levels. */
static sporf_status take_levels(sporf_forest *forest, size_t feature, const spf_model_kind *kind,
                                const spf_strings *all, size_t *next) {
    spf_strings own = {0};
    sporf_status status = SPORF_OK;
    for (uint32_t k = 0; status == SPORF_OK && k < kind->levels; k++) {
        const char *name = spf_strings_at(all, *next + k);
        status = spf_strings_add(&own, name, strlen(name));
    }
    if (status == SPORF_OK) status = check_distinct(&own, "levels");
    if (status == SPORF_OK)
        status = spf_schema_set_levels(&forest->schema, forest->features, feature,
                                       (sporf_kind)kind->kind, &own);
    spf_strings_free(&own);
    *next += kind->levels;
    return status;
}

static sporf_status decode_kinds(const decoder *d, const spf_strings *all) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_KINDS];
    const spf_model_kind *kinds = (const void *)part->bytes;
    size_t next = 0;
    if (part->size / sizeof *kinds != d->forest->features || part->size % sizeof *kinds != 0)
        return DAMAGED("there is not one kind for each feature");
    for (size_t i = 0; i < d->forest->features; i++) {
        if (kinds[i].kind > SPORF_KIND_ORDINAL || kinds[i].levels > all->count - next ||
            (kinds[i].kind == SPORF_KIND_NUMBER) != (kinds[i].levels == 0))
            return DAMAGED("feature %zu has no proper kind", i);
        if (kinds[i].levels > 0) SPF_TRY(take_levels(d->forest, i, &kinds[i], all, &next));
    }
    return next == all->count ? SPORF_OK : DAMAGED("there are names of levels of no feature");
}

static sporf_status decode_schema(const decoder *d) {
    spf_strings all = {0};
    int kinds = d->frame.parts[SPF_SECTION_KINDS].bytes != NULL;
    if (kinds != (d->frame.parts[SPF_SECTION_LEVEL_NAMES].bytes != NULL))
        return DAMAGED("the kinds of features or the names of levels are missing");
    if (!kinds) return SPORF_OK;
    sporf_status status = decode_strings(d, SPF_SECTION_LEVEL_NAMES, &all);
    if (status == SPORF_OK) status = decode_kinds(d, &all);
    spf_strings_free(&all);
    return status;
}

/* ---- several labels -------------------------------------------------------------------------- */

/* Whether target `target` is named as a class of the label. */
static int is_class_of(const sporf_schema *schema, const char *label, size_t target) {
    const char *name = spf_strings_at(&schema->target_names, target);
    size_t length = strlen(label);
    return strncmp(name, label, length) == 0 && name[length] == '=';
}

/* Targets are the classes of labels, each of which has some: `ends` lead through all of them. */
static sporf_status take_label_columns(sporf_forest *forest, const spf_strings *names,
                                       const uint64_t *ends) {
    sporf_schema *schema = &forest->schema;
    uint64_t target = 0;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = spf_strings_at(names, i);
        if (ends[i] <= target || ends[i] > forest->targets)
            return DAMAGED("label column %zu has no proper classes", i);
        for (; target < ends[i]; target++)
            if (!is_class_of(schema, name, target))
                return DAMAGED("target %llu is not named after its label",
                               (unsigned long long)target);
    }
    if (target != forest->targets) return DAMAGED("there are targets of no label");
    schema->label_ends = spf_alloc(names->count, sizeof *schema->label_ends);
    if (!schema->label_ends) return spf_raise_memory();
    for (size_t i = 0; i < names->count; i++) schema->label_ends[i] = (size_t)ends[i];
    return SPORF_OK;
}

/* Several labels have a version of their own, and no quantiles. */
static sporf_status decode_label_columns(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_LABEL_ENDS];
    spf_strings *names = &d->forest->schema.label_columns;
    int given = part->bytes || d->frame.parts[SPF_SECTION_LABEL_COLUMNS].bytes ||
                d->frame.parts[SPF_SECTION_OOB_LABELS].bytes;
    if (given != (d->frame.header->version == SPF_MODEL_LABELS_VERSION))
        return DAMAGED("the label columns are %s", given ? "in another kind of model" : "missing");
    if (!given) return SPORF_OK;
    SPF_TRY(decode_distinct(d, SPF_SECTION_LABEL_COLUMNS, "label columns", names));
    if (names->count == 0 || part->size % sizeof(uint64_t) != 0 ||
        part->size / sizeof(uint64_t) != names->count)
        return DAMAGED("there is not one end for each label column");
    if (d->frame.parts[SPF_SECTION_SAMPLE_STARTS].bytes)
        return DAMAGED("it has several labels and samples");
    return take_label_columns(d->forest, names, (const void *)part->bytes);
}

static sporf_status decode_oob_labels(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_OOB_LABELS];
    const double *errors = (const void *)part->bytes;
    size_t count = d->forest->schema.label_columns.count + 1;
    if (!errors) return SPORF_OK;
    if (part->size % sizeof *errors != 0 || part->size / sizeof *errors != count)
        return DAMAGED("the out-of-bag results of labels are too few or too many");
    for (size_t i = 0; i < count; i++)
        if (!isnan(errors[i]) && !(errors[i] >= 0 && errors[i] <= 1))
            return DAMAGED("out-of-bag result %zu of labels is out of range", i);
    d->forest->oob_labels = spf_alloc(count, sizeof *errors);
    if (!d->forest->oob_labels) return spf_raise_memory();
    memcpy(d->forest->oob_labels, errors, part->size);
    return SPORF_OK;
}

/* ---- scale, out-of-bag results --------------------------------------------------------------- */

static sporf_status decode_scale(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_SCALE];
    const float *scale = (const void *)part->bytes;
    size_t features = d->forest->features;
    if (!scale) return SPORF_OK;
    if (part->size != features * sizeof *scale)
        return DAMAGED("there is not one scale factor for each feature");
    for (size_t i = 0; i < features; i++)
        if (!isfinite(scale[i])) return DAMAGED("scale factor %zu is %g", i, scale[i]);
    d->forest->scale = spf_alloc(features, sizeof *scale);
    if (!d->forest->scale) return spf_raise_memory();
    memcpy(d->forest->scale, scale, part->size);
    return SPORF_OK;
}

/* An error rate or the size of an error; NaN if there is none. */
static int is_error(const decoder *d, double value) {
    double most = d->forest->targets > 0 ? DBL_MAX : 1;
    return isnan(value) || (value >= 0 && value <= most);
}

static sporf_status decode_curve(const decoder *d, const double *curve) {
    size_t trees = d->forest->trees_count;
    for (size_t i = 0; i < trees; i++)
        if (!is_error(d, curve[i])) return DAMAGED("out-of-bag error %zu is %g", i, curve[i]);
    d->forest->oob_curve = spf_alloc(trees, sizeof *curve);
    if (!d->forest->oob_curve) return spf_raise_memory();
    memcpy(d->forest->oob_curve, curve, trees * sizeof *curve);
    return SPORF_OK;
}

static sporf_status decode_oob(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_OUT_OF_BAG];
    const spf_model_oob *oob = (const void *)part->bytes;
    d->forest->oob_error = d->forest->oob_score = NAN;
    if (!oob) return SPORF_OK;
    if (part->size < sizeof *oob || (oob->curve != 0 && oob->curve != d->frame.header->trees) ||
        part->size - sizeof *oob != oob->curve * sizeof(double))
        return DAMAGED("the section with the out-of-bag results has the wrong size");
    if (oob->rows > UINT32_MAX || !is_error(d, oob->error) || isinf(oob->score))
        return DAMAGED("the out-of-bag results are out of range");
    d->forest->oob_rows = oob->rows;
    d->forest->oob_error = oob->error;
    d->forest->oob_score = oob->score;
    return oob->curve ? decode_curve(d, (const double *)(oob + 1)) : SPORF_OK;
}

static sporf_status decode_oob_targets(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_OOB_TARGETS];
    const sporf_target_scores *scores = (const void *)part->bytes;
    sporf_forest *forest = d->forest;
    if (!scores) return SPORF_OK;
    if (forest->targets == 0 || part->size % sizeof *scores != 0 ||
        part->size / sizeof *scores != forest->targets)
        return DAMAGED("the out-of-bag results of targets are too few or too many");
    for (size_t t = 0; t < forest->targets; t++)
        if (!is_error(d, scores[t].rmse) || !is_error(d, scores[t].mae) || isinf(scores[t].r2))
            return DAMAGED("the out-of-bag results of target %zu are out of range", t);
    forest->oob_targets = spf_alloc(part->size, 1);
    if (!forest->oob_targets) return spf_raise_memory();
    memcpy(forest->oob_targets, scores, part->size);
    return SPORF_OK;
}

static sporf_status decode_calibration(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_CALIBRATION];
    const spf_model_calibration *calibration = (const void *)part->bytes;
    sporf_forest *forest = d->forest;
    if (!calibration) return SPORF_OK;
    if (forest->targets > 0 || part->size != sizeof *calibration)
        return DAMAGED("the section with the calibration has the wrong size, or no classes");
    for (size_t i = 0; i < 2; i++) {
        forest->trust[i] = (spf_trust){.smoothing = calibration->of[i].smoothing,
                                       .power = calibration->of[i].power,
                                       .log_loss = calibration->of[i].log_loss,
                                       .brier = calibration->of[i].brier};
        if (!spf_trust_is_valid(&forest->trust[i]))
            return DAMAGED("the numbers of the calibration are out of range");
        SPF_TRY(spf_trust_prepare(&forest->trust[i], forest->trees_count));
    }
    return SPORF_OK;
}

/* ---- boosting -------------------------------------------------------------------------------- */

/* Whether the outputs are those that the link turns into the classes or targets of the model. */
static int link_fits(const sporf_forest *forest, const spf_model_boosting *boosting) {
    int is_regression = forest->targets > 0;
    switch (boosting->link) {
    case SPF_LINK_NONE:
    case SPF_LINK_LOG:
        return is_regression && boosting->outputs == forest->targets;
    case SPF_LINK_LOG_ODDS:
        return !is_regression && forest->classes == 2 && boosting->outputs == 1;
    case SPF_LINK_SOFTMAX:
        return !is_regression && forest->classes >= 2 && boosting->outputs == forest->classes;
    default:
        return 0;
    }
}

/* Whether the trees are those of whole rounds. Outputs are known to be at least 1 and below 2^32.
 */
static int rounds_fit(const sporf_forest *forest, const spf_model_boosting *boosting) {
    uint64_t trees = forest->trees_count, bags = boosting->bags;
    if (bags == 0 || bags > trees / boosting->outputs) return 0;
    uint64_t round = boosting->outputs * bags;
    return trees % round == 0 && boosting->tried >= trees / round &&
           boosting->valid_rows <= bags * UINT32_MAX;
}

/* The size of the section in numbers of 8 bytes; tried is at most the size of the file. */
static int size_fits(const spf_model_part *part, const spf_model_boosting *boosting) {
    uint64_t losses = boosting->valid_rows > 0 ? 2 : 1, rest = part->size - sizeof *boosting;
    return boosting->tried <= part->size && rest % sizeof(double) == 0 &&
           rest / sizeof(double) == boosting->outputs + losses * boosting->tried;
}

static sporf_status copy_finite(const double *from, size_t count, double **copy) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(from[i])) return DAMAGED("a number of the boosting is %g", from[i]);
    *copy = spf_alloc(count, sizeof **copy);
    if (!*copy) return spf_raise_memory();
    memcpy(*copy, from, count * sizeof **copy);
    return SPORF_OK;
}

static sporf_status take_boosting(sporf_forest *forest, const spf_model_boosting *boosting) {
    spf_boosting *own = &forest->boosting;
    const double *numbers = (const double *)(boosting + 1);
    *own = (spf_boosting){.link = (spf_link)boosting->link,
                          .outputs = boosting->outputs,
                          .bags = boosting->bags,
                          .valid_rows = boosting->valid_rows,
                          .tried = boosting->tried};
    SPF_TRY(copy_finite(numbers, own->outputs, &own->base));
    return copy_finite(numbers + own->outputs, spf_boosting_losses(own), &own->losses);
}

/* A boosted model has no out-of-bag rows, and nothing that is learned from them. */
static sporf_status refuse_sections_of_forests(const decoder *d) {
    static const spf_section_id ids[] = {SPF_SECTION_OUT_OF_BAG,     SPF_SECTION_SAMPLE_STARTS,
                                         SPF_SECTION_SAMPLE_ENDS,    SPF_SECTION_SAMPLE_VALUES,
                                         SPF_SECTION_SAMPLE_WEIGHTS, SPF_SECTION_LEVELS,
                                         SPF_SECTION_OOB_TARGETS,    SPF_SECTION_CALIBRATION};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (d->frame.parts[ids[i]].bytes)
            return DAMAGED("it is boosted and has %s", spf_section_name(ids[i]));
    return SPORF_OK;
}

static sporf_status decode_boosting(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_BOOSTING];
    const spf_model_boosting *boosting = (const void *)part->bytes;
    if ((boosting != NULL) != (d->frame.header->version == SPF_MODEL_BOOSTED_VERSION))
        return DAMAGED("the section with the boosting is %s", boosting ? "in a forest" : "missing");
    if (!boosting) return SPORF_OK;
    if (part->size < sizeof *boosting || !link_fits(d->forest, boosting))
        return DAMAGED("the outputs of the boosting do not fit the classes or targets");
    if (!rounds_fit(d->forest, boosting))
        return DAMAGED("the trees are not those of whole rounds of the boosting");
    if (!size_fits(part, boosting))
        return DAMAGED("the section with the boosting has the wrong size");
    SPF_TRY(refuse_sections_of_forests(d));
    return take_boosting(d->forest, boosting);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static sporf_status decode_levels(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_LEVELS];
    const float *levels = (const void *)part->bytes;
    sporf_forest *forest = d->forest;
    if (!levels) return SPORF_OK;
    if (!forest->keeps_samples || part->size / sizeof *levels / SPF_LEVELS != forest->targets ||
        part->size % (SPF_LEVELS * sizeof *levels) != 0)
        return DAMAGED("the levels of quantiles are too few or too many");
    for (size_t i = 0; i < forest->targets * SPF_LEVELS; i++)
        if (!(levels[i] >= 0 && levels[i] <= 1) ||
            (i % SPF_LEVELS > 0 && levels[i] < levels[i - 1]))
            return DAMAGED("the levels of quantiles do not ascend from 0 to 1");
    forest->oob_levels = spf_alloc(part->size, 1);
    if (!forest->oob_levels) return spf_raise_memory();
    memcpy(forest->oob_levels, levels, part->size);
    return SPORF_OK;
}

/* Arrays stay in place in the file; raises if one ends in the middle of an element. */
static sporf_status take_arrays(decoder *d) {
    for (spf_section_id id = 1; id < SPF_SECTION_END; id++) {
        const spf_section_array *array = &spf_sections[id].array;
        const spf_model_part *part = &d->frame.parts[id];
        if (array->element == 0) continue;
        if (part->size % array->element != 0)
            return DAMAGED("the section with the %s ends in the middle of an element",
                           spf_section_name(id));
        memcpy((char *)&d->forest->packed + array->at, &part->bytes, sizeof part->bytes);
        d->counts[id] = part->size / array->element;
    }
    return SPORF_OK;
}

/* Of the arrays that must have the same length, one gives the count. */
static void take_counts(const decoder *d, spf_packed *packed) {
    size_t width = spf_leaf_width(d->forest);
    packed->trees_count = d->counts[SPF_SECTION_TREES];
    packed->nodes_count = d->counts[SPF_SECTION_NODES];
    packed->projections_count = d->counts[SPF_SECTION_PROJECTION_STARTS] - 1;
    packed->terms_count = d->counts[SPF_SECTION_TERM_FEATURES];
    packed->leaves_count = d->counts[SPF_SECTION_LEAF_WEIGHTS];
    packed->mixed_count = d->counts[SPF_SECTION_MIXED_STARTS] - 1;
    packed->entries_count = d->counts[SPF_SECTION_ENTRY_CLASSES];
    packed->sets.count = d->counts[SPF_SECTION_SETS];
    packed->sets.words_count = d->counts[SPF_SECTION_SET_WORDS];
    packed->samples_count = width > 0 ? d->counts[SPF_SECTION_SAMPLE_VALUES] / width : 0;
}

static sporf_status check_counts(const decoder *d) {
    for (spf_section_id id = 1; id < SPF_SECTION_END; id++)
        if (spf_sections[id].array.element > 0 && d->frame.parts[id].bytes &&
            d->counts[id] != spf_section_count(id, d->forest))
            return DAMAGED("the %s are too few or too many", spf_section_name(id));
    return SPORF_OK;
}

/* Starts: from 0 to the end, with one more entry than there are parts. */
static sporf_status check_starts(const decoder *d, spf_section_id id, uint64_t limit,
                                 uint64_t end) {
    const uint64_t *starts = (const void *)d->frame.parts[id].bytes;
    uint64_t count = d->counts[id];
    if (count == 0 || count - 1 >= limit || starts[0] != 0 || starts[count - 1] != end)
        return DAMAGED("the %s do not lead through their section", spf_section_name(id));
    return SPORF_OK;
}

/* Samples: the first of each tree, and the other arrays if some leaf has samples. */
static sporf_status check_samples(const decoder *d, const spf_packed *packed) {
    int some = packed->sample_end || packed->sample_value || packed->sample_weight;
    if (!packed->sample_tree && some) return DAMAGED("there are samples of no tree");
    if (packed->sample_tree && d->forest->targets == 0)
        return DAMAGED("there are samples of classes");
    if ((packed->sample_end != NULL) != (packed->sample_value != NULL))
        return DAMAGED("the ends of samples are too few or too many");
    return SPORF_OK;
}

static sporf_status decode_arrays(decoder *d, spf_packed *packed) {
    SPF_TRY(take_arrays(d));
    take_counts(d, packed);
    d->forest->keeps_samples = packed->sample_tree != NULL;
    if (packed->trees_count != d->forest->trees_count)
        return DAMAGED("the tree table does not have %zu entries", d->forest->trees_count);
    if (spf_leaf_width(d->forest) > 0 && !packed->leaf_value)
        return DAMAGED("the leaf values are too few or too many");
    if (!packed->sets.sets && packed->sets.words) return DAMAGED("there are words of no set");
    SPF_TRY(check_samples(d, packed));
    SPF_TRY(check_counts(d));
    SPF_TRY(check_starts(d, SPF_SECTION_PROJECTION_STARTS, UINT32_MAX, packed->terms_count));
    SPF_TRY(check_starts(d, SPF_SECTION_MIXED_STARTS, SPF_LEAF_MIXED, packed->entries_count));
    return packed->sample_tree ? spf_samples_validate_table(d->forest) : SPORF_OK;
}

static sporf_status decode_trees(decoder *d) {
    sporf_forest *forest = d->forest;
    spf_packed *packed = &forest->packed;
    uint32_t most_leaves = 0;
    int in_table;
    SPF_TRY(decode_arrays(d, packed));
    SPF_TRY(spf_packed_validate_table(forest));
    SPF_TRY(spf_sets_validate(&packed->sets, &forest->schema, forest->features));
    for (size_t i = 0; i < forest->trees_count; i++)
        if (packed->trees[i].leaves > most_leaves) most_leaves = packed->trees[i].leaves;
    packed->class_bits = spf_class_bits(spf_leaf_classes(forest), most_leaves, &in_table);
    if (in_table != (packed->leaf_class != NULL))
        return DAMAGED("the leaf classes are %s", in_table ? "missing" : "given twice");
    forest->inspected = spf_alloc_zero(forest->trees_count, sizeof *forest->inspected);
    return forest->inspected ? SPORF_OK : spf_raise_memory();
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* With many features, some section must have an entry for each: memory is then a small multiple of
 * the file, whatever the header claims. */
static sporf_status check_width(const spf_model_frame *frame) {
    int listed = frame->parts[SPF_SECTION_FEATURE_NAMES].bytes ||
                 frame->parts[SPF_SECTION_SCALE].bytes || frame->parts[SPF_SECTION_KINDS].bytes;
    if (frame->header->features <= SPF_MODEL_UNLISTED_FEATURES || listed) return SPORF_OK;
    return DAMAGED("the header names %llu features, but no section lists them",
                   (unsigned long long)frame->header->features);
}

static sporf_status decode_body(decoder *d, const spf_model_buffer *buffer, spf_model_care care) {
    SPF_TRY(spf_model_frame_open(buffer->bytes, care, &d->frame));
    if (d->frame.header->trees > d->frame.parts[SPF_SECTION_TREES].size / sizeof(spf_packed_tree))
        return DAMAGED("the tree table does not have %llu entries",
                       (unsigned long long)d->frame.header->trees);
    SPF_TRY(check_width(&d->frame));
    d->forest->trees_count = d->frame.header->trees;
    d->forest->features = d->frame.header->features;
    d->forest->classes = d->frame.header->classes;
    SPF_TRY(decode_names(d));
    SPF_TRY(decode_label_columns(d));
    SPF_TRY(decode_boosting(d));
    SPF_TRY(decode_schema(d));
    SPF_TRY(decode_scale(d));
    SPF_TRY(decode_oob(d));
    SPF_TRY(decode_oob_targets(d));
    SPF_TRY(decode_oob_labels(d));
    SPF_TRY(decode_trees(d));
    SPF_TRY(decode_calibration(d));
    SPF_TRY(decode_levels(d));
    SPF_TRY(spf_part_decode(&d->frame, d->forest));
    if (care == SPF_MODEL_CHECK_FRAME) return SPORF_OK;
    SPF_TRY(spf_packed_validate(d->forest));
    d->forest->trusted = 1;
    return SPORF_OK;
}

/* Adds the place and what to do to an error. */
static sporf_status raise_in_file(sporf_status status, const char *name) {
    char fault[SPF_ERROR_TEXT_MAX];
    if (status != SPORF_ERROR_MODEL) return status;
    snprintf(fault, sizeof fault, "%s", spf_error_marked());
    return DAMAGED("%s cannot be used: %s" SPF_HINT
                   "restore it from a backup or train the model again",
                   name, fault);
}

sporf_status spf_model_decode_buffer(const spf_model_buffer *buffer, spf_model_care care,
                                     const char *name, sporf_forest **out) {
    SPF_TRY(spf_model_check_header(buffer->bytes, buffer->size, name));
    decoder d = {0};
    d.forest = spf_alloc_zero(1, sizeof *d.forest);
    if (!d.forest) return spf_raise_memory();
    sporf_status status = decode_body(&d, buffer, care);
    if (status != SPORF_OK) {
        status = raise_in_file(status, name);
        d.forest->packed = (spf_packed){0}; /* its arrays belong to the buffer */
        sporf_forest_free(d.forest);
        return status;
    }
    d.forest->storage = buffer->storage;
    *out = d.forest;
    return SPORF_OK;
}

sporf_status spf_model_decode(const void *bytes, size_t size, sporf_forest **out) {
    spf_model_buffer buffer = {0};
    unsigned char *copy = NULL;
    SPF_TRY(spf_model_check_header(bytes, size, "the model"));
    SPF_TRY(spf_model_buffer_create(size, &buffer, &copy));
    memcpy(copy, bytes, size);
    sporf_status status = spf_model_decode_buffer(&buffer, SPF_MODEL_CHECK_ALL, "the model", out);
    if (status != SPORF_OK) spf_model_buffer_free(&buffer);
    return status;
}

sporf_status spf_model_verify(const sporf_forest *forest) {
    spf_model_frame frame;
    if (forest->trusted) return SPORF_OK;
    spf_system_map_soon(forest->storage.base, forest->storage.mapped);
    sporf_status status = spf_model_frame_open(forest->storage.base, SPF_MODEL_CHECK_ALL, &frame);
    if (status == SPORF_OK) status = spf_packed_validate(forest);
    return status == SPORF_OK ? SPORF_OK : raise_in_file(status, "the model");
}

sporf_status spf_model_check(sporf_forest *forest) {
    SPF_TRY(spf_model_verify(forest));
    forest->trusted = 1;
    return SPORF_OK;
}
