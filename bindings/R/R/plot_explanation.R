# Pictures of explanations.

#' Draw an explanation
#'
#' @param x A result of [explain()].
#' @param type `"importance"`: the mean absolute values of the features; of several classes or
#'   targets beside each other. `"points"`: a point for each row, in the colour of the value that the
#'   feature has there. `"row"`: how the features lead from the base value to the prediction of one
#'   row.
#' @param output The class or target. `NULL`: for `"importance"` all of them, or of two classes the
#'   second; for `"row"` the class with the largest prediction; for `"points"` the second of two
#'   classes. Of several targets, name one for `"row"` and `"points"`.
#' @param row For `"row"`: which row of `newdata`.
#' @param count How many features to show; for `"row"`, all others are a bar together.
#' @param ... Settings of the picture: `main`, `xlab`, `xlim`, `cex`, and `col`: the colours of the
#'   classes; of the smallest and the largest value of a feature; or of what adds and what takes away.
#' @return What is drawn, invisibly: a data frame.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 20, seed = 1)
#' found <- explain(forest, iris[seq(1, 150, by = 10), ])
#' plot(found)
#' plot(found, "points", output = "virginica")
#' plot(found, "row", row = 15)
#' @export
plot.sporf.explanation <- function(x, type = c("importance", "points", "row"), output = NULL,
                                   row = 1, count = 10, ...) {
  type <- one_of(type, c("importance", "points", "row"), "type")
  one_number(count, "count", 1, whole = TRUE)
  one_number(row, "row", 1, dim(x$values)[1L], whole = TRUE)
  given <- picture_settings(...)
  old <- start_picture(given)
  on.exit(graphics::par(old))
  invisible(switch(type,
    importance = plot_mean_absolute(x, output, count, given),
    points = plot_values(x, output, count, given),
    row = plot_row(x, output, row, count, given)
  ))
}

# "share of votes of setosa"
explained_text <- function(x, output) {
  if (!x$is.classes && length(x$output.names) == 1L) return("prediction")
  text <- if (x$explained == "scores") {
    "score"
  } else if (x$is.classes) {
    sub("shares", "share", x$explained)
  } else {
    "prediction"
  }
  if (is.null(output)) text else paste(text, "of", shortened(output, 30L))
}

second_of_two <- function(x, output) {
  if (is.null(output) && x$is.classes && length(x$output.names) == 2L) return(x$output.names[2L])
  output
}

# ---- all rows ------------------------------------------------------------------------------------

plot_mean_absolute <- function(x, output, count, given) {
  output <- second_of_two(x, output)
  sizes <- mean_absolute(x)
  if (!is.null(output)) sizes <- sizes[, one_output(x$output.names, output), drop = FALSE]
  order <- order(rowSums(sizes), decreasing = TRUE)
  sizes <- sizes[order[seq_len(min(count, length(order)))], , drop = FALSE]
  keys <- if (ncol(sizes) > 1L) colnames(sizes)
  colours <- class_colours(ncol(sizes), given$col)
  open_bars(rownames(sizes), c(0, max(rowSums(sizes))), given, keys)
  heights <- seq_len(nrow(sizes))
  left <- numeric(nrow(sizes))
  for (k in seq_len(ncol(sizes))) {
    graphics::rect(left, heights - 0.36, left + sizes[, k], heights + 0.36, col = colours[k],
                   border = NA)
    left <- left + sizes[, k]
  }
  if (!is.null(keys)) draw_colour_keys(keys, colours)
  shown <- if (ncol(sizes) == 1L && length(x$output.names) > 1L) colnames(sizes)
  label_bars(paste("Mean absolute value, in units of the", explained_text(x, shown)), given,
             top = keys_top(keys))
  data.frame(feature = rownames(sizes), sizes, check.names = FALSE, row.names = NULL)
}

keys_top <- function(keys) if (length(keys) > 0L) max(key_rows(keys)) * 1.1 - 0.2 else 0

draw_colour_keys <- function(keys, colours) {
  draw_keys(keys, function(i, left, height, width) {
    half <- 0.35 * width * diff(graphics::par("usr")[3:4]) / diff(graphics::par("usr")[1:2]) *
      graphics::par("pin")[1L] / graphics::par("pin")[2L]
    graphics::rect(left + 0.25 * width, height - half, left + 0.95 * width, height + half,
                   col = colours[i], border = NA)
  })
}

# From 0 to 1, as the values of a feature are ordered; NA for a category or a missing value.
ranks_of <- function(column) {
  if (is.null(column) || (is.factor(column) && !is.ordered(column))) {
    return(rep(NA_real_, length(column)))
  }
  numbers <- as.numeric(column)
  if (length(unique(numbers[!is.na(numbers)])) < 2L) return(ifelse(is.na(numbers), NA, 0.5))
  (rank(numbers, na.last = "keep") - 1) / (sum(!is.na(numbers)) - 1)
}

# How far points are moved up or down so that those with nearly the same value lie beside each other.
spread_of <- function(values, limits, steps = 100) {
  cell <- floor((values - limits[1L]) / max(diff(limits), 1e-300) * steps)
  place <- stats::ave(values, cell, FUN = seq_along)
  size <- stats::ave(values, cell, FUN = length)
  (place - (size + 1) / 2) * pmin(0.08, 0.8 / size)
}

plot_values <- function(x, output, count, given) {
  output <- one_output(x$output.names, second_of_two(x, output))
  values <- values_of(x, output)
  order <- order(colMeans(abs(values)), decreasing = TRUE)
  values <- values[, order[seq_len(min(count, length(order)))], drop = FALSE]
  ends <- rep_len(or(given$col, okabe_ito[1:2]), 2L)
  colours <- grDevices::colorRampPalette(ends)(101L)
  ranks <- lapply(colnames(values), function(name) ranks_of(x$data[[name]]))
  is_ranked <- !is.null(x$data) && any(!is.na(unlist(ranks)))
  is_other <- is.null(x$data) || anyNA(unlist(ranks))
  keys <- c(if (is_ranked) c("small value", "large value"),
            if (is_other && is_ranked) "category or missing value")
  limits <- range(0, values)
  open_bars(colnames(values), limits, given, keys)
  graphics::abline(v = 0, col = "grey60")
  for (j in seq_len(ncol(values))) {
    rank <- if (is.null(x$data)) rep(NA_real_, nrow(values)) else ranks[[j]]
    colour <- ifelse(is.na(rank), "grey50", colours[1L + round(100 * rank)])
    graphics::points(
      values[, j], j + spread_of(values[, j], limits), pch = 19L, col = colour,
      cex = 0.8 * point_size(nrow(values))
    )
  }
  if (length(keys) > 0L) draw_colour_keys(keys, c(ends, "grey50"))
  shown <- if (length(x$output.names) > 1L || x$is.classes) output
  label_bars(paste("Value, in units of the", explained_text(x, shown)), given, top = keys_top(keys))
  data.frame(
    row = rep(seq_len(nrow(values)), ncol(values)),
    feature = rep(colnames(values), each = nrow(values)), value = as.vector(values)
  )
}

# ---- one row -------------------------------------------------------------------------------------

# "Petal.Length = 4.7"
named_values <- function(names, data, row) {
  if (is.null(data)) return(names)
  texts <- vapply(names, function(name) {
    value <- data[[name]][row]
    if (is.numeric(value)) format(value, digits = 4L) else as.character(value)
  }, "")
  texts[is.na(texts)] <- "missing"
  paste(shortened(names, 40L), "=", shortened(unname(texts), 20L))
}

plot_row <- function(x, output, row, count, given) {
  if (is.null(output) && x$is.classes && length(x$output.names) > 1L) {
    output <- x$output.names[which.max(x$predictions[row, ])]
  }
  output <- one_output(x$output.names, output)
  values <- values_of(x, output)[row, ]
  order <- order(abs(values), decreasing = TRUE)
  kept <- order[seq_len(min(count, length(order)))]
  rest <- length(values) - length(kept)
  sizes <- unname(c(values[kept], if (rest > 0L) sum(values[-kept])))
  names <- c(
    named_values(colnames(values_of(x, output))[kept], x$data, row),
    if (rest > 0L) if (rest == 1L) "1 other" else paste(rest, "others together")
  )
  base <- x$base.values[[output]]
  ends <- base + cumsum(sizes)
  starts <- c(base, ends[-length(ends)])
  open_bars(names, range(base, ends), given, c("adds", "takes away"))
  colours <- rep_len(or(given$col, okabe_ito[1:2]), 2L)
  heights <- seq_along(sizes)
  graphics::abline(v = c(base, ends[length(ends)]), col = "grey60", lty = 2:1)
  graphics::rect(pmin(starts, ends), heights - 0.36, pmax(starts, ends), heights + 0.36,
                 col = colours[ifelse(sizes < 0, 2L, 1L)], border = NA)
  graphics::segments(ends, heights, ends, pmin(heights + 1, length(heights)), col = "grey60")
  draw_colour_keys(c("adds", "takes away"), colours)
  number <- function(value) format(value, digits = 4L)
  shown <- if (length(x$output.names) > 1L || x$is.classes) output
  label_bars(
    sprintf("From the base, %s, to the %s, %s", number(base), explained_text(x, shown),
            number(predictions_of(x, output)[row])),
    given, top = keys_top(c("adds", "takes away"))
  )
  data.frame(feature = names, value = sizes)
}
