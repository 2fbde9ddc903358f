/* Histograms of gradients: the sums that a plain loop gives, and differences of them; gradients as
 * integers stay near the numbers they stand for. */
#include "learn/boosting/gradient_bins.h"
#include "learn/boosting/gradients.h"

#include "base/rng.h"
#include "support/check.h"

enum { ROWS = 700, BINS = SPF_GROUP_COLUMNS * SPF_BINS_MOST };

typedef struct {
    spf_binned binned;
    uint64_t pair[ROWS];
    uint32_t some[ROWS], others[ROWS], all[ROWS];
    size_t some_count, others_count;
} material;

/* A group of columns; the largest number of bins of a column is `bins`. */
static material *make_material(size_t columns, unsigned bins) {
    material *m = need(1, sizeof *m);
    sporf_random random = spf_random_start(columns, bins, SPF_USE_SIMULATE);
    assert_ok(spf_binned_create(ROWS, columns, &m->binned));
    for (size_t j = 0; j < columns; j++)
        m->binned.columns[j].bins = (uint16_t)(j == columns / 2 ? bins : 2);
    spf_binned_lay_out(&m->binned, 1);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < columns; j++)
            spf_bin_bytes(&m->binned, j)[i * spf_bin_group_of(&m->binned, j)->width] =
                (uint8_t)spf_random_below(&random, m->binned.columns[j].bins);
        int64_t gradient = (int64_t)spf_random_below(&random, 2000000) - 1000000;
        m->pair[i] = ((uint64_t)gradient << 32) + 1 + spf_random_below(&random, 1000000);
        m->all[i] = (uint32_t)i;
        int taken = spf_random_below(&random, 3) == 0;
        *(taken ? &m->some[m->some_count++] : &m->others[m->others_count++]) = (uint32_t)i;
    }
    return m;
}

static void plain_bins(const material *m, const spf_bin_part *part, const uint32_t *rows,
                       size_t count, uint64_t *bins) {
    memset(bins, 0, BINS * sizeof *bins);
    for (size_t i = 0; i < count; i++)
        for (unsigned c = 0; c < part->width; c++) {
            size_t at = (size_t)rows[i] * part->group->width + part->first + c;
            bins[((size_t)c << part->group->bits) + part->group->bytes[at]] += m->pair[rows[i]];
        }
}

static void check_part(const material *m, const spf_bin_part *part) {
    static uint64_t wanted[BINS], got[BINS], less[BINS];
    size_t size = spf_part_bins(part) * sizeof *got;
    plain_bins(m, part, m->some, m->some_count, wanted);
    spf_gradient_bins_fill(part, m->some, m->some_count, m->pair, got);
    assert_memory_equal(got, wanted, size);
    spf_gradient_bins_fill(part, m->others, m->others_count, m->pair, less);
    spf_gradient_bins_fill(part, m->all, ROWS, m->pair, got);
    spf_gradient_bins_subtract(got, less, spf_part_bins(part));
    assert_memory_equal(got, wanted, size);
    spf_gradient_bins_fill(part, m->some, 0, m->pair, got);
    for (size_t i = 0; i < spf_part_bins(part); i++) assert_true(got[i] == 0);
}

static void histograms_are_plain_sums(void **state) {
    (void)state;
    for (size_t columns = 1; columns <= SPF_GROUP_COLUMNS; columns++)
        for (unsigned bins = 2; bins <= SPF_BINS_MOST; bins *= 2) {
            material *m = make_material(columns, bins);
            const spf_bin_group *group = &m->binned.groups[0];
            assert_true(group->width >= columns && 1u << group->bits >= bins);
            for (unsigned width = SPF_GROUP_PART; width <= group->width; width *= 2)
                for (unsigned first = 0; first < columns; first += width)
                    check_part(m, &(spf_bin_part){group, first, width, first, 0});
            spf_binned_free(&m->binned);
            free(m);
        }
}

/* Every sum is within one unit for each row, and every hessian above 0. */
static void integers_stand_for_gradients(void **state) {
    (void)state;
    static const double spreads[] = {1, 1e-30, 1e30};
    for (size_t s = 0; s < 3; s++)
        for (int zero = 0; zero < 2; zero++) {
            float gradient[ROWS], hessian[ROWS];
            uint64_t pair[ROWS];
            uint32_t rows[ROWS];
            double sum = 0, weight = 0;
            sporf_random random = spf_random_start(s, 1, SPF_USE_SIMULATE);
            spf_gradients g = {.pair = pair};
            size_t count = 0;
            for (size_t i = 0; i < ROWS; i++) {
                gradient[i] = zero ? 0 : (float)(spreads[s] * spf_random_normal(&random));
                hessian[i] = zero || i % 5 == 0 ? 0 : (float)(spreads[s] * i);
                if (i % 3 == 0) continue;
                rows[count++] = (uint32_t)i;
                sum += gradient[i];
                weight += hessian[i];
            }
            spf_gradients_fill(&g, gradient, hessian, rows, count);
            assert_near(spf_pair_gradient(g.total) * g.gradient_unit, sum,
                        (double)count * g.gradient_unit);
            if (!zero)
                assert_near(spf_pair_hessian(g.total) * g.hessian_unit, weight,
                            (double)count * g.hessian_unit);
            for (size_t i = 0; i < count; i++) {
                double h = spf_pair_hessian(pair[rows[i]]);
                assert_true(h >= 1 && h >= g.least_hessian && h <= g.most_hessian);
                assert_near(spf_pair_gradient(pair[rows[i]]) * g.gradient_unit, gradient[rows[i]],
                            0.51 * g.gradient_unit);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histograms_are_plain_sums),
        cmocka_unit_test(integers_stand_for_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
