# A page of HTML on a model, or on several that are compared.

most_models_compared <- 8L

#' A report to look at
#'
#' Writes a page of HTML on a model, or on several that are compared. The page has no scripts and
#' needs no network.
#'
#' Without data it has the settings, the out-of-bag error, importances and projections; with data
#' also their distributions, scores with curves, calibration, dependence on features and single
#' rows. If the data are those of the training, with the rows in the same order, each row is scored
#' by the trees that did not see it. Large tables are scored on a sample, which the page says.
#'
#' @param object A model of [sporf()] or [sporf_boost()].
#' @param file The file to write, such as `"report.html"`. An existing one is replaced.
#' @param data A data frame or matrix of rows with the features of the model. If it also has what the
#'   model predicts, the rows are scored.
#' @param y The classes or numbers of the rows, if `data` does not have them.
#' @param case.weights How much each row counts: numbers, or the name of a column of `data`. Give
#'   those of the training for the rows of the training.
#' @param compare Another model, or a list of up to seven, which predict the same classes or numbers.
#'   The names of the list name them.
#' @param name Name of the model in the page; `NULL`: that of its variable.
#' @param title Title of the page; `NULL`: made of the names.
#' @param combine,calibrated How trees become probabilities, the same for all models; see
#'   [predict.sporf()]. `combine` is needed to compare forests with `probability = TRUE` and without.
#' @param unknown.levels What to do about levels that the training data did not have; see
#'   [predict.sporf()].
#' @param seed Seed of samples and intervals. R's random numbers are not used.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @param verbose Whether to show the progress.
#' @return `file`, invisibly: `browseURL(report(...))` shows it.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
#' file <- tempfile(fileext = ".html")
#' report(forest, file)
#' \donttest{
#' axis <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1, method = "rf")
#' report(forest, file, iris, compare = list("random forest" = axis))
#' }
#' @export
report <- function(object, file, data = NULL, y = NULL, case.weights = NULL, compare = NULL,
                   name = NULL, title = NULL, combine = NULL, calibrated = TRUE,
                   unknown.levels = "error", seed = 0, num.threads = NULL, verbose = FALSE) {
  check_sporf(object)
  variables <- list(substitute(object), substitute(data))
  path <- path_of(file)
  if (!dir.exists(dirname(path))) {
    stop_sporf("file is in the folder ", dQuote(dirname(path), FALSE), ", which does not exist")
  }
  others <- compared_models(compare)
  if (is.null(name)) name <- or(variable_name(variables[[1L]]), "sporf")
  if (!is.null(title)) one_text(title, "title")
  settings <- list(
    seed = one_number(seed, "seed", 0, 2^53, whole = TRUE),
    posteriors = common_posteriors(combine, c(list(object), others)),
    raw = !one_flag(calibrated, "calibrated"),
    threads = sporf_threads(num.threads)
  )
  if (is.null(data) && !is.null(y)) stop_sporf("y is given without data: give both, or none")
  dataset <- NULL
  if (!is.null(data)) {
    data <- plain_table(data, "data")
    truth <- known_truth(object, data, y)
    dataset <- scored_dataset(object, data, truth, case.weights, unknown.levels)
    on.exit(free_dataset(dataset))
    if (is.null(truth)) {
      message("sporf: data does not have what the model predicts, so there are no scores; give it ",
              "as y")
    }
  }
  models <- unname(lapply(c(list(object), others), function(model) model$model))
  page <- checked(.Call(
    core_report, models, dataset, enc2utf8(c(one_text(name, "name"), names(others))), title,
    if (!is.null(data)) variable_name(variables[[2L]]),
    settings, verbosity(verbose)
  ), object$forest$independent.variable.names)
  writeBin(page, path)
  invisible(file)
}

variable_name <- function(given) if (is.name(given)) as.character(given)

# How the trees of all models become probabilities: as `combine` says, or as their predictions do.
common_posteriors <- function(combine, models) {
  if (!is.null(combine)) return(is_posteriors(combine, models[[1L]]))
  forests <- Filter(function(model) is.null(model$boosting), models)
  own <- unique(vapply(forests, function(model) model$probability, NA))
  if (length(own) > 1L) {
    stop_sporf(
      "some of the models were trained with probability = TRUE, others not: say how their trees ",
      "become probabilities with combine = \"votes\" or \"posteriors\""
    )
  }
  any(own)
}

# A named list of models.
compared_models <- function(compare) {
  if (is.null(compare)) return(list())
  if (inherits(compare, "sporf")) compare <- list(compare)
  is_model <- is.list(compare) & vapply(compare, inherits, NA, "sporf")
  if (!all(is_model)) stop_sporf("compare must be a model of sporf(), or a list of such models")
  if (length(compare) >= most_models_compared) {
    stop_sporf(
      "at most ", most_models_compared, " models are compared, but there are ",
      length(compare) + 1L
    )
  }
  names <- names(compare)
  if (is.null(names)) names <- rep("", length(compare))
  unnamed <- names == ""
  names[unnamed] <- paste("model", seq_along(compare) + 1L)[unnamed]
  stats::setNames(compare, names)
}
