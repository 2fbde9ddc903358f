"""Forests whose trees grow on the workers of a Dask cluster.

`SporfClassifier` and `SporfRegressor` here are those of the package with two more parameters:
the client, and where rows are. They take arrays and dataframes of Dask, or local tables. Every
worker holds the whole table, in single precision, and grows some of the trees; or, of a table that
no worker can hold, some of the rows. The forest is, byte for byte, the one that the plain estimator
grows from the same rows and seed, whatever the number of workers and partitions, also if workers
are lost meanwhile.

>>> from distributed import Client
>>> from sporf import simulate
>>> from sporf.dask import SporfClassifier
>>> X, y = simulate("sparse-parity", 1000, random_state=1)
>>> with Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None):
...     forest = SporfClassifier(20, oob_score=True, random_state=1).fit(X, y)
>>> forest.n_trees_
20
"""

from contextlib import suppress
from typing import Any, Self

try:
    import dask
    import distributed
except ImportError as error:
    raise ImportError(
        "sporf.dask needs dask and distributed; install them with: pip install sporf[dask]"
    ) from error

import numpy as np
from sklearn.base import clone
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import check_is_fitted

from . import _boosting_classifier, _boosting_regressor, _classifier, _options, _regressor
from ._dask_inputs import Inputs, is_array, is_lazy, whole_rows
from ._dask_rows import is_too_large, rows_training
from ._dask_training import TableTooLarge, Training, Workers, WorkersLost
from ._forest import SporfForest
from ._messages import warn
from ._parameters import init_with
from ._progress import Progress

__all__ = [
    "SporfBoostingClassifier",
    "SporfBoostingRegressor",
    "SporfClassifier",
    "SporfRegressor",
    "WorkersLost",
]


def _answer(rows, model, method, shape, dtype, arguments):
    """What a model says of the rows of a partition, which may have none."""
    if len(rows) == 0:
        return np.empty((0, *shape), dtype=dtype)
    return getattr(model, method)(rows, **arguments)


def _answer_frame(rows, model, method, shape, dtype, arguments, columns):
    import pandas

    values = _answer(rows, model, method, shape, dtype, arguments)
    if columns is None:
        return pandas.Series(values, index=rows.index)
    return pandas.DataFrame(values, index=rows.index, columns=columns)


def _columns_of(y):
    shape = getattr(y, "shape", ())
    return int(shape[1]) if len(shape) == 2 else 1


class _Distributed(SporfForest):
    """Fits on the workers of a client and predicts lazily; what it is mixed into does the rest."""

    _plain_class: Any
    client: Any
    rows: str

    # ---- fitting -----------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the forest on the workers.

        Ctrl-C stops the tasks, raises KeyboardInterrupt and leaves the forest fitted with the trees
        before the first unfinished one, if there are any. All other exceptions leave the estimator
        as it was.

        Parameters
        ----------
        X : Dask array, Dask dataframe or local table of shape (n_samples, n_features)
            Training rows. Partitions may have any number of rows, none included. A local table is
            sent to the workers.
        y : Dask array, series or dataframe, or local array, of shape (n_samples,) or, in
            regression, (n_samples, n_outputs)
            Classes or targets; partitions need not be those of X.
        sample_weight : Dask array or series, or local array, of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        self : object
            The fitted forest.
        """
        before = dict(self.__dict__)
        try:
            client = _client_of(self.client)
            with client.as_current():
                raised = self._fit_on(client, X, y, sample_weight)
        except BaseException:
            self.__dict__ = before
            raise
        try:
            if raised is not None:
                raise raised
        finally:
            del raised  # or its traceback would keep X until the next collection
        return self

    def _fit_on(self, client, X, y, sample_weight):
        """What Ctrl-C raised after the first trees, or None."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None"
            )
        if not getattr(self, "_takes_several", True) and _columns_of(y) > 1:
            raise ValueError(
                f"y should be a 1d array, but has {_columns_of(y)} columns: several labels are "
                "for sporf.SporfClassifier"
            )
        self._refuse_warm_start()
        trees = int(_options.whole("n_estimators", self.n_estimators, 1))
        seed = _options.seed(self.random_state)
        workers = Workers(client)
        inputs = None
        if not self._is_apart(client, workers, X):
            inputs = self._inputs(client, workers, seed, (X, y, sample_weight))
        if inputs is None:
            return self._fit_rows(client, workers, X, y, sample_weight, trees, seed)
        progress = Progress(trees) if self.verbose else None
        try:
            forest, settled, raised = Training(client, workers, inputs).run(
                seed, trees, bool(self.oob_score), progress
            )
        finally:
            if progress:
                progress.close()
        if forest is None:
            raise raised
        for message in settled.warned:
            warn(message)
        self.__dict__.update(settled.attributes)
        with suppress(*([] if raised is None else [Exception])):  # of a metric of the user's
            self._keep(forest, settled.outcome, settled.seconds)
        return raised

    def _inputs(self, client, workers, seed, given):
        """Those of rows that are together; None if they turn out not to fit, and need not be."""
        try:
            return Inputs(client, workers, self._unfitted(seed), *given)
        except TableTooLarge:
            if self.rows == "together":
                raise
            return None

    def _is_apart(self, client, workers, X):
        """Whether rows are divided among the workers."""
        _options.choice("rows", self.rows, ("auto", "together", "apart"))
        return self.rows == "apart" or (self.rows == "auto" and is_too_large(client, workers, X))

    def _fit_rows(self, client, workers, X, y, sample_weight, trees, seed):
        """Likewise, if they are."""
        progress = Progress(trees) if self.verbose else None
        training = None
        try:
            training, outcome = rows_training(
                client, workers, self, self._unfitted(seed), seed, (X, y, sample_weight)
            )
            training.run(progress)
        except KeyboardInterrupt as interrupt:
            if training is None or not training.crown.trees:
                raise
            with suppress(Exception):  # of a metric of the user's
                self._keep_rows(training, outcome)
            return interrupt
        finally:
            if progress:
                progress.close()
        self._keep_rows(training, outcome)
        return None

    def _keep_rows(self, training, outcome):
        forest, seconds = training.finished()
        self._keep(forest, outcome, seconds)
        self.traffic_ = training.traffic

    def _refuse_warm_start(self):
        if self.warm_start and hasattr(self, "_forest"):
            raise ValueError(
                "warm_start is not possible on Dask: fit the plain estimator to add trees, or "
                "fit anew with warm_start=False"
            )

    def _plain_parameters(self):
        parameters = self.get_params(deep=False)
        return {name: p for name, p in parameters.items() if name not in ("client", "rows")}

    def _unfitted(self, seed):
        """What workers read the table with."""
        parameters = self._plain_parameters()
        parameters.update(
            random_state=int(seed), verbose=0, warm_start=False, oob_score=bool(self.oob_score)
        )
        return self._plain_class(**parameters)

    def _read(self, X, y, sample_weight):
        for given in (X, y, sample_weight):
            _refuse_lazy(given)
        return super()._read(X, y, sample_weight)

    # ---- predicting --------------------------------------------------------------------------

    def to_local(self) -> Any:
        """The plain estimator of the package, fitted, which needs no Dask."""
        local = self._plain_class(**self._plain_parameters())
        state = {name: value for name, value in self.__dict__.items() if name != "client"}
        local.__dict__.update(state)
        return local

    def _model(self):
        """The fitted model for tasks: sent to all workers once, or a part of the graph if there is
        no client."""
        model = self.to_local()
        model.n_jobs = 1
        try:
            client = _client_of(self.client)
        except ValueError:
            return dask.delayed(model)
        return client.scatter(model, broadcast=True, hash=False)

    def _lazily(self, X, method, shape, dtype=np.float64, columns=None, **arguments):
        """The answers for a collection of Dask: an array of one, a series or a frame of a frame,
        whose columns are named if the answers have several."""
        check_is_fitted(self)
        dtype = np.dtype(dtype)
        if is_array(X):
            X = whole_rows(X)
            axes = {"drop_axis": 1} if not shape else {"new_axis": 2} if len(shape) > 1 else {}
            return X.map_blocks(
                _answer,
                self._model(),
                method,
                shape,
                dtype,
                arguments,
                chunks=(X.chunks[0], *((length,) for length in shape)),
                dtype=dtype,
                meta=np.empty((0,) * (1 + len(shape)), dtype=dtype),
                **axes,
            )
        if len(shape) > 1:
            raise TypeError(f"{method} of several outputs needs an array: X.to_dask_array()")
        columns = list(range(shape[0])) if shape and columns is None else columns
        meta = np.empty((0, *shape), dtype=dtype)
        import pandas

        form = pandas.Series(meta) if not shape else pandas.DataFrame(meta, columns=columns)
        return X.map_partitions(
            _answer_frame, self._model(), method, shape, dtype, arguments, columns, meta=form
        )

    def apply(self, X: Any) -> Any:
        """The leaf that each row reaches in each tree; lazily for Dask's tables."""
        if not is_lazy(X):
            return super().apply(X)
        return self._lazily(X, "apply", (len(self),), np.uint32)

    def _table(self, X, forest):
        _refuse_lazy(X)
        return super()._table(X, forest)

    def _score(self, metric, X, y, sample_weight):
        given = (y, self.predict(X), sample_weight)
        if any(map(dask.is_dask_collection, given)):
            with _client_of(self.client).as_current():
                given = dask.compute(*given)
        y, predicted, weights = given
        return float(metric(y, predicted, sample_weight=weights))

    # ---- scikit-learn ------------------------------------------------------------------------

    def __sklearn_clone__(self):
        parameters = {
            name: clone(p, safe=False)
            for name, p in self.get_params(deep=False).items()
            if name != "client"
        }
        return type(self)(**parameters, client=self.client)

    def __getstate__(self):
        return {**super().__getstate__(), "client": None}


class SporfClassifier(_Distributed, _classifier.SporfClassifier):
    """`sporf.SporfClassifier` whose trees grow on the workers of a Dask cluster.

    The parameters and attributes are the same, except for those listed here. The forest is the one
    that ``sporf.SporfClassifier`` grows from the same rows with the same ``random_state``.

    Parameters
    ----------
    client : distributed.Client, optional
        Whose workers grow the trees; None for the current client.
    rows : {"auto", "together", "apart"}, default="auto"
        Where rows are: together, all on each worker, or apart, some on each. "auto" puts them
        together if they fit each worker.
    n_jobs : int, optional
        Threads for local tables in ``predict``; on workers, each thread of a worker grows trees of
        its own.
    warm_start : bool, default=False
        Adding trees to a fitted forest is refused: use the plain estimator.

    Attributes
    ----------
    traffic_ : object
        If rows were apart: rounds of questions, bytes that were sent, and seconds of each step.
    """

    _takes_several = False

    _plain_class = _classifier.SporfClassifier
    __init__ = init_with(_classifier.SporfClassifier, client=None, rows="auto")

    def predict(self, X: Any) -> Any:
        """The class of each row; lazily for Dask's tables."""
        if not is_lazy(X):
            return super().predict(X)
        check_is_fitted(self)
        return self._lazily(X, "predict", (), self.classes_.dtype)

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for each row; lazily for Dask's tables."""
        return self._probabilities(X, "predict_proba")

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithm of the probability of each class; lazily for Dask's tables."""
        return self._probabilities(X, "predict_log_proba")

    def _probabilities(self, X, method):
        if not is_lazy(X):
            return getattr(super(), method)(X)
        check_is_fitted(self)
        columns = self.classes_.tolist()
        return self._lazily(X, method, (self.n_classes_,), columns=columns)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy of the predictions."""
        return self._score(accuracy_score, X, y, sample_weight)


class SporfRegressor(_Distributed, _regressor.SporfRegressor):
    """`sporf.SporfRegressor` whose trees grow on the workers of a Dask cluster.

    The parameters and attributes are the same, except for those that `SporfClassifier` lists here.
    With rows apart, y must be one target.
    """

    _plain_class = _regressor.SporfRegressor
    __init__ = init_with(_regressor.SporfRegressor, client=None, rows="auto")

    def predict(self, X: Any) -> Any:
        """The prediction for each row; lazily for Dask's tables."""
        if not is_lazy(X):
            return super().predict(X)
        check_is_fitted(self)
        return self._lazily(X, "predict", (self.n_outputs_,) if self.n_outputs_ > 1 else ())

    def predict_quantiles(self, X: Any, quantiles: Any = (0.1, 0.5, 0.9)) -> Any:
        """Quantiles for each row; lazily for Dask's tables."""
        if not is_lazy(X):
            return super().predict_quantiles(X, quantiles)
        levels = np.ravel(quantiles).tolist()
        shape = self._shape(len(levels))
        return self._lazily(X, "predict_quantiles", shape, columns=levels, quantiles=levels)

    def predict_interval(self, X: Any, level: float = 0.9) -> Any:
        """A prediction interval for each row; lazily for Dask's tables."""
        if not is_lazy(X):
            return super().predict_interval(X, level)
        columns = ["lower", "upper"]
        return self._lazily(X, "predict_interval", self._shape(2), columns=columns, level=level)

    def _shape(self, count):
        check_is_fitted(self)
        return (self.n_outputs_, count) if self.n_outputs_ > 1 else (count,)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R2 of the predictions."""
        return self._score(r2_score, X, y, sample_weight)


# ---- what is refused -------------------------------------------------------------------------


def _client_of(client):
    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:
            raise ValueError(
                "sporf.dask needs a client: make one with distributed.Client(), or give it as "
                "client=..."
            ) from None
    if client.asynchronous:
        raise ValueError("sporf.dask needs a client that is not asynchronous")
    return client


def _refuse_lazy(X):
    if dask.is_dask_collection(X):
        raise TypeError(f"this needs a local table, not a {type(X).__name__} of Dask: X.compute()")


class _Refused:
    def __init__(self, *args: Any, **parameters: Any) -> None:
        name = type(self).__name__
        raise NotImplementedError(
            f"{name} cannot be distributed: each round of boosting needs the one before. Use "
            f"sporf.{name}, which runs on the threads of one machine"
        )


class SporfBoostingClassifier(_Refused, _boosting_classifier.SporfBoostingClassifier):
    """Refused: each round of boosting needs the one before; use `sporf.SporfBoostingClassifier`."""


class SporfBoostingRegressor(_Refused, _boosting_regressor.SporfBoostingRegressor):
    """Refused: each round of boosting needs the one before; use `sporf.SporfBoostingRegressor`."""
