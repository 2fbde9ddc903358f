# How predictions change with features: partial dependence, local effects, interactions.

#' How predictions change with features
#'
#' `dependence()` gives partial dependence, the curves of single rows, or accumulated local effects;
#' `interactions()` says how strongly pairs of features interact.
#'
#' @param object A model of [sporf()] or [sporf_boost()].
#' @param data A data frame or matrix of rows with the features of the model, such as the training
#'   data. The response is not needed.
#' @param features Names, or numbers from 1: one or two features for `dependence()`; for
#'   `interactions()` those whose pairs are looked at, or `NULL` for the five most important ones.
#' @param kind `"pdp"`: partial dependence (Friedman 2001), the mean prediction of all rows if they
#'   had each of the values. `"ice"`: also the predictions of the single rows (Goldstein and others
#'   2015). `"ale"`: accumulated local effects (Apley and Zhu 2020) of one number or ordered factor:
#'   rows only take values near their own, so that correlated features do not make up rows that
#'   cannot exist; their mean over the rows is 0.
#' @param grid The most values of a feature: `NULL` for 100, or 20 for each of two. Numbers take the
#'   values of the data if they are fewer, factors the levels that the data have. For `"ale"` the
#'   most bins, `NULL` for 40.
#' @param quantiles The quantiles of a feature that its values lie between.
#' @param values The values to take instead, with `NA` for missing: a vector, or for two features a
#'   list of two. For `"ale"` the ends of the bins.
#' @param sample The most rows to use, drawn by chance; `NULL` for all. The time of `interactions()`
#'   grows with its square.
#' @param case.weights How much each row counts: numbers, or the name of a column of `data`.
#' @param combine,calibrated How trees become probabilities; see [predict.sporf()].
#' @param scores Whether scores of a boosted model are asked for, not its probabilities or numbers.
#' @param unknown.levels What to do about levels that the training data did not have; see
#'   [predict.sporf()].
#' @param seed Seed of the rows that are drawn. R's random numbers are not used.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @param verbose Whether to show the progress.
#' @param x A result of `dependence()` or `interactions()`.
#' @param ... Not used.
#'
#' @return `dependence()` an object of class `sporf.dependence`: a list of
#'   \item{features}{Their names.}
#'   \item{values}{A list: the values of each feature.}
#'   \item{points}{A data frame of all their combinations, those of the second feature fastest.}
#'   \item{mean}{A matrix with a row for each point and a column for each class or target: the mean
#'     predictions, or for `"ale"` the effects.}
#'   \item{individual}{For `"ice"`: an array of rows, points, and classes or targets.}
#'   \item{rows}{The numbers of the rows of `data` that were used.}
#'
#'   `as.data.frame()` has a line for each point, with the values of the features and the mean
#'   predictions; for `"ice"` the lines of the single rows follow, and `row` says which.
#'
#'   `interactions()` an object of class `sporf.interactions`: a list of
#'   \item{pairs}{A data frame with the columns `feature`, `feature_2`, `h` and `strength`, the
#'     strongest pair first. `h` is Friedman's H (Friedman and Popescu 2008), the root of the share of
#'     the variance of the joint partial dependence that the sum of the single ones does not explain:
#'     0 if effects add up, 1 if the features act only together. `strength` is the root mean square
#'     of that part, in units of the predictions. Two features that hardly matter may have a large
#'     H.}
#'   \item{total}{H of each feature with all others together.}
#'   \item{rows}{How many rows were used.}
#' @references Friedman, J. H. (2001) Greedy function approximation: a gradient boosting machine.
#'   *Annals of Statistics* 29, 1189-1232.
#'
#'   Friedman, J. H. and Popescu, B. E. (2008) Predictive learning via rule ensembles. *Annals of
#'   Applied Statistics* 2, 916-954.
#'
#'   Goldstein, A., Kapelner, A., Bleich, J. and Pitkin, E. (2015) Peeking inside the black box.
#'   *Journal of Computational and Graphical Statistics* 24, 44-65.
#'
#'   Apley, D. W. and Zhu, J. (2020) Visualizing the effects of predictor variables in black box
#'   supervised learning models. *JRSS B* 82, 1059-1086.
#' @seealso [plot.sporf.dependence()]
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
#' dependence(forest, iris, "Petal.Width", grid = 5)
#' interactions(forest, iris, sample = 50)
#' @export
dependence <- function(object, data, features, kind = c("pdp", "ice", "ale"), grid = NULL,
                       quantiles = c(0.05, 0.95), values = NULL, sample = NULL,
                       case.weights = NULL, combine = NULL, calibrated = TRUE, scores = FALSE,
                       unknown.levels = "error", seed = 0, num.threads = NULL, verbose = FALSE) {
  check_sporf(object)
  kind <- one_of(kind, c("pdp", "ice", "ale"), "kind")
  numbers <- different_features(object, features)
  check_kind(object, kind, numbers)
  if (!is.null(grid)) one_number(grid, "grid", 2, 1e6, whole = TRUE)
  settings <- dependence_settings(object, sample, combine, calibrated, scores, seed, num.threads)
  values <- grid_values(object, numbers, values)
  names <- object$forest$independent.variable.names
  dataset <- weighted_dataset(object, data, case.weights, unknown.levels)
  on.exit(free_dataset(dataset))
  found <- checked(.Call(
    core_dependence, object$model, dataset, numbers, kind, if (is.null(grid)) 0 else grid,
    two_quantiles(quantiles), values, settings, verbosity(verbose)
  ), names)
  new_dependence(found, object, numbers, kind, scores)
}

check_kind <- function(object, kind, numbers) {
  if (length(numbers) < 1L || length(numbers) > 2L) {
    stop_sporf("features must be one or two features, got ", length(numbers))
  }
  if (kind != "ale") return(invisible())
  if (length(numbers) > 1L) {
    stop_sporf("kind = \"ale\" is of one feature: give one, or kind = \"pdp\" for two")
  }
  features <- object$forest$features
  if (!is.null(features$levels[[numbers]]) && !features$ordered[numbers]) {
    column_error(
      features$shown[numbers], "is a factor, but kind = \"ale\" needs an order: use kind = ",
      "\"pdp\", or train with an ordered factor"
    )
  }
}

dependence_settings <- function(object, sample, combine, calibrated, scores, seed, num.threads) {
  if (!is.null(sample)) one_number(sample, "sample", 1, 2^31, whole = TRUE)
  if (one_flag(scores, "scores") && is.null(object$boosting)) {
    stop_sporf("scores are of boosted models, but this is a forest")
  }
  list(
    sample = if (is.null(sample)) 0 else sample,
    seed = one_number(seed, "seed", 0, 2^53, whole = TRUE),
    posteriors = is_posteriors(combine, object), raw = !one_flag(calibrated, "calibrated"),
    scores = scores, threads = sporf_threads(num.threads)
  )
}

weighted_dataset <- function(object, data, case.weights, unknown) {
  data <- plain_table(data, "data")
  if (nrow(data) == 0L) stop_sporf("data has no rows")
  weights <- read_weights(case.weights, data, nrow(data))
  dataset <- rows_dataset(object, data, unknown, "data")
  if (is.null(weights)) return(dataset)
  checked(.Call(core_set_weights, dataset, as.double(weights$values), weights$name))
  dataset
}

two_quantiles <- function(quantiles) {
  fits <- is.numeric(quantiles) && length(quantiles) == 2L && !anyNA(quantiles) &&
    quantiles[1L] >= 0 && quantiles[1L] < quantiles[2L] && quantiles[2L] <= 1
  if (fits) return(as.double(quantiles))
  stop_sporf("quantiles must be two numbers from 0 to 1, the smaller first, got ", shown(quantiles))
}

# The values that are given for features, as the library's numbers: a list.
grid_values <- function(object, numbers, values) {
  if (is.null(values)) return(list())
  if (length(numbers) == 1L && !is.list(values)) values <- list(values)
  if (!is.list(values) || length(values) != length(numbers)) {
    stop_sporf("values must be a list of ", length(numbers), " vectors, one for each feature")
  }
  unname(Map(function(number, given) {
    levels <- object$forest$features$levels[[number]]
    name <- object$forest$independent.variable.names[number]
    if (length(given) == 0L) stop_sporf("values has none for ", dQuote(name, FALSE))
    if (is.null(levels)) {
      if (is.numeric(given) || is.logical(given)) return(as.double(given))
      stop_sporf("values of ", dQuote(name, FALSE), " must be numbers, got ", shown(given))
    }
    given <- as.character(given)
    codes <- match(given, levels)
    unknown <- given[is.na(codes) & !is.na(given)]
    if (length(unknown) > 0L) {
      stop_sporf("values has the level ", dQuote(unknown[1L], FALSE), " of ", dQuote(name, FALSE),
                 ", which the model does not know")
    }
    as.double(codes - 1L)
  }, numbers, values))
}

# Numbers of the library's as values of a feature.
feature_values <- function(object, number, values) {
  levels <- object$forest$features$levels[[number]]
  values[is.nan(values)] <- NA
  if (is.null(levels)) return(values)
  factor(levels[values + 1], levels, ordered = object$forest$features$ordered[number])
}

new_dependence <- function(found, object, numbers, kind, scores) {
  names <- object$forest$independent.variable.names[numbers]
  values <- Map(function(number, own) feature_values(object, number, own), numbers, found$values)
  names(values) <- names
  outputs <- model_outputs(object, scores)
  if (scores && length(outputs$names) == 1L) outputs$names <- "score"
  mean <- outputs$sign * t(found$mean)[, order(outputs$places), drop = FALSE]
  colnames(mean) <- outputs$names
  # The second feature runs fastest.
  points <- rev(expand.grid(rev(values), KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE))
  names(points) <- names
  individual <- found$individual
  if (!is.null(individual)) {
    individual <- outputs$sign * explained_array(individual, NULL, outputs)
  }
  structure(list(
    kind = kind, features = names, values = values, points = points, mean = mean,
    individual = individual, rows = found$rows, output.names = outputs$names, scores = scores,
    is.classes = !is.null(object$forest$levels)
  ), class = "sporf.dependence")
}

#' @rdname dependence
#' @export
as.data.frame.sporf.dependence <- function(x, ...) {
  lines <- data.frame(x$points, x$mean, check.names = FALSE)
  if (!is.null(x$individual)) {
    count <- nrow(x$points)
    of_rows <- x$points[rep(seq_len(count), length(x$rows)), , drop = FALSE]
    values <- matrix(aperm(x$individual, c(2L, 1L, 3L)), ncol = length(x$output.names),
                     dimnames = list(NULL, x$output.names))
    of_rows <- data.frame(of_rows, values, check.names = FALSE, row.names = NULL)
    lines <- rbind(lines, of_rows)
    row <- c(rep(NA, count), rep(x$rows, each = count))
    lines <- data.frame(row = row, lines, check.names = FALSE)
  }
  names(lines) <- make.unique(names(lines))
  lines
}

kind_words <- c(
  pdp = "Partial dependence", ice = "Dependence of single rows", ale = "Accumulated local effects"
)

#' @rdname dependence
#' @export
print.sporf.dependence <- function(x, ...) {
  cat(kind_words[[x$kind]], " on ", paste(x$features, collapse = " and "), ", from ",
      length(x$rows), if (length(x$rows) == 1L) " row\n\n" else " rows\n\n", sep = "")
  lines <- data.frame(x$points, x$mean, check.names = FALSE)
  print(utils::head(lines, 10L), digits = 4L, row.names = FALSE)
  if (nrow(lines) > 10L) cat("... and ", nrow(lines) - 10L, " more\n", sep = "")
  invisible(x)
}

# ---- interactions --------------------------------------------------------------------------------

#' @rdname dependence
#' @export
interactions <- function(object, data, features = NULL, sample = 200, case.weights = NULL,
                         combine = NULL, calibrated = TRUE, scores = FALSE,
                         unknown.levels = "error", seed = 0, num.threads = NULL,
                         verbose = FALSE) {
  check_sporf(object)
  names <- object$forest$independent.variable.names
  numbers <- if (is.null(features)) {
    impurity <- checked(.Call(core_importances, object$model))
    order(impurity, decreasing = TRUE)[seq_len(min(5L, length(names)))]
  } else {
    different_features(object, features)
  }
  if (length(numbers) < 2L) stop_sporf("interactions need at least two features")
  settings <- dependence_settings(object, sample, combine, calibrated, scores, seed, num.threads)
  dataset <- weighted_dataset(object, data, case.weights, unknown.levels)
  on.exit(free_dataset(dataset))
  found <- checked(.Call(
    core_interactions, object$model, dataset, numbers, settings, verbosity(verbose)
  ), names)
  structure(list(
    pairs = data.frame(
      feature = names[found$first], feature_2 = names[found$second], h = found$h,
      strength = found$strength
    ),
    total = stats::setNames(found$total, names[numbers]), rows = found$rows
  ), class = "sporf.interactions")
}

#' @rdname dependence
#' @export
print.sporf.interactions <- function(x, ...) {
  cat("Interactions of pairs of features, from ", x$rows, " rows\n\n", sep = "")
  print(utils::head(x$pairs, 10L), digits = 4L, row.names = FALSE)
  if (nrow(x$pairs) > 10L) cat("... and ", nrow(x$pairs) - 10L, " more\n", sep = "")
  cat("\nH of each feature with all others together:\n")
  print(sort(x$total, decreasing = TRUE), digits = 4L)
  invisible(x)
}
