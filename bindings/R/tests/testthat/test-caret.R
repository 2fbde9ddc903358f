skip_if_not_installed("caret")

cv <- function(...) caret::trainControl(method = "cv", number = 3, ...)
forest_grid <- data.frame(mtry = c(2, 6), density = 0.5, min.node.size = 1)

fit <- function(..., method = sporf_caret(), grid = forest_grid[1, ]) {
  set.seed(1)
  caret::train(..., method = method, tuneGrid = grid, num.trees = 20)
}

test_that("the model has all that caret asks of one", {
  for (boost in c(FALSE, TRUE)) {
    model <- sporf_caret(boost)
    expect_true(all(
      c("library", "type", "parameters", "grid", "fit", "predict", "prob", "sort") %in% names(model)
    ))
    for (search in c("grid", "random")) {
      grid <- model$grid(iris[, 1:4], iris$Species, len = 3, search = search)
      expect_setequal(names(grid), model$parameters$parameter)
      expect_gt(nrow(grid), 2)
      expect_equal(anyDuplicated(grid), 0)
    }
    expect_equal(nrow(model$grid(iris[, 1:4], iris$Species, len = 1)), 1)
  }
  expect_error(sporf_caret("yes"), "boost must be TRUE or FALSE")
})

test_that("classification is tuned, and new data are predicted", {
  fitted <- fit(Species ~ ., data = iris, trControl = cv(), grid = forest_grid)
  expect_equal(nrow(fitted$results), 2)
  expect_true(all(fitted$results$Accuracy > 0.9))
  expect_s3_class(fitted$finalModel, "sporf")
  expect_equal(fitted$finalModel$num.trees, 20)
  expect_equal(as.numeric(fitted$finalModel$mtry), fitted$bestTune$mtry)
  predicted <- predict(fitted, iris[c(1, 51, 101), ])
  expect_equal(as.character(predicted), c("setosa", "versicolor", "virginica"))
  shares <- predict(fitted, iris[c(1, 51, 101), ], type = "prob")
  expect_equal(names(shares), levels(iris$Species))
  expect_equal(unname(rowSums(shares)), rep(1, 3), tolerance = 1e-6)
})

test_that("resampled probabilities give areas under curves", {
  skip_if_not_installed("pROC")
  two <- droplevels(iris[51:150, ])
  fitted <- fit(
    x = two[, 1:4], y = two$Species, metric = "ROC",
    trControl = cv(classProbs = TRUE, summaryFunction = caret::twoClassSummary)
  )
  expect_gt(fitted$results$ROC, 0.9)
})

test_that("a model for probabilities predicts classes, too", {
  set.seed(1)
  fitted <- caret::train(
    x = iris[, 1:4], y = iris$Species, method = sporf_caret(), tuneGrid = forest_grid[1, ],
    num.trees = 20, probability = TRUE, trControl = caret::trainControl(method = "oob")
  )
  expect_gt(fitted$results$Accuracy, 0.9)
  expect_gt(mean(predict(fitted, iris) == iris$Species), 0.95)
})

test_that("regression is resampled, with preprocessing", {
  fitted <- fit(mpg ~ ., data = mtcars, trControl = cv(), preProcess = c("center", "scale"))
  expect_gt(fitted$results$Rsquared, 0.5)
  predicted <- predict(fitted, mtcars[1:3, ])
  expect_length(predicted, 3)
  expect_lt(max(abs(predicted - mtcars$mpg[1:3])), 5)
})

test_that("out-of-bag results are those of the forest", {
  oob <- caret::trainControl(method = "oob")
  fitted <- fit(x = iris[, 1:4], y = iris$Species, trControl = oob)
  again <- fit(x = iris[, 1:4], y = iris$Species, trControl = oob, grid = forest_grid)
  expect_equal(nrow(again$results), 2)
  expect_equal(fitted$results$Accuracy, 0.95, tolerance = 0.05)
  numbers <- fit(x = mtcars[, -1], y = mtcars$mpg, trControl = oob)
  expect_named(sporf_caret()$oob(numbers$finalModel), c("RMSE", "Rsquared", "MAE"))
  expect_equal(
    sporf_caret()$oob(numbers$finalModel)[["RMSE"]], sqrt(numbers$finalModel$prediction.error),
    tolerance = 1e-6
  )
})

test_that("factors stay whole, and missing values are allowed", {
  data <- data.frame(a = rnorm(120), f = factor(sample(letters[1:6], 120, TRUE)))
  y <- factor(ifelse(data$f %in% c("a", "d", "e"), "in", "out"))
  data$a[1:10] <- NA
  fitted <- fit(x = data, y = y, trControl = cv())
  expect_equal(fitted$finalModel$forest$independent.variable.names, c("a", "f"))
  expect_gt(fitted$results$Accuracy, 0.9)
  expect_equal(as.character(predict(fitted, data[1:20, ])), as.character(y[1:20]))
})

test_that("weights are used", {
  data <- data.frame(x = rep(1, 100), z = rep(0:1, 50))
  y <- rep(c(0, 0, 10, 10), 25)
  y[1:50] <- y[1:50] + 1
  weights <- rep(c(1000, 1), each = 50)
  none <- caret::trainControl(method = "none")
  fitted <- fit(x = data, y = y, weights = weights, trControl = none)
  plain <- fit(x = data, y = y, trControl = none)
  expect_gt(mean(predict(fitted, data)), mean(predict(plain, data)))
})

test_that("importances and predictors are those of the forest", {
  fitted <- fit(Species ~ ., data = iris, trControl = caret::trainControl(method = "none"))
  measured <- caret::varImp(fitted, scale = FALSE)$importance
  expect_equal(measured$Overall, unname(importance(fitted$finalModel)))
  expect_setequal(caret::predictors(fitted), names(iris)[1:4])
})

test_that("classes that a fold does not have get no probability", {
  rare <- factor(c("a", "b", "c")[c(rep(1:2, 20), 3)], c("a", "b", "c"))
  data <- data.frame(x = as.integer(rare) + seq(0, 0.5, length.out = 41), z = 1:41)
  model <- sporf_caret()$fit(
    data[-41, ], rare[-41], NULL, forest_grid[1, ], levels(rare), FALSE, TRUE, num.trees = 5
  )
  model$obsLevels <- levels(rare)
  shares <- sporf_caret()$prob(model, data)
  expect_equal(names(shares), levels(rare))
  expect_true(all(shares$c == 0))
  expect_equal(levels(sporf_caret()$predict(model, data)), levels(rare))
})

test_that("boosting is tuned", {
  set.seed(1)
  fitted <- caret::train(
    Species ~ ., data = iris, method = sporf_caret(boost = TRUE), trControl = cv(),
    tuneGrid = data.frame(num.rounds = c(5, 20), learning.rate = 0.3, max.depth = 0)
  )
  expect_s3_class(fitted$finalModel, "sporf_boost")
  expect_true(all(fitted$results$Accuracy > 0.85))
  expect_named(predict(fitted, iris[1:2, ], type = "prob"), levels(iris$Species))
  numbers <- caret::train(
    x = mtcars[, -1], y = mtcars$mpg, method = sporf_caret(boost = TRUE),
    trControl = caret::trainControl(method = "none"),
    tuneGrid = data.frame(num.rounds = 20, learning.rate = 0, max.depth = 3)
  )
  expect_lt(mean((predict(numbers, mtcars) - mtcars$mpg)^2), stats::var(mtcars$mpg))
})
