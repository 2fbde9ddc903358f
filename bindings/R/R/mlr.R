# Learners of mlr 2.x. Its generics are found when mlr is loaded, so that it need not be installed.

# ---- settings ----------------------------------------------------------------------------------

mlr_common_parameters <- function() {
  list(
    ParamHelpers::makeIntegerLearnerParam("mtry", lower = 1L),
    ParamHelpers::makeNumericLearnerParam("density", lower = 0, upper = 1),
    ParamHelpers::makeDiscreteLearnerParam(
      "method", values = c("sporf", "rf", "frc", "rr-rf", "ccf", "patch"), default = "sporf"
    ),
    ParamHelpers::makeDiscreteLearnerParam(
      "scale", values = c("auto", "none", "sd", "range", "iqr"), default = "auto"
    ),
    ParamHelpers::makeIntegerLearnerParam("max.depth", lower = 0L),
    ParamHelpers::makeIntegerLearnerParam("min.bucket", lower = 1L),
    ParamHelpers::makeIntegerLearnerParam(
      "num.threads", lower = 0L, when = "both", tunable = FALSE
    ),
    ParamHelpers::makeIntegerLearnerParam("seed", lower = 0L, tunable = FALSE),
    ParamHelpers::makeLogicalLearnerParam("verbose", default = TRUE, tunable = FALSE)
  )
}

mlr_forest_parameters <- function(classes) {
  parameters <- c(list(
    ParamHelpers::makeIntegerLearnerParam("num.trees", lower = 1L, default = 500L),
    ParamHelpers::makeIntegerLearnerParam("min.node.size", lower = 1L),
    ParamHelpers::makeLogicalLearnerParam("replace"),
    ParamHelpers::makeNumericLearnerParam("sample.fraction", lower = 0, upper = 1),
    ParamHelpers::makeDiscreteLearnerParam(
      "importance", values = c("none", "impurity", "permutation"), default = "none", tunable = FALSE
    ),
    ParamHelpers::makeNumericLearnerParam("honest", lower = 0, upper = 1, default = 0),
    ParamHelpers::makeDiscreteLearnerParam(
      "effort", values = c("low", "default", "high"), default = "default", tunable = FALSE
    ),
    ParamHelpers::makeLogicalLearnerParam("keep.inbag", default = FALSE, tunable = FALSE)
  ), mlr_common_parameters())
  if (classes) {
    parameters <- c(parameters, list(ParamHelpers::makeDiscreteLearnerParam(
      "splitrule", values = c("gini", "entropy"), default = "gini"
    )))
  } else {
    parameters <- c(parameters, list(
      ParamHelpers::makeLogicalLearnerParam("quantreg", default = TRUE, tunable = FALSE),
      ParamHelpers::makeDiscreteLearnerParam(
        "se.method", values = c("infjack", "jack"), default = "infjack", when = "predict"
      )
    ))
  }
  ParamHelpers::makeParamSet(params = parameters)
}

mlr_boost_parameters <- function(classes) {
  parameters <- c(list(
    ParamHelpers::makeIntegerLearnerParam("num.rounds", lower = 1L, default = 2000L),
    ParamHelpers::makeNumericLearnerParam("learning.rate", lower = 0, upper = 1),
    ParamHelpers::makeIntegerLearnerParam("max.leaves", lower = 0L),
    ParamHelpers::makeNumericLearnerParam("valid", lower = 0, upper = 0.9, default = 0.1),
    ParamHelpers::makeIntegerLearnerParam("patience", lower = 1L, default = 50L),
    ParamHelpers::makeNumericLearnerParam("l2", lower = 0, default = 1),
    ParamHelpers::makeNumericLearnerParam("subsample", lower = 0, upper = 1),
    ParamHelpers::makeIntegerLearnerParam("bags", lower = 1L)
  ), mlr_common_parameters())
  if (!classes) {
    parameters <- c(parameters, list(
      ParamHelpers::makeDiscreteLearnerParam(
        "loss", values = c("auto", "squared", "absolute", "quantile", "poisson"), default = "auto"
      ),
      ParamHelpers::makeNumericLearnerParam(
        "quantile", lower = 0, upper = 1, default = 0.5, requires = quote(loss == "quantile")
      )
    ))
  }
  ParamHelpers::makeParamSet(params = parameters)
}

# ---- learners ----------------------------------------------------------------------------------

mlr_learner <- function(class, boost, classes) {
  make <- if (classes) mlr::makeRLearnerClassif else mlr::makeRLearnerRegr
  make(
    cl = class, package = "sporf",
    par.set = if (boost) mlr_boost_parameters(classes) else mlr_forest_parameters(classes),
    par.vals = list(num.threads = 1L, verbose = FALSE),
    properties = c(
      if (classes) c("twoclass", "multiclass", "prob"), if (!classes && !boost) "se",
      "numerics", "factors", "ordered", "missings", "weights", "featimp", if (!boost) "oobpreds"
    ),
    name = if (boost) "Gradient Boosting with Oblique Trees" else "Oblique Random Forest",
    short.name = if (boost) "sporf_boost" else "sporf",
    note = "One thread is used unless `num.threads` is set.",
    callees = if (boost) "sporf_boost" else "sporf"
  )
}

#' @exportS3Method mlr::makeRLearner
makeRLearner.classif.sporf <- function() mlr_learner("classif.sporf", FALSE, TRUE)

#' @exportS3Method mlr::makeRLearner
makeRLearner.regr.sporf <- function() mlr_learner("regr.sporf", FALSE, FALSE)

#' @exportS3Method mlr::makeRLearner
makeRLearner.classif.sporf_boost <- function() mlr_learner("classif.sporf_boost", TRUE, TRUE)

#' @exportS3Method mlr::makeRLearner
makeRLearner.regr.sporf_boost <- function() mlr_learner("regr.sporf_boost", TRUE, FALSE)

mlr_train <- function(boost, .learner, .task, .subset, .weights, ...) {
  data <- mlr::getTaskData(.task, .subset, target.extra = TRUE)
  more <- list()
  if (!boost && .learner$predict.type == "prob") more$probability <- TRUE
  if (!boost && .learner$predict.type == "se") more$keep.inbag <- TRUE
  inputs <- list(boost, x = data$data, y = data$target, case.weights = .weights)
  do.call(fit_learner, c(inputs, with_given(list(...), more)))
}

mlr_train_forest <- function(.learner, .task, .subset, .weights = NULL, ...) {
  mlr_train(FALSE, .learner, .task, .subset, .weights, ...)
}

mlr_train_boost <- function(.learner, .task, .subset, .weights = NULL, ...) {
  mlr_train(TRUE, .learner, .task, .subset, .weights, ...)
}

#' @exportS3Method mlr::trainLearner
trainLearner.classif.sporf <- mlr_train_forest

#' @exportS3Method mlr::trainLearner
trainLearner.regr.sporf <- mlr_train_forest

#' @exportS3Method mlr::trainLearner
trainLearner.classif.sporf_boost <- mlr_train_boost

#' @exportS3Method mlr::trainLearner
trainLearner.regr.sporf_boost <- mlr_train_boost

mlr_predict_classes <- function(.learner, .model, .newdata, ...) {
  type <- if (.learner$predict.type == "prob") "prob" else "response"
  predicted <- stats::predict(.model$learner.model, .newdata, type = type, ...)$predictions
  levels <- .model$task.desc$class.levels
  if (type == "prob") for_all_classes(predicted, levels) else as_classes(predicted, levels)
}

mlr_predict_numbers <- function(.learner, .model, .newdata, ...) {
  type <- if (.learner$predict.type == "se") "se" else "response"
  predicted <- stats::predict(.model$learner.model, .newdata, type = type, ...)
  if (type == "se") cbind(predicted$predictions, predicted$se) else predicted$predictions
}

#' @exportS3Method mlr::predictLearner
predictLearner.classif.sporf <- mlr_predict_classes

#' @exportS3Method mlr::predictLearner
predictLearner.regr.sporf <- mlr_predict_numbers

#' @exportS3Method mlr::predictLearner
predictLearner.classif.sporf_boost <- mlr_predict_classes

#' @exportS3Method mlr::predictLearner
predictLearner.regr.sporf_boost <- mlr_predict_numbers

mlr_importance <- function(.learner, .model, ...) {
  measured <- importance(mlr::getLearnerModel(.model, more.unwrap = TRUE))
  stats::setNames(as.vector(measured), names(measured))
}

#' @exportS3Method mlr::getFeatureImportanceLearner
getFeatureImportanceLearner.classif.sporf <- mlr_importance

#' @exportS3Method mlr::getFeatureImportanceLearner
getFeatureImportanceLearner.regr.sporf <- mlr_importance

#' @exportS3Method mlr::getFeatureImportanceLearner
getFeatureImportanceLearner.classif.sporf_boost <- mlr_importance

#' @exportS3Method mlr::getFeatureImportanceLearner
getFeatureImportanceLearner.regr.sporf_boost <- mlr_importance

mlr_oob <- function(.learner, .model) {
  predicted <- mlr::getLearnerModel(.model, more.unwrap = TRUE)$predictions
  levels <- .model$task.desc$class.levels
  if (is.factor(predicted)) return(factor(predicted, levels))
  if (is.matrix(predicted)) for_all_classes(predicted, levels) else predicted
}

#' @exportS3Method mlr::getOOBPredsLearner
getOOBPredsLearner.classif.sporf <- mlr_oob

#' @exportS3Method mlr::getOOBPredsLearner
getOOBPredsLearner.regr.sporf <- mlr_oob
