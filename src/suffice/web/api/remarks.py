"""Labels outside the model's classes, and notes on cases."""

from typing import Annotated, Any

import msgspec

from suffice.web.api.cases import AnyRequest, PathId, author, changed
from suffice.web.api.messages import PERSON, Changed, Person
from suffice.web.api.routes import route
from suffice.web.problems import RequestError
from suffice.web.security.paths import segment
from suffice.web.service import Service

NOTE = r"^[^\x00]{0,4000}$"
ClassName = Annotated[str, msgspec.Meta(pattern=PERSON, description="A class that the model does not have")]
NoteText = Annotated[str, msgspec.Meta(pattern=NOTE, description="Empty to delete the note")]


class NewClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a class outside the model; without a name, the case belongs to no known class."""

    name: ClassName | None = None
    by: Person | None = None


class NewNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    note: NoteText
    by: Person | None = None


class NoteView(msgspec.Struct, frozen=True):
    note: str
    writer: str | None
    written: float


def remark_routes(service: Service) -> list[Any]:
    async def set_new_class(request: AnyRequest, case_id: PathId, data: Any) -> Changed:
        """Label a case with a class outside the model. The case leaves the queue, and is learned once a model has the class."""
        label, by = service.other_label(data.name or ""), author(request, data.by)
        return await changed(service, lambda draft: draft.label(segment(case_id), label, by))

    async def set_note(request: AnyRequest, case_id: PathId, data: Any) -> Changed:
        """Set the note of a case."""
        by = author(request, data.by)
        return await changed(service, lambda draft: draft.note(segment(case_id), data.note.strip(), by))

    def get_note(case_id: PathId) -> NoteView | None:
        """The note of a case; null if it has none."""
        decoded_id = segment(case_id)
        if service.stores.cases.get(decoded_id) is None:
            raise RequestError(404, f"There is no case {decoded_id!r}", "case_id")
        found = service.stores.notes.get(decoded_id)
        return None if found is None else NoteView(found.text, found.writer, found.written)

    one = "/v1/cases/{case_id:str}"
    return [
        route("PUT", f"{one}/new-class", set_new_class, "label", body=NewClass),
        route("PUT", f"{one}/note", set_note, "label", body=NewNote),
        route("GET", f"{one}/note", get_note, "read", in_thread=True),
    ]
