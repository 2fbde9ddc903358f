# Runs the tests of testthat/ and speaks TAP; the status is not 0 if one fails.
library(testthat)
library(sporf)
results <- as.data.frame(test_dir("testthat", reporter = TapReporter$new(), stop_on_failure = FALSE))
quit(status = as.integer(any(results$failed > 0 | results$error)))
