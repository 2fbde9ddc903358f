# mlr3 and paradox are not needed: stand-ins have the classes and functions that are used, and check
# what they are given as these packages do.

skip_if_not_installed("R6")

parameter <- function(kind) {
  function(..., lower = NULL, upper = NULL, levels = NULL, default = NULL, tags = character()) {
    stopifnot(...length() == 0L, tags %in% c("train", "predict", "threads"))
    stopifnot(kind != "fct" || is.character(levels))
    stopifnot(is.null(default) || is.null(levels) || default %in% levels)
    stopifnot(is.null(levels) || kind == "fct", is.null(lower) || kind %in% c("int", "dbl"))
    list(kind = kind, lower = lower, upper = upper, levels = levels, tags = tags)
  }
}

stand_in_paradox <- function() {
  ParamSet <- R6::R6Class("ParamSet",
    public = list(
      params = NULL,
      initialize = function(params) self$params <- params,
      get_values = function(tags) {
        wanted <- names(Filter(function(param) all(tags %in% param$tags), self$params))
        private$.values[names(private$.values) %in% wanted]
      }
    ),
    active = list(values = function(values) {
      if (missing(values)) return(private$.values)
      stopifnot(all(names(values) %in% names(self$params)))
      for (name in names(values)) {
        param <- self$params[[name]]
        if (param$kind == "int") stopifnot(values[[name]] == round(values[[name]]))
        if (!is.null(param$lower)) stopifnot(values[[name]] >= param$lower)
        if (!is.null(param$levels)) stopifnot(values[[name]] %in% param$levels)
      }
      private$.values <- values
    }),
    private = list(.values = list())
  )
  list2env(list(
    p_int = parameter("int"), p_dbl = parameter("dbl"), p_fct = parameter("fct"),
    p_lgl = parameter("lgl"), ps = function(...) ParamSet$new(list(...))
  ))
}

stand_in_mlr3 <- function(old = FALSE) {
  types <- list(classif = c("response", "prob"), regr = c("response", "se", if (!old) "quantiles"))
  Learner <- R6::R6Class("Learner",
    public = list(
      id = NULL, param_set = NULL, predict_type = "response", properties = NULL, model = NULL,
      feature_types = NULL, predict_types = NULL, packages = NULL, label = NULL, man = NULL,
      setup = function(kind, id, param_set, predict_types, feature_types, properties, packages,
                       label, man) {
        stopifnot(inherits(param_set, "ParamSet"), predict_types %in% types[[kind]])
        stopifnot(feature_types %in% c(
          "logical", "integer", "numeric", "character", "factor", "ordered", "POSIXct"
        ))
        stopifnot(properties %in% c(
          "missings", "weights", "importance", "oob_error", "selected_features",
          if (kind == "classif") c("twoclass", "multiclass")
        ))
        given <- setdiff(names(formals(self$setup)), "kind")
        for (name in given) self[[name]] <- get(name)
      },
      train = function(task) {
        self$model <- private$.train(task)
        self
      },
      predict = function(task) private$.predict(task)
    ),
    private = c(
      list(.quantiles = c(0.1, 0.5, 0.9), .quantile_response = 0.5),
      if (!old) list(.get_weights = function(task) task$weights_learner$weight)
    )
  )
  start <- function(kind) {
    body <- bquote(super$setup(.(kind), id, param_set, predict_types, feature_types, properties,
                               packages, label, man))
    as.function(c(alist(id = , param_set = , predict_types = , feature_types = , properties = ,
                        packages = , label = , man = ), body))
  }
  added <- new.env()
  list2env(list(
    LearnerClassif = R6::R6Class(
      "LearnerClassif", inherit = Learner, public = list(initialize = start("classif"))
    ),
    LearnerRegr = R6::R6Class(
      "LearnerRegr", inherit = Learner, public = list(initialize = start("regr"))
    ),
    mlr_reflections = list(learner_predict_types = lapply(types, function(of) {
      stats::setNames(as.list(of), of)
    })),
    mlr_learners = list(add = function(key, value) {
      stopifnot(is.character(key), R6::is.R6Class(value))
      added[[key]] <- value
    }),
    added = added
  ))
}

task_of <- function(data, target, weights = NULL, old = FALSE) {
  features <- setdiff(names(data), target)
  weights <- if (!is.null(weights)) list(weight = weights)
  task <- list(
    feature_names = features, class_names = levels(data[[target]]),
    data = function(cols) data[, cols, drop = FALSE],
    truth = function() data[[target]]
  )
  task[[if (old) "weights" else "weights_learner"]] <- weights
  task
}

learner <- function(key, ..., old = FALSE) {
  mlr3 <- stand_in_mlr3(old)
  sporf:::register_mlr3(mlr3, stand_in_paradox())
  made <- mlr3$added[[key]]$new()
  made$param_set$values <- c(made$param_set$values, list(num.trees = 20, seed = 1, ...))
  made
}

test_that("both learners are added, with what they can do", {
  mlr3 <- stand_in_mlr3()
  sporf:::register_mlr3(mlr3, stand_in_paradox())
  expect_setequal(ls(mlr3$added), c("classif.sporf", "regr.sporf"))
  made <- mlr3$added$regr.sporf$new()
  expect_s3_class(made, c("LearnerRegrSporf", "LearnerRegr", "Learner"))
  expect_equal(made$predict_types, c("response", "se", "quantiles"))
  expect_equal(made$param_set$values$num.threads, 1)
  expect_equal(learner("regr.sporf", old = TRUE)$predict_types, c("response", "se"))
})

test_that("all parameters of training are arguments of sporf()", {
  for (key in c("classif.sporf", "regr.sporf")) {
    params <- learner(key)$param_set$params
    of_training <- names(Filter(function(param) "train" %in% param$tags, params))
    expect_true(all(of_training %in% c(names(formals(sporf)), "min.bucket")))
    of_prediction <- names(Filter(function(param) "predict" %in% param$tags, params))
    expect_true(all(of_prediction %in% names(formals(sporf:::predict.sporf))))
  }
})

test_that("classes and probabilities are predicted", {
  task <- task_of(iris, "Species")
  made <- learner("classif.sporf", mtry = 3, density = 0.5)$train(task)
  expect_s3_class(made$model, "sporf")
  expect_equal(made$model$settings[["projections"]], "3")
  predicted <- made$predict(task)
  expect_gt(mean(predicted$response == iris$Species), 0.95)
  made$predict_type <- "prob"
  shares <- made$train(task)$predict(task)$prob
  expect_equal(colnames(shares), levels(iris$Species))
  expect_equal(rowSums(shares), rep(1, 150), tolerance = 1e-6)
})

test_that("numbers, standard errors and quantiles are predicted", {
  task <- task_of(mtcars, "mpg")
  made <- learner("regr.sporf")$train(task)
  expect_equal(made$predict(task)$response, predict(made$model, mtcars)$predictions)
  made$predict_type <- "se"
  predicted <- made$train(task)$predict(task)
  expect_length(predicted$se, 32)
  made$predict_type <- "quantiles"
  quantiles <- made$train(task)$predict(task)$quantiles
  expect_equal(dim(quantiles), c(32, 3))
  expect_equal(attr(quantiles, "probs"), c(0.1, 0.5, 0.9))
  expect_equal(attr(quantiles, "response"), 0.5)
})

test_that("importances, selected features and the out-of-bag error are those of the forest", {
  task <- task_of(iris, "Species")
  made <- learner("classif.sporf")
  expect_error(made$importance(), "No model stored")
  made$train(task)
  expect_equal(made$importance(), sort(importance(made$model), decreasing = TRUE))
  expect_setequal(made$selected_features(), names(iris)[1:4])
  expect_equal(made$oob_error(), made$model$prediction.error)
})

test_that("weights are used, of new and of old versions of mlr3", {
  data <- data.frame(x = rep(0:1, 50), z = 1, y = rep(c(0, 1), each = 50))
  for (old in c(FALSE, TRUE)) {
    task <- task_of(data, "y", rep(c(1, 99), each = 50), old)
    made <- learner("regr.sporf", old = old)$train(task)
    expect_gt(mean(made$predict(task)$response), 0.9)
  }
})

test_that("a learner that was saved predicts the same", {
  task <- task_of(iris, "Species")
  made <- learner("classif.sporf")$train(task)
  again <- unserialize(serialize(made, NULL))
  expect_identical(again$predict(task), made$predict(task))
})
