# Search for settings, cross-validation, simulations.

test_that("the best settings give the forest of sporf()", {
  tuned <- tune_sporf(Species ~ ., iris, num.trees = 20, seed = 1, mtry = c(1, 4), density = c("1/p", "3/p"),
                      all = TRUE)
  expect_identical(nrow(tuned$trials), 4L)
  best <- tuned$trials[tuned$best, ]
  expect_equal(best$error, min(tuned$trials$error))
  same <- sporf(Species ~ ., iris, num.trees = 20, seed = 1, mtry = best$mtry, density = best$density)
  expect_identical(as.raw(tuned$forest), as.raw(same))
  expect_output(print(tuned), "Best: mtry")
})

test_that("cross-validation predicts each row without it", {
  folds <- rep(1:3, 50)
  result <- crossval_sporf(Species ~ ., iris, num.trees = 20, folds = folds, seed = 1)
  expect_identical(result$fold, folds)
  # A forest of two folds predicts the third. The library has all classes in each.
  without <- sporf(Species ~ ., iris[folds != 2, ], num.trees = 20, seed = 1)
  expect_gt(mean(predict(without, iris[folds == 2, ])$predictions == result$predictions[folds == 2]), 0.9)
  wrong <- tapply(result$predictions != iris$Species, folds, mean)
  expect_equal(result$scores$error, as.vector(wrong))
  expect_equal(result$mean[["error"]], mean(wrong))
  expect_output(print(result), "3 folds")
  numbers <- crossval_sporf(mpg ~ ., mtcars, num.trees = 20, folds = 4, seed = 1)
  expect_equal(numbers$scores$rmse[1],
               sqrt(mean((numbers$predictions - mtcars$mpg)[numbers$fold == 1]^2)), tolerance = 1e-6)
  boosted <- crossval_sporf(Species ~ ., iris, boost = TRUE, num.rounds = 20, folds = 3, seed = 1)
  expect_lt(boosted$mean[["error"]], 0.15)
  nested <- crossval_sporf(Species ~ ., iris, num.trees = 10, folds = 3, tune = TRUE, mtry = c(1, 3), seed = 1)
  expect_identical(nrow(nested$trials), 3L)
})

test_that("simulations are the command's", {
  expect_identical(simulate_orthant(10, seed = 3), simulate_orthant(10, seed = 3))
  expect_identical(dim(simulate_sparse_parity(7, seed = 1)), c(7L, 21L))
  expect_identical(dim(simulate_trunk(7, p = 4, seed = 1)), c(7L, 5L))
  expect_identical(nlevels(simulate_consistency(50, seed = 1)$y), 2L)
  expect_type(simulate_friedman(5, 2, seed = 1)$y, "double")
  file <- tempfile()
  on.exit(unlink(file))
  system2(command(), c("simulate", "friedman1", "--rows", 20, "--seed", 4, "--output", file))
  expect_equal(simulate_friedman(20, seed = 4), read.csv(file), ignore_attr = TRUE, tolerance = 1e-6)
})

test_that("options are listed with their arguments", {
  options <- sporf_options()
  expect_true(all(c("min.leaf", "bag", "nonzeros", "calibration") %in% options$argument))
  expect_false(any(c("threads", "method", "learner") %in% options$argument))
  expect_identical(options$sporf[options$argument == "bags"], FALSE)
})
