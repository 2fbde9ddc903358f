/* A line for each node size that occurred. */
#include "profile_report.h"

#include "printed.h"

static const char *const phases[SPORF_PHASES] = {"sampling", "projecting", "splitting",
                                                 "partitioning", "other"};

static double phase_seconds(const sporf_profile *profile, int phase) {
    double sum = 0;
    for (int size = 0; size < SPORF_PROFILE_SIZES; size++) sum += profile->seconds[phase][size];
    return sum;
}

static uint64_t sum_of(const uint64_t *counts) {
    uint64_t sum = 0;
    for (int size = 0; size < SPORF_PROFILE_SIZES; size++) sum += counts[size];
    return sum;
}

void profile_json(json *writer, const sporf_profile *profile) {
    json_object(writer, "profile");
    for (int phase = 0; phase < SPORF_PHASES; phase++)
        json_double(writer, phases[phase], phase_seconds(profile, phase));
    json_count(writer, "row_projections", sum_of(profile->row_projections));
    json_list(writer, "by_node_size");
    for (int size = 0; size < SPORF_PROFILE_SIZES; size++) {
        if (profile->nodes[size] == 0) continue;
        json_object(writer, NULL);
        json_line(writer);
        json_count(writer, "rows_from", UINT64_C(1) << size);
        json_count(writer, "nodes", profile->nodes[size]);
        json_count(writer, "row_projections", profile->row_projections[size]);
        for (int phase = 0; phase < SPORF_PHASES; phase++)
            json_double(writer, phases[phase], profile->seconds[phase][size]);
        json_end(writer);
    }
    json_end(writer);
    json_end(writer);
}

static void table_line(FILE *stream, const char *label, uint64_t nodes, uint64_t row_projections,
                       const double *seconds) {
    char count[TEXT_NUMBER];
    double all = 0;
    fprintf(stream, "%14s %12s", label, text_count(count, nodes));
    for (int phase = 0; phase < SPORF_PHASES; phase++) {
        fprintf(stream, " %12.3f", seconds[phase]);
        all += seconds[phase];
    }
    if (row_projections > 0)
        fprintf(stream, " %8.2f\n", all * 1e9 / (double)row_projections);
    else
        fprintf(stream, " %8s\n", "-");
}

void profile_table(FILE *stream, const sporf_profile *profile) {
    double seconds[SPORF_PHASES];
    fprintf(
        stream,
        "\nwall-clock seconds by node size, over all threads; ns/rp: nanoseconds for each row and "
        "projection\n%14s %12s",
        "rows", "nodes");
    for (int phase = 0; phase < SPORF_PHASES; phase++) fprintf(stream, " %12s", phases[phase]);
    fprintf(stream, " %8s\n", "ns/rp");
    for (int size = SPORF_PROFILE_SIZES - 1; size >= 0; size--) {
        char label[TEXT_NUMBER], rows[TEXT_NUMBER];
        if (profile->nodes[size] == 0) continue;
        snprintf(label, sizeof label, "%s+", text_count(rows, UINT64_C(1) << size));
        for (int phase = 0; phase < SPORF_PHASES; phase++)
            seconds[phase] = profile->seconds[phase][size];
        table_line(stream, label, profile->nodes[size], profile->row_projections[size], seconds);
    }
    for (int phase = 0; phase < SPORF_PHASES; phase++)
        seconds[phase] = phase_seconds(profile, phase);
    table_line(stream, "all", sum_of(profile->nodes), sum_of(profile->row_projections), seconds);
}
