"""Print every race, or the named ones."""

import sys

import sklearn

import suffice
from benchmarks import (
    command_line,
    decision,
    discriminant_analysis,
    documents,
    explain,
    files,
    folds,
    in_database,
    linear_model,
    naive_bayes,
    persist,
    spark,
    table_default,
    text,
)
from suffice.numerics.threads import thread_count

PARTS = {
    "gaussian": naive_bayes.gaussian,
    "categorical": naive_bayes.categorical,
    "sparse": naive_bayes.sparse,
    "rows": naive_bayes.one_row,
    "wide": naive_bayes.wide,
    "discriminants": discriminant_analysis.discriminants,
    "voxels": discriminant_analysis.voxels,
    "folds": folds.folds,
    "default": table_default.default_table,
    "explain": explain.explanations,
    "decision": decision.least_risk,
    "logistic": linear_model.logistic,
    "logistic-text": linear_model.text,
    "text": text.vectorizer,
    "documents": documents.documents,
    "persist": persist.words,
    "files": files.files,
    "spark": spark.spark,
    "sql": in_database.in_database,
    "cli": command_line.start_times,
}


def main() -> None:
    wanted = sys.argv[1:] or list(PARTS)
    print(f"suffice {suffice.__version__} ({thread_count()} threads) against scikit-learn {sklearn.__version__}")
    print(f"{'':58s} {'suffice':>10s} {'sklearn':>10s} {'ratio':>9s}  bar")
    for name in wanted:
        PARTS[name]()


if __name__ == "__main__":
    main()
