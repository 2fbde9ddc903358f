# A tree, as the library describes it in text.

# A row for each node that is shown: its depth, its parent, whether it is a leaf or has been cut
# off, its condition or prediction, and the weight of its rows.
read_tree_text <- function(text) {
  # Devices such as pdf() have no signs for these.
  text <- gsub("\u2264", "<=", gsub("\u2026", "...", text, fixed = TRUE), fixed = TRUE)
  lines <- strsplit(text, "\n", fixed = TRUE)[[1L]][-1L]
  count <- length(lines)
  is_root <- seq_len(count) == 1L
  depth <- ifelse(is_root, 0L, attr(regexpr("^ *", lines), "match.length") %/% 2L)
  words <- ifelse(is_root, lines, sub("^ *(yes|no): ", "", lines))
  parent <- vapply(seq_len(count), function(i) {
    above <- which(depth[seq_len(i - 1L)] == depth[i] - 1L)
    if (length(above) > 0L) max(above) else NA_integer_
  }, 0L)
  data.frame(
    node = seq_len(count), parent = parent, depth = depth,
    text = sub("^(.*)  \\(.*\\)$", "\\1", words),
    rows = sub("[:;].*$", "", sub("^.*  \\((.*)\\)$", "\\1", words)),
    is_end = !seq_len(count) %in% parent,
    is_cut = grepl("nodes? below\\)$", words)
  )
}

# Ends stand side by side, every split in the middle above its two children.
tree_places <- function(nodes) {
  places <- ends <- numeric(nrow(nodes))
  places[nodes$is_end] <- seq_len(sum(nodes$is_end))
  ends[nodes$is_end] <- 1
  for (i in rev(which(!nodes$is_end))) {
    children <- which(nodes$parent == i)
    places[i] <- mean(places[children])
    ends[i] <- sum(ends[children])
  }
  data.frame(place = places, ends = ends)
}

# Lines of a text that are no wider than so many inches; what cannot be broken is shortened.
lines_that_fit <- function(text, inches, cex) {
  letter <- graphics::strwidth("abcdefgh", units = "inches", cex = cex) / 8
  most <- max(4L, floor(inches / letter))
  shortened(strwrap(text, most + 1L), most)
}

# The largest letters, and the lines of each node with them, that fit into the picture.
fitted_texts <- function(nodes, wide, high) {
  for (cex in seq(1, 0.4, by = -0.05)) {
    texts <- lapply(seq_len(nrow(nodes)), function(i) {
      c(lines_that_fit(nodes$text[i], wide[i], cex), nodes$rows[i])
    })
    heights <- lengths(texts) * 1.25 * graphics::strheight("M", units = "inches", cex = cex) * 1.3
    words <- unlist(strsplit(nodes$text, " ", fixed = TRUE))
    breaks <- max(graphics::strwidth(words, units = "inches", cex = cex)) > min(wide)
    if (all(heights <= high) && (!breaks || cex <= 0.6)) break
  }
  list(cex = cex, lines = texts)
}

plot_tree <- function(x, tree, depth, given) {
  nodes <- read_tree_text(shown_tree(x, tree, depth, FALSE))
  places <- tree_places(nodes)
  levels <- max(nodes$depth) + 1L
  graphics::plot.new()
  top <- if (is.null(given$main)) 0.3 else 2.6
  graphics::par(mar = c(0.3, 0.3, top, 0.3))
  place_field(c(0.5, sum(nodes$is_end) + 0.5), c(levels - 0.5, -0.5), xaxs = "i", yaxs = "i")
  graphics::par(xpd = NA)
  slot <- graphics::par("pin")[1L] / sum(nodes$is_end)
  row <- graphics::par("pin")[2L] / levels
  wide <- 0.92 * slot * pmin(places$ends, 3) - 0.06
  fitted <- fitted_texts(nodes, wide, 0.72 * row)
  line <- 1.3 * 1.25 * graphics::strheight("M", units = "inches", cex = fitted$cex)
  widths <- vapply(fitted$lines, function(lines) {
    max(graphics::strwidth(lines, units = "inches", cex = fitted$cex))
  }, 0)
  half_width <- (widths / 2 + 0.05) / slot
  half_height <- (lengths(fitted$lines) * line / 2 + 0.03) / row
  child <- which(!is.na(nodes$parent))
  parent <- nodes$parent[child]
  graphics::segments(
    places$place[parent], nodes$depth[parent] + half_height[parent],
    places$place[child], nodes$depth[child] - half_height[child], col = "grey60"
  )
  draw_nodes(nodes, places$place, half_width, half_height, node_colours(x, nodes, given))
  for (i in seq_len(nrow(nodes))) {
    count <- length(fitted$lines[[i]])
    heights <- nodes$depth[i] + (seq_len(count) - (count + 1) / 2) * line / row
    graphics::text(places$place[i], heights, fitted$lines[[i]], cex = fitted$cex,
                   col = rep(c("black", "grey35"), c(count - 1L, 1L)))
  }
  draw_main(given$main)
  nodes[c("node", "parent", "depth", "text")]
}

node_colours <- function(x, nodes, given) {
  levels <- x$forest$levels
  if (is.null(levels) || !is.null(x$boosting)) {
    return(ifelse(nodes$is_end, mixed_with_white(or(given$col, okabe_ito[1L])[1L], 0.2), "grey95"))
  }
  colours <- mixed_with_white(class_colours(length(levels), given$col), 0.32)
  own <- colours[match(nodes$text, levels)]
  ifelse(nodes$is_end & !is.na(own), own, "grey95")
}

# Boxes; dashed where more of the tree is below.
draw_nodes <- function(nodes, places, half_width, half_height, colours) {
  graphics::rect(
    places - half_width, nodes$depth + half_height, places + half_width, nodes$depth - half_height,
    col = colours, border = "grey60", lty = ifelse(nodes$is_cut, 2L, 1L)
  )
}
