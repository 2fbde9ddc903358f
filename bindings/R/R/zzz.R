#' sporf: sparse projection oblique randomer forests
#'
#' Random forests whose trees split on sums of a few features. Start with [sporf()], or with
#' [sporf_boost()] for gradient boosting. [predict.sporf()] predicts, [importance()] and
#' [projection_importance()] say what matters, [tune_sporf()] and [crossval_sporf()] compare
#' settings. The vignettes are `vignette("oblique", package = "sporf")` and
#' `vignette("ranger", package = "sporf")`.
#'
#' @name sporf-package
#' @docType package
#' @keywords internal
#' @useDynLib sporf, .registration = TRUE
NULL

.onLoad <- function(libname, pkgname) {
  when_loaded("parsnip", register_parsnip)
  when_loaded("mlr3", register_mlr3)
  register_generics()
}

# Names that the methods of mlr3's learners find in their class.
utils::globalVariables(
  c("self", "private", "super", "parameters", "types", "LearnerClassif", "LearnerRegr")
)
