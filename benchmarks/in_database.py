"""The additive default as a query in DuckDB, beside predict_proba."""

import numpy as np

from benchmarks.data import data_folder
from benchmarks.race import race
from suffice import BayesClassifier

ROWS = 40_000


def in_database() -> None:
    """The first rows of adult in one thread; both posteriors agree to 1e-9."""
    import duckdb
    import pandas as pd

    folder = data_folder()
    if folder is None:
        print("in the database: no data set adult")
        return
    rows = pd.read_csv(folder / "adult" / "data.csv.gz")
    x, y = rows.drop(columns=["label", "split"]), rows["label"]
    model = BayesClassifier(model="additive", n_jobs=1).fit(x, y)
    x = x.iloc[:ROWS]
    query = model.to_sql("duckdb", "adult", keep=["id"])
    with duckdb.connect() as database:
        database.execute("SET threads = 1")
        database.register("given", x.assign(id=np.arange(ROWS)))
        database.execute("CREATE TABLE adult AS SELECT * FROM given")
        there = database.sql(query).order("id").to_arrow_table()
        found = np.stack([there.column(f"p({label})").to_numpy() for label in model.classes_], axis=1)
        error = float(np.abs(found - model.predict_proba(x)).max())
        assert error <= 1e-9, error
        what = f"adult, {ROWS:,} rows: predict_proba | {len(query) / 1e3:.0f} KB of SQL"
        race(what, lambda: model.predict_proba(x), lambda: database.sql(query).to_arrow_table())
        print(f"{'':58s} largest difference {error:.1e}")
