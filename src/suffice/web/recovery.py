"""From the store to the statistics: the tail of the journal after a crash, or all of it upon the base."""

import tempfile
from dataclasses import replace
from itertools import islice
from pathlib import Path

from suffice.errors import ModelFileError, quoted
from suffice.estimators.model_file import load
from suffice.web.columns import Columns
from suffice.web.store import StoreError
from suffice.web.store.snapshots import SUPERSEDED
from suffice.web.store.stores import Stores
from suffice.web.version import Version

_TOGETHER = 1000  # rows learned in one go


def recovered(path: Path, stores: Stores, *, rebase: bool = False) -> Version:
    """The version that the store stands for. The model file spares the way from the base; the first one is the base.

    ``rebase`` takes a model file that is not on record for the base. The base itself, unchanged, is one already.
    """
    if not stores.snapshots.has_base():
        return _based(path, stores)
    if not path.exists() and not rebase:
        return rebuilt(stores)
    number = stores.snapshots.version_of(path)
    if number is None:
        _check_readable(path)
        if rebase:
            return _based(path, stores)
        raise StoreError(
            f"The model file {str(path)!r} was not written by the service with this store",
            "its statistics and the journal would not fit together",
            "Use another store, or start with --rebase to learn the store's labels on top of this model",
        )
    if number == SUPERSEDED:
        raise StoreError(
            f"The model file {str(path)!r} was written by the service before the last --rebase",
            "it holds labels of the store, which would count twice",
            "Give --rebase a model as it was trained, or delete the file: it will be rebuilt from the store",
        )
    if rebase and number > 0:
        raise StoreError(
            f"The model file {str(path)!r} was written by the service with this store",
            "it holds the store's labels, which would count twice",
            "Start without --rebase",
        )
    version = Version.loaded(path, number)
    return caught_up(version, Columns.of_version(version), stores)


def _based(path: Path, stores: Stores) -> Version:
    """The version that follows with a model file for the base."""
    version = Version.loaded(path)
    columns = Columns.of_version(version)  # refuses a file that cannot be served before anything is kept
    with stores.database.transaction():
        stores.snapshots.start_from(path)
    return caught_up(version, columns, stores)


def _check_readable(path: Path) -> None:
    try:
        load(path)
    except ModelFileError as error:
        raise StoreError(
            f"The model file {str(path)!r} is damaged ({error.found})",
            "its content is not on record in the store",
            "Delete it: it will be rebuilt from the store",
        ) from None


def caught_up(version: Version, columns: Columns, stores: Stores) -> Version:
    """With the entries of the journal that came after it, as other servers or an earlier life wrote them."""
    entries = stores.journal.after(version.number)
    if any(entry.case_id is None for entry in entries):  # erased since: what it said is gone for good
        return rebuilt(stores)
    for entry in entries:
        assert entry.case_id is not None
        case = stores.cases.get(entry.case_id)
        if case is None:
            return rebuilt(stores)
        table = columns.restored([case.content])
        if entry.previous is not None:
            version = version.unlearned(entry.number, table, [entry.previous])
        if entry.label is not None:
            version = version.learned(entry.number, table, [entry.label])
    return version


def rebuilt(stores: Stores) -> Version:
    """The base and every label that stands, read from the journal alone."""
    with tempfile.TemporaryDirectory() as folder:
        stores.snapshots.write_base(Path(folder) / "base")
        version = Version.loaded(Path(folder) / "base")
    columns = Columns.of_version(version)
    number, standing = stores.journal.length(), stores.journal.standing()
    unknown = sorted({str(label) for label in standing.values() if label not in version.classes})
    if unknown:
        raise StoreError(f"Cases in the store are labelled {quoted(unknown)}", "the model knows no such class")
    labels = iter(standing.items())
    while some := list(islice(labels, _TOGETHER)):
        cases = [stores.cases.get(case_id) for case_id, _ in some]
        contents = [case.content for case in cases if case is not None]
        version = version.learned(number, columns.restored(contents), [label for _, label in some])
    return replace(version, number=number)
