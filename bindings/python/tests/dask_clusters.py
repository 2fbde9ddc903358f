"""Clusters of Dask whose workers tests may kill, and tables in partitions."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
from distributed import Client, LocalCluster


class Cluster:
    """A scheduler, and workers that are processes which nobody starts again."""

    def __init__(self, **options):
        self.cluster = LocalCluster(n_workers=0, dashboard_address=":0", **options)
        self.client = Client(self.cluster, set_as_default=False)
        self.workers = []

    def add(self, count, *options):
        command = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny"]
        command += ["--no-dashboard", "--nthreads", "1", *options]
        for _ in range(count):
            process = subprocess.Popen(
                [*command, self.cluster.scheduler_address],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self.workers.append(process)
        self.wait()
        return self

    def wait(self):
        while len(self.client.scheduler_info()["workers"]) != len(self.workers):
            time.sleep(0.05)

    def bury(self):
        """Forgets workers that are dead."""
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        self.wait()

    def busy_with(self, task):
        """The process of a worker that has such a task, once there is one."""
        for _ in range(12000):
            for address, keys in self.client.processing().items():
                if any(str(key).startswith(task) for key in keys):
                    pid = self.client.run(os.getpid, workers=[address])[address]
                    return next(worker for worker in self.workers if worker.pid == pid)
            time.sleep(0.005)
        raise AssertionError(f"no worker has a task {task}")

    def grower(self):
        """That of one that grows trees."""
        return self.busy_with("sporf-trees")

    def close(self):
        for worker in self.workers:
            if worker.poll() is None:
                worker.send_signal(signal.SIGCONT)
                worker.kill()
            worker.wait()
        self.client.close()
        self.cluster.close()


@contextlib.contextmanager
def workers(count, *options):
    cluster = Cluster()
    try:
        yield cluster.add(count, *options)
    finally:
        cluster.close()


@contextlib.contextmanager
def growing_cluster():
    """A function that returns a client with as many workers as are wanted; processes of their
    own."""
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):

        def with_workers(count):
            if len(cluster.workers) != count:
                cluster.scale(count)
                while len(client.scheduler_info()["workers"]) != count:
                    time.sleep(0.05)
            return client

        yield with_workers


def later(function):
    """Runs a function in another thread; returns what to call for its result."""
    result = []

    def run():
        try:
            result.append(function())
        except BaseException as error:
            result.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def join(timeout):
        thread.join(timeout)
        assert not thread.is_alive(), "the training hangs"
        if isinstance(result[0], BaseException):
            raise result[0]
        return result[0]

    return join


def cut(values, sizes):
    ends = np.cumsum([0, *sizes])
    rows = values.iloc if hasattr(values, "iloc") else values
    return [rows[a:b] for a, b in pairwise(ends)]


def lazy(values, sizes):
    if values is None:
        return None
    pieces = cut(values, sizes)
    if isinstance(values, np.ndarray):
        return da.concatenate([da.from_array(p, chunks=(-1,) * p.ndim) for p in pieces])
    return dd.from_delayed([dask.delayed(p) for p in pieces], meta=values.iloc[:0])


def in_order(how, X, y, weights):
    """The rows, sorted by class if partitions are to be."""
    if how != "sorted":
        return X, y, weights
    order = np.argsort(np.asarray(y), kind="stable")
    return tuple(
        v if v is None else v.iloc[order] if hasattr(v, "iloc") else v[order]
        for v in (X, y, weights)
    )
