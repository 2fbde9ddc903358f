"""The learners again, for predicting: each trains a forest once, keeps it, and predicts from it.

A job is a dictionary: what learners.py wants, and model, the file; to predict, threads and seconds.
What comes back is one too: version, error on the test rows, rows_per_second of the whole table in one
call, and one_row: p50_us, p99_us and rows_per_second, or None. Every process runs on as many cores
as it may use threads, always the same ones.
"""

import hashlib
import json
import os
import shlex
import shutil
from pathlib import Path

import environment
import learners

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent / "build" / "bench-models"


class Sporf(learners.Sporf):
    recipe = None  # trains faster than it is worth to remember

    def keep(self, job):
        self.train(job, job["model"], method=job["method"])

    def predict(self, job):
        data = ["--model", job["model"], "--data", Path(job["folder"]) / "test.npy", "--threads",
                job["threads"], "--json"]
        timed = learners.run([self.command, "bench-predict", "--seconds", job["seconds"], *data],
                             job["threads"])
        tested = learners.run([self.command, "evaluate", "--label-file",
                               Path(job["folder"]) / "test-labels.npy", *data], job["threads"])
        return {"version": self.output("--version").split()[-1], "error": tested["error"],
                "mean_depth": timed["mean_depth"], "model_bytes": Path(job["model"]).stat().st_size,
                "rows_per_second": timed["batch"][-1]["rows_per_second"],
                "one_row": timed["one_row"][-1]}


class Ranger(learners.Ranger):
    recipe = (HERE / "predict_ranger.R").read_text()

    def keep(self, job):
        learners.run(["Rscript", HERE / "predict_ranger.R", "train", job["folder"], job["model"],
                      job["d"], job["trees"], job["threads"], job["seed"]], job["threads"])

    def predict(self, job):
        return learners.run(["Rscript", HERE / "predict_ranger.R", "predict", job["folder"],
                             job["model"], job["threads"], job["seconds"]], job["threads"])


class PythonPeer:
    def __init__(self, name, requirements):
        self.name = name
        self.python = environment.python(requirements)
        self.recipe = ((HERE / "fit_python.py").read_text()
                       + (environment.REQUIREMENTS / f"{requirements}.txt").read_text())

    def run(self, action, job):
        return learners.run([self.python, "-W", "ignore", HERE / "predict_python.py", action,
                             self.name, json.dumps(job)], job["threads"])

    def keep(self, job):
        self.run("train", job)

    def predict(self, job):
        return self.run("predict", job)


class XGBoost(PythonPeer):
    """Its single rows are timed in C. Version 1.7 runs, too: 3.2 walks every tree to find its
    depth before it looks at a single row."""

    def __init__(self, name, requirements):
        super().__init__(name, requirements)
        self.timer = MODELS / "predict_xgboost.so"
        MODELS.mkdir(parents=True, exist_ok=True)
        environment.run([*shlex.split(os.environ.get("CC", "cc")), "-O2", "-shared", "-fPIC", "-o",
                         self.timer, HERE / "predict_xgboost.c"])

    def predict(self, job):
        return super().predict({**job, "timer": str(self.timer)})


def find(name, sporf_command):
    """The predictor of that name. Raises environment.Missing."""
    if name == "sporf":
        return Sporf(sporf_command)
    if name == "ranger":
        return Ranger()
    if name == "xgboost-all-classes":
        return XGBoost(name, "xgboost")
    if name.startswith("xgboost"):
        return XGBoost("xgboost-exact", name)
    return PythonPeer(name, name)


def place(predictor, contestant, job):
    """Where the model of a job is kept: settings, table and recipe are in its name."""
    wanted = [predictor.recipe, *(job[key] for key in ("version", "d", "nonzeros", "seed"))]
    mark = hashlib.sha256(json.dumps(wanted).encode()).hexdigest()[:12]
    workload = Path(job["folder"]).name
    return MODELS / f"{workload}-{contestant.replace(' ', '-').replace('/', '-')}-{job['trees']}-{mark}"


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def keep(predictor, contestant, job):
    """Trains, unless that was done before, and returns the model's file. Raises learners.Failed."""
    model = place(predictor, contestant, job)
    if model.exists() and predictor.recipe is not None:
        return str(model)
    MODELS.mkdir(parents=True, exist_ok=True)
    part = model.with_name(model.name + ".part")
    remove(part)
    predictor.keep({**job, "model": str(part)})
    remove(model)
    part.rename(model)
    return str(model)
