# The command's model file, byte for byte: the same data, options and seed.

bytes_of_command <- function(data, ...) {
  table <- tempfile(fileext = ".csv")
  model <- tempfile(fileext = ".sporf")
  on.exit(unlink(c(table, model)))
  write_table(data, table)
  status <- system2(command(), c(..., "--data", table, "--model", model), stdout = FALSE, stderr = FALSE)
  expect_identical(status, 0L)
  readBin(model, "raw", file.size(model))
}

numbers <- function(rows = 300) {
  set.seed(3)
  data <- as.data.frame(round(matrix(rnorm(rows * 5), rows), 3))
  data$y <- factor(ifelse(data$V1 + data$V2 > 0.2, "b", ifelse(data$V3 > 0, "a", "c")))
  data
}

test_that("numbers and classes give the command's file", {
  data <- numbers()
  expect_identical(
    as.raw(sporf(y ~ ., data, num.trees = 30, seed = 7)),
    bytes_of_command(data, "train", "--label", "y", "--trees", 30, "--seed", 7)
  )
})

test_that("every method gives the command's file", {
  data <- numbers()
  for (method in c("rf", "frc", "rr-rf", "ccf")) {
    expect_identical(
      as.raw(sporf(y ~ ., data, num.trees = 10, seed = 2, method = method)),
      bytes_of_command(data, "train", "--label", "y", "--trees", 10, "--seed", 2, "--method", method)
    )
  }
})

test_that("numbers to predict give the command's file", {
  data <- numbers()
  data$y <- round(data$V1 - data$V2^2, 3)
  expect_identical(
    as.raw(sporf(y ~ ., data, num.trees = 20, seed = 5)),
    bytes_of_command(data, "train", "--target", "y", "--trees", 20, "--seed", 5)
  )
  expect_identical(
    as.raw(sporf(y ~ ., data, num.trees = 20, seed = 5, quantreg = FALSE, mtry = 3, min.node.size = 9)),
    bytes_of_command(data, "train", "--target", "y", "--trees", 20, "--seed", 5, "--samples", "drop",
                     "--projections", 3, "--min-split", 10)
  )
})

test_that("factors, ordered factors, missing values and weights give the command's file", {
  data <- typed_table()[, c("a", "b", "whole", "colour", "size", "label", "weight")]
  expect_identical(
    as.raw(sporf(label ~ ., data, num.trees = 25, seed = 4, case.weights = "weight",
                 class.weights = c(no = 2))),
    bytes_of_command(data, "train", "--label", "label", "--trees", 25, "--seed", 4, "--weight", "weight",
                     "--class-weights", "no=2", "--ordinal", shQuote("size=small<medium<large"))
  )
})

test_that("boosting gives the command's file", {
  data <- numbers()
  expect_identical(
    as.raw(sporf_boost(y ~ ., data, num.rounds = 20, seed = 1)),
    bytes_of_command(data, "boost", "--label", "y", "--rounds", 20, "--seed", 1)
  )
})

test_that("the number of threads changes nothing", {
  data <- numbers()
  one <- sporf(y ~ ., data, num.trees = 20, seed = 1, num.threads = 1)
  two <- sporf(y ~ ., data, num.trees = 20, seed = 1, num.threads = 2)
  expect_identical(as.raw(one), as.raw(two))
})

test_that("the command predicts with R's model, and R with the command's", {
  data <- typed_table()[, c("a", "b", "whole", "colour", "size", "label")]
  table <- tempfile(fileext = ".csv")
  model <- tempfile(fileext = ".sporf")
  out <- tempfile(fileext = ".csv")
  on.exit(unlink(c(table, model, out)))
  write_table(data, table)
  forest <- sporf(label ~ ., data, num.trees = 25, seed = 4)
  write_sporf(forest, model)
  system2(command(), c("predict", "--model", model, "--data", table, "--output", out), stdout = FALSE)
  predicted <- read.csv(out)
  expect_identical(predicted[[1]], as.character(predict(forest, data)$predictions))
  again <- read_sporf(model)
  expect_identical(as.character(predict(again, data)$predictions), predicted[[1]])
})
