"""Where cases and the journal are kept: SQLite in a file, or a PostgreSQL server, under one schema."""

from suffice.web.store.database import Database, StoreError
from suffice.web.store.opening import open_database

__all__ = ["Database", "StoreError", "open_database"]
