# ranger's examples and the usual idioms, with sporf() in the place of ranger(). Where ranger is
# installed, the shapes of the results are compared with its own.

with_ranger <- function(..., seed = 1) {
  skip_if_not_installed("ranger")
  suppressWarnings(ranger::ranger(..., seed = seed, num.threads = 2))
}
with_sporf <- function(..., seed = 1) sporf(..., seed = seed, verbose = FALSE)

# The elements that both have are of the same kind and shape.
expect_same_shape <- function(ours, theirs, elements) {
  for (element in elements) {
    a <- ours[[element]]
    b <- theirs[[element]]
    expect_false(is.null(a), info = element)
    expect_equal(is.factor(a), is.factor(b), info = element)
    expect_equal(is.numeric(a), is.numeric(b), info = element)
    expect_equal(dim(a), dim(b), info = element)
    expect_equal(length(a), length(b), info = element)
    expect_equal(names(a), names(b), info = element)
    expect_equal(dimnames(a), dimnames(b), info = element)
    expect_equal(levels(a), levels(b), info = element)
  }
}

of_all <- c(
  "num.trees", "num.independent.variables", "num.samples", "prediction.error", "treetype",
  "splitrule", "importance.mode", "replace", "predictions", "min.node.size"
)
of_predictions <- c(
  "predictions", "num.trees", "num.independent.variables", "num.samples", "treetype"
)

test_that("a forest with default settings", {
  ours <- with_sporf(Species ~ ., data = iris)
  expect_output(print(ours), "OOB prediction error")
  expect_lt(ours$prediction.error, 0.1)
  theirs <- with_ranger(Species ~ ., data = iris)
  expect_same_shape(ours, theirs, c(of_all, "confusion.matrix"))
  expect_equal(ours$treetype, theirs$treetype)
  expect_equal(ours$splitrule, theirs$splitrule)
  expect_equal(ours$forest$independent.variable.names, theirs$forest$independent.variable.names)
  expect_equal(ours$forest$levels, theirs$forest$levels)
})

test_that("a table of truth and predictions", {
  set.seed(1)
  train.idx <- sample(nrow(iris), 2 / 3 * nrow(iris))
  iris.train <- iris[train.idx, ]
  iris.test <- iris[-train.idx, ]
  rg.iris <- with_sporf(Species ~ ., data = iris.train)
  pred.iris <- predict(rg.iris, data = iris.test)
  found <- table(iris.test$Species, pred.iris$predictions)
  expect_equal(dim(found), c(3, 3))
  expect_gt(sum(diag(found)), 45)
  theirs <- with_ranger(Species ~ ., data = iris.train)
  expect_same_shape(pred.iris, predict(theirs, data = iris.test), of_predictions)
})

test_that("quantile regression", {
  rf <- with_sporf(mpg ~ ., mtcars[1:26, ], quantreg = TRUE)
  pred <- predict(rf, mtcars[27:32, ], type = "quantiles")
  expect_true(all(pred$predictions[, 1] <= pred$predictions[, 3]))
  theirs <- with_ranger(mpg ~ ., mtcars[1:26, ], quantreg = TRUE)
  expect_same_shape(rf, theirs, c(of_all, "r.squared"))
  expect_same_shape(pred, predict(theirs, mtcars[27:32, ], type = "quantiles"), of_predictions)
  one <- predict(rf, mtcars[27:32, ], type = "quantiles", quantiles = 0.5)
  expect_same_shape(
    one, predict(theirs, mtcars[27:32, ], type = "quantiles", quantiles = 0.5), "predictions"
  )
})

test_that("variable importance", {
  for (mode in c("impurity", "permutation")) {
    ours <- with_sporf(Species ~ ., data = iris, importance = mode, num.trees = 50)
    expect_equal(which.max(importance(ours)[c("Sepal.Width", "Petal.Width")]), c(Petal.Width = 2))
    theirs <- with_ranger(Species ~ ., data = iris, importance = mode, num.trees = 50)
    expect_same_shape(ours, theirs, c("variable.importance", "importance.mode"))
    expect_equal(ours$importance.mode, theirs$importance.mode)
  }
})

test_that("the alternative interfaces give the same forest", {
  by_formula <- with_sporf(Species ~ ., data = iris, num.trees = 20)
  by_name <- with_sporf(dependent.variable.name = "Species", data = iris, num.trees = 20)
  by_columns <- with_sporf(y = iris[, 5], x = iris[, -5], num.trees = 20)
  expect_identical(by_formula$predictions, by_name$predictions)
  expect_identical(by_formula$predictions, by_columns$predictions)
  by_text <- with_sporf("Species ~ .", iris, 20)
  expect_identical(by_formula$predictions, by_text$predictions)
})

test_that("survival forests are refused with a hint", {
  skip_if_not_installed("survival")
  expect_error(
    with_sporf(survival::Surv(time, status) ~ ., data = survival::veteran), "survival time"
  )
})

test_that("probabilities, those of each tree, and standard errors", {
  ours <- with_sporf(Species ~ ., iris, num.trees = 20, probability = TRUE, keep.inbag = TRUE)
  theirs <- with_ranger(Species ~ ., iris, num.trees = 20, probability = TRUE, keep.inbag = TRUE)
  expect_same_shape(ours, theirs, of_all)
  expect_equal(ours$treetype, theirs$treetype)
  expect_same_shape(predict(ours, iris[1:5, ]), predict(theirs, iris[1:5, ]), of_predictions)
  by_tree <- predict(theirs, iris[1:5, ], predict.all = TRUE)
  expect_same_shape(predict(ours, iris[1:5, ], predict.all = TRUE), by_tree, "predictions")
  with_errors <- suppressWarnings(predict(theirs, iris[1:5, ], type = "se"))
  expect_same_shape(predict(ours, iris[1:5, ], type = "se"), with_errors, c("predictions", "se"))
})

test_that("votes of each tree are numbers of levels, and make the prediction", {
  ours <- with_sporf(Species ~ ., iris, num.trees = 25)
  votes <- predict(ours, iris, predict.all = TRUE)$predictions
  most <- apply(votes, 1, function(of_row) which.max(tabulate(of_row, 3)))
  expect_equal(levels(iris$Species)[most], as.character(predict(ours, iris)$predictions))
  theirs <- with_ranger(Species ~ ., iris, num.trees = 25)
  expect_same_shape(
    list(predictions = votes), predict(theirs, iris, predict.all = TRUE), "predictions"
  )
})

test_that("regression, with the predictions of each tree and standard errors", {
  ours <- with_sporf(mpg ~ ., mtcars, num.trees = 30, keep.inbag = TRUE)
  theirs <- with_ranger(mpg ~ ., mtcars, num.trees = 30, keep.inbag = TRUE)
  expect_same_shape(ours, theirs, c(of_all, "r.squared"))
  by_tree <- predict(ours, mtcars, predict.all = TRUE)
  expect_equal(rowMeans(by_tree$predictions), predict(ours, mtcars)$predictions, tolerance = 1e-5)
  expect_same_shape(by_tree, predict(theirs, mtcars, predict.all = TRUE), "predictions")
  for (method in c("infjack", "jack")) {
    expect_same_shape(
      predict(ours, mtcars, type = "se", se.method = method),
      suppressWarnings(predict(theirs, mtcars, type = "se", se.method = method)),
      c("predictions", "se")
    )
  }
})

test_that("nodes and trees", {
  ours <- with_sporf(Species ~ ., data = iris, num.trees = 5)
  theirs <- with_ranger(Species ~ ., data = iris, num.trees = 5)
  nodes <- predict(ours, iris, type = "terminalNodes")
  expect_same_shape(nodes, predict(theirs, iris, type = "terminalNodes"), "predictions")
  tree <- sporf::treeInfo(ours, 1)
  of_ranger <- setdiff(names(ranger::treeInfo(theirs, 1)), "splitvarID")
  expect_true(all(of_ranger %in% names(tree)))
  expect_true(all(nodes$predictions[, 1] %in% tree$nodeID[tree$terminal]))
  in_tree <- tree$prediction[match(nodes$predictions[, 1], tree$nodeID)]
  votes <- predict(ours, iris, predict.all = TRUE)$predictions[, 1]
  expect_equal(as.integer(in_tree), as.integer(votes))
})

test_that("sparse matrices", {
  skip_if_not_installed("Matrix")
  x <- Matrix::Matrix(as.matrix(iris[, 1:4]), sparse = TRUE)
  expect_message(ours <- with_sporf(x = x, y = iris$Species, num.trees = 20), "dense")
  plain <- with_sporf(x = as.matrix(iris[, 1:4]), y = iris$Species, num.trees = 20)
  expect_identical(ours$predictions, plain$predictions)
  expect_message(sparse <- predict(ours, x)$predictions, "dense")
  expect_identical(sparse, predict(plain, iris)$predictions)
})

test_that("arguments of ranger's predict() are ignored if they mean nothing, otherwise refused", {
  ours <- with_sporf(mpg ~ ., mtcars, num.trees = 10)
  plain <- predict(ours, mtcars)
  expect_identical(predict(ours, data = mtcars, seed = 1, verbose = FALSE, num.trees = 10), plain)
  expect_error(predict(ours, mtcars, num.trees = 5), "all 10 trees predict")
  expect_error(predict(ours, mtcars, type = "quantiles", what = mean), "has no counterpart")
  expect_error(predict(ours, mtcars, typo = 1), "unknown argument \"typo\"")
})

test_that("importance() and predictions() work, whichever package is attached last", {
  skip_if_not_installed("ranger")
  loadNamespace("ranger")
  ours <- with_sporf(Species ~ ., data = iris, num.trees = 10)
  theirs <- with_ranger(Species ~ ., data = iris, num.trees = 10, importance = "impurity")
  expect_identical(ranger::importance(ours), importance(ours))
  expect_identical(importance(theirs), theirs$variable.importance)
  expect_identical(ranger::predictions(ours), ours$predictions)
  expect_identical(predictions(theirs), theirs$predictions)
  expect_identical(predictions(predict(ours, iris)), predict(ours, iris)$predictions)
  of_theirs <- predict(theirs, iris)
  expect_identical(predictions(of_theirs), of_theirs$predictions)
  expect_error(importance(1), "x must be a model of sporf")
})

test_that("importance() works for models of randomForest, and its function for ours", {
  skip_if_not_installed("randomForest")
  ours <- with_sporf(Species ~ ., data = iris, num.trees = 10)
  theirs <- randomForest::randomForest(Species ~ ., data = iris, ntree = 10)
  expect_identical(randomForest::importance(ours), importance(ours))
  expect_identical(importance(theirs), randomForest::importance(theirs))
})
