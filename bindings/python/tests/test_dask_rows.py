"""Forests of rows that are divided among the workers of Dask are those of the plain estimator, byte
for byte, also if workers are lost; what cannot be done is refused before data move."""

import signal
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from conftest import model_of

import sporf

pytest.importorskip("dask")
pytest.importorskip("distributed")

import dask
import dask.array as da
import dask.dataframe as dd
from dask_clusters import cut, growing_cluster, in_order, later, lazy, workers

import sporf.dask as sd
from sporf import _apart, _core, _dask_rows, _dask_shards, _dask_training
from sporf._columns import Columns, look

ROWS = 3000

PARTITIONS = {
    "1": [ROWS],
    "17": [180] * 16 + [120],
    "an empty one": [1000, 0, 2000],
    "sorted": [700, 800, 1500],
}


@pytest.fixture(autouse=True)
def small_branches(monkeypatch):
    """So that tops of trees are grown by asking, and answers of three workers are added up."""
    monkeypatch.setattr(_dask_rows, "BRANCH_MOST", 30_000)
    monkeypatch.setattr(_dask_rows, "TREES_MOST", 4)
    monkeypatch.setattr(_dask_rows, "ADDED_UP", 2)


def table(kind):
    """(X, y, weights)."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(ROWS, 6))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    weights = rng.integers(0, 4, ROWS).astype(float) if kind == "weights" else None
    if kind == "many":
        y = np.digitize(X[:, 0] + X[:, 1], np.linspace(-2, 2, 39))
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
    if kind == "bytes":
        X = np.clip(X * 60 + 128, 0, 255).astype(np.uint8)
    if kind == "frame":
        X = pd.DataFrame(X.round(2), columns=list("abcdef"))
        X["a"] = (X.a * 10).astype(int)
        X["b"] = X.b > 0
        X.loc[::7, "d"] = np.nan
        y = pd.Series(np.where(y, "yes", "no"), name="left")
    return X, y, weights


def numeric(kind):
    """The same rows with a target."""
    X, _, weights = table(kind)
    values = np.nan_to_num(np.asarray(X, dtype=float))
    y = values[:, 0] - values[:, 1] * values[:, 2]
    return X, pd.Series(y, name="gain") if kind == "frame" else y, weights


def mixed(outcome):
    """A frame of numbers, texts and categories, with missing values, and what depends on it. Some
    levels are in one partition only."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=ROWS).round(2),
            "town": rng.choice(["Rome", "Oslo", "Bonn", "Lima"], ROWS),
            "plan": pd.Categorical(rng.choice(["b", "a", "c"], ROWS), categories=list("cbax")),
            "grade": pd.Categorical(
                rng.choice(["low", "mid", "high"], ROWS),
                categories=["low", "mid", "high"],
                ordered=True,
            ),
            "zip": rng.integers(8, 14, ROWS),
            "paid": rng.random(ROWS) < 0.5,
        }
    )
    X.loc[:9, "town"] = "Aden"
    X.loc[ROWS - 9 :, "zip"] = 100
    y = X["size"] + (X.town == "Oslo") - (X.plan == "b") + (X.zip % 3) / 2 + X.grade.cat.codes / 2
    for place, name in enumerate(("size", "town", "plan", "grade")):
        X.loc[place :: 9 + place, name] = None
    if outcome == "classes":
        y = pd.Series(np.digitize(y, [0.5, 1.5]), name="class")
    return X, y > 1 if outcome == "two" else y


def estimators(outcome):
    names = ["SporfRegressor" if outcome == "number" else "SporfClassifier"] * 2
    return [getattr(package, name) for package, name in zip((sporf, sd), names, strict=True)]


@pytest.fixture(scope="module")
def clients():
    with growing_cluster() as with_workers:
        yield with_workers


# ---- the same forest -------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_the_forest_is_that_of_the_plain_estimator(clients, count):
    client = clients(count)
    kinds = ["two", "many", "weights", "missing", "bytes", "frame"]
    for place, how in enumerate(PARTITIONS):
        kind = kinds[(count + place) % len(kinds)]
        X, y, weights = in_order(how, *table(kind))
        settings = {"n_estimators": 5, "max_features": 4, "random_state": 3, "oob_score": True}
        plain = sporf.SporfClassifier(**settings).fit(X, y, weights)
        sizes = PARTITIONS[how]
        forest = sd.SporfClassifier(**settings, client=client, rows="apart")
        forest.fit(*(lazy(values, sizes) for values in (X, y, weights)))
        assert model_of(forest) == model_of(plain), (kind, how)
        assert forest.oob_score_ == plain.oob_score_
        assert np.array_equal(
            forest.oob_decision_function_, plain.oob_decision_function_, equal_nan=True
        )
        assert forest.traffic_.rounds > 5
        assert forest.traffic_.branches > 5


@pytest.mark.parametrize(
    ("how", "kind", "keep"),
    [
        ("1", "two", False),
        ("17", "missing", True),
        ("an empty one", "frame", True),
        ("sorted", "weights", True),
        ("sorted", "weights", False),
    ],
)
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_regression_is_that_of_the_plain_estimator(clients, how, kind, keep):
    X, y, weights = in_order(how, *numeric(kind))
    settings = {"n_estimators": 4, "max_features": 4, "random_state": 3, "oob_score": True}
    settings["keep_samples"] = keep
    plain = sporf.SporfRegressor(**settings).fit(X, y, weights)
    sizes = PARTITIONS[how]
    forest = sd.SporfRegressor(**settings, client=clients(2), rows="apart")
    forest.fit(*(lazy(values, sizes) for values in (X, y, weights)))
    assert model_of(forest) == model_of(plain)
    assert forest.oob_score_ == plain.oob_score_
    assert np.array_equal(forest.oob_prediction_, plain.oob_prediction_, equal_nan=True)
    assert forest.traffic_.rounds > 5
    assert forest.traffic_.branches > 5


def test_targets_travel_as_the_library_rounds_them(clients):
    X, y, _ = numeric("two")
    y = 2**56 + 2**33 * (8 * y).astype(np.int64) + 2**32 + 1  # rounded at once they would differ
    plain = sporf.SporfRegressor(2, max_features=3, random_state=3).fit(X, y)
    forest = sd.SporfRegressor(2, max_features=3, random_state=3, client=clients(2), rows="apart")
    assert model_of(forest.fit(X, y)) == model_of(plain)


@pytest.mark.parametrize("projection", ["rf", "frc", "patch"])
@pytest.mark.parametrize("name", ["SporfClassifier", "SporfRegressor"])
def test_other_methods_are_the_same(clients, name, projection):
    X, y, _ = table("two") if name == "SporfClassifier" else numeric("two")
    settings = {"n_estimators": 3, "projection": projection, "random_state": 3}
    plain = getattr(sporf, name)(**settings).fit(X, y)
    forest = getattr(sd, name)(**settings, client=clients(2), rows="apart")
    assert model_of(forest.fit(X, y)) == model_of(plain)


@pytest.mark.parametrize("rows", [1500, 11000])
def test_settings_that_pilot_forests_choose_are_the_same(clients, rows):
    X, y = sporf.simulate("sparse-parity", rows, random_state=1)
    plain = sporf.SporfClassifier(12, random_state=3).fit(X, y)
    forest = sd.SporfClassifier(12, random_state=3, client=clients(2), rows="apart")
    forest.fit(da.from_array(X, chunks=(700, 20)), y)
    assert model_of(forest) == model_of(plain)
    assert forest.search_seconds_ > 0


def test_attributes_and_predictions_are_those_of_the_plain_estimator(clients):
    X, y, _ = table("two")
    plain = sporf.SporfClassifier(3, random_state=3).fit(X, y)
    forest = sd.SporfClassifier(3, random_state=3, client=clients(2), rows="apart")
    forest.fit(lazy(X, [1000] * 3), y)
    assert forest.n_features_in_ == plain.n_features_in_
    whole = (X[:9] * 3).astype(int)
    assert np.array_equal(forest.predict(whole), plain.predict(whole))


# ---- categories ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "how"), [("two", "an empty one"), ("classes", "17"), ("number", "an empty one")]
)
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_categories_are_those_of_the_plain_estimator(clients, outcome, how):
    X, y = mixed(outcome)
    Plain, Apart = estimators(outcome)
    settings = {"n_estimators": 4, "max_features": 4, "random_state": 3, "oob_score": True}
    settings["categorical_features"] = ["zip"]
    plain = Plain(**settings).fit(X, y)
    client = clients(2)
    given = lazy(X, PARTITIONS[how])
    forest = Apart(**settings, client=client, rows="apart").fit(given, y)
    assert model_of(forest) == model_of(plain)
    assert forest.oob_score_ == plain.oob_score_
    assert forest.traffic_.rounds > 5
    assert forest.traffic_.branches > 5
    assert np.array_equal(forest.predict(given).compute(scheduler=client), plain.predict(X))
    assert np.array_equal(forest.predict(X[:50]), plain.predict(X[:50]))


@pytest.mark.parametrize("projection", ["rf", "frc"])
def test_categories_of_other_methods_are_the_same(clients, projection):
    X, y = mixed("two")
    settings = {"n_estimators": 3, "projection": projection, "random_state": 3}
    plain = sporf.SporfClassifier(**settings).fit(X, y)
    forest = sd.SporfClassifier(**settings, client=clients(2), rows="apart").fit(X, y)
    assert model_of(forest) == model_of(plain)


def test_categories_that_differ_between_partitions_are_united(clients):
    X, y = mixed("two")
    first, *others = cut(X, PARTITIONS["an empty one"])
    parts = [first.assign(plan=first.plan.cat.rename_categories({"a": "d"})), *others]
    parts = [part.assign(plan=part.plan.cat.remove_unused_categories()) for part in parts]
    given = dd.from_delayed(list(map(dask.delayed, parts)), X[:0], verify_meta=False)
    together = given.compute()
    assert together.plan.cat.categories.tolist() == ["c", "b", "d", "a"]
    settings = {"n_estimators": 3, "max_features": 4, "random_state": 3}
    plain = sporf.SporfClassifier(**settings).fit(together, y)
    client = clients(2)
    for categories in (given, given.assign(plan=given.plan.cat.as_unknown())):
        forest = sd.SporfClassifier(**settings, client=client, rows="apart").fit(categories, y)
        assert model_of(forest) == model_of(plain)


@pytest.mark.parametrize("kind", ["floats", "objects", "strings"])
@pytest.mark.parametrize("lies", ["here", "on workers", "in unknown chunks"])
def test_columns_of_arrays_that_are_named_as_categories(clients, monkeypatch, kind, lies):
    frame, y = mixed("two")
    X = frame[["size", "zip"]].to_numpy() if kind == "floats" else frame[["size", "town"]]
    X = X if kind == "floats" else X.astype(object).where(X.notna(), None).to_numpy()
    if kind == "strings":
        X = np.where(X == None, "", X).astype(str)  # noqa: E711
    given = X if lies == "here" else lazy(X, PARTITIONS["an empty one"])
    if lies == "in unknown chunks":
        given = given[da.from_array(np.ones(ROWS, dtype=bool), chunks=given.chunks[0])]
    monkeypatch.setattr(sd, "is_too_large", lambda *_: True)
    settings = {"n_estimators": 2, "max_features": 2, "categorical_features": [1]}
    plain = sporf.SporfClassifier(**settings, random_state=3).fit(X, y)
    forest = sd.SporfClassifier(**settings, random_state=3, client=clients(2)).fit(given, y)
    assert model_of(forest) == model_of(plain)
    assert forest.traffic_.rounds > 1


def test_columns_without_any_value_and_numbers_as_objects(clients):
    X, y = mixed("two")
    X = X[["size", "town"]].assign(none=None, empty="", count=(X["zip"] * 2).astype(object))
    X["none_of"] = pd.Categorical([None] * ROWS)
    plain = sporf.SporfClassifier(2, random_state=3).fit(X, y)
    forest = sd.SporfClassifier(2, random_state=3, client=clients(2), rows="apart").fit(X, y)
    assert model_of(forest) == model_of(plain)


def test_odd_texts_are_told_once(clients):
    X, y = mixed("two")
    X["town"] = pd.Series(pd.date_range("2020-01-01", periods=ROWS).astype(str)).str[:10]
    forest = sd.SporfClassifier(2, max_features=2, client=clients(2), rows="apart")
    with pytest.warns(UserWarning, match="column 'town' holds dates as text") as told:
        forest.fit(lazy(X, [1000] * 3), y)
    assert len(told) == 1
    assert told[0].filename == __file__


def test_nothing_of_a_training_stays_on_workers(clients):
    X, y, _ = table("two")
    client = clients(2)
    sd.SporfClassifier(3, client=client, rows="apart").fit(lazy(X, [1000] * 3), y)

    def trainings_here():
        return len(_dask_shards._here)

    def is_clean():
        keys = [key for keys in client.has_what().values() for key in keys]
        return not any(client.run(trainings_here).values()) and not keys

    ends = time.monotonic() + 10
    while not is_clean() and time.monotonic() < ends:
        time.sleep(0.1)
    assert is_clean()


def test_ctrl_c_keeps_the_first_trees(clients, monkeypatch):
    X, y, _ = table("two")
    plain_run = _dask_rows._apart.run

    def run(crown, answers, branches, progress):
        def interrupted(numbers):
            if crown.trees >= 4:
                raise KeyboardInterrupt
            branches(numbers)

        plain_run(crown, answers, interrupted, progress)

    monkeypatch.setattr(_dask_rows._apart, "run", run)
    settings = {"max_features": 3, "random_state": 1}
    forest = sd.SporfClassifier(30, **settings, client=clients(2), rows="apart")
    with pytest.raises(KeyboardInterrupt):
        forest.fit(X, y)
    assert 4 <= len(forest) < 30
    plain = sporf.SporfClassifier(len(forest), **settings).fit(X, y)
    assert model_of(forest) == model_of(plain)


# ---- losses ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long():
    """A training of some seconds, its data and the bytes of its model."""
    X, y = sporf.simulate("sparse-parity", 15000, random_state=1)
    plain = sporf.SporfClassifier(5, max_features=40, random_state=1, n_jobs=2).fit(X, y)
    return X, y, model_of(plain)


def grow_long(cluster, X, y):
    forest = sd.SporfClassifier(
        5, max_features=40, random_state=1, client=cluster.client, rows="apart"
    )
    return model_of(forest.fit(X, y))


@pytest.fixture(scope="module")
def mortal():
    with workers(3) as cluster:
        yield cluster


@pytest.fixture
def three(mortal, monkeypatch):
    """Three workers, of which one is soon missed."""
    for module in (_dask_training, _dask_rows):
        monkeypatch.setattr(module, "SILENT_AFTER", 5.0)
    mortal.bury()
    return mortal.add(3 - len(mortal.workers))


@pytest.mark.parametrize("task", ["sporf-shard", "sporf-answer", "sporf-rows", "sporf-branch"])
def test_a_worker_that_is_killed_changes_nothing(three, long, task):
    X, y, wanted = long
    given = da.from_array(X, chunks=(1500, 20)) if task != "sporf-rows" else X
    forest = later(lambda: grow_long(three, given, y))
    killed = three.busy_with(task)
    killed.kill()
    killed.wait()
    assert forest(120) == wanted


def test_a_worker_that_stands_still_is_replaced(three, long):
    X, y, wanted = long
    forest = later(lambda: grow_long(three, da.from_array(X, chunks=(1500, 20)), y))
    stopped = three.busy_with("sporf-answer")
    stopped.send_signal(signal.SIGSTOP)
    try:
        assert forest(120) == wanted
    finally:
        stopped.kill()
        stopped.wait()


def test_without_workers_the_training_ends_with_the_cause(three, long, monkeypatch):
    monkeypatch.setattr(_dask_training, "NO_WORKERS_FOR", 8.0)
    X, y, _ = long

    def fails():
        with pytest.raises(sd.WorkersLost):
            grow_long(three, da.from_array(X, chunks=(1500, 20)), y)
        return time.monotonic()

    forest = later(fails)
    three.busy_with("sporf-answer")
    for worker in three.workers:
        worker.kill()
        worker.wait()
    killed = time.monotonic()
    assert forest(60) - killed < 60


# ---- what is refused -------------------------------------------------------------------------


def test_what_cannot_be_grown_from_rows_apart_is_refused(clients):
    client = clients(2)

    def fit(X, y, **settings):
        sd.SporfClassifier(2, client=client, rows="apart", **settings).fit(X, y)

    numbers, y, _ = table("two")
    with pytest.raises(ValueError, match="rotates"):
        fit(numbers, y, projection="rr-rf")
    with pytest.raises(ValueError, match="same number of rows"):
        fit(numbers, y[:-1])
    with pytest.raises(ValueError, match="rows must be"):
        sd.SporfClassifier(2, client=client, rows="somewhere").fit(numbers, y)
    with pytest.raises(ValueError, match="cannot be used with an own sampler"):
        fit(numbers, y, projection=lambda node, rng: np.eye(node.n_features))
    with pytest.raises(ValueError, match="handle_unknown must be one of"):
        fit(numbers, y, handle_unknown="guess")


def test_columns_that_no_split_can_use_are_refused(clients):
    X, y = mixed("two")

    def fit(X, **settings):
        forest = sd.SporfClassifier(2, client=clients(2), rows="apart", **settings)
        forest.fit(lazy(X, [1000] * 3), y)

    with pytest.raises(ValueError, match="column 'day' holds dates or times"):
        fit(X.assign(day=pd.Timestamp("2020-01-01")))
    with pytest.raises(ValueError, match="column 'wave' holds complex values"):
        fit(X.assign(wave=1j))
    with pytest.raises(ValueError, match="column 'week' holds period values"):
        fit(X.assign(week=pd.Period("2020-01-01")))
    with pytest.raises(ValueError, match="names 'street', which X does not have"):
        fit(X, categorical_features=["street"])
    with pytest.raises(ValueError, match="X is an array of <U4, but .* Name them, convert X"):
        fit(X[["town"]].fillna("").to_numpy(dtype=str))
    with pytest.raises(ValueError, match="X is an array of complex128"):
        fit(np.ones((ROWS, 1), dtype=complex), categorical_features=[0])
    with pytest.raises(ValueError, match="column 0 is not among the categorical_features"):
        fit(X[["town", "plan"]].to_numpy(dtype=object), categorical_features=[1])


def test_partitions_of_different_types_are_refused(clients):
    X, y = mixed("two")
    parts = cut(X, [1000] * 3)
    parts[1] = parts[1].assign(plan=parts[1].plan.astype(object))
    parts[2] = parts[2].assign(grade=parts[2].grade.cat.reorder_categories(["mid", "low", "high"]))

    def fit(columns):
        pieces = [dask.delayed(part[columns]) for part in parts]
        given = dd.from_delayed(pieces, X[columns][:0], verify_meta=False)
        sd.SporfClassifier(2, client=clients(2), rows="apart").fit(given, y)

    with pytest.raises(ValueError, match="'plan' holds category and texts in different partitions"):
        fit(["size", "plan"])
    with pytest.raises(ValueError, match="column 'grade': .*ordered Categoricals"):
        fit(["size", "grade"])


@pytest.mark.parametrize("given", ["here", "array", "frame"])
def test_several_targets_are_refused(clients, given):
    X, y, _ = numeric("frame")
    y = pd.DataFrame({"gain": y, "loss": -y})
    y = lazy(y.to_numpy() if given == "array" else y, [1000] * 3) if given != "here" else y
    with pytest.raises(ValueError, match="with several targets: .*; train a forest for each"):
        sd.SporfRegressor(2, client=clients(2), rows="apart").fit(X, y)


def test_targets_that_are_refused(clients):
    X, y, _ = numeric("two")
    forest = sd.SporfRegressor(2, client=clients(2), rows="apart")
    with pytest.raises(ValueError, match="y contains NaN"):
        forest.fit(X, np.where(y > 1, np.nan, y))
    with pytest.raises(ValueError, match="same number of rows"):
        forest.fit(X, y[:-1])
    with pytest.raises(ValueError, match="exact splits"):
        forest.set_params(splitter="exact").fit(X, y)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros((0, 3)), r"0 sample\(s\)"),
        (da.zeros((0, 3)), r"0 sample\(s\)"),
        (np.zeros((9, 0)), r"0 feature\(s\)"),
    ],
)
def test_an_empty_table_is_refused(clients, X, message):
    with pytest.raises(ValueError, match=message):
        sd.SporfClassifier(2, client=clients(1), rows="apart").fit(X, np.arange(len(X)) % 2)


@pytest.mark.parametrize("X", [[[0.0], [1.0]], None, np.zeros(2), da.zeros((2, 1, 1))])
def test_what_is_no_table_is_refused(clients, X):
    with pytest.raises(TypeError, match="two-dimensional array or a dataframe"):
        sd.SporfClassifier(2, client=clients(1), rows="apart").fit(X, [0, 1])


@pytest.mark.parametrize("lies", ["here", "on workers"])
def test_a_value_that_is_refused_is_found_in_the_whole_table(clients, lies):
    X, y, _ = table("two")
    X[2100, 3] = np.inf
    given = X if lies == "here" else lazy(X, [1000] * 3)
    with pytest.raises(ValueError, match=r"X\[2100, 3\]: 'inf' is not finite"):
        sd.SporfClassifier(2, client=clients(2), rows="apart").fit(given, y)


def test_without_any_worker_the_training_ends_with_the_cause(monkeypatch):
    monkeypatch.setattr(_dask_training, "NO_WORKERS_FOR", 1.0)
    X, y, _ = table("two")
    with workers(0) as cluster, pytest.raises(sd.WorkersLost, match="none was started"):
        sd.SporfClassifier(2, client=cluster.client, rows="apart").fit(X, y)


def test_memory_is_that_of_the_worker_with_the_most_rows():
    assert _dask_rows.most_rows([25] * 48, 4, 4) == 300
    assert _dask_rows.most_rows([100, 700, 0, 200], 4, 4) == 700
    assert _dask_rows.most_rows([300] * 5, 4, 4) == 600
    assert _dask_rows.most_rows([7], 3, 4) == 7


def test_memory_counts_texts_and_copies_of_categories():
    values = [f"a text of some length {1000 + i // 2}" for i in range(1000)]
    texts = pd.DataFrame({"a": values}, dtype=object)
    columns = Columns.of(texts.shape, texts.columns, [look(texts, set())])
    assert columns.nbytes > 500 * (26 + 57)
    survey = _dask_shards.survey(texts, set(), None)
    source = SimpleNamespace(lengths=[1000] * 3, sizes=[survey.nbytes] * 3)
    kinds = _apart.Kinds(weighted=False, numeric=False, stratified=False, weighs_classes=False)
    budget = _dask_rows.Budget(3000, 1, 3000, 3)
    assert budget.making(source) > 1.9 * 1000 * (26 + 49)
    with_levels = _dask_rows.Budget(3000, 1, 3000, 3, columns.categories, columns.nbytes)
    assert with_levels.held(kinds) == budget.held(kinds) + 4 * 3000 + 5 * columns.nbytes


def test_rows_that_do_not_fit_are_refused_before_they_move():
    X = da.zeros((2_000_000_000, 100), chunks=(10_000_000, 100), dtype=np.float32)
    with workers(1, "--memory-limit", "1GB") as cluster:
        forest = sd.SporfClassifier(2, client=cluster.client)  # "auto": apart
        with pytest.raises(MemoryError, match="Start more workers"):
            forest.fit(X, np.zeros(10))


def test_the_memory_that_lacks_is_seen_in_the_refusal():
    budget = _dask_rows.Budget(rows=10, features=2, worker_rows=5, shards=4)
    with pytest.raises(MemoryError, match="takes 1,235 MB, but a worker has 1,234 MB left below"):
        budget.refuse(1_234_500_001, 1_234_500_000, 0.8)


def test_rows_of_a_dataframe_are_counted_before_they_move(clients, monkeypatch):
    seen = []
    monkeypatch.setattr(_dask_rows, "fits_all", lambda _, rows, __: seen.append(rows))
    X, y, _ = table("frame")
    forest = sd.SporfClassifier(2, max_features=2, client=clients(2))  # "auto"
    forest.fit(lazy(X, [1000] * 3), lazy(y, [1000] * 3))
    assert seen == [ROWS]
    assert forest.traffic_.rounds > 0
    unknown = lazy(X[["c", "d", "e"]], [1000] * 3).to_dask_array()
    forest.fit(unknown, y)
    assert seen == [ROWS] * 2


# ---- what may happen to partitions and shards ------------------------------------------------


def test_a_shard_comes_back_from_the_disk():
    X, y, _ = table("two")
    outcomes, data, _ = _apart.Outcomes.of(sporf.SporfClassifier(), y, None)
    setup = _dask_shards.Setup("a training", outcomes, {"trees": "2"}, Columns(6))
    anywhere = np.zeros(4 * X.size + 1, np.uint8)[1:].view(np.float32)
    matrix = anywhere.reshape(X.shape, order="F")
    matrix[:] = X
    assert not matrix.flags.aligned
    crown = _core.Crown(data, Columns(6).like(), {"trees": "2"}, 1000, 1)
    question = crown.ask()
    answers = [
        _dask_shards.Shard(setup, 0, given).core.answer(question, 1)
        for given in (matrix, np.asfortranarray(X, np.float32))
    ]
    assert answers[0] == answers[1]


def test_partitions_have_the_columns_of_the_frame(clients):
    X, y, _ = table("frame")
    parts = [X[:1000], X[1000:2000][list("bacdef")], X[2000:]]
    mixed = dd.from_map(lambda i: parts[i], range(3), meta=X[:0])
    for rows in ("apart", "together"):
        forest = sd.SporfClassifier(2, max_features=2, client=clients(2), rows=rows)
        with pytest.raises(ValueError, match="a partition has the columns .'b', 'a', 'c'"):
            forest.fit(mixed, y)


def test_a_partition_may_lack_all_values_of_a_column(clients):
    X, y, _ = table("frame")
    X["e"] = np.where(X.e > 0, "up", "down")
    X.loc[:999, "e"] = None
    parts = [X[:1000].astype({"e": float}), X[1000:]]
    mixed = dd.from_map(lambda i: parts[i], range(2), meta=X[:0])
    settings = {"n_estimators": 2, "max_features": 2, "random_state": 1}
    plain = sporf.SporfClassifier(**settings).fit(X, y)
    forest = sd.SporfClassifier(**settings, client=clients(2), rows="apart").fit(mixed, y)
    assert model_of(forest) == model_of(plain)


def test_a_worker_that_stays_paused_ends_the_training(clients, monkeypatch):
    monkeypatch.setattr(_dask_training, "PAUSED_FOR", -1.0)
    seen = _dask_training.Workers(clients(2))
    [address, _] = seen.all
    seen.refuse_paused({address})
    seen.all[address].status = "paused"
    with pytest.raises(MemoryError, match=f"{address} has been paused by Dask"):
        seen.refuse_paused({address, "another"})
