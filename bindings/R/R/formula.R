# Formulas: sums of columns. Transformations of single columns are evaluated; interactions are
# refused, because trees find them.

interaction_signs <- c(":", "*", "^", "%in%", "/")

# The terms of the right-hand side, as a list of expressions; TRUE stands for the dot.
formula_terms <- function(side) {
  if (is.call(side)) {
    sign <- as.character(side[[1L]])[1L]
    if (sign == "(") return(formula_terms(side[[2L]]))
    if (sign == "+" && length(side) == 2L) return(formula_terms(side[[2L]]))
    if (sign == "+") return(c(formula_terms(side[[2L]]), formula_terms(side[[3L]])))
    if (sign == "-") {
      kept <- if (length(side) == 3L) formula_terms(side[[2L]])
      dropped <- formula_terms(side[[length(side)]])
      return(c(kept, lapply(dropped, function(term) structure(list(term), class = "dropped"))))
    }
    if (sign %in% interaction_signs) {
      stop_sporf(
        "formula has the interaction ", deparse(side)[1L], ": forests find interactions ",
        "themselves, so write ", paste(all.vars(side), collapse = " + ")
      )
    }
    if (sign == "offset") stop_sporf("formula has an offset, which forests do not use")
    if (sign == "|") {
      stop_sporf("formula has ", deparse1(side), ": forests have no groups or random effects")
    }
  }
  if (is.numeric(side)) return(list())
  list(side)
}

# The columns that a formula names: `terms`, a list of expressions named by their labels.
read_formula <- function(formula, names) {
  response <- if (length(formula) == 3L) formula[[2L]]
  if (is.null(response)) {
    stop_sporf("formula has no left-hand side: write what to predict, as in y ~ .")
  }
  side <- formula[[length(formula)]]
  if (is.null(names) && "." %in% all.names(side)) {
    stop_sporf("data is missing: the dot stands for its columns")
  }
  others <- setdiff(names, all.vars(response))
  if (identical(side, quote(.))) {
    labels <- others
    terms <- NULL
  } else {
    terms <- formula_terms(side)
    is_dropped <- vapply(terms, inherits, NA, "dropped")
    dropped <- vapply(terms[is_dropped], function(term) deparse1(term[[1L]]), "")
    terms <- lapply(terms[!is_dropped], function(term) {
      if (identical(term, quote(.))) lapply(others, as.name) else list(term)
    })
    terms <- unlist(terms, recursive = FALSE)
    labels <- vapply(terms, function(term) {
      if (is.name(term)) as.character(term) else deparse1(term)
    }, "")
    kept <- !duplicated(labels) & !labels %in% c(dropped, deparse1(response))
    terms <- terms[kept]
    labels <- labels[kept]
    if (all(vapply(terms, is.name, NA))) terms <- NULL
  }
  if (length(labels) == 0L) stop_sporf("formula names no column to predict from")
  list(
    formula = formula, response = response, labels = labels, terms = terms, columns = names,
    environment = environment(formula)
  )
}

# ---- calls that learn from the rows --------------------------------------------------------------

# Functions whose values for a row depend on all rows of the training.
learning_calls <- c("scale", "poly", "bs", "ns")

# A term whose calls of such functions, also inner ones, are given what they learn from the data:
# scale(x) becomes scale(x, center = 3, scale = 2). Errors are left to those who evaluate the term.
settled_term <- function(term, data, environment) {
  if (!is.call(term) || identical(term[[1L]], quote(`function`))) return(term)
  for (i in seq_along(term)[-1L]) {
    if (is.call(term[[i]])) term[[i]] <- settled_term(term[[i]], data, environment)
  }
  own <- term[[1L]]
  name <- utils::tail(as.character(own), 1L) # also of base::scale
  if (!name %in% learning_calls) return(term)
  value <- tryCatch(eval(term, data, environment), error = function(e) NULL)
  if (is.null(value)) return(term)
  term[[1L]] <- as.name(name)
  term <- stats::makepredictcall(value, term)
  term[[1L]] <- own
  term
}

# The formula with what its terms and its response learn from the training data.
settled_formula <- function(read, data) {
  read$terms <- lapply(read$terms, settled_term, data, read$environment)
  if (length(read$terms) == 0L) read["terms"] <- list(NULL)
  read$settled <- settled_term(read$response, data, read$environment)
  read
}

# ---- values --------------------------------------------------------------------------------------

# The columns of the formula, from a data frame.
formula_columns <- function(read, data, what = "data") {
  if (is.null(read$terms)) {
    absent <- setdiff(read$labels, names(data))
    if (length(absent) == 0L) return(.subset(data, read$labels))
    found <- vapply(absent, exists, NA, envir = read$environment)
    if (!all(found)) {
      stop_sporf(what, " has no column ", listed(absent[!found]))
    }
    read$terms <- lapply(read$labels, as.name)
  }
  columns <- lapply(read$terms, function(term) {
    value <- tryCatch(
      eval(term, data, read$environment),
      error = function(e) stop_sporf("cannot evaluate ", deparse1(term), ": ", conditionMessage(e))
    )
    if (inherits(value, "AsIs")) class(value) <- setdiff(class(value), "AsIs")
    value
  })
  stats::setNames(columns, read$labels)
}

# A formula as a model keeps it: without the environment that it was written in, which may hold the
# training data, but with what its terms use of it.
kept_formula <- function(read) {
  if (is.null(read)) return(NULL)
  names <- unique(unlist(lapply(read$terms, all.names)))
  kept <- new.env(parent = globalenv())
  from <- read$environment
  for (name in setdiff(names, read$columns)) {
    value <- get0(name, from)
    is_own <- !is.null(value) && !identical(value, get0(name, globalenv()))
    if (is_own) assign(name, value, kept)
  }
  read$environment <- environment(read$formula) <- kept
  read["columns"] <- NULL
  read
}

# A data frame of columns of the same length.
as_frame <- function(columns, rows) {
  structure(columns, class = "data.frame", row.names = .set_row_names(rows))
}

formula_frame <- function(read, data, what = "data") {
  rows <- if (is.null(data)) NULL else nrow(data)
  columns <- formula_columns(read, data, what)
  if (is.null(rows)) rows <- NROW(columns[[1L]])
  lengths <- vapply(columns, NROW, 0L)
  if (any(lengths != rows)) {
    column_error(names(columns)[lengths != rows][1L], "has ", lengths[lengths != rows][1L],
                 " values, but ", what, " has ", rows, " rows")
  }
  as_frame(columns, rows)
}

formula_response <- function(read, data) {
  tryCatch(
    eval(or(read$settled, read$response), data, read$environment),
    error = function(e) {
      stop_sporf(
        "cannot find what to predict, ", deparse1(read$response), ": ", conditionMessage(e)
      )
    }
  )
}
