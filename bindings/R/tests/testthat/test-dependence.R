# Partial dependence, curves, local effects and interactions.

dependent_table <- typed_table()[, c("a", "b", "whole", "colour", "size", "label", "weight")]
asked <- sporf(label ~ a + b + whole + colour + size, dependent_table, num.trees = 20, seed = 3)
cars <- sporf(mpg ~ ., data = mtcars, num.trees = 20, seed = 1)

test_that("partial dependence is the mean prediction of rows with the value", {
  found <- dependence(asked, dependent_table, "colour", case.weights = "weight")
  expect_identical(as.character(found$values$colour), c("blue", "green", "red"))
  for (level in c("blue", "red")) {
    rows <- dependent_table
    rows$colour <- factor(level, levels(rows$colour))
    shares <- predict(asked, rows, type = "prob")$predictions
    expected <- colSums(shares * rows$weight) / sum(rows$weight)
    expect_equal(found$mean[found$points$colour == level, ], expected, tolerance = 1e-12)
  }
})

test_that("curves of rows are their predictions, and their mean is the partial dependence", {
  found <- dependence(cars, mtcars, c("wt", "hp"), kind = "ice", values = list(c(2, NA, 3), c(90, 200)))
  expect_identical(found$points$hp, c(90, 200, 90, 200, 90, 200))
  for (point in seq_len(6)) {
    rows <- mtcars
    rows$wt <- found$points$wt[point]
    rows$hp <- found$points$hp[point]
    expect_identical(found$individual[, point, 1], unname(predict(cars, rows)$predictions))
  }
  expect_equal(unname(found$mean[, "prediction"]), colMeans(found$individual[, , 1]))
  lines <- as.data.frame(found)
  expect_named(lines, c("row", "wt", "hp", "prediction"))
  expect_equal(nrow(lines), 6 + 32 * 6)
  expect_equal(lines$prediction[lines$row %in% 7], found$individual[7, , 1])
  expect_equal(sum(is.na(lines$row)), 6)
})

test_that("local effects have the mean 0, and boosted models have scores of the second level", {
  found <- dependence(cars, mtcars, "wt", kind = "ale", grid = 4)
  expect_equal(nrow(found$mean), 5)
  bins <- pmax(findInterval(mtcars$wt - 1e-6, found$values$wt), 1)
  expect_equal(mean(found$mean[bins] + found$mean[bins + 1]), 0)
  two <- droplevels(iris[iris$Species != "setosa", ])
  for (levels in list(c("versicolor", "virginica"), c("virginica", "versicolor"))) {
    two$Species <- factor(two$Species, levels)
    booster <- sporf_boost(Species ~ ., two, num.rounds = 5, seed = 1)
    curve <- dependence(booster, two, "Petal.Width", values = 1.9, scores = TRUE)
    rows <- transform(two, Petal.Width = 1.9)
    expect_identical(colnames(curve$mean), "score")
    expect_equal(curve$mean[[1]], mean(predict(booster, rows, type = "score")$predictions))
  }
})

test_that("they are the command's", {
  model <- tempfile(fileext = ".sporf")
  table <- tempfile(fileext = ".csv")
  out <- tempfile(fileext = ".csv")
  on.exit(unlink(c(model, table, out)))
  write_sporf(asked, model)
  write_table(dependent_table, table)
  ask_command <- function(...) {
    system2(command(), c("dependence", "--model", model, "--data", table, "--output", out,
                         "--weight", "weight", ...), stderr = FALSE)
    read.csv(out, check.names = FALSE)
  }
  for (kind in c("pdp", "ice", "ale")) {
    lines <- ask_command("--features", "a", "--kind", kind, "--sample", 60, "--seed", 4)
    found <- dependence(asked, dependent_table, "a", kind = kind, sample = 60, seed = 4,
                        case.weights = "weight")
    own <- as.data.frame(found)
    expect_equal(own$a, lines$value, tolerance = 1e-7) # which are of single precision
    expect_equal(own$yes, lines$yes, tolerance = 1e-9)
    expect_equal(own$no, lines$no, tolerance = 1e-9)
    expect_equal(as.numeric(own$row), as.numeric(lines$row))
  }
  lines <- ask_command("--features", "a,colour", "--pairs", "--grid", 3)
  own <- as.data.frame(dependence(asked, dependent_table, c("a", "colour"), grid = 3,
                                  case.weights = "weight"))
  expect_equal(own$yes, lines$yes, tolerance = 1e-9)
  expect_identical(as.character(own$colour), lines$value_2)
  lines <- ask_command("--features", "a,b,colour", "--interactions", "--sample", 50)
  found <- interactions(asked, dependent_table, c("a", "b", "colour"), sample = 50,
                        case.weights = "weight")
  pairs <- lines[lines$feature_2 != "", ]
  expect_identical(found$pairs$feature, pairs$feature)
  expect_identical(found$pairs$feature_2, pairs$feature_2)
  expect_equal(found$pairs$h, pairs$h, tolerance = 1e-9)
  expect_equal(found$pairs$strength, pairs$strength, tolerance = 1e-9)
  totals <- lines[lines$feature_2 == "", ]
  expect_equal(unname(found$total[totals$feature]), totals$h, tolerance = 1e-9)
})

test_that("interactions are found where they are, also of formulas and unnamed matrices", {
  set.seed(2)
  rows <- as.data.frame(matrix(runif(600), 200))
  rows$y <- rows$V1 * rows$V2 + rows$V3
  product <- sporf(y ~ ., rows, num.trees = 50, seed = 1)
  found <- interactions(product, rows, sample = 100)
  expect_setequal(unlist(found$pairs[1, 1:2]), c("V1", "V2"))
  expect_identical(found$rows, 100)
  logs <- sporf(mpg ~ log(hp) + wt, mtcars, num.trees = 10, seed = 1)
  expect_identical(dependence(logs, mtcars, "log(hp)", grid = 3)$features, "log(hp)")
  matrix <- unname(as.matrix(iris[1:4]))
  unnamed <- sporf(x = matrix, y = iris$Species, num.trees = 5, seed = 1)
  expect_identical(dependence(unnamed, matrix, 3)$features, "x3")
  strange <- iris
  names(strange)[1:2] <- c("row", "setosa")
  forest <- sporf(Species ~ ., strange, num.trees = 5, seed = 1)
  found <- as.data.frame(dependence(forest, strange, c("row", "setosa"), kind = "ice", grid = 2))
  expect_identical(anyDuplicated(names(found)), 0L)
})

test_that("pictures are drawn of numbers, factors, pairs and interactions", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(c("mar", "mgp", "las", "xpd"))
  curve <- dependence(asked, dependent_table, "a", grid = 5)
  expect_equal(plot(curve), data.frame(a = curve$values$a, no = curve$mean[, "no"]))
  expect_named(plot(curve, output = "yes"), c("a", "yes"))
  expect_silent(plot(dependence(asked, dependent_table, "colour", kind = "ice", sample = 20)))
  expect_silent(plot(dependence(cars, mtcars, "wt", kind = "ice"), main = "Curves"))
  expect_silent(plot(dependence(cars, mtcars, "wt", kind = "ale")))
  expect_silent(plot(dependence(asked, dependent_table, c("size", "a"))))
  expect_silent(plot(dependence(cars, mtcars, c("wt", "hp"), values = list(3, c(100, NA)))))
  expect_silent(plot(dependence(cars, mtcars, "wt", values = 3)))
  pairs <- interactions(cars, mtcars, c("wt", "hp", "disp"))
  expect_equal(plot(pairs, "strength", count = 2)$strength, pairs$pairs$strength[1:2])
  expect_equal(nrow(plot(pairs, "total")), 3)
  expect_equal(graphics::par(c("mar", "mgp", "las", "xpd")), before)
  flowers <- sporf(Species ~ ., iris, num.trees = 5, seed = 1)
  expect_silent(plot(dependence(flowers, iris, "Petal.Width")))
  expect_error(plot(dependence(flowers, iris, 3:4, grid = 2)), "output must be one of",
               class = "sporf_error")
  nothing <- dependence(cars, mtcars, "wt", values = NA)
  expect_error(plot(nothing), "all values of the grid are missing", class = "sporf_error")
})

test_that("a feature that is missing in all rows takes the values that are given", {
  gaps <- dependent_table[c(3, 50), ]
  found <- dependence(asked, gaps, c("b", "a"), values = list(0.5, c(-1, 1)))
  rows <- gaps
  rows$a <- -1
  rows$b <- 0.5
  expect_equal(found$mean[1, ], colMeans(predict(asked, rows, type = "prob")$predictions))
  message <- "all are missing: give other rows"
  expect_error(dependence(asked, gaps, "a"), paste0(message, ", or give the values$"))
  expect_error(interactions(asked, gaps, c("a", "b")), paste0(message, "$"))
})

test_that("what cannot be asked is refused", {
  refused <- function(...) expect_error(dependence(...), class = "sporf_error")$message
  expect_match(refused(asked, dependent_table, "color"), "did you mean 'colour'")
  expect_match(refused(asked, dependent_table, 9), "features 1 to 5, but not 9")
  expect_match(refused(asked, dependent_table, c("a", "a")), "\"a\" twice")
  expect_match(refused(asked, dependent_table, c("a", "b", "size")), "one or two features, got 3")
  expect_match(refused(asked, dependent_table, "colour", kind = "ale"), "\"colour\" is a factor")
  expect_match(refused(asked, dependent_table, c("a", "b"), kind = "ale"), "of one feature")
  expect_match(refused(asked, dependent_table, "a", kind = "mean"), "kind must be")
  expect_match(refused(asked, dependent_table, "a", scores = TRUE), "of boosted models")
  expect_match(refused(asked, dependent_table, "a", quantiles = c(1, 0)), "quantiles must be")
  expect_match(refused(asked, dependent_table, "a", sample = 0), "sample must be")
  for (kind in c("pdp", "ice", "ale")) {
    expect_match(refused(asked, dependent_table, "a", kind, grid = 1), "grid must be .* from 2 to")
  }
  expect_match(refused(asked, dependent_table, "a", sample = Inf), "from 1 to 2147483648, got Inf")
  expect_match(refused(asked, dependent_table, "a", values = "x"), "must be numbers")
  expect_match(refused(asked, dependent_table, "a", values = numeric(0)), "has none for \"a\"")
  expect_match(refused(asked, dependent_table, "a", values = Inf), "at most 1e30")
  expect_match(refused(asked, dependent_table, "colour", values = "pink"), "level \"pink\"")
  expect_match(refused(asked, dependent_table, c("a", "b"), values = 1), "list of 2 vectors")
  expect_match(refused(asked, dependent_table[0, ], "a"), "data has no rows")
  expect_match(refused(asked, dependent_table[-1], "a"), "data lacks the column \"a\"")
  expect_match(refused(asked, dependent_table[c(3, 50), ], "a"), "column \"a\" has no values")
  expect_match(refused(asked, dependent_table, "a", case.weights = -1), "case.weights")
  expect_error(interactions(asked, dependent_table, "a"), "at least two features",
               class = "sporf_error")
})
