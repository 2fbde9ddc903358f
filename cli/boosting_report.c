/* The losses are those after each round, also after the best one. */
#include "boosting_report.h"

#include "printed.h"
#include "summary_line.h"

#include <math.h>

static double at_round(const double *losses, size_t round) {
    return losses && round > 0 ? losses[round - 1] : NAN;
}

double boosting_loss(const sporf_boosting *boosting, size_t round) {
    return at_round(boosting->valid_losses ? boosting->valid_losses : boosting->train_losses,
                    round);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void list_json(json *writer, const char *name, const double *values, size_t count) {
    json_list(writer, name);
    json_line(writer);
    for (size_t i = 0; i < count; i++) json_double(writer, NULL, values[i]);
    json_end(writer);
}

void boosting_json(json *writer, const sporf_boosting *b) {
    json_text(writer, "loss", b->loss);
    json_count(writer, "outputs", b->outputs);
    json_count(writer, "bags", b->bags);
    json_count(writer, "rounds", b->rounds);
    json_count(writer, "best_round", b->rounds);
    json_count(writer, "rounds_tried", b->tried);
    json_count(writer, "valid_rows", b->valid_rows);
    json_double(writer, "train_loss", at_round(b->train_losses, b->rounds));
    json_double(writer, "valid_loss", at_round(b->valid_losses, b->rounds));
    list_json(writer, "base", b->base, b->outputs);
    json_object(writer, "losses");
    list_json(writer, "train", b->train_losses, b->tried);
    list_json(writer, "valid", b->valid_losses, b->valid_losses ? b->tried : 0);
    json_end(writer);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void rounds_line(FILE *stream, const sporf_forest *forest, const sporf_boosting *b) {
    char kept[TEXT_NUMBER], tried[TEXT_NUMBER], bags[TEXT_NUMBER + 16] = "", count[TEXT_NUMBER];
    const char *most = sporf_forest_setting(forest, "rounds");
    if (b->bags > 1) snprintf(bags, sizeof bags, "; %s bags", text_count(count, b->bags));
    summary_line(stream, "rounds", "%s kept of %s tried, at most %s%s", text_count(kept, b->rounds),
                 text_count(tried, b->tried), most ? most : "-", bags);
}

static void loss_line(FILE *stream, const sporf_boosting *b) {
    char train[TEXT_NUMBER], valid[TEXT_NUMBER], rows[TEXT_NUMBER];
    text_score(train, at_round(b->train_losses, b->rounds));
    text_score(valid, at_round(b->valid_losses, b->rounds));
    if (b->valid_losses)
        summary_line(stream, "loss", "%s: %s on %s held-out rows%s, %s on training rows", b->loss,
                     valid, text_count(rows, b->valid_rows), b->bags > 1 ? " of all bags" : "",
                     train);
    else
        summary_line(stream, "loss", "%s: %s on training rows; none were held out", b->loss, train);
}

void boosting_lines(FILE *stream, const sporf_forest *forest, const sporf_boosting *boosting) {
    rounds_line(stream, forest, boosting);
    loss_line(stream, boosting);
}

static void base_line(FILE *stream, const sporf_boosting *b) {
    enum { SHOWN = 8 };
    char text[SHOWN * TEXT_NUMBER] = "", number[TEXT_NUMBER];
    size_t used = 0;
    for (size_t k = 0; k < b->outputs && k < SHOWN; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s",
                                 text_score(number, b->base[k]));
    summary_line(stream, "outputs", "%s, from%s%s before the first round",
                 text_count(number, b->outputs), text, b->outputs > SHOWN ? " ..." : "");
}

static void curve_line(FILE *stream, const sporf_boosting *b, size_t round) {
    char count[TEXT_NUMBER], train[TEXT_NUMBER], valid[TEXT_NUMBER + 32] = "", loss[TEXT_NUMBER];
    if (b->valid_losses)
        snprintf(valid, sizeof valid, "%s held out, ",
                 text_score(loss, at_round(b->valid_losses, round)));
    summary_line(stream, round == 1 ? "curve" : "", "round %s: loss %s%s in training%s",
                 text_count(count, round), valid,
                 text_score(train, at_round(b->train_losses, round)),
                 b->valid_losses && round == b->rounds ? "; best" : "");
}

/* The first round, quarters of those that are kept, and the last. */
void boosting_more_lines(FILE *stream, const sporf_boosting *boosting) {
    enum { QUARTERS = 4 };
    size_t shown = 0;
    base_line(stream, boosting);
    for (size_t i = 0; i <= QUARTERS + 1; i++) {
        size_t round = i == 0          ? 1
                       : i <= QUARTERS ? boosting->rounds * i / QUARTERS
                                       : boosting->tried;
        if (round <= shown) continue;
        curve_line(stream, boosting, round);
        shown = round;
    }
}
