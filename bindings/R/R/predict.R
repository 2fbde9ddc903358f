#' Predict with a forest
#'
#' @param object A model of [sporf()] or [sporf_boost()].
#' @param data,newdata A data frame or matrix of the rows to predict; columns are matched by name.
#'   Both names are the same argument. Factors may have their levels in any order.
#' @param type `"response"`: classes or numbers, or probabilities if the model was trained with
#'   `probability = TRUE`; `"class"`: classes; `"prob"`: probabilities of the classes; `"votes"`:
#'   how many trees vote for each class; `"quantiles"`, `"interval"`: see below;
#'   `"terminalNodes"`: the node of each tree that a row ends in, as in [treeInfo()]; `"se"`: numbers
#'   or probabilities with standard errors;
#'   `"score"`: the sums of a boosted model before they become probabilities or numbers; of two
#'   classes the log odds of the second level.
#' @param quantiles Which quantiles to predict.
#' @param level Share of new values that prediction intervals are to contain.
#' @param predict.all Whether to return the prediction of each tree: a matrix with a column for
#'   each. Classes are numbers of levels, as in ranger.
#' @param combine How trees become probabilities and classes: `"votes"`, or `"posteriors"`, the
#'   averaged class shares of leaves. `NULL`: posteriors if the model was trained with
#'   `probability = TRUE`, otherwise votes.
#' @param calibrated Whether probabilities follow what training learned from out-of-bag rows about
#'   how far shares can be trusted. `FALSE`: plain shares.
#' @param unknown.levels What to do about levels that the training data did not have: `"error"`, or
#'   `"missing"` to treat them as missing values.
#' @param se.method `"infjack"`, the infinitesimal jackknife (Wager, Hastie and Efron 2014), or
#'   `"jack"`, the jackknife after bootstrap, which needs rows drawn with replacement; both need
#'   `keep.inbag = TRUE` in training.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @param ... Not used. Arguments of ranger's that mean nothing here, such as `seed`, are ignored.
#'
#' @return An object of class `sporf.prediction`: a list of `predictions`, and `num.trees`,
#'   `num.independent.variables`, `num.samples` and `treetype`, as ranger's. With `type = "se"` also
#'   `se`. Quantiles have a column each, intervals the columns `lower` and `upper`.
#'
#' @details Quantiles are those of quantile regression forests (Meinshausen 2006). Intervals are
#'   pairs of quantiles that contained the share `level` of the out-of-bag rows.
#'
#'   Standard errors say how much a prediction would vary with other training data; they are not
#'   prediction intervals. For classes, they and the predictions beside them are of plain shares of
#'   leaves, not calibrated. They need many trees: where the estimate of a variance is negative, the
#'   standard error is 0. The more rows are drawn without replacement, the larger they are: 1.7 times
#'   those of bootstraps with 0.8 of the rows, which more than 10,000 rows with classes have by
#'   default. Train with `replace = TRUE` there.
#' @references Meinshausen, N. (2006) Quantile regression forests. *JMLR* 7, 983-999.
#'
#'   Wager, S., Hastie, T. and Efron, B. (2014) Confidence intervals for random forests: the
#'   jackknife and the infinitesimal jackknife. *JMLR* 15, 1625-1651.
#'
#'   Wager, S. and Athey, S. (2018) Estimation and inference of heterogeneous treatment effects using
#'   random forests. *JASA* 113, 1228-1242.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' predict(forest, iris[c(1, 51, 101), ], type = "prob")$predictions
#'
#' cars <- sporf(mpg ~ ., data = mtcars, num.trees = 50, seed = 1)
#' predict(cars, mtcars[1:3, ], type = "quantiles")$predictions
#' @export
predict.sporf <- function(object, data = NULL, type = "response", quantiles = c(0.1, 0.5, 0.9),
                          level = 0.9, predict.all = FALSE, combine = NULL, calibrated = TRUE,
                          unknown.levels = "error", se.method = "infjack", num.threads = NULL,
                          newdata = data, ...) {
  if (!missing(data) && !missing(newdata)) {
    stop_sporf("data and newdata are the same: give one of them")
  }
  if (is.null(newdata)) {
    stop_sporf("newdata is missing: give the rows to predict; $predictions has those out of bag")
  }
  if (nargs() - !missing(type) == 2L) {
    result <- .Call(core_predict_row, object, newdata, type)
    if (!is.null(result)) return(result)
  }
  check_predict_arguments(object, ...)
  one_flag(calibrated, "calibrated")
  one_flag(predict.all, "predict.all")
  object <- unclass(object) # looking for methods of `$` takes longer than a row
  forest <- object$forest
  if (!is.null(forest$formula$terms)) newdata <- formula_frame(forest$formula, newdata, "newdata")
  table <- prediction_table(newdata, forest$features, unknown.levels)
  ask <- list(
    object = object, table = table, raw = !calibrated,
    threads = if (table$rows == 1L) 1 else sporf_threads(num.threads),
    posteriors = is_posteriors(combine, object)
  )
  result <- if (predict.all) {
    list(predictions = predict_trees(ask))
  } else {
    switch(type,
      response = list(predictions = predict_response(ask)),
      class = list(predictions = predict_class(ask)),
      prob = list(predictions = predict_shares(ask, "probabilities")),
      votes = list(predictions = predict_shares(ask, "votes")),
      quantiles = list(predictions = predict_quantiles(ask, quantiles)),
      interval = list(predictions = predict_interval(ask, level)),
      terminalNodes = list(predictions = predict_nodes(ask)),
      score = list(predictions = predict_scores(ask)),
      se = predict_se(ask, se.method),
      one_of(type, prediction_types, "type")
    )
  }
  result$num.trees <- object$num.trees
  result$num.independent.variables <- object$num.independent.variables
  result$num.samples <- table$rows
  result$treetype <- object$treetype
  class(result) <- "sporf.prediction"
  result
}

is_posteriors <- function(combine, object) {
  if (is.null(combine)) return(object$probability)
  one_of(combine, c("votes", "posteriors"), "combine") == "posteriors"
}

prediction_types <- c(
  "response", "class", "prob", "votes", "quantiles", "interval", "terminalNodes", "se", "score"
)

# A matrix of what the library predicts.
ask_library <- function(ask, what, levels = NULL) {
  checked(.Call(
    core_predict, ask$object$model, ask$table, what, levels, ask$posteriors, ask$raw, ask$threads
  ), ask$table$names)
}

needs_classes <- function(ask, what) {
  if (is.null(ask$object$forest$levels)) {
    stop_sporf(what, " are for classification, but this is a model for regression")
  }
}

needs_numbers <- function(ask, what) {
  if (!is.null(ask$object$forest$levels)) {
    stop_sporf(what, " are for regression, but this is a model for classification")
  }
}

needs_forest <- function(ask, what) {
  if (!is.null(ask$object$boosting)) stop_sporf(what, " need a forest, but the model is boosted")
}

predict_response <- function(ask) {
  forest <- ask$object$forest
  if (is.null(forest$levels)) return(named_targets(ask_library(ask, "values"), ask$object))
  if (ask$object$probability) predict_shares(ask, "probabilities") else predict_class(ask)
}

predict_class <- function(ask) {
  needs_classes(ask, "classes")
  class_factor(as.vector(ask_library(ask, "classes")), ask$object$forest)
}

predict_shares <- function(ask, what) {
  needs_classes(ask, if (what == "votes") "votes" else "probabilities")
  if (what == "votes") needs_forest(ask, "votes")
  class_columns(ask_library(ask, what), ask$object$forest)
}

target_columns <- function(ask, names) {
  targets <- ask$object$forest$targets
  if (length(targets) == 1L) return(names)
  as.vector(outer(names, targets, function(name, target) paste(target, name)))
}

predict_quantiles <- function(ask, quantiles) {
  needs_numbers(ask, "quantiles")
  if (!is.numeric(quantiles) || length(quantiles) == 0L || anyNA(quantiles) ||
      any(quantiles < 0 | quantiles > 1)) {
    stop_sporf("quantiles must be numbers from 0 to 1, got ", shown(quantiles))
  }
  values <- ask_library(ask, "quantiles", as.double(quantiles))
  colnames(values) <- target_columns(ask, paste("quantile=", quantiles))
  values
}

predict_interval <- function(ask, level) {
  needs_numbers(ask, "intervals")
  one_number(level, "level", 0, 1)
  bounds <- ask_library(ask, "interval", as.double(level))
  colnames(bounds) <- target_columns(ask, c("lower", "upper"))
  bounds
}

predict_scores <- function(ask) {
  if (is.null(ask$object$boosting)) stop_sporf("scores are of boosted models, but this is a forest")
  scores <- ask_library(ask, "scores")
  forest <- ask$object$forest
  if (is.null(forest$levels)) return(named_targets(scores, ask$object))
  if (ncol(scores) > 1L) return(class_columns(scores, forest))
  # The library's are the log odds of its second class.
  as.vector(scores) * (if (forest$places[2L] == 2L) 1 else -1)
}

tree_of <- function(object, tree) checked(.Call(core_tree, object$model, tree))

predict_nodes <- function(ask) {
  leaves <- ask_library(ask, "leaves")
  for (tree in seq_len(ncol(leaves))) {
    nodes <- which(!is.na(tree_of(ask$object, tree)$leaf)) - 1L
    leaves[, tree] <- nodes[leaves[, tree] + 1L]
  }
  leaves
}

predict_trees <- function(ask) {
  needs_forest(ask, "predictions of each tree")
  forest <- ask$object$forest
  if (!is.null(forest$levels) && !ask$object$probability) {
    classes <- ask_library(ask, "trees")
    classes[] <- forest$places[classes]
    return(classes)
  }
  predict_leaves(ask)
}

# What the leaf of each tree says: an array of rows, outputs and trees; without the middle one if
# there is a single output.
predict_leaves <- function(ask) {
  forest <- ask$object$forest
  leaves <- ask_library(ask, "leaves")
  names <- if (is.null(forest$levels)) forest$targets else forest$levels
  result <- array(0, c(nrow(leaves), length(names), ncol(leaves)), list(NULL, names, NULL))
  for (tree in seq_len(ncol(leaves))) {
    nodes <- tree_of(ask$object, tree)
    values <- nodes$values[!is.na(nodes$leaf), , drop = FALSE]
    if (!is.null(forest$levels)) values <- class_columns(values / rowSums(values), forest)
    result[, , tree] <- values[leaves[, tree] + 1L, ]
  }
  if (length(names) == 1L) array(result, dim(result)[c(1L, 3L)]) else result
}

#' @export
print.sporf.prediction <- function(x, ...) {
  cat("sporf prediction\n\n")
  cat("Type:                             ", x$treetype, "\n")
  cat("Sample size:                      ", x$num.samples, "\n")
  cat("Number of independent variables:  ", x$num.independent.variables, "\n\n")
  cat("$predictions", if (x$num.samples > 6L) "begins with", "\n")
  print(utils::head(x$predictions))
  invisible(x)
}

#' @export
as.data.frame.sporf.prediction <- function(x, ...) {
  data <- as.data.frame(x$predictions, ...)
  if (is.null(dim(x$predictions))) names(data) <- "prediction"
  if (!is.null(x$se)) data$se <- x$se
  data
}
