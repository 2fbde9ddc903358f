# Models go to files and to other processes, and predict there at once.

forest <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1, verbose = FALSE)
cars <- sporf(mpg ~ ., data = mtcars, num.trees = 20, seed = 1, keep.inbag = TRUE, verbose = FALSE)
booster <- sporf_boost(Species ~ ., data = iris, num.rounds = 10, seed = 1, verbose = FALSE)
parts <- split(iris, rep(1:4, length.out = 150))
of_parts <- lapply(parts, function(part) predict(forest, part)$predictions)

# A new R that has the package's library.
script <- function(code) {
  file <- tempfile(fileext = ".R")
  writeLines(c(sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")), code), file)
  command <- file.path(R.home("bin"), "Rscript")
  expect_equal(system2(command, c("--vanilla", shQuote(file)), stdout = FALSE), 0)
}

test_that("models that were saved predict the same", {
  file <- tempfile(fileext = ".rds")
  for (model in list(forest, booster)) {
    saveRDS(model, file)
    again <- readRDS(file)
    expect_identical(predict(again, iris), predict(model, iris))
    expect_identical(predict(again, iris, type = "prob"), predict(model, iris, type = "prob"))
    expect_identical(as.raw(again), as.raw(model))
    expect_equal(again$prediction.error, model$prediction.error)
  }
  saveRDS(cars, file)
  again <- readRDS(file)
  for (type in c("response", "quantiles", "interval", "se", "terminalNodes")) {
    expect_identical(predict(again, mtcars, type = type), predict(cars, mtcars, type = type))
  }
  expect_identical(importance(again), importance(cars))
})

test_that("models survive save(), serialize() and copies of their copies", {
  file <- tempfile(fileext = ".rda")
  kept <- forest
  save(kept, file = file)
  env <- new.env()
  load(file, env)
  expect_identical(predict(env$kept, iris), predict(forest, iris))
  again <- forest
  for (i in 1:3) {
    again <- unserialize(serialize(again, NULL))
    expect_identical(predict(again, iris), predict(forest, iris))
  }
})

test_that("a model in a closure, a list or an environment is saved with it", {
  file <- tempfile(fileext = ".rds")
  predictor <- local({
    model <- forest
    function(data) predict(model, data)$predictions
  })
  saveRDS(list(predictor = predictor), file)
  expect_identical(readRDS(file)$predictor(iris), predictor(iris))
})

test_that("a model read in a new process predicts before the package is attached", {
  saved <- tempfile(fileext = ".rds")
  result <- tempfile(fileext = ".rds")
  saveRDS(forest, saved)
  script(sprintf(
    "loadNamespace('sporf'); saveRDS(predict(readRDS('%s'), iris)$predictions, '%s')", saved, result
  ))
  expect_identical(readRDS(result), predict(forest, iris)$predictions)
})

test_that("forked workers predict and train", {
  skip_on_os("windows")
  found <- parallel::mclapply(parts, function(part) predict(forest, part)$predictions, mc.cores = 2)
  expect_identical(found, of_parts)
  train <- function(seed) {
    sporf(Species ~ ., data = iris, num.trees = 5, seed = seed, num.threads = 1, verbose = FALSE)
  }
  models <- parallel::mclapply(1:2, train, mc.cores = 2)
  for (seed in 1:2) {
    expect_identical(predict(models[[seed]], iris), predict(train(seed), iris))
  }
})

workers <- function() {
  cluster <- parallel::makePSOCKcluster(2)
  parallel::clusterCall(cluster, .libPaths, .libPaths())
  cluster
}

test_that("workers of a cluster and futures predict and train", {
  cluster <- workers()
  on.exit(parallel::stopCluster(cluster))
  parallel::clusterEvalQ(cluster, loadNamespace("sporf"))
  found <- parallel::parLapply(cluster, parts, function(part, model) {
    predict(model, part)$predictions
  }, model = forest)
  expect_identical(found, of_parts)
  models <- parallel::parLapply(cluster, 1:2, function(seed) {
    sporf::sporf(Species ~ ., data = datasets::iris, num.trees = 5, seed = seed, verbose = FALSE)
  })
  for (seed in 1:2) {
    here <- sporf(Species ~ ., data = iris, num.trees = 5, seed = seed, verbose = FALSE)
    expect_identical(as.raw(models[[seed]]), as.raw(here))
    expect_identical(predict(models[[seed]], iris), predict(here, iris))
  }

  skip_if_not_installed("future.apply")
  before <- future::plan(future::cluster, workers = cluster)
  on.exit(future::plan(before), add = TRUE, after = FALSE)
  found <- future.apply::future_lapply(parts, function(part) predict(forest, part)$predictions)
  expect_identical(found, of_parts)
  trained <- future.apply::future_lapply(1:2, function(seed) {
    sporf(mpg ~ ., data = mtcars, num.trees = 5, verbose = FALSE)
  }, future.seed = TRUE)
  expect_length(predict(trained[[1]], mtcars)$predictions, 32)
  expect_false(identical(as.raw(trained[[1]]), as.raw(trained[[2]])))
})
