"""scikit-learn's own tests of its forests, which ours pass where the meaning is the same."""

import pytest
import sklearn
from exchanged import check, results
from sklearn_forest_tests import source

VERSION = "1.9"  # whose tests these are
CRITERIA = "a criterion that sporf does not have"
PRIVATE = "private attributes of scikit-learn's forests"
OUTPUTS = "class weights and out-of-bag errors of several outputs"
SAMPLES = "rows of trees need the training rows: estimators_samples(X, y)"
WORDS = "the same refusal in other words"
REGRESSION = "regression trees split nodes of 5 rows and more by default, not of 2"

EXPECTED = {  # tests that fail, with the reason
    "test_regression_criterion[friedman_mse-*": CRITERIA,
    "test_regression_criterion[absolute_error-*": CRITERIA,
    "test_poisson_vs_mse": CRITERIA,
    "test_balance_property_random_forest[poisson]": CRITERIA,
    "test_importances[RandomForestRegressor-absolute_error-*": CRITERIA,
    "test_poisson_y_positive_check": CRITERIA,
    "test_mse_criterion_object_segfault_smoke_test*": CRITERIA,
    "test_missing_values_is_resilient[SporfRegressor-[!s]*": CRITERIA,
    "test_missing_value_is_predictive[*-SporfRegressor-[!s]*": CRITERIA,
    "test_friedman_mse_deprecation*": CRITERIA,
    "test_min_impurity_decrease": "min_impurity_decrease, which sporf does not have",
    "test_max_leaf_nodes_max_depth*": "max_leaf_nodes, which only boosted models have",
    "test_class_weight_errors*": OUTPUTS,
    "test_classifier_error_oob_score_multiclass_multioutput*": OUTPUTS,
    "test_class_weight_balanced_and_bootstrap_multi_output*": OUTPUTS,
    "test_validate_y_class_weight*": PRIVATE,
    "test_class_weights_forest*": PRIVATE,
    "test_oob_not_computed_twice*": PRIVATE,
    "test_memory_layout[*-RandomForestClassifier]": PRIVATE,
    "test_importances_asymptotic": "tree_.compute_feature_importances",
    "test_forest_multioutput_integral_regression_target*": "random_state of a single tree",
    "test_warm_start[*": "random_state of a single tree",
    "test_min_samples_split*": "n_node_samples: models keep weights of nodes, not counts of rows",
    "test_estimators_samples*": SAMPLES,
    "test_multioutput[RandomForestRegressor]": REGRESSION,
    "test_memory_layout[*-RandomForestRegressor]": REGRESSION,
    "test_warm_start_oob[RandomForestRegressor]": "settings of a first fit are kept by the second",
    "test_distribution": "counts trees of single features; oblique ones are more varied",
    "test_unfitted_feature_importances*": WORDS,
    "test_max_samples_bootstrap*": WORDS,
    "test_max_samples_geq_one*": "max_samples above 1.0",
    "test_round_samples_to_one_when_samples_too_low[balanced_subsample]": "balanced_subsample",
    "test_backend_respected": "threads are those of the library, not of joblib",
}


@pytest.mark.slow
@pytest.mark.skipif(
    not sklearn.__version__.startswith(VERSION + "."),
    reason=f"the list is for the tests of scikit-learn {VERSION}, this is {sklearn.__version__}",
)
def test_the_tests_of_scikit_learn_pass_but_for_a_list(tmp_path):
    (tmp_path / "test_forest.py").write_text(source(), encoding="utf-8")
    passed = {name.removeprefix("forest::"): ok for name, ok in results(tmp_path).items()}
    assert len(passed) > 150
    check(passed, EXPECTED)
