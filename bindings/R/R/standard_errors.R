# Standard errors of predictions, from how the trees' predictions go with the rows in their bags
# (Wager, Hastie and Efron 2014), also without replacement (Wager and Athey 2018). Sampling noise of
# a finite number of trees is subtracted.

predict_se <- function(ask, method) {
  needs_forest(ask, "standard errors")
  method <- one_of(method, c("infjack", "jack"), "se.method")
  object <- ask$object
  if (is.null(object$inbag.counts)) {
    stop_sporf("standard errors need the bags: train with keep.inbag = TRUE")
  }
  if (method == "jack" && !object$replace) {
    stop_sporf(
      "se.method = \"jack\" needs rows drawn with replacement: train with replace = TRUE, or use ",
      "se.method = \"infjack\""
    )
  }
  if (!is.null(object$forest$levels)) ask$posteriors <- ask$raw <- TRUE
  by_tree <- predict_leaves(ask)
  outputs <- if (length(dim(by_tree)) == 2L) list(by_tree) else {
    lapply(seq_len(dim(by_tree)[2L]), function(k) matrix(by_tree[, k, ], dim(by_tree)[1L]))
  }
  counts <- do.call(cbind, object$inbag.counts)
  # Bags are drawn from the rows that have weight.
  rows <- round(mean(colSums(counts)) / as.numeric(object$settings["bag-fraction"]))
  errors <- vapply(
    outputs, standard_error, numeric(dim(by_tree)[1L]), counts, rows, method, object$replace
  )
  errors <- matrix(errors, dim(by_tree)[1L])
  if (is.null(object$forest$levels)) {
    return(list(predictions = predict_response(ask), se = named_targets(errors, object)))
  }
  colnames(errors) <- object$forest$levels
  list(predictions = predict_shares(ask, "probabilities"), se = errors)
}

# Of predictions [rows to predict, trees] and counts [training rows, trees], of which `rows` have weight.
standard_error <- function(by_tree, counts, rows, method, replace) {
  trees <- ncol(by_tree)
  centred <- by_tree - rowMeans(by_tree)
  noise <- rowSums(centred^2) / trees
  if (method == "infjack") {
    deviation <- counts - rowMeans(counts)
    covariance <- tcrossprod(deviation, centred) / trees
    variance <- colSums(covariance^2) - sum(rowMeans(deviation^2)) * noise / trees
  } else {
    is_out <- counts == 0L
    used <- rowSums(is_out) > 0L
    left_out <- tcrossprod(is_out[used, , drop = FALSE] / rowSums(is_out)[used], centred)
    variance <- (rows - 1) / rows * colSums(left_out^2) - (exp(1) - 1) * rows * noise / trees
  }
  if (!replace) {
    drawn <- mean(colSums(counts > 0L))
    variance <- variance * (rows - 1) / rows * (rows / (rows - drawn))^2
  }
  sqrt(pmax(variance, 0))
}
