#' Sparse projection oblique randomer forests
#'
#' Grows a forest whose trees split on sums of a few features, for classification or regression.
#' Arguments have the names of [ranger](https://cran.r-project.org/package=ranger) where ranger has
#' them, so that `sporf()` can take the place of `ranger()`.
#'
#' @param formula A formula, such as `Species ~ .`. The left-hand side is a factor (classification)
#'   or a number (regression); texts and logicals are classes; `cbind(y1, y2)` predicts several
#'   numbers. Interactions are refused: forests find them. Terms such as `log(hp)` are computed again
#'   for new data; `scale()`, `poly()`, `bs()` and `ns()` with what they learnt from the training data.
#'   What else depends on all rows, as `cut()` into a number of parts does, has to be computed before.
#' @param data A data frame. Features may be numbers, logicals, factors and ordered factors, and may
#'   have missing values.
#' @param num.trees Number of trees. `"auto"`: as many as help, from 50 to 2000: training ends when
#'   more trees would lower the out-of-bag loss by half a percent at most, or by a twentieth of
#'   its standard error.
#' @param mtry Number of candidate splits in each node. It may be larger than the number of
#'   features, because there are more sums of features than features. A number, a function of the
#'   number of features, or a text such as `"sqrt"` or `"p^0.75"`. `NULL`: pilot forests choose it
#'   by out-of-bag error, together with `density` and `min.bucket`; see `effort`.
#' @param importance `"none"`, `"impurity"` or `"permutation"`.
#' @param probability Whether predictions are probabilities of classes.
#' @param min.node.size Nodes with this many rows or fewer are not split. `NULL`: 1, or 4 in
#'   regression.
#' @param max.depth Maximum depth; `NULL` or 0 for no limit.
#' @param replace Whether the rows of a tree are drawn with replacement. `NULL`: yes, but method
#'   `"ccf"` takes all rows; and for method `"sporf"`, if `mtry` is `NULL`, trees for the
#'   classes of more than 10,000 rows have 0.8 of them, drawn without replacement.
#' @param sample.fraction Share of the rows to draw. `NULL`: 1 with replacement, otherwise 0.632, or
#'   0.8 where `replace` says so.
#' @param case.weights How much each row counts: a number for each row, or the name of a column of
#'   `data`. Only ratios matter. Unlike ranger's, these weights do not change how rows are drawn.
#' @param class.weights A weight for each class, in the order of the levels or by name, or
#'   `"balanced"`.
#' @param splitrule `"gini"` or `"entropy"`; in regression `"variance"`.
#' @param quantreg Whether leaves keep the training values, for quantiles and intervals. `NULL`: in
#'   regression yes.
#' @param keep.inbag Whether to keep how often each row was drawn for each tree, as
#'   `inbag.counts`, a list; standard errors need it.
#' @param num.threads Number of threads; 0 for all cores. `NULL`: see [sporf_threads()]. It never
#'   changes the forest.
#' @param verbose Whether to show progress if it takes more than two seconds; in scripts, a line
#'   every half minute.
#' @param seed The seed. The same seed gives the same forest on every machine, with any number of
#'   threads. `NULL`: drawn from R's random numbers, so that [set.seed()] makes it repeatable.
#' @param dependent.variable.name Name of the column to predict, instead of a formula. Use it for
#'   tables with very many columns.
#' @param classification Whether to predict classes although `y` holds numbers.
#' @param x,y Features and what to predict, instead of a formula: a data frame or a matrix, and a
#'   vector. A sparse matrix is converted to a dense one, with a message.
#' @param method How candidate splits are drawn: `"sporf"` (sums of a few features with weights -1
#'   and +1), `"rf"` (single features: the usual random forest), `"frc"` (sums with weights from
#'   U(-1, 1)), `"rr-rf"` (a random rotation for each tree), `"ccf"` (canonical correlations) or
#'   `"patch"` (windows of series and images).
#' @param density Share of the features in a split, such as `0.1` or `"3/p"`. `NULL`: chosen.
#' @param scale Whether features are divided by their spread while splits are drawn: `"auto"`,
#'   `"none"`, `"sd"`, `"range"` or `"iqr"`.
#' @param honest Whether leaves are filled by rows that did not choose the splits: `TRUE`, or the
#'   share of these rows.
#' @param effort How much time the choice of settings is worth: `"low"` (none), `"default"` (about
#'   an eighth of the work of the trees) or `"high"` (up to 40 times that work).
#' @param ... Further options of the command, with dots for dashes, such as `min.bucket` (the least
#'   number of rows in a leaf), `bag`, `split`, `weights`, `nonzeros`, `calibration`,
#'   `max.memory` or `device` (`"auto"`, `"cpu"` or `"gpu"`: what grows the trees, which never changes
#'   the forest). [sporf_options()] lists them. Arguments of ranger's that mean nothing here are
#'   ignored at their defaults and refused otherwise.
#'
#' @return An object of class `sporf`: a list that has, as ranger's,
#'   \item{predictions}{Out-of-bag predictions: a factor, numbers or, with `probability = TRUE`, a
#'     matrix of the shares of votes.}
#'   \item{prediction.error}{Out-of-bag error: the share of wrong classes, the mean squared error
#'     or, for probabilities, the mean of (1 - share of votes for the true class)^2. The first two
#'     count rows by weight, if there are weights of rows or classes.}
#'   \item{confusion.matrix, r.squared}{Of the out-of-bag predictions. The matrix counts rows.}
#'   \item{variable.importance}{If `importance` asks for it.}
#'   \item{num.trees, num.independent.variables, num.samples, mtry, min.node.size, treetype, call,
#'     splitrule, importance.mode, replace, sample.fraction, inbag.counts}{As in ranger.}
#'
#'   and
#'   \item{settings}{The settings that the forest was grown with, those that were chosen included,
#'     under the names of the command. `stopped` is there if training ended with `"enough"` trees,
#'     or when its `"time"` was over.}
#'   \item{oob.curve}{The out-of-bag error of the first 1, 2, ... trees: the share of wrong classes,
#'     or the root mean squared error.}
#'   \item{forest}{Names, kinds and levels of the columns.}
#'   \item{model}{The trees. They are saved with the object.}
#'
#' @details An interrupt (Ctrl-C, or Stop in RStudio) ends the training and keeps the trees grown
#'   so far, with a warning; code that follows goes on. With `time = "10m"` (or seconds) training
#'   ends after that time with the trees grown so far.
#'
#'   Features are kept in single precision, which tells numbers apart by about seven digits.
#'
#' @references Tomita, T. M., Browne, J., Shen, C., Chung, J., Patsolic, J. L., Falk, B., Yim,
#'   J., Priebe, C. E., Burns, R., Maggioni, M. and Vogelstein, J. T. (2020) Sparse Projection
#'   Oblique Randomer Forests. *Journal of Machine Learning Research* 21(104), 1-39.
#' @seealso [predict.sporf()], [sporf_boost()], [tune_sporf()], [importance()]
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 100, seed = 1)
#' forest
#' predict(forest, iris[c(1, 51, 101), ])$predictions
#'
#' # Regression, with prediction intervals
#' cars <- sporf(mpg ~ ., data = mtcars, num.trees = 100, seed = 1)
#' predict(cars, mtcars[1:3, ], type = "interval")$predictions
#'
#' # The usual random forest, for comparison
#' sporf(Species ~ ., data = iris, num.trees = 100, method = "rf", seed = 1)$prediction.error
#' @export
sporf <- function(formula = NULL, data = NULL, num.trees = 500, mtry = NULL, importance = "none",
                  probability = FALSE, min.node.size = NULL, max.depth = NULL, replace = NULL,
                  sample.fraction = NULL, case.weights = NULL, class.weights = NULL,
                  splitrule = NULL, quantreg = NULL, keep.inbag = FALSE, num.threads = NULL,
                  verbose = TRUE, seed = NULL, dependent.variable.name = NULL,
                  classification = NULL, x = NULL, y = NULL, method = "sporf", density = NULL,
                  scale = "auto", honest = FALSE, effort = "default", ...) {
  call <- match.call()
  call[[1L]] <- as.name("sporf")
  importance <- one_of(importance, c("none", "impurity", "permutation"), "importance")
  one_flag(probability, "probability")
  one_flag(keep.inbag, "keep.inbag")
  inputs <- read_inputs(formula, data, x, y, dependent.variable.name, case.weights)
  table <- training_table(inputs$x)
  if (probability && is.null(classification)) classification <- TRUE
  outcome <- outcome_of(inputs$y, table$rows, classification, inputs$name)
  is_classes <- !is.null(outcome$levels)
  if (isTRUE(quantreg) && is_classes) stop_sporf("quantreg is for regression, but y holds classes")
  given <- list(
    "trees" = trees_text(num.trees),
    "projections" = if (!is.null(mtry)) mtry_text(mtry, ncol(inputs$x)),
    "min-split" = if (!is.null(min.node.size)) min_split_text(min.node.size),
    "max-depth" = if (!is.null(max.depth)) {
      as_text(one_number(max.depth, "max.depth", 0, whole = TRUE))
    },
    "bag" = bag_text(replace),
    "bag-fraction" = if (!is.null(sample.fraction)) fraction_text(sample.fraction),
    "class-weights" = if (!is.null(class.weights)) {
      class_weights_text(class.weights, outcome$levels)
    },
    "criterion" = splitrule_text(splitrule, is_classes),
    "samples" = if (!is.null(quantreg)) if (one_flag(quantreg, "quantreg")) "keep" else "drop",
    "method" = one_text(method, "method"),
    "density" = if (!is.null(density)) density_text(density),
    "scale" = one_text(scale, "scale"),
    "honest" = honest_text(honest),
    "effort" = one_text(effort, "effort"),
    "threads" = as_text(sporf_threads(num.threads)),
    "seed" = as_text(seed_of(seed))
  )
  options <- joined_options(unlist(given), more_options(rename_buckets(list(...)), FALSE))
  train(inputs, table, outcome, options, call, probability = probability,
        importance = importance, keep.inbag = keep.inbag, num.threads = num.threads,
        verbose = verbose)
}

# ranger's later name for the least number of rows of a leaf.
rename_buckets <- function(given) {
  names(given)[names(given) == "min.bucket"] <- "min.leaf"
  given
}

# Trains, and makes the object of all that came of it.
train <- function(inputs, table, outcome, options, call, probability = FALSE, importance = "none",
                  keep.inbag = FALSE, num.threads = NULL, verbose = TRUE, valid = NULL) {
  data <- new_dataset(table, outcome, inputs$weights$values, inputs$weights$name)
  on.exit(free_dataset(data))
  result <- checked(.Call(core_train, data, options, valid, verbosity(verbose)), table$names)
  object <- new_sporf(
    result$model, call = call, levels = outcome$levels, formula = inputs$formula,
    probability = probability, truth = outcome, rows = table$rows
  )
  object$search.seconds <- result$search.seconds
  object$importance.mode <- importance
  if (importance != "none") {
    object$variable.importance <- unless_refused(
      "importances", measured_importance(object, importance, data, num.threads, verbose)
    )
  }
  if (keep.inbag) object$inbag.counts <- unless_refused("bags", bags(object, data, num.threads))
  free_dataset(data)
  checked(.Call(core_model_keep, object$model))
  if (result$interrupted) {
    warning("interrupted: the model has the ", object$num.trees, " trees grown so far",
            call. = FALSE)
  }
  object
}

# What cannot be measured afterwards must not cost the forest.
unless_refused <- function(what, result) {
  tryCatch(result, sporf_error = function(e) {
    warning("the forest has no ", what, ": ", conditionMessage(e), call. = FALSE)
    NULL
  })
}

# How often each row is in the bag of each tree: a list by tree.
bags <- function(object, data, num.threads) {
  counts <- checked(.Call(
    core_bags, object$model, data, object$num.trees, sporf_threads(num.threads)
  ))
  lapply(seq_len(ncol(counts)), function(tree) counts[, tree])
}
