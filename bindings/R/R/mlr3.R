# Learners of mlr3. Their classes are made when mlr3 is loaded, whose classes they inherit from.
# `mlr3`, `paradox` and `R6` are the namespaces of these packages.

register_mlr3 <- function(mlr3, paradox = asNamespace("paradox"), R6 = asNamespace("R6")) {
  mlr3$mlr_learners$add("classif.sporf", mlr3_classif(mlr3, paradox, R6))
  mlr3$mlr_learners$add("regr.sporf", mlr3_regr(mlr3, paradox, R6))
  invisible()
}

mlr3_parameters <- function(paradox, classes) {
  train <- "train"
  parameters <- list(
    num.trees = paradox$p_int(lower = 1L, default = 500L, tags = train),
    mtry = paradox$p_int(lower = 1L, tags = train),
    density = paradox$p_dbl(lower = 0, upper = 1, tags = train),
    min.node.size = paradox$p_int(lower = 1L, tags = train),
    min.bucket = paradox$p_int(lower = 1L, tags = train),
    max.depth = paradox$p_int(lower = 0L, tags = train),
    replace = paradox$p_lgl(tags = train),
    sample.fraction = paradox$p_dbl(lower = 0, upper = 1, tags = train),
    splitrule = paradox$p_fct(
      levels = if (classes) c("gini", "entropy") else "variance", tags = train
    ),
    method = paradox$p_fct(
      levels = c("sporf", "rf", "frc", "rr-rf", "ccf", "patch"), default = "sporf", tags = train
    ),
    scale = paradox$p_fct(
      levels = c("auto", "none", "sd", "range", "iqr"), default = "auto", tags = train
    ),
    honest = paradox$p_dbl(lower = 0, upper = 1, default = 0, tags = train),
    effort = paradox$p_fct(levels = c("low", "default", "high"), default = "default", tags = train),
    importance = paradox$p_fct(
      levels = c("none", "impurity", "permutation"), default = "none", tags = train
    ),
    keep.inbag = paradox$p_lgl(default = FALSE, tags = train),
    seed = paradox$p_int(lower = 0L, tags = train),
    verbose = paradox$p_lgl(default = TRUE, tags = train),
    num.threads = paradox$p_int(lower = 0L, tags = c(train, "predict", "threads"))
  )
  if (!classes) {
    parameters$quantreg <- paradox$p_lgl(default = TRUE, tags = train)
    parameters$se.method <-
      paradox$p_fct(levels = c("infjack", "jack"), default = "infjack", tags = "predict")
  }
  set <- do.call(paradox$ps, parameters)
  set$values <- list(num.threads = 1L, verbose = FALSE)
  set
}

# Row weights: from mlr3 0.24.0 on a learner is asked whether it wants them.
mlr3_weights <- function(task, private) {
  if (is.function(private$.get_weights)) private$.get_weights(task) else task$weights$weight
}

mlr3_train <- function(self, private, task) {
  arguments <- self$param_set$get_values(tags = "train")
  arguments$case.weights <- mlr3_weights(task, private)
  if (self$predict_type == "se") arguments$keep.inbag <- TRUE
  if (self$predict_type == "quantiles") arguments$quantreg <- TRUE
  x <- as.data.frame(task$data(cols = task$feature_names))
  do.call(fit_learner, c(list(FALSE, x = x, y = task$truth()), arguments))
}

mlr3_predict <- function(self, task, ...) {
  arguments <- self$param_set$get_values(tags = "predict")
  newdata <- as.data.frame(task$data(cols = task$feature_names))
  do.call(stats::predict, c(list(self$model, newdata, ...), arguments))
}

# The methods that both learners have.
mlr3_methods <- function() {
  list(
    importance = function() {
      if (is.null(self$model)) stop("No model stored")
      measured <- importance(self$model)
      sort(stats::setNames(as.vector(measured), names(measured)), decreasing = TRUE)
    },
    oob_error = function() {
      if (is.null(self$model)) stop("No model stored")
      self$model$prediction.error
    },
    selected_features = function() {
      if (is.null(self$model)) stop("No model stored")
      used_features(self$model)
    }
  )
}

mlr3_features <- c("logical", "integer", "numeric", "factor", "ordered")

mlr3_properties <- c("missings", "weights", "importance", "oob_error", "selected_features")

mlr3_classif <- function(mlr3, paradox, R6) {
  scope <- new.env(parent = topenv())
  scope$LearnerClassif <- mlr3$LearnerClassif
  scope$parameters <- function() mlr3_parameters(paradox, TRUE)
  R6$R6Class("LearnerClassifSporf",
    inherit = LearnerClassif, parent_env = scope,
    public = c(list(initialize = function() {
      super$initialize(
        id = "classif.sporf", param_set = parameters(), predict_types = c("response", "prob"),
        feature_types = mlr3_features, properties = c("twoclass", "multiclass", mlr3_properties),
        packages = "sporf", label = "Oblique Random Forest", man = "sporf::sporf_learners"
      )
    }), mlr3_methods()),
    private = list(
      .train = function(task) mlr3_train(self, private, task),
      .predict = function(task) {
        if (self$predict_type == "prob") {
          shares <- mlr3_predict(self, task, type = "prob")$predictions
          return(list(prob = for_all_classes(shares, task$class_names)))
        }
        list(response = as_classes(mlr3_predict(self, task)$predictions, task$class_names))
      }
    )
  )
}

mlr3_regr <- function(mlr3, paradox, R6) {
  scope <- new.env(parent = topenv())
  scope$LearnerRegr <- mlr3$LearnerRegr
  scope$parameters <- function() mlr3_parameters(paradox, FALSE)
  # Versions before 0.21.0 do not know quantiles.
  scope$types <- intersect(
    c("response", "se", "quantiles"), names(mlr3$mlr_reflections$learner_predict_types$regr)
  )
  R6$R6Class("LearnerRegrSporf",
    inherit = LearnerRegr, parent_env = scope,
    public = c(list(initialize = function() {
      super$initialize(
        id = "regr.sporf", param_set = parameters(), predict_types = types,
        feature_types = mlr3_features, properties = mlr3_properties, packages = "sporf",
        label = "Oblique Random Forest", man = "sporf::sporf_learners"
      )
    }), mlr3_methods()),
    private = list(
      .train = function(task) mlr3_train(self, private, task),
      .predict = function(task) {
        if (self$predict_type == "quantiles") {
          levels <- private$.quantiles
          quantiles <- mlr3_predict(self, task, type = "quantiles", quantiles = levels)$predictions
          return(list(quantiles = structure(
            unname(quantiles), probs = levels, response = private$.quantile_response
          )))
        }
        type <- if (self$predict_type == "se") "se" else "response"
        predicted <- mlr3_predict(self, task, type = type)
        list(response = predicted$predictions, se = predicted$se)
      }
    )
  )
}
