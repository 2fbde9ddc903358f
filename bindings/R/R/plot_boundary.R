# The predictions of a model over two features.

plot_boundary <- function(x, data, features, y, points, steps, num.threads, given) {
  if (is.null(data)) {
    stop_sporf("type = \"boundary\" needs data: the rows to draw, such as the training data")
  }
  if (length(x$forest$targets) > 1L) {
    stop_sporf("the model predicts several numbers, of which a boundary cannot show one")
  }
  data <- plain_table(data, "data")
  if (nrow(data) == 0L) stop_sporf("data has no rows")
  truth <- truth_of(x, data, y)
  frame <- feature_frame(x, data)
  chosen <- two_features(x, features)
  across <- grid_axis(frame[[chosen[1L]]], given$xlim, steps, chosen[1L], 0.7548777)
  upwards <- grid_axis(frame[[chosen[2L]]], given$ylim, steps, chosen[2L], 0.5698403)
  grid <- expand.grid(across$values, upwards$values, KEEP.OUT.ATTRS = FALSE)
  names(grid) <- chosen
  grid$prediction <- predict_grid(x, frame, grid, num.threads)
  field <- list(
    across = across, upwards = upwards,
    points = if (points) {
      list(across$place(frame[[chosen[1L]]]), upwards$place(frame[[chosen[2L]]]))
    },
    truth = truth, xlab = or(given$xlab, chosen[1L]), ylab = or(given$ylab, chosen[2L]),
    main = given$main, col = given$col, target = target_name(x$forest)
  )
  draw <- if (is.null(x$forest$levels)) draw_heat else draw_classes
  draw(grid$prediction, field)
  grid
}

target_name <- function(forest) {
  if (is.null(forest$formula)) forest$dependent.variable.name else deparse1(forest$formula$response)
}

# What is known of the rows, or NULL.
truth_of <- function(x, data, y) {
  truth <- known_truth(x, data, y)
  if (is.null(truth)) return(NULL)
  levels <- x$forest$levels
  if (is.null(levels)) as.numeric(truth) else factor(as.character(truth), levels)
}

# The features of the model, under the names that it shows.
feature_frame <- function(x, data) {
  forest <- x$forest
  if (!is.null(forest$formula$terms)) {
    data <- formula_frame(forest$formula, as.data.frame(data), "data")
  }
  names <- forest$independent.variable.names
  frame <- as.data.frame(data)
  if (is.null(forest$features$names) || is.null(colnames(data))) {
    if (length(frame) != length(names)) {
      stop_sporf(
        "data has ", length(frame), " columns, but the model was trained on ", length(names)
      )
    }
    names(frame) <- names
  }
  absent <- setdiff(names, names(frame))
  if (length(absent) > 0L) stop_sporf("data has no column ", listed(absent))
  frame <- frame[names]
  for (j in seq_along(names)) {
    known <- forest$features$levels[[j]]
    if (is.null(known)) next
    # In the order of the data, if that has one.
    if (is.factor(frame[[j]])) known <- union(intersect(levels(frame[[j]]), known), known)
    frame[[j]] <- factor(as.character(frame[[j]]), known)
  }
  frame
}

two_features <- function(x, features) {
  names <- x$forest$independent.variable.names
  if (length(names) < 2L) stop_sporf("the model has one feature, but a boundary is drawn over two")
  if (is.null(features)) return(names(sort(importance(x), decreasing = TRUE))[1:2])
  if (is.numeric(features) && all(features %in% seq_along(names))) features <- names[features]
  if (!is.character(features) || length(features) != 2L || anyDuplicated(features)) {
    stop_sporf(
      "features must be the names of two features, such as c(",
      paste(dQuote(names[1:2], FALSE), collapse = ", "), "), got ", shown(features)
    )
  }
  unknown <- setdiff(features, names)
  if (length(unknown) > 0L) stop_sporf("the model has no feature ", listed(unknown))
  features
}

# One side of the grid: its `values`, their `places` on the axis, its limits, and how to `place` the
# values of rows. Rows are spread within a level: evenly, if the two axes have the two `stride`s of
# Roberts's sequence, and without R's random numbers.
grid_axis <- function(column, limits, steps, name, stride) {
  if (is.factor(column) || is.logical(column)) {
    levels <- if (is.factor(column)) levels(column) else c(FALSE, TRUE)
    count <- length(levels)
    return(list(
      values = if (is.factor(column)) factor(levels, levels) else levels, places = seq_len(count),
      labels = as.character(levels), limits = c(0.5, count + 0.5),
      place = function(values) {
        match(as.character(values), as.character(levels)) +
          0.6 * ((seq_along(values) * stride) %% 1 - 0.5)
      }
    ))
  }
  if (is.null(limits)) {
    if (!any(is.finite(column))) column_error(name, "of data has no values")
    limits <- wide_enough(column)
    limits <- limits + c(-0.04, 0.04) * diff(limits)
  }
  # Middles of cells.
  values <- limits[1L] + (seq_len(steps) - 0.5) / steps * diff(limits)
  list(values = values, places = values, limits = limits, place = as.numeric)
}

usual_value <- function(column) {
  if (is.factor(column)) return(factor(names(which.max(table(column))), levels(column)))
  if (is.logical(column)) return(mean(column, na.rm = TRUE) > 0.5)
  stats::median(column, na.rm = TRUE)
}

# Predictions of the grid, in parts that fit into memory if there are many features.
predict_grid <- function(x, frame, grid, num.threads) {
  usual <- lapply(frame, usual_value)
  combine <- if (x$probability) "posteriors"
  x$forest["formula"] <- list(NULL)
  x$probability <- FALSE
  predict_part <- function(rows) {
    part <- lapply(usual, rep, length(rows))
    part[names(grid)] <- lapply(grid, `[`, rows)
    part <- as_frame(part, length(rows))
    stats::predict(x, part, combine = combine, num.threads = num.threads)$predictions
  }
  size <- max(1000L, 4e6 %/% length(usual))
  parts <- split(seq_len(nrow(grid)), (seq_len(nrow(grid)) - 1L) %/% size)
  do.call(c, lapply(unname(parts), predict_part))
}

# ---- drawing -------------------------------------------------------------------------------------

mixed_with_white <- function(colours, share) {
  parts <- grDevices::col2rgb(colours)
  grDevices::rgb(t(255 - (255 - parts) * share), maxColorValue = 255)
}

# Cells of one colour each.
draw_cells <- function(index, colours, field) {
  across <- field$across
  upwards <- field$upwards
  cells <- matrix(colours[index], length(across$places))
  picture <- grDevices::as.raster(t(cells)[rev(seq_along(upwards$places)), , drop = FALSE])
  graphics::rasterImage(picture, across$limits[1L], upwards$limits[1L], across$limits[2L],
                        upwards$limits[2L], interpolate = FALSE)
}

open_plane <- function(field) {
  place_field(field$across$limits, field$upwards$limits, xaxs = "i", yaxs = "i")
}

level_texts <- function(labels) names_that_fit(labels, 10)

labels_upwards <- function(field) {
  if (is.null(field$upwards$labels)) tick_labels(2L) else level_texts(field$upwards$labels)
}

frame_plane <- function(field, top) {
  for (side in 1:2) {
    axis <- if (side == 1L) field$across else field$upwards
    if (is.null(axis$labels)) {
      graphics::axis(side, col = NA, col.ticks = "grey60")
    } else {
      graphics::axis(side, axis$places, level_texts(axis$labels), col = NA, col.ticks = NA)
    }
  }
  graphics::box(col = "grey60")
  labels <- labels_upwards(field)
  graphics::title(xlab = field$xlab, line = 1.9)
  graphics::title(ylab = field$ylab, line = max(lines_wide(labels) + 1.1, 2.1))
  draw_main(field$main, top)
}

# Room for the labels of the axes, which are known once the field is there.
plane_room <- function(field) {
  graphics::plot.new()
  open_plane(field)
  labels <- labels_upwards(field)
  room(bottom = 3.1, left = lines_wide(labels) + 2.3)
  open_plane(field)
}

class_colours <- function(count, given) {
  if (!is.null(given)) return(rep_len(given, count))
  if (count <= length(okabe_ito)) return(okabe_ito[seq_len(count)])
  grDevices::hcl.colors(count, "Dark 3")
}

draw_classes <- function(classes, field) {
  names <- levels(classes)
  colours <- class_colours(length(names), field$col)
  symbols <- rep_len(class_symbols, length(names))
  plane_room(field)
  room_above(names, field$main)
  open_plane(field)
  draw_cells(as.integer(classes), mixed_with_white(colours, 0.32), field)
  if (!is.null(field$points)) {
    of_row <- as.integer(field$truth)
    if (length(of_row) == 0L) of_row <- rep(NA_integer_, length(field$points[[1L]]))
    graphics::points(
      field$points[[1L]], field$points[[2L]], pch = ifelse(is.na(of_row), 21L, symbols[of_row]),
      bg = ifelse(is.na(of_row), "grey40", colours[of_row]), col = "white", lwd = 0.6,
      cex = point_size(length(of_row))
    )
  }
  draw_keys(names, function(i, left, height, width) {
    graphics::points(left + 0.6 * width, height, pch = symbols[i], bg = colours[i], col = "white",
                     lwd = 0.6, cex = 1.3)
  })
  frame_plane(field, top = max(key_rows(names)) * 1.1 - 0.2)
}

point_size <- function(count) max(0.5, min(1.1, 1.25 - 0.12 * log10(count + 1)))

draw_heat <- function(values, field) {
  known <- if (is.null(field$points)) NULL else field$truth
  scale <- colour_scale(c(values, known), field$col)
  open_heat(field, scale)
  draw_cells(scale$index(values), scale$colours, field)
  if (!is.null(field$points)) {
    fill <- if (length(known) > 0L) scale$colours[scale$index(known)] else "white"
    graphics::points(field$points[[1L]], field$points[[2L]], pch = 21L, bg = fill, col = "white",
                     lwd = 0.9, cex = point_size(length(field$points[[1L]])))
  }
  close_heat(field, scale, field$target)
}

# A hundred colours for numbers, and the marks of their scale.
colour_scale <- function(values, given) {
  colours <- or(given, grDevices::hcl.colors(100L, "viridis"))
  if (length(colours) == 1L) colours <- c("white", colours)
  colours <- grDevices::colorRampPalette(colours)(100L)
  limits <- wide_enough(values)
  marks <- pretty(limits, 5L)
  marks <- marks[marks >= limits[1L] & marks <= limits[2L]]
  list(
    colours = colours, limits = limits, marks = marks, texts = format(marks, trim = TRUE),
    index = function(of) pmin(100L, 1L + as.integer(100 * (of - limits[1L]) / diff(limits)))
  )
}

# A field with room for the scale to its right.
open_heat <- function(field, scale) {
  plane_room(field)
  graphics::par(mar = replace(graphics::par("mar"), 4L, lines_wide(scale$texts) + 3))
  room(top = if (is.null(field$main)) 1.6 else 3.1)
  open_plane(field)
}

close_heat <- function(field, scale, name) {
  draw_scale(scale$colours, scale$limits, scale$marks, scale$texts, name)
  frame_plane(field, top = 0.3)
}

# The colours and their numbers, to the right of the field.
draw_scale <- function(colours, limits, scale, texts, name) {
  graphics::par(xpd = NA)
  usr <- graphics::par("usr")
  inch <- diff(usr[1:2]) / graphics::par("pin")[1L]
  line <- line_inches()
  left <- usr[2L] + 0.8 * line * inch
  right <- left + line * inch
  graphics::rasterImage(grDevices::as.raster(matrix(rev(colours))), left, usr[3L], right, usr[4L],
                        interpolate = TRUE)
  heights <- usr[3L] + (scale - limits[1L]) / diff(limits) * diff(usr[3:4])
  graphics::segments(right, heights, right + 0.3 * line * inch, heights, col = "grey60")
  graphics::text(right + 0.5 * line * inch, heights, texts, adj = c(0, 0.5))
  if (length(name) == 1L) {
    name <- shortened(name, 20L)
    wide <- lines_wide(texts) + 2.1
    fits <- lines_wide(name) <= wide
    graphics::mtext(name, 3L, 0.3, at = if (fits) left else left + wide * line * inch,
                    adj = if (fits) 0 else 1, cex = graphics::par("cex"))
  }
  graphics::par(xpd = FALSE)
}
