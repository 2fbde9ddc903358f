# Trees as data frames, text and pictures, and the paths of rows.

rows <- typed_table()[, c("a", "b", "whole", "colour", "size", "label")]
forest <- sporf(label ~ ., rows, num.trees = 5, seed = 3)
cars <- sporf(mpg ~ ., mtcars, num.trees = 5, seed = 1)

test_that("nodes have their depth, and the weight of their rows", {
  for (model in list(forest, cars)) {
    info <- treeInfo(model, 2)
    inner <- !info$terminal
    left <- info$leftChild[inner] + 1
    right <- info$rightChild[inner] + 1
    expect_equal(info$weight[inner], info$weight[left] + info$weight[right])
    expect_equal(info$depth[left], info$depth[inner] + 1)
    expect_equal(info$depth[right], info$depth[inner] + 1)
    expect_equal(info$depth[1], 0)
  }
  expect_equal(treeInfo(forest, 1)$weight[1], 200)
  booster <- sporf_boost(mpg ~ ., mtcars, num.rounds = 2, valid = 0, seed = 1)
  expect_equal(treeInfo(booster, 1)$weight[1], 32) # the hessian of squared errors is 1
})

test_that("paths lead from the root to the leaf, each node to a child", {
  paths <- decision_path(forest, rows, tree = 4)
  info <- treeInfo(forest, 4)
  leaves <- predict(forest, rows, type = "terminalNodes")$predictions[, 4]
  expect_equal(vapply(paths, function(path) path[length(path)], 0L), leaves)
  expect_true(all(vapply(paths, `[`, 0L, 1L) == 0))
  for (path in paths) {
    above <- path[-length(path)] + 1
    expect_true(all(path[-1] == info$leftChild[above] | path[-1] == info$rightChild[above]))
  }
  expect_equal(lengths(paths), info$depth[leaves + 1] + 1)
  expect_length(decision_path(forest, rows[3, ]), 1)
  expect_length(decision_path(forest, rows[0, ]), 0)
})

test_that("text and SVG are the command's", {
  model <- tempfile(fileext = ".sporf")
  out <- tempfile()
  on.exit(unlink(c(model, out)))
  write_sporf(forest, model)
  plot_by_command <- function(...) {
    system2(command(), c("plot", "--model", model, "--output", out, ...), stderr = FALSE)
    enc2utf8(readLines(out, encoding = "UTF-8"))
  }
  expect_identical(strsplit(tree_text(forest, 3), "\n")[[1]], plot_by_command("--tree", 3, "--text"))
  expect_identical(strsplit(tree_text(forest, 3, depth = 1), "\n")[[1]],
                   plot_by_command("--tree", 3, "--text", "--depth", 1))
  expect_identical(strsplit(tree_svg(forest, 2), "\n")[[1]], plot_by_command("--tree", 2))
  file <- tempfile(fileext = ".svg")
  expect_invisible(tree_svg(forest, 2, file = file))
  expect_identical(readLines(file, encoding = "UTF-8"), plot_by_command("--tree", 2))
  unlink(file)
})

test_that("a tree is drawn down to a depth", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(c("mar", "mgp", "xpd", "cex"))
  for (model in list(forest, cars, sporf_boost(Species ~ ., iris, num.rounds = 2, seed = 1))) {
    info <- treeInfo(model, 1)
    shown <- expect_silent(plot(model, "tree", depth = 2))
    expect_equal(nrow(shown), sum(info$depth <= 2))
    expect_equal(sort(shown$depth), sort(info$depth[info$depth <= 2]))
    expect_silent(plot(model, "tree", tree = 2, depth = NULL, main = "All of it"))
  }
  expect_equal(nrow(plot(forest, "tree", depth = 0)), 1)
  expect_equal(graphics::par(c("mar", "mgp", "xpd", "cex")), before)
  strange <- iris
  names(strange)[1:4] <- c("yes: (n", "  a  (b)", "<svg>", paste(rep("long", 30), collapse = " "))
  levels(strange$Species) <- c("no: x", "y  (n = 3)", "\"z\"")
  odd <- sporf(Species ~ ., strange, num.trees = 3, seed = 1)
  for (tree in 1:3) {
    info <- treeInfo(odd, tree)
    shown <- plot(odd, "tree", tree = tree, depth = NULL)
    expect_equal(sort(shown$depth), sort(info$depth))
  }
  expect_false(grepl("<svg>", sub("^<svg", "", tree_svg(odd)), fixed = TRUE))
})

test_that("no depth and an infinite one show all of a tree", {
  for (depth in c(2^31, 2^53, Inf)) {
    expect_identical(tree_text(forest, 1, depth), tree_text(forest, 1))
    expect_identical(tree_svg(forest, 1, depth), tree_svg(forest, 1, NULL))
  }
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(forest, "tree", depth = Inf), plot(forest, "tree", depth = NULL))
})

test_that("trees that do not exist are refused", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  refused <- function(code) expect_error(code, class = "sporf_error")$message
  expect_match(refused(treeInfo(forest, 6)), "tree must be a whole number from 1 to 5")
  expect_match(refused(tree_text(forest, 0)), "tree must be")
  expect_match(refused(tree_text(forest, depth = -1)), "depth must be")
  expect_match(refused(tree_svg(forest, file = 1)), "file must be")
  expect_match(refused(decision_path(forest, rows, 1.5)), "tree must be")
  expect_match(refused(decision_path(forest, rows[-1])), "lacks the column \"a\"")
  expect_match(refused(plot(forest, "tree", tree = 9)), "tree must be")
  expect_match(refused(tree_text(rows)), "must be a model of sporf")
})
