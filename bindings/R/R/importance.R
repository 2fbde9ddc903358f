#' Importance of features and projections
#'
#' `importance()` gives the importance of each feature, `projection_importance()` that of the sums
#' of features that the splits use.
#'
#' @param x A model of [sporf()] or [sporf_boost()].
#' @param count How many projections to list.
#' @param ... Not used.
#' @return `importance()` a named vector: that which training measured, or impurity importances. A
#'   split divides its decrease of impurity among its features; the sum is 1. Permutation
#'   importances are the growth of the error of a tree's out-of-bag rows if a feature is shuffled
#'   among them; their standard errors are the attribute `"se"`.
#'
#'   `projection_importance()` a data frame with the columns `projection`, `importance` and
#'   `splits`, the most important first.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' importance(forest)
#' projection_importance(forest, 3)
#' @export
importance <- function(x, ...) UseMethod("importance")

#' @rdname importance
#' @export
importance.sporf <- function(x, ...) {
  if (!is.null(x$variable.importance)) return(x$variable.importance)
  stats::setNames(checked(.Call(core_importances, x$model)), x$forest$independent.variable.names)
}

# What `importance =` asks of a training.
measured_importance <- function(object, kind, data, num.threads, verbose) {
  names <- object$forest$independent.variable.names
  if (kind == "impurity") {
    return(stats::setNames(checked(.Call(core_importances, object$model)), names))
  }
  seed <- as.numeric(object$settings["seed"])
  measured <- checked(.Call(
    core_permutation, object$model, data, seed, sporf_threads(num.threads), verbosity(verbose)
  ))
  structure(measured[, 1L], names = names, se = stats::setNames(measured[, 2L], names))
}

#' @rdname importance
#' @export
projection_importance <- function(x, count = 20) {
  check_sporf(x)
  one_number(count, "count", 1, 2^31, whole = TRUE)
  ranking <- checked(.Call(core_ranking, x$model, count))
  texts <- character(length(ranking$importance))
  for (i in seq_along(texts)) {
    texts[i] <- projection_text(x, ranking$features[[i]], ranking$weights[[i]])
  }
  data.frame(projection = texts, importance = ranking$importance, splits = ranking$splits)
}
