"""The scoring form as an ONNX graph: standard operators, in double precision."""

from suffice.export.onnx.model import to_onnx

__all__ = ["to_onnx"]
