# Bad input: a clear error each, which names the argument or the column.

refused <- function(expression, words) expect_error(expression, words, class = "sporf_error", fixed = TRUE)

test_that("what no forest can learn from is refused", {
  refused(sporf(Species ~ ., transform(iris, f = factor("a"))), 'column "f" is a factor with one level')
  refused(sporf(x = iris[, 1:4], y = factor(rep("a", 150))), 'y has only one class, "a"')
  refused(sporf(Species ~ ., iris[1:100, ]), 'y has unused levels: "virginica"; drop them with droplevels(y)')
  holes <- iris
  holes$Species[c(3, 9)] <- NA
  refused(sporf(Species ~ ., holes), "y has missing values in rows 3, 9")
  refused(sporf(Species ~ ., transform(iris, s = as.character(Species))), 'column "s" holds text')
  refused(sporf(Species ~ ., transform(iris, t = Sys.Date() + 1:150)), 'column "t" holds dates')
  refused(sporf(Species ~ ., iris[0, ]), "data has no rows")
  refused(sporf(x = iris[0, 1:4], y = iris$Species[0]), "x has no rows")
  refused(sporf(x = iris[, 0], y = iris$Species), "x has no columns")
  lists <- iris
  lists$l <- rep(list(1), 150)
  refused(sporf(Species ~ ., lists), 'column "l" is a list column')
  endless <- iris
  endless$Petal.Width[5] <- Inf
  refused(sporf(Species ~ ., endless), 'row 5, column "Petal.Width"')
  refused(sporf(x = matrix(letters, 13), y = 1:13), "x is a matrix of character values")
  refused(sporf(x = iris[, 1:4], y = 1:10), "y has 10 values, but x has 150 rows")
})

test_that("malformed and merged levels are refused", {
  broken <- structure(rep(c(1L, 0L, 100000000L), 50), levels = c("a", "b", "c"), class = "factor")
  refused(sporf(Species ~ ., cbind(iris, q = broken)), 'column "q" is a malformed factor')
  refused(sporf(x = iris[, 1:4], y = broken), "y is a malformed factor")
  good <- sporf(Species ~ ., cbind(iris, q = factor(rep(c("a", "b", "c"), 50))), num.trees = 2)
  refused(predict(good, cbind(iris, q = broken)), "malformed factor")
  same <- factor(c("2.0", "2", "3")[iris$Species], c("2.0", "2", "3"))
  refused(sporf(x = iris[, 1:4], y = same), 'the same number: "2.0" and "2"')
  uneven <- structure(list(a = 1:3 + 0, b = 1:8 + 0), class = "data.frame", row.names = 1:8)
  refused(sporf(x = uneven, y = 1:8), "different lengths")
})

test_that("objects without a model are refused", {
  forest <- sporf(Species ~ ., iris, num.trees = 2)
  for (nothing in list(5, NULL, "a")) {
    broken <- forest
    broken["model"] <- list(nothing)
    refused(predict(broken, iris), "the model is lost")
    refused(as.raw(broken), "the model is lost")
    refused(treeInfo(broken), "the model is lost")
  }
})

test_that("what R's options and limits say changes nothing, or ends the call", {
  old <- options(OutDec = ",")
  on.exit(options(old))
  comma <- sporf(Species ~ ., iris, num.trees = 3, sample.fraction = 0.5, density = 0.25, seed = 1)
  options(old)
  point <- sporf(Species ~ ., iris, num.trees = 3, sample.fraction = 0.5, density = 0.25, seed = 1)
  expect_identical(as.raw(comma), as.raw(point))
  on.exit(setTimeLimit(), add = TRUE)
  setTimeLimit(elapsed = 0.5, transient = TRUE)
  expect_error(sporf(y ~ ., simulate_trunk(20000, seed = 1), num.trees = 1e6, effort = "low"), "time limit")
})

test_that("terms that learn from the rows keep what they learnt from those of the training", {
  for (formula in list(mpg ~ scale(hp) + wt, mpg ~ poly(hp, 1) + wt, mpg ~ log(base::scale(hp) + 5),
                       mpg ~ I(2 * scale(wt, scale = FALSE)), mpg ~ splines::ns(hp, 1))) {
    for (model in list(sporf(formula, mtcars, num.trees = 20, seed = 1),
                       sporf_boost(formula, mtcars, num.rounds = 5, seed = 1))) {
      all <- predict(model, mtcars)$predictions
      expect_identical(predict(model, mtcars[1:3, ])$predictions, all[1:3])
      expect_identical(predict(model, mtcars[2, ])$predictions, all[2])
    }
  }
  units <- sporf(scale(mpg) ~ hp + wt, mtcars, num.trees = 20, seed = 1)
  error <- (mtcars$mpg - mean(mtcars$mpg)) / sd(mtcars$mpg) - predict(units, mtcars)$predictions
  expect_equal(scores(units, mtcars[1:3, ])$scores$mae, mean(abs(error[1:3])), tolerance = 1e-6)
  refused(sporf(mpg ~ scale(nope), mtcars), "cannot evaluate scale(nope)")
})

test_that("formulas are sums of columns", {
  refused(sporf(Species ~ Sepal.Length * Petal.Width, iris), "write Sepal.Length + Petal.Width")
  refused(sporf(Species ~ Sepal.Length:Petal.Width, iris), "the interaction Sepal.Length:Petal.Width")
  refused(sporf(Species ~ offset(Sepal.Length), iris), "offset")
  refused(sporf(Species ~ nope, iris), 'data has no column "nope"')
  refused(sporf(nope ~ ., iris), "cannot find what to predict, nope")
  refused(sporf(~., iris), "no left-hand side")
  refused(sporf(Species ~ .), "data is missing")
  refused(sporf(iris), "formula must be a formula")
  refused(sporf(), "give a formula and data, or x and y")
  forest <- sporf(Species ~ . - Sepal.Length, iris, num.trees = 3, seed = 1)
  expect_identical(forest$forest$independent.variable.names, names(iris)[2:4])
  logs <- sporf(log(mpg) ~ log(hp) + wt, mtcars, num.trees = 10, seed = 1)
  by_hand <- sporf(x = data.frame(a = log(mtcars$hp), wt = mtcars$wt), y = log(mtcars$mpg),
                   num.trees = 10, seed = 1)
  expect_equal(predict(logs, mtcars)$predictions,
               predict(by_hand, data.frame(a = log(mtcars$hp), wt = mtcars$wt))$predictions)
})

test_that("arguments are checked by name", {
  refused(sporf(Species ~ ., iris, num.trees = 0), "num.trees must be a whole number of at least 1, got 0")
  refused(sporf(Species ~ ., iris, mtry = -1), "mtry must be")
  refused(sporf(Species ~ ., iris, method = "foo"), "method must be one of")
  refused(sporf(Species ~ ., iris, seed = -1), "seed must be")
  refused(sporf(Species ~ ., iris, num.threads = -1), "num.threads must be")
  refused(sporf(Species ~ ., iris, case.weights = 1:3), "case.weights has 3 values")
  refused(sporf(Species ~ ., iris, case.weights = c(-1, rep(1, 149))), "is not in row 1")
  refused(sporf(Species ~ ., iris, class.weights = c(a = 1)), 'class.weights names "a"')
  refused(sporf(Species ~ ., iris, class.weights = 1:2), "class.weights has 2 numbers")
  refused(sporf(Species ~ ., iris, min.buckets = 3), "did you mean min.bucket?")
  refused(sporf(Species ~ ., iris, num.random.splits = 5), "ranger's argument num.random.splits")
  refused(sporf(Species ~ ., iris, sample.fraction = c(0.1, 0.2, 0.3)), 'bag = "stratified"')
  refused(sporf(Species ~ ., iris, quantreg = TRUE), "quantreg is for regression")
  refused(sporf(Species ~ ., iris, max.memory = "1K"), "raise max.memory")
  refused(sporf(Species ~ ., iris, bag.fraction = 2), "sample.fraction")
})

test_that("new data must fit the model", {
  coloured <- transform(iris, colour = factor(rep(c("red", "blue"), 75)))
  forest <- sporf(Species ~ ., coloured, num.trees = 5, seed = 1)
  refused(predict(forest), "newdata is missing")
  refused(predict(forest, iris), 'newdata lacks the column "colour"')
  green <- transform(coloured, colour = factor("green"))
  refused(predict(forest, green), 'column "colour" has a level that the forest does not know: "green"')
  expect_length(predict(forest, green, unknown.levels = "missing")$predictions, 150)
  refused(predict(forest, transform(coloured, colour = 1)), 'column "colour" must be a factor')
  refused(predict(forest, transform(coloured, Sepal.Width = factor("a", c("a", "b")))), "trained on numbers")
  refused(predict(forest, as.matrix(iris[, 1:4])), "newdata must be a data frame")
  refused(predict(forest, coloured, type = "quantiles"), "quantiles are for regression")
  refused(predict(forest, coloured, type = "foo"), "type must be")
  refused(predict(forest, coloured, type = "se"), "keep.inbag = TRUE")
  refused(predict(sporf(mpg ~ ., mtcars, num.trees = 2), mtcars, type = "prob"), "are for classification")
  refused(predict(sporf(mpg ~ ., mtcars, num.trees = 2, quantreg = FALSE), mtcars, type = "interval"),
          "quantreg")
})

test_that("files that are no models are refused", {
  refused(read_sporf("/no/such/file"), "No such file or directory")
  refused(as_sporf(raw(0)), "not a sporf model")
  model <- as.raw(sporf(Species ~ ., iris, num.trees = 2, seed = 1))
  refused(as_sporf(model[1:100]), "cut off")
  # The header of a model of version 99, which has no sections.
  newer <- as.raw(c(
    0x89, 0x53, 0x50, 0x4f, 0x52, 0x46, 0x0d, 0x0a, 0x5e, 0x34, 0xde, 0x27, 0xff, 0xe6, 0xf5, 0xcf,
    99, 0, 0, 0, 0, 0, 0, 0, 64, rep(0, 7), 1, rep(0, 7), 1, rep(0, 7), 1, rep(0, 15)
  ))
  refused(as_sporf(newer), "made by a newer version")
})

test_that("odd tables are taken as they are", {
  twins <- sporf(x = iris[c(1, 1), 1:4], y = c(1, 2), num.trees = 5, seed = 1)
  expect_s3_class(twins, "sporf")
  names(iris)[1] <- "a b \"c\", \u00fc"
  odd <- sporf(Species ~ ., iris, num.trees = 3, seed = 1)
  expect_identical(odd$forest$independent.variable.names, names(iris)[1:4])
  expect_identical(predict(odd, iris[0, ])$predictions, factor(character(), levels(iris$Species)))
  expect_identical(dim(predict(odd, iris[0, ], type = "prob")$predictions), c(0L, 3L))
  wide <- matrix(rnorm(20 * 20000), 20)
  expect_identical(sporf(x = wide, y = rep(1:2, 10), num.trees = 2, mtry = 10)$num.independent.variables, 20000L)
  empty <- transform(iris, nothing = NA_real_)
  expect_s3_class(sporf(Species ~ ., empty, num.trees = 3), "sporf")
  missing_level <- transform(iris, f = addNA(factor(c("u", "v", NA)[rep(1:3, 50)])))
  expect_identical(sporf(Species ~ ., missing_level, num.trees = 3)$forest$features$levels[[5]], c("u", "v"))
})

test_that("sparse matrices are converted, if they are not too large", {
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(as.matrix(iris[, 1:4]), sparse = TRUE)
  expect_message(forest <- sporf(x = sparse, y = iris$Species, num.trees = 5, seed = 1), "dense")
  same <- sporf(x = as.matrix(iris[, 1:4]), y = iris$Species, num.trees = 5, seed = 1)
  expect_identical(as.raw(forest), as.raw(same))
  old <- options(sporf.max.dense = 100)
  on.exit(options(old))
  refused(sporf(x = sparse, y = iris$Species), "options(sporf.max.dense = 4800)")
})

test_that("ordinary tables are taken, or refused with advice", {
  twins <- stats::setNames(iris, c("a", "a", "b", "c", "Species"))
  refused(sporf(Species ~ ., twins), 'data has several columns named "a"')
  refused(sporf(x = iris[, 1:4], y = addNA(factor(c("u", NA, "v")[iris$Species]))), "y has")
  texts <- transform(iris, s = as.character(Species), t = "a")
  refused(sporf(Species ~ ., texts), 'columns "s" and "t" hold text: make them factors')
  scaled <- iris
  scaled$Sepal.Width <- scale(scaled$Sepal.Width)
  expect_s3_class(sporf(Species ~ ., scaled, num.trees = 2), "sporf")
  blank <- transform(iris, q = factor(rep(c("", "b", "c"), 50)))
  expect_identical(sporf(Species ~ ., blank, num.trees = 2)$forest$features$levels[[5]], c("b", "c"))
  spans <- transform(iris, d = as.difftime(1:150, units = "days"))
  refused(sporf(Species ~ ., spans), 'column "d" holds spans of time')
  expect_warning(sporf(y ~ x, data.frame(x = 5.8e6 + 1:100 / 100, y = 1:100), num.trees = 2), "subtract a constant")
  expect_warning(sporf(mpg ~ ., transform(mtcars, mpg = mpg + 1e9), num.trees = 2), "y has values")
  expect_silent(sporf(mpg ~ ., transform(mtcars, year = 1990:2021), num.trees = 2))
})

test_that("arguments of other packages, and those given twice, are recognised", {
  refused(sporf(Species ~ ., iris, ntree = 5), "did you mean num.trees?")
  refused(sporf_boost(Species ~ ., iris, eta = 0.1), "did you mean learning.rate?")
  refused(sporf(Species ~ ., iris, weights = 1:150), "weights of rows are case.weights")
  refused(sporf(Species ~ ., iris, mtry = 3, projections = 2), "mtry and projections are the same")
  forest <- sporf(Species ~ ., iris, num.trees = 2)
  refused(predict(forest, data = iris, newdata = iris), "data and newdata are the same")
  refused(sporf(mpg ~ (1 | cyl), mtcars), "no groups or random effects")
  refused(proximity(forest, iris[rep(1, 2e4), ]), "give nearest =")
})
