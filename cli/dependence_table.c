/* Values of categories and ordinals are written as their levels, and values of the table with the
 * digits that single precision takes, as 172.6. */
#include "dependence_table.h"

#include "header.h"
#include "printed.h"
#include "terms.h"

static size_t first_output(const dependence_table *table) {
    return table->output < table->outputs ? table->output : 0;
}

static size_t end_of_outputs(const dependence_table *table) {
    return table->output < table->outputs ? table->output + 1 : table->outputs;
}

/* The class or target of an output; one score of two classes is that of the second. */
static const char *output_name(const dependence_table *table, size_t output) {
    const sporf_schema *schema = sporf_forest_schema(table->forest);
    size_t classes = sporf_forest_classes(table->forest);
    if (classes == 0) return sporf_schema_target_name(schema, output);
    return sporf_schema_class_name(schema, table->outputs < classes ? 1 : output);
}

static const char *level_name(const sporf_forest *forest, size_t feature, double value) {
    const sporf_schema *schema = sporf_forest_schema(forest);
    if (sporf_schema_levels(schema, feature) == 0) return NULL;
    return sporf_schema_level_name(schema, feature, (size_t)value);
}

static int is_single(double value) {
    return (double)(float)value == value;
}

/* The value of a feature at a point. */
static double value_at(const sporf_dependence *found, size_t place, size_t point) {
    size_t inner = found->features_count > 1 ? found->values_count[1] : 1;
    return found->values[place][place == 0 ? point / inner : point % inner];
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* As predict names its columns. */
static void add_output(header *line, const dependence_table *table, size_t output) {
    const char *name = output_name(table, output);
    if (table->outputs == 1)
        header_add(line, 0, table->scores ? "score" : "prediction", "", "");
    else
        header_add(line, 0, name, table->scores ? "_score" : "", "");
}

int dependence_csv_header(FILE *stream, const dependence_table *table) {
    header line = {0};
    header_add(&line, 1, "feature", "", "");
    if (table->pairs) header_add(&line, 1, "feature_2", "", "");
    if (table->kind == SPORF_DEPENDENCE_ICE) header_add(&line, 1, "row", "", "");
    header_add(&line, 1, "value", "", "");
    if (table->pairs) header_add(&line, 1, "value_2", "", "");
    for (size_t k = first_output(table); k < end_of_outputs(table); k++)
        add_output(&line, table, k);
    int whole = header_write(stream, &line);
    header_free(&line);
    return whole;
}

static void csv_value(FILE *stream, const sporf_forest *forest, size_t feature, double value) {
    char number[TEXT_NUMBER];
    const char *level = level_name(forest, feature, value);
    if (level)
        text_csv_field(stream, level);
    else
        fputs(is_single(value) ? text_float(number, (float)value) : text_double(number, value),
              stream);
    fputc(',', stream);
}

/* Writes what all lines of a dependence begin with. */
static void csv_features(FILE *stream, const sporf_forest *forest, const sporf_dependence *found) {
    for (size_t i = 0; i < found->features_count; i++) {
        terms_csv_feature(stream, forest, found->features[i]);
        fputc(',', stream);
    }
}

/* The curve of a row, counted from 1, or the mean, with row 0. */
static void csv_curve(out_file *file, const dependence_table *table, const sporf_dependence *found,
                      size_t row, const double *curve) {
    char number[TEXT_NUMBER];
    size_t last = end_of_outputs(table) - 1;
    for (size_t i = 0; i < found->points && out_ok(file); i++) {
        csv_features(file->stream, table->forest, found);
        if (row > 0) fprintf(file->stream, "%zu", row);
        if (table->kind == SPORF_DEPENDENCE_ICE) fputc(',', file->stream);
        for (size_t j = 0; j < found->features_count; j++)
            csv_value(file->stream, table->forest, found->features[j], value_at(found, j, i));
        for (size_t k = first_output(table); k <= last; k++)
            fprintf(file->stream, "%s%c", text_double(number, curve[i * found->outputs + k]),
                    k < last ? ',' : '\n');
    }
}

void dependence_csv(out_file *file, const dependence_table *table, const sporf_dependence *found) {
    size_t length = found->points * found->outputs;
    csv_curve(file, table, found, 0, found->mean);
    for (size_t i = 0; found->individual && i < found->rows_count && out_ok(file); i++)
        csv_curve(file, table, found, found->rows[i] + (size_t)1, found->individual + i * length);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void dependence_json_outputs(json *writer, const dependence_table *table) {
    json_list(writer, "outputs");
    json_line(writer);
    for (size_t k = first_output(table); k < end_of_outputs(table); k++)
        json_text(writer, NULL, output_name(table, k));
    json_end(writer);
}

/* Adds the keys "features" and "names". */
static void json_features(json *writer, const sporf_forest *forest, const size_t *features,
                          size_t count) {
    json_list(writer, "features");
    for (size_t i = 0; i < count; i++) json_count(writer, NULL, features[i]);
    json_end(writer);
    json_list(writer, "names");
    for (size_t i = 0; i < count; i++)
        json_text(writer, NULL,
                  sporf_schema_feature_name(sporf_forest_schema(forest), features[i]));
    json_end(writer);
}

static void json_values(json *writer, const sporf_forest *forest, const sporf_dependence *found) {
    json_list(writer, "values");
    for (size_t j = 0; j < found->features_count; j++) {
        json_list(writer, NULL);
        for (size_t i = 0; i < found->values_count[j]; i++) {
            double value = found->values[j][i];
            const char *level = level_name(forest, found->features[j], value);
            if (level)
                json_text(writer, NULL, level);
            else if (is_single(value))
                json_float(writer, NULL, (float)value);
            else
                json_double(writer, NULL, value);
        }
        json_end(writer);
    }
    json_end(writer);
}

/* A list of points, each a list of outputs. */
static void json_curve(json *writer, const char *key, const dependence_table *table,
                       const sporf_dependence *found, const double *curve) {
    json_list(writer, key);
    for (size_t i = 0; i < found->points; i++) {
        json_list(writer, NULL);
        for (size_t k = first_output(table); k < end_of_outputs(table); k++)
            json_double(writer, NULL, curve[i * found->outputs + k]);
        json_end(writer);
    }
    json_end(writer);
}

static void json_individual(out_file *file, json *writer, const dependence_table *table,
                            const sporf_dependence *found) {
    size_t length = found->points * found->outputs;
    json_list(writer, "individual");
    for (size_t i = 0; i < found->rows_count && out_ok(file); i++) {
        json_object(writer, NULL);
        json_count(writer, "row", found->rows[i]);
        json_curve(writer, "predictions", table, found, found->individual + i * length);
        json_end(writer);
    }
    json_end(writer);
}

void dependence_json(out_file *file, json *writer, const dependence_table *table,
                     const sporf_dependence *found) {
    json_object(writer, NULL);
    json_line(writer);
    json_features(writer, table->forest, found->features, found->features_count);
    json_count(writer, "rows", found->rows_count);
    json_values(writer, table->forest, found);
    json_curve(writer, "mean", table, found, found->mean);
    if (found->individual) json_individual(file, writer, table, found);
    json_end(writer);
}

/* ---- interactions ---------------------------------------------------------------------------- */

static size_t shown_pairs(const sporf_interactions *found, size_t most) {
    return found->count < most ? found->count : most;
}

void interactions_csv(out_file *file, const sporf_forest *forest, const sporf_interactions *found,
                      size_t most) {
    char h[TEXT_NUMBER], strength[TEXT_NUMBER];
    FILE *stream = file->stream;
    fputs("feature,feature_2,h,strength\n", stream);
    for (size_t i = 0; i < shown_pairs(found, most) && out_ok(file); i++) {
        const sporf_interaction *pair = &found->pairs[i];
        terms_csv_feature(stream, forest, pair->first);
        fputc(',', stream);
        terms_csv_feature(stream, forest, pair->second);
        fprintf(stream, ",%s,%s\n", text_double(h, pair->h), text_double(strength, pair->strength));
    }
    for (size_t j = 0; j < found->features_count && out_ok(file); j++) {
        terms_csv_feature(stream, forest, found->features[j]);
        fprintf(stream, ",,%s,\n", text_double(h, found->total[j]));
    }
}

void interactions_json(out_file *file, json *writer, const sporf_forest *forest,
                       const sporf_interactions *found, size_t most) {
    json_count(writer, "rows", found->rows_count);
    json_list(writer, "interactions");
    for (size_t i = 0; i < shown_pairs(found, most) && out_ok(file); i++) {
        const sporf_interaction *pair = &found->pairs[i];
        json_object(writer, NULL);
        json_line(writer);
        json_features(writer, forest, (const size_t[]){pair->first, pair->second}, 2);
        json_double(writer, "h", pair->h);
        json_double(writer, "strength", pair->strength);
        json_end(writer);
    }
    json_end(writer);
    json_list(writer, "total");
    for (size_t j = 0; j < found->features_count && out_ok(file); j++) {
        json_object(writer, NULL);
        json_line(writer);
        json_features(writer, forest, &found->features[j], 1);
        json_double(writer, "h", found->total[j]);
        json_end(writer);
    }
    json_end(writer);
}
