# Functions that ranger and randomForest, or dplyr and generics, have under the same names. Whichever
# package is attached last, its function works for the models of the others.

#' Predictions of a model or of a prediction
#'
#' @param x A model of [sporf()], whose out-of-bag predictions are returned, or a result of
#'   [predict.sporf()].
#' @param ... Not used.
#' @return A factor, a vector of numbers, or a matrix.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' table(iris$Species, predictions(forest))
#' predictions(predict(forest, iris[c(1, 51, 101), ]))
#' @export
predictions <- function(x, ...) UseMethod("predictions")

#' @export
predictions.sporf <- function(x, ...) x$predictions

#' @export
predictions.sporf.prediction <- function(x, ...) x$predictions

#' @export
predictions.default <- function(x, ...) pass_on("predictions", x, ...)

#' @export
importance.default <- function(x, ...) pass_on("importance", x, ...)

#' @export
explain.default <- function(object, ...) {
  for (package in c("dplyr", "generics")) {
    is_hidden <- paste0("package:", package) %in% search()
    if (is_hidden) return(getExportedValue(package, "explain")(object, ...))
  }
  check_sporf(object)
}

# Models of packages whose function this package's hides.
pass_on <- function(name, x, ...) {
  if (inherits(x, c("ranger", "ranger.prediction"))) {
    return(getExportedValue("ranger", name)(x, ...))
  }
  if (inherits(x, "randomForest") && name == "importance") {
    return(getExportedValue("randomForest", name)(x, ...))
  }
  stop_sporf("x must be a model of sporf(), got ", class(x)[1L])
}

# The same from the other side: their functions work for models of sporf. .onLoad() runs this.
register_generics <- function() {
  when_loaded("ranger", function(ranger) {
    registerS3method("importance", "sporf", importance.sporf, ranger)
    registerS3method("predictions", "sporf", predictions.sporf, ranger)
    registerS3method("predictions", "sporf.prediction", predictions.sporf.prediction, ranger)
  })
  when_loaded("randomForest", function(randomForest) {
    registerS3method("importance", "sporf", importance.sporf, randomForest)
  })
  for (package in c("dplyr", "generics")) {
    when_loaded(package, function(namespace) {
      registerS3method("explain", "sporf", explain.sporf, namespace)
    })
  }
}

# ---- arguments of predict() --------------------------------------------------------------------

# Arguments of ranger's predict() that mean nothing here are ignored; all others are refused.
check_predict_arguments <- function(object, ...) {
  if (...length() == 0L) return(invisible())
  given <- list(...)
  names <- if (is.null(names(given))) rep("", length(given)) else names(given)
  trees <- given$num.trees
  if (!is.null(trees) && !isTRUE(trees == object$num.trees)) {
    stop_sporf(
      "num.trees = ", shown(trees), ", but all ", object$num.trees,
      " trees predict: leave num.trees out, or train with fewer trees"
    )
  }
  if (!is.null(given$what)) {
    stop_sporf("ranger's argument what has no counterpart in sporf: ask for quantiles instead")
  }
  unknown <- setdiff(names, c("seed", "verbose", "num.trees", "what"))
  if (length(unknown) == 0L) return(invisible())
  if (unknown[1L] == "") stop_sporf("all arguments of predict() after newdata must be named")
  stop_sporf("unknown argument ", dQuote(unknown[1L], FALSE), " of predict()")
}
