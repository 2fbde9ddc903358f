#' Similar rows
#'
#' The proximity of two rows is the share of the trees in which they end in the same leaf.
#'
#' @param object A model of [sporf()].
#' @param data A data frame or matrix.
#' @param newdata Another one, to be compared with the rows of `data`; by default the same.
#' @param nearest If given, only so many of the nearest rows of `data` are returned for each row of
#'   `newdata`. This works for large tables, whose matrix would not fit into memory.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @return A matrix with a row for each row of `newdata` and a column for each row of `data`. With
#'   `nearest` a list of two matrices, `rows` (numbers of rows of `data`, the nearest first) and
#'   `proximity`.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' close <- proximity(forest, iris)
#' mean(close[iris$Species == "setosa", iris$Species == "virginica"])
#' proximity(forest, iris, iris[51, ], nearest = 3)$rows
#' @export
proximity <- function(object, data, newdata = data, nearest = NULL, num.threads = NULL) {
  check_sporf(object)
  threads <- sporf_threads(num.threads)
  reference <- rows_dataset(object, data, what = "data")
  on.exit(free_dataset(reference))
  others <- rows_dataset(object, newdata)
  on.exit(free_dataset(others), add = TRUE)
  if (is.null(nearest)) {
    cells <- as.numeric(nrow(data)) * nrow(newdata)
    if (cells > 2^28) {
      stop_sporf("the matrix would have ", format(cells, big.mark = ","), " cells: give nearest =")
    }
    return(checked(.Call(core_proximities, object$model, others, reference, threads)))
  }
  one_number(nearest, "nearest", 1, nrow(data), whole = TRUE)
  lapply(checked(.Call(core_nearest, object$model, reference, others, nearest, threads)), t)
}
