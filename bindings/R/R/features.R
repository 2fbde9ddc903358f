# Features that the user names.

# The numbers of features, from 1, that are given by their names or numbers.
feature_numbers <- function(object, features, argument = "features") {
  known <- object$forest$independent.variable.names
  if (is.factor(features)) features <- as.character(features)
  if (is.numeric(features) && !anyNA(features)) {
    bad <- features[features != round(features) | features < 1 | features > length(known)]
    if (length(bad) == 0L) return(as.integer(features))
    stop_sporf(
      argument, ": the model has the features 1 to ", length(known), ", but not ", bad[1L]
    )
  }
  if (!is.character(features) || anyNA(features)) {
    stop_sporf(argument, " must be names of features, got ", shown(features))
  }
  unknown <- setdiff(features, known)
  if (length(unknown) > 0L) {
    nearest <- known[which.min(utils::adist(unknown[1L], known))]
    stop_sporf(
      argument, ": the model has no feature '", unknown[1L], "'; did you mean '", nearest, "'?"
    )
  }
  match(features, known)
}

# The numbers of features of which none is named twice.
different_features <- function(object, features) {
  numbers <- feature_numbers(object, features)
  twice <- numbers[duplicated(numbers)]
  if (length(twice) == 0L) return(numbers)
  stop_sporf("features has ", listed(object$forest$independent.variable.names[twice]), " twice")
}
