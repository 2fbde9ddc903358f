"""Model files, which the command line shares."""

from os import PathLike

from ._boosting_classifier import SporfBoostingClassifier
from ._boosting_regressor import SporfBoostingRegressor
from ._classifier import SporfClassifier
from ._regressor import SporfRegressor
from ._settings import kind_of, read_model

Estimator = SporfClassifier | SporfRegressor | SporfBoostingClassifier | SporfBoostingRegressor
_ESTIMATORS: dict[tuple[bool, bool], type[Estimator]] = {
    (False, False): SporfClassifier,
    (False, True): SporfRegressor,
    (True, False): SporfBoostingClassifier,
    (True, True): SporfBoostingRegressor,
}


def load(path: str | PathLike[str]) -> Estimator:
    """Read a model file, written by ``save`` or by the command ``sporf``.

    Parameters
    ----------
    path : str or path-like
        The file. Its bytes are checked and none is run, so it may come from anywhere.

    Returns
    -------
    model : SporfClassifier, SporfRegressor or one of their boosted counterparts
        Fitted, with the parameters of its training as far as the file has them. Classes are
        integers where all of their names are, otherwise strings.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sporf
    >>> X, y = sporf.simulate("trunk", 200, random_state=1)
    >>> forest = sporf.SporfClassifier(n_estimators=10, random_state=1).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "trunk.sporf")
    ...     forest.save(path)
    ...     again = sporf.load(path)
    >>> np.array_equal(again.predict(X), forest.predict(X))
    True
    """
    forest = read_model(path)
    return _ESTIMATORS[kind_of(forest)]._restore(forest, path)
