"""What a database computes beside what the model answers."""

import numpy as np
import pyarrow as pa


def answers(model, table: pa.Table, database, name="rows", **options) -> list[dict]:
    """The rows of the query, in the order of the table."""
    numbered = table.append_column("row id", pa.array(range(len(table)), pa.int64()))
    query = model.to_sql(database.dialect, name, keep=["row id"], **options)
    return sorted(database.answers(numbered, query, name), key=lambda row: int(row["row id"]))


def column(found: list[dict], name: str) -> np.ndarray:
    return np.array([float(row[name]) for row in found])


def as_table(x: np.ndarray) -> pa.Table:
    names = [str(j) for j in range(x.shape[1])]
    return pa.table([pa.array(column, from_pandas=True) for column in x.T], names)


def check_same(model, table: pa.Table, database, x=None, name="rows", **options):
    """Probabilities and log joints to 1e-9, and the same class."""
    found = answers(model, table, database, name, **options)
    x = table if x is None else x
    p, joint = model.predict_proba(x), model.model_.log_joint(model._open(x, reset=False))
    for c, label in enumerate(model.classes_):
        np.testing.assert_allclose(column(found, f"p({label})"), p[:, c], rtol=0, atol=1e-9)
        np.testing.assert_allclose(column(found, f"log_joint({label})"), joint[:, c], rtol=1e-9, atol=1e-9)
    best = np.sort(p, axis=1)[:, ::-1]
    clear = best[:, 0] - best[:, 1] > 1e-9 if p.shape[1] > 1 else np.ones(len(p), bool)
    words = {"t": "True", "f": "False", "1": "True", "0": "False"} if model.classes_.dtype == bool else {}
    predicted = [words.get(str(row["predicted"]), str(row["predicted"])) for row in found]
    assert [a for a, sure in zip(predicted, clear, strict=True) if sure] == [
        str(v) for v in model.predict(x)[clear].tolist()
    ]
