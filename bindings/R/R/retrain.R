#' Importance by training again
#'
#' `corrected_importance()` gives impurity importances without their bias towards features with many
#' values, and p-values; `drop_column_importance()` gives the increase of the error if a model is
#' trained without a feature.
#'
#' @param object A model of [sporf()].
#' @param data The data frame that it was trained on, with the rows in the same order. For a model
#'   of `x` and `y`, this is `x`.
#' @param y The classes or numbers, if the model was trained with `x` and `y`.
#' @param case.weights The weights of the training, if it had any.
#' @param groups A named list of names of features: groups that are measured as a whole, in the
#'   place of single features.
#' @param p.values `FALSE`, `TRUE` for p-values from 99 forests, or a number of forests.
#' @param seed Seed of the shuffled copies and of their forests.
#' @param seconds No further training begins after that time; features that were not dropped have
#'   `NaN`. `NULL`: no limit.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @param verbose Whether to show the progress.
#' @return A named vector.
#'
#'   `corrected_importance()`: a forest is trained on the features and a shuffled copy of each; the
#'   importance of the copy is subtracted, as in ranger's `"impurity_corrected"`. Noise has about 0.
#'   P-values are the attribute `"p.value"`: for the null hypothesis that a feature is independent
#'   of the response and of all other features together.
#'
#'   `drop_column_importance()`: the increase of the error rate, or of the mean squared error, of
#'   out-of-bag rows; the attribute `"se"` has standard errors from the differences of the rows.
#' @references Nembrini, S., Koenig, I. R. and Wright, M. N. (2018) The revival of the Gini
#'   importance? *Bioinformatics* 34, 3711-3718.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
#' corrected_importance(forest, iris, p.values = 9)
#' drop_column_importance(forest, iris,
#'                        groups = list(petal = c("Petal.Length", "Petal.Width")))
#' @export
corrected_importance <- function(object, data, y = NULL, case.weights = NULL, groups = NULL,
                                 p.values = FALSE, seed = 1, num.threads = NULL,
                                 verbose = FALSE) {
  check_sporf(object)
  repeats <- if (isTRUE(p.values)) 99 else if (isFALSE(p.values)) 1 else p.values
  one_number(repeats, "p.values", 1, 2^31, whole = TRUE)
  one_number(seed, "seed", 0, 2^53, whole = TRUE)
  members <- group_members(object, groups)
  dataset <- training_dataset(object, data, y, case.weights)
  on.exit(free_dataset(dataset))
  found <- checked(.Call(
    core_corrected, object$model, dataset, unname(members), repeats, seed,
    sporf_threads(num.threads), verbosity(verbose)
  ))
  result <- stats::setNames(found[, 1L], names(members))
  if (!isFALSE(p.values)) {
    attr(result, "p.value") <- stats::setNames(found[, 2L], names(members))
  }
  result
}

#' @rdname corrected_importance
#' @export
drop_column_importance <- function(object, data, y = NULL, case.weights = NULL, groups = NULL,
                                   seconds = NULL, num.threads = NULL, verbose = FALSE) {
  check_sporf(object)
  if (!is.null(seconds)) one_number(seconds, "seconds", 0)
  members <- group_members(object, groups)
  dataset <- training_dataset(object, data, y, case.weights)
  on.exit(free_dataset(dataset))
  found <- checked(.Call(
    core_drop_column, object$model, dataset, unname(members), if (is.null(seconds)) 0 else seconds,
    sporf_threads(num.threads), verbosity(verbose)
  ))
  structure(found[, 1L], names = names(members), se = stats::setNames(found[, 2L], names(members)))
}

# The numbers of the features of each group, or of each feature, from 1.
group_members <- function(object, groups) {
  features <- object$forest$independent.variable.names
  if (is.null(groups)) return(stats::setNames(as.list(seq_along(features)), features))
  if (!is.list(groups) || is.null(names(groups)) || !all(nzchar(names(groups)))) {
    stop_sporf("groups must be a named list of names of features")
  }
  lapply(groups, feature_numbers, object = object, argument = "groups")
}

# The dataset that a model was trained on, made again. Free it with free_dataset().
training_dataset <- function(object, data, y, case.weights) {
  forest <- object$forest
  weights <- read_weights(case.weights, data, nrow(data))
  if (is.null(y)) y <- training_response(forest, data)
  if (!is.null(forest$formula$terms)) data <- formula_frame(forest$formula, data)
  table <- prediction_table(data, forest$features, what = "data")
  classes <- !is.null(forest$levels)
  if (classes) y <- factor(y, forest$levels)
  outcome <- outcome_of(y, table$rows, classes, forest$dependent.variable.name)
  new_dataset(table, outcome, weights$values, weights$name)
}

# The column that a model predicts.
training_response <- function(forest, data) {
  if (!is.null(forest$formula)) return(formula_response(forest$formula, data))
  name <- forest$dependent.variable.name
  if (is.null(name) || !all(name %in% names(data))) stop_sporf("y is missing: give the response")
  if (length(name) == 1L) data[[name]] else data[name]
}
