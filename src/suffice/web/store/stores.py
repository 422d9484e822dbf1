"""The tables of one database, together."""

from suffice.web.store import Database
from suffice.web.store.cases import Cases
from suffice.web.store.journal import Journal
from suffice.web.store.receipts import Receipts
from suffice.web.store.settings import StoredSettings
from suffice.web.store.snapshots import Snapshots


class Stores:
    """Everything that outlives the process, but for the model file."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.cases = Cases(database)
        self.journal = Journal(database)
        self.receipts = Receipts(database)
        self.settings = StoredSettings(database)
        self.snapshots = Snapshots(database)
