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
#' `treeInfo()` gives a tree as a data frame, `tree_text()` as text, `tree_svg()` as a picture, and
#' `decision_path()` the nodes that rows pass. `plot(forest, "tree")` draws it, too.
#'
#' @param object A model of [sporf()] or [sporf_boost()].
#' @param tree The number of the tree, from 1 on; there are `object$num.trees`.
#' @param depth How many levels of splits to show; `NULL`: all of them.
#' @param file A file to write; `NULL`: none.
#' @param newdata A data frame or matrix of rows with the features of the model.
#' @param unknown.levels What to do about levels that the training data did not have; see
#'   [predict.sporf()].
#' @return `treeInfo()` a data frame with a row for each node, with ranger's columns `nodeID` (from 0
#'   on), `leftChild`, `rightChild`, `splitvarName`, `splitval`, `terminal` and `prediction`. The
#'   variable of a split is a sum of features, such as `Sepal.Length - Petal.Width`; a row goes left
#'   if it is at most `splitval`. A set of levels, such as `colour in {red, blue}`, counts as 1 if
#'   the level is in it, otherwise as 0. `projection` has the same as numbers: a list of named
#'   vectors of weights. `missingLeft` says where rows go whose value is missing. `depth` is the
#'   number of splits above a node, `weight` the weight of its training rows, which count as often as
#'   they were drawn for the tree; in boosted models the sum of the hessians. Leaves for classes have
#'   a column `pred.CLASS` of class shares, too.
#'
#'   `tree_text()` one text with the conditions of the splits: rows for which they hold go to `yes`,
#'   the others to `no`. `tree_svg()` a text, too, invisibly if it is written to a file.
#'
#'   `decision_path()` a list: for each row the `nodeID` of the nodes from the root to its leaf.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 5, seed = 1)
#' treeInfo(forest, 1)[1:5, c("nodeID", "leftChild", "rightChild", "splitvarName", "splitval")]
#' cat(tree_text(forest, 1, depth = 2))
#' decision_path(forest, iris[c(1, 51, 101), ], tree = 1)
#' plot(forest, "tree", tree = 1, depth = 3)
#' @export
treeInfo <- function(object, tree = 1) {
  if (inherits(object, "ranger")) return(getExportedValue("ranger", "treeInfo")(object, tree))
  nodes <- checked_tree(object, tree)
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
    terminal = is_leaf, depth = node_depths(nodes), weight = node_weights(nodes)
  )
  info$projection <- terms
  cbind(info, leaf_predictions(object, nodes$values))
}

checked_tree <- function(object, tree) {
  check_sporf(object)
  one_number(tree, "tree", 1, object$num.trees, whole = TRUE)
  tree_of(object, tree)
}

# Children come after their parents.

node_depths <- function(nodes) {
  depths <- integer(length(nodes$leaf))
  for (i in which(is.na(nodes$leaf))) {
    depths[c(nodes$left[i], nodes$right[i]) + 1L] <- depths[i] + 1L
  }
  depths
}

node_weights <- function(nodes) {
  weights <- nodes$weight
  for (i in rev(which(is.na(nodes$leaf)))) {
    weights[i] <- weights[nodes$left[i] + 1L] + weights[nodes$right[i] + 1L]
  }
  weights
}

# A tree as text or SVG.
shown_tree <- function(object, tree, depth, svg) {
  check_sporf(object)
  one_number(tree, "tree", 1, object$num.trees, whole = TRUE)
  if (!is.null(depth)) one_number(depth, "depth", 0, whole = TRUE)
  all <- is.null(depth) || depth >= 2^31
  checked(.Call(core_show_tree, object$model, tree, if (all) -1 else depth, svg))
}

#' @rdname treeInfo
#' @export
tree_text <- function(object, tree = 1, depth = NULL) shown_tree(object, tree, depth, FALSE)

#' @rdname treeInfo
#' @export
tree_svg <- function(object, tree = 1, depth = 4, file = NULL) {
  svg <- shown_tree(object, tree, depth, TRUE)
  if (is.null(file)) return(svg)
  writeBin(charToRaw(enc2utf8(svg)), path_of(file))
  invisible(svg)
}

#' @rdname treeInfo
#' @export
decision_path <- function(object, newdata, tree = 1, unknown.levels = "error") {
  nodes <- checked_tree(object, tree)
  parents <- rep(NA_integer_, length(nodes$leaf))
  for (i in which(is.na(nodes$leaf))) {
    parents[c(nodes$left[i], nodes$right[i]) + 1L] <- i - 1L
  }
  ends <- stats::predict(
    object, newdata, type = "terminalNodes", unknown.levels = unknown.levels
  )$predictions[, tree]
  lapply(ends, function(node) {
    path <- node
    while (!is.na(above <- parents[path[1L] + 1L])) path <- c(above, path)
    path
  })
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
