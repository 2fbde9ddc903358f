/* The steps of a training whose rows are apart: facts about the columns, settings, then trees, some
 * at a time. */
#include "learn/apart/crown.h"

#include "learn/apart/asks.h"
#include "learn/apart/crown_tree.h"
#include "learn/apart/heads.h"
#include "learn/apart/pilot_values.h"
#include "learn/growing/assemble.h"

#include <stdlib.h>

/* FAILED: answers are only half heard, and nothing can be asked any more. */
typedef enum { FACTS, SPREAD, VALUES, NODES, BRANCHES, DONE, FAILED, FINISHED } phase;

typedef struct {
    uint32_t tree, node; /* the tree by its place among those that grow */
} branch_place;

struct spf_crown {
    spf_frame frame;
    sporf_hooks hooks;
    spf_packed_training train;
    spf_crown_limits limits;
    phase phase;
    spf_writer question;
    spf_extent *rows; /* of each answer */
    size_t rows_capacity;
    spf_facts facts;
    spf_pilot_values pilot;
    spf_workspace workspace; /* once the frame is settled */
    /* trees that grow */
    spf_crown_tree *trees;
    uint32_t growing;
    branch_place *branches;
    size_t branches_count, branches_capacity, branches_left;
    /* and those that have grown */
    spf_grown *grown; /* [trees of the forest] */
    uint32_t joined;
    spf_tally *tally;
    double *curve;
};

/* ---- memory ---------------------------------------------------------------------------------- */

static void free_trees(spf_crown *c) {
    for (uint32_t i = 0; i < c->growing; i++) spf_crown_tree_free(&c->trees[i]);
    free(c->trees);
    c->trees = NULL;
    c->growing = 0;
}

void spf_crown_free(spf_crown *c) {
    if (!c) return;
    free_trees(c);
    free(c->branches);
    for (uint32_t i = 0; c->grown && i < c->joined; i++) spf_grown_free(&c->grown[i]);
    free(c->grown);
    free(c->curve);
    if (c->tally) c->tally->free(c->tally);
    spf_workspace_free(&c->workspace);
    spf_pilot_values_free(&c->pilot);
    spf_facts_free(&c->facts);
    free(c->question.bytes);
    free(c->rows);
    spf_frame_free(&c->frame);
    free(c);
}

/* ---- finished trees -------------------------------------------------------------------------- */

static sporf_status join_tree(spf_crown *c, spf_crown_tree *tree) {
    spf_grown *grown = &c->grown[c->joined];
    SPF_TRY(spf_crown_tree_join(tree, grown));
    spf_grown_weigh(grown, c->frame.plan.bagger.unit_of_leaf);
    spf_grown_count(grown, c->tally, c->curve, c->joined);
    c->joined++;
    if (c->hooks.progress) c->hooks.progress(c->hooks.payload, c->joined, c->frame.params.trees);
    return SPORF_OK;
}

/* ---- trees that grow ------------------------------------------------------------------------- */

static sporf_status start_trees(spf_crown *c) {
    uint32_t left = c->frame.params.trees - c->joined;
    uint32_t count = left < c->limits.trees ? left : c->limits.trees;
    c->trees = spf_alloc_zero(count, sizeof *c->trees);
    if (!c->trees) return spf_raise_memory();
    while (c->growing < count) {
        uint32_t number = c->joined + c->growing;
        SPF_TRY(spf_crown_tree_start(&c->frame.plan, number, &c->trees[c->growing++]));
    }
    return SPORF_OK;
}

static sporf_status list_branches(spf_crown *c) {
    c->branches_count = 0;
    for (uint32_t i = 0; i < c->growing; i++)
        for (size_t j = 0; j < c->trees[i].nodes_count; j++) {
            if (c->trees[i].nodes[j].state != SPF_NODE_BRANCH) continue;
            SPF_TRY(SPF_RESERVE(c->branches, c->branches_capacity, c->branches_count + 1));
            c->branches[c->branches_count++] = (branch_place){i, (uint32_t)j};
        }
    c->branches_left = c->branches_count;
    return SPORF_OK;
}

static sporf_status write_trees(const spf_crown *c, spf_question_kind kind,
                                const spf_crown_tree *trees, uint32_t count, spf_writer *w) {
    SPF_TRY(spf_question_start(&c->frame, kind, w));
    SPF_TRY(spf_frame_write(&c->frame, w));
    SPF_TRY(spf_write_number(w, count));
    for (uint32_t i = 0; i < count; i++) SPF_TRY(spf_crown_tree_write(&trees[i], w));
    return SPORF_OK;
}

static sporf_status start_question(spf_crown *c, phase phase, spf_question_kind kind) {
    c->phase = phase;
    c->question.size = 0;
    return spf_question_start(&c->frame, kind, &c->question);
}

static sporf_status ask_about_nodes(spf_crown *c, uint32_t asking) {
    c->phase = NODES;
    c->question.size = 0;
    SPF_TRY(write_trees(c, SPF_ASK_NODES, c->trees, c->growing, &c->question));
    SPF_TRY(spf_write_number(&c->question, asking));
    for (uint32_t i = 0; i < c->growing; i++)
        SPF_TRY(spf_crown_tree_write_asks(&c->trees[i], &c->question));
    return SPORF_OK;
}

/* Joins the trees whose last branch was grown, and starts the next ones. */
static sporf_status take_turns(spf_crown *c) {
    for (uint32_t i = 0; i < c->growing; i++) SPF_TRY(join_tree(c, &c->trees[i]));
    free_trees(c);
    return c->joined < c->frame.params.trees ? start_trees(c) : SPORF_OK;
}

/* Goes on until something has to be asked, or branches have to be grown. */
static sporf_status go_on(spf_crown *c) {
    while (c->joined < c->frame.params.trees) {
        uint32_t asking = 0;
        SPF_TRY(spf_check_interrupt(&c->frame.plan));
        for (uint32_t i = 0; i < c->growing; i++)
            SPF_TRY(
                spf_crown_tree_go_on(&c->trees[i], &c->workspace, c->limits.branch_rows, &asking));
        if (asking > 0) return ask_about_nodes(c, asking);
        SPF_TRY(list_branches(c));
        c->phase = BRANCHES;
        if (c->branches_count > 0) return SPORF_OK;
        SPF_TRY(take_turns(c));
    }
    c->phase = DONE;
    return SPORF_OK;
}

/* ---- before the trees ------------------------------------------------------------------------ */

static sporf_status start_forest(spf_crown *c) {
    const spf_outcome *outcome = &c->frame.plan.outcome;
    uint32_t trees = c->frame.params.trees;
    c->frame.plan.interrupt = c->hooks.interrupt;
    c->frame.plan.interrupt_payload = c->hooks.payload;
    SPF_TRY(spf_workspace_create(&c->frame.plan, &c->workspace));
    c->grown = spf_alloc_zero(trees, sizeof *c->grown);
    c->curve = spf_alloc(trees, sizeof *c->curve);
    if (!c->grown || !c->curve) return spf_raise_memory();
    if (c->frame.plan.bagger.kind != SPORF_BAG_NONE)
        SPF_TRY(outcome->kind->tally(outcome, &c->tally));
    SPF_TRY(start_trees(c));
    return go_on(c);
}

/* Settings that are auto are chosen by pilot forests, or are those that a search starts with. */
static sporf_status choose_settings(spf_crown *c) {
    spf_frame *f = &c->frame;
    SPF_TRY(spf_facts_settle(&c->facts, f));
    if (!spf_auto_serves(&f->settings, &f->params)) return start_forest(c);
    if (spf_auto_searches(&f->settings, &f->params)) {
        SPF_TRY(start_question(c, VALUES, SPF_ASK_VALUES));
        return spf_pilot_values_ask(f, &c->pilot, &c->question);
    }
    spf_settings first;
    SPF_TRY(spf_auto_first(&f->settings, &f->params, &first));
    SPF_TRY(spf_frame_choose(f, &first.params));
    return start_forest(c);
}

static sporf_status after_facts(spf_crown *c) {
    if (!spf_facts_need_spread(&c->frame)) return choose_settings(c);
    SPF_TRY(start_question(c, SPREAD, SPF_ASK_SPREAD));
    return spf_spread_ask(&c->facts, &c->question);
}

static sporf_status start(const sporf_dataset *outcomes, const sporf_dataset *like,
                          const sporf_params *params, spf_crown *c) {
    SPF_TRY(spf_frame_create(outcomes, like, params, &c->frame));
    SPF_TRY(spf_facts_create(c->frame.data->features, &c->facts));
    return start_question(c, FACTS, SPF_ASK_FACTS);
}

sporf_status spf_crown_create(const sporf_dataset *outcomes, const sporf_dataset *like,
                              const sporf_params *params, const sporf_hooks *hooks,
                              spf_packed_training train, const spf_crown_limits *limits,
                              spf_crown **out) {
    spf_crown *c = spf_alloc_zero(1, sizeof *c);
    if (!c) return spf_raise_memory();
    c->hooks = *hooks;
    c->train = train;
    c->limits = *limits;
    sporf_status status = start(outcomes, like, params, c);
    if (status == SPORF_OK)
        *out = c;
    else
        spf_crown_free(c);
    return status;
}

/* ---- steps ----------------------------------------------------------------------------------- */

spf_crown_step spf_crown_next(const spf_crown *c) {
    return c->phase >= DONE       ? SPF_CROWN_DONE
           : c->phase == BRANCHES ? SPF_CROWN_BRANCHES
                                  : SPF_CROWN_ASKS;
}

void spf_crown_question(const spf_crown *c, const void **question, size_t *size) {
    *question = c->question.bytes;
    *size = c->question.size;
}

static sporf_status hear_one(spf_crown *c, uint32_t end, spf_reader *answer) {
    switch (c->phase) {
    case FACTS:
        return spf_facts_hear(&c->facts, answer);
    case SPREAD:
        return spf_spread_hear(&c->facts, answer);
    case VALUES:
        return spf_pilot_values_hear(&c->pilot, answer);
    default:
        for (uint32_t i = 0; i < c->growing; i++)
            SPF_TRY(spf_crown_tree_hear(&c->trees[i], end, answer));
        return SPORF_OK;
    }
}

static sporf_status after_answers(spf_crown *c) {
    switch (c->phase) {
    case FACTS:
        return after_facts(c);
    case SPREAD:
        return choose_settings(c);
    case VALUES:
        SPF_TRY(spf_pilot_values_settle(&c->pilot, &c->hooks, c->train, &c->frame));
        spf_pilot_values_free(&c->pilot);
        return start_forest(c);
    default:
        for (uint32_t i = 0; i < c->growing; i++) SPF_TRY(spf_crown_tree_heard(&c->trees[i]));
        return go_on(c);
    }
}

static sporf_status fail(spf_crown *c, sporf_status status) {
    if (status != SPORF_OK) c->phase = FAILED;
    return status;
}

static sporf_status hear(spf_crown *c, spf_reader *answers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        SPF_TRY(hear_one(c, c->rows[i].end, &answers[i]));
        if (answers[i].left > 0) return spf_raise_message();
    }
    return after_answers(c);
}

sporf_status spf_crown_hear(spf_crown *c, spf_reader *answers, size_t count) {
    spf_reader question = {c->question.bytes, c->question.size};
    SPF_TRY(SPF_RESERVE(c->rows, c->rows_capacity, count));
    SPF_TRY(spf_answers_open(&question, &c->frame, answers, count, c->rows));
    return fail(c, hear(c, answers, count));
}

/* ---- branches -------------------------------------------------------------------------------- */

size_t spf_crown_branches(const spf_crown *c) {
    return c->phase == BRANCHES ? c->branches_count : 0;
}

static spf_brought_node about_branch(const spf_crown *c, branch_place place) {
    const spf_crown_tree *tree = &c->trees[place.tree];
    const spf_crown_node *node = &tree->nodes[place.node];
    return (spf_brought_node){.tree = tree->rows.tree,
                              .node = place.node,
                              .depth = node->place.depth,
                              .key = node->place.key};
}

sporf_status spf_crown_branch(const spf_crown *c, size_t branch, spf_writer *w, uint64_t *rows) {
    branch_place place = c->branches[branch];
    const spf_crown_node *node = &c->trees[place.tree].nodes[place.node];
    spf_brought_node about = about_branch(c, place);
    *rows = node->sizes.rows + node->sizes.oob_rows;
    SPF_TRY(write_trees(c, SPF_ASK_ROWS, &c->trees[place.tree], 1, w));
    return spf_write(w, &about, sizeof about);
}

sporf_status spf_crown_take(spf_crown *c, size_t branch, spf_reader *grown) {
    branch_place place = c->branches[branch];
    spf_crown_node *node = &c->trees[place.tree].nodes[place.node];
    if (node->is_brought) return SPORF_OK; /* it was grown twice */
    spf_brought_node about = about_branch(c, place);
    spf_brought_free(&node->brought);
    SPF_TRY(spf_brought_read(&c->frame, &about, grown, &node->brought));
    if (node->brought.oob_count != node->sizes.oob_rows) return spf_raise_message();
    node->is_brought = 1;
    if (--c->branches_left > 0) return SPORF_OK;
    sporf_status status = take_turns(c);
    return fail(c, status == SPORF_OK ? go_on(c) : status);
}

/* ---- the forest ------------------------------------------------------------------------------ */

const spf_settings *spf_crown_settings(const spf_crown *c) {
    return &c->frame.settings;
}

sporf_status spf_crown_finish(spf_crown *c, sporf_forest **out) {
    if (c->phase == FINISHED)
        return spf_raise(SPORF_ERROR_ARGUMENT, "rows apart: the forest was already taken");
    if (c->joined == 0) return spf_raise(SPORF_ERROR_CANCELLED, "no tree was grown yet");
    c->phase = FINISHED;
    spf_assembly made = {.threads = 1,
                         .data = c->frame.data,
                         .outcome = &c->frame.plan.outcome,
                         .weighted = c->frame.settings.weights->units != NULL,
                         .trees = c->joined,
                         .grown = c->grown,
                         .tally = c->tally,
                         .curve = c->curve};
    SPF_TRY(
        spf_copy_array(c->frame.scale, c->frame.data->features, sizeof *made.scale, &made.scale));
    sporf_status status = spf_assemble(&made, out);
    free(made.scale);
    c->curve = made.curve;
    return status;
}
