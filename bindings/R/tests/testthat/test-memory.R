# Memory of the library is given back if R ends a call.

# By how many megabytes a process grows while it evaluates the lines.
growth <- function(before, lines, ...) {
  skip_if_not(file.exists("/proc/self/status"), "the system does not tell the size of a process")
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(
    "library(sporf)",
    "size <- function() {",
    "  line <- grep('VmRSS', readLines('/proc/self/status'), value = TRUE)",
    "  as.numeric(gsub('[^0-9]', '', line)) / 1024",
    "}",
    before, "start <- size()", lines, "invisible(gc())", "cat('grown:', size() - start)"
  ), script)
  out <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE, stderr = TRUE, ...)
  as.numeric(sub("grown: ", "", grep("^grown", out, value = TRUE)))
}

test_that("a result that R has no memory for is freed", {
  grown <- growth(c(
    "forest <- sporf(mpg ~ ., mtcars, num.trees = 2, seed = 1)",
    "rows <- mtcars[rep(1:32, 128), ]"
  ), c(
    "for (i in 1:5) tryCatch({",
    "  dependence(forest, rows, 'hp', 'ice', values = 1:3000)",
    "  stop('there is memory')",
    "}, error = function(e) stopifnot(grepl('memory exhausted|cannot allocate', conditionMessage(e))))"
  ), env = "R_MAX_VSIZE=100Mb")
  expect_lt(grown, 200) # a result has 94
})

test_that("groups are freed if a time limit ends the call", {
  grown <- growth(c(
    "data <- data.frame(y = 1:20, matrix(runif(20 * 1000), 20))",
    "forest <- sporf(y ~ ., data, num.trees = 500, seed = 1)",
    "groups <- rep(list(2:1000), 1000)",
    "names(groups) <- paste0('g', 1:1000)"
  ), c(
    "for (i in 1:12) tryCatch({",
    "  setTimeLimit(elapsed = 0.5, transient = TRUE)",
    "  drop_column_importance(forest, data, groups = groups)",
    "  stop('there is time')",
    "}, error = function(e) stopifnot(grepl('time limit', conditionMessage(e))))"
  ))
  expect_lt(grown, 60) # the groups of a call have 8
})
