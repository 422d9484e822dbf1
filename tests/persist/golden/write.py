"""Writes the golden files of the present version: ``make golden``, before a release that changed a format."""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import suffice
from families.cases import CASES
from persist.cases import DROP_INS, FAMILIES, TABLES, Saved, judged, mixed, numbers
from suffice import BayesClassifier, MultivariateNormal
from suffice.web.service import Service
from suffice.web.settings import Settings
from web.claims import some_rows, trained

HERE = Path(__file__).parent
FIRST_RULES = [next(one for one in FAMILIES if one.name.startswith(f"{case}-")) for case in CASES]
ASKED = 10
"""Rows whose answers are stored."""


def interaction(rng: np.random.Generator) -> tuple[Any, Any]:
    """Two numbers and a category that only together give the class: all parts of the default have a weight."""
    a, b = rng.normal(size=(2, 160)).round(1)
    colour = rng.choice(list("rgb"), 160)
    return {"a": a.tolist(), "b": b.tolist(), "colour": colour.tolist()}, np.where(
        (a * b > 0) ^ (colour == "r"), "in", "out"
    )


MODELS = [
    *[case for case in (*DROP_INS, *TABLES) if case.name != "pairs"],
    Saved("pattern", lambda: BayesClassifier({(0, 1): MultivariateNormal(pattern=[(0, 1)])}, model="naive"), numbers),
    *FIRST_RULES,
    *[Saved(f"mixed-{model}", lambda model=model: BayesClassifier(model=model), mixed) for model in ("weighted", "naive")],
    Saved("interaction-additive", lambda: BayesClassifier(model="additive"), interaction),
    Saved("interaction-full", lambda: BayesClassifier(keep_rows=0), interaction),
]  # fmt: skip


def asked_of(case: Saved) -> Any:
    """Some rows that were not learned, as JSON has them."""
    rows, _ = case.rows(np.random.default_rng(2))
    if sp.issparse(rows):
        return {"sparse": rows[:ASKED].toarray().tolist()}
    if isinstance(rows, np.ndarray):
        return {"array": rows[:ASKED].tolist()}
    if isinstance(rows, dict):
        return {"table": {name: list(cells)[:ASKED] for name, cells in rows.items()}}
    return {"table": rows[:ASKED]}


def rows_of(asked: dict[str, Any]) -> Any:
    """Rows, from JSON."""
    [(form, rows)] = asked.items()
    return {"sparse": sp.csr_array, "array": np.array, "table": lambda table: table}[form](rows)


def document(path: Path) -> str:
    """The JSON document in the header of a model file."""
    content = path.read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    return str(header["__metadata__"]["document"])


def answers(model: Any, asked: dict[str, Any]) -> Any:
    rows = rows_of(asked)
    return (model.predict_proba if hasattr(model, "predict_proba") else model.predict)(rows).tolist()


def write_models(folder: Path) -> None:
    stored = {}
    for case in MODELS:
        model, asked = case.fitted(), asked_of(case)
        if case.name == "interaction-full":
            model.held_out_ = judged()
        model.save(folder / f"{case.name}.model")
        stored[case.name] = {"asked": asked, "answers": answers(model, asked)}
    (folder / "models.json").write_text(json.dumps(stored) + "\n")


def write_file_model(folder: Path) -> None:
    """A model of a text file, with the format of its numbers, dates and truth values."""
    rng = np.random.default_rng(3)
    lines = ["paid;due;member;place;class"]
    for _ in range(60):
        paid, day = 1000 * rng.gamma(2.0), rng.integers(1, 28)
        spelled = f"{paid:,.2f} €".replace(",", "_").replace(".", ",").replace("_", ".")
        member, place = rng.choice(["true", "false"]), rng.choice(["Ulm", "Köln"])
        lines.append(f"{spelled};{day:02d}.03.2026;{member};{place};{'late' if day + rng.normal() > 14 else 'in time'}")
    path = folder / "spelled.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    model = BayesClassifier(model="naive").fit(suffice.rows(path), "class")
    model.save(folder / "spelled.model")
    (folder / "spelled.json").write_text(json.dumps(model.predict_proba(suffice.rows(path)).tolist()) + "\n")


def done(service: Service, change: Any) -> Any:
    return service.writer.submit(change).result(timeout=60)


def state(service: Service) -> Any:
    """What a store stands for."""
    rows, _ = some_rows(ASKED, seed=9)
    journal = service.stores.journal
    return {
        "number": service.version.number,
        "class counts": service.version.class_counts,
        "standing": journal.current_labels(journal.length()),
        "kinds": {f"c{i}": [entry.kind for entry in journal.of_case(f"c{i}")] for i in range(8)},
        "scores": np.asarray(service.version.scores(service.columns.table_from_json(rows))[0]).tolist(),
    }


def write_store(folder: Path) -> None:
    """A service with cases that were labelled, corrected, undone and erased, and its model file."""
    trained(40).save(folder / "service.model")
    service = Service(Settings(folder / "service.model", store=str(folder / "service.db")))
    service.start()
    rows, labels = some_rows(8, seed=5)
    typed = [service.columns.row_type(*(row[key] for key in service.columns.keys)) for row in rows]
    done(service, lambda draft: draft.add([f"c{i}" for i in range(8)], typed))
    for i, label in enumerate(labels[:6]):
        done(service, lambda draft, i=i, label=label: draft.label(f"c{i}", label, "ann"))
    done(service, lambda draft: draft.label("c0", "fraud" if labels[0] == "honest" else "honest", "bob"))
    done(service, lambda draft: draft.unlabel("c1", "bob"))
    done(service, lambda draft: draft.erase("c2"))
    (folder / "service.json").write_text(json.dumps(state(service)) + "\n")
    service.stop()


def write_stream(folder: Path) -> None:
    """A checkpoint of a stream with a window."""
    batches = [numbers(np.random.default_rng(i)) for i in range(3)]
    model = suffice.stream(BayesClassifier(model="naive"), batches, checkpoint=folder / "stream.checkpoint", window=2)
    asked = {"array": batches[0][0][:ASKED].tolist()}
    (folder / "stream.json").write_text(json.dumps({"asked": asked, "answers": answers(model, asked)}) + "\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_models(folder)
        write_file_model(folder)
        write_store(folder)
        write_stream(folder)
        place = HERE / suffice.__version__
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place)
    print(f"{sum(file.stat().st_size for file in place.iterdir()):,} bytes in {place}", file=sys.stderr)


if __name__ == "__main__":
    main()
