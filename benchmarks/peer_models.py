"""The peers of the default on tables, as their users would call them: their own defaults, categories as categories.

A package is imported when its model is constructed, before timing starts: a benchmark of one peer does not load the others.
"""

from typing import Any, Protocol

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from suffice.numerics.arrays import AnyArray, FloatArray

VALIDATION, MOST_TREES, PATIENCE = 0.15, 2_000, 50


class Peer(Protocol):
    classes_: AnyArray

    def fit(self, rows: pd.DataFrame, y: AnyArray) -> "Peer": ...

    def predict_proba(self, rows: pd.DataFrame) -> FloatArray: ...


def categories(rows: pd.DataFrame) -> list[Any]:
    """The columns that are not numbers."""
    return [c for c in rows if rows[c].dtype.kind not in "fi"]


def filled(rows: pd.DataFrame) -> pd.DataFrame:
    """Missing categories as a separate level; missing numbers stay missing."""
    return rows.assign(**{c: rows[c].astype(object).where(rows[c].notna(), "(missing)") for c in categories(rows)})


class LightGBM:
    """``LGBMClassifier``, on all cores by default."""

    def __init__(self, **settings: Any) -> None:
        from lightgbm import LGBMClassifier

        self.model = LGBMClassifier(verbose=-1, **settings)

    def fit(self, rows: pd.DataFrame, y: AnyArray) -> "LightGBM":
        self.levels = {c: sorted(set(rows[c].dropna())) for c in categories(rows)}
        self._fit(self._typed(rows), y)
        self.classes_: AnyArray = self.model.classes_
        return self

    def predict_proba(self, rows: pd.DataFrame) -> FloatArray:
        return np.asarray(self.model.predict_proba(self._typed(rows)), dtype=np.float64)

    def _fit(self, rows: pd.DataFrame, y: AnyArray) -> None:
        self.model.fit(rows, y)

    def _typed(self, rows: pd.DataFrame) -> pd.DataFrame:
        typed = rows.rename(columns={c: f"x{i}" for i, c in enumerate(rows)})  # it rejects some names
        for i, c in enumerate(rows):
            if c in self.levels:
                typed[f"x{i}"] = pd.Categorical(rows[c], categories=self.levels[c])
        return typed


class EarlyStoppedLightGBM(LightGBM):
    """Early stopping on a validation part of the training rows; not refitted with that part."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(n_estimators=MOST_TREES, **settings)

    def _fit(self, rows: pd.DataFrame, y: AnyArray) -> None:
        from lightgbm import early_stopping

        train, held, y_train, y_held = train_test_split(rows, y, test_size=VALIDATION, random_state=0, stratify=y)
        stop = early_stopping(PATIENCE, verbose=False)
        self.model.fit(train, y_train, eval_set=[(held, y_held)], callbacks=[stop])  # eval_y of 4.7 takes no names


class CatBoost:
    """``CatBoostClassifier`` with one thread; a missing category is a level."""

    def __init__(self) -> None:
        from catboost import CatBoostClassifier

        self.model = CatBoostClassifier(thread_count=1, verbose=False, allow_writing_files=False)

    def fit(self, rows: pd.DataFrame, y: AnyArray) -> "CatBoost":
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.model.fit(filled(rows), codes, cat_features=categories(rows))
        return self

    def predict_proba(self, rows: pd.DataFrame) -> FloatArray:
        return np.asarray(self.model.predict_proba(filled(rows), thread_count=1), dtype=np.float64)


class EBM:
    """``ExplainableBoostingClassifier`` with one process; categories are nominal."""

    def __init__(self) -> None:
        from interpret.glassbox import ExplainableBoostingClassifier

        self.model = ExplainableBoostingClassifier(n_jobs=1)

    def fit(self, rows: pd.DataFrame, y: AnyArray) -> "EBM":
        nominal = set(categories(rows))
        self.model.set_params(feature_types=["nominal" if c in nominal else "continuous" for c in rows])
        self.model.fit(filled(rows), y)
        self.classes_: AnyArray = self.model.classes_
        return self

    def predict_proba(self, rows: pd.DataFrame) -> FloatArray:
        return np.asarray(self.model.predict_proba(filled(rows)), dtype=np.float64)


class Prepared:
    """A scikit-learn model after median-imputed, standardised numbers and one-hot categories."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, rows: pd.DataFrame, y: AnyArray) -> "Prepared":
        named = categories(rows)
        numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
        levels = OneHotEncoder(handle_unknown="ignore")
        columns = make_column_transformer((numbers, [c for c in rows if c not in named]), (levels, named))
        self.pipeline = make_pipeline(columns, self.model).fit(filled(rows), y)
        self.classes_: AnyArray = self.model.classes_
        return self

    def predict_proba(self, rows: pd.DataFrame) -> FloatArray:
        return np.asarray(self.pipeline.predict_proba(filled(rows)), dtype=np.float64)


def forest() -> Prepared:
    return Prepared(RandomForestClassifier(n_jobs=1, random_state=0))


def logistic() -> Prepared:
    return Prepared(LogisticRegression(max_iter=1_000))
