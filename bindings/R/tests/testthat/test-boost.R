# Boosted models.

test_that("boosting lowers the loss, and predicts", {
  booster <- sporf_boost(Species ~ ., iris, num.rounds = 60, seed = 1)
  expect_s3_class(booster, c("sporf_boost", "sporf"), exact = TRUE)
  losses <- booster$boosting$train.losses
  expect_lt(losses[length(losses)], losses[1] / 2)
  expect_gt(mean(predict(booster, iris)$predictions == iris$Species), 0.95)
  shares <- predict(booster, iris, type = "prob")$predictions
  expect_equal(rowSums(shares), rep(1, 150))
  expect_identical(dim(predict(booster, iris, type = "score")$predictions), c(150L, 3L))
  expect_output(print(booster), "Number of rounds")
  expect_error(predict(booster, iris, type = "votes"), "boosted", class = "sporf_error")
})

test_that("scores are in the order of the levels", {
  turned <- factor(iris$Species, c("virginica", "setosa", "versicolor"))
  booster <- sporf_boost(x = iris[, 1:4], y = turned, num.rounds = 30, seed = 1)
  scores <- predict(booster, iris, type = "score")$predictions
  expect_identical(colnames(scores), levels(turned))
  expect_identical(levels(turned)[max.col(scores)], as.character(predict(booster, iris)$predictions))
  two <- iris[51:150, ]
  two$Species <- factor(two$Species, c("virginica", "versicolor"))
  odds <- sporf_boost(Species ~ ., two, num.rounds = 30, seed = 1)
  expect_equal(plogis(predict(odds, two, type = "score")$predictions),
               unname(predict(odds, two, type = "prob")$predictions[, 2]))
})

test_that("rows to stop by may be given", {
  set.seed(1)
  held <- sample(150, 50)
  booster <- sporf_boost(Species ~ ., iris[-held, ], num.rounds = 40, valid = iris[held, ], seed = 1)
  expect_identical(booster$boosting$valid.rows, 50)
  same <- sporf_boost(x = iris[-held, 1:4], y = iris$Species[-held], num.rounds = 40,
                      valid = list(iris[held, 1:4], iris$Species[held]), seed = 1)
  expect_identical(predict(same, iris)$predictions, predict(booster, iris)$predictions)
})

test_that("losses, monotone features and quantiles are taken", {
  rising <- sporf_boost(mpg ~ wt + hp, mtcars, num.rounds = 50, monotone = c(wt = -1), seed = 1, valid = 0)
  curve <- predict(rising, data.frame(wt = seq(1.5, 5.5, length.out = 30), hp = 120))$predictions
  expect_true(all(diff(curve) <= 1e-6))
  low <- sporf_boost(mpg ~ ., mtcars, num.rounds = 50, loss = "quantile", quantile = 0.1, seed = 1, valid = 0)
  high <- sporf_boost(mpg ~ ., mtcars, num.rounds = 50, loss = "quantile", quantile = 0.9, seed = 1, valid = 0)
  expect_lt(mean(predict(low, mtcars)$predictions), mean(predict(high, mtcars)$predictions))
  expect_error(sporf_boost(mpg ~ ., mtcars, loss = "foo"), "loss", class = "sporf_error")
  expect_error(sporf_boost(mpg ~ ., mtcars, learning.rate = 2), "learning.rate must be", class = "sporf_error")
  expect_error(sporf_boost(mpg ~ ., mtcars, monotone = 1), "named vector", class = "sporf_error")
})
