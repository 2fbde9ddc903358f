# Shapley values: they add up, equal brute force and those of the command.

explained_table <- typed_table()[, c("a", "b", "whole", "colour", "size", "label")]
labels_forest <- sporf(label ~ ., explained_table, num.trees = 20, seed = 3)
flowers <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
cars <- sporf(mpg ~ ., data = mtcars, num.trees = 20, seed = 1)

test_that("values and the base add up to the predictions", {
  found <- explain(labels_forest, explained_table[1:30, ], explained_table)
  for (level in c("yes", "no")) {
    sums <- found$base.values[[level]] + rowSums(as.matrix(found, level))
    expect_equal(sums, found$predictions[, level], tolerance = 1e-12)
  }
  votes <- predict(labels_forest, explained_table[1:30, ], type = "votes")$predictions / 20
  expect_equal(found$predictions, votes)
  all_votes <- predict(labels_forest, explained_table, type = "votes")$predictions / 20
  expect_equal(found$base.values, colMeans(all_votes))
  expect_true(all(found$errors == 0))
  expect_identical(found$estimated, 0)
})

test_that("regression, several targets, shares of leaves, projections and boosted models add up", {
  adds_up <- function(found) {
    for (output in found$output.names) {
      predictions <- as.matrix(found$predictions)
      colnames(predictions) <- found$output.names
      expect_equal(found$base.values[[output]] + rowSums(as.matrix(found, output)),
                   unname(predictions[, output]), tolerance = 1e-10)
    }
  }
  one <- explain(cars, mtcars[1:5, ], mtcars)
  adds_up(one)
  expect_equal(one$predictions, unname(predict(cars, mtcars[1:5, ])$predictions))
  two <- sporf(cbind(mpg, hp) ~ ., mtcars, num.trees = 10, seed = 1)
  found <- explain(two, mtcars)
  adds_up(found)
  expect_identical(found$output.names, c("mpg", "hp"))
  adds_up(explain(flowers, iris[1:4, ], iris, combine = "posteriors"))
  lines <- explain(flowers, iris[c(1, 60, 120), ], iris, projections = 3)
  adds_up(lines)
  expect_identical(colnames(lines$values[, , 1]),
                   c(projection_importance(flowers, 3)$projection, "all other projections"))
  expect_null(lines$data)
  booster <- sporf_boost(Species ~ ., iris, num.rounds = 5, seed = 1)
  found <- explain(booster, iris[1:3, ], iris)
  adds_up(found)
  expect_equal(found$predictions, predict(booster, iris[1:3, ], type = "score")$predictions)
})

test_that("the score of two classes is that of the second level, in any order of the levels", {
  two <- droplevels(iris[iris$Species != "setosa", ])
  for (levels in list(c("versicolor", "virginica"), c("virginica", "versicolor"))) {
    two$Species <- factor(two$Species, levels)
    booster <- sporf_boost(Species ~ ., two, num.rounds = 5, seed = 1)
    found <- explain(booster, two[c(1, 60), ], two)
    expect_identical(found$output.names, levels[2])
    scores <- predict(booster, two[c(1, 60), ], type = "score")$predictions
    expect_equal(found$predictions, scores)
    expect_equal(found$base.values[[1]] + rowSums(found$values), scores, tolerance = 1e-10)
  }
})

# The mean over background rows and all coalitions, by the definition.
shapley_by_definition <- function(forest, row, background, predict_rows) {
  features <- names(row)
  count <- length(features)
  worth <- numeric(2^count)
  for (set in seq_along(worth) - 1L) {
    mixed <- background
    taken <- features[bitwAnd(set, 2^(seq_len(count) - 1L)) > 0]
    for (name in taken) mixed[[name]] <- row[[name]]
    worth[set + 1L] <- mean(predict_rows(forest, mixed))
  }
  vapply(seq_len(count), function(j) {
    without <- which(bitwAnd(seq_along(worth) - 1L, 2^(j - 1L)) == 0)
    size <- vapply(without - 1L, function(set) sum(bitwAnd(set, 2^(seq_len(count) - 1L)) > 0), 0)
    weight <- factorial(size) * factorial(count - size - 1) / factorial(count)
    sum(weight * (worth[without + 2^(j - 1L)] - worth[without]))
  }, 0)
}

test_that("values are those of the definition, with factors and missing values", {
  background <- explained_table[1:12, 1:5]
  for (row in c(3, 7, 20)) { # of which a, or colour, is missing
    own <- explained_table[row, 1:5]
    by_definition <- shapley_by_definition(labels_forest, own, background, function(forest, rows) {
      predict(forest, rows, type = "votes")$predictions[, "yes"] / 20
    })
    found <- as.matrix(explain(labels_forest, own, background), "yes")
    expect_equal(as.vector(found), by_definition, tolerance = 1e-10)
  }
})

test_that("they are the command's", {
  model <- tempfile(fileext = ".sporf")
  table <- tempfile(fileext = ".csv")
  others <- tempfile(fileext = ".csv")
  out <- tempfile(fileext = ".csv")
  on.exit(unlink(c(model, table, others, out)))
  write_sporf(labels_forest, model)
  rows <- explained_table[101:130, ]
  write_table(rows, table)
  write_table(explained_table, others)
  explain_by_command <- function(...) {
    system2(command(), c("explain", "--model", model, "--data", table, "--output", out,
                         "--class", "all", ...), stderr = FALSE)
    read.csv(out, check.names = FALSE)
  }
  same <- function(found, lines) {
    own <- as.data.frame(found)
    own <- own[order(own$row, own$class), ]
    lines <- lines[order(lines$row, lines$class), ]
    expect_equal(as.vector(as.matrix(own[-(1:2)])), as.vector(as.matrix(lines[-(1:2)])),
                 tolerance = 1e-9)
    expect_identical(own$class, lines$class)
    expect_identical(own$row, lines$row)
  }
  found <- explain(labels_forest, rows, explained_table[1:30, ])
  write_table(explained_table[1:30, ], others)
  same(found, explain_by_command("--background", others))
  same(explain(labels_forest, rows, explained_table[1:30, ], combine = "posteriors", projections = 4),
       explain_by_command("--background", others, "--combine", "posteriors", "--projections", 4))
  write_table(explained_table, table) # of 200 rows, both draw the same 100
  same(explain(labels_forest, explained_table, seed = 5), explain_by_command("--seed", 5))
})

test_that("too few steps estimate, with standard errors, and still add up", {
  rotated <- sporf(Species ~ ., iris, num.trees = 10, method = "rr-rf", seed = 1)
  found <- explain(rotated, iris[c(1, 70), ], iris, steps = 10)
  expect_gt(found$estimated, 0)
  expect_true(any(found$errors > 0))
  sums <- apply(found$values, c(1, 3), sum)
  expect_equal(sweep(sums, 2, found$base.values, "+"), found$predictions, tolerance = 1e-10)
  expect_output(print(found), "% estimated, with standard errors")
})

test_that("nothing depends on threads, saving, the order of columns, or R's random numbers", {
  set.seed(1)
  before <- .Random.seed
  found <- explain(labels_forest, explained_table, num.threads = 1)
  expect_identical(.Random.seed, before)
  expect_equal(explain(labels_forest, explained_table, num.threads = 2)$values, found$values,
               tolerance = 1e-12)
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(labels_forest, file)
  expect_identical(explain(readRDS(file), rev(explained_table), num.threads = 1)$values,
                   found$values)
  write_sporf(labels_forest, file)
  again <- explain(read_sporf(file), explained_table, num.threads = 1)
  expect_identical(again$values[, , c("yes", "no")], found$values)
})

test_that("formulas, matrices, character columns and unusual names are taken", {
  logs <- sporf(mpg ~ log(hp) + wt, mtcars, num.trees = 10, seed = 1)
  found <- explain(logs, mtcars[1:3, ], mtcars)
  expect_identical(colnames(found$values), c("log(hp)", "wt"))
  expect_equal(found$data[["log(hp)"]], log(mtcars$hp[1:3]))
  matrix <- unname(as.matrix(iris[1:4]))
  unnamed <- sporf(x = matrix, y = iris$Species, num.trees = 5, seed = 1)
  expect_identical(dimnames(explain(unnamed, matrix)$values)[[2]], paste0("x", 1:4))
  texts <- explained_table
  texts$colour <- as.character(texts$colour)
  expect_identical(explain(labels_forest, texts)$values, explain(labels_forest, explained_table)$values)
  strange <- iris
  names(strange)[1:4] <- c("row", "a\"b", "%s\\n", "base")
  forest <- sporf(Species ~ ., strange, num.trees = 5, seed = 1)
  found <- explain(forest, strange[c(1, 70, 140), ], strange)
  expect_false(anyDuplicated(names(as.data.frame(found))) > 0)
  expect_identical(dimnames(found$values)[[2]], names(strange)[1:4])
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (type in c("importance", "points", "row")) expect_silent(plot(found, type, output = "setosa"))
})

test_that("pictures show what the explanation has, and leave the device as it was", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  found <- explain(flowers, iris[seq(1, 150, 10), ])
  before <- graphics::par(no.readonly = TRUE)
  bars <- plot(found)
  expect_identical(names(bars), c("feature", levels(iris$Species)))
  expect_equal(bars$setosa[bars$feature == "Petal.Width"],
               mean(abs(found$values[, "Petal.Width", "setosa"])))
  row <- plot(found, "row", row = 3, count = 2)
  expect_equal(nrow(row), 3)
  expect_equal(sum(row$value) + found$base.values[["setosa"]], found$predictions[[3, "setosa"]])
  points <- plot(found, "points", output = "virginica", count = 1)
  expect_equal(points$value, unname(found$values[, points$feature[1], "virginica"]))
  expect_silent(plot(explain(cars, mtcars[1:2, ], mtcars, projections = 2), "points"))
  expect_identical(graphics::par(no.readonly = TRUE)[c("mar", "mgp", "las")], before[c("mar", "mgp", "las")])
  expect_error(plot(found, "points"), "output must be one of \"setosa\"", class = "sporf_error")
  expect_error(plot(found, "row", row = 16), "row must be", class = "sporf_error")
})

test_that("explain() of dplyr and generics takes models, and this one what dplyr takes", {
  for (package in c("dplyr", "generics")) {
    skip_if(system.file(package = package) == "")
    found <- getExportedValue(package, "explain")(flowers, iris[1:2, ])
    expect_s3_class(found, "sporf.explanation")
  }
  expect_error(explain(iris), "must be a model of sporf", class = "sporf_error")
  expect_error(explain(flowers, iris, backgruond = iris), "\"backgruond\"", class = "sporf_error")
})

test_that("explain() passes what is not ours on to the package that it hides", {
  foreign <- structure(list(), class = "sporf_test_foreign")
  for (package in c("dplyr", "generics")) {
    place <- paste0("package:", package)
    skip_if(system.file(package = package) == "" || place %in% search())
    registerS3method("explain", class(foreign), function(x, ...) package, asNamespace(package))
    library(package, character.only = TRUE, pos = length(search()), warn.conflicts = FALSE)
    tryCatch(expect_identical(sporf::explain(foreign), package),
             finally = detach(place, character.only = TRUE))
  }
})

test_that("an interrupt ends an explanation soon, and the model can be used on", {
  skip_on_os("windows")
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(
    "library(sporf)", "data <- simulate_trunk(2000, seed = 1)",
    "forest <- sporf(y ~ ., data, num.trees = 100, seed = 1, effort = 'low', verbose = FALSE)",
    "system2('sh', c('-c', shQuote(paste('sleep 1.5; kill -INT', Sys.getpid()))), wait = FALSE)",
    "start <- proc.time()[[3]]",
    "found <- tryCatch(explain(forest, data, data), error = function(e) conditionMessage(e))",
    "cat('told:', if (is.character(found)) found, '\\n')",
    "cat('soon:', proc.time()[[3]] - start < 15, '\\n')",
    "cat('on:', sum(explain(forest, data[1, ], data[2:3, ])$predictions) == 1, '\\n')"
  ), script)
  out <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE, stderr = TRUE)
  expect_match(out, "told: .*interrupt", all = FALSE)
  expect_match(out, "soon: TRUE", all = FALSE)
  expect_match(out, "on: TRUE", all = FALSE)
})

test_that("what cannot be explained is refused", {
  refused <- function(...) expect_error(explain(...), class = "sporf_error")
  expect_match(refused(flowers, iris[1, ])$message, "the only row of newdata")
  expect_match(refused(flowers, iris[1:2])$message, "newdata lacks the columns")
  expect_match(refused(flowers, iris, background = iris[1:2])$message, "background lacks the columns")
  expect_match(refused(flowers, iris, background = as.matrix(iris[1:2]))$message, "background lacks")
  expect_match(refused(flowers, iris, projections = Inf)$message, "from 0 to 2147483648, got Inf")
  expect_match(refused(flowers, iris[0, ])$message, "newdata has no rows")
  expect_match(refused(flowers, iris, iris[0, ])$message, "background has no rows")
  expect_match(refused(flowers, 1:4)$message, "newdata must be a data frame")
  expect_match(refused(flowers, iris[-1])$message, "Sepal.Length")
  expect_match(refused(iris, iris)$message, "must be a model of sporf")
  expect_match(refused(flowers, iris, steps = 0)$message, "steps must be")
  expect_match(refused(flowers, iris, projections = -1)$message, "projections must be")
  expect_match(refused(flowers, iris, combine = "mean")$message, "combine must be")
  unknown <- explained_table
  levels(unknown$colour)[1] <- "violet"
  expect_match(refused(labels_forest, unknown)$message, "\"violet\"; give unknown.levels")
  found <- explain(labels_forest, unknown, unknown.levels = "missing")
  expect_equal(found$predictions,
               predict(labels_forest, unknown, unknown.levels = "missing", type = "votes")$predictions / 20)
})
