"""Recovery of the statistics from the store: replay of the last journal entries on a model file, or of all on the base."""

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

    With ``rebase``, a model file that is not on record in the store becomes the base.
    """
    if not stores.snapshots.has_base():
        return _with_base(path, stores)
    if not path.exists() and not rebase:
        return rebuilt(stores)
    number = stores.snapshots.version_of(path)
    if number is None:
        _check_readable(path)
        if rebase:
            return _with_base(path, stores)
        raise StoreError(
            f"The model file {str(path)!r} was not written by the service with this store",
            "its statistics and the journal would be inconsistent",
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


def _with_base(path: Path, stores: Stores) -> Version:
    """The version with a model file as the base and the journal replayed; a model that cannot be served or cannot learn a
    stored row is rejected."""
    version = Version.loaded(path)
    columns = Columns.of_version(version)
    with stores.database.transaction():
        stores.snapshots.set_base(path)
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
    if version.number == 0 or any(entry.removes_rows for entry in entries):
        return rebuilt(stores)  # the content of erased entries is gone
    for learn, batch in groupby(_steps(entries), itemgetter(0)):
        version = _replayed(version, columns, stores, ((case_id, label) for _, case_id, label in batch), learn=learn)
    return replace(version, number=entries[-1].number)


def rebuilt(stores: Stores) -> Version:
    """The base with the current label of every case learned, and weights fitted to all of them."""
    with tempfile.TemporaryDirectory() as folder:
        stores.snapshots.write_base(Path(folder) / "base")
        version = Version.loaded(Path(folder) / "base")
    number = stores.journal.length()
    current_labels = stores.journal.current_labels(number)
    version = _replayed(version, Columns.of_version(version), stores, current_labels.items(), learn=True)
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


def _replayed(
    version: Version, columns: Columns, stores: Stores, labels: Iterable[tuple[str, Label]], *, learn: bool
) -> Version:
    """The version with labels of cases learned or unlearned, in batches. Labels outside the model's classes are skipped, and
    so are cases erased by a later journal entry."""
    known = ((case_id, label) for case_id, label in labels if label in version.classes)
    while batch := list(islice(known, _BATCH_ROWS)):
        contents = stores.cases.contents([case_id for case_id, _ in batch])
        present = [(contents[case_id], label) for case_id, label in batch if case_id in contents]
        if present:
            table = columns.restored([content for content, _ in present])
            step = version.learned if learn else version.unlearned
            version = step(version.number, table, [label for _, label in present])
    return version
