"""Documents of scikit-learn's vectorizers (text, bytes, files, file names) as views of text."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from suffice.columns.documents import check_lengths, exports_arrow, not_text_error, view_documents, view_texts
from suffice.numerics.text import DocumentViews, view_strings

_BATCH_CHARACTERS = 1 << 25  # of a batch of documents that are not in memory


def view_batches(
    documents: Any, decode: Callable[[Any], Any], preprocess: Callable[[Any], Any] | None, *, is_content: bool
) -> Iterator[DocumentViews]:
    """Views of the documents, in one batch if they are text in memory, else in several.

    ``decode`` converts a document (unless ``is_content``, its file or file name) to text.
    """
    if is_content and preprocess is None:
        views = _in_memory(documents)
        if views is not None:
            if views.missing.any():
                raise not_text_error(int(np.argmax(views.missing)), None)
            yield views
            return
    batch: list[str] = []
    size = 0
    for text in _texts(documents, decode, preprocess):
        batch.append(text)
        size += len(text) + 64
        if size > _BATCH_CHARACTERS:
            yield view_texts(batch)
            batch, size = [], 0
    yield view_texts(batch)


def _in_memory(documents: Any) -> DocumentViews | None:
    """Views of documents that are strings already; None if some are not, or if they come in a stream."""
    if exports_arrow(documents):
        return view_documents(documents)
    if not isinstance(documents, (list, tuple)) and not hasattr(documents, "tolist"):
        return None
    views = view_strings(documents.tolist() if hasattr(documents, "tolist") else list(documents))
    return None if isinstance(views, int) else check_lengths(views)


def _texts(
    documents: Iterable[Any], decode: Callable[[Any], Any], preprocess: Callable[[Any], Any] | None
) -> Iterator[str]:
    for row, document in enumerate(documents):
        try:
            text = decode(document)
        except UnicodeDecodeError as error:
            where = f"{error.reason} (document {row}; give the encoding it was written in, or decode_error='replace')"
            raise UnicodeDecodeError(error.encoding, error.object, error.start, error.end, where) from None
        if preprocess is not None and text is not None:
            text = preprocess(text)
        if not isinstance(text, str):
            raise not_text_error(row, text)
        yield text
