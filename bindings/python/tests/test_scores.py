"""Scores of classification: equal to scikit-learn's, and intervals that cover as they claim."""

import numpy as np
import pytest
from sklearn import metrics

import sporf
from sporf import SporfClassifier, score_curve, scores


def drawn(seed, rows=300, classes=3, ties=False, weighted=False, absent=False):
    """True classes, probabilities that know something of them, and weights."""
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    raw = random.random((rows, classes)) + 0.7 * (np.arange(classes) == y[:, None])
    if absent:
        y[y == classes - 1] = 0
    proba = raw / raw.sum(axis=1, keepdims=True)
    if ties:
        proba = random.multinomial(8, proba) / 8
    weights = np.round(random.random(rows) * 3, 1) + 0.1 if weighted else None
    return y, proba, weights


def near(ours, theirs):
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9, nan_ok=True)


CASES = [
    {"seed": seed, "classes": classes, "ties": ties, "weighted": weighted}
    for seed, classes in ((1, 2), (2, 3), (3, 7))
    for ties in (False, True)
    for weighted in (False, True)
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_all_scores_are_those_of_scikit_learn(case):
    y, proba, w = drawn(**case)
    classes = np.arange(proba.shape[1])
    found = scores(y, proba, classes=classes, sample_weight=w, top_k=2)
    predicted = proba.argmax(axis=1)
    near(found.accuracy.value, metrics.accuracy_score(y, predicted, sample_weight=w))
    near(
        found.balanced_accuracy.value,
        metrics.balanced_accuracy_score(y, predicted, sample_weight=w),
    )
    near(found.f1_macro.value, metrics.f1_score(y, predicted, average="macro", sample_weight=w))
    near(found.mcc.value, metrics.matthews_corrcoef(y, predicted, sample_weight=w))
    near(found.log_loss.value, metrics.log_loss(y, proba, labels=classes, sample_weight=w))
    truth = classes == y[:, None]
    near(found.brier.value, np.average(((proba - truth) ** 2).sum(axis=1), weights=w))
    if len(classes) > 2:
        top = metrics.top_k_accuracy_score(y, proba, k=2, labels=classes, sample_weight=w)
        near(found.top_k_accuracy.value, top)
    check_areas(found, y, proba, w)
    table = metrics.precision_recall_fscore_support(
        y, predicted, labels=classes, sample_weight=w, zero_division=np.nan
    )
    for k, own in enumerate(found.by_class):
        near(own.precision, table[0][k])
        near(own.recall, table[1][k])
        near(own.f1, table[2][k])
        near(own.weight, table[3][k])
        assert own.rows == (y == k).sum()


def check_areas(found, y, proba, w):
    classes = np.arange(proba.shape[1])
    for k, own in enumerate(found.by_class):
        near(own.auc, metrics.roc_auc_score(y == k, proba[:, k], sample_weight=w))
        near(
            own.average_precision,
            metrics.average_precision_score(y == k, proba[:, k], sample_weight=w),
        )
    if len(classes) == 2:
        near(found.auc.value, metrics.roc_auc_score(y, proba[:, 1], sample_weight=w))
        ours = found.average_precision.value
        near(ours, metrics.average_precision_score(y, proba[:, 1], sample_weight=w))
        return
    truth = classes == y[:, None]
    near(found.auc.value, metrics.roc_auc_score(y, proba, multi_class="ovr", sample_weight=w))
    near(
        found.average_precision.value,
        metrics.average_precision_score(truth, proba, average="macro", sample_weight=w),
    )
    if w is None:
        near(found.auc_hand_till.value, metrics.roc_auc_score(y, proba, multi_class="ovo"))


def test_weights_are_numbers_of_equal_rows():
    y, proba, _ = drawn(4, classes=4, ties=True)
    times = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = scores(y, proba, sample_weight=times)
    repeated = scores(np.repeat(y, times), np.repeat(proba, times, axis=0))
    for name in "auc", "auc_hand_till", "average_precision", "mcc", "log_loss", "f1_macro":
        near(getattr(weighted, name).value, getattr(repeated, name).value)
    assert weighted.rows == (times > 0).sum() and weighted.weight == repeated.rows


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_curves_are_those_of_scikit_learn(ties, weighted):
    y, proba, w = drawn(5, ties=ties, weighted=weighted)
    curve = score_curve(y, proba, 1, sample_weight=w)
    rates = metrics.roc_curve(y == 1, proba[:, 1], sample_weight=w, drop_intermediate=False)
    for ours, theirs in zip((curve[1], curve[2], curve[0]), rates, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    precision, recall, thresholds = metrics.precision_recall_curve(
        y == 1, proba[:, 1], sample_weight=w
    )
    np.testing.assert_allclose(curve.precision[::-1], precision, atol=1e-12)
    np.testing.assert_allclose(curve.recall[::-1], recall, atol=1e-12)
    np.testing.assert_allclose(curve.thresholds[:0:-1], thresholds)


@pytest.mark.filterwarnings("ignore")
def test_a_class_without_rows_has_no_areas_and_is_left_out_of_means():
    y, proba, _ = drawn(6, classes=4, absent=True)
    found = scores(y, proba, classes=range(4))
    own = found.by_class[3]
    assert own.rows == 0 and np.isnan(own.recall) and np.isnan(own.auc)
    near(found.auc.value, np.mean([found.by_class[k].auc for k in range(3)]))
    predicted = proba.argmax(axis=1)
    near(found.f1_macro.value, metrics.f1_score(y, predicted, average="macro"))
    near(found.balanced_accuracy.value, metrics.balanced_accuracy_score(y, predicted))
    near(found.mcc.value, metrics.matthews_corrcoef(y, predicted))


def test_a_class_without_a_probability_counts_as_an_error():
    y, proba, _ = drawn(7, classes=3)
    other = y.copy()
    other[:10] = 9
    found = scores(other, proba, classes=[0, 1, 2])
    padded = np.column_stack([proba, np.zeros(len(y))])
    near(found.log_loss.value, metrics.log_loss(other, padded, labels=[0, 1, 2, 9]))
    near(found.mcc.value, metrics.matthews_corrcoef(other, proba.argmax(axis=1)))
    near(found.by_class[0].auc, metrics.roc_auc_score(other == 0, proba[:, 0]))


def test_one_class_or_one_row_gives_no_areas():
    found = scores(["a"], [[1.0]])
    assert found.accuracy.value == 1 and np.isnan(found.auc.value)
    found = scores([0, 0], [[0.5, 0.5]] * 2, classes=[0, 1], replicates=10)
    assert np.isnan(found.auc.value) and np.isnan(found.auc_hand_till.low)
    assert found.mcc.value == 0 and found.accuracy.low == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sample_weight": [1, -1]}, "weight -1"),
        ({"sample_weight": [1]}, "sample_weight has 1"),
        ({"sample_weight": [0, 0]}, "no row to score"),
        ({"confidence": 2}, "confidence"),
        ({"replicates": 10**6}, "at most 100000"),
        ({"classes": [0, 1, 2]}, "3 classes"),
    ],
)
def test_bad_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        scores([0, 1], [[0.5, 0.5], [0.2, 0.8]], **options)


def test_probabilities_are_from_0_to_1():
    with pytest.raises(ValueError, match="row 2 has the probability 1.5"):
        scores([0, 1], [[0.5, 0.5], [1.5, 0]])


def test_delong_is_the_variance_of_placements():
    y, proba, _ = drawn(8, rows=80, classes=2, ties=True)
    score = proba[:, 1]
    wins = (score[y == 1][:, None] > score[y == 0]) + (score[y == 1][:, None] == score[y == 0]) / 2
    variance = wins.mean(axis=1).var(ddof=1) / len(wins) + wins.mean(axis=0).var(ddof=1) / len(
        wins.T
    )
    found = scores(y, proba).auc
    near(found.high - found.low, 2 * 1.959963984540054 * variance**0.5)


# ---- intervals in a simulation ---------------------------------------------------------------


def covers(draw, truths, replicates, runs=300):
    """How often the intervals of 90% contain the true scores; equal for every score."""
    hits = dict.fromkeys(truths, 0)
    for seed in range(runs):
        y, proba = draw(np.random.default_rng(1000 + seed), 150)
        found = scores(y, proba, confidence=0.9, replicates=replicates, random_state=seed)
        for name, truth in truths.items():
            hits[name] += getattr(found, name).low <= truth <= getattr(found, name).high
    return {name: count / runs for name, count in hits.items()}


def draw_rows(random, rows, classes):
    """Probabilities that are right: a softmax of normal numbers, and classes drawn by them."""
    raw = np.exp(1.5 * random.normal(size=(rows, classes)))
    proba = raw / raw.sum(axis=1, keepdims=True)
    y = (proba.cumsum(axis=1) > random.random((rows, 1))).argmax(axis=1)
    return y, proba


@pytest.mark.parametrize("classes", [2, 3])
def test_intervals_cover_as_they_claim(classes):
    def draw(random, rows):
        return draw_rows(random, rows, classes)

    names = ["auc", "accuracy", "log_loss", "brier", "mcc", "balanced_accuracy"]
    large = scores(*draw(np.random.default_rng(0), 400_000))
    truths = {name: getattr(large, name).value for name in names}
    # 300 runs at 90%: the standard error is 0.017; percentile intervals are a little short.
    for name, share in covers(draw, truths, replicates=300).items():
        assert 0.84 < share < 0.96, name


def test_intervals_do_not_depend_on_threads():
    y, proba, _ = drawn(9)
    one, two = (scores(y, proba, replicates=50, n_jobs=jobs) for jobs in (1, 2))
    assert one.mcc == two.mcc and one.auc_hand_till == two.auc_hand_till
    other = scores(y, proba, replicates=50, random_state=2)
    assert one.mcc.value == other.mcc.value and one.mcc.low != other.mcc.low


# ---- estimators ------------------------------------------------------------------------------


def test_out_of_bag_scores_come_from_votes():
    X, y = sporf.simulate("sparse-parity", 500, 6, random_state=1)
    names = np.array(["no", "yes"])[y]
    forest = SporfClassifier(50, oob_score=True, calibration="none", random_state=1).fit(X, names)
    found = forest.oob_scores(names)
    near(found.accuracy.value, forest.oob_score_)
    shares = forest.oob_decision_function_
    near(found.auc.value, metrics.roc_auc_score(y, shares[:, 1]))
    near(found.log_loss.value, metrics.log_loss(names, shares))
    calibrated = SporfClassifier(50, random_state=1).fit(X, names).oob_scores(names)
    assert calibrated.log_loss.value < found.log_loss.value
    near(calibrated.accuracy.value, found.accuracy.value)


def test_votes_are_gone_after_loading(tmp_path):
    X, y = sporf.simulate("sparse-parity", 100, 4, random_state=1)
    SporfClassifier(5, random_state=1).fit(X, y).save(tmp_path / "m.sporf")
    with pytest.raises(ValueError, match="no out-of-bag votes"):
        sporf.load(tmp_path / "m.sporf").oob_scores(y)


def test_estimators_score_tables_as_functions_do():
    X, y = sporf.simulate("sparse-parity", 400, 6, random_state=1)
    for model in SporfClassifier(20, random_state=1), sporf.SporfBoostingClassifier(max_iter=5):
        model.fit(X[:200], y[:200])
        found = model.scores(X[200:], y[200:])
        assert found.auc == scores(y[200:], model.predict_proba(X[200:])).auc
        near(found.accuracy.value, model.score(X[200:], y[200:]))


def test_a_predicted_class_without_a_probability_is_refused():
    with pytest.raises(ValueError, match="row 3"):
        scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], y_pred=[0, 0, 7, 7])
