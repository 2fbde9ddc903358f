# Fits ranger once, in this process, and prints what it took as a line of JSON.
#
# Usage: Rscript fit_ranger.R FOLDER D TREES THREADS SEED. Only the call of ranger is timed. R has no
# single precision, so the table takes twice the memory here.

suppressPackageStartupMessages(library(ranger))

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "npy.R"))

peak_bytes <- function() {
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
numbers <- as.integer(arguments[-1])
x <- read_npy(file.path(folder, "train.npy"))
y <- factor(read_npy(file.path(folder, "train-labels.npy")))
start <- proc.time()[["elapsed"]]
forest <- ranger(x = x, y = y, num.trees = numbers[2], mtry = numbers[1], min.node.size = 1,
                 num.threads = numbers[3], seed = numbers[4], oob.error = FALSE, verbose = FALSE)
seconds <- proc.time()[["elapsed"]] - start
peak <- peak_bytes()
rm(x)
test <- read_npy(file.path(folder, "test.npy"))
truth <- read_npy(file.path(folder, "test-labels.npy"))
said <- predict(forest, test, num.threads = numbers[3], verbose = FALSE)$predictions
cat(sprintf('{"version": "%s", "seconds": %.3f, "peak_bytes": %.0f, "error": %.6f}\n',
            packageVersion("ranger"), seconds, peak, mean(as.character(said) != as.character(truth))))
