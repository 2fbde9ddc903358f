# Why rows are predicted as they are: Shapley values.

most_background_rows <- 100L
most_explain_steps <- 1e9

#' Why rows are predicted as they are
#'
#' How much each feature adds to the prediction of a row, compared with background rows: its
#' (interventional) Shapley value. The values of a row and the base value, which is the mean
#' prediction of the background rows, add up to the prediction. They are exact for splits of several
#' features, factors and missing values, too.
#'
#' @param object A model of [sporf()] or [sporf_boost()].
#' @param newdata A data frame or matrix of the rows to explain.
#' @param background The rows to compare with, usually training rows; it says what "without this
#'   feature" means. Time grows with their number, and a hundred are often enough. `NULL`: 100 rows
#'   drawn from `newdata`, or all if there are fewer.
#' @param projections If positive, that many projections, the most important of the model, are
#'   explained in place of features, and all others together.
#' @param combine Whether shares of `"votes"` or of leaves (`"posteriors"`) are explained; see
#'   [predict.sporf()].
#' @param unknown.levels What to do about levels that the training data did not have; see
#'   [predict.sporf()].
#' @param steps Steps in a tree with a row and 64 background rows. Where more are needed, which
#'   happens with splits of many features, values are estimated there from random orders of the
#'   features. They still add up, and have standard errors.
#' @param seed Seed of the background rows that are drawn from `newdata`, and of these orders. R's
#'   random numbers are not used.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @param verbose Whether to show the progress.
#' @param x An object of class `sporf.explanation`.
#' @param output The name of a class or target.
#' @param ... Not used.
#'
#' @return An object of class `sporf.explanation`: a list of
#'   \item{values}{A matrix with a row for each row and a column for each feature, or projection. If
#'     there are several classes or targets, an array whose third dimension they are.}
#'   \item{base.values}{The mean prediction of the background rows, of each class or target.}
#'   \item{predictions}{What is explained, as a vector or a matrix: shares of votes or leaves, which
#'     are not calibrated; numbers; or scores of a boosted model, for two classes the log odds of the
#'     second level.}
#'   \item{errors}{Standard errors of the values, 0 where they are exact.}
#'   \item{estimated}{The share of trees, rows and background rows whose values are not exact.}
#'   \item{data}{The rows, with the features of the model; `NULL` for projections.}
#'   \item{background.rows}{Their number.}
#'
#'   `as.matrix()` gives the values of one class or target. `as.data.frame()` has a line for each row
#'   and class or target, like the file of the command `sporf explain --class all`.
#'
#' @details The package shapviz draws these values, too:
#'   `shapviz(as.matrix(x, "setosa"), X = x$data, baseline = x$base.values[["setosa"]])`.
#'
#'   An interrupt ends the explanation with an error.
#' @references Janzing, D., Minorics, L. and Bloebaum, P. (2020) Feature relevance quantification in
#'   explainable AI: a causal problem. *AISTATS*, PMLR 108, 2907-2916.
#' @seealso [plot.sporf.explanation()]
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
#' found <- explain(forest, iris[c(1, 51, 101), ], background = iris[seq(1, 150, by = 5), ])
#' found
#' round(as.matrix(found, "virginica"), 3)
#' @export
explain <- function(object, ...) UseMethod("explain")

#' @rdname explain
#' @export
explain.sporf <- function(object, newdata, background = NULL, projections = 0, combine = NULL,
                          unknown.levels = "error", steps = 1e6, seed = 1, num.threads = NULL,
                          verbose = FALSE, ...) {
  if (...length() > 0L) stop_sporf("unknown arguments of explain(): ", shown_arguments(...))
  one_number(projections, "projections", 0, 2^31, whole = TRUE)
  one_number(steps, "steps", 1, most_explain_steps, whole = TRUE)
  one_number(seed, "seed", 0, 2^53, whole = TRUE)
  threads <- sporf_threads(num.threads)
  newdata <- plain_table(newdata, "newdata")
  if (nrow(newdata) == 0L) stop_sporf("newdata has no rows: give the rows to explain")
  if (is.null(background) && nrow(newdata) == 1L) {
    stop_sporf(
      "the only row of newdata would be compared with itself: give rows to compare with, such as ",
      "the training data, as background"
    )
  }
  data <- rows_dataset(object, newdata, unknown.levels)
  on.exit(free_dataset(data))
  others <- if (is.null(background)) {
    checked(.Call(core_dataset_draw, data, most_background_rows, seed))
  } else {
    background <- plain_table(background, "background")
    if (nrow(background) == 0L) stop_sporf("background has no rows: give rows to compare with")
    rows_dataset(object, background, unknown.levels, "background")
  }
  on.exit(free_dataset(others), add = TRUE)
  places <- if (projections == 0) {
    object$forest$independent.variable.names
  } else {
    c(projection_importance(object, projections)$projection, "all other projections")
  }
  posteriors <- is_posteriors(combine, object)
  result <- checked(.Call(
    core_explain, object$model, data, others, if (projections == 0) 0 else length(places) - 1,
    posteriors, steps, seed, threads, verbosity(verbose)
  ))
  rows <- if (is.null(background)) min(nrow(newdata), most_background_rows) else nrow(background)
  new_explanation(
    result, object, places, posteriors, rows,
    if (projections == 0) feature_frame(object, newdata)
  )
}

shown_arguments <- function(...) {
  given <- list(...)
  names <- if (is.null(names(given))) rep("", length(given)) else names(given)
  listed(ifelse(names == "", vapply(given, shown, ""), names))
}

# The outputs of a model: their names, the places of the library's among them, and -1 if the library
# has the opposite of the only one.
model_outputs <- function(object, scores) {
  forest <- object$forest
  levels <- forest$levels
  if (is.null(levels)) {
    count <- max(length(forest$targets), 1L)
    names <- if (count == 1L) "prediction" else or(forest$targets, paste0("y", seq_len(count)))
    return(list(names = names, places = seq_len(count), sign = 1))
  }
  if (scores && length(levels) == 2L) {
    return(list(names = levels[2L], places = 1L, sign = if (forest$places[2L] == 2L) 1 else -1))
  }
  list(names = levels, places = forest$places, sign = 1)
}

# From [outputs, places, rows] of the library's to [rows, places, outputs] of R's.
explained_array <- function(values, places, outputs) {
  values <- aperm(values, 3:1)[, , order(outputs$places), drop = FALSE]
  dimnames(values) <- list(NULL, places, outputs$names)
  values
}

# Without the dimension of the outputs, if there is one.
without_single <- function(values) {
  size <- dim(values)
  if (size[3L] > 1L) return(values)
  array(values, size[1:2], dimnames(values)[1:2])
}

new_explanation <- function(result, object, places, posteriors, background, data) {
  outputs <- model_outputs(object, !is.null(object$boosting))
  alone <- function(values) {
    matrix(explained_array(values, NULL, outputs), ncol = length(outputs$names),
           dimnames = list(NULL, outputs$names))
  }
  predictions <- outputs$sign * alone(result$predictions)
  structure(list(
    values = without_single(outputs$sign * explained_array(result$values, places, outputs)),
    base.values = (outputs$sign * alone(result$base))[1L, ],
    predictions = if (ncol(predictions) == 1L) as.vector(predictions) else predictions,
    errors = without_single(explained_array(result$errors, places, outputs)),
    estimated = as.vector(result$estimated),
    data = data,
    background.rows = background,
    output.names = outputs$names,
    explained = what_is_explained(object, posteriors),
    is.classes = !is.null(object$forest$levels)
  ), class = "sporf.explanation")
}

what_is_explained <- function(object, posteriors) {
  if (!is.null(object$boosting)) return("scores")
  if (is.null(object$forest$levels)) return("values")
  if (posteriors) "shares of leaves" else "shares of votes"
}

# The name of an output, which may be left out if there is only one.
one_output <- function(names, output) {
  if (is.null(output) && length(names) == 1L) return(names)
  kind <- paste("output must be one of", listed(names, Inf, "and"))
  if (is.null(output)) stop_sporf(kind)
  if (length(output) != 1L || !as.character(output) %in% names) {
    stop_sporf(kind, ", got ", shown(output))
  }
  as.character(output)
}

# A matrix of the values of an output.
values_of <- function(x, output) {
  if (length(x$output.names) == 1L) return(x$values)
  size <- dim(x$values)
  matrix(x$values[, , output], size[1L], size[2L], dimnames = dimnames(x$values)[1:2])
}

predictions_of <- function(x, output) {
  if (length(x$output.names) == 1L) x$predictions else x$predictions[, output]
}

#' @rdname explain
#' @export
as.matrix.sporf.explanation <- function(x, output = NULL, ...) {
  values_of(x, one_output(x$output.names, output))
}

#' @rdname explain
#' @export
as.data.frame.sporf.explanation <- function(x, ...) {
  rows <- seq_len(dim(x$values)[1L])
  parts <- lapply(x$output.names, function(output) {
    data.frame(
      row = rows, output = output, base = rep(x$base.values[[output]], length(rows)),
      prediction = predictions_of(x, output), values_of(x, output), check.names = FALSE
    )
  })
  all <- do.call(rbind, parts)
  all <- all[order(all$row), ]
  names(all)[2L] <- if (x$is.classes) "class" else "target"
  names(all) <- make.unique(names(all))
  attr(all, "row.names") <- .set_row_names(nrow(all))
  all
}

# The mean absolute value of each feature, or projection (rows), for each output (columns).
mean_absolute <- function(x) {
  columns <- lapply(x$output.names, function(output) colMeans(abs(values_of(x, output))))
  matrix(unlist(columns), ncol = length(columns),
         dimnames = list(dimnames(x$values)[[2L]], x$output.names))
}

# "setosa 0.34, versicolor 0.33, ..."
base_text <- function(x) {
  texts <- format(x$base.values, digits = 4L, trim = TRUE)
  if (length(texts) > 1L) texts <- paste(shortened(x$output.names, 30L), texts)
  if (length(texts) > 5L) texts <- c(texts[1:5], "...")
  paste(texts, collapse = ", ")
}

#' @rdname explain
#' @export
print.sporf.explanation <- function(x, ...) {
  line <- function(name, value) cat(sprintf("%-18s%s\n", paste0(name, ":"), value))
  cat("sporf explanation\n\n")
  is_score <- x$is.classes && length(x$output.names) == 1L
  line("Explained", if (is_score) paste("scores of", x$output.names) else x$explained)
  line("Rows", dim(x$values)[1L])
  line("Background rows", x$background.rows)
  line("Base", base_text(x))
  line("Values", if (x$estimated == 0) "exact" else {
    sprintf("%.3g %% estimated, with standard errors", 100 * x$estimated)
  })
  sizes <- mean_absolute(x)
  sizes <- sizes[order(rowSums(sizes), decreasing = TRUE), , drop = FALSE]
  cat("\nMean absolute values", if (nrow(sizes) > 10L) ", of the 10 largest", ":\n", sep = "")
  shown <- utils::head(sizes, 10L)
  rownames(shown) <- shortened(rownames(shown), 60L)
  if (ncol(shown) == 1L) shown <- shown[, 1L]
  print(signif(shown, 3L))
  invisible(x)
}
