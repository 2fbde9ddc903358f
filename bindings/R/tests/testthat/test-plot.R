# Pictures are drawn to no file; what they return is checked.

drawn <- function(...) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(...)
}

flowers <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
cars <- sporf(mpg ~ ., data = mtcars, num.trees = 20, seed = 1)

test_that("the out-of-bag curve is that of the model", {
  expect_equal(drawn(flowers), data.frame(trees = 1:20, error = flowers$oob.curve))
  expect_equal(drawn(cars, "oob")$error[20]^2, cars$prediction.error)
  one <- sporf(Species ~ ., data = iris, num.trees = 1, seed = 1)
  expect_equal(nrow(drawn(one)), 1)
})

test_that("a boosted model has losses by round", {
  booster <- sporf_boost(Species ~ ., data = iris, num.rounds = 30, seed = 1)
  losses <- drawn(booster)
  expect_named(losses, c("round", "train", "valid"))
  expect_equal(losses$valid, booster$boosting$valid.losses)
  all_rows <- sporf_boost(Species ~ ., data = iris, num.rounds = 5, valid = 0, seed = 1)
  expect_equal(nrow(drawn(all_rows)), 5)
})

test_that("importances are sorted, with standard errors if there are any", {
  shown <- drawn(flowers, "importance", count = 3)
  expect_equal(shown$importance, unname(sort(importance(flowers), decreasing = TRUE))[1:3])
  expect_named(shown, c("feature", "importance"))
  shuffled <- sporf(Species ~ ., data = iris, num.trees = 20, importance = "permutation", seed = 1)
  expect_named(drawn(shuffled, "importance"), c("feature", "importance", "se"))
  expect_equal(drawn(flowers, "projections"), projection_importance(flowers, 20))
})

test_that("a boundary is what the forest predicts, with the other features at their medians", {
  petals <- c("Petal.Length", "Petal.Width")
  grid <- drawn(flowers, "boundary", data = iris, features = petals, steps = 15)
  expect_equal(nrow(grid), 15 * 15)
  rows <- grid
  rows$Sepal.Length <- median(iris$Sepal.Length)
  rows$Sepal.Width <- median(iris$Sepal.Width)
  expect_equal(grid$prediction, predict(flowers, rows)$predictions)
  numbers <- drawn(cars, "boundary", data = mtcars, steps = 10)
  expect_type(numbers$prediction, "double")
  expect_named(numbers, c(names(sort(importance(cars), decreasing = TRUE))[1:2], "prediction"))
})

test_that("boundaries are drawn over factors, logicals, matrices and transformations", {
  wool <- sporf(breaks ~ ., data = warpbreaks, num.trees = 20, seed = 1)
  grid <- drawn(wool, "boundary", data = warpbreaks, features = c("tension", "wool"))
  expect_equal(levels(grid$tension), c("L", "M", "H"))
  expect_equal(nrow(grid), 6)
  table <- data.frame(a = iris$Petal.Length, b = iris$Petal.Width > 1)
  expect_equal(nrow(drawn(sporf(x = table, y = iris$Species, num.trees = 5, seed = 1), "boundary",
                          data = table, y = iris$Species, steps = 9)), 18)
  matrix <- unname(as.matrix(iris[1:4]))
  unnamed <- sporf(x = matrix, y = iris$Species, num.trees = 5, seed = 1)
  expect_named(drawn(unnamed, "boundary", data = matrix, features = c("x1", "x3"), steps = 5),
               c("x1", "x3", "prediction"))
  logs <- sporf(log(mpg) ~ log(hp) + wt, data = mtcars, num.trees = 5, seed = 1)
  grid <- drawn(logs, "boundary", data = mtcars, features = c("log(hp)", "wt"), steps = 5)
  expect_equal(nrow(grid), 25)
  shares <- sporf(Species ~ ., data = iris, num.trees = 5, probability = TRUE, seed = 1)
  expect_s3_class(drawn(shares, "boundary", data = iris, steps = 5)$prediction, "factor")
  holes <- iris
  holes$Petal.Length[1:5] <- NA
  expect_equal(nrow(drawn(flowers, "boundary", data = holes, steps = 5)), 25)
})

test_that("settings of the device are as before", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  graphics::par(mfrow = c(2, 2), mar = c(3, 3, 1, 1))
  before <- graphics::par(c("mar", "mgp", "las", "tcl", "cex", "xpd", "mfrow"))
  plot(flowers)
  plot(flowers, "importance", main = "Importance")
  plot(flowers, "boundary", data = iris, steps = 5)
  plot(cars, "boundary", data = mtcars, steps = 5, main = "mpg", col = c("white", "black"))
  expect_equal(graphics::par(c("mar", "mgp", "las", "tcl", "cex", "xpd", "mfrow")), before)
})

test_that("what cannot be drawn is refused", {
  expect_error(drawn(flowers, "trees"), "type must be", class = "sporf_error")
  expect_error(drawn(flowers, color = "red"), "unknown argument \"color\"", class = "sporf_error")
  expect_error(drawn(flowers, "importance", count = 0), "count must be", class = "sporf_error")
  expect_error(drawn(flowers, "boundary"), "needs data", class = "sporf_error")
  expect_error(drawn(flowers, "boundary", data = iris[0, ]), "no rows", class = "sporf_error")
  expect_error(drawn(flowers, "boundary", data = iris[-1]), "no column \"Sepal.Length\"",
               class = "sporf_error")
  expect_error(drawn(flowers, "boundary", data = 1:3), "data must be a data frame",
               class = "sporf_error")
  expect_error(drawn(flowers, "boundary", data = iris, features = "a"), "names of two features",
               class = "sporf_error")
  expect_error(drawn(flowers, "boundary", data = iris, features = c("Petal.Width", "b")),
               "no feature \"b\"", class = "sporf_error")
  expect_error(drawn(flowers, "boundary", data = iris, y = 1:3), "y has 3 values",
               class = "sporf_error")
  bagless <- sporf(Species ~ ., data = iris, num.trees = 5, bag = "none", seed = 1)
  expect_error(drawn(bagless), "no out-of-bag error", class = "sporf_error")
  two <- sporf(cbind(mpg, hp) ~ ., data = mtcars, num.trees = 5, seed = 1)
  expect_error(drawn(two, "boundary", data = mtcars), "several numbers", class = "sporf_error")
  one <- sporf(mpg ~ wt, data = mtcars, num.trees = 5, seed = 1)
  expect_error(drawn(one, "boundary", data = mtcars), "one feature", class = "sporf_error")
})
