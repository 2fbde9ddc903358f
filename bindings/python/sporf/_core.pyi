"""Datasets and forests of the C library. Arrays go in and out through the buffer protocol; bytes
are those of arrays, to be read with numpy.frombuffer."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, final

version: str
methods: dict[str, dict[str, Any]]

class Refused(ValueError):
    parts: list[tuple[str, str, str | None, int]]

class DeviceFailed(RuntimeError):
    parts: list[tuple[str, str, str | None, int]]

def score_classes(
    rows: int,
    classes: int,
    proba: Any,
    labels: Any,
    weights: Any,
    predicted: Any,
    confidence: float,
    replicates: int,
    seed: int,
    top_k: int,
    threads: int,
    /,
) -> tuple[
    int, float, int, dict[str, tuple[float, float, float]], list[tuple], float, list[tuple]
]: ...
def score_curve(
    rows: int,
    classes: int,
    proba: Any,
    labels: Any,
    weights: Any,
    class_index: int,
    /,
) -> bytes: ...
def cores() -> int: ...

@final
class Dataset:
    rows: int
    features: int
    classes: int
    class_names: list[str] | None
    @classmethod
    def from_matrix(cls, X: Any, /) -> Dataset: ...
    @classmethod
    def from_arrow(cls, stream: Any, /) -> Dataset: ...
    @classmethod
    def of_outcomes(cls, rows: int, /) -> Dataset: ...
    @classmethod
    def simulate(cls, problem: str, rows: int, features: int, seed: int, /) -> Dataset: ...
    def select(self, rows: Any, /) -> Dataset: ...
    def set_labels_int(self, y: Any, /) -> None: ...
    def set_labels_text(self, y: Sequence[str], /) -> None: ...
    def set_weights(self, weights: Any, /) -> None: ...
    def set_targets(self, y: Any, names: Sequence[str] | None, /) -> None: ...
    def set_feature_names(self, names: Sequence[str], /) -> None: ...
    def set_label_name(self, name: str, /) -> None: ...
    def add_label_column(self) -> None: ...
    def set_levels(self, feature: int, ordinal: bool, names: Sequence[str], /) -> None: ...
    def column(self, feature: int, /) -> memoryview: ...
    def has_levels(self, feature: int, /) -> bool: ...
    def missing_column(self) -> int | None: ...
    def labels(self) -> bytes | None: ...
    def target(self) -> bytes | None: ...

@final
class Forest:
    trees: int
    features: int
    classes: int
    targets: int
    label_columns: list[tuple[str, list[str]]]
    class_names: list[str] | None
    feature_names: list[str] | None
    has_levels: bool
    needs_numbers: bool
    typed_features: list[int]
    levels: dict[int, tuple[str, list[str]]]
    settings: dict[str, str]
    @classmethod
    def train(
        cls,
        data: Dataset,
        options: dict[str, str],
        progress: Callable[..., Any] | None,
        sampler: Callable[..., Any] | None,
        sampler_name: str,
        first: Forest | None,
        valid: Dataset | None = ...,
        loss: tuple[str, Any, Callable[..., Any], Callable[..., Any]] | None = ...,
        rounds: Callable[[int, float, float, int], Any] | None = ...,
        /,
    ) -> tuple[tuple[Forest | None, BaseException | None], float]: ...
    @classmethod
    def search(
        cls,
        data: Dataset,
        options: dict[str, str],
        all: bool,
        projections: Sequence[str],
        densities: Sequence[str],
        folds: int,
        /,
    ) -> tuple[
        tuple[Forest | None, BaseException | None],
        list[tuple[str, str, int, float, int, float, float, float]],
        int,
    ]: ...
    @classmethod
    def settle(
        cls,
        data: Dataset,
        options: dict[str, str],
        progress: Callable[..., Any] | None,
        sampler: Callable[..., Any] | None,
        sampler_name: str,
        /,
    ) -> tuple[dict[str, str], float]: ...
    @classmethod
    def train_part(
        cls,
        data: Dataset,
        options: dict[str, str],
        progress: Callable[..., Any] | None,
        sampler: Callable[..., Any] | None,
        sampler_name: str,
        first: int,
        trees: int,
        /,
    ) -> bytes: ...
    @classmethod
    def load(cls, path: str | PathLike[str], /) -> Forest: ...
    @classmethod
    def from_bytes(cls, model: bytes, /) -> Forest: ...
    def save(self, path: str | PathLike[str], /) -> None: ...
    def to_bytes(self) -> bytes: ...
    def predict(
        self,
        X: Any,
        what: str,
        out: Any,
        posteriors: bool,
        threads: int,
        levels: Any = ...,
        raw: bool = ...,
        tree: int = ...,
        device: str = ...,
        /,
    ) -> None: ...
    def oob(self) -> tuple[int, float, float, bytes | None, bytes | None]: ...
    def oob_probabilities(self) -> bytes: ...
    def oob_classes(self) -> bytes: ...
    def oob_predictions(self) -> bytes | None: ...
    def oob_labels(self) -> bytes | None: ...
    def boosting(self) -> dict[str, Any] | None: ...
    def leaf_values(self) -> tuple[bytes, bytes] | None: ...
    def importances(self) -> bytes: ...
    def ranking(self, count: int, /) -> list[tuple[float, int, list[int], list[float]]]: ...
    def explain(
        self,
        data: Dataset,
        background: Dataset,
        projections: int,
        posteriors: bool,
        steps: int,
        seed: int,
        threads: int,
        values: Any,
        errors: Any,
        base: Any,
        predictions: Any,
        /,
    ) -> float: ...
    def permutation_importances(
        self, data: Dataset, groups: list[list[int]] | None, seed: int, threads: int, /
    ) -> bytes: ...
    def corrected_importances(
        self,
        data: Dataset,
        groups: list[list[int]] | None,
        repeats: int,
        p_values: bool,
        time: str | None,
        seed: int,
        threads: int,
        /,
    ) -> bytes: ...
    def drop_column_importances(
        self, data: Dataset, groups: list[list[int]] | None, time: str | None, threads: int, /
    ) -> bytes: ...
    def report(
        self,
        data: Dataset | None,
        others: tuple[Forest, ...],
        names: list[str],
        title: str | None,
        seed: int,
        threads: int,
        posteriors: bool,
        raw: bool,
        /,
    ) -> str: ...
    def strength(self, data: Dataset, threads: int, /) -> tuple[float, float, float]: ...
    def dependence(
        self,
        data: Dataset,
        features: list[int],
        kind: int,
        grid: int,
        least: float,
        most: float,
        first: Any,
        second: Any,
        shared: tuple[int, int, bool, bool, bool, int],
        /,
    ) -> tuple[list[bytes], int, bytes, bytes, bytes | None]: ...
    def interactions(
        self, data: Dataset, features: list[int], shared: tuple[int, int, bool, bool, bool, int], /
    ) -> tuple[list[tuple[int, int, float, float]], list[float]]: ...
    def unknown_levels(self, data: Dataset, /) -> list[tuple[int, int, str]]: ...
    def bags(self, data: Dataset, threads: int, /) -> bytes: ...
    def tree(self, number: int, /) -> dict[str, bytes]: ...
    def leaf_nodes(self) -> tuple[bytes, bytes]: ...
    def node(self, tree: int, node: int, /) -> tuple: ...
    def level_set(self, number: int, /) -> tuple[int, list[str] | None, float]: ...

@final
class Shard:
    def __new__(
        cls, outcomes: Dataset, rows: Dataset, first_row: int, options: dict[str, str], /
    ) -> Shard: ...
    def answer(self, question: bytes, threads: int, /) -> bytes: ...
    def beside(self, rows: Dataset, first_row: int, /) -> Shard: ...
    def add_up(self, question: bytes, answers: list[bytes], /) -> bytes: ...
    def grow(self, question: bytes, rows: list[bytes], /) -> bytes: ...

@final
class Crown:
    trees: int
    def __new__(
        cls,
        outcomes: Dataset,
        like: Dataset,
        options: dict[str, str],
        branch_rows: int,
        trees: int,
        /,
    ) -> Crown: ...
    def ask(self) -> bytes | None: ...
    def hear(self, answers: list[bytes], progress: Callable[..., Any] | None, /) -> None: ...
    def branches(self) -> int: ...
    def branch(self, number: int, /) -> tuple[bytes, int]: ...
    def take(self, number: int, grown: bytes, /) -> None: ...
    def finish(self) -> tuple[Forest, float]: ...

@final
class Joining:
    trees: int
    @classmethod
    def start(cls, threads: int, /) -> Joining: ...
    def add(self, part: bytes, /) -> None: ...
    def end(self, first_trees: bool, /) -> Forest: ...
