"""Classes that follow from costs, or from a threshold for a recall."""

import numpy as np
import pytest
from sklearn.base import clone

import sporf
from sporf import SporfBoostingClassifier, SporfClassifier


def table(labels=("sick", "well"), rows=300, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4)).astype(np.float32)
    y = np.where(X[:, 0] + X[:, 1] + rng.normal(size=rows) > 1.5, *labels)
    return X, y


def cheapest(model, X, costs):
    classes = list(model.classes_)
    matrix = np.array([[costs.get((t, k), t != k) for k in classes] for t in classes], dtype=float)
    return model.classes_[(model.predict_proba(X) @ matrix).argmin(axis=1)]


@pytest.mark.parametrize("labels", [("sick", "well"), (3, 1), ("a:b", "a=2, b")])
@pytest.mark.parametrize(
    "model",
    [
        SporfClassifier(30, random_state=1),
        SporfClassifier(30, random_state=1, combine="votes", calibration="none"),
        SporfBoostingClassifier(max_iter=20, random_state=1),
    ],
    ids=["forest", "votes", "boosting"],
)
def test_the_class_with_the_least_expected_cost_is_predicted(model, labels):
    X, y = table(labels)
    costs = {labels: 10.5}
    plain = clone(model).fit(X, y)
    model = clone(model).set_params(cost=costs).fit(X, y)
    predicted = model.predict(X)
    assert (predicted == cheapest(model, X, costs)).all()
    assert (model.predict_proba(X) == plain.predict_proba(X)).all()
    assert (predicted != plain.predict(X)).any()
    assert [model.predict(X[i : i + 1])[0] for i in range(20)] == predicted[:20].tolist()


def test_three_classes_and_texts():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = np.array(["low", "mid", "high"])[np.digitize(X[:, 0] + rng.normal(size=200), [-1, 1])]
    costs = {("low", "high"): 9, ("mid", "high"): 0.5, ("high", "low"): 4}
    forest = SporfClassifier(30, random_state=1, cost=costs).fit(X, y)
    assert (forest.predict(X) == cheapest(forest, X, costs)).all()
    text = "low:high=9,mid:high=0.5,high:low=4"
    assert forest.settings_["cost"] == text
    again = SporfClassifier(30, random_state=1, cost=text).fit(X, y)
    assert (again.predict(X) == forest.predict(X)).all()


def test_a_recall_is_reached_out_of_bag(tmp_path):
    X, y = table()
    forest = SporfClassifier(50, random_state=1, combine="votes", recall={"sick": 0.9}).fit(X, y)
    found = forest.oob_scores(y)
    assert found.by_class[0].recall >= 0.9
    threshold = float(forest.settings_["threshold"])
    sick = forest.predict_proba(X)[:, 0] >= threshold
    assert (np.where(sick, "sick", "well") == forest.predict(X)).all()
    forest.save(tmp_path / "m.sporf")
    loaded = sporf.load(tmp_path / "m.sporf").set_params(combine="votes")
    assert (loaded.predict(X) == forest.predict(X)).all()
    assert loaded.recall == "sick=0.9" and loaded.cost is None
    again = clone(loaded).fit(X, y)
    assert (again.predict(X) == loaded.predict(X)).all()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"cost": {("sick", "ill"): 2}}, "cost names 'ill', which is not in y"),
        ({"cost": {"sick": 2}}, "cost must be a dict of"),
        ({"cost": {("sick", "well"): -1}}, "cost must be a dict of"),
        ({"cost": "sick=2"}, "there is no ':'"),
        ({"recall": {"ill": 0.5}}, "recall names 'ill', which is not in y"),
        ({"recall": {"sick": 0.5, "well": 0.5}}, "recall must be a dict of one class"),
        ({"recall": {"sick": 1.5}}, "recall must be"),
        ({"recall": {"sick": 0.9}, "bootstrap": False}, "recall needs out-of-bag rows"),
        ({"recall": {"sick": 0.9}, "cost": "sick:well=2"}, "cost and recall both"),
    ],
)
def test_what_cannot_be_decided_is_refused(parameters, words):
    X, y = table(rows=60)
    with pytest.raises(ValueError, match=words):
        SporfClassifier(5, random_state=1, **parameters).fit(X, y)
