"""The schema, step by step. A step that was released is never changed: what comes later is another step."""

from suffice.web.store.database import Database, StoreError

_STEPS = (
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
)


def migrate(database: Database) -> None:
    """Bring a database up to date; one from a later version of suffice is refused."""
    with database.transaction():
        database.run("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)")
        done = database.value("SELECT COUNT(*) FROM migrations")
        if done > len(_STEPS):
            raise StoreError(f"The store is at step {done}", f"this version knows {len(_STEPS)}", "Upgrade suffice")
        for number, statements in enumerate(_STEPS[done:], start=done + 1):
            for statement in statements:
                database.run(statement)
            database.run("INSERT INTO migrations (number) VALUES (?)", number)
