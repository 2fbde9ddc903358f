# A table of every kind of column: numbers, logicals, factors, ordered factors, missing values.
typed_table <- function(rows = 200, seed = 1) {
  set.seed(seed)
  data <- data.frame(
    a = round(rnorm(rows), 3), b = round(runif(rows), 3), whole = sample(100L, rows, TRUE),
    colour = factor(sample(c("red", "green", "blue"), rows, TRUE), c("red", "green", "blue")),
    size = factor(sample(c("small", "medium", "large"), rows, TRUE), c("small", "medium", "large"),
                  ordered = TRUE)
  )
  data$a[c(3, 50)] <- NA
  data$colour[7] <- NA
  data$size[9] <- NA
  signal <- ifelse(is.na(data$a), 0, data$a) + 2 * data$b + (data$colour %in% "red")
  data$label <- factor(ifelse(signal + rnorm(rows, sd = 0.3) > 1.3, "yes", "no"), c("yes", "no"))
  data$value <- round(signal + rnorm(rows, sd = 0.1), 3)
  data$weight <- sample(1:4, rows, TRUE)
  data
}

command <- function() {
  path <- Sys.getenv("SPORF")
  skip_if(path == "", "SPORF is not set: the path of the command")
  path
}

# A table as the command reads it.
write_table <- function(data, file) {
  write.csv(data, file, row.names = FALSE, quote = FALSE, na = "")
}
