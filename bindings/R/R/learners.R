# What the learners of caret, mlr, mlr3 and parsnip share, and their help page.

#' sporf in mlr, mlr3 and parsnip
#'
#' The learners below are registered when sporf and the other package are both loaded, in either
#' order. For caret see [sporf_caret()].
#'
#' @section mlr:
#' `mlr::makeLearner()` knows `"classif.sporf"`, `"regr.sporf"`, `"classif.sporf_boost"` and
#' `"regr.sporf_boost"` once sporf is loaded. They take missing values, factors and weights. The
#' forests also give feature importances and out-of-bag predictions, and `"regr.sporf"` standard
#' errors. These learners are tested with mlr 2.19.
#'
#' @section mlr3:
#' `mlr3::lrn()` knows `"classif.sporf"` and `"regr.sporf"`. They take missing values, factors and
#' weights, and give importances, the selected features and the out-of-bag error. `"regr.sporf"`
#' predicts standard errors and quantiles as well.
#'
#' @section parsnip:
#' `"sporf"` is an engine of `parsnip::rand_forest()` and `parsnip::boost_tree()`.
#'
#' | model | parsnip | sporf |
#' |---|---|---|
#' | `rand_forest` | `mtry` | `mtry` |
#' | | `trees` | `num.trees` |
#' | | `min_n` | `min.node.size` |
#' | `boost_tree` | `mtry` | `mtry` |
#' | | `trees` | `num.rounds` |
#' | | `min_n` | `min.bucket` |
#' | | `tree_depth` | `max.depth` |
#' | | `learn_rate` | `learning.rate` |
#' | | `sample_size` | `subsample` |
#' | | `stop_iter` | `patience` |
#'
#' Further arguments, such as `density`, go into `parsnip::set_engine()`. The types of predictions
#' are `class`, `prob` and `raw` in classification, and `numeric` and `raw` in regression. Forests
#' for regression also predict `quantile`, `pred_int` and, if they were trained with
#' `keep.inbag = TRUE`, `conf_int`.
#'
#' parsnip lowers the `mtry` of `rand_forest()` to the number of features. sporf can use more
#' candidates than that: give `projections` in `parsnip::set_engine()` instead.
#'
#' @section Tests:
#' The learners for caret and mlr are tested with these packages. Those for mlr3 and parsnip are
#' tested only with stand-ins, which check the arguments as these packages document them. All use
#' one thread unless `num.threads` is given, because the other package may run them in parallel.
#'
#' @examples
#' if (requireNamespace("mlr", quietly = TRUE)) {
#'   learner <- mlr::makeLearner("classif.sporf", num.trees = 50, predict.type = "prob")
#'   task <- mlr::makeClassifTask(data = iris, target = "Species")
#'   model <- mlr::train(learner, task)
#'   head(predict(model, task)$data)
#' }
#' @seealso [sporf()], [sporf_boost()], [sporf_caret()]
#' @name sporf_learners
NULL

# Trains with x and y. Classes without a row, as resampling may leave them, are dropped.
fit_learner <- function(boost, x, y, ...) {
  if (is.factor(y)) y <- droplevels(y)
  if (boost) sporf_boost(x = x, y = y, ...) else sporf(x = x, y = y, ...)
}

# Settings with those of the user in place of the defaults.
with_given <- function(defaults, given) {
  defaults[names(given)] <- given
  defaults
}

# Columns for all classes; those that the training did not have get 0.
for_all_classes <- function(shares, levels) {
  absent <- setdiff(levels, colnames(shares))
  none <- matrix(0, nrow(shares), length(absent), dimnames = list(NULL, absent))
  cbind(shares, none)[, levels, drop = FALSE]
}

# Predictions as classes, also those of a model for probabilities.
as_classes <- function(predictions, levels) {
  if (is.matrix(predictions)) {
    best <- rep(NA_integer_, nrow(predictions))
    known <- !is.na(predictions[, 1L])
    best[known] <- max.col(predictions[known, , drop = FALSE], ties.method = "first")
    predictions <- colnames(predictions)[best]
  }
  factor(as.character(predictions), levels)
}

# The names of the features that splits use.
used_features <- function(model) {
  shares <- stats::setNames(
    checked(.Call(core_importances, model$model)), model$forest$independent.variable.names
  )
  names(shares)[shares > 0]
}

# Calls `register` with the namespace of a package: now if it is loaded, otherwise when it will be.
# A failure is a warning, so that sporf and the other package can still be used.
when_loaded <- function(package, register) {
  run <- function(...) {
    tryCatch(register(asNamespace(package)), error = function(e) {
      warning("sporf could not register its methods with ", package, ": ", conditionMessage(e),
              call. = FALSE)
    })
  }
  if (isNamespaceLoaded(package)) run()
  setHook(packageEvent(package, "onLoad"), run)
}
