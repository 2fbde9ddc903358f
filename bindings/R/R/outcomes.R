# What is to be predicted: classes or numbers.

check_complete <- function(y, name = NULL) {
  if (!anyNA(y)) return(invisible())
  bad <- which(if (is.null(dim(y))) is.na(y) else rowSums(is.na(y)) > 0)
  if (length(bad) == 0L) return(invisible())
  stop_sporf(
    "y has missing values in ", rows_listed(bad), ": leave these rows out, as in ",
    if (length(name) == 1L) paste0("data[!is.na(data$", name, "), ]") else "x[!is.na(y), ]"
  )
}

class_outcome <- function(y, name) {
  if (!is.factor(y)) y <- factor(y)
  check_complete(y, name)
  if (anyNA(levels(y)) || any(levels(y) == "")) {
    stop_sporf("y has a level without a name: give it one, or leave its rows out")
  }
  if (is_malformed(y)) {
    stop_sporf("y is a malformed factor: make it anew with factor(as.character(y))")
  }
  count <- tabulate(y, nlevels(y))
  if (any(count == 0L) && sum(count > 0L) > 1L) {
    stop_sporf(
      "y has unused levels: ", listed(levels(y)[count == 0L]), "; drop them with droplevels(y)"
    )
  }
  if (sum(count > 0L) < 2L) {
    stop_sporf(
      "y has only one class, ", listed(levels(y)[count > 0L]), ": there is nothing to learn"
    )
  }
  same <- duplicated(names_of_classes(levels(y)))
  if (any(same)) {
    stop_sporf(
      "y has levels that are the same number: ",
      listed(levels(y)[names_of_classes(levels(y)) %in% names_of_classes(levels(y))[same]]),
      "; rename one of them"
    )
  }
  list(codes = as.integer(y), levels = levels(y))
}

number_outcome <- function(y, name) {
  names <- if (is.null(dim(y))) NULL else colnames(y)
  targets <- as.matrix(y)
  if (!is.numeric(targets)) stop_sporf("y must be a factor or numbers, got ", class(y)[1L])
  check_complete(targets, name)
  for (j in seq_len(ncol(targets))) warn_of_rounding(targets[, j], "y")
  storage.mode(targets) <- "double"
  dimnames(targets) <- NULL
  list(targets = targets, names = names)
}

# A data frame of one column as that column.
unwrapped <- function(y) if (is.data.frame(y) && length(y) == 1L) y[[1L]] else y

# The outcome of a model: `codes` and `levels` of classes, or `targets` and `names` of numbers.
outcome_of <- function(y, rows, classification = NULL, name = NULL) {
  if (is.null(y)) stop_sporf("y is missing: give a formula, or x and y")
  if (is.list(y) && !is.data.frame(y)) stop_sporf("y must be a factor or numbers, got a list")
  if (inherits(y, "Surv")) {
    stop_sporf("y is a survival time, which sporf does not model: use ranger or aorsf for it")
  }
  if (inherits(y, c("Date", "POSIXt"))) stop_sporf("y holds dates: make them numbers")
  y <- unwrapped(y)
  length_of_y <- if (is.null(dim(y))) length(y) else nrow(y)
  if (length_of_y != rows) {
    stop_sporf("y has ", length_of_y, " values, but x has ", rows, " rows")
  }
  if (isTRUE(classification) && !is.null(dim(y))) stop_sporf("y must be one column of classes")
  is_classes <- is.null(dim(y)) && (is.factor(y) || is.character(y) || is.logical(y))
  if (isFALSE(classification) && is_classes) {
    stop_sporf("classification = FALSE, but y is not a number")
  }
  read <- if (is_classes || isTRUE(classification)) class_outcome else number_outcome
  outcome <- read(y, name)
  if (is.null(outcome$names) && length(name) == 1L) outcome$names <- name
  outcome
}

# The dataset of a table with its outcome and weights. Free it with free_dataset().
new_dataset <- function(table, outcome, weights = NULL, weights_name = NULL) {
  data <- checked(.Call(core_dataset, table), table$names)
  if (!is.null(outcome$levels)) {
    checked(.Call(core_set_labels, data, outcome$codes, enc2utf8(outcome$levels), outcome$names))
  } else {
    checked(.Call(core_set_targets, data, outcome$targets, outcome$names))
  }
  if (!is.null(weights)) {
    checked(.Call(core_set_weights, data, as.double(weights), weights_name))
  }
  data
}

# The dataset of rows to ask a model about. Free it with free_dataset().
rows_dataset <- function(object, data, unknown = "error", what = "newdata") {
  formula <- object$forest$formula
  if (!is.null(formula$terms)) data <- formula_frame(formula, data, what)
  table <- prediction_table(data, object$forest$features, unknown, what)
  checked(.Call(core_dataset, table), table$names)
}

free_dataset <- function(data) invisible(.Call(core_dataset_free, data))
