"""``suffice token``"""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer

from suffice.cli.options import Store, StoreOf


class Action(StrEnum):
    add = "add"
    list = "list"
    remove = "remove"


class Role(StrEnum):
    read = "read"
    label = "label"
    admin = "admin"


def token(
    action: Annotated[Action, typer.Argument(help="Add, list or remove.")],
    name: Annotated[str, typer.Argument(help="Name of the person.", show_default=False)] = "",
    role: Annotated[Role | None, typer.Option(help="Role of the person; label includes read, admin both.")] = None,
    model: StoreOf = None,
    store: Store = "",
) -> None:
    """Manage personal tokens, by which the journal of the service records who gave a label.

    A token is printed once; the store has only its digest. Adding a token for the same name replaces it, and removing it ends
    its sessions within a second, also in running services.

    \b
      suffice token add ann --role label --model claims.model
      suffice token list --model claims.model
      suffice token remove ann --model claims.model
    """
    from suffice.errors import ParameterError
    from suffice.web.store.opening import open_store

    if (action is Action.list) == bool(name):
        todo = "Give one" if not name else "Omit it"
        raise ParameterError(
            f"{action} has {'a' if name else 'no'} name", "add and remove take one, list takes none", todo
        )
    if (action is Action.add) != (role is not None):
        raise ParameterError(f"{action} has {'a' if role else 'no'} role", "add takes --role, the others take none")
    stores = open_store(store, model)
    if action is Action.list:
        for person in stores.tokens.people():
            added = datetime.fromtimestamp(person.added, UTC).strftime("%Y-%m-%d")
            typer.echo(f"{person.name}\t{person.role}\t{added}")
    elif role is not None:
        typer.echo(stores.tokens.add(name, role.value))
    elif not stores.tokens.remove(name):
        known = ", ".join(person.name for person in stores.tokens.people())
        raise ParameterError(
            f"There is no token of {name!r}", f"there are tokens of {known}" if known else "there are no tokens"
        )
