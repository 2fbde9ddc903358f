/* Reads a CSV file by the schema of a model: finds its columns, ignores all others, and gives texts
 * the model's level numbers. */
#include "read/csv_parts.h"

#include "read/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A column for a position in the table. */
static void put_column(spf_csv_layout *layout, size_t column, size_t place, size_t features,
                       const spf_date_part *parts) {
    int feature = place < features;
    layout->read[layout->features++] = (spf_csv_column){
        .column = column,
        .place = place,
        .given = 1,
        .part = feature ? parts[place] : SPF_DATE_NONE,
        .order = layout->date_order,
        .kind = feature ? spf_schema_kind(layout->schema, place) : layout->plan[column].kind};
}

/* Leaves out every column but those found, the label, weights, targets and several labels; these
 * follow the features. first[columns] and next[features] chain the features made of a column. */
static void keep_chains(spf_csv_layout *layout, size_t features, const spf_date_part *parts,
                        const size_t *first, const size_t *next) {
    size_t place = features;
    layout->features = 0;
    for (size_t i = 0; i < layout->columns; i++) {
        spf_column_use use = layout->plan[i].use;
        for (size_t k = first[i]; k != SIZE_MAX; k = next[k])
            put_column(layout, i, k, features, parts);
        if (first[i] != SIZE_MAX) continue;
        if (use == SPF_USE_WEIGHT || use == SPF_USE_TARGET || use == SPF_USE_LABELS)
            put_column(layout, i, place++, features, parts);
        else if (use != SPF_USE_LABEL)
            layout->plan[i].use = SPF_USE_NONE;
    }
    assert(layout->features == place); /* each position from 0 on has one column */
}

static sporf_status keep_found(spf_csv_layout *layout, const size_t *found, size_t features,
                               const spf_date_part *parts) {
    size_t most = layout->columns + features;
    size_t *first = spf_alloc(layout->columns, sizeof *first);
    size_t *next = spf_alloc(features, sizeof *next);
    spf_csv_column *read = spf_alloc_zero(most, sizeof *read);
    sporf_status status = first && next && read ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK) {
        for (size_t i = 0; i < layout->columns; i++) first[i] = SIZE_MAX;
        for (size_t k = features; k-- > 0;) {
            next[k] = first[found[k]];
            first[found[k]] = k;
        }
        free(layout->read);
        layout->read = read;
        read = NULL;
        keep_chains(layout, features, parts, first, next);
    }
    free(read);
    free(first);
    free(next);
    return status;
}

/* The levels of features; those of labels are found in the file. */
static sporf_status take_levels(spf_csv_layout *layout, size_t features) {
    layout->known = spf_alloc_zero(layout->features, sizeof *layout->known);
    if (!layout->known) return spf_raise_memory();
    layout->known_count = layout->features;
    for (size_t i = 0; i < layout->features; i++) {
        spf_csv_column *column = &layout->read[i];
        if (column->kind == SPORF_KIND_NUMBER || column->place >= features) continue;
        SPF_TRY(spf_dictionary_of(&layout->schema->levels[column->place], &layout->known[i]));
        column->known = &layout->known[i];
    }
    return SPORF_OK;
}

static sporf_status match(spf_csv_layout *layout, size_t features, size_t *found,
                          spf_date_part *parts) {
    const spf_columns columns = {layout->source->name, &layout->names, layout->columns};
    SPF_TRY(spf_match_names(layout->schema, features, &columns, layout->plan, found, parts));
    SPF_TRY(keep_found(layout, found, features, parts));
    return take_levels(layout, features);
}

sporf_status spf_csv_use_schema(spf_csv_layout *layout, const sporf_schema *schema) {
    size_t features = spf_schema_columns(schema);
    layout->comma_expected = schema->decimal_comma;
    if (features == 0) return SPORF_OK;
    layout->schema = schema;
    size_t *found = spf_alloc(features, sizeof *found);
    spf_date_part *parts = spf_alloc_zero(features, sizeof *parts);
    sporf_status status =
        found && parts ? match(layout, features, found, parts) : spf_raise_memory();
    free(found);
    free(parts);
    return status;
}
