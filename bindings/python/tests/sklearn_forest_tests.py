"""scikit-learn's own tests of its forests, with the estimators exchanged for ours.

``python sklearn_forest_tests.py FILE`` writes them to a file, for
``pytest -p sklearn.conftest FILE``.
"""

import ast
import importlib.util
import pathlib
import sys

EXCHANGED = """
from sporf import SporfClassifier as RandomForestClassifier
from sporf import SporfRegressor as RandomForestRegressor
ExtraTreesClassifier, ExtraTreesRegressor = RandomForestClassifier, RandomForestRegressor
"""
KEPT = {  # of the dictionaries of estimators, whose others have no counterpart
    "FOREST_CLASSIFIERS": "{'RandomForestClassifier': RandomForestClassifier}",
    "FOREST_REGRESSORS": "{'RandomForestRegressor': RandomForestRegressor}",
    "FOREST_TRANSFORMERS": "{}",
}
NOT_OURS = ("random_trees", "random_hasher")  # tests of RandomTreesEmbedding


def _is_import_of_forests(statement) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "sklearn.ensemble"


def _exchanged(statement):
    if _is_import_of_forests(statement):
        return [statement, *ast.parse(EXCHANGED).body]
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        kept = KEPT.get(statement.targets[0].id)
        if kept:
            statement.value = ast.parse(kept, mode="eval").body
    if isinstance(statement, ast.FunctionDef) and any(n in statement.name for n in NOT_OURS):
        return []
    return [statement]


def source() -> str:
    """The text of the tests."""
    found = importlib.util.find_spec("sklearn.ensemble.tests.test_forest")
    if found is None or found.origin is None:
        raise ImportError("scikit-learn is installed without its tests")
    tree = ast.parse(pathlib.Path(found.origin).read_text(encoding="utf-8"))
    tree.body = [new for old in tree.body for new in _exchanged(old)]
    return ast.unparse(tree)


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(source(), encoding="utf-8")
