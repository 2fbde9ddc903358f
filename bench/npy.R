# Reads the tables that workloads.py makes.

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
