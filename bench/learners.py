"""The learners: whether one is there, and one fit of it in a process of its own.

A job is a dictionary: folder, rows, features, classes, d, nonzeros, trees, threads, seed. A fit is
one too: seconds of training alone, peak_bytes, error on the test rows, version; or failure, in
words. The process of a fit runs on as many cores as it may use threads, always the same ones.
"""

import json
import os
import resource
import subprocess
import tempfile
from pathlib import Path

import environment

HERE = Path(__file__).resolve().parent
LIMIT_SECONDS = 600
PEERS = ("scikit-learn", "ranger", "xgboost-exact", "xgboost-hist", "ydf", "treeple")
ALL = ("sporf", *PEERS)


class Failed(Exception):
    """A fit that came to nothing, with the reason."""


def memory_bytes():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def confine(threads):
    """In the new process: keeps it to its cores, and lets it fail before the machine swaps."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])
    limit = memory_bytes() * 9 // 10
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def run(command, threads, limit_seconds=LIMIT_SECONDS):
    """Runs a command and returns the JSON that it prints. This process must stay small:
    Linux counts the memory that a process had before it started the command as the command's."""
    environ = {**os.environ, "OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1"}
    try:
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                                timeout=limit_seconds, env=environ,
                                preexec_fn=lambda: confine(threads))
    except subprocess.TimeoutExpired:
        raise Failed(f"took more than {limit_seconds} s") from None
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or [f"exit status {result.returncode}"]
        raise Failed(next((line for line in lines if "rror" in line), lines[-1])[:200])
    return json.loads(result.stdout[result.stdout.index("{"):])


class Sporf:
    """Our own command."""

    def __init__(self, command):
        self.command = command
        if not Path(command).exists():
            raise environment.Missing(f"no {command}; run make")
        self.can_profile = "--profile" in self.output("train", "--help")

    def output(self, *arguments):
        return subprocess.run([self.command, *arguments], capture_output=True, text=True).stdout

    def train(self, job, model, *more, method="sporf"):
        folder = Path(job["folder"])
        density = ["--density", f"{job['nonzeros']}/p"] if method == "sporf" else []
        return run([self.command, "train", "--data", folder / "train.npy", "--label-file",
                    folder / "train-labels.npy", "--model", model, "--trees", job["trees"],
                    "--method", method, "--projections", job["d"], *density, "--threads",
                    job["threads"], "--seed", job["seed"], "--json", *more], job["threads"])

    def fit(self, job):
        folder = Path(job["folder"])
        with tempfile.TemporaryDirectory() as place:
            model = Path(place) / "model.sporf"
            trained = self.train(job, model)
            tested = run([self.command, "evaluate", "--model", model, "--data", folder / "test.npy",
                          "--label-file", folder / "test-labels.npy", "--json"], job["threads"])
        return {"version": self.output("--version").split()[-1], "seconds": trained["seconds"],
                "peak_bytes": trained["peak_memory_bytes"], "model_bytes": trained["model_bytes"],
                "mean_depth": trained["mean_depth"], "error": tested["error"]}

    def row_projections(self, job):
        """Rows times projections over all split nodes of a forest; None where not told."""
        if not self.can_profile:
            return None
        with tempfile.TemporaryDirectory() as place:
            trained = self.train(job, Path(place) / "model.sporf", "--profile")
        return trained.get("profile", {}).get("row_projections")


class Ranger:
    """The R package, as the distribution brings it."""

    def __init__(self):
        try:
            found = subprocess.run(["Rscript", "-e", "library(ranger)"], capture_output=True)
        except FileNotFoundError:
            raise environment.Missing("no Rscript; as root, tools/deps.sh bench installs it") from None
        if found.returncode != 0:
            raise environment.Missing("R has no package ranger; as root, tools/deps.sh bench installs it")

    def fit(self, job):
        return run(["Rscript", HERE / "fit_ranger.R", job["folder"], job["d"], job["trees"],
                    job["threads"], job["seed"]], job["threads"])


class PythonPeer:
    def __init__(self, name):
        self.name = name
        self.python = environment.python(name.split("-")[0] if "xgboost" in name else name)

    def fit(self, job):
        return run([self.python, "-W", "ignore", HERE / "fit_python.py", self.name, json.dumps(job)],
                   job["threads"])


def find(name, sporf_command):
    """The learner of that name. Raises environment.Missing."""
    if name == "sporf":
        return Sporf(sporf_command)
    return Ranger() if name == "ranger" else PythonPeer(name)
