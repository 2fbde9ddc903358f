# What an object holds: out-of-bag results, settings, trees, importances, files.

test_that("out-of-bag results go together", {
  forest <- sporf(Species ~ ., iris, num.trees = 50, seed = 1)
  expect_equal(forest$prediction.error, mean(forest$predictions != iris$Species))
  expect_equal(1 - sum(diag(forest$confusion.matrix)) / 150, forest$prediction.error)
  expect_length(forest$oob.curve, 50)
  expect_equal(forest$oob.curve[50], forest$prediction.error)
  cars <- sporf(mpg ~ ., mtcars, num.trees = 50, seed = 1)
  expect_equal(cars$prediction.error, mean((cars$predictions - mtcars$mpg)^2), tolerance = 1e-6)
  expect_equal(cars$r.squared, 1 - cars$prediction.error / mean((mtcars$mpg - mean(mtcars$mpg))^2),
               tolerance = 1e-6)
  shares <- sporf(Species ~ ., iris, num.trees = 50, seed = 1, probability = TRUE)
  of_truth <- shares$predictions[cbind(1:150, as.integer(iris$Species))]
  expect_equal(shares$prediction.error, mean((1 - of_truth)^2))
  expect_identical(as.raw(shares), as.raw(forest))
})

test_that("settings that were chosen are told", {
  forest <- sporf(Species ~ ., iris, num.trees = 50, seed = 1)
  expect_false(forest$settings[["projections"]] == "auto")
  fixed <- sporf(Species ~ ., iris, num.trees = 10, seed = 1, mtry = 2, density = 0.5, min.bucket = 3)
  expect_identical(fixed$settings[["projections"]], "2")
  expect_identical(fixed$settings[["min-leaf"]], "3")
  by_function <- sporf(Species ~ ., iris, num.trees = 10, seed = 1, mtry = function(p) p / 2, density = 0.5,
                       min.bucket = 3)
  expect_identical(as.raw(fixed), as.raw(by_function))
})

test_that("set.seed makes forests repeatable", {
  set.seed(5)
  one <- sporf(Species ~ ., iris, num.trees = 5)
  two <- sporf(Species ~ ., iris, num.trees = 5)
  set.seed(5)
  again <- sporf(Species ~ ., iris, num.trees = 5)
  expect_identical(as.raw(one), as.raw(again))
  expect_false(identical(as.raw(one), as.raw(two)))
})

test_that("all ways to name the data give the same forest", {
  forest <- sporf(Species ~ ., iris, num.trees = 10, seed = 1)
  expect_identical(as.raw(sporf(dependent.variable.name = "Species", data = iris, num.trees = 10, seed = 1)),
                   as.raw(forest))
  expect_identical(predict(sporf(y = iris[, 5], x = iris[, -5], num.trees = 10, seed = 1), iris)$predictions,
                   predict(forest, iris)$predictions)
  skip_if_not_installed("tibble")
  expect_identical(as.raw(sporf(Species ~ ., tibble::as_tibble(iris), num.trees = 10, seed = 1)), as.raw(forest))
})

test_that("classes may be texts, logicals or numbers", {
  expect_identical(levels(sporf(x = iris[, 1:4], y = as.character(iris$Species), num.trees = 3)$predictions),
                   levels(iris$Species))
  expect_identical(levels(sporf(x = iris[, 1:4], y = iris$Species == "setosa", num.trees = 3)$predictions),
                   c("FALSE", "TRUE"))
  codes <- sporf(x = iris[, 1:4], y = c(10, 2, 30)[iris$Species], num.trees = 9, classification = TRUE)
  expect_identical(levels(codes$predictions), c("2", "10", "30"))
  expect_identical(as.character(predict(codes, iris[c(1, 51, 101), ])$predictions), c("10", "2", "30"))
  tenths <- sporf(x = iris[, 1:4], y = factor(c("2.0", "1.0", "3.0")[iris$Species]), num.trees = 9)
  expect_identical(as.character(predict(tenths, iris[c(1, 51, 101), ])$predictions), c("2.0", "1.0", "3.0"))
})

test_that("importances sum to one, and find what matters", {
  data <- simulate_friedman(300, p = 8, seed = 1)
  forest <- sporf(y ~ ., data, num.trees = 50, seed = 1, importance = "impurity")
  expect_equal(sum(forest$variable.importance), 1)
  expect_identical(importance(forest), forest$variable.importance)
  shuffled <- sporf(y ~ ., data, num.trees = 50, seed = 1, importance = "permutation")
  expect_gt(min(shuffled$variable.importance[1:5]), max(shuffled$variable.importance[6:8]))
  expect_length(attr(shuffled$variable.importance, "se"), 8)
  top <- projection_importance(forest, 5)
  expect_identical(dim(top), c(5L, 3L))
  expect_true(all(diff(top$importance) <= 0))
})

test_that("a tree's table predicts as the tree does", {
  data <- typed_table()
  forest <- sporf(value ~ a + b + whole + colour + size, data, num.trees = 3, seed = 1, mtry = 12)
  info <- treeInfo(forest, 2)
  value_of <- function(term, row) {
    set <- regmatches(term, regexec("^(.*) in \\{(.*)\\}$", term))[[1]]
    if (length(set) == 0) {
      value <- row[[term]]
      return(if (is.factor(value)) as.integer(value) - 1 else as.numeric(value))
    }
    if (is.na(row[[set[2]]])) return(NA)
    as.numeric(as.character(row[[set[2]]]) %in% strsplit(set[3], ", ")[[1]])
  }
  walk <- function(row) {
    node <- 1
    while (!info$terminal[node]) {
      terms <- info$projection[[node]]
      value <- sum(terms * vapply(names(terms), value_of, 0, row))
      left <- if (is.na(value)) info$missingLeft[node] else value <= info$splitval[node]
      node <- 1 + if (left) info$leftChild[node] else info$rightChild[node]
    }
    info$prediction[node]
  }
  whole <- which(complete.cases(data))[1:40]
  walked <- vapply(whole, function(i) walk(data[i, ]), 0)
  expect_equal(walked, predict(forest, data[whole, ], predict.all = TRUE)$predictions[, 2], tolerance = 1e-6)
  classes <- treeInfo(sporf(Species ~ ., iris, num.trees = 2, seed = 1))
  expect_true(all(abs(rowSums(classes[classes$terminal, paste0("pred.", levels(iris$Species))]) - 1) < 1e-12))
})

test_that("proximities are shares of trees with a common leaf", {
  forest <- sporf(Species ~ ., iris, num.trees = 30, seed = 1)
  nodes <- predict(forest, iris, type = "terminalNodes")$predictions
  close <- proximity(forest, iris)
  expect_equal(close[3, 70], mean(nodes[3, ] == nodes[70, ]))
  expect_equal(diag(close), rep(1, 150))
  some <- proximity(forest, iris, iris[51:53, ])
  expect_equal(some, close[51:53, ])
  nearest <- proximity(forest, iris, iris[51:53, ], nearest = 4)
  expect_identical(dim(nearest$rows), c(3L, 4L))
  expect_equal(nearest$proximity[2, ], sort(close[52, ], decreasing = TRUE)[1:4])
})

test_that("models survive files and saving", {
  forest <- sporf(label ~ a + b + colour, typed_table(), num.trees = 10, seed = 1)
  file <- tempfile()
  on.exit(unlink(file))
  write_sporf(forest, file)
  expect_identical(readBin(file, "raw", file.size(file)), as.raw(forest))
  again <- read_sporf(file)
  expect_identical(as.raw(again), as.raw(forest))
  expect_setequal(levels(predict(again, typed_table())$predictions), c("yes", "no"))
  expect_equal(again$prediction.error, forest$prediction.error)
  saveRDS(forest, file)
  read <- readRDS(file)
  expect_identical(predict(read, typed_table()), predict(forest, typed_table()))
  expect_identical(as_sporf(as.raw(forest))$num.trees, 10L)
})

test_that("models are saved without the environment of their formula", {
  train <- function() {
    large <- rnorm(1e6)
    twice <- 2
    list(sporf(mpg ~ ., mtcars, num.trees = 2, seed = 1),
         sporf(mpg ~ I(twice * wt), mtcars, num.trees = 2, seed = 1))
  }
  models <- train()
  for (model in models) expect_lt(length(serialize(model, NULL)), 1e5)
  again <- unserialize(serialize(models[[2]], NULL))
  expect_identical(predict(again, mtcars)$predictions, predict(models[[2]], mtcars)$predictions)
})

test_that("what cannot be measured does not cost the forest", {
  expect_warning(forest <- sporf(Species ~ ., iris, num.trees = 3, bag = "none", importance = "permutation"),
                 "the forest has no importances")
  expect_identical(forest$num.trees, 3L)
  expect_warning(sporf(x = data.frame(a = 1.7e9 + 1:50), y = 1:50, num.trees = 2), "subtract a constant")
})

test_that("print and summary tell the essential", {
  forest <- sporf(Species ~ ., iris, num.trees = 20, seed = 1)
  expect_output(print(forest), "OOB prediction error: +[0-9.]+ %")
  expect_output(print(summary(forest)), "Most important features")
  expect_output(print(sporf(mpg ~ ., mtcars, num.trees = 20, seed = 1)), "R squared")
})

test_that("threads are two unless asked otherwise", {
  old <- options(sporf.num.threads = NULL)
  on.exit(options(old))
  before <- Sys.getenv("SPORF_NUM_THREADS", NA)
  on.exit(if (!is.na(before)) Sys.setenv(SPORF_NUM_THREADS = before), add = TRUE)
  Sys.unsetenv("SPORF_NUM_THREADS")
  expect_identical(sporf_threads(), 2)
  Sys.setenv(SPORF_NUM_THREADS = "3")
  expect_identical(sporf_threads(), 3)
  options(sporf.num.threads = 1)
  expect_identical(sporf_threads(), 1)
  expect_identical(sporf_threads(4), 4)
  Sys.unsetenv("SPORF_NUM_THREADS")
})

test_that("an interrupt keeps the trees so far", {
  skip_on_os("windows")
  data <- simulate_trunk(20000, seed = 1)
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(
    "library(sporf)", "data <- simulate_trunk(20000, seed = 1)",
    "system2('sh', c('-c', shQuote(paste('sleep 1.5; kill -INT', Sys.getpid()))), wait = FALSE)",
    "forest <- withCallingHandlers(sporf(y ~ ., data, num.trees = 1e5, seed = 1, effort = 'low', verbose = FALSE),",
    "  warning = function(w) { cat('told:', conditionMessage(w), '\\n'); invokeRestart('muffleWarning') })",
    "cat('trees:', forest$num.trees < 1e5 && forest$num.trees > 0, '\\n')",
    "first <- sporf(y ~ ., data, num.trees = 2, seed = 1, effort = 'low', verbose = FALSE)",
    "cat('first:', identical(treeInfo(first, 2)$splitval, treeInfo(forest, 2)$splitval), '\\n')"
  ), script)
  out <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE, stderr = TRUE)
  expect_match(out, "told: interrupted: the model has the [0-9]+ trees grown so far", all = FALSE)
  expect_match(out, "trees: TRUE", all = FALSE)
  expect_match(out, "first: TRUE", all = FALSE)
})

test_that("strength and correlation are Breiman's", {
  forest <- sporf(Species ~ ., iris, num.trees = 100, seed = 1, keep.inbag = TRUE)
  measured <- strength(forest, iris)
  votes <- predict(forest, iris, predict.all = TRUE)$predictions
  votes[do.call(cbind, forest$inbag.counts) > 0] <- NA
  shares <- sapply(1:3, function(k) rowMeans(votes == k, na.rm = TRUE))
  truth <- cbind(1:150, as.integer(iris$Species))
  others <- shares
  others[truth] <- -1
  expect_equal(measured[["strength"]], mean(shares[truth] - apply(others, 1, max)))
  expect_error(strength(forest, iris[150:1, ]), "not those that the forest was trained on",
               class = "sporf_error")
  expect_error(strength(sporf(mpg ~ ., mtcars, num.trees = 3), mtcars), "are for classification",
               class = "sporf_error")
})

test_that("update(), formula(), nobs() and long calls work", {
  forest <- sporf(mpg ~ ., mtcars, num.trees = 3, seed = 1)
  expect_equal(formula(forest), mpg ~ ., ignore_formula_env = TRUE)
  smaller <- update(forest, . ~ wt + hp)
  expect_identical(smaller$num.independent.variables, 2L)
  expect_identical(update(forest, data = mtcars[1:20, ])$num.samples, 20L)
  expect_identical(nobs(forest), 32L)
  expect_identical(fitted(forest), forest$predictions)
  inlined <- do.call(sporf, list(mpg ~ ., data = mtcars, num.trees = 2))
  expect_lt(length(capture.output(print(inlined))), 22)
  shares <- sporf(Species ~ ., iris, num.trees = 5, seed = 1, probability = TRUE)
  expect_s3_class(predict(shares, iris, type = "class")$predictions, "factor")
})

test_that("corrected and drop-column importances see through noise", {
  set.seed(1)
  data <- data.frame(x = rnorm(200), coin = rbinom(200, 1, 0.5), many = factor(sample(30, 200, TRUE)))
  data$y <- factor(data$x + rnorm(200) > 0)
  forest <- sporf(y ~ ., data, num.trees = 20, seed = 1, effort = "low", verbose = FALSE)
  expect_gt(importance(forest)[["many"]], 0.15)
  corrected <- corrected_importance(forest, data, p.values = 19)
  expect_named(corrected, c("x", "coin", "many"))
  expect_true(all(abs(corrected[2:3]) < 0.08) && corrected[["x"]] > 0.1)
  expect_equal(attr(corrected, "p.value")[["x"]], 0.05)
  expect_null(attr(corrected_importance(forest, data), "p.value"))
  groups <- list(noise = c("coin", "many"), x = "x")
  grouped <- corrected_importance(forest, data, groups = groups, p.values = 19)
  expect_equal(grouped[["noise"]], corrected[["coin"]] + corrected[["many"]])
  dropped <- drop_column_importance(forest, data, groups = groups)
  expect_gt(dropped[["x"]], 0.1)
  expect_named(attr(dropped, "se"), c("noise", "x"))
  expect_true(all(is.nan(drop_column_importance(forest, data, seconds = 1e-9))))
  for (endless in list(quote(corrected_importance(forest, data, p.values = Inf)),
                       quote(corrected_importance(forest, data, seed = Inf)),
                       quote(projection_importance(forest, Inf)))) {
    expect_error(eval(endless), "got Inf", class = "sporf_error")
  }
  expect_error(corrected_importance(forest, data, groups = list(a = "coim")), "did you mean 'coin'",
               class = "sporf_error")
  cars <- sporf(x = mtcars[-1], y = mtcars$mpg, num.trees = 10, seed = 1, verbose = FALSE)
  expect_length(drop_column_importance(cars, mtcars[-1], mtcars$mpg, groups = list(a = "wt")), 1)
})
