#!/bin/sh
# torture.sh LIBRARY: R collects garbage at each chance while forests are trained, used and read; nothing may change.
set -eu
R_LIBS=$1 Rscript - <<'END' >&2
library(sporf)
use <- function() {
  data <- iris[c(1:20, 51:70, 101:120), ]
  data$colour <- factor(rep(c("red", "blue", "green"), 20))
  forest <- sporf(Species ~ ., data, num.trees = 3, seed = 1, num.threads = 1, keep.inbag = TRUE,
                  importance = "permutation")
  again <- unserialize(serialize(forest, NULL))
  list(as.raw(forest), forest$variable.importance, predict(again, data)$predictions,
       predict(again, data[1, ], type = "prob")$predictions, treeInfo(again, 2),
       projection_importance(again, 3), proximity(again, data[1:5, ]), forest$inbag.counts,
       tryCatch(sporf(Species ~ ., data, method = "nope"), error = conditionMessage),
       as.raw(sporf_boost(Species ~ ., data, num.rounds = 2, seed = 1, num.threads = 1)),
       crossval_sporf(Species ~ ., data, num.trees = 2, folds = 2, seed = 1)$predictions,
       explain(again, data[1:2, ], data, projections = 2, num.threads = 1)$values,
       as.data.frame(dependence(again, data, c("colour", "Petal.Width"), "ice", grid = 2, sample = 9)),
       interactions(again, data, 3:4, sample = 9), scores(again, data), tree_text(again, 1),
       score_curve(again, data, class = "setosa"), decision_path(again, data[1:3, ]),
       readLines(report(again, tempfile())),
       tune_sporf(Species ~ ., data, num.trees = 2, mtry = 1:2, seed = 1)$trials$error)
}
plain <- use()
gctorture2(step = 5)
tortured <- use()
gctorture(FALSE)
stopifnot(identical(plain, tortured))
END
