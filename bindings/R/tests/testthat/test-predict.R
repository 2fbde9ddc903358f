# Kinds of predictions, and how they go together.

classes <- sporf(label ~ a + b + whole + colour + size, typed_table(), num.trees = 40, seed = 1)
shares <- sporf(label ~ a + b + whole + colour + size, typed_table(), num.trees = 40, seed = 1,
                probability = TRUE, keep.inbag = TRUE)
numbers <- sporf(value ~ a + b + whole + colour + size, typed_table(), num.trees = 40, seed = 1,
                 keep.inbag = TRUE)
new <- typed_table(50, seed = 2)

test_that("classes are factors with the levels of y, in their order", {
  predicted <- predict(classes, new)$predictions
  expect_s3_class(predicted, "factor")
  expect_identical(levels(predicted), c("yes", "no"))
  votes <- predict(classes, new, type = "votes")$predictions
  expect_identical(colnames(votes), c("yes", "no"))
  expect_true(all(rowSums(votes) == 40))
  clear <- votes[, "yes"] != votes[, "no"]
  expect_identical(as.character(predicted)[clear], ifelse(votes[, "yes"] > votes[, "no"], "yes", "no")[clear])
  expect_gt(mean(predicted == new$label), 0.85)
})

test_that("each tree's vote is one of the votes", {
  trees <- predict(classes, new, predict.all = TRUE)$predictions
  expect_identical(dim(trees), c(50L, 40L))
  expect_identical(unname(rowSums(trees == 1)), unname(predict(classes, new, type = "votes")$predictions[, "yes"] + 0))
})

test_that("probabilities sum to one, and calibration changes no class", {
  calibrated <- predict(shares, new)$predictions
  plain <- predict(shares, new, calibrated = FALSE)$predictions
  expect_equal(rowSums(calibrated), rep(1, 50))
  expect_equal(rowSums(plain), rep(1, 50))
  expect_identical(calibrated[, 1] > 0.5, plain[, 1] > 0.5)
  by_tree <- predict(shares, new, predict.all = TRUE)$predictions
  expect_equal(apply(by_tree, 1:2, mean), plain, ignore_attr = TRUE, tolerance = 1e-6)
})

test_that("numbers are means over the trees", {
  by_tree <- predict(numbers, new, predict.all = TRUE)$predictions
  expect_equal(rowMeans(by_tree), predict(numbers, new)$predictions, tolerance = 1e-6)
})

test_that("quantiles rise, and intervals contain what they say", {
  quantiles <- predict(numbers, new, type = "quantiles", quantiles = c(0.1, 0.5, 0.9))$predictions
  expect_identical(colnames(quantiles), c("quantile= 0.1", "quantile= 0.5", "quantile= 0.9"))
  expect_true(all(quantiles[, 1] <= quantiles[, 2] & quantiles[, 2] <= quantiles[, 3]))
  bounds <- predict(numbers, new, type = "interval", level = 0.8)$predictions
  expect_identical(colnames(bounds), c("lower", "upper"))
  expect_gt(mean(new$value >= bounds[, "lower"] & new$value <= bounds[, "upper"]), 0.6)
})

test_that("rows end in nodes that are leaves", {
  nodes <- predict(classes, new, type = "terminalNodes")$predictions
  for (tree in c(1, 40)) {
    info <- treeInfo(classes, tree)
    expect_true(all(info$terminal[match(nodes[, tree], info$nodeID)]))
  }
})

test_that("one row is predicted as it is among others", {
  one_by_one <- vapply(1:50, function(i) as.character(predict(classes, new[i, ])$predictions), "")
  expect_identical(one_by_one, as.character(predict(classes, new)$predictions))
  single <- vapply(1:50, function(i) predict(numbers, new[i, ])$predictions, 0)
  expect_identical(single, predict(numbers, new)$predictions)
})

test_that("the short way of one row ends where the long way does", {
  plain <- transform(data.frame(matrix(round(rnorm(900), 3), 150)), y = X1 + X2 > 0)
  more <- plain[1, c("y", paste0("X", 1:6))]
  models <- list(
    sporf(factor(y) ~ ., plain, num.trees = 20, seed = 1),
    sporf(factor(y, c("TRUE", "FALSE")) ~ ., plain, num.trees = 20, seed = 1, probability = TRUE),
    sporf(X1 ~ . - y, plain, num.trees = 20, seed = 1),
    sporf(x = plain[1:6], y = plain$X1, num.trees = 20, seed = 1),
    sporf(x = plain[1:6], y = cbind(a = plain$X1, b = plain$X2), num.trees = 20, seed = 1),
    sporf(x = as.matrix(plain[1:6]), y = factor(plain$y), num.trees = 20, seed = 1),
    sporf(x = unname(as.matrix(plain[1:6])), y = factor(plain$y), num.trees = 20, seed = 1),
    sporf_boost(factor(y) ~ ., plain, num.rounds = 5, seed = 1)
  )
  rows <- list(
    plain[1, ], plain[2, 6:1], more, as.matrix(plain[3, 1:6]), unname(as.matrix(plain[3, 1:6])),
    plain[1, c(2, 1, 2:6)], replace(plain[4, ], 2, NA), plain[1, 1:5], replace(plain[1, ], 3, 1e31),
    replace(plain[1, ], 1, "1"), plain[0, ], plain[1:2, ], transform(plain[1, ], X1 = 1L),
    transform(plain[1, ], X2 = NA_integer_), transform(plain[1, ], X2 = TRUE), t(1:6)
  )
  answer <- function(...) tryCatch(predict(...), error = conditionMessage)
  for (model in models) {
    for (row in rows) {
      for (type in c("response", "prob")) {
        long <- answer(model, row, type = type, calibrated = TRUE)
        expect_identical(answer(model, row, type = type), long)
        expect_identical(answer(model, newdata = row, type = type), long)
      }
      expect_identical(answer(model, row), answer(model, row, calibrated = TRUE))
    }
  }
})

test_that("many rows are predicted in blocks", {
  set.seed(1)
  wide <- matrix(rnorm(2500 * 4100), 2500)
  forest <- sporf(x = wide[1:50, ], y = rnorm(50), num.trees = 3, seed = 1, mtry = 20)
  whole <- predict(forest, wide)$predictions
  expect_identical(whole[2301:2500], predict(forest, wide[2301:2500, ])$predictions)
  wide[2400, 7] <- Inf
  expect_error(predict(forest, wide), "row 2400", class = "sporf_error")
})

test_that("columns are matched by name, and levels by theirs", {
  turned <- new[, rev(names(new))]
  turned$colour <- factor(turned$colour, c("blue", "unused", "red", "green"))
  expect_identical(predict(classes, turned)$predictions, predict(classes, new)$predictions)
  texts <- transform(new, colour = as.character(colour))
  expect_identical(predict(classes, texts)$predictions, predict(classes, new)$predictions)
})

test_that("standard errors are those of the formulas", {
  for (method in c("infjack", "jack")) {
    result <- predict(numbers, new, type = "se", se.method = method)
    by_tree <- predict(numbers, new, predict.all = TRUE)$predictions
    counts <- do.call(cbind, numbers$inbag.counts)
    n <- nrow(counts)
    trees <- ncol(counts)
    by_hand <- vapply(1:50, function(i) {
      centred <- by_tree[i, ] - mean(by_tree[i, ])
      noise <- mean(centred^2)
      variance <- if (method == "infjack") {
        covariance <- apply(counts, 1, function(count) mean((count - mean(count)) * centred))
        spread <- mean(apply(counts, 1, function(count) mean((count - mean(count))^2)))
        sum(covariance^2) - n * spread * noise / trees
      } else {
        without <- apply(counts, 1, function(count) mean(centred[count == 0]))
        (n - 1) / n * sum(without^2) - (exp(1) - 1) * n * noise / trees
      }
      sqrt(max(variance, 0))
    }, 0)
    expect_equal(result$se, by_hand)
  }
  expect_identical(dim(predict(shares, new, type = "se")$se), c(50L, 2L))
})

test_that("standard errors without replacement are about those of bootstraps", {
  set.seed(1)
  table <- data.frame(x = runif(200), z = runif(200))
  table$y <- sin(6 * table$x) + table$z + rnorm(200) / 2
  error_of <- function(...) {
    forest <- sporf(y ~ ., table, num.trees = 2000, keep.inbag = TRUE, seed = 1, ...)
    mean(predict(forest, table, type = "se")$se)
  }
  with <- error_of(replace = TRUE)
  for (share in c(0.3, 0.5, 0.8)) {
    without <- error_of(replace = FALSE, sample.fraction = share)
    expect_true(without > with / 2 && without < 2 * with)
  }
  forest <- sporf(y ~ ., table, num.trees = 5, keep.inbag = TRUE, replace = FALSE, seed = 1)
  expect_error(predict(forest, table, type = "se", se.method = "jack"), "replace = TRUE")
})

test_that("rows without weight change no standard errors", {
  set.seed(1)
  table <- data.frame(x = runif(80), z = runif(80))
  table$y <- factor(table$x + table$z + rnorm(80) / 4 > 1)
  weights <- rep(1:0, c(50, 30))
  for (replace in c(TRUE, FALSE)) {
    error_of <- function(rows, ...) {
      forest <- sporf(
        y ~ ., table[rows, ], num.trees = 50, keep.inbag = TRUE, replace = replace,
        sample.fraction = 0.8, seed = 1, case.weights = weights[rows]
      )
      predict(forest, table, type = "se")$se
    }
    expect_equal(error_of(1:80), error_of(1:50))
  }
})

test_that("bags are bootstraps, and out-of-bag predictions are those of the other trees", {
  counts <- do.call(cbind, numbers$inbag.counts)
  expect_true(all(colSums(counts) == 200))
  by_tree <- predict(numbers, typed_table(), predict.all = TRUE)$predictions
  by_tree[counts > 0] <- NA
  expect_equal(rowMeans(by_tree, na.rm = TRUE), numbers$predictions, tolerance = 1e-6)
})

test_that("several numbers are predicted at once", {
  forest <- sporf(cbind(mpg, hp) ~ wt + cyl + disp, mtcars, num.trees = 20, seed = 1)
  predicted <- predict(forest, mtcars)$predictions
  expect_identical(colnames(predicted), c("mpg", "hp"))
  expect_identical(colnames(predict(forest, mtcars, type = "interval")$predictions),
                   c("mpg lower", "mpg upper", "hp lower", "hp upper"))
})

test_that("predictions print, and become data frames", {
  expect_output(print(predict(classes, new)), "Sample size: +50")
  expect_identical(names(as.data.frame(predict(classes, new))), "prediction")
  expect_identical(names(as.data.frame(predict(shares, new))), c("yes", "no"))
})
