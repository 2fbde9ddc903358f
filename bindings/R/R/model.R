# The object that users hold, and the file that the command and Python share.

# R's place of each class of the library's, which sorts them its own way.
places_of_classes <- function(classes, levels) {
  match(classes, names_of_classes(levels))
}

# Levels as the library names classes: if all are whole numbers, "2.0" is the class 2.
names_of_classes <- function(levels) {
  numbers <- suppressWarnings(as.numeric(levels))
  is_whole <- !is.na(numbers) & abs(numbers) < 2^53 & numbers == round(numbers)
  if (all(is_whole)) sprintf("%.0f", numbers) else levels
}

# What an object knows of the columns.
features_of <- function(info) {
  names <- if (is.null(info$names)) paste0("x", seq_len(info$features)) else info$names
  list(
    names = info$names, shown = names, count = info$features, levels = info$levels,
    ordered = info$ordered, any.levels = any(lengths(info$levels) > 0L)
  )
}

treetype_of <- function(info, probability) {
  kind <- if (is.null(info$classes)) {
    "Regression"
  } else if (probability) {
    "Probability estimation"
  } else {
    "Classification"
  }
  if (is.null(info$boosting)) kind else paste("Boosted", tolower(kind))
}

number_or_text <- function(setting) {
  number <- suppressWarnings(as.numeric(setting))
  if (is.na(number)) unname(setting) else number
}

draws_again <- function(settings) {
  bag <- settings["bag"]
  unname(bag %in% c("bootstrap", "stratified") || (bag %in% "auto" && settings["method"] != "ccf"))
}

# An object of a model; `truth` and `rows` are known right after training.
new_sporf <- function(model, call = NULL, levels = NULL, formula = NULL, probability = FALSE,
                      truth = NULL, rows = NULL) {
  info <- checked(.Call(core_describe, model))
  settings <- info$settings
  if (is.null(levels)) levels <- info$classes
  number <- function(name) suppressWarnings(as.numeric(settings[name]))
  features <- features_of(info)
  object <- list(
    call = call,
    treetype = treetype_of(info, probability),
    num.trees = info$trees,
    num.independent.variables = info$features,
    num.samples = rows,
    mtry = number_or_text(settings["projections"]),
    min.node.size = unname(number("min-split")) - 1,
    splitrule = if (is.null(info$classes)) "variance" else unname(settings["criterion"]),
    importance.mode = "none",
    replace = draws_again(settings),
    sample.fraction = unname(number("bag-fraction")),
    settings = settings,
    probability = probability,
    forest = list(
      num.trees = info$trees,
      independent.variable.names = features$shown,
      dependent.variable.name = if (is.null(info$classes)) info$targets else info$label,
      features = features,
      levels = levels,
      places = if (!is.null(levels)) places_of_classes(info$classes, levels),
      targets = info$targets,
      quantreg = info$samples,
      formula = kept_formula(formula)
    ),
    model = model
  )
  class(object) <- if (is.null(info$boosting)) "sporf" else c("sporf_boost", "sporf")
  if (is.null(info$boosting)) with_oob(object, truth) else with_rounds(object, info$boosting)
}

with_rounds <- function(object, boosting) {
  object$boosting <- boosting
  object$num.rounds <- boosting$rounds
  object
}

# ---- out-of-bag results ------------------------------------------------------------------------

with_oob <- function(object, truth) {
  oob <- checked(.Call(core_oob, object$model, object$probability))
  object$oob.curve <- oob$curve
  object$prediction.error <- oob$error
  if (is.null(object$forest$levels)) {
    object$prediction.error <- oob$error^2
    object$r.squared <- oob$r2
    if (!is.null(oob$predictions)) object$predictions <- named_targets(oob$predictions, object)
    return(object)
  }
  object$kappa <- oob$kappa
  if (is.null(oob$classes)) {
    if (object$probability) object$prediction.error <- NA_real_ # it needs votes, which files lack
    return(object)
  }
  object$predictions <- class_factor(oob$classes, object$forest)
  object$confusion.matrix <- confusion(truth$codes, object$predictions)
  if (object$probability) with_shares(object, oob$votes, truth$codes) else object
}

most_classes_shown <- 1000L # a larger matrix would take more room than most models

# How often rows of each true class (their codes) are predicted as each.
confusion <- function(truth, predicted) {
  levels <- levels(predicted)
  if (length(levels) > most_classes_shown) return(NULL)
  count <- length(levels)
  cells <- tabulate(truth + count * (as.integer(predicted) - 1L), count^2)
  as.table(matrix(cells, count, dimnames = list(true = levels, predicted = levels)))
}

with_shares <- function(object, votes, truth) {
  shares <- class_columns(votes / rowSums(votes), object$forest)
  object$predictions <- shares
  of_truth <- shares[cbind(seq_along(truth), truth)]
  object$prediction.error <- mean((1 - of_truth)^2, na.rm = TRUE)
  object
}

# Classes of the library's, from 1 on, as a factor with R's levels.
class_factor <- function(codes, forest) {
  codes <- forest$places[codes]
  attr(codes, "levels") <- forest$levels
  class(codes) <- "factor"
  codes
}

# Columns for the library's classes, in the order of R's levels.
class_columns <- function(values, forest) {
  columns <- matrix(0, nrow(values), length(forest$levels), dimnames = list(NULL, forest$levels))
  storage.mode(columns) <- storage.mode(values)
  columns[, forest$places] <- values
  columns
}

named_targets <- function(values, object) {
  if (ncol(values) == 1L) return(as.vector(values))
  colnames(values) <- object$forest$targets
  values
}

# ---- files -------------------------------------------------------------------------------------

#' Model files
#'
#' The command `sporf`, Python and R share model files. `write_sporf()` saves a model,
#' `read_sporf()` reads one, and `as_sporf()` makes one from the bytes of such a file, which
#' `as.raw()` gives. [saveRDS()] works, too, and keeps also what only R knows, such as out-of-bag
#' predictions.
#'
#' @param object,x An object of class `sporf`; for `as_sporf()` also a raw vector or the path of a
#'   file.
#' @param file The path of a file. An existing one is replaced once the new one is complete.
#' @param probability Whether predictions of a model for classification are probabilities.
#' @return `read_sporf()` and `as_sporf()` an object of class `sporf`, without out-of-bag
#'   predictions; `write_sporf()` its object, invisibly.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
#' file <- tempfile(fileext = ".sporf")
#' write_sporf(forest, file)
#' again <- read_sporf(file)
#' identical(as.raw(again), as.raw(forest))
#' @export
write_sporf <- function(object, file) {
  check_sporf(object)
  checked(.Call(core_model_write, object$model, path_of(file)))
  invisible(object)
}

#' @rdname write_sporf
#' @export
read_sporf <- function(file, probability = FALSE) {
  model <- checked(.Call(core_model_read, path_of(file)))
  checked(.Call(core_model_keep, model))
  new_sporf(model, probability = probability)
}

#' @rdname write_sporf
#' @export
as_sporf <- function(x, probability = FALSE) {
  if (inherits(x, "sporf")) return(x)
  if (is.character(x)) return(read_sporf(x, probability))
  if (!is.raw(x)) stop_sporf("x must be the bytes of a model file, got ", class(x)[1L])
  new_sporf(checked(.Call(core_model_load, x)), probability = probability)
}

#' @export
as.raw.sporf <- function(x) checked(.Call(core_model_bytes, x$model))

path_of <- function(file) {
  if (is.character(file) && length(file) == 1L && !is.na(file)) return(enc2utf8(path.expand(file)))
  stop_sporf("file must be the path of a file, got ", shown(file))
}

check_sporf <- function(object) {
  if (inherits(object, "sporf")) return(invisible())
  stop_sporf("object must be a model of sporf(), got ", class(object)[1L])
}
