# The engine "sporf" of parsnip's rand_forest() and boost_tree(). `parsnip` is its namespace.

register_parsnip <- function(parsnip) {
  parsnip_model(parsnip, "rand_forest", "sporf", list(
    mtry = c("mtry", "mtry"), trees = c("num.trees", "trees"), min_n = c("min.node.size", "min_n")
  ))
  parsnip_model(parsnip, "boost_tree", "sporf_boost", list(
    mtry = c("mtry", "mtry"), trees = c("num.rounds", "trees"), min_n = c("min.bucket", "min_n"),
    tree_depth = c("max.depth", "tree_depth"), learn_rate = c("learning.rate", "learn_rate"),
    sample_size = c("subsample", "sample_prop"), stop_iter = c("patience", "stop_iter")
  ))
}

# `arguments`: for each of parsnip's the one of sporf's and the function of dials.
parsnip_model <- function(parsnip, model, fun, arguments) {
  if ("sporf" %in% parsnip$get_from_env(model)$engine) return(invisible())
  modes <- c("classification", "regression")
  for (mode in modes) {
    parsnip$set_model_engine(model, mode = mode, eng = "sporf")
    parsnip$set_dependency(model, eng = "sporf", pkg = "sporf", mode = mode)
  }
  for (name in names(arguments)) {
    parsnip$set_model_arg(
      model = model, eng = "sporf", parsnip = name, original = arguments[[name]][1L],
      func = list(pkg = "dials", fun = arguments[[name]][2L]), has_submodel = FALSE
    )
  }
  for (mode in modes) {
    parsnip_fit(parsnip, model, mode, fun)
    types <- parsnip_predictions(parsnip, mode, fun == "sporf")
    for (type in names(types)) {
      parsnip$set_pred(
        model = model, eng = "sporf", mode = mode, type = type, value = types[[type]]
      )
    }
  }
}

parsnip_fit <- function(parsnip, model, mode, fun) {
  parsnip$set_fit(model = model, eng = "sporf", mode = mode, value = list(
    interface = "data.frame",
    data = c(x = "x", y = "y", weights = "case.weights"),
    protect = c("x", "y", "weights"),
    func = c(pkg = "sporf", fun = fun),
    defaults = list(num.threads = 1, verbose = FALSE)
  ))
  parsnip$set_encoding(model = model, eng = "sporf", mode = mode, options = list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
    allow_sparse_x = FALSE
  ))
}

# A type of prediction. parsnip evaluates quoted arguments where `object` and `new_data` are known.
parsnip_prediction <- function(post = NULL, ...) {
  list(
    pre = NULL, post = post, func = c(fun = "predict"),
    args = list(object = quote(object$fit), data = quote(new_data), num.threads = 1, ...)
  )
}

parsnip_predictions <- function(parsnip, mode, forest) {
  if (mode == "classification") {
    return(list(
      class = parsnip_prediction(parsnip_classes, type = "response"),
      prob = parsnip_prediction(parsnip_shares, type = "prob"), raw = parsnip_prediction()
    ))
  }
  types <- list(
    numeric = parsnip_prediction(parsnip_numbers, type = "response"), raw = parsnip_prediction()
  )
  if (!forest) return(types)
  c(types, list(
    quantile = parsnip_prediction(
      parsnip_quantiles(parsnip), type = "quantiles", quantiles = parsnip_levels
    ),
    pred_int = parsnip_prediction(
      parsnip_interval, type = "interval",
      level = quote(object$spec$method$pred$pred_int$extras$level)
    ),
    conf_int = parsnip_prediction(parsnip_confidence, type = "se")
  ))
}

parsnip_classes <- function(x, object) as.character(as_classes(x$predictions, object$lvl))

parsnip_shares <- function(x, object) {
  tibble::as_tibble(as.data.frame(for_all_classes(x$predictions, object$lvl), optional = TRUE))
}

parsnip_numbers <- function(x, object) x$predictions

# Which quantiles are asked for: parsnip 1.3.0 and later put them into the specification.
parsnip_levels <- quote(
  if (is.null(object$spec$quantile_levels)) {
    object$spec$method$pred$quantile$extras$quantile
  } else {
    object$spec$quantile_levels
  }
)

parsnip_quantiles <- function(parsnip) {
  reformat <- get0("matrix_to_quantile_pred", parsnip, mode = "function", inherits = FALSE)
  function(x, object) {
    if (!is.null(reformat)) return(reformat(unname(x$predictions), object))
    levels <- object$spec$method$pred$quantile$extras$quantile
    rows <- lapply(seq_len(nrow(x$predictions)), function(i) {
      tibble::tibble(.quantile = levels, .pred = unname(x$predictions[i, ]))
    })
    tibble::tibble(.pred = rows)
  }
}

parsnip_interval <- function(x, object) {
  tibble::tibble(
    .pred_lower = unname(x$predictions[, "lower"]), .pred_upper = unname(x$predictions[, "upper"])
  )
}

parsnip_confidence <- function(x, object) {
  asked <- object$spec$method$pred$conf_int$extras
  width <- stats::qnorm((1 + asked$level) / 2) * x$se
  result <- tibble::tibble(.pred_lower = x$predictions - width, .pred_upper = x$predictions + width)
  if (isTRUE(asked$std_error)) result$.std_error <- x$se
  result
}
