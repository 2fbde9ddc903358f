# Rows of which it is known what the model is to predict.

# The classes or numbers of rows: `y`, or what the data have, or NULL. A formula's response counts
# only if the data have all of its variables: others of these names need not be of these rows.
known_truth <- function(object, data, y) {
  forest <- object$forest
  rows <- nrow(data)
  if (!is.null(y)) {
    y <- unwrapped(y)
    if (NROW(y) != rows) {
      stop_sporf("y has ", NROW(y), " values, but data has ", rows, " rows")
    }
    return(y)
  }
  names <- forest$dependent.variable.name
  response <- forest$formula$response
  y <- if (!is.null(response)) {
    if (all(all.vars(response) %in% colnames(data))) {
      tryCatch(formula_response(forest$formula, as.data.frame(data)), error = function(e) NULL)
    }
  } else if (length(names) > 0L && all(names %in% colnames(data))) {
    unwrapped(as.data.frame(data)[names])
  }
  if (NROW(y) == rows) y
}

# The dataset of rows with their truth, if it is known, and weights. Free it with free_dataset().
scored_dataset <- function(object, data, truth, case.weights, unknown) {
  dataset <- weighted_dataset(object, data, case.weights, unknown)
  if (is.null(truth)) return(dataset)
  forest <- object$forest
  if (is.null(forest$levels)) {
    targets <- number_outcome(truth, NULL)$targets
    count <- max(length(forest$targets), 1L)
    if (ncol(targets) != count) {
      stop_sporf("y has ", ncol(targets), " columns, but the model predicts ", count, " numbers")
    }
    checked(.Call(core_set_targets, dataset, targets, forest$targets))
  } else {
    classes <- classes_among(truth, forest$levels)
    checked(.Call(
      core_set_labels, dataset, classes$codes, enc2utf8(classes$levels),
      forest$dependent.variable.name
    ))
  }
  dataset
}

# Classes as numbers of the levels of a model, and of new levels behind them.
classes_among <- function(y, levels) {
  if (length(dim(y)) > 1L) stop_sporf("y must be one column of classes")
  check_complete(y)
  if (!is.factor(y)) y <- factor(y)
  given <- levels(y)
  places <- match(names_of_classes(given), names_of_classes(levels))
  new <- is.na(places)
  places[new] <- length(levels) + seq_len(sum(new))
  list(codes = places[as.integer(y)], levels = c(names_of_classes(levels), given[new]))
}
