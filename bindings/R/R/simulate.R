#' Simulated tables
#'
#' Draws tables of the paper's problems: `simulate_sparse_parity()` and `simulate_orthant()`, in
#' which a class depends on several features at once; `simulate_trunk()`, two normal distributions
#' whose means differ a little less in each further feature; `simulate_consistency()`, on which
#' usual random forests are not consistent; and of Friedman's problems for regression (1991).
#'
#' @param n Number of rows.
#' @param p Number of features; 0 for the usual number (20, 6, 10, 2; 10, 4, 4).
#' @param seed The seed. The numbers are those of the command's `sporf simulate` with this seed.
#'   `NULL`: drawn from R's random numbers.
#' @param problem 1, 2 or 3.
#' @param noise Standard deviation of the noise; `NULL` for the usual one (1, 125 and 0.1).
#' @return A data frame with the features `x1`, `x2` and so on, and `y`, a factor or a number.
#' @references Tomita, T. M. and others (2020) Sparse Projection Oblique Randomer Forests. *JMLR*
#'   21(104), 1-39.
#'
#'   Friedman, J. H. (1991) Multivariate adaptive regression splines. *Annals of Statistics* 19(1),
#'   1-67.
#' @examples
#' head(simulate_orthant(5, seed = 1))
#' table(simulate_sparse_parity(100, seed = 1)$y)
#' @name simulate_sparse_parity
#' @export
simulate_sparse_parity <- function(n, p = 0, seed = NULL) simulated("sparse-parity", n, p, seed)

#' @rdname simulate_sparse_parity
#' @export
simulate_orthant <- function(n, p = 0, seed = NULL) simulated("orthant", n, p, seed)

#' @rdname simulate_sparse_parity
#' @export
simulate_trunk <- function(n, p = 0, seed = NULL) simulated("trunk", n, p, seed)

#' @rdname simulate_sparse_parity
#' @export
simulate_consistency <- function(n, p = 0, seed = NULL) simulated("consistency", n, p, seed)

#' @rdname simulate_sparse_parity
#' @export
simulate_friedman <- function(n, problem = 1, p = 0, seed = NULL, noise = NULL) {
  one_number(problem, "problem", 1, 3, whole = TRUE)
  if (!is.null(noise)) one_number(noise, "noise", 0)
  simulated(paste0("friedman", problem), n, p, seed, noise)
}

simulated <- function(problem, n, p, seed, noise = NULL) {
  one_number(n, "n", 1, whole = TRUE)
  one_number(p, "p", 0, whole = TRUE)
  drawn <- checked(.Call(core_simulate, problem, n, p, seed_of(seed), noise))
  colnames(drawn$x) <- paste0("x", seq_len(ncol(drawn$x)))
  data <- as.data.frame(drawn$x)
  data$y <- if (is.double(drawn$y)) drawn$y else factor(drawn$classes[drawn$y], drawn$classes)
  data
}
