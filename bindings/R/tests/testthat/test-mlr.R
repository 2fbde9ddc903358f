skip_if_not_installed("mlr")

quietly <- function(expr) suppressMessages(suppressWarnings(expr))
quietly(loadNamespace("mlr"))

learner <- function(name, ...) {
  rounds <- if (grepl("boost", name)) list(num.rounds = 20L) else list(num.trees = 20L)
  mlr::makeLearner(name, par.vals = rounds, ...)
}
resampled <- function(...) mlr::resample(..., mlr::cv3, show.info = FALSE)$aggr[[1]]
irises <- mlr::makeClassifTask(data = iris, target = "Species")
cars <- mlr::makeRegrTask(data = mtcars, target = "mpg")

test_that("classes are resampled", {
  set.seed(1)
  for (name in c("classif.sporf", "classif.sporf_boost")) {
    expect_lt(resampled(learner(name), irises), 0.15)
  }
})

test_that("numbers are resampled", {
  set.seed(1)
  for (name in c("regr.sporf", "regr.sporf_boost")) {
    expect_lt(resampled(learner(name), cars), 0.8 * stats::var(mtcars$mpg))
  }
})

test_that("probabilities sum to 1 and agree with those of the forest", {
  for (name in c("classif.sporf", "classif.sporf_boost")) {
    set.seed(1)
    model <- mlr::train(learner(name, predict.type = "prob"), irises)
    shares <- mlr::getPredictionProbabilities(predict(model, irises), cl = levels(iris$Species))
    expect_equal(unname(rowSums(shares)), rep(1, 150), tolerance = 1e-6)
    expected <- predict(mlr::getLearnerModel(model), iris, type = "prob")$predictions
    expect_equal(as.matrix(shares), expected, ignore_attr = TRUE)
  }
})

test_that("a model for probabilities can be asked for classes", {
  set.seed(1)
  model <- mlr::train(learner("classif.sporf", predict.type = "prob"), irises)
  predicted <- predict(model, newdata = iris[c(1, 51, 101), ])
  expect_equal(as.character(predicted$data$response), c("setosa", "versicolor", "virginica"))
})

test_that("standard errors are predicted", {
  model <- mlr::train(learner("regr.sporf", predict.type = "se"), cars)
  predicted <- predict(model, newdata = mtcars[1:5, ])$data
  expect_true(all(predicted$se >= 0))
  expect_true(any(predicted$se > 0))
})

test_that("weights and subsets reach the training", {
  data <- data.frame(x = rep(0:1, 50), z = 1, y = rep(c(0, 1), each = 50))
  task <- mlr::makeRegrTask(data = data, target = "y", weights = rep(c(1, 99), each = 50))
  set.seed(1)
  model <- mlr::train(learner("regr.sporf"), task)
  expect_gt(mean(predict(model, task)$data$response), 0.9)
  model <- mlr::train(learner("regr.sporf"), cars, subset = 1:20)
  expect_equal(mlr::getLearnerModel(model)$num.samples, 20)
})

test_that("settings are tuned", {
  space <- ParamHelpers::makeParamSet(
    ParamHelpers::makeIntegerParam("mtry", lower = 1L, upper = 8L),
    ParamHelpers::makeNumericParam("density", lower = 0.25, upper = 1)
  )
  set.seed(1)
  tuned <- mlr::tuneParams(
    learner("classif.sporf"), irises, mlr::hout, par.set = space,
    control = mlr::makeTuneControlRandom(maxit = 3L), show.info = FALSE
  )
  expect_named(tuned$x, c("mtry", "density"))
  expect_lt(tuned$y, 0.2)
})

test_that("missing values and factors are allowed", {
  set.seed(2)
  data <- data.frame(
    a = rnorm(120), f = factor(sample(letters[1:5], 120, TRUE)),
    o = factor(sample(1:4, 120, TRUE), ordered = TRUE)
  )
  data$y <- factor(ifelse(data$f %in% c("a", "c"), "in", "out"))
  data$a[1:20] <- NA
  data$f[5] <- NA
  task <- mlr::makeClassifTask(data = data, target = "y")
  expect_lt(resampled(learner("classif.sporf"), task), 0.1)
})

test_that("importances and out-of-bag predictions are those of the forest", {
  set.seed(1)
  model <- mlr::train(learner("classif.sporf"), irises)
  forest <- mlr::getLearnerModel(model)
  measured <- as.data.frame(mlr::getFeatureImportance(model)$res)
  expect_setequal(measured$variable, names(iris)[1:4])
  expect_equal(measured$importance, unname(importance(forest)[measured$variable]))
  oob <- mlr::getOOBPreds(model, irises)
  expect_equal(mean(oob$data$response != oob$data$truth, na.rm = TRUE), forest$prediction.error)
  model <- mlr::train(learner("classif.sporf", predict.type = "prob"), irises)
  expect_equal(nrow(mlr::getOOBPreds(model, irises)$data), 150)
  model <- mlr::train(learner("regr.sporf"), cars)
  expect_length(mlr::getOOBPreds(model, cars)$data$response, 32)
})

test_that("classes without rows in the training get no probability", {
  data <- iris[c(1:50, 51:90, 101:103), ]
  task <- mlr::makeClassifTask(data = data, target = "Species")
  model <- mlr::train(learner("classif.sporf", predict.type = "prob"), task, subset = 1:90)
  predicted <- predict(model, task)$data
  expect_true(all(predicted$prob.virginica == 0))
})
