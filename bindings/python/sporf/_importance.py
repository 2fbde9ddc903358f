"""Importances that need the training data again, of features and of groups of them."""

import copy
import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _options
from ._measures import CorrectedImportances, DropColumnImportances, PermutationImportances
from ._messages import messages_in_python

P_VALUES = 99


class ImportanceMixin:
    """What forests say about the importance of features."""

    _forest: Any
    n_jobs: Any

    def _training_data(self, X, y, sample_weight):
        """The dataset that the forest was trained on, made again; the estimator stays as it is."""
        check_is_fitted(self)
        return copy.copy(self)._read(X, y, sample_weight)[0]  # type: ignore[attr-defined]

    def _member(self, group, feature):
        names = self._forest.feature_names or []
        if not isinstance(feature, str):
            return self._feature_number(feature)  # type: ignore[attr-defined]
        if feature in names:
            return names.index(feature)
        near = difflib.get_close_matches(feature, names, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"group {group!r}: the model has no feature {feature!r}{hint}")

    def _groups(self, groups):
        if groups is None:
            return None
        if not isinstance(groups, Mapping):
            raise TypeError(
                "groups must be a dict of lists of features, such as {'petal': ['length', 'width']}"
            )
        for name, members in groups.items():
            if isinstance(members, str) or len(members) == 0:
                raise ValueError(f"group {name!r} must be a list of one feature at least")
        return [[self._member(name, f) for f in members] for name, members in groups.items()]

    def permutation_importances(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Mapping[str, Sequence[Any]] | None = None,
        random_state: Any = 1,
    ) -> PermutationImportances:
        """Permutation importances of the features, on out-of-bag rows (Breiman 2001).

        For each tree and feature, the values of the feature are shuffled among the tree's
        out-of-bag rows. Noise has about 0, unlike in ``feature_importances_``. No test rows are
        needed; for test rows, use ``sklearn.inspection.permutation_importance``.

        Parameters
        ----------
        X, y, sample_weight
            The same as in ``fit``, with the rows in the same order; others are refused.
        groups : dict of lists of features, optional
            Measures groups instead of single features: names or numbers from 0, whose values are
            shuffled together. The results have a number for each group, in this order.
        random_state : int, RandomState instance or None, default=1
            Seed of the permutations.

        Returns
        -------
        measured : PermutationImportances
            With arrays ``importances`` and ``standard_errors``.
        """
        data = self._training_data(X, y, sample_weight)
        seed, threads = int(_options.seed(random_state)), _options.threads(self.n_jobs)
        lists = self._groups(groups)
        with messages_in_python():
            both = self._forest.permutation_importances(data, lists, seed, threads)
        importances, errors = np.frombuffer(both, np.float64).reshape(2, -1).copy()
        return PermutationImportances(importances, errors)

    def corrected_importances(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Mapping[str, Sequence[Any]] | None = None,
        p_values: bool | int = False,
        time_limit: float | str | None = None,
        random_state: Any = 1,
    ) -> CorrectedImportances:
        """Impurity importances without their bias (Nembrini, Koenig and Wright 2018).

        A forest with the settings of this one is trained on the features and a shuffled copy of
        each; the importance of the copy is subtracted. Noise has about 0, however many values it
        has.

        Parameters
        ----------
        X, y, sample_weight
            The same as in ``fit``.
        groups : dict of lists of features, optional
            As in ``permutation_importances``; importances of features are added.
        p_values : bool or int, default=False
            Whether to find p-values, from that many forests; True for 99. No p-value is below
            1 / (1 + p_values).
        time_limit : float or str, optional
            Seconds, or a text such as "5m", after which no further training begins; p-values come
            from fewer forests then.
        random_state : int, RandomState instance or None, default=1
            Seed of the permutations and of the forests.

        Returns
        -------
        measured : CorrectedImportances
            With arrays ``importances`` and ``p_values``, which is None if not asked for.
        """
        data = self._training_data(X, y, sample_weight)
        tests = p_values is not False
        repeats = P_VALUES if p_values is True else 1
        if not isinstance(p_values, bool):
            repeats = int(_options.whole("p_values", p_values, 1))
        seed, threads = int(_options.seed(random_state)), _options.threads(self.n_jobs)
        lists, time = self._groups(groups), _options.time(time_limit).get("time")
        with messages_in_python():
            found = self._forest.corrected_importances(
                data, lists, repeats, tests, time, seed, threads
            )
        numbers = np.frombuffer(found, np.float64).reshape(1 + tests, -1).copy()
        return CorrectedImportances(numbers[0], numbers[1] if tests else None)

    def drop_column_importances(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Mapping[str, Sequence[Any]] | None = None,
        time_limit: float | str | None = None,
    ) -> DropColumnImportances:
        """How much the error of the forest grows if it is trained without a feature.

        For each feature a forest is trained without it, with the same settings and seed. The error
        is out of bag, or of 5 folds if no rows are out of bag. A feature whose information others
        have, too, has about 0.

        Parameters
        ----------
        X, y, sample_weight
            The same as in ``fit``.
        groups : dict of lists of features, optional
            Drops groups instead of single features, each as a whole. To drop only some features:
            ``{name: [name] for name in some}``.
        time_limit : float or str, optional
            Seconds, or a text such as "5m", after which no further training begins; features that
            were not dropped have NaN.

        Returns
        -------
        measured : DropColumnImportances
            With arrays ``importances`` and ``standard_errors``.
        """
        data = self._training_data(X, y, sample_weight)
        threads, lists = _options.threads(self.n_jobs), self._groups(groups)
        time = _options.time(time_limit).get("time")
        with messages_in_python():
            both = self._forest.drop_column_importances(data, lists, time, threads)
        importances, errors = np.frombuffer(both, np.float64).reshape(2, -1).copy()
        return DropColumnImportances(importances, errors)
