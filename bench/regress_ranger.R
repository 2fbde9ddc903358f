# Fits ranger's regression forest once, in this process, and prints what came of it as a line of JSON.
#
# Usage: Rscript regress_ranger.R TRAIN TEST TREES THREADS SEED. CSV files with the target y last; TEST may be -
# for none. Only the call of ranger is timed; mtry and min.node.size are its own.

suppressPackageStartupMessages(library(ranger))

arguments <- commandArgs(trailingOnly = TRUE)
numbers <- as.integer(arguments[3:5])
train <- read.csv(arguments[1])
start <- proc.time()
forest <- ranger(y ~ ., data = train, num.trees = numbers[1], num.threads = numbers[2], seed = numbers[3],
                 verbose = FALSE)
took <- proc.time() - start
test_rmse <- "null"
if (arguments[2] != "-") {
  test <- read.csv(arguments[2])
  said <- predict(forest, test, num.threads = numbers[2], verbose = FALSE)$predictions
  test_rmse <- sprintf("%.9g", sqrt(mean((test$y - said)^2)))
}
cat(sprintf('{"version": "%s", "seconds": %.3f, "cpu_seconds": %.3f, "oob_rmse": %.9g, "test_rmse": %s}\n',
            packageVersion("ranger"), took[["elapsed"]], took[["user.self"]] + took[["sys.self"]], sqrt(forest$prediction.error), test_rmse))
