"""What regressors share: targets and their predictions."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, column_or_1d

from ._explain import Outputs
from ._model import SporfModel


class Targets(SporfModel):
    """An estimator that predicts numbers."""

    _predicts_numbers = True
    combine = "posteriors"
    calibration = "auto"

    def _add_outcome(self, data, y):
        names = _names_of(y)
        y = check_array(y, dtype="numeric", ensure_2d=False, input_name="y", estimator=self)
        if y.ndim == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        elif y.ndim > 2:
            raise ValueError(f"y has {y.ndim} dimensions; one, or two for several targets")
        precision = np.float32 if y.dtype == np.float32 else np.float64
        targets = np.require(y.reshape(len(y), -1), precision, "CA")
        data.set_targets(targets, names)
        return y

    def _pack_outcome(self, data, outcome):
        return (np.frombuffer(data.target(), np.float32),)

    def _unpack_outcome(self, data, targets):
        data.set_targets(np.require(targets.reshape(-1, 1), np.float32, "CA"), None)

    def _keep_outcome(self, forest, outcome):
        self.n_outputs_ = forest.targets

    def _explained(self):
        return Outputs([f"y{number}" for number in range(self.n_outputs_)])

    def predict(self, X: Any) -> np.ndarray:
        """The prediction for each row.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        targets = getattr(self, "n_outputs_", 1)
        values = self._predict(X, "values", (targets,))
        return values[:, 0] if targets == 1 else values

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _names_of(y):
    """The names of a pandas column or frame of targets, or None."""
    names = [y.name] if hasattr(y, "name") else list(getattr(y, "columns", []))
    return names if names and all(isinstance(name, str) for name in names) else None
