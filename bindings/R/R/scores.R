# How good predictions are.

#' How good predictions are
#'
#' `scores()` compares predictions with the truth: areas under curves, losses, calibration, precision
#' and recall of classes, with confidence intervals; or the errors of numbers. `score_curve()` gives
#' the ROC and the precision-recall curve of a class. Scores of classes are equal to those of
#' scikit-learn.
#'
#' @param object A model of [sporf()] or [sporf_boost()]; or a matrix of probabilities with a named
#'   column for each class, also of another model.
#' @param data A data frame or matrix of rows with the features of the model.
#' @param y The classes or numbers of the rows, if `data` does not have them. A class that the model
#'   does not know counts as one that was given the probability 0.
#' @param case.weights How much each row counts: numbers, or the name of a column of `data`.
#' @param oob Whether the rows are those of the training, in the same order, and scored by the trees
#'   that they were out of bag in. The votes for that are known right after training a forest for
#'   classification, not in files. Rows that are in every bag are ignored.
#' @param class The class whose curves are wanted. `NULL`: the second of two.
#' @param level For regression: share of new values that prediction intervals are to contain.
#' @param combine,calibrated,unknown.levels As for [predict.sporf()].
#' @param confidence Confidence of the intervals.
#' @param replicates How often rows are drawn for intervals by the bootstrap, 1000 for example; with
#'   0, only the area under the ROC curve has an interval (DeLong and others 1988), which needs no
#'   draws.
#' @param top.k For the share of rows whose class is among the `top.k` most probable. `NULL`: 2 with
#'   up to ten classes, otherwise 5.
#' @param seed Seed of the draws. R's random numbers are not used.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @param x A result of `scores()` or `score_curve()`.
#' @param type The picture: `"calibration"` of scores; `"roc"` or `"precision-recall"` of a curve.
#' @param ... Of `score_curve()`: `combine`, `calibrated`, `oob` and `unknown.levels`; of `plot()`:
#'   `main`, `xlab`, `ylab`, `xlim`, `ylim`, `cex` and `col`.
#'
#' @return `scores()` an object of class `sporf.scores`; for classes a list of
#'   \item{scores}{A data frame with the columns `value`, `low` and `high` (`NaN` without an interval)
#'     and the rows `accuracy`, `balanced_accuracy`, `f1_macro`, `mcc` (Matthews' correlation),
#'     `log_loss`, `brier` (over all classes: with two of them twice that of one), `top_k_accuracy`,
#'     `auc` and `average_precision` (with two classes of the second level, with more the mean over
#'     the classes against the rest) and `auc_hand_till` (the mean over pairs of classes).}
#'   \item{by.class}{A data frame: rows, weights, precision, recall, F1, area with its interval, and
#'     average precision of each class against the rest.}
#'   \item{calibration}{A data frame: rows, weight, mean confidence and accuracy in ten bins of
#'     confidence, which is the probability of the predicted class.}
#'   \item{calibration.error}{The mean distance of confidence and accuracy over these bins.}
#'   \item{confusion.matrix}{Counts of rows.}
#'   \item{rows, weight, top.k}{How many rows count, their weight, and the k of `top_k_accuracy`.}
#'
#'   For regression a list of `scores`, a data frame with the columns `rmse`, `mae`, `r2`, and
#'   `coverage` and `width` of prediction intervals, a row for each target, and of `rows`.
#'
#'   `score_curve()` a data frame with the columns `threshold`, `false_positive_rate`, `recall` and
#'   `precision`, by falling threshold; the first one is infinite.
#' @references DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988) Comparing the areas under
#'   two or more correlated receiver operating characteristic curves. *Biometrics* 44, 837-845.
#'
#'   Hand, D. J. and Till, R. J. (2001) A simple generalisation of the area under the ROC curve for
#'   multiple class classification problems. *Machine Learning* 45, 171-186.
#' @examples
#' train <- iris[seq(1, 150, by = 2), ]
#' test <- iris[seq(2, 150, by = 2), ]
#' forest <- sporf(Species ~ ., data = train, num.trees = 50, seed = 1)
#' scores(forest, test)
#' scores(forest, train, oob = TRUE)$scores["auc", ]
#' plot(score_curve(forest, test, class = "virginica"))
#' @export
scores <- function(object, data = NULL, y = NULL, case.weights = NULL, oob = FALSE, level = 0.9,
                   combine = NULL, calibrated = TRUE, unknown.levels = "error", confidence = 0.95,
                   replicates = 0, top.k = NULL, seed = 0, num.threads = NULL) {
  one_number(level, "level", 0, 1)
  settings <- list(
    confidence = one_number(confidence, "confidence", 0.5, 0.9999),
    replicates = one_number(replicates, "replicates", 0, 1e5, whole = TRUE),
    top.k = if (is.null(top.k)) 0 else one_number(top.k, "top.k", 1, 2^31, whole = TRUE),
    seed = one_number(seed, "seed", 0, 2^53, whole = TRUE), threads = sporf_threads(num.threads)
  )
  if (inherits(object, "sporf") && is.null(object$forest$levels)) {
    if (one_flag(oob, "oob")) {
      stop_sporf(
        "oob = TRUE is for classification: $prediction.error and $r.squared are out of bag"
      )
    }
    return(score_numbers(object, data, y, case.weights, level, unknown.levels, settings$threads))
  }
  judged <- judged_rows(object, data, y, case.weights, oob, combine, calibrated, unknown.levels,
                        settings$threads)
  found <- checked(.Call(
    core_score_classes, t(judged$probabilities), judged$truth, judged$predicted, judged$weights,
    settings
  ))
  new_scores(found, judged, oob)
}

score_numbers <- function(object, data, y, case.weights, level, unknown, threads) {
  data <- rows_to_score(data)
  truth <- truth_to_score(object, data, y)
  weights <- read_weights(case.weights, data, nrow(data))$values
  rows <- if (is.null(weights)) nrow(data) else sum(weights > 0)
  if (rows == 0L && nrow(data) > 0L) stop_sporf("there is no row to score: each has the weight 0")
  dataset <- scored_dataset(object, data, truth, case.weights, unknown)
  on.exit(free_dataset(dataset))
  has_intervals <- object$forest$quantreg && level > 0 && level < 1
  found <- t(checked(.Call(
    core_score_numbers, object$model, dataset, if (has_intervals) level else 0, threads
  )))
  colnames(found) <- c("rmse", "mae", "r2", "coverage", "width")
  rownames(found) <- or(object$forest$targets, model_outputs(object, FALSE)$names)
  if (!has_intervals) found <- found[, 1:3, drop = FALSE]
  structure(
    list(scores = as.data.frame(found), rows = rows, level = if (has_intervals) level),
    class = "sporf.scores"
  )
}

rows_to_score <- function(data) {
  if (is.null(data)) stop_sporf("data is missing: give the rows to score")
  plain_table(data, "data")
}

truth_to_score <- function(object, data, y) {
  truth <- known_truth(object, data, y)
  if (is.null(truth)) stop_sporf("data does not have what the model predicts: give it as y")
  truth
}

# Rows with probabilities, and their true and predicted classes as numbers from 0; `classes` is one
# that has no probability.
judged_rows <- function(object, data, y, case.weights, oob, combine, calibrated, unknown, threads) {
  one_flag(oob, "oob")
  if (!inherits(object, "sporf")) {
    if (oob) stop_sporf("oob = TRUE needs a model, but object is a ", class(object)[1L])
    return(judged_probabilities(object, y, case.weights))
  }
  levels <- object$forest$levels
  if (oob && is.null(data) && !is.null(y)) data <- data.frame(row = seq_len(NROW(y)))
  data <- rows_to_score(data)
  truth <- classes_among(truth_to_score(object, data, y), levels)$codes
  if (oob) {
    given <- oob_probabilities(object, length(truth))
  } else {
    probabilities <- stats::predict(
      object, data, type = "prob", combine = combine, calibrated = calibrated,
      unknown.levels = unknown, num.threads = threads
    )$predictions
    given <- list(probabilities = probabilities, predicted = decided(object, probabilities))
  }
  weights <- read_weights(case.weights, data, length(truth))
  list(
    probabilities = given$probabilities, truth = truth - 1L, predicted = given$predicted - 1L,
    weights = if (!is.null(weights)) as.double(weights$values), levels = levels
  )
}

oob_probabilities <- function(object, rows) {
  needs_forest(list(object = object), "out-of-bag scores")
  found <- checked(.Call(core_oob_probabilities, object$model))
  if (ncol(found) != rows) {
    stop_sporf(
      "oob = TRUE needs the ", ncol(found), " rows of the training, but there are ", rows
    )
  }
  probabilities <- class_columns(t(found), object$forest)
  list(probabilities = probabilities, predicted = decided(object, probabilities))
}

# The numbers of the classes that a model predicts for its probabilities.
decided <- function(object, probabilities) {
  places <- object$forest$places
  classes <- checked(.Call(
    core_decide, object$model, t(probabilities[, places, drop = FALSE])
  )) + 1L
  classes[is.na(classes) | classes < 1L] <- 1L # of rows without probabilities, which are ignored
  places[classes]
}

judged_probabilities <- function(probabilities, y, case.weights) {
  if (is.data.frame(probabilities)) probabilities <- as.matrix(probabilities)
  if (!is.matrix(probabilities) || !is.numeric(probabilities)) {
    stop_sporf("object must be a model of sporf() or a matrix of probabilities, got ",
               class(probabilities)[1L])
  }
  levels <- colnames(probabilities)
  if (is.null(levels) || anyDuplicated(levels)) {
    stop_sporf("the columns of the probabilities must be named by their classes")
  }
  if (is.null(y)) stop_sporf("y is missing: give the classes of the rows")
  y <- unwrapped(y)
  if (length(y) != nrow(probabilities)) {
    stop_sporf("y has ", length(y), " values, but there are ", nrow(probabilities), " rows")
  }
  truth <- classes_among(y, levels)$codes - 1L
  storage.mode(probabilities) <- "double"
  weights <- read_weights(case.weights, NULL, length(truth))
  list(probabilities = probabilities, truth = truth, levels = levels,
       weights = if (!is.null(weights)) as.double(weights$values))
}

class_columns_scored <- c(
  "rows", "weight", "predicted_weight", "precision", "recall", "f1", "auc", "auc_low", "auc_high",
  "average_precision"
)

new_scores <- function(found, judged, oob) {
  values <- as.data.frame(t(found$scores))
  names(values) <- c("value", "low", "high")
  by_class <- as.data.frame(t(found$by.class))
  names(by_class) <- class_columns_scored
  bins <- as.data.frame(t(found$bins))
  names(bins) <- c("rows", "weight", "confidence", "accuracy")
  structure(list(
    scores = values, by.class = data.frame(class = judged$levels, by_class),
    calibration = data.frame(from = 0:9 / 10, to = 1:10 / 10, bins),
    calibration.error = found$calibration.error,
    confusion.matrix = judged_confusion(judged),
    rows = found$rows, weight = found$weight, top.k = found$top.k, oob = oob
  ), class = "sporf.scores")
}

# Counts of the rows that are scored. Classes without a probability are a line together.
judged_confusion <- function(judged) {
  levels <- judged$levels
  if (length(levels) > most_classes_shown) return(NULL)
  counts <- !is.na(rowSums(judged$probabilities))
  if (!is.null(judged$weights)) counts <- counts & judged$weights > 0
  predicted <- if (is.null(judged$predicted)) {
    max.col(judged$probabilities[counts, , drop = FALSE], "first")
  } else {
    judged$predicted[counts] + 1L
  }
  truth <- judged$truth[counts] + 1L
  lines <- c(levels, if (any(truth > length(levels))) "others")
  truth <- factor(pmin(truth, length(lines)), seq_along(lines), lines)
  table(true = truth, predicted = factor(predicted, seq_along(levels), levels))
}

#' @rdname scores
#' @export
print.sporf.scores <- function(x, ...) {
  cat("Scores of ", x$rows, if (x$rows == 1) " row" else " rows", if (isTRUE(x$oob)) ", out of bag",
      "\n\n", sep = "")
  shown <- x$scores
  if (!is.null(x$by.class)) {
    shown <- rbind(shown, calibration_error = c(x$calibration.error, NaN, NaN))
    rownames(shown)[rownames(shown) == "top_k_accuracy"] <- paste0("top_", x$top.k, "_accuracy")
    if (all(is.nan(shown$low))) shown <- shown["value"]
  }
  print(shown, digits = 4L)
  if (!is.null(x$level)) cat("\nIntervals of the level ", x$level, "\n", sep = "")
  if (!is.null(x$by.class)) {
    cat("\n")
    columns <- c("class", "rows", "precision", "recall", "f1", "auc", "average_precision")
    print(utils::head(x$by.class[columns], 20L), digits = 4L, row.names = FALSE)
    if (nrow(x$by.class) > 20L) cat("... and ", nrow(x$by.class) - 20L, " more\n", sep = "")
  }
  invisible(x)
}

#' @rdname scores
#' @export
score_curve <- function(object, data = NULL, y = NULL, class = NULL, case.weights = NULL,
                        num.threads = NULL, ...) {
  judge <- function(oob = FALSE, combine = NULL, calibrated = TRUE, unknown.levels = "error") {
    judged_rows(object, data, y, case.weights, oob, combine, calibrated, unknown.levels,
                sporf_threads(num.threads))
  }
  if (inherits(object, "sporf")) needs_classes(list(object = object), "curves")
  judged <- judge(...)
  levels <- judged$levels
  if (is.null(class) && length(levels) == 2L) class <- levels[2L]
  if (is.null(class)) stop_sporf("class must be one of ", listed(levels, Inf, "and"))
  if (length(class) != 1L || !as.character(class) %in% levels) {
    stop_sporf("class must be one of ", listed(levels, Inf, "and"), ", got ", shown(class))
  }
  points <- checked(.Call(
    core_score_curve, t(judged$probabilities), judged$truth, judged$weights,
    match(as.character(class), levels) - 1L
  ))
  points <- as.data.frame(t(points))
  names(points) <- c("threshold", "false_positive_rate", "recall", "precision")
  structure(points, curve.of = as.character(class), class = c("sporf.curve", "data.frame"))
}

# ---- pictures ------------------------------------------------------------------------------------

#' @rdname scores
#' @export
plot.sporf.curve <- function(x, type = c("roc", "precision-recall"), ...) {
  type <- one_of(type, c("roc", "precision-recall"), "type")
  given <- picture_settings(...)
  old <- start_picture(given)
  on.exit(graphics::par(old))
  is_roc <- type == "roc"
  across <- if (is_roc) x$false_positive_rate else x$recall
  upwards <- if (is_roc) x$recall else x$precision
  if (!any(is.finite(across) & is.finite(upwards))) {
    stop_sporf("the curve needs rows of the class and rows of others")
  }
  open_field(or(given$xlim, 0:1), or(given$ylim, 0:1), main = given$main)
  if (is_roc) graphics::abline(0, 1, col = "grey60", lty = 2L)
  draw_curve(across, upwards, or(given$col, okabe_ito[1L])[1L])
  rate <- paste(if (is_roc) "Recall" else "Precision", "of", shortened(attr(x, "curve.of"), 30L))
  draw_axes(or(given$xlab, if (is_roc) "False positive rate" else "Recall"), or(given$ylab, rate),
            given$main)
  invisible(x)
}

#' @rdname scores
#' @export
plot.sporf.scores <- function(x, type = "calibration", ...) {
  one_of(type, "calibration", "type")
  if (is.null(x$calibration)) {
    stop_sporf("calibration is of classes, but these are scores of numbers")
  }
  given <- picture_settings(...)
  old <- start_picture(given)
  on.exit(graphics::par(old))
  bins <- x$calibration[x$calibration$weight > 0, ]
  open_field(or(given$xlim, 0:1), or(given$ylim, 0:1), main = given$main)
  graphics::abline(0, 1, col = "grey60", lty = 2L)
  colour <- or(given$col, okabe_ito[1L])[1L]
  draw_curve(bins$confidence, bins$accuracy, colour)
  graphics::points(bins$confidence, bins$accuracy, pch = 19L, col = colour,
                   cex = 0.6 + 1.6 * sqrt(bins$weight / sum(bins$weight)))
  draw_axes(or(given$xlab, "Confidence"), or(given$ylab, "Accuracy"), given$main)
  invisible(bins)
}
