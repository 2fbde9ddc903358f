# Scores of predictions.

scored_table <- typed_table()[, c("a", "b", "whole", "colour", "size", "label", "value", "weight")]
judge <- sporf(label ~ a + b + whole + colour + size, scored_table[1:100, ], num.trees = 20, seed = 3)
held_out <- scored_table[101:200, ]

test_that("scores are those of the definition", {
  found <- scores(judge, held_out)
  shares <- predict(judge, held_out, type = "prob")$predictions
  truth <- held_out$label
  of_truth <- shares[cbind(1:100, as.integer(truth))]
  expect_equal(found$scores["log_loss", "value"], -mean(log(pmax(of_truth, 2^-52))))
  one_hot <- cbind(truth == "yes", truth == "no")
  expect_equal(found$scores["brier", "value"], mean(rowSums((shares - one_hot)^2)))
  classes <- predict(judge, held_out)$predictions
  expect_equal(found$scores["accuracy", "value"], mean(classes == truth))
  expect_equal(unclass(found$confusion.matrix), unclass(table(true = truth, predicted = classes)))
  no <- shares[, "no"]
  pairs <- outer(no[truth == "no"], no[truth == "yes"], function(a, b) (a > b) + (a == b) / 2)
  expect_equal(found$scores["auc", "value"], mean(pairs))
  recall <- found$by.class$recall
  expect_equal(found$scores["balanced_accuracy", "value"], mean(recall))
  expect_equal(found$rows, 100)
  expect_equal(sum(found$calibration$rows), 100)
  expect_true(all(is.nan(found$scores[setdiff(rownames(found$scores), "auc"), "low"])))
  some <- scores(judge, held_out, replicates = 50)$scores
  expect_true(all(some$low <= some$value & some$value <= some$high))
})

test_that("they are the command's, with weights", {
  model <- tempfile(fileext = ".sporf")
  table <- tempfile(fileext = ".csv")
  on.exit(unlink(c(model, table)))
  write_sporf(judge, model)
  write_table(held_out, table)
  lines <- system2(command(), c("evaluate", "--model", model, "--data", table, "--label", "label",
                                "--weight", "weight", "--intervals", 100, "--json"),
                   stdout = TRUE, stderr = FALSE)
  text <- paste(lines, collapse = " ")
  found <- scores(read_sporf(model), held_out, case.weights = "weight", replicates = 100)
  for (name in rownames(found$scores)) {
    pattern <- sprintf('"%s": *\\{ *"value": *([-0-9.e]+), *"low": *([-0-9.e]+|null)', name)
    told <- regmatches(text, regexec(pattern, text))[[1]]
    expect_equal(found$scores[name, "value"], as.numeric(told[2]), tolerance = 1e-9)
    expect_equal(found$scores[name, "low"], as.numeric(told[3]), tolerance = 1e-9)
  }
  told <- regmatches(text, regexec('"calibration_error": *([-0-9.e]+)', text))[[1]]
  expect_equal(found$calibration.error, as.numeric(told[2]), tolerance = 1e-9)
})

test_that("rows of the training are scored out of bag", {
  training <- scored_table[1:100, ]
  found <- scores(judge, training, oob = TRUE)
  expect_equal(1 - found$scores["accuracy", "value"], judge$prediction.error)
  expect_identical(scores(judge, y = training$label, oob = TRUE), found)
  expect_equal(unclass(found$confusion.matrix), unclass(judge$confusion.matrix))
  expect_output(print(found), "out of bag")
  copy <- unserialize(serialize(judge, NULL))
  expect_error(scores(copy, training, oob = TRUE), "that was just trained", class = "sporf_error")
  expect_error(scores(judge, held_out[1:5, ], oob = TRUE), "the 100 rows of the training",
               class = "sporf_error")
  booster <- sporf_boost(Species ~ ., iris, num.rounds = 2, seed = 1)
  expect_error(scores(booster, iris, oob = TRUE), "boosted", class = "sporf_error")
})

test_that("the second level is scored, in any order of the levels; unknown classes count as errors", {
  turned <- scored_table
  turned$label <- factor(turned$label, c("no", "yes"))
  forest <- sporf(label ~ a + b, turned[1:100, ], num.trees = 10, seed = 1)
  other <- sporf(label ~ a + b, scored_table[1:100, ], num.trees = 10, seed = 1)
  first <- scores(forest, turned[101:200, ])
  second <- scores(other, held_out)
  expect_equal(first$scores["average_precision", "value"],
               first$by.class$average_precision[first$by.class$class == "yes"])
  expect_equal(second$scores["average_precision", "value"],
               first$by.class$average_precision[first$by.class$class == "no"])
  expect_equal(first$scores["auc", ], second$scores["auc", ])
  strange <- held_out
  strange$label <- as.character(strange$label)
  strange$label[1:10] <- "perhaps"
  found <- scores(other, strange)
  expect_equal(sum(found$confusion.matrix["others", ]), 10)
  right <- predict(other, held_out)$predictions == held_out$label
  expect_equal(found$scores["accuracy", "value"], sum(right[-(1:10)]) / 100)
})

test_that("what is true comes from the data or y, never from elsewhere", {
  rows <- typed_table(seed = 2)
  verdict <- rev(rows$label)
  forest <- sporf(verdict ~ a + b, rows, num.trees = 5, seed = 1)
  assign("verdict", rows$label, globalenv())
  on.exit(rm("verdict", envir = globalenv()))
  refused <- function(code) expect_error(code, "give it as y", class = "sporf_error")
  refused(scores(forest, rows))
  refused(scores(forest, rows, oob = TRUE))
  refused(score_curve(forest, rows))
  expect_message(report(forest, tempfile(), rows), "there are no scores")
  found <- scores(forest, y = rev(rows$label), oob = TRUE)
  expect_equal(1 - found$scores["accuracy", "value"], forest$prediction.error)
})

test_that("y may be a data frame of one column", {
  rows <- held_out[names(held_out) != "label"]
  given <- held_out["label"]
  expect_equal(scores(judge, rows, y = given), scores(judge, held_out))
  training <- scored_table[1:100, ]
  expect_equal(scores(judge, y = training["label"], oob = TRUE), scores(judge, training, oob = TRUE))
  shares <- predict(judge, held_out, type = "prob")$predictions
  expect_equal(scores(shares, y = given), scores(shares, y = held_out$label))
  pages <- tempfile(c("a", "b"))
  on.exit(unlink(pages))
  report(judge, pages[1], rows, y = given)
  report(judge, pages[2], rows, y = given$label)
  expect_identical(readLines(pages[1]), readLines(pages[2]))
  expect_identical(as.integer(sporf:::truth_of(judge, rows, given)), as.integer(held_out$label))
})

test_that("a sparse matrix is made dense once", {
  skip_if_not_installed("Matrix")
  rows <- as.matrix(iris[1:4])
  sparse <- Matrix::Matrix(rows, sparse = TRUE)
  classes <- sporf(x = rows, y = iris$Species, num.trees = 5, seed = 1)
  numbers <- sporf(x = rows[, -1], y = rows[, 1], num.trees = 5, seed = 1)
  once <- function(code) expect_length(capture_messages(code), 1)
  once(found <- scores(classes, sparse, iris$Species))
  expect_equal(found, scores(classes, rows, iris$Species))
  once(found <- scores(numbers, sparse[, -1], rows[, 1]))
  expect_equal(found, scores(numbers, rows[, -1], rows[, 1]))
  once(score_curve(classes, sparse, iris$Species, class = "setosa"))
  file <- tempfile()
  on.exit(unlink(file))
  once(report(classes, file, sparse, iris$Species))
})

test_that("the classes that are scored are those that the model predicts", {
  turned <- transform(iris, Species = factor(Species, c("virginica", "setosa", "versicolor")))
  booster <- sporf_boost(Species ~ Sepal.Width, turned, num.rounds = 3, seed = 1)
  ties <- sporf(Species ~ Sepal.Width, turned, num.trees = 2, seed = 1, probability = TRUE)
  for (model in list(booster, ties)) {
    for (combine in list(NULL, "votes", "posteriors")) {
      classes <- predict(model, turned, type = "class", combine = combine)$predictions
      expect_equal(unclass(scores(model, turned, combine = combine)$confusion.matrix),
                   unclass(table(true = turned$Species, predicted = classes)))
    }
  }
})

test_that("probabilities of any model are scored", {
  shares <- predict(judge, held_out, type = "prob")$predictions
  found <- scores(shares, y = held_out$label)
  # Ties are decided by the order of the columns, not by the model.
  of_probabilities <- c("log_loss", "brier", "auc", "average_precision")
  expect_equal(found$scores[of_probabilities, ], scores(judge, held_out)$scores[of_probabilities, ])
  expect_identical(scores(as.data.frame(shares), y = as.character(held_out$label))$scores, found$scores)
  shares[1, ] <- NaN
  expect_equal(scores(shares, y = held_out$label)$rows, 99)
  expect_equal(sum(scores(shares, y = held_out$label)$confusion.matrix), 99)
  refused <- function(...) expect_error(scores(...), class = "sporf_error")$message
  expect_match(refused(shares), "y is missing")
  expect_match(refused(shares, y = 1:3), "y has 3 values")
  expect_match(refused(unname(shares), y = held_out$label), "must be named")
  expect_match(refused(shares, y = held_out$label, oob = TRUE), "oob = TRUE needs a model")
  expect_match(refused("a", y = 1), "a model of sporf\\(\\) or a matrix")
})

test_that("numbers have errors, and intervals their coverage", {
  forest <- sporf(value ~ a + b + colour, scored_table[1:100, ], num.trees = 30, seed = 1)
  found <- scores(forest, held_out, level = 0.8)
  error <- held_out$value - predict(forest, held_out)$predictions
  expect_equal(found$scores$rmse, sqrt(mean(error^2)), tolerance = 1e-6)
  expect_equal(found$scores$mae, mean(abs(error)), tolerance = 1e-6)
  bounds <- predict(forest, held_out, type = "interval", level = 0.8)$predictions
  inside <- held_out$value >= bounds[, "lower"] - 1e-6 & held_out$value <= bounds[, "upper"] + 1e-6
  expect_equal(found$scores$coverage, mean(inside))
  weights <- rep(0:1, 50)
  expect_equal(scores(forest, held_out, case.weights = weights),
               scores(forest, held_out[weights > 0, ], case.weights = rep(1, 50)))
  expect_error(scores(forest, held_out, case.weights = 0 * weights), "no row to score",
               class = "sporf_error")
  two <- sporf(cbind(mpg, hp) ~ ., mtcars, num.trees = 10, seed = 1, quantreg = FALSE)
  expect_identical(dimnames(scores(two, mtcars)$scores), list(c("mpg", "hp"), c("rmse", "mae", "r2")))
  booster <- sporf_boost(mpg ~ ., mtcars, num.rounds = 5, seed = 1)
  expect_output(print(scores(booster, mtcars)), "rmse")
  expect_error(scores(forest, held_out, oob = TRUE), "for classification", class = "sporf_error")
  expect_error(scores(forest, held_out[-7]), "give it as y", class = "sporf_error")
  expect_error(scores(forest), "data is missing", class = "sporf_error")
  expect_error(plot(found), "scores of numbers", class = "sporf_error")
})

test_that("curves pass through the rates of their thresholds, and pictures show them", {
  curve <- score_curve(judge, held_out)
  no <- predict(judge, held_out, type = "prob")$predictions[, "no"]
  is_no <- held_out$label == "no"
  expect_identical(curve$threshold[1], Inf)
  for (i in seq(2, nrow(curve), length.out = 4)) {
    taken <- no >= curve$threshold[i]
    expect_equal(curve$recall[i], mean(taken[is_no]))
    expect_equal(curve$false_positive_rate[i], mean(taken[!is_no]))
    expect_equal(curve$precision[i], mean(is_no[taken]))
  }
  expect_identical(score_curve(judge, held_out, class = "yes", combine = "posteriors")$threshold[1], Inf)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(curve), curve)
  expect_identical(plot(curve, "precision-recall"), curve)
  expect_gt(nrow(plot(scores(judge, held_out))), 1)
  flowers <- sporf(Species ~ ., iris, num.trees = 5, seed = 1)
  expect_error(score_curve(flowers, iris), "class must be one of", class = "sporf_error")
  expect_error(score_curve(flowers, iris, class = "rosa"), "got \"rosa\"", class = "sporf_error")
  one <- iris[iris$Species == "setosa", ]
  expect_error(plot(score_curve(flowers, one, class = "setosa")), "rows of others", class = "sporf_error")
})
