"""Forests on the workers of Dask are those of the plain estimators, byte for byte, also if workers
are lost, and what cannot be done is refused."""

import contextlib
import functools
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from conftest import model_of
from sklearn.base import clone

import sporf

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402
from dask.bag import from_sequence  # noqa: E402
from dask_clusters import growing_cluster, in_order, later, lazy, workers  # noqa: E402
from distributed import Client  # noqa: E402

import sporf.dask as sd  # noqa: E402
from sporf import _core, _dask_training  # noqa: E402
from sporf._dask_training import ranges  # noqa: E402

# ---- clusters --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mortal():
    """A cluster whose workers tests may kill."""
    with workers(3) as cluster:
        yield cluster


@pytest.fixture
def three(mortal):
    """Three of them."""
    mortal.bury()
    return mortal.add(3 - len(mortal.workers))


@pytest.fixture(scope="module")
def clients():
    with growing_cluster() as with_workers:
        yield with_workers


@pytest.fixture
def client(clients):
    return clients(2)


# ---- tables ----------------------------------------------------------------------------------

ROWS = 240


def table(kind):
    """(name of the estimator, X, y, weights)."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(ROWS, 6))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
    if kind == "two":
        return "SporfClassifier", X, y, None
    if kind == "many":
        return "SporfClassifier", X, np.digitize(X[:, 0] + X[:, 1], np.linspace(-2, 2, 19)), None
    if kind == "numbers":
        return "SporfRegressor", X.astype(np.float32), X[:, 0] - X[:, 1] ** 2, None
    if kind == "weights":
        return "SporfClassifier", X, y, rng.integers(0, 4, ROWS).astype(float)
    if kind == "missing":
        X[rng.random(X.shape) < 0.1] = np.nan
        return "SporfClassifier", X, y, None
    frame = pd.DataFrame(X.round(2), columns=list("abcdef"))
    frame["a"] = (frame.a * 10).astype(int)
    frame["b"] = frame.b > 0
    frame["e"] = pd.Categorical(rng.choice(["x", "y", "z"], ROWS), categories=["z", "y", "x", "w"])
    frame["f"] = rng.choice(["red", "green", "blue", None], ROWS)
    frame.loc[::7, "d"] = np.nan
    return "SporfClassifier", frame, pd.Series(np.where(y, "yes", "no"), name="left"), None


PARTITIONS = {
    "1": [ROWS],
    "3": [80, 100, 60],
    "17": [15] * 15 + [14, 1],
    "an empty one": [100, 0, 140],
    "sorted": [50, 60, 130],
}


# ---- the same forest -------------------------------------------------------------------------


KINDS = ["two", "many", "numbers", "weights", "missing", "categories"]


@functools.cache
def plain_forest(kind, how):
    name, *given = table(kind)
    X, y, weights = in_order(how, *given)
    return getattr(sporf, name)(12, oob_score=True, random_state=5).fit(X, y, weights)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_the_forest_is_that_of_the_plain_estimator(clients, count, kind):
    """Any two of workers, tables and partitions meet."""
    name, *given = table(kind)
    first = (count + KINDS.index(kind)) % 2
    for how, sizes in list(PARTITIONS.items())[first::2]:
        X, y, weights = in_order(how, *given)
        plain = plain_forest(kind, how)
        forest = getattr(sd, name)(12, oob_score=True, random_state=5, client=clients(count))
        forest.fit(lazy(X, sizes), lazy(y, sizes), lazy(weights, sizes))
        assert model_of(forest) == model_of(plain), how
        assert forest.oob_score_ == plain.oob_score_
        assert set(vars(forest)) - set(vars(plain)) == {"client", "rows"}
        np.testing.assert_array_equal(forest.predict(X), plain.predict(X))


@pytest.mark.parametrize("projection", ["rf", "sporf", "frc", "rr-rf", "ccf"])
def test_all_methods_are_the_same(client, projection):
    _, X, y, _ = table("two")
    plain = sporf.SporfClassifier(10, projection=projection, random_state=1).fit(X, y)
    forest = sd.SporfClassifier(10, projection=projection, random_state=1, client=client)
    assert model_of(forest.fit(lazy(X, [100, 140]), y)) == model_of(plain)


def test_settings_that_pilot_forests_choose_are_the_same(clients):
    X, y = sporf.simulate("sparse-parity", 900, random_state=2)
    plain = sporf.SporfClassifier(60, random_state=2).fit(X, y)
    for count in (1, 3):
        forest = sd.SporfClassifier(60, random_state=2, client=clients(count)).fit(X, y)
        assert model_of(forest) == model_of(plain)
        assert forest.settings_ == plain.settings_
        assert forest.search_seconds_ > 0


def test_local_tables_are_the_same(client):
    for kind in ("two", "numbers", "weights", "categories"):
        name, X, y, weights = table(kind)
        plain = getattr(sporf, name)(8, random_state=0).fit(X, y, weights)
        forest = getattr(sd, name)(8, random_state=0, client=client).fit(X, y, weights)
        assert model_of(forest) == model_of(plain)
    plain = sporf.SporfClassifier(8, random_state=0).fit(X.values[:, [0, 2]].tolist(), y.tolist())
    forest = sd.SporfClassifier(8, random_state=0, client=client)
    forest.fit(X.values[:, [0, 2]].tolist(), y.tolist())
    assert model_of(forest) == model_of(plain)


def test_chunks_of_columns_rows_of_their_own_and_unknown_lengths(client):
    _, X, y, _ = table("two")
    X, y = X[:40], y[:40]
    frame = pd.DataFrame(X, columns=list("abcdef"))
    wanted = model_of(sporf.SporfClassifier(6, random_state=0).fit(X, y))
    forest = sd.SporfClassifier(6, random_state=0, client=client)
    unknown = dd.from_pandas(frame, npartitions=3).to_dask_array()
    for given in (da.from_array(X, chunks=(1, 2)), unknown, da.from_array(X, chunks=(7, 6))):
        assert model_of(forest.fit(given, da.from_array(y, chunks=9))) == wanted
    named = sporf.SporfClassifier(6, random_state=0).fit(frame, pd.Series(y, name="t"))
    forest.fit(dd.from_pandas(frame, npartitions=4), dd.from_pandas(pd.Series(y, name="t"), 2))
    assert model_of(forest) == model_of(named)
    assert forest.feature_names_in_.tolist() == list("abcdef")


def test_categories_that_differ_between_partitions_are_united(client):
    rng = np.random.default_rng(1)
    frames = [
        pd.DataFrame({"a": rng.normal(size=50), "b": pd.Categorical(rng.choice(levels, 50))})
        for levels in (["x", "y"], ["y", "z"], ["u"])
    ]
    pieces = [dask.delayed(frame) for frame in frames]
    X = dd.from_delayed(pieces, meta=frames[0].iloc[:0], verify_meta=False)
    y = (rng.random(150) < 0.5).astype(int)
    together = X.compute()
    assert together.b.cat.categories.tolist() == ["x", "y", "z", "u"]
    plain = sporf.SporfClassifier(5, random_state=0).fit(together, y)
    forest = sd.SporfClassifier(5, random_state=0, client=client).fit(X, y)
    assert model_of(forest) == model_of(plain)


def test_columns_named_as_categories_and_several_targets(client):
    _, X, y, _ = table("two")
    X = X.round(1)
    plain = sporf.SporfClassifier(5, categorical_features=[1], random_state=0).fit(X, y)
    forest = clone(sd.SporfClassifier(5, categorical_features=[1], random_state=0, client=client))
    assert forest.client is client
    assert model_of(forest.fit(lazy(X, [100, 140]), y)) == model_of(plain)
    targets = X[:, :2] * 2
    plain = sporf.SporfRegressor(5, oob_score=True, random_state=0).fit(X, targets)
    forest = sd.SporfRegressor(5, oob_score=True, random_state=0, client=client)
    forest.fit(lazy(X, [100, 140]), da.from_array(targets, chunks=(70, 1)))
    assert model_of(forest) == model_of(plain)
    np.testing.assert_array_equal(forest.oob_prediction_, plain.oob_prediction_)
    lazily = forest.predict_quantiles(lazy(X, [100, 140]))
    np.testing.assert_array_equal(lazily.compute(scheduler=client), plain.predict_quantiles(X))


def test_a_sampler_written_in_python_travels(client):
    def pairs(node, rng):
        return [(rng.choice(node.n_features, 2, replace=False), (1, -1)) for _ in range(3)]

    _, X, y, _ = table("two")
    plain = sporf.SporfClassifier(4, projection=pairs, random_state=0).fit(X, y)
    forest = sd.SporfClassifier(4, projection=pairs, random_state=0, client=client).fit(X, y)
    assert model_of(forest) == model_of(plain)


def test_workers_with_several_threads_and_clients_of_threads():
    _, X, y, _ = table("two")
    plain = sporf.SporfClassifier(30, random_state=0).fit(X, y)
    with Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=":0"):
        assert model_of(sd.SporfClassifier(30, random_state=0).fit(X, y)) == model_of(plain)


def test_tables_are_dropped_when_the_training_ends(client):
    _, X, y, _ = table("two")
    sd.SporfClassifier(5, client=client).fit(X, y)

    def tables():
        import sporf._dask_tables

        return len(sporf._dask_tables._known)

    for _ in range(100):  # workers that are busy answer later
        if set(client.run(tables).values()) == {0}:
            return
        time.sleep(0.1)
    raise AssertionError("a table stays")


# ---- losses ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long():
    """A training of some seconds, its data and the bytes of its model."""
    X, y = sporf.simulate("sparse-parity", 6000, random_state=1)
    plain = sporf.SporfClassifier(60, max_features=60, random_state=1, n_jobs=2).fit(X, y)
    return X, y, model_of(plain)


def grow_long(cluster, X, y):
    forest = sd.SporfClassifier(60, max_features=60, random_state=1, client=cluster.client)
    return model_of(forest.fit(X, y))


@pytest.mark.parametrize("is_lazy", [False, True])
def test_a_worker_that_is_killed_changes_nothing(three, long, is_lazy):
    X, y, wanted = long
    given = (da.from_array(X, chunks=(1000, 20)), da.from_array(y, chunks=1500))
    forest = later(lambda: grow_long(three, *(given if is_lazy else (X, y))))
    killed = three.grower()
    killed.kill()
    killed.wait()
    assert forest(90) == wanted


def test_a_worker_that_stands_still_changes_nothing(three, long):
    X, y, wanted = long
    forest = later(lambda: grow_long(three, X, y))
    stopped = three.grower()
    stopped.send_signal(signal.SIGSTOP)
    try:
        assert forest(90) == wanted
    finally:
        stopped.kill()
        stopped.wait()


def test_new_workers_take_over_from_those_that_are_killed(three, long):
    X, y, wanted = long
    forest = later(lambda: grow_long(three, X, y))
    three.grower()
    for worker in three.workers:
        worker.kill()
        worker.wait()
    three.bury()
    three.add(1)
    assert forest(90) == wanted


def test_without_workers_the_training_ends_with_the_cause(three, long, monkeypatch):
    monkeypatch.setattr(_dask_training, "NO_WORKERS_FOR", 8.0)
    X, y, _ = long

    def fails():
        with pytest.raises(sd.WorkersLost, match="all workers are lost"):
            grow_long(three, X, y)
        return time.monotonic()

    forest = later(fails)
    three.grower()
    for worker in three.workers:
        worker.kill()
        worker.wait()
    killed = time.monotonic()
    assert forest(60) - killed < 60


def test_ctrl_c_stops_the_tasks_and_leaves_the_forest_as_it_was(long):
    program = """
import os, signal, threading, time
from distributed import Client
from sporf import simulate
from sporf.dask import SporfClassifier
if __name__ == "__main__":
    X, y = simulate("sparse-parity", 6000, random_state=1)
    with Client(n_workers=1, threads_per_worker=1, dashboard_address=":0") as client:
        def press():
            while "sporf-trees" not in str(client.processing()):
                time.sleep(0.05)
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press, daemon=True).start()
        forest = SporfClassifier(5000, max_features=200, random_state=1)
        try:
            forest.fit(X, y)
        except KeyboardInterrupt:
            print("stopped", forest.__sklearn_is_fitted__())
        began = time.monotonic()
        client.submit(len, "abc").result(timeout=20)
        print("free", time.monotonic() - began < 10)
"""
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert answer.stdout.splitlines() == ["stopped False", "free True"], answer.stderr


def test_ctrl_c_keeps_the_trees_of_the_first_ranges():
    program = """
import os, signal, threading, time
import sporf
from distributed import Client
from sporf._dask_training import ranges
from sporf.dask import SporfClassifier
if __name__ == "__main__":
    X, y = sporf.simulate("sparse-parity", 6000, random_state=1)
    with Client(n_workers=1, threads_per_worker=1, dashboard_address=":0") as client:
        def press():
            seen = set()
            while len(seen) < 2:
                seen |= {k for keys in client.processing().values() for k in keys if "trees" in k}
                time.sleep(0.02)
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press, daemon=True).start()
        forest = SporfClassifier(200, max_features=200, oob_score=True, random_state=1)
        try:
            forest.fit(X, y)
        except KeyboardInterrupt:
            print("stopped", forest.n_trees_ == ranges(200, 1)[0][1])
        began = time.monotonic()
        client.submit(len, "abc").result(timeout=20)
        print("free", time.monotonic() - began < 10)
    plain = sporf.SporfClassifier(forest.n_trees_, max_features=200, random_state=1).fit(X, y)
    print("same", plain._forest.to_bytes() == forest._forest.to_bytes())
"""
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    wanted = ["stopped True", "free True", "same True"]
    assert answer.stdout.splitlines() == wanted, answer.stderr


class Interrupting:
    """A bar that presses Ctrl-C after the second range."""

    def __init__(self, trees):
        self.ranges = 0

    def __call__(self, done):
        self.ranges += 1
        if self.ranges == 2:
            raise KeyboardInterrupt

    def close(self):
        pass


@pytest.mark.parametrize("kind", ["two", "numbers", "categories"])
def test_a_forest_of_first_trees_is_that_of_the_plain_estimator(clients, monkeypatch, kind):
    name, X, y, _ = table(kind)
    trees = sum(count for _, count in ranges(30, 1)[:2])
    options = {"oob_score": True, "max_features": 3, "random_state": 1}
    plain = getattr(sporf, name)(trees, **options).fit(X, y)
    forest = getattr(sd, name)(30, **options, client=clients(1), verbose=1)
    monkeypatch.setattr(sd, "Progress", Interrupting)
    with pytest.raises(KeyboardInterrupt):
        forest.fit(X, y)
    assert forest.n_trees_ == trees < 30
    assert forest.oob_score_ == plain.oob_score_
    assert model_of(forest) == model_of(plain)
    assert (forest.predict(X) == plain.predict(X)).all()


def test_a_failing_join_ends_the_training(clients, monkeypatch):
    class Failing:
        def add(self, part):
            raise MemoryError("no memory for the votes")

    class Joiner(_dask_training.Joiner):
        def __init__(self):
            super().__init__()
            self.joining = Failing()

    monkeypatch.setattr(_dask_training, "Joiner", Joiner)
    forest = sd.SporfClassifier(10, max_features=2, client=clients(1))
    with pytest.raises(MemoryError, match="votes"):
        forest.fit(*table("two")[1:3])
    assert not forest.__sklearn_is_fitted__()


def test_joining_is_for_parts_and_for_one_thread_at_a_time():
    joining = _core.Joining.start(1)
    with pytest.raises(ValueError, match="needs parts"):
        joining.end(True)
    with pytest.raises(ValueError, match="model"):
        joining.add(b"no part at all")
    with pytest.raises(TypeError):
        joining.add(1)
    with pytest.raises(TypeError):
        _core.Joining.start("one")
    assert joining.trees == 0
    X, y = sporf.simulate("sparse-parity", 20000, random_state=1)
    data, _ = sporf.SporfClassifier()._read(X, y, None)
    options = {"trees": "60", "projections": "4", "effort": "low", "max-depth": "8"}
    part = _core.Forest.train_part(data, options, None, None, "", 0, 60)
    done = later(lambda: joining.add(part))
    with pytest.raises(RuntimeError, match="another thread"):
        while True:
            assert joining.trees in (0, 60)
            assert joining.trees == 0, "nobody was joining"
    with contextlib.suppress(RuntimeError):
        joining.add(part)
    done(60)
    assert joining.end(False).trees == joining.trees == 60


# ---- predicting ------------------------------------------------------------------------------


def test_arrays_are_predicted_lazily(client):
    _, X, y, _ = table("two")
    plain = sporf.SporfClassifier(8, random_state=0).fit(X, y)
    forest = sd.SporfClassifier(8, random_state=0, client=client).fit(X, y)
    given = da.concatenate([da.from_array(X, chunks=(50, 2)), da.zeros((0, 6))])
    for method in ("predict", "predict_proba", "predict_log_proba", "apply"):
        lazily, wanted = getattr(forest, method)(given), getattr(plain, method)(X)
        assert isinstance(lazily, da.Array)
        assert (lazily.shape, lazily.dtype) == (wanted.shape, wanted.dtype)
        np.testing.assert_array_equal(lazily.compute(scheduler=client), wanted)
    assert forest.score(X, y) == plain.score(X, y)


def test_frames_are_predicted_lazily(client):
    _, X, y, _ = table("categories")
    plain = sporf.SporfClassifier(8, random_state=0).fit(X, y)
    forest = sd.SporfClassifier(8, random_state=0, client=client).fit(X, y)
    given = lazy(X, PARTITIONS["an empty one"])
    classes = forest.predict(given).compute(scheduler=client)
    assert classes.tolist() == plain.predict(X).tolist()
    assert classes.index.tolist() == X.index.tolist()
    shares = forest.predict_proba(given).compute(scheduler=client)
    assert shares.columns.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(shares, plain.predict_proba(X))


def test_numbers_are_predicted_lazily(client):
    _, X, y, _ = table("numbers")
    plain = sporf.SporfRegressor(20, random_state=0).fit(X, y)
    forest = sd.SporfRegressor(20, random_state=0, client=client).fit(X, y)
    given = lazy(X, [100, 140])
    for method in ("predict", "predict_quantiles", "predict_interval"):
        lazily = getattr(forest, method)(given).compute(scheduler=client)
        np.testing.assert_array_equal(lazily, getattr(plain, method)(X))


def test_a_fitted_forest_serves_without_a_client(client, tmp_path):
    import pickle

    _, X, y, _ = table("two")
    forest = sd.SporfClassifier(8, random_state=0, client=client).fit(X, y)
    again = pickle.loads(pickle.dumps(forest))
    assert again.client is None
    lazily = again.predict(da.from_array(X, chunks=(50, 6)))
    np.testing.assert_array_equal(lazily.compute(scheduler="threads"), forest.predict(X))
    assert type(forest.to_local()) is sporf.SporfClassifier
    forest.save(tmp_path / "model")
    assert model_of(sporf.load(tmp_path / "model")) == model_of(forest.to_local())
    assert model_of(sd.SporfClassifier.load(tmp_path / "model")) == model_of(forest)


# ---- progress and warnings -------------------------------------------------------------------


def test_progress_is_shown_if_asked_for(client, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    _, X, y, _ = table("two")
    sd.SporfClassifier(40, client=client).fit(X, y)
    assert capfd.readouterr().err == ""
    sd.SporfClassifier(40, client=client, verbose=1).fit(X, y)
    assert "40 of 40 trees" in capfd.readouterr().err


def test_warnings_of_workers_reach_the_caller(client):
    _, X, y, _ = table("two")
    large = pd.DataFrame({"id": np.arange(ROWS) + 2**25, "x": X[:, 0]})
    with pytest.warns(UserWarning, match="column 'id' holds whole numbers above"):
        sd.SporfClassifier(3, client=client).fit(dd.from_pandas(large, npartitions=2), y)


# ---- refusals --------------------------------------------------------------------------------


def test_boosting_is_refused():
    for name in ("SporfBoostingClassifier", "SporfBoostingRegressor"):
        with pytest.raises(NotImplementedError, match=f"Use sporf.{name}"):
            getattr(sd, name)()


def test_a_client_is_needed():
    _, X, y, _ = table("two")
    with pytest.raises(ValueError, match="needs a client"):
        sd.SporfClassifier().fit(X, y)


def test_what_cannot_be_fitted_is_refused(client):
    _, X, y, _ = table("two")
    forest = sd.SporfClassifier(3, client=client)
    given = lazy(X, [100, 140])
    with pytest.raises(ValueError, match="X has 240, y has 239"):
        forest.fit(given, da.from_array(y[1:], chunks=100))
    with pytest.raises(ValueError, match="y should be a 1d array"):
        forest.fit(given, da.from_array(np.column_stack([y, y]), chunks=100))
    with pytest.raises(ValueError, match="requires y"):
        forest.fit(given, None)
    with pytest.raises(ValueError, match="max_features must be"):
        sd.SporfClassifier(3, client=client, max_features="many").fit(given, y)
    with pytest.raises(TypeError, match="is a Bag of Dask"):
        forest.fit(from_sequence([1, 2]), y)
    dates = pd.DataFrame({"when": pd.date_range("2020", periods=ROWS), "x": X[:, 0]})
    with pytest.raises(ValueError, match="'when' holds dates"):
        forest.fit(dd.from_pandas(dates, npartitions=3), y)
    with pytest.raises(ValueError, match="oob_score needs trees that leave rows out"):
        sd.SporfClassifier(3, client=client, bootstrap=False, oob_score=True).fit(given, y)
    with pytest.raises(ZeroDivisionError):
        forest.fit(given.map_blocks(lambda block: block / (1 // 0), dtype=float), y)
    assert not forest.__sklearn_is_fitted__()
    forest.fit(given, y)
    with pytest.raises(ValueError, match="warm_start is not possible"):
        forest.set_params(warm_start=True, n_estimators=5).fit(given, y)
    with pytest.raises(TypeError, match="needs a local table"):
        forest.permutation_importances(given, y)


def test_a_table_that_does_not_fit_is_refused_before_it_moves():
    with workers(1, "--memory-limit", "400MB") as cluster:
        X = da.zeros((10**8, 50), chunks=(10**6, 50))
        with pytest.raises(MemoryError, match="takes 20.8 GB on each .* limit of 400.0 MB"):
            forest = sd.SporfClassifier(client=cluster.client, rows="together")
            forest.fit(X, da.zeros(10**8, chunks=10**6))


def test_an_import_without_dask_says_what_to_install():
    program = "import sys; sys.modules['distributed'] = None; import sporf; import sporf.dask"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install sporf[dask]" in answer.stderr
