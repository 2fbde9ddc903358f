"""What is compared: workloads, sizes of the search, numbers of trees, and the bars to clear.

Numbers of trees are such that a peer's fit takes some ten seconds, so that its start does not count,
and the whole takes less than an hour. Peers that need much more get fewer trees, or are left out
with the reason; bars are always measured with equal numbers.
"""

from dataclasses import dataclass, field

from learners import ALL

REPEATS = 3


@dataclass(frozen=True)
class Bar:
    kind: str  # one of those that bars.py and predict_bars.py judge
    limit: float  # the least for ratios and threads, the most for seconds, ns and us
    learner: str = "sporf"
    note: str = ""


def ratio(learner, limit):
    return Bar("ratio", limit, learner)


@dataclass(frozen=True)
class Setting:
    name: str
    workload: str
    d: int  # projections, or features, that a node tries
    nonzeros: int  # features in a projection: density times p
    trees: int
    learners: tuple = ALL
    threads: tuple = (1,)  # each learner runs once with each
    bars: tuple = ()
    fewer: dict = field(default_factory=dict)  # learner: trees
    left_out: dict = field(default_factory=dict)  # learner: why


AXES = dict.fromkeys(("ranger", "xgboost-exact", "xgboost-hist"), "compared at d = sqrt p")
OBLIQUE = ("sporf", "scikit-learn", "ydf", "treeple")
FOR_TIME = dict.fromkeys(("ranger", "xgboost-hist", "ydf", "treeple"),
                         "for time; the smaller tables compare it")
HISTOGRAMS = {"xgboost-hist": "needs more than 13 GB for its histograms"}

SETTINGS = [
    Setting("mnist-sqrt", "mnist", 28, 1, 30,
            bars=(ratio("scikit-learn", 3), ratio("ranger", 7)),
            fewer={"xgboost-exact": 3, "xgboost-hist": 1, "treeple": 15}),
    Setting("higgs-sqrt", "higgs", 5, 1, 15,
            bars=(ratio("scikit-learn", 8), ratio("ranger", 8)),
            fewer={"xgboost-exact": 8, "xgboost-hist": 5, "treeple": 8}),
    Setting("parity-5k", "parity-5k", 4, 1, 500,
            bars=(ratio("scikit-learn", 10), ratio("ranger", 6), ratio("xgboost-exact", 6))),
    Setting("parity-100k", "parity-100k", 4, 1, 20,
            bars=(ratio("scikit-learn", 10), ratio("ranger", 6), ratio("xgboost-exact", 6)),
            fewer={"xgboost-hist": 10}),
    Setting("mnist-p", "mnist", 784, 3, 2, OBLIQUE,
            bars=(ratio("scikit-learn", 3), ratio("ydf", 5), ratio("treeple", 5)), left_out=AXES),
    Setting("higgs-p", "higgs", 30, 3, 2, OBLIQUE,
            bars=(ratio("scikit-learn", 8), ratio("ydf", 5), ratio("treeple", 5)), left_out=AXES),
    Setting("wide", "wide", 20, 3, 100, ("sporf", "scikit-learn", "ranger", "xgboost-exact", "ydf"),
            bars=(Bar("total", 1),),
            left_out={**HISTOGRAMS, "treeple": "takes five minutes: 3 s for a tree"}),
    Setting("trunk-sqrt", "trunk", 7, 1, 5, ("sporf", "scikit-learn", "xgboost-exact"),
            fewer={"scikit-learn": 1, "xgboost-exact": 1}, left_out=FOR_TIME),
    Setting("trunk-p", "trunk", 50, 3, 2, ("sporf",), bars=(Bar("ns", 8),),
            left_out={**FOR_TIME, **AXES, "scikit-learn": "takes 140 s for a tree"}),
    Setting("covertype", "covertype", 7, 1, 50, fewer={"xgboost-exact": 10, "xgboost-hist": 20}),
    Setting("p53", "p53", 73, 1, 3,
            ("sporf", "scikit-learn", "ranger", "xgboost-exact", "ydf", "treeple"),
            left_out=HISTOGRAMS),
]
for workload, d in (("mnist", 28), ("higgs", 5), ("trunk", 7)):
    SETTINGS += [
        Setting(f"{workload}-threads", workload, d, 1, 100, ("sporf",), (1, 2),
                bars=(Bar("threads", 1.9),)),
        Setting(f"{workload}-pair", workload, d, 1, 2, ("sporf",), (1, 2),
                bars=(Bar("threads", 1.7),)),
    ]


@dataclass(frozen=True)
class Contestant:
    """A forest that predicts. Learners of ONE_CLASS_TREES grow a tree for each class where there are
    more than two: they get as many trees in all as the others, or as many for each class."""

    name: str
    learner: str
    nonzeros: int = 1
    method: str = "sporf"  # of our own
    for_each_class: bool = False
    trees: int = 0  # other than the setting's, for one that takes too long to train


@dataclass(frozen=True)
class Prediction:
    name: str
    workload: str
    d: int
    trees: int
    contestants: tuple
    bars: tuple
    threads: tuple = (1, 2)


OURS = (Contestant("sporf", "sporf"), Contestant("sporf 3/p", "sporf", nonzeros=3),
        Contestant("sporf rf", "sporf", method="rf"))
OTHERS = (Contestant("scikit-learn", "scikit-learn"), Contestant("ranger", "ranger"),
          Contestant("xgboost", "xgboost"), Contestant("xgboost 1.7", "xgboost-1.7"),
          Contestant("ydf", "ydf"))
ONE_CLASS_TREES = ("xgboost", "xgboost-1.7")
MANY_CLASSES = (Contestant("xgboost all classes", "xgboost-all-classes", trees=40),
                Contestant("xgboost each class", "xgboost", for_each_class=True))
RATIOS = (*(Bar("batch", 4, peer) for peer in ("scikit-learn", "xgboost", "xgboost 1.7", "ydf")),
          *(Bar("row", 2, peer) for peer in ("xgboost", "xgboost 1.7")))

PREDICTIONS = [
    Prediction("predict-mnist", "mnist", 28, 100, (*OURS, *OTHERS, *MANY_CLASSES),
               (*RATIOS, Bar("batch", 4, "xgboost all classes"), Bar("row-us", 13))),
    Prediction("predict-higgs", "higgs", 5, 100, (*OURS, *OTHERS),
               (*RATIOS, Bar("batch-ns", 60), Bar("batch-ns", 30, note="the stretch"),
                Bar("row-us", 25))),
]
