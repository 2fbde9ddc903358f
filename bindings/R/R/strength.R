#' Strength and correlation of the trees
#'
#' How good the trees of a forest for classification are, and how much they are alike, from their
#' out-of-bag rows (Breiman 2001).
#'
#' @param object A model of [sporf()] for classification.
#' @param data The data frame that it was trained on, with the rows in the same order. For a model
#'   of `x` and `y`, this is `x`.
#' @param y The classes, if the model was trained with `x` and `y`.
#' @param case.weights The weights of the training, if it had any.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @return A named vector: `strength`, the mean over rows of the share of votes for the true class
#'   less the largest share of another one; `correlation`, the variance of these margins, divided by
#'   the square of the mean standard deviation of those of single trees; and `bound`, an upper bound
#'   on the error of ever more such trees.
#' @references Breiman, L. (2001) Random forests. *Machine Learning* 45, 5-32.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' strength(forest, iris)
#' @export
strength <- function(object, data, y = NULL, case.weights = NULL, num.threads = NULL) {
  check_sporf(object)
  needs_classes(list(object = object), "strength and correlation")
  dataset <- training_dataset(object, data, y, case.weights)
  on.exit(free_dataset(dataset))
  checked(.Call(core_strength, object$model, dataset, sporf_threads(num.threads)))
}
