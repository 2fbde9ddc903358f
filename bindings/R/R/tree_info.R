# Trees as data frames.

# The terms of a split, as a named vector of weights. A set of levels is named "f in {a, b}".
projection_terms <- function(object, features, weights) {
  columns <- object$forest$independent.variable.names
  names <- columns[features]
  for (i in which(features > length(columns))) {
    set <- checked(.Call(core_level_set, object$model, features[i] - length(columns)))
    names[i] <- if (is.null(set$levels)) {
      columns[set$feature]
    } else {
      paste0(columns[set$feature], " in {", paste(set$levels, collapse = ", "), "}")
    }
  }
  stats::setNames(weights, names)
}

# "x1 - x2 + 0.5 x3"
projection_text <- function(object, features, weights) {
  terms <- projection_terms(object, features, weights)
  size <- abs(terms)
  numbers <- ifelse(size == 1, "", paste0(format(size, digits = 3L, trim = TRUE), " "))
  signs <- ifelse(terms < 0, "- ", "+ ")
  text <- paste0(signs, numbers, names(terms), collapse = " ")
  sub("^\\+ ", "", sub("^- ", "-", text))
}

#' The nodes of a tree
#'
#' @param object A model of [sporf()] or [sporf_boost()].
#' @param tree The number of the tree, from 1 on.
#' @return A data frame with a row for each node, with ranger's columns `nodeID` (from 0 on),
#'   `leftChild`, `rightChild`, `splitvarName`, `splitval`, `terminal` and `prediction`. The
#'   variable of a split is a sum of features, such as `Sepal.Length - Petal.Width`; a row goes left
#'   if it is at most `splitval`. A set of levels, such as `colour in {red, blue}`, counts as 1 if
#'   the level is in it, otherwise as 0. `projection` has the same as numbers: a list of named
#'   vectors of weights. `missingLeft` says where rows go whose value is missing. Leaves for classes
#'   have a column `pred.CLASS` of class shares, too.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 5, seed = 1)
#' treeInfo(forest, 1)[1:5, c("nodeID", "leftChild", "rightChild", "splitvarName", "splitval")]
#' @export
treeInfo <- function(object, tree = 1) {
  if (inherits(object, "ranger")) return(getExportedValue("ranger", "treeInfo")(object, tree))
  check_sporf(object)
  one_number(tree, "tree", 1, object$num.trees, whole = TRUE)
  nodes <- tree_of(object, tree)
  count <- length(nodes$leaf)
  is_leaf <- !is.na(nodes$leaf)
  texts <- rep(NA_character_, count)
  terms <- vector("list", count)
  for (i in which(!is_leaf)) {
    terms[[i]] <- projection_terms(object, nodes$features[[i]], nodes$weights[[i]])
    texts[i] <- projection_text(object, nodes$features[[i]], nodes$weights[[i]])
  }
  info <- data.frame(
    nodeID = seq_len(count) - 1L, leftChild = nodes$left, rightChild = nodes$right,
    splitvarName = texts, splitval = nodes$threshold, missingLeft = nodes$missing,
    terminal = is_leaf
  )
  info$projection <- terms
  cbind(info, leaf_predictions(object, nodes$values))
}

leaf_predictions <- function(object, values) {
  forest <- object$forest
  if (is.null(forest$levels) || inherits(object, "sporf_boost")) {
    colnames(values) <- if (ncol(values) == 1L) "prediction" else paste0("pred.", forest$targets)
    return(as.data.frame(values))
  }
  shares <- values / rowSums(values)
  best <- rep(NA_integer_, nrow(values))
  is_leaf <- !is.na(values[, 1L])
  best[is_leaf] <- max.col(values[is_leaf, , drop = FALSE], ties.method = "first")
  shares <- class_columns(shares, forest)
  colnames(shares) <- paste0("pred.", forest$levels)
  cbind(data.frame(prediction = class_factor(best, forest)), shares)
}
