# Pictures of the dependence on features, and of interactions.

most_rows_drawn <- 200L

#' Draw the dependence on features
#'
#' One feature gives lines, or bars for the levels of a factor; two give a coloured grid. Interactions
#' are bars.
#'
#' @param x A result of [dependence()] or [interactions()].
#' @param output The class or target to draw. `NULL`: all of them, but of two classes the second.
#' @param type What to show of the pairs: `"h"` or `"strength"`; or `"total"`, H of each feature with
#'   all others together.
#' @param count How many pairs, or features, to show.
#' @param ... Settings of the picture: `main`, `xlab`, `ylab`, `xlim`, `ylim`, `cex` and `col`.
#' @return What is drawn, invisibly: a data frame.
#' @details Of the curves of single rows up to 200 are drawn, evenly chosen.
#' @examples
#' forest <- sporf(mpg ~ ., data = mtcars, num.trees = 20, seed = 1)
#' plot(dependence(forest, mtcars, "wt", kind = "ice"))
#' plot(dependence(forest, mtcars, c("wt", "hp"), grid = 10))
#' plot(interactions(forest, mtcars))
#' @export
plot.sporf.dependence <- function(x, output = NULL, ...) {
  given <- picture_settings(...)
  outputs <- shown_outputs(x, output)
  old <- start_picture(given)
  on.exit(graphics::par(old))
  if (length(x$features) == 2L) {
    if (length(outputs) > 1L) one_output(x$output.names, NULL)
    draw_dependence_plane(x, outputs, given)
  } else if (is.factor(x$values[[1L]])) {
    draw_dependence_bars(x, outputs, given)
  } else {
    draw_dependence_lines(x, outputs, given)
  }
  invisible(data.frame(x$points, x$mean[, outputs, drop = FALSE], check.names = FALSE))
}

shown_outputs <- function(x, output) {
  if (!is.null(output)) return(one_output(x$output.names, output))
  if (x$is.classes && length(x$output.names) == 2L) x$output.names[2L] else x$output.names
}

dependence_text <- function(x, outputs) {
  text <- if (x$scores) {
    "Score"
  } else if (x$is.classes) {
    "Probability"
  } else {
    "Prediction"
  }
  if (length(outputs) == 1L && !outputs %in% c("score", "prediction")) {
    text <- paste(text, "of", shortened(outputs, 30L))
  }
  if (x$kind == "ale") sub("^(.)", "Effect on the \\L\\1", text, perl = TRUE) else text
}

nothing_to_draw <- function() {
  stop_sporf("all values of the grid are missing: there is nothing to draw")
}

# The rows of which curves are drawn.
drawn_rows <- function(x) {
  count <- length(x$rows)
  if (is.null(x$individual)) return(integer(0))
  unique(round(seq(1, count, length.out = min(count, most_rows_drawn))))
}

draw_dependence_lines <- function(x, outputs, given) {
  rows <- drawn_rows(x)
  # A missing value has no place on the axis.
  is_number <- !is.na(x$values[[1L]])
  places <- x$values[[1L]][is_number]
  if (length(places) == 0L) nothing_to_draw()
  mean <- x$mean[is_number, outputs, drop = FALSE]
  curves <- lapply(outputs, function(output) {
    if (length(rows) == 0L) return(NULL)
    matrix(x$individual[rows, is_number, output], length(rows))
  })
  keys <- if (length(outputs) > 1L) outputs
  colours <- class_colours(length(outputs), given$col)
  xlim <- or(given$xlim, wide_enough(places))
  open_field(xlim, or(given$ylim, wide_enough(c(mean, unlist(curves)))), keys, given$main)
  for (k in seq_along(outputs)) {
    pale <- grDevices::adjustcolor(colours[k], min(0.5, 15 / max(length(rows), 1L)))
    if (length(rows) > 0L) {
      graphics::matlines(places, t(curves[[k]]), col = pale, lty = 1L, lwd = 0.6)
    }
  }
  for (k in seq_along(outputs)) {
    graphics::lines(places, mean[, k], col = colours[k], lwd = 2.4)
    if (length(places) < 10L) graphics::points(places, mean[, k], pch = 19L, col = colours[k])
  }
  if (!is.null(keys)) draw_colour_keys(keys, colours)
  draw_axes(or(given$xlab, x$features), or(given$ylab, dependence_text(x, outputs)), given$main,
            top = keys_top(keys))
}

draw_dependence_bars <- function(x, outputs, given) {
  rows <- drawn_rows(x)
  levels <- as.character(x$values[[1L]])
  levels[is.na(levels)] <- "missing"
  mean <- x$mean[, outputs, drop = FALSE]
  keys <- if (length(outputs) > 1L) outputs
  colours <- class_colours(length(outputs), given$col)
  width <- 0.8 / length(outputs)
  shown <- c(0, mean, if (length(rows) > 0L) x$individual[rows, , outputs])
  open_field(or(given$xlim, c(0.5, length(levels) + 0.5)), or(given$ylim, wide_enough(shown)), keys,
             given$main)
  for (k in seq_along(outputs)) {
    middle <- seq_along(levels) + (k - (length(outputs) + 1) / 2) * width
    graphics::rect(middle - 0.46 * width, 0, middle + 0.46 * width, mean[, k], border = NA,
                   col = if (length(rows) > 0L) mixed_with_white(colours[k], 0.5) else colours[k])
    for (i in seq_along(rows)) {
      graphics::points(
        middle + width * 0.7 * ((i * 0.618) %% 1 - 0.5), x$individual[rows[i], , outputs[k]],
        pch = 19L, cex = 0.35, col = grDevices::adjustcolor("grey20", 0.4)
      )
    }
  }
  graphics::abline(h = 0, col = "grey60")
  if (!is.null(keys)) draw_colour_keys(keys, colours)
  graphics::axis(1L, seq_along(levels), level_texts(levels), col = NA, col.ticks = NA)
  graphics::axis(2L, col = NA, col.ticks = "grey60")
  graphics::title(xlab = or(given$xlab, x$features), line = 1.9)
  graphics::title(ylab = or(given$ylab, dependence_text(x, outputs)),
                  line = max(lines_wide(tick_labels(2L)) + 1.1, 2.1))
  draw_main(given$main, keys_top(keys))
}

# One side of a plane: the middles of its cells, their limits, and labels of levels.
plane_axis <- function(values) {
  if (is.factor(values)) {
    labels <- as.character(values)
    labels[is.na(labels)] <- "missing"
    places <- seq_along(labels)
    return(list(places = places, breaks = c(places - 0.5, length(places) + 0.5), labels = labels,
                limits = c(0.5, length(places) + 0.5), order = places))
  }
  order <- order(values)
  order <- order[!is.na(values[order])]
  places <- values[order]
  between <- (places[-1L] + places[-length(places)]) / 2
  if (length(places) == 0L) nothing_to_draw()
  reach <- if (length(places) == 1L) {
    wide_enough(places)
  } else {
    2 * range(places) - range(between)
  }
  list(places = places, breaks = c(reach[1L], between, reach[2L]), limits = reach, order = order)
}

draw_dependence_plane <- function(x, output, given) {
  across <- plane_axis(x$values[[1L]])
  upwards <- plane_axis(x$values[[2L]])
  mean <- matrix(x$mean[, output], length(x$values[[2L]]))
  mean <- t(mean[upwards$order, across$order, drop = FALSE])
  scale <- colour_scale(mean, given$col)
  field <- list(across = across, upwards = upwards, xlab = or(given$xlab, x$features[1L]),
                ylab = or(given$ylab, x$features[2L]), main = given$main)
  open_heat(field, scale)
  graphics::rect(
    across$breaks[row(mean)], upwards$breaks[col(mean)], across$breaks[row(mean) + 1L],
    upwards$breaks[col(mean) + 1L], col = scale$colours[scale$index(mean)], border = NA
  )
  close_heat(field, scale, dependence_text(x, output))
}

# ---- interactions --------------------------------------------------------------------------------

#' @rdname plot.sporf.dependence
#' @export
plot.sporf.interactions <- function(x, type = c("h", "strength", "total"), count = 20, ...) {
  type <- one_of(type, c("h", "strength", "total"), "type")
  one_number(count, "count", 1, whole = TRUE)
  given <- picture_settings(...)
  old <- start_picture(given)
  on.exit(graphics::par(old))
  shown <- if (type == "total") {
    data.frame(feature = names(x$total), importance = unname(x$total))
  } else {
    data.frame(pair = paste(x$pairs$feature, x$pairs$feature_2, sep = " : "),
               importance = x$pairs[[type]])
  }
  shown <- shown[order(shown$importance, decreasing = TRUE), ]
  shown <- utils::head(shown[is.finite(shown$importance), ], count)
  if (nrow(shown) == 0L) stop_sporf("no interaction has a number: the predictions do not vary")
  label <- c(
    h = "Friedman's H", strength = "Strength, in units of the predictions",
    total = "Friedman's H with all other features"
  )
  plot_bars(shown, label[[type]], given)
  names(shown)[2L] <- type
  rownames(shown) <- NULL
  invisible(shown)
}
