"""Memory that runs out in the extension module: each allocation of Python's fails in turn, and what
comes of it is MemoryError or the right answer. Samplers are left out: a thread that calls Python
needs memory for that, and Python itself ends where it has none."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from functools import partial
import numpy as np
import _testcapi
from sporf import _core, simulate

X, y = simulate("trunk", 60, random_state=1)
X = np.asfortranarray(X)
names = [f"feature number {j}" for j in range(X.shape[1])]
labels = [f"class {k}" for k in y]
levels = ["red", "gr\\udce9en", "blue"]
options = {"trees": "3", "projections": "p", "seed": "1", "method": "sporf"}
codes = np.asfortranarray(np.column_stack([X, np.arange(60) % 3]).astype(np.float32))
y2 = np.ascontiguousarray(X[:, :2], dtype=np.float64)
row, out = X[:1], np.empty((60, 2))

def dataset():
    data = _core.Dataset.from_matrix(codes)
    data.set_labels_text(labels)
    data.set_label_name("label")
    data.set_feature_names(names + ["colour"])
    data.set_levels(X.shape[1], False, levels)
    return data

def numbers():
    data = _core.Dataset.from_matrix(X)
    data.set_targets(y2, ["a", "b"])
    return data

data, plain = dataset(), numbers()
def trained(data):
    (forest, raised), _ = _core.Forest.train(data, options, None, None, "", None)
    if raised is not None:
        raise raised
    return forest
forest, regressor = trained(data), trained(plain)
model = forest.to_bytes()
with open(sys.argv[1], "wb") as file:
    file.write(model)
short = {name: value for name, value in options.items() if name != "projections"}
calls = [
    dataset,
    numbers,
    lambda: trained(data).trees,
    lambda: _core.Forest.search(plain, short, True, ["1", "2"], ["1/p"], 2)[2],
    lambda: _core.Forest.load(sys.argv[1]).trees,
    lambda: _core.Forest.from_bytes(model).trees,
    lambda: forest.__reduce__(),
    lambda: forest.predict(data, "probabilities", out, True, 1),
    lambda: regressor.predict(X, "values", out, True, 1),
    lambda: regressor.predict(row, "values", out[:1], True, 1),
    lambda: forest.settings, lambda: forest.levels, lambda: forest.feature_names,
    lambda: forest.class_names, lambda: forest.typed_features,
    lambda: forest.unknown_levels(data), lambda: forest.oob(), lambda: forest.ranking(3),
    lambda: forest.importances(), lambda: forest.node(0, 0), lambda: regressor.oob_predictions(),
    lambda: [forest.level_set(0)], partial(_core.Dataset.simulate, "no such", 5, 0, 1),
    lambda: regressor.permutation_importances(plain, [[0], [1, 0]], 1, 1),
    lambda: regressor.corrected_importances(plain, [[0]], 1, True, "1s", 1, 1),
    lambda: regressor.drop_column_importances(plain, [[0]], None, 1),
    lambda: forest.strength(data, 1),
    lambda: forest.tree(0), lambda: _core.Forest.from_bytes(model).leaf_nodes(),
    lambda: forest.bags(data, 1),
]

def fails(call, first):
    "Whether an allocation from the first on was missing."
    raised = None
    _testcapi.set_nomemory(first, first + 1)
    try:
        call()
    except MemoryError:
        raised = True
    except ValueError:
        raised = False
    finally:
        _testcapi.remove_mem_hooks()
    return raised

for call in calls:
    quiet = first = 0
    while quiet < 20 and first < 2000:  # allocations whose failure is made up for are few in a row
        quiet = 0 if fails(call, first) else quiet + 1
        first += 1
print("held")
"""


def test_each_allocation_may_fail(tmp_path):
    capi = pytest.importorskip("_testcapi")
    if not hasattr(capi, "set_nomemory"):
        pytest.skip("this Python cannot make allocations fail")
    answer = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path / "model"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert answer.stdout == "held\n", answer.stderr[-3000:]
