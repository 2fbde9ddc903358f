# Fits the R package once, in this process, and prints what it took as a line of JSON.
#
# Usage: Rscript fit_r.R FOLDER MODEL D NONZEROS TREES THREADS SEED. Only the call of sporf is timed.
# Memory is what the call adds to R and its table. One row is predicted as a matrix and as a data
# frame.

suppressPackageStartupMessages(library(sporf))

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "npy.R"))

bytes_of <- function(name) {
  line <- grep(paste0("^", name, ":"), readLines("/proc/self/status"), value = TRUE)
  1024 * as.numeric(gsub("[^0-9]", "", line))
}

# Microseconds of a call, the least of five means.
one_call <- function(call, repeats = 2000) {
  seconds <- replicate(5, system.time(for (i in seq_len(repeats)) call())[["elapsed"]])
  1e6 * min(seconds) / repeats
}

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
numbers <- as.integer(arguments[-(1:2)])
x <- read_npy(file.path(folder, "train.npy"))
colnames(x) <- NULL # the command's table has no names
y <- factor(read_npy(file.path(folder, "train-labels.npy")))
invisible(gc())
before <- bytes_of("VmRSS")
# The peak starts anew, where the system allows it; otherwise reading the table counts, too.
try(writeLines("5", "/proc/self/clear_refs"), silent = TRUE)
start <- proc.time()[["elapsed"]]
forest <- sporf(x = x, y = y, num.trees = numbers[3], mtry = numbers[1],
                density = paste0(numbers[2], "/p"), num.threads = numbers[4], seed = numbers[5],
                verbose = FALSE)
seconds <- proc.time()[["elapsed"]] - start
peak <- bytes_of("VmHWM") - before
write_sporf(forest, arguments[2])
row <- x[1, , drop = FALSE]
frame <- as.data.frame(row)
rm(x)
test <- unname(read_npy(file.path(folder, "test.npy")))
truth <- read_npy(file.path(folder, "test-labels.npy"))
said <- predict(forest, test, num.threads = numbers[4])$predictions
cat(sprintf(
  paste0('{"version": "%s", "seconds": %.3f, "peak_bytes": %.0f, "error": %.6f, ',
         '"row_us": %.2f, "frame_us": %.2f}\n'),
  packageVersion("sporf"), seconds, peak, mean(as.character(said) != as.character(truth)),
  one_call(function() predict(forest, row)), one_call(function() predict(forest, frame))
))
