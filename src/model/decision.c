/* Decision rules from text, and decisions by them. Class names may contain any separator, so the
 * text is compared with the names that there are, the longest first. */
#include "model/decision.h"

#include "base/error.h"
#include "base/number.h"
#include "base/spelling.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define COST_MOST 1e15

void spf_decision_free(spf_decision *decision) {
    free(decision->costs);
    *decision = (spf_decision){0};
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* The longest name, shorter than `below`, that the text starts with and that `after` follows;
 * classes->count if there is none. */
static size_t name_at(const spf_strings *classes, const char *text, char after, size_t below) {
    size_t best = classes->count, longest = 0;
    for (size_t k = 0; k < classes->count; k++) {
        size_t length = spf_strings_length(classes, k);
        int better = length < below && (best == classes->count || length > longest);
        if (!better || strncmp(text, spf_strings_at(classes, k), length) != 0 ||
            text[length] != after)
            continue;
        best = k;
        longest = length;
    }
    return best;
}

/* Reads "PREDICTED=COST"; returns the text after it, NULL if it is something else. */
static const char *read_predicted(const spf_strings *classes, const char *text,
                                  spf_error_cost *cost) {
    size_t below = SIZE_MAX, k;
    while ((k = name_at(classes, text, '=', below)) < classes->count) {
        double value;
        below = spf_strings_length(classes, k);
        const char *number = text + below + 1, *end = number + strcspn(number, ",");
        if (!spf_number_read(number, end, &value) || !(value >= 0 && value <= COST_MOST)) continue;
        cost->predicted = (uint32_t)k;
        cost->extra = value - 1;
        return end;
    }
    return NULL;
}

/* Reads "TRUE:PREDICTED=COST" likewise. */
static const char *read_cost(const spf_strings *classes, const char *text, spf_error_cost *cost) {
    size_t below = SIZE_MAX, k;
    while ((k = name_at(classes, text, ':', below)) < classes->count) {
        below = spf_strings_length(classes, k);
        const char *end = read_predicted(classes, text + below + 1, cost);
        cost->truth = (uint32_t)k;
        if (end) return end;
    }
    return NULL;
}

/* The cost at `text` of the whole list, for messages. */
typedef struct {
    size_t character; /* from 1 on */
    char shown[SPF_EXCERPT_MAX];
} cost_place;

static cost_place place_of(const char *list, const char *text) {
    cost_place place = {.character = (size_t)(text - list) + 1};
    spf_excerpt(text, strcspn(text, ","), place.shown);
    return place;
}

#define COST_PLACE SPF_OPTION("cost") ", '%s' at character %zu: "

static sporf_status raise_class(const cost_place *place, const char *which, const char *text,
                                char after, const spf_strings *classes) {
    const char until[] = {after, ',', '\0'};
    size_t length = strcspn(text, until);
    char given[SPF_EXCERPT_MAX], near[SPF_NAME_TEXT_MAX];
    const char *nearest = text[length] == after ? spf_nearest_name(text, length, classes) : NULL;
    spf_excerpt(text, length, given);
    if (text[length] != after)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         COST_PLACE "there is no '%c' after a class" SPF_HINT
                                    "write TRUE:PREDICTED=COST, separated by commas",
                         place->shown, place->character, after);
    if (!nearest)
        return spf_raise(SPORF_ERROR_ARGUMENT, COST_PLACE "no class is called '%s', the %s one",
                         place->shown, place->character, given, which);
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     COST_PLACE "no class is called '%s', the %s one" SPF_HINT "did you mean '%s'?",
                     place->shown, place->character, given, which, spf_name_text(nearest, near));
}

static sporf_status raise_cost(const char *list, const char *text, const spf_strings *classes) {
    cost_place place = place_of(list, text);
    size_t truth = name_at(classes, text, ':', SIZE_MAX);
    if (truth == classes->count) return raise_class(&place, "true", text, ':', classes);
    const char *predicted = text + spf_strings_length(classes, truth) + 1;
    if (name_at(classes, predicted, '=', SIZE_MAX) == classes->count)
        return raise_class(&place, "predicted", predicted, '=', classes);
    return spf_raise(SPORF_ERROR_ARGUMENT, COST_PLACE "the cost must be a number from 0 to 1e15",
                     place.shown, place.character);
}

static int compare_costs(const void *left, const void *right) {
    const spf_error_cost *a = left, *b = right;
    if (a->predicted != b->predicted) return a->predicted < b->predicted ? -1 : 1;
    return (a->truth > b->truth) - (a->truth < b->truth);
}

/* Sorts the costs, of which no two may be for the same error. */
static sporf_status order_costs(const spf_strings *classes, spf_decision *decision) {
    spf_error_cost *costs = decision->costs;
    qsort(costs, decision->costs_count, sizeof *costs, compare_costs);
    for (size_t i = 1; i < decision->costs_count; i++) {
        char truth[SPF_NAME_TEXT_MAX], predicted[SPF_NAME_TEXT_MAX];
        if (compare_costs(&costs[i - 1], &costs[i]) != 0) continue;
        return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("cost") " has two costs for '%s:%s'",
                         spf_name_text(spf_strings_at(classes, costs[i].truth), truth),
                         spf_name_text(spf_strings_at(classes, costs[i].predicted), predicted));
    }
    return SPORF_OK;
}

static sporf_status read_costs(const char *list, const spf_strings *classes,
                               spf_decision *decision) {
    size_t capacity = 0;
    const char *text = list;
    for (int more = 1; more;) {
        SPF_TRY(SPF_RESERVE(decision->costs, capacity, decision->costs_count + 1));
        spf_error_cost *cost = &decision->costs[decision->costs_count++];
        const char *end = read_cost(classes, text, cost);
        if (!end) return raise_cost(list, text, classes);
        if (cost->truth == cost->predicted) {
            cost_place place = place_of(list, text);
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             COST_PLACE "a right prediction costs nothing; name two classes",
                             place.shown, place.character);
        }
        more = *end == ',';
        text = end + more;
    }
    return order_costs(classes, decision);
}

/* ---- recall ---------------------------------------------------------------------------------- */

static sporf_status raise_recall(const char *text) {
    char shown[SPF_NAME_TEXT_MAX];
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION("recall") " must be CLASS=SHARE with one of the two classes and a "
                                          "share above 0, up to 1, got '%s'",
                     spf_name_text(text, shown));
}

static sporf_status read_recall(const char *text, const spf_strings *classes,
                                spf_decision *decision) {
    if (classes->count != 2)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("recall") " is for two classes, but there are %zu" SPF_HINT
                                              "weigh their errors with " SPF_OPTION("cost"),
                         classes->count);
    const char *equals = strrchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    double share;
    if (!equals || !spf_number_read(equals + 1, text + strlen(text), &share) ||
        !(share > 0 && share <= 1))
        return raise_recall(text);
    for (uint32_t k = 0; k < 2; k++) {
        if (spf_strings_length(classes, k) != length ||
            memcmp(spf_strings_at(classes, k), text, length) != 0)
            continue;
        decision->found = k;
        decision->recall = share;
        return SPORF_OK;
    }
    return raise_recall(text);
}

/* ---- all ------------------------------------------------------------------------------------- */

sporf_status spf_decision_read(const char *cost, const char *recall, const spf_strings *classes,
                               spf_decision *decision) {
    *decision = (spf_decision){0};
    if (!cost && !recall) return SPORF_OK;
    if (classes->count == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("%s") " is for classification, but the data have no classes",
                         cost ? "cost" : "recall");
    if (cost && recall)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("cost") " and " SPF_OPTION("recall") " both decide which class "
                                                                         "is predicted" SPF_HINT
                                                                         "give one of them");
    decision->by = cost ? SPF_DECIDE_COST : SPF_DECIDE_THRESHOLD;
    return cost ? read_costs(cost, classes, decision) : read_recall(recall, classes, decision);
}

sporf_status spf_decision_of_settings(const spf_strings *settings, const spf_strings *classes,
                                      spf_decision *decision) {
    const char *recall = spf_strings_value(settings, SPF_RECALL_SETTING);
    const char *threshold = spf_strings_value(settings, SPF_THRESHOLD_SETTING);
    SPF_TRY(spf_decision_read(spf_strings_value(settings, SPF_COST_SETTING), recall, classes,
                              decision));
    double *value = &decision->threshold;
    if (!recall && !threshold) return SPORF_OK;
    if (!recall || !threshold ||
        !spf_number_read(threshold, threshold + strlen(threshold), value) ||
        !(*value >= 0 && *value <= 1))
        return spf_raise(SPORF_ERROR_MODEL, "the threshold is not a number from 0 to 1, or it is "
                                            "without a recall, or the other way round");
    return SPORF_OK;
}

/* The expected cost of class k is that of all errors costing 1, which is 1 less its probability,
 * and the extra costs of its errors; it is the least where the difference below is the largest. */
static uint32_t cheapest(const spf_decision *decision, const double *probabilities,
                         size_t classes) {
    const spf_error_cost *cost = decision->costs, *end = cost + decision->costs_count;
    double largest = 0;
    size_t best = classes;
    for (size_t k = 0; k < classes; k++) {
        double extra = 0;
        for (; cost < end && cost->predicted == k; cost++)
            extra += cost->extra * probabilities[cost->truth];
        if (best < classes && !(probabilities[k] - extra > largest)) continue;
        largest = probabilities[k] - extra;
        best = k;
    }
    return (uint32_t)best;
}

double spf_error_cost_of(const spf_decision *decision, uint32_t truth, uint32_t predicted) {
    const spf_error_cost wanted = {.predicted = predicted, .truth = truth};
    if (truth == predicted) return 0;
    if (decision->costs_count == 0) return 1;
    const spf_error_cost *found = bsearch(&wanted, decision->costs, decision->costs_count,
                                          sizeof *decision->costs, compare_costs);
    return found ? 1 + found->extra : 1;
}

uint32_t spf_argmax(const double *values, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (values[i] > values[best]) best = i;
    return (uint32_t)best;
}

uint32_t spf_decide(const spf_decision *decision, const double *probabilities, size_t classes) {
    switch (decision ? decision->by : SPF_DECIDE_PLAIN) {
    case SPF_DECIDE_COST:
        return cheapest(decision, probabilities, classes);
    case SPF_DECIDE_THRESHOLD:
        return probabilities[decision->found] >= decision->threshold ? decision->found
                                                                     : 1 - decision->found;
    default:
        return spf_argmax(probabilities, classes);
    }
}
