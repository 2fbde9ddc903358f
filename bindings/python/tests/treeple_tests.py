"""treeple's own tests of supervised forests, with the estimators exchanged for ours.

``python treeple_tests.py FOLDER`` writes them to a folder, for
``PYTHONPATH=. pytest -p sklearn.conftest FOLDER``. treeple is only read and imported, never copied.

The forests of treeple become SporfClassifier and SporfRegressor, and their parameters those that
docs/migration.md names. A single tree becomes a forest of one tree that has all rows.
"""

import ast
import importlib.util
import pathlib
import sys

from sporf import Patches, SporfClassifier, SporfRegressor

MODULES = (
    "treeple.tests.test_supervised_forest",
    "treeple.tests.test_extensions",
    "treeple.tests.test_neighbors",
    "treeple.tests.test_honest_forest",
    "treeple.tree.tests.test_tree",
    "treeple.tree.tests.test_all_trees",
    "treeple.tree.tests.test_honest_tree",
    "treeple.tree.tests.test_marginal",
    "treeple.stats.tests.test_baseline",
    "treeple.stats.tests.test_forest",
    "treeple.stats.tests.test_utils",
)
# Estimators without a counterpart: random thresholds, no classes, several views
NOT_OURS = ("Extra", "Unsupervised", "MultiView")
LEFT_OUT = {  # tests that no estimator of ours takes part in, or about what has no counterpart
    "test_nearest_neighbors_meta_estimator",
    "test_sklearn_compatible_transformer",
    "test_pickle_splitters",
    "test_apply_marginal",
    "test_with_sklearn_trees",
    "test_honest_forest_with_sklearn_trees",
    "test_honest_forest_with_sklearn_trees_with_auc",
    "test_honest_forest_with_sklearn_trees_with_mi",
    "test_comight_repeated_feature_sets",
    "test_build_coleman_forest_multiview",
    "test_build_coleman_warning_with_multiview_without_covariate_index",
    "test_non_nan_samples",
    "test_nanmean_f",
    "test_get_forest_preds_sparse",
    "test_impute_posteriors",  # honest_prior
    "test_honestforest_predict_proba_with_honest_prior",
}
RENAMED = {  # what a forest of ours has under another name
    "compute_similarity_matrix": "{}.proximity",
    "estimators_samples_": "{}.estimators_samples(X, y)",
    "oob_samples_": "{}.oob_samples(X, y)",
    "tree_": "{}[0].tree_",
    "get_n_leaves": "{}[0].get_n_leaves",
}


# ---- the estimators --------------------------------------------------------------------------


def _patches(settings):
    """Our projection, of treeple's parameters; both sides of ours have the same limits."""
    shape = settings.pop("data_dims", None)
    sizes = [settings.pop(f"{end}_patch_dims", None) for end in ("min", "max")]
    least, most = (max(size) if isinstance(size, tuple) else size or 1 for size in sizes)
    width = shape[-1] if shape else None
    return {"projection": Patches(image_width=width, min_size=least, max_size=most), **settings}


def _axis_aligned(settings):
    return {"projection": "rf", **settings}


def _honest(settings):
    """Without what treeple does with empty leaves: ours take the rows of the nearest ancestor."""
    settings.pop("honest_prior", None)
    settings.pop("honest_method", None)
    settings["honest"] = settings.pop("honest_fraction", 0.5)
    if settings.pop("stratify", False):
        settings["bootstrap"] = "stratified"
    tree = settings.pop("tree_estimator", None)
    return {"projection": getattr(tree, "projection", "rf"), **settings}


def _tree(settings):
    return {"n_estimators": 1, "bootstrap": False, "min_samples_split": 2, **settings}


def _exchanged(name, *translations):
    """A class with treeple's name, whose objects are plain estimators of ours."""
    ours = SporfRegressor if name.endswith("Regressor") else SporfClassifier

    def make(cls, *args, **settings):
        for translate in translations:
            settings = translate(settings)
        return ours(*args, **settings)

    return type(name, (ours,), {"__new__": make})


TRANSLATIONS = {
    "RandomForestClassifier": [_axis_aligned],
    "ObliqueRandomForestClassifier": [],
    "ObliqueRandomForestRegressor": [],
    "PatchObliqueRandomForestClassifier": [_patches],
    "PatchObliqueRandomForestRegressor": [_patches],
    "HonestForestClassifier": [_honest],
    "HonestTreeClassifier": [_honest, _tree],
    "ObliqueDecisionTreeClassifier": [_tree],
    "ObliqueDecisionTreeRegressor": [_tree],
    "PatchObliqueDecisionTreeClassifier": [_patches, _tree],
    "PatchObliqueDecisionTreeRegressor": [_patches, _tree],
}
ESTIMATORS = {name: _exchanged(name, *how) for name, how in TRANSLATIONS.items()}


# ---- the tests -------------------------------------------------------------------------------


def _names(node):
    return {found.id for found in ast.walk(node) if isinstance(found, ast.Name)}


class _Exchange(ast.NodeTransformer):
    """Leaves out members of lists, tuples and dictionaries that have no counterpart."""

    def __init__(self, module, left_out):
        self.module, self.left_out = module, left_out

    def visit_ImportFrom(self, node):
        if node.level:
            package = self.module.split(".")[: -node.level]
            node.module, node.level = ".".join([*package, *filter(None, [node.module])]), 0
        if node.module.split(".")[0] != "treeple":
            return node
        ours = [alias.name for alias in node.names if alias.name in ESTIMATORS]
        exchanged = [f"{name} = treeple_tests.ESTIMATORS['{name}']" for name in ours]
        return [node, *ast.parse("\n".join(["import treeple_tests", *exchanged])).body]

    def visit_List(self, node):
        node.elts = [member for member in node.elts if not self._is_not_ours(member)]
        return self.generic_visit(node)

    visit_Tuple = visit_List

    def visit_Dict(self, node):
        kept = [
            pair
            for pair in zip(node.keys, node.values, strict=True)
            if not self._is_not_ours(pair[1])
        ]
        node.keys, node.values = [key for key, _ in kept], [value for _, value in kept]
        return self.generic_visit(node)

    @staticmethod
    def _is_not_ours(member):
        return any(name.startswith(NOT_OURS) for name in _names(member))

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if node.attr not in RENAMED:
            return node
        return ast.parse(RENAMED[node.attr].format(ast.unparse(node.value)), mode="eval").body

    def visit_FunctionDef(self, node):
        if node.name not in LEFT_OUT:
            return self.generic_visit(node)
        self.left_out.add(node.name)
        return None


def sources() -> dict[str, str]:
    """The texts of the tests, by the names of their files."""
    texts, left_out = {}, set()
    for module in MODULES:
        found = importlib.util.find_spec(module)
        if found is None or found.origin is None:
            raise ImportError("treeple is installed without its tests")
        path = pathlib.Path(found.origin)
        tree = _Exchange(module, left_out).visit(ast.parse(path.read_text(encoding="utf-8")))
        name = "_".join(["test", *module.split(".")[1:-2], path.stem.removeprefix("test_")])
        texts[f"{name}.py"] = ast.unparse(ast.fix_missing_locations(tree))
    if left_out != LEFT_OUT:
        raise ValueError(f"left out, but not among the tests: {LEFT_OUT - left_out}")
    return texts


if __name__ == "__main__":
    for name, text in sources().items():
        pathlib.Path(sys.argv[1], name).write_text(text, encoding="utf-8")
