"""Opening of databases, with migration of their schema."""

from pathlib import Path

from suffice.errors import ParameterError
from suffice.web.settings import default_store
from suffice.web.store.database import Database
from suffice.web.store.migrations import migrate
from suffice.web.store.postgres import PostgresDatabase
from suffice.web.store.sqlite import SqliteDatabase
from suffice.web.store.stores import Stores


def open_database(address: str) -> Database:
    """Open a database: ``postgresql://…`` is a server, anything else the path of a SQLite file."""
    database: Database = PostgresDatabase(address) if is_server(address) else SqliteDatabase(Path(address))
    migrate(database)
    return database


def is_server(address: str) -> bool:
    return address.startswith(("postgresql://", "postgres://"))


def open_store(address: str, model: str | None) -> Stores:
    """Open a store by its address or by its model file."""
    if not address and model is None:
        raise ParameterError("No store is named", "there may be several", "Give --model or --store")
    if not address and not Path(str(model)).exists():
        raise ParameterError(
            f"There is no model file {model!r}", "its store is a file beside it", "Give --model or --store"
        )
    return Stores(open_database(address or default_store(str(model))))
