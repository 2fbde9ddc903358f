# Trains ranger and keeps the forest, or times the predictions of one that was kept, as a line of JSON.
#
# Usage: Rscript predict_ranger.R train FOLDER MODEL D TREES THREADS SEED
#        Rscript predict_ranger.R predict FOLDER MODEL THREADS SECONDS
# R calls from one thread only, so there are no single rows with more.

suppressPackageStartupMessages(library(ranger))
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "npy.R"))

REPEATS <- 5
CALLS_MAX <- 1000

now <- function() as.numeric(Sys.time())

train <- function(folder, model, d, trees, threads, seed) {
  x <- read_npy(file.path(folder, "train.npy"))
  y <- factor(read_npy(file.path(folder, "train-labels.npy")))
  forest <- ranger(x = x, y = y, num.trees = trees, mtry = d, min.node.size = 1,
                   num.threads = threads, seed = seed, oob.error = FALSE, verbose = FALSE)
  saveRDS(forest, model, compress = FALSE)
  cat("{}\n")
}

# Seconds of each call, until they come to that many.
times <- function(call, seconds, most) {
  taken <- c()
  while (length(taken) < 1 || (sum(taken) < seconds && length(taken) < most)) {
    start <- now()
    call(length(taken) + 1)
    taken <- c(taken, now() - start)
  }
  taken
}

one_row <- function(forest, test, seconds) {
  row <- sample(nrow(test))
  taken <- times(function(i) predict(forest, test[row[i], , drop = FALSE], num.threads = 1,
                                     verbose = FALSE), seconds, min(nrow(test), CALLS_MAX))
  sprintf('{"p50_us": %.3f, "p99_us": %.3f, "rows_per_second": %.6g}', 1e6 * median(taken),
          1e6 * quantile(taken, 0.99), length(taken) / sum(taken))
}

time_predictions <- function(folder, model, threads, seconds) {
  forest <- readRDS(model)
  test <- read_npy(file.path(folder, "test.npy"))
  truth <- read_npy(file.path(folder, "test-labels.npy"))
  set.seed(1)
  all_rows <- function(i) predict(forest, test, num.threads = threads, verbose = FALSE)$predictions
  wrong <- mean(as.character(all_rows(1)) != as.character(truth))
  taken <- median(replicate(REPEATS, mean(times(all_rows, seconds, Inf))))
  cat(sprintf('{"version": "%s", "error": %.6f, "rows_per_second": %.6g, "one_row": %s}\n',
              packageVersion("ranger"), wrong, nrow(test) / taken,
              if (threads == 1) one_row(forest, test, seconds) else "null"))
}

arguments <- commandArgs(trailingOnly = TRUE)
numbers <- as.numeric(arguments[-(1:3)])
action <- list(train = train, predict = time_predictions)[[arguments[1]]]
do.call(action, c(as.list(arguments[2:3]), as.list(numbers)))
