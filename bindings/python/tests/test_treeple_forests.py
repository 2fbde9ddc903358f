"""treeple's own tests of supervised forests, which ours pass where the meaning is the same.

treeple is built from its sources, which takes minutes: this is skipped where it is not installed.
`make treeple-check` makes an environment that has it, and runs this there.
"""

import importlib.metadata

import pytest
from exchanged import check, results
from treeple_tests import sources

VERSION = "0.10.3"  # whose tests these are
CRITERIA = "a criterion that sporf does not have"
SEVERAL = "a criterion other than Gini for several outputs"
FORESTS = "functions of treeple that look at private attributes or the type of its forests"
FITTED = "feature_combinations_: settings_ has the density"
HALVES = "which rows of an honest tree choose splits and which fill leaves; models do not keep that"
COUNTS = "n_node_samples: models keep weights of nodes, not counts of rows"
DRAWS = "max_samples above 1.0"
MISSING = "missing values are refused there and allowed here"
WORDS = "the same refusal with another type and in other words"
NO_BAGS = "samples of forests that were grown without a bootstrap, which are refused here"
TREE = "an honest forest has a tree as a parameter, whose parameters it checks and takes"
WEIGHTS = "feature_weight: weights that are given for each feature of a patch"
CHANCE = "with their seed, one tree separates, or is better with more candidates"

EXPECTED = {  # tests that fail, with the reason
    "*::test_*absolute_error-*": CRITERIA,
    "*::test_*friedman_mse*": CRITERIA,
    "*::test_*poisson*": CRITERIA,
    "honest_forest::test_iris_multi[*-entropy]": SEVERAL,
    "stats_baseline::test_build_cv_honest_forest[False-None]": FORESTS,
    "stats_baseline::test_build_permutation_forest": FORESTS,
    "stats_forest::test_small_dataset_*": FORESTS,
    "stats_forest::test_build_coleman_forest*": FORESTS,
    "stats_forest::test_build_oob_random_forest": FORESTS,
    "stats_utils::test_get_per_tree_oob_samples[True]": FORESTS,
    "tree_marginal::test_apply_marginal_error*": FORESTS,
    "tree_tree::test_oblique_trees_feature_combinations_less_than_n_features*": FITTED,
    "honest_forest::test_honest_forest_has_deterministic_sampling_for_oob_structure_*": HALVES,
    "honest_forest::test_honest_decision_function*": HALVES,
    "tree_honest_tree::test_iris*": HALVES,
    "tree_all_trees::test_tree_deserialization_from_read_only_buffer*": COUNTS,
    "tree_tree::test_deterministic_pickle*": COUNTS,
    "honest_forest::test_max_samples": DRAWS,
    "honest_forest::test_honest_forest_samples": DRAWS,
    "honest_forest::test_honest_forest_posteriors_on_independent": DRAWS,
    "stats_baseline::test_build_cv_honest_forest[True-1.6]": DRAWS,
    "stats_forest::test_build_oob_honest_forest": DRAWS,
    "tree_all_trees::test_missing_values*": MISSING,
    "tree_tree::test_oblique_trees_feature_combinations[*": WORDS,
    "tree_tree::test_patch_tree_errors*": WORDS,
    "extensions::test_forest_has_deterministic_sampling_*[*-False-*": NO_BAGS,
    "honest_forest::test_honest_forest_with_tree_estimator_params*": TREE,
    "tree_honest_tree::test_honest_tree_with_tree_estimator_params*": TREE,
    "tree_tree::test_patch_oblique_tree_feature_weights": WEIGHTS,
    "tree_tree::test_patch_tree_compared": CHANCE,
    "tree_tree::test_regression_toy[squared_error-ObliqueDecisionTreeRegressor]": CHANCE,
}


def installed():
    """The version of treeple, or "none"."""
    try:
        return importlib.metadata.version("treeple")
    except importlib.metadata.PackageNotFoundError:
        return "none"


@pytest.mark.slow
@pytest.mark.skipif(
    installed() != VERSION,
    reason=f"treeple {VERSION} is not installed ({installed()} is): make treeple-check",
)
def test_the_tests_of_treeple_pass_but_for_a_list(tmp_path):
    for name, text in sources().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    passed = results(tmp_path)
    print(f"{sum(passed.values())} of {len(passed)} tests pass")
    assert len(passed) > 800
    check(passed, EXPECTED)
