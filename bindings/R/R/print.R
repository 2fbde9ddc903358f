#' Print and summarise models
#'
#' `print()` shows what a model is and how good it is; `summary()` adds its settings, its size and
#' the most important features.
#'
#' @param x,object A model of [sporf()] or [sporf_boost()].
#' @param ... Not used.
#' @return `print()` its argument, invisibly; `summary()` an object of class `summary.sporf`.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' forest
#' summary(forest)
#' @export
print.sporf <- function(x, ...) {
  line <- function(name, value) cat(sprintf("%-35s%s\n", paste0(name, ":"), value))
  cat("sporf result\n\n")
  if (!is.null(x$call)) cat("Call:\n", call_text(x$call), "\n\n")
  line("Type", x$treetype)
  line("Method", x$settings["method"])
  if (is.null(x$boosting)) {
    line("Number of trees", x$num.trees)
  } else {
    line("Number of rounds", x$num.rounds)
  }
  if (!is.null(x$num.samples)) line("Sample size", x$num.samples)
  line("Number of independent variables", x$num.independent.variables)
  if (!is.na(x$mtry)) line("Mtry", x$mtry)
  if (x$settings["method"] %in% c("sporf", "frc")) line("Density", x$settings["density"])
  if (!is.null(x$variable.importance)) line("Variable importance mode", x$importance.mode)
  for (score in error_lines(x)) line(score[1L], score[2L])
  invisible(x)
}

# Of a call that has a whole table in it, as do.call() makes it, the beginning.
call_text <- function(call) {
  lines <- deparse(call, nlines = 6L)
  if (length(lines) > 5L) lines <- c(lines[1:5], "...")
  paste(lines, collapse = "\n ")
}

error_lines <- function(x) {
  if (!is.null(x$boosting)) {
    losses <- x$boosting$valid.losses
    if (length(losses) == 0L) return(list())
    return(list(c("Loss of held-out rows", format(losses[x$num.rounds], digits = 5))))
  }
  if (is.na(x$prediction.error)) {
    return(list(c("OOB prediction error", "not known")))
  }
  if (is.null(x$forest$levels)) {
    return(list(
      c("OOB prediction error (MSE)", format(x$prediction.error, digits = 5)),
      c("R squared (OOB)", format(x$r.squared, digits = 5))
    ))
  }
  if (x$probability && !is.null(x$predictions)) {
    return(list(c("OOB prediction error (Brier s.)", format(x$prediction.error, digits = 5))))
  }
  list(c("OOB prediction error", sprintf("%.2f %%", 100 * x$prediction.error)))
}

#' @importFrom stats formula nobs fitted
#' @export
formula.sporf <- function(x, ...) {
  if (is.null(x$forest$formula)) stop_sporf("the model was trained without a formula")
  formula <- x$forest$formula$formula
  environment(formula) <- parent.frame()
  formula
}

#' @export
fitted.sporf <- function(object, ...) object$predictions

#' @export
nobs.sporf <- function(object, ...) object$num.samples

#' @rdname print.sporf
#' @export
summary.sporf <- function(object, ...) {
  structure(list(
    object = object, size = checked(.Call(core_summary, object$model)),
    importance = sort(importance(object), decreasing = TRUE)
  ), class = "summary.sporf")
}

#' @export
print.summary.sporf <- function(x, ...) {
  print(x$object)
  size <- x$size
  cat("\nNodes:", format(size[["nodes"]], big.mark = ","), " leaves:",
      format(size[["leaves"]], big.mark = ","), " mean depth:",
      format(size[["mean.depth"]], digits = 3),
      " features in a split:", format(size[["mean.nonzeros"]], digits = 3), "\n")
  if (!is.null(x$object$confusion.matrix)) {
    cat("\nOut-of-bag confusion matrix:\n")
    print(x$object$confusion.matrix)
  }
  cat("\nMost important features:\n")
  print(round(utils::head(x$importance, 10L), 4))
  cat("\nSettings:\n")
  cat(strwrap(paste(names(x$object$settings), x$object$settings, sep = " = ", collapse = ", "),
              width = 0.9 * getOption("width"), prefix = "  "), sep = "\n")
  invisible(x)
}
