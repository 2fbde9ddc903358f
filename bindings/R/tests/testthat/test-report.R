# Pages of HTML: the command's, for what R knows.

page_of <- function(...) {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  expect_identical(report(file = file, ...), file)
  readChar(file, file.size(file), useBytes = TRUE)
}

has <- function(page, text) expect_true(grepl(text, page, fixed = TRUE))
has_not <- function(page, text) expect_false(grepl(text, page, fixed = TRUE))

flowers <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)

test_that("the page is the command's, scored by the trees that did not see the rows", {
  model <- tempfile(fileext = ".sporf")
  table <- tempfile(fileext = ".csv")
  out <- tempfile(fileext = ".html")
  on.exit(unlink(c(model, table, out)))
  rows <- typed_table()[, c("a", "b", "whole", "colour", "size", "label")]
  forest <- sporf(label ~ ., rows, num.trees = 20, seed = 3)
  write_sporf(forest, model)
  write_table(rows, table)
  system2(command(), c("report", "--model", model, "--data", table, "--output", out), stderr = FALSE)
  lines <- function(page) strsplit(page, "><", fixed = TRUE)[[1]]
  expected <- gsub(table, "rows", readChar(out, file.size(out), useBytes = TRUE), fixed = TRUE)
  found <- lines(page_of(forest, data = rows, name = model))
  expect_gt(length(found), 1000)
  # The command's also tells how to make it.
  others <- setdiff(found, lines(expected))
  expect_identical(others[nchar(others) < 100], "td>rows</td")
  expect_lte(length(others), 2)
  expect_lt(length(lines(expected)) - length(found), 20)
})

test_that("data, truth and comparisons are optional, and the same inputs give the same page", {
  alone <- page_of(flowers)
  has(alone, "<title>Report on flowers<")
  has_not(alone, "<script")
  expect_identical(page_of(flowers), alone)
  with_data <- page_of(flowers, data = iris)
  expect_gt(nchar(with_data), nchar(alone))
  has(with_data, "ROC")
  expect_message(without <- page_of(flowers, data = iris[-5]), "there are no scores")
  has_not(without, "ROC")
  expect_silent(given <- page_of(flowers, data = iris[-5], y = as.character(iris$Species)))
  has(given, "ROC")
  axis <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1, method = "rf")
  both <- page_of(flowers, data = iris, compare = list(axis, "by <rounds>" = axis), title = "a & b")
  has(both, "<title>a &amp; b")
  has(both, "model 2")
  has(both, "by &lt;rounds&gt;")
  has(page_of(flowers, compare = axis), "model 2")
})

test_that("regression, boosted models, formulas, weights and models from files are reported", {
  cars <- sporf(cbind(mpg, hp) ~ ., data = mtcars, num.trees = 10, seed = 1)
  has(page_of(cars, data = mtcars), "RMSE")
  logs <- sporf(log(mpg) ~ log(hp) + wt, mtcars, num.trees = 10, seed = 1)
  has(page_of(logs, data = mtcars), "RMSE")
  booster <- sporf_boost(Species ~ ., iris, num.rounds = 3, seed = 1)
  has(page_of(booster, data = iris), "ROC")
  file <- tempfile(fileext = ".sporf")
  on.exit(unlink(file))
  write_sporf(flowers, file)
  has(page_of(read_sporf(file), data = iris), "ROC")
  weighted <- typed_table()[, c("a", "b", "label", "weight")]
  forest <- sporf(label ~ ., weighted, num.trees = 10, seed = 1, case.weights = "weight")
  has(page_of(forest, data = weighted, case.weights = "weight"), "ROC")
  # A class that the model does not know, and not all of those that it knows.
  rows <- iris[51:150, ]
  rows$Species <- as.character(rows$Species)
  rows$Species[1] <- "rosa"
  has(page_of(flowers, data = rows), "ROC")
})

test_that("models whose trees become probabilities otherwise are compared by what is said", {
  shares <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1, probability = TRUE)
  file <- tempfile()
  for (pair in list(list(flowers, shares), list(shares, flowers))) {
    expect_error(report(pair[[1]], file, iris, compare = pair[[2]]), "with combine =",
                 class = "sporf_error")
  }
  has(page_of(flowers, data = iris, compare = shares, combine = "posteriors"), "ROC")
  booster <- sporf_boost(Species ~ ., iris, num.rounds = 3, seed = 1)
  has(page_of(booster, data = iris, compare = shares), "ROC")
  has(page_of(shares, data = iris, compare = booster), "ROC")
  expect_error(report(booster, file, combine = "none"), "combine must be", class = "sporf_error")
})

test_that("names that are hostile are shown as they are", {
  strange <- iris
  names(strange)[1:3] <- c("<b>", "a\"b", "x & y")
  levels(strange$Species) <- c("<script>", "'", "z")
  forest <- sporf(Species ~ ., strange, num.trees = 5, seed = 1)
  page <- page_of(forest, data = strange, name = "<i>")
  has_not(page, "<script>")
  has_not(page, "<i>")
  has(page, "&lt;script&gt;")
})

test_that("what cannot be reported is refused, before the work", {
  refused <- function(...) expect_error(report(...), class = "sporf_error")$message
  file <- tempfile()
  expect_match(refused(flowers, file.path(tempdir(), "none", "a.html")), "which does not exist")
  expect_match(refused(flowers, 1), "file must be the path")
  expect_match(refused(flowers, file, y = iris$Species), "y is given without data")
  expect_match(refused(flowers, file, iris, y = 1:3), "y has 3 values")
  expect_match(refused(flowers, file, iris[0, ]), "data has no rows")
  expect_match(refused(flowers, file, compare = list(1)), "compare must be")
  expect_match(refused(flowers, file, compare = rep(list(flowers), 8)), "at most 8 models")
  cars <- sporf(mpg ~ ., data = mtcars, num.trees = 5, seed = 1)
  expect_match(refused(flowers, file, compare = cars), "regression|classes|predict")
  expect_match(refused(cars, file, mtcars, y = iris[1:32, 1:2]), "y has 2 columns")
  holes <- iris
  holes$Species[3] <- NA
  expect_match(refused(flowers, file, holes), "missing values in row 3")
  expect_false(file.exists(file))
})
