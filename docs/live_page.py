"""The page of docs/export.md that scores rows, made anew with the site: a hook of mkdocs."""

from pathlib import Path
from typing import Any

from sklearn.datasets import load_iris

from suffice import BayesClassifier


def on_post_build(config: Any, **_: Any) -> None:
    """A page of the default model of the iris data beside the others."""
    iris = load_iris(as_frame=True)
    names = iris.target_names[iris.target]
    BayesClassifier().fit(iris.data, names).to_page(Path(config["site_dir"]) / "live-iris.html", "Iris")
