#!/usr/bin/env python3
"""Makes the paper's figures and tables again: all of them, or those that are named.

Results go to build/paper/MODE, as CSV and SVG. What is finished is kept: a run that was ended, by
Ctrl-C or otherwise, goes on where it stopped.
"""

import argparse
import importlib
import os
import sys
import time
import traceback
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

from context import ROOT, Context, Skipped, results_folder  # noqa: E402
from modes import MODES  # noqa: E402
from work import clock  # noqa: E402

FIGURES = (
    "consistency",
    "error_vs_n",
    "lambda_sensitivity",
    "importance_trunk",
    "uci",
    "untuned",
    "default_hyperparameters",
    "noise_dimensions",
    "training_time",
    "strong_scaling",
    "prediction_times",
    "strength_correlation",
    "bias_variance",
)


def read_arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="which; all if none is named")
    modes = parser.add_mutually_exclusive_group()
    for name, words_for_it in (
        ("smoke", "tiny settings, to see that everything runs"),
        ("quick", "some minutes on two cores (the default)"),
        ("long", "all sets and sizes, but fewer trees to compare costly settings: hours"),
        ("full", "the paper's own settings: days on two cores"),
    ):
        modes.add_argument(f"--{name}", dest="mode", action="store_const", const=name,
                           default="quick", help=words_for_it)  # fmt: skip
    parser.add_argument("--folder", type=Path, help="where to leave results: build/paper/MODE")
    parser.add_argument(
        "--draw", action="store_true", help="draw what is finished, and do no further work"
    )
    parser.add_argument("--list", action="store_true", help="name the figures and end")
    arguments = parser.parse_args(words)
    unknown = set(arguments.figures) - set(FIGURES)
    if unknown:
        parser.error(f"no figure {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}")
    return arguments


def make(name: str, context: Context) -> str:
    """One figure; returns what became of it."""
    start = time.monotonic()
    try:
        importlib.import_module(f"{name}.run").run(context)
    except Skipped as reason:
        return f"skipped: {reason}"
    except Exception:
        traceback.print_exc()
        return "FAILED"
    if context.missing:
        return f"drawn; {context.progress()}"
    return f"done in {clock(time.monotonic() - start)}"


def main() -> int:
    arguments = read_arguments()
    if arguments.list:
        print("\n".join(FIGURES), flush=True)
        return 0
    start = time.monotonic()
    folder = arguments.folder or results_folder(arguments.mode)
    failed = 0
    for name in arguments.figures or FIGURES:
        context = Context(name, MODES[arguments.mode], folder, arguments.draw)
        answer = make(name, context)
        failed += answer == "FAILED"
        print(f"{name}: {answer}", flush=True)
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    print(f"results are in {shown}, after {clock(time.monotonic() - start)}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nended; what was finished is kept, run it again to go on", file=sys.stderr)
        os._exit(130)
    except BrokenPipeError:  # whoever read our output has gone
        os._exit(1)
