/* What is asked about columns, nodes and rows, answered for the rows that are here. */
#include "learn/apart/shard.h"

#include "base/parallel.h"
#include "learn/apart/add_up.h"
#include "learn/apart/asks.h"
#include "learn/apart/brought.h"
#include "learn/apart/column_answer.h"
#include "learn/apart/heads.h"
#include "learn/apart/node_looks.h"
#include "learn/apart/shard_trees.h"
#include "learn/growing/node.h"
#include "learn/rows/project.h"
#include "learn/splitting/ends.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct spf_shard {
    pthread_mutex_t lock; /* of everything below */
    spf_frame frame;
    spf_some_rows rows;
    spf_plan plan;             /* that of the frame with the shard's table */
    spf_workspace *workspaces; /* [workers], while a question is answered */
    unsigned workers;
    spf_shard_trees trees;
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Between questions shards keep no memory to search in: a process may have many of them. */
static void drop_workspaces(spf_shard *shard) {
    for (unsigned i = 0; i < shard->workers; i++) spf_workspace_free(&shard->workspaces[i]);
    free(shard->workspaces);
    shard->workspaces = NULL;
    shard->workers = 0;
}

static sporf_status start_shard(const spf_some_rows *rows, spf_shard **out) {
    SPF_TRY(spf_dataset_check_borrowed(rows->data));
    *out = spf_alloc_zero(1, sizeof **out);
    if (!*out) return spf_raise_memory();
    (*out)->rows = *rows;
    return SPORF_OK;
}

/* Once its frame is made, or could not be. */
static sporf_status hand_over(sporf_status status, spf_shard *shard, spf_shard **out) {
    if (status != SPORF_OK) {
        free(shard);
        return status;
    }
    pthread_mutex_init(&shard->lock, NULL);
    *out = shard;
    return SPORF_OK;
}

sporf_status spf_shard_create(const sporf_dataset *outcomes, const spf_some_rows *rows,
                              const sporf_params *params, spf_shard **out) {
    spf_shard *shard;
    SPF_TRY(start_shard(rows, &shard));
    return hand_over(spf_frame_create(outcomes, rows->data, params, &shard->frame), shard, out);
}

sporf_status spf_shard_create_beside(const spf_shard *other, const spf_some_rows *rows,
                                     spf_shard **out) {
    spf_shard *shard;
    SPF_TRY(start_shard(rows, &shard));
    return hand_over(spf_frame_create_beside(&other->frame, rows->data, &shard->frame), shard, out);
}

size_t spf_shard_all_rows(const spf_shard *shard) {
    return shard->frame.data->rows;
}

void spf_shard_free(spf_shard *shard) {
    if (!shard) return;
    spf_shard_trees_free(&shard->trees);
    spf_frame_free(&shard->frame);
    pthread_mutex_destroy(&shard->lock);
    free(shard);
}

/* The plan, once the frame is settled. */
static void make_plan(spf_shard *shard) {
    const sporf_dataset *data = shard->rows.data;
    if (shard->plan.data) return;
    shard->plan = shard->frame.plan;
    shard->trees.plan = &shard->plan;
    shard->trees.rows = &shard->rows;
    shard->trees.most = shard->frame.params.trees;
    shard->plan.table = (spf_table){
        .rows = data->rows, .features = data->features, .stride = 1, .columns = data->columns};
    if (shard->plan.outcome.labels) shard->plan.outcome.labels += shard->rows.first;
    if (shard->plan.outcome.values)
        shard->plan.outcome.values += shard->rows.first; /* one target */
}

static sporf_status make_workspaces(spf_shard *shard, unsigned workers) {
    shard->workspaces = spf_alloc_zero(workers, sizeof *shard->workspaces);
    if (!shard->workspaces) return spf_raise_memory();
    shard->workers = workers;
    for (unsigned i = 0; i < workers; i++)
        SPF_TRY(spf_workspace_create(&shard->plan, &shard->workspaces[i]));
    return SPORF_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static sporf_status find_node(spf_shard *shard, spf_reader *question, spf_shard_tree **tree,
                              spf_waiting *node) {
    uint32_t number = 0, place = 0;
    SPF_TRY(spf_read_number(question, &number));
    SPF_TRY(spf_read_number(question, &place));
    *tree = spf_shard_trees_find(&shard->trees, number);
    if (!*tree || place >= (*tree)->nodes_count) return spf_raise_message();
    *node = (*tree)->nodes[place];
    return SPORF_OK;
}

/* Rows, draws, and the weight of each class of the data. */
static sporf_status write_sizes(spf_shard *shard, spf_shard_tree *tree, const spf_waiting *node,
                                spf_writer *answer) {
    spf_workspace *w = &shard->workspaces[0];
    spf_node_open(w, tree->rows, node);
    spf_node_sizes sizes = {node->bag.end - node->bag.begin, node->oob.end - node->oob.begin,
                            w->drawn};
    sporf_status status = spf_write(answer, &sizes, sizeof sizes);
    if (status == SPORF_OK)
        status =
            spf_write(answer, w->class_total, shard->plan.outcome.classes * sizeof *w->class_total);
    if (status == SPORF_OK && w->targets.count > 0) {
        spf_range range = {(float)w->targets.low[0], (float)w->targets.high[0]};
        status = spf_write(answer, &range, sizeof range);
    }
    if (status == SPORF_OK && spf_schema_has_categories(&shard->rows.data->schema)) {
        spf_shard_weight here = {.first = shard->rows.first, .weight = w->total};
        status = spf_write_number(answer, 1);
        if (status == SPORF_OK) status = spf_write(answer, &here, sizeof here);
    }
    spf_node_close(w);
    return status;
}

/* How many rows of the bag, their numbers in the table, and their weights. */
static sporf_status write_bag(const spf_shard *shard, const spf_tree_rows *s, spf_extent bag,
                              spf_writer *w) {
    SPF_TRY(spf_write_number(w, bag.end - bag.begin));
    for (uint32_t i = bag.begin; i < bag.end; i++)
        SPF_TRY(spf_write_number(w, s->row[i] + shard->rows.first));
    for (uint32_t i = bag.begin; i < bag.end; i++)
        SPF_TRY(spf_write_number(w, spf_bag_weight(s, i)));
    return SPORF_OK;
}

static sporf_status write_leaf(const spf_shard *shard, const spf_tree_rows *s,
                               const spf_waiting *node, spf_writer *answer) {
    uint32_t count = node->oob.end - node->oob.begin;
    SPF_TRY(spf_write_number(answer, count));
    SPF_TRY(spf_write(answer, s->oob_row + node->oob.begin, count * sizeof *s->oob_row));
    return shard->plan.outcome.targets > 0 ? write_bag(shard, s, node->bag, answer) : SPORF_OK;
}

/* The asks about one candidate, which are answered by one thread. */
typedef struct {
    const unsigned char *asks;
    size_t count;
    uint32_t candidate;
    spf_writer answer;
} ask_group;

typedef struct {
    spf_shard *shard;
    spf_shard_tree *tree;
    const spf_waiting *node;
    spf_apart_node split;
    ask_group *groups;
    char *has_drawn; /* [workers]: the node's candidates are in the thread's workspace */
} candidates_job;

/* The row of the bag with a unit of the node's weight here: ends[i] is the weight up to row i. */
static size_t row_of_ticket(const uint64_t *ends, size_t rows, uint32_t ticket) {
    size_t begin = 0;
    while (rows > 0) {
        size_t half = rows / 2;
        int before = ends[begin + half] <= ticket;
        begin += before ? half + 1 : 0;
        rows = before ? rows - half - 1 : half;
    }
    return begin;
}

static sporf_status write_look(const candidates_job *job, const spf_apart_look *look,
                               const uint64_t *ends, spf_writer *answer) {
    const spf_tree_rows *s = job->tree->rows;
    size_t rows = job->node->bag.end - job->node->bag.begin;
    const sporf_dataset *data = job->shard->rows.data;
    if (rows == 0 || look->ticket >= ends[rows - 1]) return spf_raise_message();
    uint32_t i = job->node->bag.begin + (uint32_t)row_of_ticket(ends, rows, look->ticket);
    if (look->feature == SPF_LOOK_CLASS)
        return spf_write_number(answer, job->split.number[spf_bag_class(s, i)]);
    if (look->feature >= data->features ||
        spf_schema_kind(&data->schema, look->feature) != SPORF_KIND_CATEGORY)
        return spf_raise_message();
    float level = data->columns[look->feature][s->row[i]];
    return spf_write_number(answer, isnan(level) ? SPF_NOT_SEEN : (uint32_t)level);
}

/* What candidates see of the rows that are here. */
static sporf_status write_looks(const candidates_job *job, spf_reader *question,
                                spf_writer *answer) {
    const spf_tree_rows *s = job->tree->rows;
    spf_extent bag = job->node->bag;
    const unsigned char *looks = NULL;
    uint32_t count = 0;
    uint64_t sum = 0, *ends = spf_alloc(bag.end - bag.begin, sizeof *ends);
    sporf_status status = ends ? spf_read_number(question, &count) : spf_raise_memory();
    for (uint32_t i = bag.begin; status == SPORF_OK && i < bag.end; i++)
        ends[i - bag.begin] = sum += spf_bag_weight(s, i);
    if (status == SPORF_OK)
        status = spf_read_in_place(question, count, sizeof(spf_apart_look), &looks);
    for (uint32_t i = 0; status == SPORF_OK && i < count; i++) {
        spf_apart_look look;
        memcpy(&look, looks + i * sizeof look, sizeof look);
        if (look.first == job->shard->rows.first) status = write_look(job, &look, ends, answer);
    }
    free(ends);
    return status;
}

/* Draws the candidates of a node: those of a sampler that ignores rows, and levels that were
 * found. */
static sporf_status draw(const candidates_job *job, spf_workspace *w) {
    const sporf_schema *schema = &job->shard->rows.data->schema;
    spf_looks looks = {0};
    spf_node_rows none = {.table = &job->shard->plan.table, .looks = &looks};
    const spf_apart_node *node = &job->split;
    if (node->node.total == 0) return spf_raise_message();
    SPF_TRY(spf_tree_rows_join(job->tree->rows, w));
    sporf_status status = spf_node_candidates(w, job->tree->rows, job->node, &node->node, &none);
    if (status == SPORF_OK && looks.count != node->found_count) status = spf_raise_message();
    if (status == SPORF_OK && looks.count > 0) {
        looks.found = node->found;
        status = spf_looks_check(&looks, schema, node->node.classes);
        if (status == SPORF_OK)
            status = spf_node_candidates(w, job->tree->rows, job->node, &node->node, &none);
    }
    free(looks.look);
    return status;
}

/* Projects the node's rows on a candidate, filled and clamped as the ask says. */
static void project(const candidates_job *job, spf_workspace *w, const spf_ask *ask) {
    size_t rows = job->split.node.rows;
    float *values = w->searcher.value;
    spf_project_rows(&w->candidates, ask->candidate, &job->shard->plan.table,
                     job->tree->rows->row + job->node->bag.begin, rows, values);
    for (size_t i = 0; ask->filled && i < rows; i++)
        if (isnan(values[i])) values[i] = ask->fill;
    if (ask->clamped) spf_ends_clamp(values, rows, ask->low, ask->high);
}

static int has_same_values(const spf_ask *a, const spf_ask *b) {
    return a->filled == b->filled && a->fill == b->fill && a->clamped == b->clamped &&
           a->low == b->low && a->high == b->high;
}

static sporf_status answer_group(void *context, size_t item, unsigned worker) {
    const candidates_job *job = context;
    ask_group *group = &job->groups[item];
    spf_workspace *w = &job->shard->workspaces[worker];
    spf_ask ask, last = {0};
    if (!job->has_drawn[worker]) SPF_TRY(draw(job, w));
    job->has_drawn[worker] = 1;
    if (group->candidate >= w->candidates.count) return spf_raise_message();
    SPF_TRY(spf_searcher_reserve(&w->searcher, job->split.node.rows));
    for (size_t i = 0; i < group->count; i++, last = ask) {
        memcpy(&ask, group->asks + i * sizeof ask, sizeof ask);
        if (ask.kind == SPF_ASK_LEVELS &&
            !spf_categories_alone(&w->searcher.levels, &w->candidates, group->candidate))
            return spf_raise_message();
        if (i == 0 || !has_same_values(&ask, &last)) project(job, w, &ask);
        SPF_TRY(spf_column_answer(&job->split.node, w->searcher.value, &ask, &w->searcher.scratch,
                                  &group->answer));
    }
    return SPORF_OK;
}

static sporf_status answer_groups(candidates_job *job, size_t count, spf_writer *answer) {
    SPF_TRY(spf_apart_node_open(job->tree->rows, job->node, &job->split));
    SPF_TRY(spf_parallel(count, job->shard->workers, answer_group, job));
    for (size_t i = 0; i < count; i++)
        SPF_TRY(spf_write(answer, job->groups[i].answer.bytes, job->groups[i].answer.size));
    return SPORF_OK;
}

/* The asks of a node about its candidates, those of one candidate together. */
static sporf_status answer_candidates(candidates_job *job, const unsigned char *asks, size_t count,
                                      spf_writer *answer) {
    size_t groups = 0;
    if (job->split.node.classes < 2) return spf_raise_message();
    job->groups = spf_alloc_zero(count, sizeof *job->groups);
    job->has_drawn = spf_alloc_zero(job->shard->workers, sizeof *job->has_drawn);
    int has_room = job->groups && job->has_drawn;
    for (size_t i = 0; has_room && i < count; i++) {
        spf_ask ask;
        memcpy(&ask, asks + i * sizeof ask, sizeof ask);
        if (groups == 0 || job->groups[groups - 1].candidate != ask.candidate)
            job->groups[groups++] =
                (ask_group){.asks = asks + i * sizeof ask, .candidate = ask.candidate};
        job->groups[groups - 1].count++;
    }
    sporf_status status = has_room ? answer_groups(job, groups, answer) : spf_raise_memory();
    for (size_t i = 0; i < groups; i++) free(job->groups[i].answer.bytes);
    free(job->groups);
    free(job->has_drawn);
    return status;
}

static sporf_status answer_asks(candidates_job *job, const unsigned char *asks, size_t count,
                                spf_reader *question, spf_writer *answer) {
    spf_ask first;
    if (count == 0) return SPORF_OK;
    memcpy(&first, asks, sizeof first);
    if (first.kind == SPF_ASK_SIZES) return write_sizes(job->shard, job->tree, job->node, answer);
    if (first.kind == SPF_ASK_LOOKS) return write_looks(job, question, answer);
    if (first.kind == SPF_ASK_LEAF)
        return write_leaf(job->shard, job->tree->rows, job->node, answer);
    return answer_candidates(job, asks, count, answer);
}

/* One node of the question: which it is, its classes or the range of its targets, and what is asked
 * about it. */
static sporf_status answer_node(spf_shard *shard, spf_reader *question, spf_writer *answer) {
    spf_waiting node;
    uint32_t asks_count = 0;
    const unsigned char *asks = NULL;
    candidates_job job = {.shard = shard, .node = &node};
    SPF_TRY(find_node(shard, question, &job.tree, &node));
    sporf_status status = spf_apart_node_read(&shard->plan, question, &job.split);
    if (status == SPORF_OK) status = spf_read_number(question, &asks_count);
    if (status == SPORF_OK)
        status = spf_read_in_place(question, asks_count, sizeof(spf_ask), &asks);
    if (status == SPORF_OK) status = answer_asks(&job, asks, asks_count, question, answer);
    spf_apart_node_free(&job.split);
    return status;
}

static sporf_status answer_nodes(spf_shard *shard, spf_reader *question, spf_writer *answer) {
    uint32_t count = 0;
    SPF_TRY(spf_read_number(question, &count));
    for (uint32_t i = 0; i < count; i++) SPF_TRY(answer_node(shard, question, answer));
    return SPORF_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static sporf_status write_gathered(const float *column, const uint32_t *place, size_t count,
                                   spf_writer *w) {
    SPF_TRY(SPF_RESERVE(w->bytes, w->capacity, w->size + count * sizeof *column));
    for (size_t i = 0; i < count; i++)
        memcpy(w->bytes + w->size + i * sizeof *column, &column[place[i]], sizeof *column);
    w->size += count * sizeof *column;
    return SPORF_OK;
}

/* A node's rows: spf_rows_head, their numbers in the table, first those of the bag; the weights of
 * these and, if weights are relative, their draws; then the values column by column. */
static sporf_status write_rows(spf_shard *shard, spf_reader *question, spf_writer *w) {
    spf_shard_tree *tree;
    spf_waiting node = {0};
    SPF_TRY(find_node(shard, question, &tree, &node));
    const spf_tree_rows *s = tree->rows;
    const uint32_t *bag = s->row + node.bag.begin, *oob = s->oob_place + node.oob.begin;
    uint32_t bag_count = node.bag.end - node.bag.begin, oob_count = node.oob.end - node.oob.begin;
    size_t features = shard->plan.table.features;
    spf_rows_head head = {bag_count, oob_count, s->weight_bits, s->least_units};
    SPF_TRY(SPF_RESERVE(w->bytes, w->capacity,
                        w->size + sizeof head +
                            (bag_count + (size_t)oob_count) * sizeof(float) * (features + 3)));
    SPF_TRY(spf_write(w, &head, sizeof head));
    for (uint32_t i = 0; i < bag_count; i++)
        SPF_TRY(spf_write_number(w, bag[i] + shard->rows.first));
    SPF_TRY(spf_write(w, s->oob_row + node.oob.begin, oob_count * sizeof *oob));
    for (uint32_t i = node.bag.begin; i < node.bag.end; i++)
        SPF_TRY(spf_write_number(w, spf_bag_weight(s, i)));
    for (uint32_t i = node.bag.begin; s->draws && i < node.bag.end; i++)
        SPF_TRY(spf_write_number(w, s->draws[s->tag[i]]));
    for (size_t j = 0; j < features; j++) {
        SPF_TRY(write_gathered(shard->plan.table.columns[j], bag, bag_count, w));
        SPF_TRY(write_gathered(shard->plan.table.columns[j], oob, oob_count, w));
    }
    return SPORF_OK;
}

/* The values of rows that are named by number, ascending, as far as they are here: first how many,
 * then column by column. */
static sporf_status write_values(spf_shard *shard, spf_reader *question, spf_writer *w) {
    const sporf_dataset *data = shard->rows.data;
    uint32_t count, *place = NULL;
    size_t here = 0;
    SPF_TRY(spf_read_number(question, &count));
    SPF_TRY(spf_read_array(question, count, sizeof *place, &place));
    for (uint32_t i = 0; i < count; i++)
        if (place[i] >= shard->rows.first && place[i] - shard->rows.first < data->rows)
            place[here++] = place[i] - shard->rows.first;
    sporf_status status = spf_write_number(w, (uint32_t)here);
    for (size_t j = 0; status == SPORF_OK && j < data->features; j++)
        status = write_gathered(data->columns[j], place, here, w);
    free(place);
    return status;
}

/* ---- questions ------------------------------------------------------------------------------- */

static sporf_status answer_question(spf_shard *shard, spf_reader *question, unsigned threads,
                                    spf_writer *answer) {
    uint32_t kind = 0;
    SPF_TRY(spf_answer_start(question, &shard->rows, answer));
    SPF_TRY(spf_question_open(&shard->frame, question, &kind));
    if (kind == SPF_ASK_FACTS)
        return spf_facts_answer(&shard->frame, &shard->rows, threads, answer);
    if (kind == SPF_ASK_SPREAD)
        return spf_spread_answer(&shard->frame, &shard->rows, threads, question, answer);
    if (kind == SPF_ASK_VALUES) return write_values(shard, question, answer);
    if (kind != SPF_ASK_NODES && kind != SPF_ASK_ROWS) return spf_raise_message();
    SPF_TRY(spf_frame_read(&shard->frame, question));
    make_plan(shard);
    SPF_TRY(make_workspaces(shard, spf_thread_count(threads)));
    SPF_TRY(spf_shard_trees_read(&shard->trees, &shard->workspaces[0], question,
                                 kind == SPF_ASK_NODES));
    return kind == SPF_ASK_NODES ? answer_nodes(shard, question, answer)
                                 : write_rows(shard, question, answer);
}

sporf_status spf_shard_answer(spf_shard *shard, spf_reader *question, unsigned threads,
                              spf_writer *answer) {
    pthread_mutex_lock(&shard->lock);
    sporf_status status = answer_question(shard, question, threads, answer);
    drop_workspaces(shard);
    pthread_mutex_unlock(&shard->lock);
    return status;
}

sporf_status spf_shard_add_up(spf_shard *shard, spf_reader *question, spf_reader *answers,
                              size_t count, spf_writer *sum) {
    pthread_mutex_lock(&shard->lock);
    sporf_status status = spf_answers_add_up(&shard->frame, question, answers, count, sum);
    pthread_mutex_unlock(&shard->lock);
    return status;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Reads the question up to the node; the splits are those of other trees, too. */
static sporf_status read_node(spf_shard *shard, spf_reader *question, spf_brought_node *node) {
    uint32_t kind = 0;
    SPF_TRY(spf_question_open(&shard->frame, question, &kind));
    if (kind != SPF_ASK_ROWS) return spf_raise_message();
    SPF_TRY(spf_frame_read(&shard->frame, question));
    SPF_TRY(spf_shard_trees_skip(question));
    SPF_TRY(spf_read(question, node, sizeof *node));
    return node->tree < shard->frame.params.trees ? SPORF_OK : spf_raise_message();
}

/* The answers must be those of all rows. */
static sporf_status open_rows(const spf_shard *shard, const spf_reader *question,
                              spf_reader *answers, size_t count) {
    spf_extent *rows = spf_alloc(count, sizeof *rows);
    if (!rows) return spf_raise_memory();
    sporf_status status = spf_answers_open(question, &shard->frame, answers, count, rows);
    free(rows);
    return status;
}

sporf_status spf_shard_grow(spf_shard *shard, spf_reader *question, spf_reader *rows, size_t count,
                            spf_writer *grown) {
    spf_brought_node node;
    spf_brought branch;
    SPF_TRY(open_rows(shard, question, rows, count));
    pthread_mutex_lock(&shard->lock);
    sporf_status status = read_node(shard, question, &node);
    pthread_mutex_unlock(&shard->lock);
    SPF_TRY(status);
    SPF_TRY(spf_brought_grow(&shard->frame, &node, rows, count, &branch)); /* settled for good */
    status = spf_brought_write(&node, &branch, grown);
    spf_brought_free(&branch);
    return status;
}
