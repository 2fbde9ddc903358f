# Arguments of R's functions as options of the library, which takes them as text.

as_text <- function(x) {
  if (is.logical(x)) return(tolower(as.character(x)))
  if (!is.numeric(x)) return(enc2utf8(as.character(x)))
  short <- sprintf("%.15g", x)
  if (as.numeric(short) == x) short else sprintf("%.17g", x)
}

one_number <- function(x, name, least = -Inf, most = Inf, whole = FALSE) {
  fits <- is.numeric(x) && length(x) == 1L && !is.na(x) && x >= least && x <= most &&
    (!whole || x == round(x))
  if (fits) return(x)
  range <- if (is.finite(most)) {
    paste(" from", least, "to", most)
  } else if (is.finite(least)) {
    paste(" of at least", least)
  } else {
    ""
  }
  stop_sporf(name, " must be a ", if (whole) "whole ", "number", range, ", got ", shown(x))
}

one_flag <- function(x, name) {
  if (is.logical(x) && length(x) == 1L && !is.na(x)) return(x)
  stop_sporf(name, " must be TRUE or FALSE, got ", shown(x))
}

one_text <- function(x, name) {
  if (is.character(x) && length(x) == 1L && !is.na(x)) return(x)
  stop_sporf(name, " must be one text, got ", shown(x))
}

one_of <- function(x, choices, name) {
  if (identical(x, choices)) return(choices[1L])
  if (is.character(x) && length(x) == 1L && x %in% choices) return(x)
  stop_sporf(name, " must be ", listed(choices, Inf, "or"), ", got ", shown(x))
}

shown <- function(x) {
  text <- paste(deparse(x, width.cutoff = 60L), collapse = " ")
  if (nchar(text) > 60L) paste0(substr(text, 1L, 57L), "...") else text
}

#' Number of threads
#'
#' How many threads the functions of this package use if `num.threads` is `NULL`: the option
#' `sporf.num.threads`; if that is not set, the environment variable `SPORF_NUM_THREADS`; otherwise
#' 2. The number 0 stands for all cores. It never changes a result.
#'
#' @param num.threads A number of threads, or `NULL`.
#' @return A number.
#' @examples
#' sporf_threads()
#' @export
sporf_threads <- function(num.threads = NULL) {
  if (is.null(num.threads)) num.threads <- getOption("sporf.num.threads")
  if (is.null(num.threads)) {
    num.threads <- suppressWarnings(as.numeric(Sys.getenv("SPORF_NUM_THREADS", "2")))
    if (is.na(num.threads)) {
      stop_sporf("the environment variable SPORF_NUM_THREADS must be a number")
    }
  }
  one_number(num.threads, "num.threads", 0, 4096, whole = TRUE)
}

# A seed: given, or drawn from R's random numbers, so that set.seed() makes results repeatable.
seed_of <- function(seed) {
  if (is.null(seed)) return(sample.int(.Machine$integer.max, 1L))
  one_number(seed, "seed", 0, 2^53, whole = TRUE)
}

# 0: silent; 1: a line from time to time; 2: one line that is redrawn.
verbosity <- function(verbose) {
  if (!one_flag(verbose, "verbose")) 0L else if (interactive()) 2L else 1L
}

trees_text <- function(trees) {
  if (identical(trees, "auto")) return("auto")
  if (is.character(trees)) {
    stop_sporf("num.trees must be a whole number of at least 1, or \"auto\", got ", shown(trees))
  }
  as_text(one_number(trees, "num.trees", 1, whole = TRUE))
}

mtry_text <- function(mtry, columns) {
  if (is.function(mtry)) mtry <- mtry(columns)
  if (is.character(mtry) && length(mtry) == 1L) return(mtry)
  as_text(one_number(mtry, "mtry", 1, whole = TRUE))
}

density_text <- function(density) {
  if (is.character(density) && length(density) == 1L) return(density)
  as_text(one_number(density, "density", 0, 1))
}

class_weights_text <- function(weights, levels) {
  if (identical(weights, "balanced")) return("balanced")
  if (is.null(levels)) stop_sporf("class.weights are for classification, but y holds numbers")
  if (!is.numeric(weights) || anyNA(weights) || any(weights < 0)) {
    stop_sporf("class.weights must be a weight of at least 0 for each class, or \"balanced\"")
  }
  if (is.null(names(weights))) {
    if (length(weights) != length(levels)) {
      stop_sporf(
        "class.weights has ", length(weights), " numbers, but y has ", length(levels), " classes"
      )
    }
    names(weights) <- levels
  }
  unknown <- setdiff(names(weights), levels)
  if (length(unknown) > 0L) {
    stop_sporf("class.weights names ", listed(unknown), ", which is no class of y")
  }
  names <- names_of_classes(levels)[match(names(weights), levels)]
  paste0(names, "=", vapply(weights, as_text, ""), collapse = ",")
}

honest_text <- function(honest) {
  if (is.logical(honest)) return(if (one_flag(honest, "honest")) "0.5" else "0")
  as_text(one_number(honest, "honest", 0, 1))
}

# ranger's node of `min.node.size` rows is not split; the library's node of `min-split` rows is.
min_split_text <- function(size) as_text(one_number(size, "min.node.size", 1, whole = TRUE) + 1)

splitrule_text <- function(splitrule, is_classes) {
  if (is.null(splitrule)) return(NULL)
  if (!is_classes) {
    one_of(splitrule, "variance", "splitrule")
    return(NULL)
  }
  one_of(splitrule, c("gini", "entropy"), "splitrule")
}

bag_text <- function(replace) {
  if (is.null(replace)) return(NULL)
  if (one_flag(replace, "replace")) "bootstrap" else "subsample"
}

fraction_text <- function(fraction) {
  if (length(fraction) > 1L) {
    stop_sporf(
      "sample.fraction must be one number; to draw the same share of each class, give ",
      "bag = \"stratified\""
    )
  }
  as_text(one_number(fraction, "sample.fraction", 0, 1))
}

# Arguments of ranger's that mean nothing here. Those that are given with these values are ignored.
ranger_arguments <- list(
  write.forest = c(TRUE, FALSE), oob.error = c(TRUE, FALSE), save.memory = c(TRUE, FALSE),
  num.random.splits = 1,
  respect.unordered.factors = c("ignore", "order", "partition", "TRUE", "FALSE"),
  regularization.factor = 1, regularization.usedepth = FALSE, local.importance = FALSE,
  scale.permutation.importance = FALSE, holdout = FALSE, alpha = 0.5, minprop = 0.1,
  split.select.weights = NULL, always.split.variables = NULL, inbag = NULL,
  status.variable.name = NULL
)

refuse_ranger <- function(name, value) {
  if (all(as.character(value) %in% as.character(ranger_arguments[[name]]))) return()
  stop_sporf("ranger's argument ", name, " has no counterpart in sporf: leave it out")
}

# Further options, by the names of the command, with dots for dashes.
more_options <- function(given, boosting) {
  names <- names(given)
  if (length(given) > 0L && (is.null(names) || any(names == ""))) {
    stop_sporf("all arguments after the data must be named")
  }
  known <- .Call(core_options)$name
  options <- character()
  for (name in names) {
    value <- given[[name]]
    if (name %in% names(ranger_arguments)) {
      refuse_ranger(name, value)
      next
    }
    option <- gsub("[._]", "-", name)
    if (!option %in% known || option %in% c("learner", "trees", "threads", "seed") ||
        !.Call(core_learner_uses, option, boosting)) {
      stop_sporf("unknown argument ", dQuote(name, FALSE), closest(name, known, boosting))
    }
    if (length(value) != 1L || is.na(value)) {
      hint <- if (name == "weights") "; weights of rows are case.weights"
      stop_sporf(name, " must be one value, got ", shown(value), hint)
    }
    options[option] <- as_text(value)
  }
  options
}

# Options of arguments, and further ones, none of which may be given twice.
joined_options <- function(given, more) {
  twice <- intersect(names(given), names(more))
  if (length(twice) > 0L) {
    stop_sporf(
      argument_of(twice[1L]), " and ", gsub("-", ".", twice[1L]), " are the same: give one of them"
    )
  }
  c(given, more)
}

# Arguments of other packages, and what they are called here.
arguments_elsewhere <- c(
  ntree = "num.trees", ntrees = "num.trees", n.trees = "num.trees", trees = "num.trees",
  n_estimators = "num.trees", nodesize = "min.node.size", sampsize = "sample.fraction",
  weight = "case.weights", weights = "case.weights", wt = "case.weights", classwt = "class.weights",
  strata = "bag = \"stratified\"", n_threads = "num.threads", nthread = "num.threads"
)
arguments_of_boosters <- c(
  num.trees = "num.rounds", ntree = "num.rounds", n.trees = "num.rounds", nrounds = "num.rounds",
  eta = "learning.rate", shrinkage = "learning.rate", early_stopping_rounds = "patience"
)

closest <- function(name, known, boosting) {
  elsewhere <- c(if (boosting) arguments_of_boosters, arguments_elsewhere)[name]
  if (!is.na(elsewhere)) return(paste0(": did you mean ", elsewhere, "?"))
  known <- known[vapply(known, function(option) .Call(core_learner_uses, option, boosting), NA)]
  known <- setdiff(known, "learner")
  words <- unique(c(argument_of(known), names(formals(if (boosting) sporf_boost else sporf))))
  far <- utils::adist(name, words, ignore.case = TRUE)[1L, ]
  if (min(far) > 2L || min(far) >= nchar(name)) return("")
  paste0(": did you mean ", words[which.min(far)], "?")
}
