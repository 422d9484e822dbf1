"""Migrations of the schema. Released steps are never changed; changes are new steps."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from suffice.errors import ModelFileError
from suffice.persist.model_file import load_attribute
from suffice.web.store.cases import search_text, text_of, value_of
from suffice.web.store.database import Database, StoreError
from suffice.web.store.snapshots import Snapshots


def _name_posteriors(database: Database) -> None:
    """Convert posteriors from lists in the order of the base's classes. Lists of another length are from another base, whose
    classes are unknown."""
    classes = _base_classes(database)
    for case_id, text in database.rows("SELECT id, posterior FROM cases"):
        values = value_of(text)
        named = dict(zip(classes, values, strict=True)) if len(values) == len(classes) else {}
        database.run("UPDATE cases SET posterior = ? WHERE id = ?", text_of(named), case_id)


def _fold_words(database: Database) -> None:
    for case_id, content in database.rows("SELECT id, content FROM cases"):
        database.run("UPDATE cases SET words = ? WHERE id = ?", search_text(case_id, content), case_id)


def _base_classes(database: Database) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "base"
        Snapshots(database).write_base(path)
        try:
            return [str(label) for label in load_attribute(path, "classes_").tolist()]
        except ModelFileError:  # no base yet, or one that this version cannot read
            return []


_STEPS: tuple[tuple[str | Callable[[Database], None], ...], ...] = (
    (
        """CREATE TABLE cases (
            id TEXT PRIMARY KEY,
            arrived DOUBLE PRECISION NOT NULL,
            content TEXT NOT NULL,
            version BIGINT NOT NULL,
            posterior TEXT NOT NULL,
            log_density DOUBLE PRECISION,
            action TEXT,
            risk DOUBLE PRECISION NOT NULL,
            label TEXT,
            labelled DOUBLE PRECISION,
            labelled_by TEXT
        )""",
        "CREATE INDEX cases_by_arrival ON cases (arrived, id)",
        "CREATE INDEX cases_by_label ON cases (label, arrived)",
        """CREATE TABLE journal (
            number BIGINT PRIMARY KEY,
            written DOUBLE PRECISION NOT NULL,
            kind TEXT NOT NULL,
            case_id TEXT,
            label TEXT,
            previous TEXT,
            writer TEXT
        )""",
        "CREATE INDEX journal_by_case ON journal (case_id, number)",
        "CREATE TABLE receipts (id TEXT PRIMARY KEY, number BIGINT NOT NULL, content TEXT NOT NULL)",
        "CREATE TABLE base (place BIGINT PRIMARY KEY, part BYTEA NOT NULL)",
        "CREATE TABLE snapshots (digest TEXT PRIMARY KEY, number BIGINT NOT NULL)",
        "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    ),
    (
        "ALTER TABLE cases ADD COLUMN waits BOOLEAN NOT NULL DEFAULT FALSE",
        "UPDATE cases SET waits = TRUE WHERE action IS NULL",
        "CREATE INDEX cases_by_waiting ON cases (label, waits, arrived, id)",
        "CREATE INDEX cases_by_action ON cases (label, action, arrived, id)",
    ),
    (_name_posteriors,),
    (
        """CREATE TABLE notes (
            case_id TEXT PRIMARY KEY,
            text TEXT NOT NULL,
            writer TEXT,
            written DOUBLE PRECISION NOT NULL
        )""",
    ),
    ("ALTER TABLE cases ADD COLUMN loss DOUBLE PRECISION", "CREATE INDEX cases_by_labelling ON cases (labelled, id)"),
    (
        """CREATE TABLE tokens (
            name TEXT PRIMARY KEY, role TEXT NOT NULL, digest TEXT NOT NULL, added DOUBLE PRECISION NOT NULL
        )""",
        "CREATE TABLE ended_sessions (digest TEXT PRIMARY KEY, expires DOUBLE PRECISION NOT NULL)",
        """CREATE TABLE opinions (
            case_id TEXT NOT NULL, person TEXT NOT NULL, label TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
            PRIMARY KEY (case_id, person)
        )""",
        "CREATE TABLE leases (case_id TEXT PRIMARY KEY, holder TEXT NOT NULL, until DOUBLE PRECISION NOT NULL)",
    ),
    ("ALTER TABLE cases ADD COLUMN words TEXT NOT NULL DEFAULT ''", _fold_words),
    ("CREATE TABLE intake (digest TEXT PRIMARY KEY)",),
)


def migrate(database: Database) -> None:
    """Migrate a database to the current schema; a schema of a later version of suffice is rejected."""
    with database.transaction():
        database.run("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)")
        done = database.value("SELECT COUNT(*) FROM migrations")
        if done > len(_STEPS):
            raise StoreError(f"The store is at step {done}", f"this version has {len(_STEPS)}", "Upgrade suffice")
        for number, statements in enumerate(_STEPS[done:], start=done + 1):
            for statement in statements:
                if callable(statement):
                    statement(database)
                else:
                    database.run(statement)
            database.run("INSERT INTO migrations (number) VALUES (?)", number)
