# Pictures, in base graphics.

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart, and symbols
# that can be told apart without colours.
okabe_ito <- c(
  "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#F0E442", "#888888"
)
class_symbols <- c(21L, 24L, 22L, 23L, 25L)

#' Draw a model
#'
#' Draws, with base graphics, how the error depends on the number of trees, which features or
#' projections matter, where a model draws its boundaries over two features, or a tree.
#'
#' @param x A model of [sporf()] or [sporf_boost()].
#' @param type `"oob"`: the out-of-bag error of the first 1, 2, ... trees; of a boosted model the
#'   losses of the training rows and of the held-out rows after each round, with a line at the round
#'   that is kept. `"importance"`: the most important features, with standard errors if the model
#'   was trained with `importance = "permutation"`. `"projections"`: the most important projections.
#'   `"boundary"`: the predictions over two features. `"tree"`: a tree; rows for which a condition
#'   holds go left.
#' @param count How many features or projections to show.
#' @param data For `"boundary"`: the rows that are drawn as points and that set the limits of the
#'   axes; the training data, for example. The features that are not drawn stay at their medians,
#'   and factors at their most frequent level.
#' @param features For `"boundary"`: the names of two features. `NULL`: the two most important ones.
#' @param y For `"boundary"`: the classes or values of the rows of `data`. `NULL`: taken from
#'   `data`, if they are there.
#' @param points Whether to draw the rows of `data` as points.
#' @param steps For `"boundary"`: points of the grid in each direction.
#' @param tree,depth For `"tree"`: its number, and how many levels of splits to show; `NULL` for all.
#' @param num.threads Number of threads; `NULL`: see [sporf_threads()].
#' @param ... Settings of the picture: `main`, `xlab`, `ylab`, `xlim`, `ylim`, `cex`, and `col`, the
#'   colour of the line, of the bars, of each class, or from the smallest to the largest number.
#' @return What is drawn, invisibly: a data frame with the columns `trees` and `error`; `round`,
#'   `train` and `valid`; `feature` (or `projection`), `importance` and `se`; the two features of
#'   each point of the grid and `prediction`; or `node`, `parent`, `depth` and `text`.
#' @examples
#' forest <- sporf(Species ~ ., data = iris, num.trees = 50, seed = 1)
#' plot(forest)
#' plot(forest, "importance")
#' plot(forest, "boundary", data = iris, features = c("Petal.Length", "Petal.Width"), steps = 50)
#' @export
plot.sporf <- function(x, type = c("oob", "importance", "projections", "boundary", "tree"),
                       count = 20, data = NULL, features = NULL, y = NULL, points = TRUE,
                       steps = 200, num.threads = NULL, tree = 1, depth = 3, ...) {
  type <- one_of(type, c("oob", "importance", "projections", "boundary", "tree"), "type")
  given <- picture_settings(...)
  one_number(count, "count", 1, whole = TRUE)
  old <- start_picture(given)
  on.exit(graphics::par(old))
  drawn <- switch(type,
    oob = if (inherits(x, "sporf_boost")) plot_losses(x, given) else plot_oob(x, given),
    importance = plot_bars(ranked_features(x, count), importance_label(x), given),
    projections = plot_bars(
      ranked_projections(x, count), "Share of the decrease in impurity", given
    ),
    boundary = plot_boundary(
      x, data, features, y, one_flag(points, "points"),
      one_number(steps, "steps", 2, 2000, whole = TRUE), num.threads, given
    ),
    tree = plot_tree(x, tree, depth, given)
  )
  invisible(drawn)
}

picture_settings <- function(...) {
  given <- list(...)
  known <- c("main", "xlab", "ylab", "xlim", "ylim", "cex", "col")
  unknown <- setdiff(names(given), known)
  if (length(given) > 0L && (is.null(names(given)) || any(names(given) == ""))) {
    stop_sporf("all settings of the picture must be named")
  }
  if (length(unknown) > 0L) {
    stop_sporf(
      "unknown argument ", listed(unknown), ": a picture has ", paste(known, collapse = ", ")
    )
  }
  given
}

# Sets what all pictures share, and returns the settings of before.
start_picture <- function(given) {
  old <- graphics::par(c("mar", "mgp", "las", "tcl", "cex", "xpd", "lend", "ljoin"))
  graphics::par(mgp = c(2.4, 0.5, 0), las = 1, tcl = -0.3, xpd = FALSE, lend = 1)
  if (!is.null(given$cex)) graphics::par(cex = given$cex)
  old
}

or <- function(value, default) if (is.null(value)) default else value

# ---- parts of all pictures -----------------------------------------------------------------------

# The height of a line of the margins, in inches.
line_inches <- function() {
  mar <- graphics::par("mar")
  side <- which.max(mar)
  if (mar[side] > 0) graphics::par("mai")[side] / mar[side] else graphics::par("csi")
}

# Width of the widest of some texts, in lines of the margin.
lines_wide <- function(texts, cex = 1) {
  if (length(texts) == 0L) return(0)
  max(graphics::strwidth(texts, units = "inches", cex = cex)) / line_inches()
}

# Margins of at least so many lines. Larger ones of the reader's stay.
room <- function(bottom = 0, left = 0, top = 0, right = 0) {
  graphics::par(mar = pmax(graphics::par("mar"), c(bottom, left, top, right)))
}

tick_labels <- function(side) {
  ticks <- graphics::axTicks(side)
  format(ticks, trim = TRUE, digits = 6L)
}

# Coordinates for margins that were changed after plot.new(), which drew its limits by the old ones.
place_field <- function(xlim, ylim, ...) {
  graphics::plot.window(xlim, ylim, ...)
  do.call(graphics::clip, as.list(graphics::par("usr")))
}

# Axes without lines, and titles that do not run into the numbers.
draw_axes <- function(xlab, ylab, main, top = 0) {
  graphics::axis(1L, col = NA, col.ticks = "grey60")
  graphics::axis(2L, col = NA, col.ticks = "grey60")
  away <- lines_wide(tick_labels(2L)) + 1.1
  graphics::title(xlab = xlab, line = 1.9)
  graphics::title(ylab = ylab, line = max(away, 2.1))
  draw_main(main, top)
}

draw_main <- function(main, top = 0) {
  if (!is.null(main)) graphics::title(main = main, line = 0.9 + top, font.main = 1, cex.main = 1.15)
}

# An empty field with pale horizontal lines, and room above it for a legend.
open_field <- function(xlim, ylim, keys = NULL, main = NULL) {
  graphics::plot.new()
  graphics::plot.window(xlim, ylim)
  room(left = lines_wide(tick_labels(2L)) + 2.3, bottom = 3.1)
  room_above(keys, main)
  place_field(xlim, ylim)
  graphics::abline(h = graphics::axTicks(2L), col = "grey92", lwd = 1)
}

draw_curve <- function(x, y, col) {
  if (sum(is.finite(y)) == 1L) {
    graphics::points(x, y, pch = 19L, col = col)
  } else {
    graphics::lines(x, y, col = col, lwd = 2)
  }
}

# ---- legends -------------------------------------------------------------------------------------

# Legends are above the field and begin at its left side. Where a line is full, the next one begins.

key_texts <- function(keys) shortened(keys, 30L)

key_widths <- function(keys) {
  graphics::strwidth(key_texts(keys), units = "inches") + 2.3 * line_inches()
}

# In which line of the legend each key is.
key_rows <- function(keys) {
  widths <- key_widths(keys)
  wide <- graphics::par("pin")[1L]
  row <- 1L
  used <- 0
  rows <- integer(length(keys))
  for (i in seq_along(keys)) {
    if (used > 0 && used + widths[i] > wide + line_inches()) {
      row <- row + 1L
      used <- 0
    }
    rows[i] <- row
    used <- used + widths[i]
  }
  rows
}

room_above <- function(keys, main) {
  if (length(keys) > 0L) room(top = max(key_rows(keys)) * 1.1 + 0.6 + if (is.null(main)) 0 else 1.6)
}

# `draw` draws the sign of the i-th key, from a place to the right.
draw_keys <- function(keys, draw) {
  graphics::par(xpd = NA)
  usr <- graphics::par("usr")
  line <- line_inches() * c(diff(usr[1:2]), diff(usr[3:4])) / graphics::par("pin")
  widths <- key_widths(keys) / line_inches()
  rows <- key_rows(keys)
  texts <- key_texts(keys)
  for (i in seq_along(keys)) {
    before <- sum(widths[rows == rows[i] & seq_along(keys) < i])
    left <- usr[1L] + before * line[1L]
    height <- usr[4L] + (0.75 + 1.1 * (max(rows) - rows[i])) * line[2L]
    draw(i, left, height, line[1L])
    graphics::text(left + 1.3 * line[1L], height, texts[i], adj = c(0, 0.5))
  }
  graphics::par(xpd = FALSE)
}

# ---- errors and losses ---------------------------------------------------------------------------

plot_oob <- function(x, given) {
  error <- x$oob.curve
  if (!any(is.finite(error))) {
    stop_sporf("the forest has no out-of-bag error: all rows are in the bag of every tree")
  }
  trees <- seq_along(error)
  open_field(
    or(given$xlim, if (length(error) == 1L) c(0, 2) else c(1, length(error))),
    or(given$ylim, wide_enough(error))
  )
  draw_curve(trees, error, or(given$col, okabe_ito[1L])[1L])
  unit <- if (is.null(x$forest$levels)) "Out-of-bag RMSE" else "Out-of-bag error"
  draw_axes(or(given$xlab, "Number of trees"), or(given$ylab, unit), given$main)
  data.frame(trees = trees, error = error)
}

# The range of values; a range around them if they are all the same.
wide_enough <- function(values) {
  limits <- range(values, finite = TRUE)
  if (diff(limits) > 0) return(limits)
  limits + c(-1, 1) * max(abs(limits[1L]) * 0.1, 0.01)
}

plot_losses <- function(x, given) {
  train <- x$boosting$train.losses
  valid <- x$boosting$valid.losses
  if (length(train) == 0L) stop_sporf("the model has no losses to draw")
  if (length(valid) == 0L) valid <- rep(NA_real_, length(train))
  rounds <- seq_along(train)
  col <- c(rep_len(or(given$col, okabe_ito[1:2]), 2L), "grey50")
  is_shown <- c(any(is.finite(train)), any(is.finite(valid)), x$num.rounds < length(train))
  keys <- c("training rows", "held-out rows", paste(x$num.rounds, "rounds kept"))[is_shown]
  xlim <- or(given$xlim, if (length(train) == 1L) c(0, 2) else c(1, length(train)))
  ylim <- or(given$ylim, wide_enough(c(train, valid)))
  open_field(xlim, ylim, keys, given$main)
  if (is_shown[3L]) graphics::abline(v = x$num.rounds, col = col[3L], lty = 2L)
  draw_curve(rounds, train, col[1L])
  draw_curve(rounds, valid, col[2L])
  col <- col[is_shown]
  type <- c(1L, 1L, 2L)[is_shown]
  draw_keys(keys, function(i, left, height, width) {
    graphics::segments(left, height, left + width, height, col = col[i], lty = type[i], lwd = 2)
  })
  draw_axes(
    or(given$xlab, "Round"), or(given$ylab, paste0("Loss (", x$boosting$loss, ")")), given$main,
    top = max(key_rows(keys)) * 1.1 - 0.2
  )
  data.frame(round = rounds, train = train, valid = valid)
}

# ---- importances ---------------------------------------------------------------------------------

ranked_features <- function(x, count) {
  shares <- importance(x)
  errors <- attr(shares, "se")
  order <- order(shares, decreasing = TRUE)[seq_len(min(count, length(shares)))]
  ranked <- data.frame(feature = names(shares)[order], importance = as.vector(shares)[order])
  if (!is.null(errors)) ranked$se <- as.vector(errors)[order]
  ranked
}

ranked_projections <- function(x, count) {
  ranked <- projection_importance(x, count)
  if (nrow(ranked) == 0L) stop_sporf("the model has no splits, so that there are no projections")
  ranked
}

importance_label <- function(x) {
  if (!identical(x$importance.mode, "permutation")) return("Share of the decrease in impurity")
  error <- if (is.null(x$forest$levels)) "MSE" else "error"
  paste("Increase of the out-of-bag", error, "if shuffled")
}

shortened <- function(texts, most) {
  is_long <- nchar(texts) > most
  texts[is_long] <- paste0(substr(texts[is_long], 1L, most - 3L), "...")
  texts
}

# Names that take at most so many lines of the margin.
names_that_fit <- function(names, most, cex = 1) {
  texts <- shortened(names, 80L)
  while (lines_wide(texts, cex) > most && max(nchar(texts)) > 6L) {
    texts <- shortened(texts, max(nchar(texts)) - 1L)
  }
  texts
}

plot_bars <- function(ranked, xlab, given) {
  count <- nrow(ranked)
  se <- or(ranked$se, rep(0, count))
  xlim <- range(0, ranked$importance - se, ranked$importance + se, finite = TRUE)
  open_bars(as.character(ranked[[1L]]), xlim, given)
  draw_bars(ranked, se, rep_len(or(given$col, okabe_ito[1L]), count))
  label_bars(xlab, given)
  ranked
}

# An empty field with a line of its own for each name, the first one at the top, and room above it
# for a legend.
open_bars <- function(names, xlim, given, keys = NULL) {
  count <- length(names)
  if (diff(xlim) == 0) xlim <- c(0, 1)
  xlim <- or(given$xlim, xlim + c(-0.01, 0.03) * diff(xlim))
  graphics::plot.new()
  mar <- graphics::par("mar")
  top <- if (is.null(given$main)) min(mar[3L], 1.1) else max(mar[3L], 2.6)
  graphics::par(mar = c(max(mar[1L], 3.1), 1, top, min(mar[4L], 1.6)))
  # Names in letters that are no higher than a bar and its gap.
  size <- min(1, graphics::par("pin")[2L] / count / (0.8 * line_inches()))
  texts <- names_that_fit(names, 0.5 * graphics::par("fin")[1L] / line_inches(), size)
  graphics::par(mar = replace(graphics::par("mar"), 2L, lines_wide(texts, size) + 0.8))
  room_above(keys, given$main)
  place_field(xlim, or(given$ylim, c(count + 0.5, 0.5)), xaxs = "i", yaxs = "i")
  graphics::mtext(texts, 2L, line = 0.3, at = seq_len(count), cex = size * graphics::par("cex"))
  graphics::abline(v = graphics::axTicks(1L), col = "grey92")
}

label_bars <- function(xlab, given, top = 0) {
  graphics::axis(1L, col = NA, col.ticks = "grey60")
  xlab <- or(given$xlab, xlab)
  width <- graphics::strwidth(xlab, units = "inches")
  graphics::mtext(
    xlab, 1L, line = 1.9, adj = if (width > graphics::par("pin")[1L]) 1 else 0.5,
    cex = graphics::par("cex") * min(1, 0.95 * graphics::par("fin")[1L] / width)
  )
  draw_main(given$main, top)
}

draw_bars <- function(ranked, se, colours) {
  places <- seq_along(colours)
  graphics::rect(
    pmin(0, ranked$importance), places - 0.36, pmax(0, ranked$importance), places + 0.36,
    col = colours, border = NA
  )
  if (!is.null(ranked$se)) {
    graphics::segments(ranked$importance - se, places, ranked$importance + se, places, lwd = 1.5)
  }
  if (min(ranked$importance) < 0) graphics::abline(v = 0, col = "grey60")
}
