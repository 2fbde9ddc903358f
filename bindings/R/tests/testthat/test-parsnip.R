# parsnip is not needed: a stand-in has its registration functions, which check their arguments as
# parsnip's do, and fits and predicts with what was registered.

stand_in <- function(quantiles = TRUE) {
  env <- new.env()
  known <- list(
    rand_forest = c("mtry", "trees", "min_n"),
    boost_tree = c(
      "mtry", "trees", "min_n", "tree_depth", "learn_rate", "loss_reduction", "sample_size",
      "stop_iter"
    )
  )
  modes <- c("unknown", "classification", "regression")
  types <- c("raw", "numeric", "class", "prob", "conf_int", "pred_int", "quantile")
  text <- function(x) stopifnot(is.character(x), length(x) == 1L, nzchar(x))
  registered <- function(model, mode, eng) {
    engines <- env[[model]]
    stopifnot(model %in% names(known), any(engines$engine == eng & engines$mode == mode))
  }
  is_func <- function(func, names) {
    stopifnot(is.vector(func), all(names(func) %in% names))
    text(func[["fun"]])
  }
  for (model in names(known)) {
    env[[model]] <- data.frame(engine = "other", mode = "regression")
  }
  env$args <- env$fits <- env$preds <- env$encodings <- env$packages <- list()
  env$get_from_env <- function(items) env[[items]]
  env$set_model_engine <- function(model, mode, eng) {
    text(eng)
    stopifnot(model %in% names(known), mode %in% modes)
    env[[model]] <- rbind(env[[model]], data.frame(engine = eng, mode = mode))
  }
  env$set_dependency <- function(model, eng, pkg = "parsnip", mode = NULL) {
    text(pkg)
    registered(model, mode, eng)
    env$packages[[paste(model, mode)]] <- pkg
  }
  env$set_model_arg <- function(model, eng, parsnip, original, func, has_submodel) {
    stopifnot(parsnip %in% known[[model]], eng %in% env[[model]]$engine)
    text(original)
    is_func(func, c("pkg", "fun", "range", "trans", "values"))
    stopifnot(is.logical(has_submodel), !is.na(has_submodel))
    env$args[[model]][parsnip] <- original
  }
  env$set_fit <- function(model, mode, eng, value) {
    registered(model, mode, eng)
    stopifnot(all(c("defaults", "func", "interface", "protect") %in% names(value)))
    stopifnot(value$interface %in% c("data.frame", "formula", "matrix"), is.list(value$defaults))
    stopifnot(all(names(value) %in% c("defaults", "func", "interface", "protect", "data")))
    is_func(value$func, c("pkg", "fun"))
    env$fits[[paste(model, mode)]] <- value
  }
  env$set_encoding <- function(model, mode, eng, options) {
    registered(model, mode, eng)
    stopifnot(setequal(names(options), c(
      "predictor_indicators", "compute_intercept", "remove_intercept", "allow_sparse_x"
    )))
    stopifnot(options$predictor_indicators %in% c("none", "traditional", "one_hot"))
    env$encodings[[paste(model, mode)]] <- options
  }
  env$set_pred <- function(model, mode, eng, type, value) {
    registered(model, mode, eng)
    stopifnot(type %in% types, identical(sort(names(value)), c("args", "func", "post", "pre")))
    stopifnot(is.null(value$post) || is.function(value$post), is.list(value$args))
    is_func(value$func, c("pkg", "fun"))
    key <- paste(model, mode, type)
    stopifnot(!key %in% names(env$preds))
    env$preds[[key]] <- value
  }
  if (quantiles) {
    env$matrix_to_quantile_pred <- function(x, object) {
      stopifnot(is.matrix(x), ncol(x) == length(object$spec$quantile_levels))
      list(.pred_quantile = x)
    }
  }
  env
}

# Fits as fit_xy() does: the arguments of the data, the settings, then the defaults.
fit_as_parsnip <- function(parsnip, model, mode, x, y, settings = list(), weights = NULL) {
  value <- parsnip$fits[[paste(model, mode)]]
  names(settings) <- parsnip$args[[model]][names(settings)]
  call <- as.call(c(
    call("::", as.name(value$func[["pkg"]]), as.name(value$func[["fun"]])),
    list(x = quote(x), y = quote(y)), settings, value$defaults
  ))
  if (!is.null(weights)) call[[value$data[["weights"]]]] <- quote(weights)
  list(fit = eval(call), lvl = levels(y), spec = list(method = list(pred = list())))
}

predict_as_parsnip <- function(parsnip, object, model, mode, type, new_data, extras = NULL) {
  value <- parsnip$preds[[paste(model, mode, type)]]
  object$spec$method$pred[[type]] <- c(value, list(extras = extras))
  call <- as.call(c(as.name(value$func[["fun"]]), value$args))
  result <- eval(call)
  if (is.null(value$post)) result else value$post(result, object)
}

test_that("both models are registered, once", {
  parsnip <- stand_in()
  sporf:::register_parsnip(parsnip)
  sporf:::register_parsnip(parsnip)
  for (model in c("rand_forest", "boost_tree")) {
    engines <- parsnip[[model]]
    expect_equal(engines$mode[engines$engine == "sporf"], c("classification", "regression"))
  }
  expect_equal(
    parsnip$args$rand_forest, c(mtry = "mtry", trees = "num.trees", min_n = "min.node.size")
  )
  expect_setequal(unlist(parsnip$packages), "sporf")
  expect_length(parsnip$encodings, 4)
})

test_that("arguments are those of sporf's functions", {
  parsnip <- stand_in()
  sporf:::register_parsnip(parsnip)
  expect_true(all(parsnip$args$rand_forest %in% names(formals(sporf))))
  expect_true(all(setdiff(parsnip$args$boost_tree, "min.bucket") %in% names(formals(sporf_boost))))
  for (value in parsnip$fits) {
    expect_true(all(value$data %in% names(formals(get(value$func[["fun"]], asNamespace("sporf"))))))
  }
})

test_that("classification gives classes and probabilities", {
  skip_if_not_installed("tibble")
  parsnip <- stand_in()
  sporf:::register_parsnip(parsnip)
  settings <- list(
    rand_forest = list(mtry = 3, trees = 20, min_n = 2),
    boost_tree = list(
      mtry = 3, trees = 20, min_n = 2, tree_depth = 3, learn_rate = 0.2, sample_size = 0.8,
      stop_iter = 5
    )
  )
  for (model in names(settings)) {
    set.seed(1)
    object <- fit_as_parsnip(
      parsnip, model, "classification", tibble::as_tibble(iris[, 1:4]), iris$Species,
      settings[[model]]
    )
    ask <- function(type) {
      predict_as_parsnip(parsnip, object, model, "classification", type, iris[c(1, 51, 101), 1:4])
    }
    expect_equal(ask("class"), c("setosa", "versicolor", "virginica"))
    expect_s3_class(ask("prob"), "tbl_df")
    expect_named(ask("prob"), levels(iris$Species))
    expect_equal(rowSums(ask("prob")), rep(1, 3), tolerance = 1e-6)
    expect_s3_class(ask("raw"), "sporf.prediction")
  }
  expect_equal(object$fit$settings[["min-leaf"]], "2")
})

test_that("names of classes stay as they are", {
  skip_if_not_installed("tibble")
  parsnip <- stand_in()
  sporf:::register_parsnip(parsnip)
  y <- factor(rep(c("not this", "1-2"), 50), c("not this", "1-2"))
  x <- data.frame(a = as.integer(y) + rnorm(100) / 10, b = 1:100)
  object <- fit_as_parsnip(parsnip, "rand_forest", "classification", x, y, list(trees = 5))
  shares <- predict_as_parsnip(parsnip, object, "rand_forest", "classification", "prob", x)
  expect_named(shares, c("not this", "1-2"))
})

test_that("regression gives numbers, quantiles and intervals", {
  skip_if_not_installed("tibble")
  parsnip <- stand_in()
  sporf:::register_parsnip(parsnip)
  set.seed(1)
  object <- fit_as_parsnip(
    parsnip, "rand_forest", "regression", mtcars[, -1], mtcars$mpg, list(trees = 50)
  )
  ask <- function(type, ...) {
    predict_as_parsnip(parsnip, object, "rand_forest", "regression", type, mtcars[1:4, -1], ...)
  }
  expect_type(ask("numeric"), "double")
  expect_length(ask("numeric"), 4)
  interval <- ask("pred_int", list(level = 0.8, std_error = FALSE))
  expect_named(interval, c(".pred_lower", ".pred_upper"))
  wide <- ask("pred_int", list(level = 0.95, std_error = FALSE))
  width <- function(of) of$.pred_upper - of$.pred_lower
  expect_true(all(width(wide) >= width(interval)))
  object$spec$quantile_levels <- c(0.1, 0.5, 0.9)
  expected <- predict(object$fit, mtcars[1:4, -1], type = "quantiles")$predictions
  expect_equal(ask("quantile")$.pred_quantile, unname(expected))
  expect_error(ask("conf_int", list(level = 0.9, std_error = TRUE)), "keep.inbag")
})

test_that("quantiles have the form that earlier versions want", {
  skip_if_not_installed("tibble")
  parsnip <- stand_in(quantiles = FALSE)
  sporf:::register_parsnip(parsnip)
  object <- fit_as_parsnip(
    parsnip, "rand_forest", "regression", mtcars[, -1], mtcars$mpg, list(trees = 20)
  )
  quantiles <- predict_as_parsnip(
    parsnip, object, "rand_forest", "regression", "quantile", mtcars[1:4, -1],
    list(quantile = c(0.2, 0.8))
  )
  expect_equal(dim(quantiles), c(4, 1))
  expect_equal(quantiles$.pred[[1]]$.quantile, c(0.2, 0.8))
  expect_true(diff(quantiles$.pred[[1]]$.pred) >= 0)
})

test_that("confidence intervals are wider for a higher level", {
  skip_if_not_installed("tibble")
  parsnip <- stand_in()
  sporf:::register_parsnip(parsnip)
  set.seed(1)
  object <- list(
    fit = sporf(mpg ~ ., mtcars, num.trees = 50, keep.inbag = TRUE, verbose = FALSE),
    spec = list(method = list(pred = list()))
  )
  ask <- function(level) {
    predict_as_parsnip(
      parsnip, object, "rand_forest", "regression", "conf_int", mtcars,
      list(level = level, std_error = TRUE)
    )
  }
  expect_named(ask(0.9), c(".pred_lower", ".pred_upper", ".std_error"))
  expect_equal(
    ask(0.9)$.pred_upper - ask(0.9)$.pred_lower, 2 * qnorm(0.95) * ask(0.9)$.std_error
  )
})

test_that("weights reach the training", {
  parsnip <- stand_in()
  sporf:::register_parsnip(parsnip)
  x <- data.frame(a = rep(0:1, 50), b = 1)
  y <- rep(c(0, 1), each = 50)
  set.seed(1)
  object <- fit_as_parsnip(
    parsnip, "rand_forest", "regression", x, y, list(trees = 20), rep(c(1, 99), each = 50)
  )
  expect_gt(mean(predict(object$fit, x)$predictions), 0.9)
})

test_that("a package that is loaded later is registered with then, and a failure is a warning", {
  event <- packageEvent("stats", "onLoad")
  before <- getHook(event)
  on.exit(setHook(event, before, "replace"))
  calls <- 0
  sporf:::when_loaded("stats", function(namespace) calls <<- calls + is.environment(namespace))
  expect_equal(calls, 1)
  later <- getHook(event)
  later[[length(later)]]("stats", "")
  expect_equal(calls, 2)
  expect_warning(
    sporf:::when_loaded("stats", function(namespace) stop("no such argument")),
    "could not register its methods with stats: no such argument"
  )
  expect_gt(length(getHook(packageEvent("parsnip", "onLoad"))), 0)
  expect_gt(length(getHook(packageEvent("mlr3", "onLoad"))), 0)
})
