# Tables of R's, as src/table.c takes them: a list of `values` (a matrix, or a list of columns),
# `rows`, `names`, and of factors `levels`, `ordered` and `codes`.

# Sparse matrices are refused above this many bytes of the dense matrix, unless the option
# "sporf.max.dense" says otherwise.
most_dense_bytes <- 2^31

# As the library sorts classes and levels: whole numbers by value, all else by bytes.
sorted_levels <- function(levels) {
  levels <- sort(enc2utf8(levels), method = "radix")
  if (all(grepl("^[+-]?[0-9]{1,15}$", levels))) levels[order(as.numeric(levels))] else levels
}

column_error <- function(name, ...) stop_sporf("column ", dQuote(name, FALSE), " ", ...)

# Whether a factor has codes without a level.
is_malformed <- function(column) {
  codes <- unclass(column)
  if (typeof(codes) != "integer") return(TRUE)
  # Without copies, which count in large tables; they are infinite if all codes are missing.
  least <- suppressWarnings(min(codes, na.rm = TRUE))
  most <- suppressWarnings(max(codes, na.rm = TRUE))
  least < 1 || most > nlevels(column)
}

# Refuses what no split can use.
check_column <- function(column, name) {
  if (inherits(column, c("Date", "POSIXt"))) {
    column_error(
      name, "holds dates: make numbers of them, as with as.integer(format(x, \"%m\")), ",
      "or leave it out"
    )
  }
  if (is.list(column)) column_error(name, "is a list column: leave it out")
  if (length(dim(column)) > 1L && ncol(column) != 1L) {
    column_error(name, "is a matrix: give each of its columns a name of its own")
  }
  if (inherits(column, "difftime")) {
    column_error(name, "holds spans of time: convert it, as with as.numeric(x, units = \"days\")")
  }
  if (inherits(column, "integer64")) {
    column_error(name, "holds 64-bit integers: convert it with as.numeric()")
  }
  if (!is.numeric(column) && !is.logical(column) && !is.factor(column)) {
    column_error(name, "holds ", typeof(column), " values, which no split can use: leave it out")
  }
  if (is.factor(column) && is_malformed(column)) {
    column_error(name, "is a malformed factor: make it anew with factor(as.character(x))")
  }
  if (is.factor(column) && nlevels(column) < 2L) {
    column_error(
      name, "is a factor with ", if (nlevels(column) == 1L) "one level" else "no levels",
      ", which no split can use: leave it out"
    )
  }
}

# Single precision has 24 bits. Numbers that lie close together far from 0 are rounded to the same
# ones; larger whole numbers are as a rule identifiers, or times.
warn_of_rounding <- function(column, what) {
  if (is.logical(column)) return()
  range <- suppressWarnings(range(column, na.rm = TRUE, finite = TRUE))
  most <- max(abs(range))
  advice <- if (diff(range) > 0 && diff(range) < 1000 * 2^-23 * most) {
    "values that differ in their last digits only, but seven digits are kept: subtract a constant"
  } else if (most > 2^24 && is.finite(most) && all(column == round(column), na.rm = TRUE)) {
    "whole numbers above 2^24, but seven digits are kept: leave out what only identifies rows"
  }
  if (!is.null(advice)) warning(what, " has ", advice, call. = FALSE)
}

# Whether texts are categories, names or numbers only the user knows.
refuse_text <- function(names) {
  if (length(names) == 0L) return()
  quoted <- paste(dQuote(names, FALSE), collapse = ", ")
  if (length(names) == 1L) {
    column_error(names, "holds text: make it a factor, as in data[[", quoted, "]] <- factor(data[[",
                 quoted, "]]), or leave it out")
  }
  stop_sporf(
    "columns ", listed(names), " hold text: make them factors, as in columns <- c(", quoted,
    "); data[columns] <- lapply(data[columns], factor), or leave them out"
  )
}

# The columns of a data frame to learn from.
frame_table <- function(frame) {
  columns <- unclass(frame)
  attr(columns, "row.names") <- NULL
  names <- names(columns)
  count <- length(columns)
  refuse_text(names[vapply(columns, is.character, NA)])
  levels <- codes <- vector("list", count)
  ordered <- logical(count)
  for (j in seq_len(count)) {
    column <- columns[[j]]
    check_column(column, names[j])
    if (!is.factor(column)) {
      warn_of_rounding(column, paste("column", dQuote(names[j], FALSE)))
      next
    }
    ordered[j] <- is.ordered(column)
    of_column <- levels(column)
    known <- of_column[!is.na(of_column) & of_column != ""] # as in files: an empty text is missing
    levels[[j]] <- if (ordered[j]) enc2utf8(known) else sorted_levels(known)
    codes[[j]] <- match(of_column, levels[[j]]) - 1L
  }
  list(
    values = columns, rows = nrow(frame), names = enc2utf8(names), levels = levels,
    codes = codes, ordered = ordered
  )
}

matrix_table <- function(matrix) {
  if (!is.numeric(matrix) && !is.logical(matrix)) {
    stop_sporf(
      "x is a matrix of ", typeof(matrix), " values: give a data frame, in which text can be ",
      "made a factor"
    )
  }
  names <- colnames(matrix)
  list(values = matrix, rows = nrow(matrix), names = if (is.null(names)) NULL else enc2utf8(names))
}

is_sparse <- function(x) inherits(x, c("dgCMatrix", "sparseMatrix"))

# A sparse matrix as a dense one, if that is not too large.
dense <- function(x) {
  bytes <- 8 * as.numeric(nrow(x)) * ncol(x)
  size <- format(structure(bytes, class = "object_size"), units = "auto", standard = "SI")
  most <- getOption("sporf.max.dense", most_dense_bytes)
  if (bytes > most) {
    stop_sporf(
      "x is a sparse matrix, which would take ", size, " as a dense one: keep fewer columns, or ",
      "allow it with options(sporf.max.dense = ", format(bytes, scientific = FALSE), ")"
    )
  }
  if (!requireNamespace("Matrix", quietly = TRUE)) {
    stop_sporf("x is a sparse matrix, which needs the package Matrix")
  }
  message("sporf: the sparse matrix is converted to a dense one, which takes ", size)
  as.matrix(x)
}

plain_table <- function(x, what = "x") {
  if (is.matrix(x) || is.data.frame(x)) return(x)
  if (is_sparse(x)) return(dense(x))
  stop_sporf(what, " must be a data frame or a matrix, got ", class(x)[1L])
}

# The table of the features to learn from.
training_table <- function(x) {
  x <- plain_table(x)
  if (nrow(x) == 0L) stop_sporf("x has no rows")
  if (ncol(x) == 0L) stop_sporf("x has no columns")
  if (is.data.frame(x)) frame_table(x) else matrix_table(x)
}

# ---- tables to predict ---------------------------------------------------------------------------

missing_columns <- function(given, what) {
  stop_sporf(what, " lacks the column", if (length(given) > 1L) "s", " ", listed(given))
}

# The places of the model's features in a table with these column names.
places_of <- function(features, names, columns, what) {
  count <- features$count
  if (is.null(features$names) || is.null(names)) {
    if (columns == count) return(seq_len(count))
    stop_sporf(what, " has ", columns, " columns, but the forest was trained on ", count)
  }
  if (identical(names, features$names)) return(seq_len(count))
  places <- match(features$names, names)
  if (anyNA(places)) missing_columns(features$names[is.na(places)], what)
  places
}

# The levels of a column of the data, as numbers of the model's; NA is unknown.
codes_among <- function(column, known, name, unknown) {
  levels <- if (is.factor(column)) levels(column) else unique(column[!is.na(column)])
  codes <- match(levels, known) - 1L
  new <- levels[is.na(codes) & !is.na(levels)]
  if (length(new) > 0L && unknown == "error") {
    new <- new[new %in% as.character(unique(column))]
    if (length(new) > 0L) {
      column_error(
        name, "has ", if (length(new) > 1L) "levels" else "a level",
        " that the forest does not know: ", listed(new),
        "; give unknown.levels = \"missing\" to treat such rows as missing there"
      )
    }
  }
  if (is.factor(column)) codes else codes[match(column, levels)]
}

# One column of a data frame to predict: its values and, if it is a factor, its codes.
prediction_column <- function(column, known, name, unknown) {
  if (is.null(known)) {
    if (is.factor(column) || is.character(column)) {
      kind <- if (is.factor(column)) "is a factor" else "holds text"
      column_error(name, kind, ", but the forest was trained on numbers")
    }
    check_column(column, name)
    return(list(column, NULL))
  }
  if (is.factor(column)) {
    if (is_malformed(column)) {
      column_error(name, "is a malformed factor: make it anew with factor(as.character(x))")
    }
    return(list(column, codes_among(column, known, name, unknown)))
  }
  if (is.character(column) || is.logical(column)) {
    column <- as.character(column)
    return(list(codes_among(column, known, name, unknown), NULL))
  }
  column_error(name, "must be a factor, as the forest was trained on one, got ", class(column)[1L])
}

prediction_frame <- function(frame, features, unknown, what) {
  names <- names(frame)
  places <- places_of(features, names, length(frame), what)
  if (!features$any.levels) {
    columns <- .subset(frame, places)
    if (.Call(core_is_plain, columns)) {
      return(list(values = columns, rows = .row_names_info(frame, 2L), names = features$names))
    }
  }
  count <- length(places)
  columns <- vector("list", count)
  codes <- NULL
  for (j in seq_len(count)) {
    column <- .subset2(frame, places[j])
    if (is.double(column) && !is.object(column) && is.null(features$levels[[j]])) {
      columns[[j]] <- column
      next
    }
    name <- if (is.null(features$names)) names[places[j]] else features$names[j]
    read <- prediction_column(column, features$levels[[j]], name, unknown)
    columns[[j]] <- read[[1L]]
    if (!is.null(read[[2L]])) {
      if (is.null(codes)) codes <- vector("list", count)
      codes[[j]] <- read[[2L]]
    }
  }
  list(
    values = columns, rows = .row_names_info(frame, 2L), names = features$names, codes = codes,
    levels = if (features$any.levels) features$levels, ordered = features$ordered
  )
}

prediction_matrix <- function(matrix, features, what) {
  table <- matrix_table(matrix)
  if (features$any.levels) {
    stop_sporf(what, " must be a data frame, as the forest was trained on factors")
  }
  places <- places_of(features, table$names, ncol(matrix), what)
  if (!identical(places, seq_len(ncol(matrix)))) table$values <- matrix[, places, drop = FALSE]
  table$names <- features$names
  table
}

# A table to predict, with the features of the model in their order. Errors call it `what`.
prediction_table <- function(x, features, unknown = "error", what = "newdata") {
  if (unknown != "error") one_of(unknown, c("error", "missing"), "unknown.levels")
  if (is.data.frame(x)) {
    prediction_frame(x, features, unknown, what)
  } else {
    prediction_matrix(plain_table(x, what), features, what)
  }
}
