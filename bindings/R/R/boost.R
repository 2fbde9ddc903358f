#' Gradient boosting with oblique trees
#'
#' Trains trees one after the other, each of which corrects the sum of those before. A share of the
#' rows is held out, and boosting stops when the loss of these rows no longer falls.
#'
#' @inheritParams sporf
#' @param num.rounds Maximum number of rounds; each adds a tree for each class or target.
#' @param learning.rate Factor of every leaf, above 0, up to 1. `NULL`: chosen by the number of
#'   rows.
#' @param max.depth,max.leaves Maximum depth of a tree and maximum number of its leaves. `NULL`: a
#'   depth from 3 to 6, by the number of rows.
#' @param valid The share of the rows that is held out, or a data frame of further rows (with `x`
#'   and `y` a list of two such). 0: none, and all rounds are kept.
#' @param patience Rounds without a smaller loss after which boosting stops.
#' @param loss `"auto"`, `"log"` (classification), `"squared"`, `"absolute"`, `"quantile"` or
#'   `"poisson"`.
#' @param quantile Which quantile the loss `"quantile"` predicts.
#' @param l2 Penalty of large leaves.
#' @param subsample Share of the rows that a tree is grown on. `NULL`: chosen.
#' @param monotone Whether predictions never fall (`1`) or never rise (`-1`) with a feature: a named
#'   vector.
#' @param mtry Number of candidate splits in each node. `NULL`: chosen.
#' @param method,density,scale As in [sporf()].
#' @param ... Further options of the command's `boost`, with dots for dashes, such as `min.leaf` or
#'   `bags`. [sporf_options()] lists them.
#' @return An object of the classes `sporf_boost` and `sporf`, with the elements of [sporf()] except
#'   the out-of-bag ones, and `num.rounds` and `boosting`, a list with the losses after each round:
#'   `train.losses` and `valid.losses`.
#' @seealso [predict.sporf()]
#' @examples
#' booster <- sporf_boost(Species ~ ., data = iris, num.rounds = 50, seed = 1)
#' booster
#' predict(booster, iris[c(1, 51, 101), ], type = "prob")$predictions
#' @export
sporf_boost <- function(formula = NULL, data = NULL, num.rounds = NULL, learning.rate = NULL,
                        max.depth = NULL, max.leaves = NULL, valid = NULL, patience = NULL,
                        loss = "auto", quantile = NULL, l2 = NULL, subsample = NULL,
                        monotone = NULL, mtry = NULL, probability = FALSE, case.weights = NULL,
                        class.weights = NULL, num.threads = NULL, verbose = TRUE, seed = NULL,
                        dependent.variable.name = NULL, classification = NULL, x = NULL, y = NULL,
                        method = "sporf", density = NULL, scale = "auto", ...) {
  call <- match.call()
  call[[1L]] <- as.name("sporf_boost")
  one_flag(probability, "probability")
  inputs <- read_inputs(formula, data, x, y, dependent.variable.name, case.weights)
  table <- training_table(inputs$x)
  if (probability && is.null(classification)) classification <- TRUE
  outcome <- outcome_of(inputs$y, table$rows, classification, inputs$name)
  real <- function(value, name, least, most = Inf) {
    if (!is.null(value)) as_text(one_number(value, name, least, most))
  }
  whole <- function(value, name, least) {
    if (!is.null(value)) as_text(one_number(value, name, least, whole = TRUE))
  }
  given <- list(
    "learner" = "boosting",
    "rounds" = whole(num.rounds, "num.rounds", 1),
    "rate" = real(learning.rate, "learning.rate", 0, 1),
    "max-depth" = whole(max.depth, "max.depth", 0),
    "max-leaves" = whole(max.leaves, "max.leaves", 0),
    "valid" = if (is.numeric(valid)) real(valid, "valid", 0, 1),
    "patience" = whole(patience, "patience", 1),
    "loss" = one_text(loss, "loss"),
    "quantile" = real(quantile, "quantile", 0, 1),
    "l2" = real(l2, "l2", 0),
    "subsample" = real(subsample, "subsample", 0, 1),
    "monotone" = if (!is.null(monotone)) monotone_text(monotone),
    "projections" = if (!is.null(mtry)) mtry_text(mtry, ncol(inputs$x)),
    "class-weights" = if (!is.null(class.weights)) {
      class_weights_text(class.weights, outcome$levels)
    },
    "method" = one_text(method, "method"),
    "density" = if (!is.null(density)) density_text(density),
    "scale" = one_text(scale, "scale"),
    "threads" = as_text(sporf_threads(num.threads)),
    "seed" = as_text(seed_of(seed))
  )
  options <- joined_options(unlist(given), more_options(rename_buckets(list(...)), TRUE))
  held_out <- NULL
  if (!is.null(valid) && !is.numeric(valid)) {
    held_out <- held_out_dataset(valid, inputs, table, outcome, dependent.variable.name)
    on.exit(free_dataset(held_out))
  }
  train(inputs, table, outcome, options, call, probability = probability,
        num.threads = num.threads, verbose = verbose, valid = held_out)
}

monotone_text <- function(monotone) {
  if (!is.numeric(monotone) || is.null(names(monotone)) || !all(monotone %in% c(-1, 0, 1))) {
    stop_sporf(
      "monotone must be a named vector of 1, -1 or 0, such as c(age = 1), got ", shown(monotone)
    )
  }
  monotone <- monotone[monotone != 0]
  if (length(monotone) == 0L) return(NULL)
  paste0(names(monotone), "=", ifelse(monotone > 0, "+", "-"), collapse = ",")
}

# The rows to stop by, with the columns of the training data.
held_out_dataset <- function(valid, inputs, table, outcome, column) {
  if (is.data.frame(valid)) {
    y <- if (is.null(inputs$formula)) {
      if (is.null(column)) stop_sporf("valid must be list(x, y), as x and y are given")
      valid[[column]]
    } else {
      formula_response(inputs$formula, valid)
    }
    x <- if (is.null(inputs$formula)) valid else formula_frame(inputs$formula, valid, "valid")
  } else {
    if (!is.list(valid) || length(valid) != 2L) {
      stop_sporf("valid must be a share, a data frame, or list(x, y), got ", shown(valid))
    }
    x <- valid[[1L]]
    y <- valid[[2L]]
  }
  features <- list(
    names = table$names, count = ncol(inputs$x),
    levels = table$levels, ordered = table$ordered, any.levels = any(lengths(table$levels) > 0L)
  )
  rows <- prediction_table(x, features, what = "valid")
  if (is.null(outcome$levels)) {
    return(new_dataset(rows, outcome_of(y, rows$rows, FALSE, outcome$names)))
  }
  codes <- match(as.character(y), outcome$levels)
  bad <- which(is.na(codes))
  if (length(bad) > 0L) {
    stop_sporf("valid has classes that y does not have, or none, in ", rows_listed(bad))
  }
  new_dataset(rows, list(codes = codes, levels = outcome$levels, names = outcome$names))
}
