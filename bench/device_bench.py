#!/usr/bin/env python3
"""Compares training on a GPU, on 1 to 16 threads, and by other forests, in one run of some minutes.

Needs Python with numpy, and no network. Peers are measured where Python can import them: --wheels names
a folder of wheels, which are unpacked, not installed. The time is shared out to the parts, and in a part
to the fits. A fit has fewer trees where time is short; its seconds are then extrapolated by trees, and
the table says so. What takes too long has a lower bound, marked with >: a fit that was stopped, or one of
fewer rows, times the rows. Each fit is a process of its own; reading its table is not timed. Our time
includes the out-of-bag error, which the peers do not compute.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import fit_python
import machine
import numpy as np
import workloads

GPU = 0  # in place of a number of threads
MOST_THREADS = 16  # what the bars ask for
IMAGES, LABELS = "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"


class Failed(Exception):
    """A fit that came to nothing, with the reason."""


class Stopped(Exception):
    """A fit that would take or took too long. `seconds` is how long it trained, None if not known."""

    def __init__(self, reason="no time left", seconds=None):
        super().__init__(reason)
        self.seconds = seconds


# ---- tables --------------------------------------------------------------------------------------


def higgs_shaped(random, rows):
    """28 features as in the Higgs table: 11 skewed, 7 normal, 6 uniform and 4 with three values. The
    class is a noisy oblique rule; the noise makes forests err in more than a quarter of the rows."""
    skewed = random.standard_gamma(2.5, (rows, 11), dtype=np.float32) * np.float32(0.4)
    normal = random.standard_normal((rows, 7), dtype=np.float32).clip(-2.5, 2.5)
    uniform = (random.random((rows, 6), dtype=np.float32) - np.float32(0.5)) * np.float32(3.5)
    tags = random.integers(0, 3, (rows, 4)).astype(np.float32) * np.float32(1.0865)
    x = np.concatenate([skewed, normal, uniform, tags], axis=1)
    pair = x[:, 0] + x[:, 1] - x[:, 2] - x[:, 3]
    single = x[:, 4] - x[:, 5] + x[:, 11] - x[:, 12] + x[:, 18] + x[:, 24] - x[:, 25]
    noise = random.standard_normal(rows, dtype=np.float32) * np.float32(1.25)
    return x, np.abs(pair) + np.float32(0.5) * single + noise > np.float32(1.0)


def trunk(random, rows):
    return workloads.trunk(random, rows)


SIMULATED = {"higgs": (higgs_shaped, 28), "higgs11m": (higgs_shaped, 28), "trunk": (trunk, 50)}
BLOCK_ROWS = 100_000


def fill_block(job):
    """Makes a block of rows. It depends on its number alone, so larger tables begin like smaller ones."""
    path, name, block, start, stop = job
    make, features = SIMULATED[name]
    table = np.lib.format.open_memmap(path, mode="r+")
    x, y = make(np.random.default_rng([features, block]), stop - start)
    table[start:stop, :features], table[start:stop, features] = x, y


@dataclass(frozen=True)
class Table:
    data: str
    labels: str  # a file, or "" if the classes are the last column
    rows: int
    features: int

    def options(self):
        return ["--data", self.data, *(["--label-file", self.labels] if self.labels
                                       else ["--label", "last"])]

    def load(self):
        if self.labels:
            x, y = (workloads.read_idx(Path(path)) for path in (self.data, self.labels))
            return x[:self.rows], y[:self.rows, 0]
        table = np.load(self.data, mmap_mode="r")[:self.rows]
        return np.asfortranarray(table[:, :-1]), table[:, -1].astype(np.int32)


def simulate(folder, name, rows):
    path = folder / f"{name}.npy"
    features = SIMULATED[name][1]
    np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(rows, features + 1),
                              fortran_order=True).flush()
    jobs = [(path, name, block, start, min(start + BLOCK_ROWS, rows))
            for block, start in enumerate(range(0, rows, BLOCK_ROWS))]
    start = multiprocessing.get_context("spawn")  # a thread may read the GPU's watts: no fork
    with start.Pool(min(len(jobs), len(os.sched_getaffinity(0)))) as pool:
        pool.map(fill_block, jobs, chunksize=1)
    return Table(str(path), "", rows, features)


def write_idx(path, array):
    head = bytes([0, 0, 8, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape)
    path.write_bytes(gzip.compress(head + array.tobytes(), 1))
    return str(path)


def mnist(folder, given, small):
    if given is None or not all((given / name).exists() for name in (IMAGES, LABELS)):
        raise Failed(f"no {IMAGES} and {LABELS}: --mnist names their folder")
    if not small:
        return Table(str(given / IMAGES), str(given / LABELS), 60_000, 784)
    images, labels = workloads.read_idx(given / IMAGES)[:2000], workloads.read_idx(given / LABELS)[:2000]
    return Table(write_idx(folder / IMAGES, images.reshape(-1, 28, 28)),
                 write_idx(folder / LABELS, labels[:, 0]), 2000, 784)


# ---- what is measured ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """d candidates in a node, of `nonzeros` features on average; single features for rf."""

    d: int
    nonzeros: int
    method: str = "sporf"


@dataclass(frozen=True)
class Plan:
    """Fits of one learner. `share` is the part of the time, relative to the plans of the same part."""

    task: str
    learner: str
    threads: int
    trees: int
    share: float
    repeats: int = 1


TASKS = {"higgs": Setting(28, 3), "higgs11m": Setting(28, 3), "trunk": Setting(50, 3),
         "mnist-p": Setting(784, 3), "mnist-sqrt": Setting(28, 1), "rf": Setting(5, 1, "rf")}
# part: seconds of 300, the rows of its table (fewer with --small)
PARTS = {"higgs": (70, 1_000_000), "trunk": (60, 1_000_000), "mnist": (70, 60_000),
         "higgs11m": (65, 11_000_000), "rf": (35, 1_000_000)}
SMALL_ROWS = {"higgs": 20_000, "trunk": 20_000, "mnist": 2_000, "higgs11m": 60_000, "rf": 20_000}
SMALL_TREES = 8
QUARTER = 4  # a row of a larger table costs at least as much: its trees are deeper


def plans(part, most):
    """What the bars need comes first; what comes last may be left without time."""
    if part in ("higgs", "trunk"):
        trees = 100 if part == "higgs" else 64
        between = [threads for threads in (8, 4, 2) if threads < most]
        return [Plan(part, "sporf", GPU, trees, 8, 3), Plan(part, "sporf", 1, 64, 4),
                Plan(part, "sporf", most, 64, 10), Plan(part, "ydf", most, trees, 10),
                *(Plan(part, "sporf", threads, 64, 2) for threads in between)]
    if part == "mnist":
        return [Plan("mnist-p", "sporf", GPU, 500, 14), Plan("mnist-sqrt", "sporf", most, 100, 3, 3),
                Plan("mnist-sqrt", "scikit-learn", most, 100, 6, 3),
                Plan("mnist-sqrt", "sporf", GPU, 100, 3, 3), Plan("mnist-p", "sporf", 1, 500, 5),
                Plan("mnist-p", "sporf", most, 500, 8), Plan("mnist-p", "ydf", most, 500, 12)]
    if part == "higgs11m":
        return [Plan(part, "sporf", GPU, 100, 10), Plan(part, "sporf", most, 100, 6)]
    return [Plan(part, "sporf", GPU, 100, 3, 3), Plan(part, "sporf", most, 100, 3),
            Plan(part, "scikit-learn", most, 100, 5), Plan(part, "lightgbm", most, 100, 2)]


@dataclass(frozen=True)
class Bar:
    """At least `least` times as fast as another, or at most `most` seconds (for one tree or for all)."""

    task: str
    threads: int
    against: tuple = ()  # learner and threads
    least: float = 0
    most: float = 0
    per_tree: bool = False

    def text(self):
        who = where(self.threads)
        if not self.against:
            return f"{who} at most {self.most} s{' a tree' if self.per_tree else ''}"
        return f"{who} at least {self.least}x {self.against[0]} on {where(self.against[1])}"


def gpu_bars(task, seconds):
    return [Bar(task, GPU, most=seconds), Bar(task, GPU, ("sporf", MOST_THREADS), 15),
            Bar(task, GPU, ("ydf", MOST_THREADS), 100)]


BARS = [Bar("higgs", MOST_THREADS, ("sporf", 1), 13), Bar("trunk", MOST_THREADS, ("sporf", 1), 13),
        *(Bar(task, MOST_THREADS, ("ydf", MOST_THREADS), 7) for task in ("higgs", "trunk", "mnist-p")),
        Bar("mnist-sqrt", MOST_THREADS, ("scikit-learn", MOST_THREADS), 3),
        Bar("mnist-p", 1, most=3.0, per_tree=True),
        *gpu_bars("higgs", 1.5), *gpu_bars("higgs11m", 20), *gpu_bars("mnist-p", 12)]


# ---- one fit -------------------------------------------------------------------------------------


@dataclass
class Fit:
    trees: int
    seconds: float  # of training
    wall: float  # of the whole process
    began: float
    error: float | None = None


def run(command, limit, environ=None):
    """What a command printed, its Fit without what it says itself, and what it wrote as errors."""
    if limit < 1:
        raise Stopped
    began = time.time()
    try:
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                                timeout=limit, env=environ)
    except subprocess.TimeoutExpired as stopped:
        # A peer's process prints when it begins to train.
        starts = [line for line in (stopped.stdout or b"").splitlines() if line.startswith(b'{"start"')]
        trained = time.time() - json.loads(starts[0])["start"] if starts else None
        raise Stopped(f"stopped after {limit:.0f} s", trained) from None
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or [f"exit status {result.returncode}"]
        raise Failed(lines[-1][:200])
    return result.stdout, result.stderr, Fit(0, 0, time.time() - began, began)


class Sporf:
    """Our own command."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        try:
            self.has_devices = "--device" in run([command, "train", "--help"], 10)[0]
        except (OSError, Failed) as reason:
            sys.exit(f"bench/device_bench.py: cannot run {command}: {reason}")

    def device(self, threads):
        if threads == GPU:
            if not self.has_devices:
                raise Failed("the command has no --device")
            return ["--device", "gpu"]
        return ["--threads", threads, *(["--device", "cpu"] if self.has_devices else [])]

    def fit(self, table, setting, threads, trees, limit):
        density = ["--density", f"{setting.nonzeros}/p"] if setting.method == "sporf" else []
        model = self.folder / "model.sporf"
        try:
            printed, errors, fit = run(
                [self.command, "train", *table.options(), "--model", model, "--trees", trees,
                 "--method", setting.method, "--projections", setting.d, *density, "--min-leaf", 1,
                 "--scale", "none", "--calibration", "none", "--seed", 1, "--json",
                 *self.device(threads)], limit)
        finally:
            for left in self.folder.glob("model.sporf*"):
                left.unlink()
        told = json.loads(printed)
        if threads == GPU and "CPU" in errors + json.dumps(told.get("notes", [])):
            raise Failed(f"not on the GPU: {errors.strip() or told['notes']}"[:200])
        fit.trees, fit.seconds, fit.error = told["trees"], told["seconds"], told["oob_error"]
        return fit


def lightgbm(job, x, y):
    """Its random forest. It stops at 131,072 leaves and cannot draw rows with replacement."""
    import lightgbm as lgb

    settings = {"objective": "binary", "boosting": "rf", "num_leaves": 131_072, "max_depth": -1,
                "histogram_pool_size": 8192, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0,
                "bagging_fraction": 0.632, "bagging_freq": 1,
                "feature_fraction_bynode": job["d"] / x.shape[1], "num_threads": job["threads"],
                "seed": job["seed"], "verbose": -1}
    table = lgb.Dataset(x, y, params=settings).construct()
    return lambda: lgb.train(settings, table, num_boost_round=job["trees"]), None


PEERS = {"scikit-learn": fit_python.scikit_learn, "ydf": fit_python.ydf, "lightgbm": lightgbm}
SLOW = ("ydf",)  # tried on a quarter of the rows first
ONE_AFTER_ANOTHER = ("lightgbm",)  # all threads work at one tree


def fit_here(job):
    """In a process of its own: fits a peer. Conversions that belong to reading come before."""
    x, y = Table(**job["table"]).load()
    fit, _ = PEERS[job["learner"]](job, x, y)
    print(json.dumps({"start": time.time()}), flush=True)
    start = time.perf_counter()
    fit()
    print(json.dumps({"seconds": time.perf_counter() - start}), flush=True)


class Peer:
    def __init__(self, learner, python, wheels):
        self.learner, self.python = learner, python
        path = [*([str(wheels)] if wheels else []), os.environ.get("PYTHONPATH", "")]
        self.environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}

    def fit(self, table, setting, threads, trees, limit):
        job = {"learner": self.learner, "table": asdict(table), "d": setting.d, "trees": trees,
               "nonzeros": setting.nonzeros, "threads": threads, "seed": 1}
        printed, _, fit = run([self.python, "-W", "ignore", __file__, "--fit", json.dumps(job)],
                              limit, {**self.environ, "OMP_NUM_THREADS": str(threads)})
        fit.trees, fit.seconds = trees, json.loads(printed.strip().splitlines()[-1])["seconds"]
        return fit


def unpack(wheels, folder):
    """A folder that Python can import from. Nothing is installed."""
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    return folder


# ---- several fits --------------------------------------------------------------------------------


@dataclass
class Result:
    """Seconds are those of `trees` trees: the median of the runs, extrapolated if they had fewer."""

    task: str
    learner: str
    threads: int
    trees: int
    fitted_trees: int = 0
    seconds: float | None = None
    at_least: bool = False  # the seconds are a lower bound
    runs: list = field(default_factory=list)
    oob_error: float | None = None
    note: str = ""
    watts: float | None = None
    joules_100_trees: float | None = None

    def per_tree(self):
        return self.seconds / self.trees

    def bound(self, seconds, trees, note):
        """So many trees take at least these seconds. Of several bounds the highest is kept."""
        if self.seconds is None or seconds / trees > self.per_tree():
            self.seconds, self.fitted_trees = seconds * self.trees / trees, trees
            self.at_least, self.note = True, note


def whole_waves(wanted, wave, seconds, wave_seconds):
    """As many trees, in waves of one tree for each thread, as are likely to be grown in the time."""
    return min(wanted, max(1, int(0.8 * seconds / wave_seconds)) * wave)


def repeat(fit, wanted, wave, seconds, repeats, wave_seconds=None):
    """Fits of as many trees as possible. Unless it is known how long a wave takes, one wave shows it."""
    if wave_seconds and wave_seconds > seconds:
        raise Stopped(f"not run: {wave} trees would take about {wave_seconds:.0f} s")
    end = time.monotonic() + seconds
    trees = whole_waves(wanted, wave, seconds, wave_seconds) if wave_seconds else min(wanted, wave)
    fits = [fit(trees, seconds)]
    while True:
        last, left = fits[-1], end - time.monotonic()
        more = whole_waves(wanted, wave, left - (last.wall - last.seconds),
                           last.seconds * wave / last.trees)
        if more > trees:
            trees = more
        elif len(fits) >= repeats or left < 1.3 * last.wall:
            return fits
        try:
            another = fit(trees, left)
        except Stopped:
            return fits
        fits = [*(known for known in fits if known.trees == another.trees), another]


class Power:
    """Watts of the GPU, every tenth of a second while nvidia-smi runs."""

    def __init__(self):
        self.samples = []
        try:
            self.process = subprocess.Popen(
                ["nvidia-smi", "-i", "0", "--query-gpu=power.draw", "--format=csv,noheader,nounits",
                 "-lms", "100"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        except OSError:
            self.process = None
            return
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        time.sleep(1.5)
        self.idle = statistics.mean(watts for _, watts in self.samples) if self.samples else None

    def read(self):
        for line in self.process.stdout:
            try:
                self.samples.append((time.time(), float(line)))
            except ValueError:
                pass

    def watts(self, fit):
        """The mean while training. Readings are means of about a second, so the sum goes on for a second
        after the process; what the GPU takes at rest while files are read and written is subtracted."""
        if self.process is None or self.idle is None:
            return None
        until = fit.began + fit.wall + 1.2
        time.sleep(max(0, until - time.time()))
        inside = [watts for when, watts in list(self.samples) if fit.began <= when <= until]
        if not inside or fit.seconds <= 0:
            return None
        length = until - fit.began
        joules = statistics.mean(inside) * length - self.idle * (length - fit.seconds)
        return joules / fit.seconds

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait()


class Bench:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.most = given.threads
        self.results, self.skipped, self.tables = [], [], {}
        self.sporf = Sporf(given.sporf, folder)
        wheels = unpack(given.wheels, folder / "wheels") if given.wheels else None
        self.peers = {name: Peer(name, given.python, wheels) for name in PEERS}
        self.power = Power() if self.sporf.has_devices else None
        self.about = {**machine.describe(given.sporf), "threads": self.most, "small": given.small,
                      "gpu": machine.output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")}

    def rows(self, part):
        return SMALL_ROWS[part] if self.given.small else PARTS[part][1]

    def table(self, part):
        name = "higgs" if part == "rf" else part
        if name not in self.tables:
            self.tables[name] = (mnist(self.folder, self.given.mnist, self.given.small)
                                 if name == "mnist" else simulate(self.folder, name, self.rows(part)))
        return self.tables[name]

    def find(self, task, learner, threads):
        """The result, or None where nothing was measured."""
        for result in self.results:
            if (result.task, result.learner, result.threads) == (task, learner, threads):
                return result if result.seconds is not None else None
        return None

    def wave_seconds(self, plan):
        """Guessed from what is known: a thread needs longer for a tree if all of them work, and more
        than eleven times as long for eleven times as many rows."""
        if plan.learner != "sporf" or plan.threads == GPU:
            return None
        for threads, more in ((self.most, 1), (1, 1.3)):
            known = self.find(plan.task, "sporf", threads)
            if known is not None:
                return known.per_tree() * threads * more
        known = self.find("higgs", "sporf", self.most) if plan.task == "higgs11m" else None
        times = self.rows("higgs11m") / self.rows("higgs")
        return None if known is None else known.per_tree() * self.most * times * 1.3

    def measure(self, plan, table, seconds):
        learner = self.sporf if plan.learner == "sporf" else self.peers[plan.learner]
        wanted = min(plan.trees, SMALL_TREES) if self.given.small else plan.trees
        wave = (wanted if plan.threads == GPU else 1 if plan.learner in ONE_AFTER_ANOTHER
                else plan.threads)
        least = min(wave, wanted)
        result = Result(plan.task, plan.learner, plan.threads, wanted)

        def fit(trees, limit, rows=table):
            return learner.fit(rows, TASKS[plan.task], plan.threads, trees, limit)

        end = time.monotonic() + seconds
        guess = self.wave_seconds(plan)
        part_of = QUARTER if plan.learner in SLOW else 1
        try:
            if part_of > 1:
                trial = fit(least, seconds, replace(table, rows=table.rows // QUARTER))
                result.bound(QUARTER * trial.seconds, least,
                             f"1/{QUARTER} of the rows took {trial.seconds:.1f} s for {count(least)}")
                guess, part_of = 1.2 * QUARTER * trial.seconds, 1
            self.fill(result, repeat(fit, wanted, wave, end - time.monotonic(), plan.repeats, guess))
        except Stopped as reason:
            if reason.seconds is not None:
                rows = f" of 1/{part_of} of the rows" if part_of > 1 else ""
                result.bound(part_of * reason.seconds, least,
                             f"{count(least)}{rows} not done after {reason.seconds:.1f} s")
            result.note = result.note or str(reason)
        except Failed as reason:
            result.note = str(reason)
        return result

    def fill(self, result, fits):
        result.runs, result.at_least, result.note = [fit.seconds for fit in fits], False, ""
        result.fitted_trees, result.oob_error = fits[0].trees, fits[0].error
        result.seconds = statistics.median(result.runs) * result.trees / result.fitted_trees
        if result.threads == GPU and self.power:
            measured = [watts for watts in map(self.power.watts, fits) if watts is not None]
            result.watts = statistics.median(measured) if measured else None
        elif result.learner == "sporf" and result.threads == self.most and self.given.cpu_watts:
            result.watts = self.given.cpu_watts
        if result.watts is not None:
            result.joules_100_trees = result.watts * result.per_tree() * 100

    def run_part(self, part, seconds):
        end = time.monotonic() + seconds
        started = time.monotonic()
        try:
            table = self.table(part)
        except Failed as reason:
            self.skipped.append(f"{part}: {reason}")
            print(self.skipped[-1], flush=True)
            return
        print(f"{part}: {table.rows} rows, {table.features} features, table ready after "
              f"{time.monotonic() - started:.1f} s, {seconds:.0f} s for this part", flush=True)
        todo = plans(part, self.most)
        for number, plan in enumerate(todo):
            share = plan.share / sum(later.share for later in todo[number:])
            result = self.measure(plan, table, (end - time.monotonic()) * share)
            self.results.append(result)
            print(" ", *cells(result)[1:], flush=True)
            self.store()
        if part == "higgs11m":
            self.add_from_smaller(table)
        if part in ("mnist", "higgs11m", "trunk"):
            self.drop(part, table)

    def add_from_smaller(self, table):
        """Lower bounds where 11 million rows take too long."""
        for learner in ("sporf", "ydf"):
            small = self.find("higgs", learner, self.most)
            if small is None or self.find("higgs11m", learner, self.most) is not None:
                continue
            self.results = [known for known in self.results if (known.task, known.learner, known.threads)
                            != ("higgs11m", learner, self.most)]
            trees = SMALL_TREES if self.given.small else 100
            times = table.rows / self.rows("higgs")
            result = Result("higgs11m", learner, self.most, trees)
            result.bound(small.per_tree() * times, 1, f"not run: {times:g} times the time of higgs")
            self.results.append(result)

    def drop(self, part, table):
        if Path(table.data).parent == self.folder:
            Path(table.data).unlink()
        del self.tables[part]

    def store(self):
        report = {"machine": self.about, "results": [asdict(result) for result in self.results],
                  "bars": [{"task": bar.task, "bar": bar.text(), **judge(self, bar)} for bar in BARS],
                  "skipped": self.skipped,
                  "gpu_idle_watts": getattr(self.power, "idle", None),
                  "cpu_watts": self.given.cpu_watts}
        self.given.json.write_text(json.dumps(report, indent=1) + "\n")


# ---- the report ----------------------------------------------------------------------------------


def count(number, noun="tree"):
    return f"{number} {noun}{'s' if number > 1 else ''}"


def where(threads):
    return "GPU" if threads == GPU else count(threads, "thread")


def judge(bench, bar):
    """The value and whether the bar is cleared. Bounds can clear a bar but not miss it."""
    ours = bench.find(bar.task, "sporf", bar.threads)
    other = bench.find(bar.task, *bar.against) if bar.against else ours
    if ours is None or other is None:
        return {"value": None, "verdict": "not measured"}
    if not bar.against:
        value = ours.per_tree() if bar.per_tree else ours.seconds
        met, bound = value <= bar.most, ours.at_least
        verdict = "missed" if not met else "not decided" if bound else "met"
    else:
        value = other.per_tree() / ours.per_tree()
        met, bound = value >= bar.least, other.at_least
        verdict = ("not decided" if ours.at_least else "met" if met
                   else "not decided" if bound else "missed")
    if bench.given.small:
        verdict = "not judged: small"
    return {"value": value, "at_least": bound, "verdict": verdict,
            "extrapolated": any(one.fitted_trees != one.trees for one in (ours, other))}


def cells(result):
    if result.seconds is None:
        return [result.task, result.learner, where(result.threads), str(result.trees), "-", "-", "-", "-",
                result.note]
    sign = ">" if result.at_least else ""
    notes = [result.note] if result.note else []
    if result.fitted_trees != result.trees and not result.at_least:
        notes.append(f"extrapolated from {count(result.fitted_trees)}")
    if len(result.runs) > 1:
        notes.append(f"median of {len(result.runs)}: {min(result.runs):.3g} to {max(result.runs):.3g}")
    return [result.task, result.learner, where(result.threads), str(result.trees),
            f"{sign}{result.seconds:.2f}", f"{sign}{result.per_tree():.4f}",
            "-" if result.oob_error is None else f"{result.oob_error:.4f}",
            "-" if result.joules_100_trees is None
            else f"{result.watts:.0f} W, {result.joules_100_trees:.0f} J", "; ".join(notes)]


def aligned(head, rows):
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
                     for row in [head, *rows])


def bar_cells(bench, bar):
    known = judge(bench, bar)
    value = "-"
    if known["value"] is not None:
        unit = "x" if bar.against else " s"
        value = f"{'>' if known['at_least'] else ''}{known['value']:.2f}{unit}"
    marks = " (extrapolated)" if known.get("extrapolated") else ""
    return [bar.task, bar.text(), value, known["verdict"] + marks]


def report(bench):
    order = {task: number for number, task in enumerate(TASKS)}
    rows = sorted(bench.results, key=lambda one: (order[one.task], one.learner != "sporf", one.learner,
                                                  one.threads))
    lines = [", ".join(f"{key} {value}" for key, value in bench.about.items()), *bench.skipped, "",
             aligned(["task", "learner", "on", "trees", "seconds", "s/tree", "oob error",
                      "watts, joules/100 trees", ""], [cells(row) for row in rows]), "",
             aligned(["task", "bar", "value", ""], [bar_cells(bench, bar) for bar in BARS])]
    if bench.power and getattr(bench.power, "idle", None):
        lines.append(f"\nThe GPU took {bench.power.idle:.0f} W before the first fit.")
    if bench.given.cpu_watts:
        lines.append(f"\nJoules of the CPU are an estimate: {bench.given.cpu_watts:g} W, its thermal design "
                     "power, times seconds.")
    return "\n".join(lines)


def arguments():
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sporf", default=str(workloads.ROOT / "build" / "sporf"), metavar="COMMAND",
                        help="the command to measure; build/sporf if not given")
    parser.add_argument("--parts", default=",".join(PARTS), metavar="LIST",
                        help="what to measure, separated by commas: all if not given, " + ", ".join(PARTS))
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS",
                        help="for all parts together; shared out as 70:60:70:65:35 [300]")
    parser.add_argument("--threads", type=int, default=min(MOST_THREADS, cores), metavar="N",
                        help=f"most threads; the bars need {MOST_THREADS} [cores, at most {MOST_THREADS}]")
    parser.add_argument("--mnist", type=Path, metavar="FOLDER", help=f"the folder of {IMAGES} and {LABELS}")
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help="wheels of peers, such as YDF")
    parser.add_argument("--python", default=sys.executable, metavar="COMMAND",
                        help="the Python of the peers; the one that runs this script if not given")
    parser.add_argument("--cpu-watts", type=float, metavar="W",
                        help="thermal design power of the processor, for an estimate of its energy")
    parser.add_argument("--work", type=Path, metavar="FOLDER",
                        help="where a temporary folder of up to 8 GB is made")
    parser.add_argument("--json", type=Path, default=Path("device_bench.json"), metavar="FILE",
                        help="results, written after every fit [device_bench.json]")
    parser.add_argument("--small", action="store_true", help="small tables and forests, to test this script")
    parser.add_argument("--fit", metavar="JOB", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.parts = [part for part in PARTS if part in given.parts.split(",")] or parser.error("no such part")
    return given


def main():
    given = arguments()
    if given.fit:
        fit_here(json.loads(given.fit))
        return 0
    with tempfile.TemporaryDirectory(dir=given.work) as folder:
        bench = Bench(given, Path(folder))
        end = time.monotonic() + given.limit
        try:
            for number, part in enumerate(given.parts):
                share = PARTS[part][0] / sum(PARTS[later][0] for later in given.parts[number:])
                bench.run_part(part, (end - time.monotonic()) * share)
        finally:
            if bench.power:
                bench.power.stop()
            bench.store()
        print("\n" + report(bench))
    return 0


if __name__ == "__main__":
    sys.exit(main())
