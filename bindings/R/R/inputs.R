# What a training is given: a formula and a data frame, the name of a column, or x and y.

# The frame without a column that is used otherwise.
without <- function(frame, names) {
  kept <- setdiff(names(frame), names)
  as_frame(.subset(frame, kept), nrow(frame))
}

# case.weights: numbers, or the name of a column of the data.
read_weights <- function(weights, data, rows) {
  if (is.null(weights)) return(NULL)
  name <- NULL
  if (is.character(weights) && length(weights) == 1L) {
    name <- weights
    if (!name %in% names(data)) {
      stop_sporf("case.weights names ", listed(name), ", which data does not have")
    }
    weights <- data[[name]]
  }
  if (!is.numeric(weights)) stop_sporf("case.weights must be numbers, got ", class(weights)[1L])
  if (length(weights) != rows) {
    stop_sporf("case.weights has ", length(weights), " values, but there are ", rows, " rows")
  }
  bad <- which(is.na(weights) | weights < 0)
  if (length(bad) > 0L) {
    stop_sporf("case.weights must be at least 0 and not missing, but is not in ", rows_listed(bad))
  }
  list(values = weights, name = name)
}

# A list of x, y, the name of y, the formula that was read, and the weights.
read_inputs <- function(formula, data, x, y, column, weights) {
  if (inherits(data, "data.frame") || is.null(data)) {
    frame <- data
  } else if (is.null(dim(data))) {
    stop_sporf("data must be a data frame, got ", class(data)[1L])
  } else {
    frame <- as.data.frame(if (is_sparse(data)) dense(data) else data)
  }
  same <- unique(names(frame)[duplicated(names(frame))])
  if (length(same) > 0L) {
    stop_sporf("data has several columns named ", listed(same), ": rename them")
  }
  if (!is.null(x)) {
    if (!is.null(formula)) stop_sporf("give either a formula, or x and y")
    x <- plain_table(x)
    return(list(x = x, y = y, weights = read_weights(weights, NULL, nrow(x))))
  }
  of_weights <- if (is.character(weights)) weights
  if (!is.null(column)) {
    if (is.null(frame)) stop_sporf("dependent.variable.name needs data")
    if (!column %in% names(frame)) stop_sporf("data has no column ", listed(column))
    return(list(
      x = without(frame, c(column, of_weights)), y = frame[[column]], name = column,
      weights = read_weights(weights, frame, nrow(frame))
    ))
  }
  if (is.null(formula)) stop_sporf("give a formula and data, or x and y")
  if (!inherits(formula, "formula")) {
    refuse <- function(e) {
      stop_sporf("formula must be a formula, such as y ~ ., got ", class(formula)[1L])
    }
    if (is.list(formula)) refuse()
    formula <- tryCatch(stats::as.formula(formula), error = refuse)
  }
  if (!is.null(frame) && nrow(frame) == 0L) stop_sporf("data has no rows")
  read <- read_formula(formula, setdiff(names(frame), of_weights))
  read <- settled_formula(read, frame)
  response <- formula_response(read, frame)
  features <- formula_frame(read, frame)
  name <- if (is.name(read$response)) as.character(read$response)
  list(
    x = features, y = response, name = name, formula = read,
    weights = read_weights(weights, frame, nrow(features))
  )
}
