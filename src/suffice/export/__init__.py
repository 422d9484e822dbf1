"""The model elsewhere: as final tables for JavaScript, as a page, and as an ONNX graph."""

from suffice.export.page import script, to_page
from suffice.export.scoring_file import scoring_bytes, to_scorer
from suffice.export.scoring_form import scoring_form

__all__ = ["scoring_bytes", "scoring_form", "script", "to_page", "to_scorer"]
