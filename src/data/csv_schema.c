/* Reading a CSV file as the schema of a model wants it: its columns are looked for, all others
 * passed over, and texts get the numbers of the model's levels. */
#include "data/csv.h"

#include "data/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The places of columns in the table, where weights and targets come behind the features; returns
 * how many there are. */
static size_t find_places(const spf_csv_layout *layout, const size_t *found, size_t features,
                          size_t *place) {
    size_t next = features;
    for (size_t i = 0; i < layout->columns; i++) {
        spf_use use = layout->plan[i].use;
        place[i] = use == SPF_USE_WEIGHT || use == SPF_USE_TARGET ? next++ : SIZE_MAX;
    }
    for (size_t i = 0; i < features; i++) place[found[i]] = i;
    return next;
}

/* Leaves out every column but those found, the label, weights and targets. */
static sporf_status keep_found(spf_csv_layout *layout, const size_t *found, size_t features) {
    size_t *place = spf_alloc(layout->columns, sizeof *place);
    if (!place) return spf_raise_memory();
    size_t places = find_places(layout, found, features, place);
    layout->features = 0;
    for (size_t i = 0; i < layout->columns; i++) {
        if (place[i] == SIZE_MAX) {
            if (layout->plan[i].use != SPF_USE_LABEL) layout->plan[i].use = SPF_USE_NONE;
            continue;
        }
        layout->read[layout->features++] =
            (spf_csv_column){.column = i,
                             .place = place[i],
                             .given = 1,
                             .kind = place[i] < features ? spf_schema_kind(layout->schema, place[i])
                                                         : SPORF_KIND_NUMBER};
    }
    free(place);
    assert(layout->features == places); /* so each place from 0 on has one column */
    (void)places;
    return SPORF_OK;
}

static sporf_status take_levels(spf_csv_layout *layout) {
    layout->known = spf_alloc_zero(layout->features, sizeof *layout->known);
    if (!layout->known) return spf_raise_memory();
    for (size_t i = 0; i < layout->features; i++) {
        spf_csv_column *column = &layout->read[i];
        if (column->kind == SPORF_KIND_NUMBER) continue;
        SPF_TRY(spf_dictionary_of(&layout->schema->levels[column->place], &layout->known[i]));
        column->known = &layout->known[i];
    }
    return SPORF_OK;
}

static sporf_status match(spf_csv_layout *layout, size_t features, size_t *found) {
    const spf_columns columns = {layout->source->name, &layout->names, layout->columns};
    SPF_TRY(spf_match_names(layout->schema, features, &columns, layout->plan, found));
    SPF_TRY(keep_found(layout, found, features));
    return take_levels(layout);
}

sporf_status spf_csv_use_schema(spf_csv_layout *layout, const sporf_schema *schema) {
    size_t features = spf_schema_columns(schema);
    if (features == 0) return SPORF_OK;
    layout->schema = schema;
    size_t *found = spf_alloc(features, sizeof *found);
    if (!found) return spf_raise_memory();
    sporf_status status = match(layout, features, found);
    free(found);
    return status;
}
