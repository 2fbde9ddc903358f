"""Draws the pictures of docs/python.md and docs/tutorial.md: pictures.py [FOLDER], else docs/."""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

import sporf

# Text stays text, and the same picture is the same file.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "sporf", "font.size": 9})

RANDOM_FOREST = {"projection": "rf", "max_features": "sqrt"}
OBLIQUE = {"max_features": "p", "scale": "sd"}


def boundaries():
    """A band across two features, which single features can only draw as stairs."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-1, 1, (300, 2))
    y = np.where(np.abs(X[:, 0] - X[:, 1]) < 0.5, "inside", "outside")
    figure, both = plt.subplots(1, 2, figsize=(7.6, 3.6), sharey=True, layout="constrained")
    for ax, title, parameters in zip(
        both,
        ("random forest", "sporf"),
        (RANDOM_FOREST, {"max_features": "2p", "feature_combinations": 1.5}),
        strict=True,
    ):
        forest = sporf.SporfClassifier(200, random_state=1, **parameters).fit(X, y)
        sporf.plot_boundary(forest, X, y, ax=ax)
        ax.set_title(title)
        ax.set_aspect("equal")
    both[1].set_ylabel("")
    both[1].get_legend().remove()
    return figure


def tree():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = [name.removesuffix(" (cm)") for name in X.columns]
    y = y.map(dict(enumerate(load_iris().target_names)))
    forest = sporf.SporfClassifier(1, feature_combinations=2, random_state=6).fit(X, y)
    ax = plt.subplots(figsize=(8.4, 4.8), layout="constrained")[1]
    return sporf.plot_tree(forest, max_depth=3, ax=ax).figure


def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X, y.map({0: "malignant", 1: "benign"})


def importance():
    forest = sporf.SporfClassifier(300, n_jobs=-1, random_state=0, **OBLIQUE).fit(*cancer())
    figure, (above, below) = plt.subplots(2, 1, figsize=(7.2, 5.6), layout="constrained")
    figure.get_layout_engine().set(rect=(0.03, 0, 0.97, 1))  # room for browsers with wider fonts
    sporf.plot_importance(forest, 10, ax=above)
    sporf.plot_importance(forest, 10, kind="projections", ax=below)
    above.set(title="features", xlabel="")
    below.set_title("projections")
    return figure


def oob():
    ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")[1]
    for name, parameters in (("random forest", RANDOM_FOREST), ("sporf", OBLIQUE)):
        forest = sporf.SporfClassifier(500, n_jobs=-1, random_state=0, **parameters)
        sporf.plot_oob(forest.fit(*cancer()), label=name, ax=ax)
    ax.set_ylim(0, 0.1)
    return ax.figure


def dependence():
    """The progress of diabetes, with sex as a category: its levels are numbers in the table."""
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    X["sex"] = X["sex"].map("{:g}".format).astype("category")
    forest = sporf.SporfRegressor(200, n_jobs=-1, random_state=0).fit(X, y)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.6, 3.2), layout="constrained")
    sporf.plot_dependence(
        forest, X, "bmi", kind="individual", sample=40, ax=left, grid_resolution=40
    )
    sporf.plot_dependence(forest, X, "sex", ax=middle)
    sporf.plot_dependence(forest, X, ["bmi", "bp"], ax=right)
    return figure


def main():
    root = Path(__file__).resolve().parents[3]
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "docs"
    for draw in (boundaries, tree, importance, oob, dependence):
        figure = draw()
        figure.savefig(folder / f"python-{draw.__name__}.svg", metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    main()
