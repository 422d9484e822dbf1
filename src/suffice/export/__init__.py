"""Export of models: final tables for JavaScript, an HTML page, and an ONNX graph.

All exports use the scoring form (``form``). The graph needs the extra ``onnx``.
"""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.export.onnx import to_onnx as to_onnx
    from suffice.export.page import to_page as to_page
    from suffice.export.page import write_script as write_script
    from suffice.export.scoring_file import to_scorer as to_scorer

_LAZY_IMPORTS = {"to_onnx": "onnx", "to_page": "page", "to_scorer": "scoring_file", "write_script": "page"}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
