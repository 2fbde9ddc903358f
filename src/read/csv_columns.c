/* The role of each column of a CSV file, from options and names. */
#include "read/csv_parts.h"

#include "base/text.h"
#include "read/kept.h"

#include <stdlib.h>
#include <string.h>

/* Leaves out the columns that were not asked for. */
static sporf_status drop_unwanted(const sporf_read_options *options, spf_csv_layout *layout) {
    spf_dictionary known = {0};
    sporf_status status = SPORF_OK;
    uint32_t number;
    for (size_t i = 0; status == SPORF_OK && i < options->columns_count; i++)
        status =
            spf_dictionary_add(&known, options->columns[i], strlen(options->columns[i]), &number);
    for (size_t i = 0; status == SPORF_OK && i < layout->names.count; i++) {
        const char *name = spf_strings_at(&layout->names, i);
        if (layout->plan[i].use == SPF_USE_FEATURE &&
            !spf_dictionary_find(&known, name, strlen(name), &number))
            layout->plan[i].use = SPF_USE_NONE;
    }
    spf_dictionary_free(&known);
    return status;
}

static int goes_into_table(const spf_column_plan *plan) {
    return plan->use == SPF_USE_FEATURE || plan->use == SPF_USE_WEIGHT ||
           plan->use == SPF_USE_TARGET || plan->use == SPF_USE_LABELS;
}

/* Lists the columns to read. A single column is not taken for a category: its fields are more
 * likely separated in some other way. */
static sporf_status list_columns(spf_csv_layout *layout) {
    layout->read = spf_alloc_zero(layout->columns, sizeof *layout->read);
    if (!layout->read) return spf_raise_memory();
    for (size_t i = 0; i < layout->columns; i++) {
        const spf_column_plan *plan = &layout->plan[i];
        if (!goes_into_table(plan)) continue;
        layout->read[layout->features] = (spf_csv_column){
            .column = i,
            .place = layout->features,
            .given = plan->use != SPF_USE_FEATURE || plan->has_kind || layout->columns == 1,
            .kind = plan->kind};
        layout->features++;
    }
    return SPORF_OK;
}

/* The levels of the columns with a given order. */
static sporf_status list_orders(spf_csv_layout *layout) {
    for (size_t i = 0; i < layout->features; i++) {
        spf_csv_column *column = &layout->read[i];
        const char *order = layout->plan[column->column].order;
        const char *name =
            layout->names.count > 0 ? spf_strings_at(&layout->names, column->column) : "";
        spf_strings levels = {0};
        if (!order) continue;
        if (!layout->known) layout->known = spf_alloc_zero(layout->features, sizeof *layout->known);
        if (!layout->known) return spf_raise_memory();
        layout->known_count = layout->features;
        SPF_TRY(spf_plan_order(order, name, &levels));
        sporf_status status = spf_dictionary_of(&levels, &layout->known[i]);
        spf_strings_free(&levels);
        if (status != SPORF_OK) return status;
        column->known = &layout->known[i];
    }
    return SPORF_OK;
}

static spf_csv_role role_of(const spf_csv_layout *layout, const spf_csv_column *column) {
    if (column->part != SPF_DATE_NONE) return SPF_CSV_DATE;
    if (column->kind != SPORF_KIND_NUMBER) return SPF_CSV_LEVEL;
    return layout->decimal == '.' && column->form.kind == SPF_FORM_BARE ? SPF_CSV_NUMBER
                                                                        : SPF_CSV_AMOUNT;
}

void spf_csv_set_roles(spf_csv_layout *layout) {
    layout->coded = 0;
    for (size_t i = 0; i < layout->features; i++) {
        spf_csv_column *column = &layout->read[i];
        int levels = column->kind != SPORF_KIND_NUMBER;
        layout->roles[column->column] = (unsigned char)role_of(layout, column);
        column->coded = layout->coded;
        layout->coded += (size_t)levels;
    }
}

static sporf_status check_wanted(const sporf_read_options *options, const spf_csv_layout *layout) {
    if (layout->features > 0 || options->columns_count == 0) return SPORF_OK;
    char shown[SPF_EXCERPT_MAX], columns[SPF_LIST_MAX];
    const char *first = options->columns[0];
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": none of the %zu columns asked for ('%s', ...) is there" SPF_HINT
                              "its columns are: %s",
                     layout->source->name, options->columns_count,
                     spf_excerpt(first, strlen(first), shown),
                     spf_columns_list(&layout->names, columns));
}

sporf_status spf_csv_assign(spf_csv_layout *layout, const sporf_read_options *options) {
    const spf_columns columns = {layout->source->name, &layout->names, layout->columns};
    layout->roles = spf_alloc(layout->columns, sizeof *layout->roles);
    layout->plan = spf_alloc_zero(layout->columns, sizeof *layout->plan);
    if (!layout->roles || !layout->plan) return spf_raise_memory();
    memset(layout->roles, SPF_CSV_DROPPED, layout->columns);
    if (layout->has_label) {
        layout->roles[layout->label] = SPF_CSV_LABEL;
        layout->plan[layout->label] = (spf_column_plan){.use = SPF_USE_LABEL, .claimed = "label"};
    }
    SPF_TRY(spf_plan_columns(&columns, options, layout->plan));
    SPF_TRY(spf_kept_find(&columns, options, &layout->kept));
    layout->kept_count = options->kept_count;
    if (layout->row_names && !layout->plan[0].claimed) layout->plan[0].use = SPF_USE_NONE;
    if (options->columns_count > 0) SPF_TRY(drop_unwanted(options, layout));
    SPF_TRY(list_columns(layout));
    SPF_TRY(check_wanted(options, layout));
    SPF_TRY(options->schema ? spf_csv_use_schema(layout, options->schema) : list_orders(layout));
    spf_csv_set_roles(layout);
    return SPORF_OK;
}

static sporf_status raise_same_name(const spf_csv_layout *layout, size_t one, size_t other) {
    char shown[SPF_EXCERPT_MAX];
    const char *name = spf_strings_at(&layout->names, one);
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE ": columns %zu and %zu are both named '%s'" SPF_HINT
                 "rename one of them, so that they can be told apart in new data, or, if the first "
                 "line holds no names, say so (" SPF_OPTION_AS("header", "no") ")",
        layout->source->name, one + 1, other + 1, spf_excerpt(name, strlen(name), shown));
}

/* first[columns] gets the first column with the same name; is_feature[columns] marks features. */
static sporf_status compare_names(const spf_csv_layout *layout, const unsigned char *is_feature,
                                  spf_dictionary *known, size_t *first) {
    for (size_t i = 0; i < layout->names.count; i++) {
        const char *name = spf_strings_at(&layout->names, i);
        size_t before = known->words.count;
        uint32_t number;
        if (layout->plan[i].use == SPF_USE_NONE) continue;
        SPF_TRY(spf_dictionary_add(known, name, strlen(name), &number));
        if (number == before)
            first[number] = i;
        else if (is_feature[i] || is_feature[first[number]])
            return raise_same_name(layout, first[number], i);
    }
    return SPORF_OK;
}

sporf_status spf_csv_check_names(const spf_csv_layout *layout, const spf_column_plan *plan) {
    spf_dictionary known = {0};
    unsigned char *is_feature = spf_alloc_zero(layout->columns, sizeof *is_feature);
    size_t *first = spf_alloc(layout->columns, sizeof *first);
    for (size_t i = 0; is_feature && i < layout->features; i++)
        is_feature[layout->read[i].column] = plan[layout->read[i].place].use == SPF_USE_FEATURE;
    sporf_status status =
        is_feature && first ? compare_names(layout, is_feature, &known, first) : spf_raise_memory();
    spf_dictionary_free(&known);
    free(first);
    free(is_feature);
    return status;
}
