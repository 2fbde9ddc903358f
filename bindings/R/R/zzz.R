#' @keywords internal
#' @useDynLib sporf, .registration = TRUE
"_PACKAGE"
