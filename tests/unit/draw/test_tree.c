/* Trees of boxes: no two touch, and parents stand above the middle of their children. */
#include "draw/tree.h"

#include "support/check.h"

enum { BOXES = 401, GAP = 10 };

/* A random tree in preorder, with boxes of random widths. */
static size_t grow(spf_box *boxes, double *widths, size_t most, uint64_t seed) {
    size_t parents[BOXES], count = 1, open = 1;
    boxes[0] = (spf_box){.left = SPF_NO_BOX, .right = SPF_NO_BOX, .shade = NAN};
    parents[0] = 0;
    while (open > 0) { /* a box that is still to be split, or not; the last one first */
        size_t own = parents[--open];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        widths[own] = 10 + (double)(seed >> 58);
        if (boxes[own].left == SPF_NO_BOX && count + 2 <= most && (seed >> 33) % 8 < 5) {
            size_t left = count++;
            boxes[left] =
                (spf_box){SPF_NO_BOX, SPF_NO_BOX, .depth = boxes[own].depth + 1, .shade = NAN};
            boxes[own].left = left;
            size_t right = count++;
            boxes[right] = boxes[left];
            boxes[own].right = right;
            parents[open++] = right;
            parents[open++] = left;
        }
    }
    return count;
}

static void boxes_of_a_level_do_not_touch(void **state) {
    (void)state;
    static spf_box boxes[BOXES];
    static double widths[BOXES], middle[BOXES];
    for (uint64_t seed = 1; seed < 40; seed++) {
        size_t count = grow(boxes, widths, BOXES, seed);
        for (size_t i = 0; i < count; i++) middle[i] = 0;
        assert_ok(spf_tree_layout(count, boxes, widths, GAP, middle));
        for (size_t i = 0; i < count; i++) {
            assert_true(middle[i] - widths[i] / 2 > -1e-9);
            if (boxes[i].left != SPF_NO_BOX)
                assert_near((middle[boxes[i].left] + middle[boxes[i].right]) / 2, middle[i], 1e-9);
            for (size_t j = 0; j < i; j++)
                if (boxes[j].depth == boxes[i].depth)
                    assert_true(fabs(middle[i] - middle[j]) >
                                (widths[i] + widths[j]) / 2 + GAP - 1e-9);
        }
    }
}

static void siblings_are_as_close_as_they_may_be(void **state) {
    (void)state;
    spf_box boxes[] = {{1, 2, .depth = 0},
                       {SPF_NO_BOX, SPF_NO_BOX, .depth = 1},
                       {SPF_NO_BOX, SPF_NO_BOX, .depth = 1}};
    double widths[] = {4, 20, 40}, middle[3] = {0};
    assert_ok(spf_tree_layout(3, boxes, widths, GAP, middle));
    assert_near(middle[1], 10, 1e-9);
    assert_near(middle[2], 50, 1e-9);
    assert_near(middle[0], 30, 1e-9);
}

static void a_picture_has_its_words_and_no_others_markup(void **state) {
    (void)state;
    spf_box boxes[] = {
        {1, 2, .lines_count = 1, .lines = {"a <b> & 'c' \xff"}, .shade = NAN},
        {SPF_NO_BOX, SPF_NO_BOX, .depth = 1, .lines_count = 1, .lines = {"left"}, .shade = 0.5},
        {SPF_NO_BOX, SPF_NO_BOX, .depth = 1, .lines_count = 1, .lines = {"right"}, .shade = NAN,
         .parts_count = 2, .parts = {{0, 0.25}, {1, 0.75}}}};
    const char *names[] = {"<one>", "two"};
    spf_markup m = {0};
    spf_tree_draw(&m, &(spf_tree_picture){.svg = {.title = "a & b", .description = "", .alone = 1},
                                          .count = 3,
                                          .boxes = boxes,
                                          .names_count = 2,
                                          .names = names,
                                          .yes = "yes",
                                          .no = "no"});
    assert_int_equal(m.status, SPORF_OK);
    assert_non_null(strstr(m.text, "a &lt;b&gt; &amp; &#39;c&#39; \xef\xbf\xbd"));
    assert_non_null(strstr(m.text, "&lt;one&gt;"));
    assert_non_null(strstr(m.text, ">yes<"));
    assert_null(strstr(m.text, "<b>"));
    assert_null(strstr(m.text, "nan"));
    spf_markup_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_a_level_do_not_touch),
        cmocka_unit_test(siblings_are_as_close_as_they_may_be),
        cmocka_unit_test(a_picture_has_its_words_and_no_others_markup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
