# What the library refuses, as an error in R's words.

# Arguments that are named as ranger names them. All other options are named as the command names
# them, with dots for dashes.
arguments_of_options <- c(
  "bag" = "replace", "bag-fraction" = "sample.fraction", "class-weights" = "class.weights",
  "criterion" = "splitrule", "label" = "y", "label-file" = "y", "max-depth" = "max.depth",
  "min-leaf" = "min.bucket", "min-split" = "min.node.size", "projections" = "mtry",
  "rate" = "learning.rate", "rounds" = "num.rounds", "samples" = "quantreg", "target" = "y",
  "threads" = "num.threads", "trees" = "num.trees",
  "weight" = "case.weights"
)

# Values that are spelled otherwise in R: "OPTION VALUE" and what to write.
settings_of_options <- c(
  "bag bootstrap" = "replace = TRUE", "bag subsample" = "replace = FALSE",
  "bag stratified" = "bag = \"stratified\"", "bag none" = "bag = \"none\"",
  "samples keep" = "quantreg = TRUE", "samples drop" = "quantreg = FALSE"
)

argument_of <- function(option) {
  known <- arguments_of_options[option]
  unname(ifelse(is.na(known), gsub("-", ".", option, fixed = TRUE), known))
}

# One part of a message: an option by the name of its argument, a column by its name.
part_words <- function(kind, text, value, number, columns) {
  if (kind == "option") {
    setting <- settings_of_options[paste(text, value)]
    if (!is.na(setting)) return(unname(setting))
    if (is.na(value)) return(argument_of(text))
    is_number <- grepl("^-?[0-9.]+$", value)
    return(paste(argument_of(text), "=", if (is_number) value else dQuote(value, FALSE)))
  }
  if (number == 0) return(text)
  if (text %in% c("column", "feature") && number <= length(columns)) {
    return(paste("column", dQuote(columns[number], FALSE)))
  }
  paste(text, format(number, scientific = FALSE))
}

words_of <- function(failure, columns = NULL) {
  parts <- mapply(part_words, failure$kind, failure$text, failure$value, failure$number,
                  MoreArgs = list(columns = columns))
  paste(parts, collapse = "")
}

stop_sporf <- function(...) {
  stop(structure(
    class = c("sporf_error", "error", "condition"),
    list(message = paste0(...), call = NULL)
  ))
}

# The result of a routine, unless that failed. Messages call columns by these names.
checked <- function(result, columns = NULL) {
  if (inherits(result, "sporf_failure")) stop_sporf(words_of(result, columns))
  result
}

# "a", "b" and "c": the first few, and how many others there are.
listed <- function(names, most = 5L, word = "and") {
  shown <- dQuote(names[seq_len(min(length(names), most))], FALSE)
  rest <- length(names) - length(shown)
  if (rest > 0L) shown <- c(shown, paste(rest, if (rest == 1L) "other" else "others"))
  if (length(shown) < 2L) return(paste(shown))
  paste(paste(shown[-length(shown)], collapse = ", "), word, shown[length(shown)])
}

rows_listed <- function(rows, most = 5L) {
  shown <- paste(rows[seq_len(min(length(rows), most))], collapse = ", ")
  if (length(rows) > most) shown <- paste0(shown, ", ... (", length(rows), " in all)")
  paste(if (length(rows) == 1L) "row" else "rows", shown)
}
