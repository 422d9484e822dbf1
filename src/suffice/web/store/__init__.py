"""The store of cases and the journal: a SQLite file or a PostgreSQL server, with one schema."""

from suffice.web.store.database import Database, StoreError
from suffice.web.store.opening import open_database

__all__ = ["Database", "StoreError", "open_database"]
