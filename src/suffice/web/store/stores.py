"""The tables of a database."""

from suffice.web.store.cases import Cases
from suffice.web.store.database import Database
from suffice.web.store.intake import Intake
from suffice.web.store.journal import Journal
from suffice.web.store.leases import Leases
from suffice.web.store.notes import Notes
from suffice.web.store.opinions import Opinions
from suffice.web.store.receipts import Receipts
from suffice.web.store.settings import StoredSettings
from suffice.web.store.snapshots import Snapshots
from suffice.web.store.tokens import EndedSessions, Tokens


class Stores:
    """All persistent state except the model file."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.cases = Cases(database)
        self.journal = Journal(database)
        self.notes = Notes(database)
        self.receipts = Receipts(database)
        self.settings = StoredSettings(database)
        self.snapshots = Snapshots(database)
        self.tokens = Tokens(database)
        self.opinions = Opinions(database)
        self.intake = Intake(database)
        self.leases = Leases(database)
        self.ended_sessions = EndedSessions(database)
