# Fits ranger once, in this process, and prints what it took as a line of JSON.
#
# Usage: Rscript fit_ranger.R FOLDER D TREES THREADS SEED. Only the call of ranger is timed. R has no
# single precision, so the table takes twice the memory here.

suppressPackageStartupMessages(library(ranger))

# A .npy file in Fortran order, of single-precision or 32-bit whole numbers.
read_npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  start <- readBin(file, "raw", 8)
  stopifnot(identical(start[2:6], charToRaw("NUMPY")), start[7] == 1)
  length <- readBin(file, "integer", size = 2, signed = FALSE, endian = "little")
  header <- readChar(file, length, useBytes = TRUE)
  shape <- as.numeric(strsplit(sub(".*'shape': \\(([^)]*)\\).*", "\\1", header), ",")[[1]])
  type <- sub(".*'descr': '<([if]4)'.*", "\\1", header)
  values <- readBin(file, c(i4 = "integer", f4 = "numeric")[[type]], prod(shape), size = 4,
                    endian = "little")
  if (length(shape) == 1) return(values)
  stopifnot(grepl("'fortran_order': True", header))
  matrix(values, shape[1], shape[2], dimnames = list(NULL, paste0("x", seq_len(shape[2]))))
}

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
