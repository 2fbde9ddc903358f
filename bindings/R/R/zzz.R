#' @keywords internal
#' @useDynLib sporf, .registration = TRUE
"_PACKAGE"

.onLoad <- function(libname, pkgname) {
  when_loaded("parsnip", register_parsnip)
  when_loaded("mlr3", register_mlr3)
  register_generics()
}

# Names that the methods of mlr3's learners find in their class.
utils::globalVariables(
  c("self", "private", "super", "parameters", "types", "LearnerClassif", "LearnerRegr")
)
