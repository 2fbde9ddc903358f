"""Tables of every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import model_of
from scipy import sparse

from sporf import SporfClassifier, SporfRegressor


def forest():
    return SporfClassifier(10, random_state=0)


def as_lists(frame):
    return {
        name: [None if v is None or v != v else v for v in frame[name].tolist()] for name in frame
    }


def test_pandas_polars_and_pyarrow_give_the_same_forest(customers):
    frame, left = customers
    tables = [frame, pl.DataFrame(as_lists(frame)), pa.table(as_lists(frame))]
    forests = [forest().fit(table, left) for table in tables]
    assert len({model_of(f) for f in forests}) == 1
    for f, table in zip(forests, tables, strict=True):
        assert f.feature_names_in_.tolist() == frame.columns.tolist()
        np.testing.assert_array_equal(f.predict_proba(table), forests[0].predict_proba(frame))


def test_categories_of_polars_and_dictionaries_of_pyarrow_are_categories(customers):
    frame, left = customers
    lists = as_lists(frame)
    of_polars = pl.DataFrame(lists).with_columns(pl.col("plan", "town").cast(pl.Categorical))
    of_arrow = pa.table(lists)
    for name in ("plan", "town"):
        place = of_arrow.column_names.index(name)
        encoded = of_arrow[name].dictionary_encode()
        of_arrow = of_arrow.set_column(place, name, encoded)
    first = forest().fit(frame, left).predict_proba(frame)
    for table in (of_polars, of_arrow):
        f = forest().fit(table, left)
        assert set(f._forest.levels) == {2, 3}
        np.testing.assert_array_equal(f.predict_proba(table), f.predict_proba(frame))
        assert np.abs(f.predict_proba(table) - first).mean() < 0.2


def test_tables_in_chunks_and_slices_are_whole(customers):
    frame, left = customers
    table = pa.table(as_lists(frame))
    chunked = pa.concat_tables([table[:100], table[100:]])
    assert model_of(forest().fit(chunked, left)) == model_of(forest().fit(table, left))
    part = forest().fit(table[50:250], left[50:250])
    assert model_of(part) == model_of(forest().fit(frame[50:250], left[50:250]))


def test_numbers_of_all_types_are_taken(customers):
    frame = pd.DataFrame(
        {
            "a": pd.array([1, 2, None, 4] * 10, dtype="Int64"),
            "b": pd.array([True, False, None, True] * 10, dtype="boolean"),
            "c": np.arange(40, dtype=np.uint8),
            "d": np.arange(40) % 3 == 0,
            "e": np.linspace(0, 1, 40, dtype=np.float16),
            "f": [1, 2.5, None, 4] * 10,
        }
    )
    y = np.arange(40) % 2
    f = forest().fit(frame, y)
    assert f._forest.levels == {}
    assert f.predict(frame).shape == (40,)


def test_categorical_features_may_be_named_numbered_or_masked(customers):
    frame, left = customers
    by_name = forest().set_params(categorical_features=["age"]).fit(frame, left)
    assert set(by_name._forest.levels) == {0, 2, 3}
    codes = np.column_stack([frame.age, frame.town.cat.codes]).astype(float)
    by_place = forest().set_params(categorical_features=[1]).fit(codes, left)
    by_mask = forest().set_params(categorical_features=[False, True]).fit(codes, left)
    assert by_place._forest.levels == {1: ("category", ["0", "1", "2", "3"])}
    assert model_of(by_place) == model_of(by_mask)
    np.testing.assert_array_equal(by_place.predict(codes), by_mask.predict(codes))


def test_arrays_of_objects_may_hold_categories():
    X = np.array([[1.5, "a"], [2.5, "b"], [0.5, None], [9, "b"]] * 10, dtype=object)
    y = np.array([0, 1, 0, 1] * 10)
    f = forest().set_params(categorical_features=[1]).fit(X, y)
    assert f._forest.levels == {1: ("category", ["a", "b"])}
    np.testing.assert_array_equal(f.predict(X), y)


def test_ordered_categories_are_ordinal(customers):
    frame, left = customers
    sizes = ["small", "medium", "large"]
    size = pd.Categorical.from_codes(np.arange(len(frame)) % 3, sizes, ordered=True)
    f = forest().fit(frame.assign(size=size), left)
    assert f._forest.levels[4] == ("ordinal", sizes)


def test_levels_that_were_not_seen_are_missing_or_an_error(customers):
    frame, left = customers
    f = forest().fit(frame, left)
    other = frame.assign(plan="gold")
    missing = frame.assign(plan=None).astype({"plan": object})
    told = "unknown categories in column 'plan': 'gold', in 300"
    with pytest.warns(UserWarning, match=told + r" row\(s\). They are taken as missing values"):
        np.testing.assert_array_equal(f.predict_proba(other), f.predict_proba(missing))
    with pytest.warns(UserWarning, match="and in 1 other column"):
        f.predict(other.assign(town="Nome"))
    f.set_params(handle_unknown="error")
    with pytest.raises(ValueError, match=told):
        f.predict(other)
    f.set_params(handle_unknown="missing")
    np.testing.assert_array_equal(f.predict_proba(other), f.predict_proba(missing))
    of_polars = pl.DataFrame(as_lists(other))
    np.testing.assert_array_equal(f.predict_proba(of_polars), f.predict_proba(missing))
    f.set_params(handle_unknown="error")
    with pytest.raises(ValueError, match="unknown categories"):
        f.predict(of_polars)


def test_float32_in_fortran_order_is_not_copied(parity):
    """The dataset lies where the array lies."""
    from sporf import _core

    X = np.asfortranarray(parity[0])
    data = _core.Dataset.from_matrix(X)
    X[0, 0] = 123
    assert np.frombuffer(data.column(0), np.float32)[0] == 123


def test_a_frame_of_one_type_of_floats_is_not_copied(parity):
    from sporf import _tables

    frame = pd.DataFrame(np.asfortranarray(parity[0]))
    values = frame.to_numpy()
    assert np.shares_memory(values, frame.to_numpy())
    assert _tables.is_matrix(values)
    names = frame.rename(columns=str)
    assert model_of(forest().fit(names, parity[1]))


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_matrices_are_taken_as_dense_ones(parity, kind, monkeypatch):
    X, y = np.where(np.abs(parity[0]) < 0.5, 0, parity[0]), parity[1]
    f = forest().fit(kind(X), y)
    assert model_of(f) == model_of(forest().fit(X.astype(np.float32), y))
    monkeypatch.setattr("sporf._tables.BLOCK_VALUES", 7 * X.shape[1])
    np.testing.assert_array_equal(f.predict_proba(kind(X)), f.predict_proba(X))
    with pytest.raises(ValueError, match="features"):
        f.predict(kind(X[:, 1:]))


def test_sparse_matrices_that_do_not_fit_get_a_clear_answer():
    X = sparse.csr_array((10**6, 10**9), dtype=np.float32)
    with pytest.raises(MemoryError, match="sparse matrix.*4,000,000,000 MB.*fewer columns"):
        forest().fit(X, np.arange(10**6) % 2)
    with pytest.raises(ValueError, match="Complex"):
        forest().fit(sparse.csr_array(np.ones((4, 2), dtype=complex)), [0, 1, 0, 1])


def test_wide_tables_and_single_rows_train():
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(20, 100_000)).astype(np.float32)
    y = np.arange(20) % 2
    f = SporfClassifier(3, max_features="sqrt", random_state=0).fit(wide, y)
    assert f.predict(wide).shape == (20,)
    many = np.arange(1000)
    f = SporfClassifier(2, random_state=0).fit(many.reshape(-1, 1), many)
    assert f.predict_proba(many[:5].reshape(-1, 1)).shape == (5, 1000)


def test_missing_texts_of_every_spelling_are_missing(customers):
    frame, left = customers
    plan = frame.plan.where(frame.plan.notna(), None)
    spellings = [
        plan.astype(object),
        plan.fillna(""),
        plan.astype("string"),
        plan.astype("string").fillna(""),
        plan.astype("category"),
        plan.fillna("").astype("category"),
    ]
    first = forest().fit(frame.assign(plan=spellings[0]), left)
    for spelling in spellings:
        table = frame.assign(plan=spelling)
        again = forest().fit(table, left)
        assert model_of(again) == model_of(first)
        np.testing.assert_array_equal(again.predict_proba(table), first.predict_proba(frame))


def test_columns_without_any_value_fit_any_model(customers):
    frame, left = customers
    f = forest().fit(frame, left)
    for empty in (pd.Categorical([None] * len(frame)), [None] * len(frame), np.nan):
        assert f.predict(frame.assign(plan=empty)).shape == (len(frame),)


def test_objects_that_are_numbers_may_be_missing(customers):
    frame = pd.DataFrame({"a": pd.Series([1, 2.5, pd.NA, None] * 10, dtype=object)})
    f = forest().fit(frame, np.arange(40) % 2)
    assert f._forest.levels == {}
    assert f.predict(frame).shape == (40,)


def test_ordered_categories_are_numbers_for_rotations(customers):
    frame, left = customers
    sizes = pd.Categorical.from_codes(np.arange(len(frame)) % 3, ["s", "m", "l"], ordered=True)
    table = frame[["age"]].assign(size=sizes)
    f = SporfClassifier(5, projection="rr-rf", random_state=0).fit(table, left)
    assert f.predict(table).shape == (len(frame),)


def test_named_categories_of_arrow_tables_must_be_texts(customers):
    frame, left = customers
    table = pl.DataFrame(as_lists(frame))
    f = forest().set_params(categorical_features=["plan", 3]).fit(table, left)
    assert f._forest.typed_features == [2, 3]
    with pytest.raises(ValueError, match="place 0, which holds numbers"):
        forest().set_params(categorical_features=["age"]).fit(table, left)


def test_texts_of_missing_order_keep_the_order_of_the_others(customers):
    frame, left = customers
    sizes = ["", "low", "mid", "high"]
    size = pd.Categorical.from_codes(np.arange(len(frame)) % 4, sizes, ordered=True)
    f = forest().fit(frame.assign(size=size), left)
    assert f._forest.levels[4] == ("ordinal", ["low", "mid", "high"])


def test_missing_values_of_pandas_are_taken_everywhere():
    y = np.arange(40) % 2
    nothing = pd.DataFrame({"a": pd.array([pd.NA] * 40, dtype="Int64"), "b": range(40)})
    assert forest().fit(nothing, y).predict(nothing).shape == (40,)
    X = np.array([[1.5, "a"], [pd.NA, "b"], [None, pd.NA], [9, None]] * 10, dtype=object)
    f = forest().set_params(categorical_features=[1]).fit(X, y)
    assert f.predict(X).shape == (40,)
    X[3, 0] = "nine"
    with pytest.raises(ValueError, match="column 0 is not among the categorical_features.*nine"):
        f.fit(X, y)


def test_numbers_as_categories_have_the_same_names_in_every_precision():
    y = np.arange(40) % 2
    X = np.tile([[0.1], [0.25]], (20, 1))
    f = forest().set_params(categorical_features=[0]).fit(X.astype(np.float32), y)
    assert f._forest.levels == {0: ("category", ["0.1", "0.25"])}
    np.testing.assert_array_equal(f.predict(X), y)


def test_batches_of_pyarrow_have_names(customers):
    frame, left = customers
    batch = pa.table(as_lists(frame)).to_batches()[0]
    f = forest().fit(batch, left)
    assert f.feature_names_in_.tolist() == frame.columns.tolist()
    assert f.predict(batch).tolist() == f.predict(frame).tolist()
    with pytest.raises(ValueError, match="same order"):
        f.predict(batch.select(frame.columns[::-1].tolist()))


def test_outcomes_and_weights_may_lie_at_any_address(friedman):
    X, y = friedman
    weights = np.linspace(1, 2, len(y))

    def odd(values):
        moved = np.frombuffer(b"\0" + values.tobytes(), dtype=np.uint8)[1:].view(values.dtype)
        assert not moved.flags.aligned
        return moved

    plain = SporfRegressor(3, random_state=0).fit(X, y, weights)
    again = SporfRegressor(3, random_state=0).fit(X, odd(y), odd(weights))
    assert model_of(again) == model_of(plain)
    labels = (y > y.mean()).astype(np.int64)
    plain = SporfClassifier(3, random_state=0).fit(X, labels)
    assert model_of(SporfClassifier(3, random_state=0).fit(X, odd(labels))) == model_of(plain)
