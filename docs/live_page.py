"""mkdocs hook: writes the scoring page that docs/export.md embeds."""

from pathlib import Path
from typing import Any

from sklearn.datasets import load_iris

from suffice import BayesClassifier


def on_post_build(config: Any, **_: Any) -> None:
    """Write an HTML page with the default model of the iris data to the site."""
    iris = load_iris(as_frame=True)
    names = iris.target_names[iris.target]
    BayesClassifier().fit(iris.data, names).to_page(Path(config["site_dir"]) / "live-iris.html", "Iris")
