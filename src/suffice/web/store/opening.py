"""A database by its address, with its schema brought up to date."""

from pathlib import Path

from suffice.web.store.database import Database
from suffice.web.store.migrations import migrate
from suffice.web.store.postgres import PostgresDatabase
from suffice.web.store.sqlite import SqliteDatabase


def open_database(address: str) -> Database:
    """``postgresql://…`` is a server, anything else the path of a SQLite file."""
    is_server = address.startswith(("postgresql://", "postgres://"))
    database: Database = PostgresDatabase(address) if is_server else SqliteDatabase(Path(address))
    migrate(database)
    return database
