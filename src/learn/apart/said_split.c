/* Sizes, then terms, then the sets of levels that they name. */
#include "learn/apart/said_split.h"

#include "data/dataset.h"
#include "model/validate.h"

#include <math.h>
#include <stdlib.h>

sporf_status spf_said_split_write(spf_apart_split *split, const spf_builder *b, spf_writer *w) {
    const size_t word = sizeof(uint32_t);
    split->terms = (uint32_t)b->terms_count;
    split->sets = (uint32_t)b->sets.count;
    split->words = (uint32_t)b->sets.words_count;
    SPF_TRY(spf_write(w, split, sizeof *split));
    SPF_TRY(spf_write(w, b->term_feature, split->terms * word));
    SPF_TRY(spf_write(w, b->term_weight, split->terms * word));
    SPF_TRY(spf_write(w, b->sets.sets, split->sets * sizeof *b->sets.sets));
    return spf_write(w, b->sets.words, split->words * word);
}

static sporf_status read_arrays(spf_reader *r, spf_said_split *said) {
    const spf_apart_split *size = &said->split;
    sporf_projections *list = &said->list;
    spf_set_list *sets = &said->sets;
    SPF_TRY(spf_read_array(r, size->terms, sizeof *list->feature, &list->feature));
    SPF_TRY(spf_read_array(r, size->terms, sizeof *list->weight, &list->weight));
    SPF_TRY(spf_read_array(r, size->sets, sizeof *sets->sets, &sets->sets));
    SPF_TRY(spf_read_array(r, size->words, sizeof *sets->words, &sets->words));
    sets->count = size->sets;
    sets->words_count = size->words;
    return SPORF_OK;
}

static sporf_status check(const sporf_dataset *data, const spf_said_split *said) {
    spf_sets sets = spf_set_list_view(&said->sets);
    const sporf_projections *list = &said->list;
    uint32_t terms = said->split.terms;
    int good = terms > 0;
    for (uint32_t i = 0; i < terms; i++) {
        int is_set = list->feature[i] >= data->features;
        int next_is_set = i + 1 == terms || list->feature[i + 1] >= data->features;
        good &= list->feature[i] < data->features + sets.count && isfinite(list->weight[i]) &&
                (!is_set || next_is_set); /* features come first */
    }
    if (!good || spf_sets_validate(&sets, &data->schema, data->features) != SPORF_OK)
        return spf_raise_message();
    return SPORF_OK;
}

sporf_status spf_said_split_read(const sporf_dataset *data, spf_reader *r, spf_said_split *said) {
    *said = (spf_said_split){0};
    SPF_TRY(spf_read(r, &said->split, sizeof said->split));
    SPF_TRY(read_arrays(r, said));
    SPF_TRY(check(data, said));
    said->range[1] = said->split.terms;
    said->list.count = 1;
    said->list.features = data->features;
    said->list.start = said->range;
    said->list.terms = said->split.terms;
    said->list.sets = &said->sets;
    return SPORF_OK;
}

void spf_said_split_free(spf_said_split *said) {
    free(said->list.feature);
    free(said->list.weight);
    spf_set_list_free(&said->sets);
}
