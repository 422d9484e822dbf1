"""Recovery of the statistics from the store: replay of the tail of the journal, or of all of it upon the base."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from suffice.columns.labels import Label
from suffice.errors import ModelFileError
from suffice.web.columns import Columns
from suffice.web.store import StoreError
from suffice.web.store.journal import StoredEntry
from suffice.web.store.snapshots import SUPERSEDED
from suffice.web.store.stores import Stores
from suffice.web.version import Version

_BATCH_ROWS = 500  # rows learned or unlearned per batch


def recovered(path: Path, stores: Stores, *, rebase: bool = False) -> Version:
    """The version at the end of the journal, replayed from the model file. The first model file becomes the base.

    With ``rebase``, a model file that the store does not know becomes the base.
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
            "it includes labels of the store, which would count twice",
            "Give --rebase a model as it was trained, or delete the file: it will be rebuilt from the store",
        )
    if rebase and number > 0:
        raise StoreError(
            f"The model file {str(path)!r} was written by the service with this store",
            "it includes the store's labels, which would count twice",
            "Start without --rebase",
        )
    version = Version.loaded(path, number)
    return caught_up(version, Columns.of_version(version), stores)


def _based(path: Path, stores: Stores) -> Version:
    """The version with a model file as the base and the journal replayed; a model that cannot be served, or refuses a
    labelled row, is rejected."""
    version = Version.loaded(path)
    columns = Columns.of_version(version)
    with stores.database.transaction():
        stores.snapshots.start_from(path)
        return caught_up(version, columns, stores)


def _check_readable(path: Path) -> None:
    from suffice.estimators.model_file import load

    try:
        load(path)
    except ModelFileError as error:
        raise StoreError(
            f"The model file {str(path)!r} is damaged ({error.found})",
            "its content is not on record in the store",
            "Delete it: it will be rebuilt from the store",
        ) from None


def caught_up(version: Version, columns: Columns, stores: Stores) -> Version:
    """The version after replay of later journal entries, written by other servers or before a restart."""
    entries = stores.journal.after(version.number)
    if not entries:
        return version
    if version.number == 0 or any(entry.takes_out for entry in entries):
        return rebuilt(stores)  # from the standing labels; the content of erased entries is gone
    for learn, some in groupby(_steps(entries), itemgetter(0)):
        version = _taught(version, columns, stores, ((case_id, label) for _, case_id, label in some), learn=learn)
    return replace(version, number=entries[-1].number)


def rebuilt(stores: Stores) -> Version:
    """The base with every standing label of the journal learned, and weights fitted to all of them."""
    with tempfile.TemporaryDirectory() as folder:
        stores.snapshots.write_base(Path(folder) / "base")
        version = Version.loaded(Path(folder) / "base")
    number = stores.journal.length()
    standing = stores.journal.standing(number)
    version = _taught(version, Columns.of_version(version), stores, standing.items(), learn=True)
    version = replace(version, number=number)
    return version.with_fitted_weights() if version.pending else version


def _steps(entries: Iterable[StoredEntry]) -> Iterator[tuple[bool, str, Label]]:
    """Labels to learn (True) and to unlearn."""
    for entry in entries:
        if entry.case_id is None:  # a change of the policy
            continue
        if entry.previous is not None:
            yield False, entry.case_id, entry.previous
        if entry.label is not None:
            yield True, entry.case_id, entry.label


def _taught(
    version: Version, columns: Columns, stores: Stores, labels: Iterable[tuple[str, Label]], *, learn: bool
) -> Version:
    """The version with labels of cases learned or unlearned, in batches. Labels outside the model's classes are skipped, and
    so are cases that were just erased, whose journal entry is still to come."""
    known = ((case_id, label) for case_id, label in labels if label in version.classes)
    while some := list(islice(known, _BATCH_ROWS)):
        contents = stores.cases.contents([case_id for case_id, _ in some])
        there = [(contents[case_id], label) for case_id, label in some if case_id in contents]
        if there:
            table = columns.restored([content for content, _ in there])
            step = version.learned if learn else version.unlearned
            version = step(version.number, table, [label for _, label in there])
    return version
