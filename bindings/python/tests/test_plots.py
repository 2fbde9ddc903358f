"""Pictures are drawn, with what they should show."""

import numpy as np
import pytest

from sporf import (
    SporfClassifier,
    SporfRegressor,
    plot_boundary,
    plot_dependence,
    plot_importance,
    plot_oob,
    plot_tree,
)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_a_tree_shows_its_splits_and_leaves(customers, tmp_path):
    frame, left = customers
    forest = SporfClassifier(3, random_state=0).fit(frame, left)
    ax = plot_tree(forest, 1, max_depth=None)
    words = " ".join(texts(ax))
    assert "income" in words and "rows" in words and "yes" in words and "..." not in words
    assert "..." in " ".join(texts(plot_tree(forest, 1, max_depth=1)))
    ax.figure.savefig(tmp_path / "tree.svg")
    with pytest.raises(ValueError, match="tree must be from 0 to 2, got 3"):
        plot_tree(forest, 3)


def test_a_tree_of_numbers_shows_means(friedman):
    X, y = friedman
    words = texts(plot_tree(SporfRegressor(2, random_state=0).fit(X, y)))
    assert any(word.endswith("rows") for word in words) or "..." in words


def test_importances_are_ranked(friedman):
    X, y = friedman
    forest = SporfRegressor(20, random_state=0).fit(X, y)
    ax = plot_importance(forest, 4)
    widths = [bar.get_width() for bar in ax.patches]
    assert len(widths) == 4
    assert widths == sorted(widths, reverse=True)
    assert plot_importance(forest, 4, kind="projections").get_yticklabels()[0].get_text()[0] == "+"
    with pytest.raises(ValueError, match="kind"):
        plot_importance(forest, kind="trees")


def test_the_out_of_bag_curve_is_drawn(parity):
    forest = SporfClassifier(20, random_state=0).fit(*parity)
    ax = plot_oob(forest, label="sporf")
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), forest.oob_curve_)
    plot_oob(SporfClassifier(20, random_state=1).fit(*parity), label="again", ax=ax)
    assert len(ax.lines) == 2
    with pytest.raises(AttributeError, match="bootstrap"):
        plot_oob(SporfClassifier(5, bootstrap=False).fit(*parity))


def test_the_boundary_is_drawn(parity):
    X, y = parity
    forest = SporfClassifier(5, random_state=0).fit(X, y)
    ax = plot_boundary(forest, X, y, features=(2, 5), steps=20)
    assert ax.images[0].get_array().shape == (20, 20)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x2", "x5")


def test_the_boundary_takes_names_of_a_frame(customers):
    frame, left = customers
    X = frame[["age", "income"]]
    forest = SporfClassifier(5, random_state=0).fit(X, left)
    ax = plot_boundary(forest, X, left, features=("income", "age"), steps=10)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("income", "age")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["no", "yes"]


def test_the_boundary_names_what_is_wrong_with_its_features(customers):
    frame, left = customers
    X = frame[["age", "income"]]
    forest = SporfClassifier(5, random_state=0).fit(X, left)
    with pytest.raises(ValueError, match=r"y has 2 labels, but X has \d+ rows; name the two feat"):
        plot_boundary(forest, X, ["age", "income"])
    with pytest.raises(ValueError, match="no column 'height'"):
        plot_boundary(forest, X, left, features=("age", "height"))
    with pytest.raises(ValueError, match="from 0 to 1, got 2"):
        plot_boundary(forest, X, left, features=(0, 2))
    with pytest.raises(ValueError, match="two indices or names"):
        plot_boundary(forest, X, left, features="age")


def test_dependence_is_drawn_with_light_curves_and_a_bold_mean(friedman):
    X, y = friedman
    forest = SporfRegressor(10, random_state=0).fit(X, y)
    ax = plot_dependence(forest, X, 3, kind="individual", sample=30)
    found = forest.partial_dependence(X, 3, kind="individual", sample=30)
    *rows, mean = ax.lines
    assert len(rows) == 30
    np.testing.assert_array_equal(mean.get_ydata(), found.average[0])
    np.testing.assert_array_equal(rows[7].get_ydata(), found.individual[0, 7])
    assert rows[0].get_alpha() < 1 and rows[0].get_linewidth() < mean.get_linewidth()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x3", "prediction")
    effects = plot_dependence(forest, X, 3, kind="ale", grid_resolution=10)
    np.testing.assert_array_equal(
        effects.lines[0].get_ydata(), forest.ale(X, 3, bins=10).average[0]
    )
    assert effects.get_ylabel() == "effect on the prediction"
    assert plot_dependence(forest, X, 0, ax=ax) is ax


def test_dependence_on_categories_is_drawn_as_bars(customers):
    frame, left = customers
    forest = SporfClassifier(10, random_state=0).fit(frame, left)
    ax = plot_dependence(forest, frame, "plan")
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_array_equal(heights, forest.partial_dependence(frame, "plan").average[1])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["basic", "family", "plus"]
    assert ax.get_ylabel() == "probability of yes" and ax.get_legend() is None
    assert plot_dependence(forest, frame, "plan", target="no").get_ylabel() == "probability of no"
    dotted = plot_dependence(forest, frame, "plan", kind="individual", sample=9)
    assert sum(len(dots.get_offsets()) for dots in dotted.collections) == 27
    grid = plot_dependence(forest, frame, ["age", "plan"], grid_resolution=4)
    assert grid.collections[0].get_array().shape == (3, 4)
    assert (grid.get_xlabel(), grid.get_ylabel()) == ("age", "plan")
    with pytest.raises(ValueError, match="target must be one of"):
        plot_dependence(forest, frame, "plan", target="maybe")
    with pytest.raises(ValueError, match="kind"):
        plot_dependence(forest, frame, "plan", kind="pdp")
    with pytest.raises(ValueError, match='use kind="average"'):
        plot_dependence(forest, frame, ["age", "plan"], kind="individual")


def test_dependence_of_several_classes_has_a_legend(friedman):
    X, y = friedman
    forest = SporfClassifier(10, random_state=0).fit(X, np.digitize(y, [10, 18]))
    ax = plot_dependence(forest, X, 0)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0", "1", "2"]
    assert len(plot_dependence(forest, X, 0, target=2).lines) == 1
    with pytest.raises(ValueError, match="name a target"):
        plot_dependence(forest, X, [0, 1])
    assert plot_dependence(forest, X, [0, 1], target=2, grid_resolution=3).collections
