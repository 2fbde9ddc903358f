#' sporf in caret
#'
#' Makes a model for `caret::train(method = )`, with forests or with boosting.
#'
#' @param boost Whether to use [sporf_boost()] instead of [sporf()].
#' @return A list, as caret wants it for a model of its users.
#' @details The tuning parameters of forests are `mtry`, the number of candidate splits in a node;
#'   `density`, the share of the features in a split; and `min.node.size`. Those of boosting are
#'   `num.rounds`, the maximum number of rounds; `learning.rate`; and `max.depth`. The value 0 of
#'   `mtry`, `density`, `learning.rate` or `max.depth` stands for sporf's own choice. A single
#'   setting (`tuneLength = 1`) has these zeros, and is a good start: a forest chooses by out-of-bag
#'   error what caret would choose by resampling.
#'
#'   Further arguments of `caret::train()` are passed to [sporf()] or [sporf_boost()]. One thread is
#'   used unless `num.threads` is given, because caret may run several trainings at a time. With `x`
#'   and `y` factors stay whole; a formula makes caret split them into columns of zeros and ones.
#'   `trainControl(method = "oob")` works for forests.
#' @seealso [sporf_learners] for mlr, mlr3 and parsnip.
#' @examples
#' if (requireNamespace("caret", quietly = TRUE)) {
#'   fitted <- caret::train(
#'     x = iris[, 1:4], y = iris$Species, method = sporf_caret(), num.trees = 50,
#'     tuneGrid = data.frame(mtry = c(2, 8), density = 0, min.node.size = 1),
#'     trControl = caret::trainControl(method = "oob")
#'   )
#'   print(fitted$bestTune)
#'   predict(fitted, iris[c(1, 51, 101), ])
#' }
#' @export
sporf_caret <- function(boost = FALSE) {
  one_flag(boost, "boost")
  model <- list(
    label = if (boost) "Gradient Boosting with Oblique Trees" else "Oblique Random Forest",
    library = "sporf", type = c("Classification", "Regression"), loop = NULL,
    parameters = if (boost) caret_boost_parameters else caret_forest_parameters,
    grid = if (boost) caret_boost_grid else caret_forest_grid,
    fit = if (boost) caret_boost_fit else caret_forest_fit,
    predict = caret_predict, prob = caret_prob, predictors = caret_predictors,
    varImp = caret_importance, levels = caret_levels,
    tags = c(
      if (boost) "Boosting" else c("Random Forest", "Bagging"), "Ensemble Model",
      "Implicit Feature Selection", "Accepts Case Weights", "Handle Missing Predictor Data"
    ),
    sort = if (boost) caret_boost_sort else caret_forest_sort
  )
  if (!boost) model$oob <- caret_oob
  model
}

caret_parameters <- function(names, labels) {
  data.frame(parameter = names, class = rep("numeric", length(names)), label = labels)
}

caret_forest_parameters <- caret_parameters(
  c("mtry", "density", "min.node.size"),
  c("#Candidate Splits", "Share of Features in a Split", "Minimal Node Size")
)

caret_boost_parameters <- caret_parameters(
  c("num.rounds", "learning.rate", "max.depth"),
  c("Maximal #Rounds", "Learning Rate", "Maximal Depth")
)

# Powers of p, as in the paper.
caret_forest_grid <- function(x, y, len = NULL, search = "grid") {
  features <- ncol(x)
  size <- if (is.factor(y)) 1 else 4
  if (search == "random") {
    return(data.frame(
      mtry = ceiling(features^stats::runif(len, 0.25, 1.5)),
      density = pmin(stats::runif(len, 1, 6) / features, 1),
      min.node.size = sample.int(min(20L, nrow(x)), len, replace = TRUE)
    ))
  }
  if (len == 1L) return(data.frame(mtry = 0, density = 0, min.node.size = size))
  expand.grid(
    mtry = unique(ceiling(features^seq(0.5, 1.5, length.out = len))),
    density = unique(pmin(round(seq(1, 5, length.out = len)) / features, 1)),
    min.node.size = size
  )
}

caret_boost_grid <- function(x, y, len = NULL, search = "grid") {
  if (search == "random") {
    return(data.frame(
      num.rounds = rep(2000, len), learning.rate = 10^stats::runif(len, -2, -0.5),
      max.depth = sample.int(8L, len, replace = TRUE)
    ))
  }
  if (len == 1L) return(data.frame(num.rounds = 2000, learning.rate = 0, max.depth = 0))
  expand.grid(
    num.rounds = 2000, learning.rate = unique(10^seq(-2, -0.5, length.out = len)),
    max.depth = 1 + seq_len(len)
  )
}

# 0 stands for the choice of sporf.
chosen <- function(value) if (value > 0) value

caret_fit <- function(boost, settings, x, y, weights, given) {
  defaults <- c(settings, list(num.threads = 1, verbose = FALSE))
  defaults$case.weights <- weights
  arguments <- c(list(boost, x = caret_frame(x), y = y), with_given(defaults, given))
  model <- do.call(fit_learner, arguments)
  model$y <- y
  model
}

caret_forest_fit <- function(x, y, wts, param, lev, last, classProbs, ...) {
  settings <- list(
    mtry = chosen(param$mtry), density = chosen(param$density), min.node.size = param$min.node.size
  )
  caret_fit(FALSE, settings, x, y, wts, list(...))
}

caret_boost_fit <- function(x, y, wts, param, lev, last, classProbs, ...) {
  settings <- list(
    num.rounds = param$num.rounds, learning.rate = chosen(param$learning.rate),
    max.depth = chosen(param$max.depth)
  )
  caret_fit(TRUE, settings, x, y, wts, list(...))
}

caret_frame <- function(x) if (is.data.frame(x)) x else as.data.frame(as.matrix(x))

caret_levels <- function(x) if (is.null(x$obsLevels)) x$forest$levels else x$obsLevels

caret_predict <- function(modelFit, newdata, submodels = NULL) {
  predicted <- stats::predict(modelFit, caret_frame(newdata), num.threads = 1)$predictions
  if (is.null(modelFit$forest$levels)) predicted else as_classes(predicted, caret_levels(modelFit))
}

caret_prob <- function(modelFit, newdata, submodels = NULL) {
  predicted <- stats::predict(modelFit, caret_frame(newdata), type = "prob", num.threads = 1)
  as.data.frame(for_all_classes(predicted$predictions, caret_levels(modelFit)))
}

caret_predictors <- function(x, ...) used_features(x)

caret_importance <- function(object, ...) {
  measured <- importance(object)
  data.frame(Overall = as.vector(measured), row.names = names(measured))
}

caret_oob <- function(x) {
  predicted <- x$predictions
  if (!is.null(x$forest$levels)) predicted <- as_classes(predicted, levels(x$y))
  caret::postResample(predicted, x$y)
}

caret_forest_sort <- function(x) x[order(x$mtry, x$density, -x$min.node.size), ]

caret_boost_sort <- function(x) x[order(x$num.rounds, x$max.depth, -x$learning.rate), ]
