#' Search for settings
#'
#' Tries all pairs of `mtry` and `density` and keeps the forest with the smallest out-of-bag error.
#' By default they race: all grow trees in rounds, and what is clearly worse is dropped.
#'
#' @inheritParams sporf
#' @param mtry,density Values to try: numbers or texts, such as `c("sqrt", "p")` or `c(1, 3) / 10`.
#'   `NULL`: those of the paper.
#' @param all Whether all settings are grown to the full number of trees, as in the paper.
#' @param folds Number of folds by which settings are compared if trees leave no rows out.
#' @param ... Further arguments of [sporf()].
#' @return An object of class `tune_sporf`: a list of `trials`, a data frame of the settings and
#'   their errors; `best`, the number of the best; and `forest`, the model with the best settings,
#'   which is the one that [sporf()] grows with them.
#' @examples
#' tuned <- tune_sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' tuned
#' predict(tuned$forest, iris[1:3, ])$predictions
#' @export
tune_sporf <- function(formula = NULL, data = NULL, num.trees = 500, mtry = NULL, density = NULL,
                       all = FALSE, folds = 5, case.weights = NULL, num.threads = NULL,
                       verbose = TRUE, seed = NULL, dependent.variable.name = NULL,
                       classification = NULL, x = NULL, y = NULL, ...) {
  call <- match.call()
  call[[1L]] <- as.name("tune_sporf")
  inputs <- read_inputs(formula, data, x, y, dependent.variable.name, case.weights)
  table <- training_table(inputs$x)
  outcome <- outcome_of(inputs$y, table$rows, classification, inputs$name)
  options <- tuning_options(list(...), num.trees, num.threads, seed, outcome)
  data <- new_dataset(table, outcome, inputs$weights$values, inputs$weights$name)
  on.exit(free_dataset(data))
  result <- checked(.Call(
    core_search, data, options, one_flag(all, "all"), amounts(mtry), amounts(density),
    one_number(folds, "folds", 2, whole = TRUE), verbosity(verbose)
  ))
  checked(.Call(core_model_keep, result$model))
  if (result$interrupted) warning("interrupted: the best settings so far are kept", call. = FALSE)
  forest <- new_sporf(result$model, call = call, levels = outcome$levels, formula = inputs$formula,
                      truth = outcome, rows = table$rows)
  structure(list(trials = as.data.frame(result$trials), best = result$best, forest = forest,
                 call = call), class = "tune_sporf")
}

amounts <- function(values) {
  if (is.function(values)) stop_sporf("mtry and density to try must be numbers or texts")
  if (is.null(values)) character() else vapply(values, as_text, "", USE.NAMES = FALSE)
}

# Options of all forests that are compared.
tuning_options <- function(given, num.trees, num.threads, seed, outcome) {
  given <- rename_buckets(given)
  special <- list(
    "min-split" = if (!is.null(given$min.node.size)) min_split_text(given$min.node.size),
    "bag" = bag_text(given$replace),
    "bag-fraction" = if (!is.null(given$sample.fraction)) fraction_text(given$sample.fraction),
    "criterion" = splitrule_text(given$splitrule, !is.null(outcome$levels)),
    "class-weights" = if (!is.null(given$class.weights)) {
      class_weights_text(given$class.weights, outcome$levels)
    },
    "honest" = if (!is.null(given$honest)) honest_text(given$honest),
    "samples" = if (!is.null(given$quantreg)) {
      if (one_flag(given$quantreg, "quantreg")) "keep" else "drop"
    }
  )
  handled <- c("min.node.size", "replace", "sample.fraction", "splitrule", "class.weights",
               "honest", "quantreg")
  c(
    "trees" = as_text(one_number(num.trees, "num.trees", 1, whole = TRUE)),
    "threads" = as_text(sporf_threads(num.threads)), "seed" = as_text(seed_of(seed)),
    unlist(special), more_options(given[setdiff(names(given), handled)], FALSE)
  )
}

#' @export
print.tune_sporf <- function(x, ...) {
  best <- x$trials[x$best, ]
  cat("Settings tried:", nrow(x$trials), "\n")
  cat("Best: mtry = ", best$mtry, " (", best$candidates, "), density = ", best$density, ", error ",
      format(best$error, digits = 4), "\n\n", sep = "")
  print(x$trials[order(x$trials$error), c("mtry", "density", "candidates", "trees", "error")],
        row.names = FALSE, digits = 4)
  invisible(x)
}

#' Cross-validation
#'
#' Trains without each fold in turn and predicts its rows.
#'
#' @inheritParams sporf
#' @param folds Number of folds, drawn within classes, or along the values of a number to predict;
#'   or a vector with the fold of each row, from 1 on.
#' @param tune Whether settings are searched in the training rows of each fold, as in the paper; see
#'   [tune_sporf()].
#' @param all,mtry,density As in [tune_sporf()], if `tune` is `TRUE`; otherwise as in [sporf()].
#' @param boost Whether to train with [sporf_boost()] instead of [sporf()].
#' @param combine `"votes"` or `"posteriors"`: how trees become classes.
#' @param ... Further arguments of [sporf()] or [sporf_boost()].
#' @return An object of class `crossval_sporf`: a list of `scores`, a data frame with a row for each
#'   fold; `mean` and `se`, the means over folds and their standard errors; `predictions` and, for
#'   classes, `probabilities` of all rows, each from the forest that did not see it; `fold`; and
#'   `trials`, the settings that were found, if `tune` is `TRUE`.
#' @examples
#' crossval_sporf(Species ~ ., data = iris, num.trees = 50, folds = 5, seed = 1)
#' @export
crossval_sporf <- function(formula = NULL, data = NULL, num.trees = 500, folds = 5, tune = FALSE,
                           all = FALSE, mtry = NULL, density = NULL, boost = FALSE,
                           combine = "votes", case.weights = NULL, num.threads = NULL,
                           verbose = TRUE, seed = NULL, dependent.variable.name = NULL,
                           classification = NULL, x = NULL, y = NULL, ...) {
  inputs <- read_inputs(formula, data, x, y, dependent.variable.name, case.weights)
  table <- training_table(inputs$x)
  outcome <- outcome_of(inputs$y, table$rows, classification, inputs$name)
  one_flag(tune, "tune")
  options <- if (one_flag(boost, "boost")) {
    boosting_options(list(...), num.threads, seed, outcome)
  } else {
    tuning_options(list(...), num.trees, num.threads, seed, outcome)
  }
  if (!tune) {
    if (!is.null(mtry)) options["projections"] <- mtry_text(mtry, ncol(inputs$x))
    if (!is.null(density)) options["density"] <- density_text(density)
  }
  data <- new_dataset(table, outcome, inputs$weights$values, inputs$weights$name)
  on.exit(free_dataset(data))
  result <- checked(.Call(
    core_crossval, data, options, folds_of(folds, table$rows),
    one_of(combine, c("votes", "posteriors"), "combine") == "posteriors", tune,
    one_flag(all, "all"), if (tune) amounts(mtry) else character(),
    if (tune) amounts(density) else character(), verbosity(verbose)
  ))
  if (result$interrupted) warning("interrupted: the folds so far are kept", call. = FALSE)
  validated(result, outcome)
}

folds_of <- function(folds, rows) {
  if (length(folds) == 1L) return(one_number(folds, "folds", 2, rows, whole = TRUE))
  if (length(folds) != rows) {
    stop_sporf("folds has ", length(folds), " values, but there are ", rows, " rows")
  }
  if (is.factor(folds)) folds <- as.integer(folds)
  if (!is.numeric(folds) || anyNA(folds) || any(folds < 1 | folds != round(folds))) {
    stop_sporf("folds must be whole numbers from 1 on")
  }
  empty <- setdiff(seq_len(max(folds)), folds)
  if (length(empty) > 0L) {
    stop_sporf("folds are numbered from 1 on, but fold ", empty[1L], " has no rows")
  }
  as.integer(folds)
}

boosting_options <- function(given, num.threads, seed, outcome) {
  given <- rename_buckets(given)
  names(given)[names(given) == "num.rounds"] <- "rounds"
  names(given)[names(given) == "learning.rate"] <- "rate"
  special <- list(
    "class-weights" = if (!is.null(given$class.weights)) {
      class_weights_text(given$class.weights, outcome$levels)
    },
    "monotone" = if (!is.null(given$monotone)) monotone_text(given$monotone)
  )
  c(
    "learner" = "boosting", "threads" = as_text(sporf_threads(num.threads)),
    "seed" = as_text(seed_of(seed)), unlist(special),
    more_options(given[setdiff(names(given), c("class.weights", "monotone"))], TRUE)
  )
}

validated <- function(result, outcome) {
  scores <- as.data.frame(result$scores)
  scores <- scores[, colSums(!is.na(scores)) > 0, drop = FALSE]
  count <- nrow(scores) - 2L
  object <- list(
    scores = scores[seq_len(count), , drop = FALSE], mean = unlist(scores[count + 1L, ]),
    se = unlist(scores[count + 2L, ]), fold = result$fold
  )
  if (is.null(outcome$levels)) {
    object$predictions <- drop(result$values)
    if (is.matrix(object$predictions)) colnames(object$predictions) <- outcome$names
  } else {
    forest <- list(levels = outcome$levels,
                   places = places_of_classes(result$class.names, outcome$levels))
    object$predictions <- class_factor(result$classes, forest)
    object$probabilities <- class_columns(result$probabilities, forest)
  }
  if (!is.null(result$trials)) object$trials <- as.data.frame(result$trials)
  structure(object, class = "crossval_sporf")
}

#' @export
print.crossval_sporf <- function(x, ...) {
  cat("Cross-validation with", nrow(x$scores), "folds: mean and standard error\n")
  print(rbind(mean = x$mean, se = x$se), digits = 4)
  invisible(x)
}

#' Further options
#'
#' Lists the options that [sporf()] and [sporf_boost()] take as further arguments, beside those that
#' their help pages describe.
#'
#' @return A data frame of the names of arguments, which function takes them (`sporf`,
#'   `sporf_boost`), their types, values, defaults and meanings.
#' @examples
#' sporf_options()[, c("argument", "sporf", "sporf_boost", "values")]
#' @export
sporf_options <- function() {
  options <- as.data.frame(.Call(core_options))
  uses <- function(boosting) {
    used <- vapply(options$name, function(name) .Call(core_learner_uses, name, boosting), NA)
    unname(used)
  }
  dotted <- gsub("-", ".", options$name, fixed = TRUE)
  described <- c(
    names(formals(sporf)), names(formals(sporf_boost)), "learner", "min.split", "bag.fraction",
    "criterion", "samples", "projections", "threads", "trees", "rounds", "rate"
  )
  table <- data.frame(
    argument = dotted, sporf = uses(FALSE), sporf_boost = uses(TRUE), type = options$type,
    values = options$choices, default = options$default, help = options$help
  )
  table[!dotted %in% described, ]
}
