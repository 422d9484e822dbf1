"""Builder of an ONNX graph."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from suffice.errors import MissingPackageError
from suffice.numerics.arrays import AnyArray

try:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError:
    raise MissingPackageError(
        "onnx is not installed", "exporting a graph needs it", "Run pip install 'suffice[onnx]'"
    ) from None

Tensor: TypeAlias = str
"""The name of a value in the graph."""

OPSET, ML_OPSET, IR = 17, 3, 8
"""Versions that runtimes of the last years support."""
DOUBLE, SINGLE, INTEGER = TensorProto.DOUBLE, TensorProto.FLOAT, TensorProto.INT64
TEXT, BOOLEAN = TensorProto.STRING, TensorProto.BOOL
"""Tensor types."""


class Graph:
    """Builder of nodes. Values are referred to by generated names; equal constants and nodes are shared."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._cache: dict[object, Tensor] = {}

    def input(self, name: str, kind: int, width: int) -> Tensor:
        self._inputs.append(helper.make_tensor_value_info(name, kind, ["rows", width]))
        return name

    def output(self, value: Tensor, name: str, kind: int, shape: Sequence[Any]) -> None:
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, list(shape)))

    def constant(self, value: Any) -> Tensor:
        array = np.asarray(value)
        key = (array.dtype.str, array.shape, array.tobytes() if array.dtype != object else tuple(array.tolist()))
        if key not in self._cache:
            self._cache[key] = f"suffice/constant {len(self._constants)}"
            self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), self._cache[key]))
        return self._cache[key]

    def add(self, operator: str, *values: Tensor, domain: str = "", **attributes: Any) -> Tensor:
        """Add a node; returns the name of its value."""
        key = (operator, values, repr(attributes))
        if key not in self._cache:
            self._cache[key] = f"suffice/{operator} {len(self._nodes)}"
            self._nodes.append(
                helper.make_node(operator, list(values), [self._cache[key]], domain=domain, **attributes)
            )
        return self._cache[key]

    # — common operators —

    def cast(self, value: Tensor, kind: int) -> Tensor:
        return self.add("Cast", value, to=kind)

    def reduce_sum(self, value: Tensor, axis: int, *, keep: bool = False) -> Tensor:
        return self.add("ReduceSum", value, self.constant(np.array([axis])), keepdims=int(keep))

    def total(self, values: Sequence[Tensor]) -> Tensor:
        return values[0] if len(values) == 1 else self.add("Sum", *values)

    def concatenate(self, values: Sequence[Tensor]) -> Tensor:
        return values[0] if len(values) == 1 else self.add("Concat", *values, axis=1)

    def unsqueeze(self, value: Tensor, axis: int) -> Tensor:
        """The tensor with an axis of length one inserted."""
        return self.add("Unsqueeze", value, self.constant(np.array([axis])))

    def gather(self, table: AnyArray, at: Tensor) -> Tensor:
        """The rows of a table at some indices; −1 is the last row."""
        return self.add("Gather", self.constant(table), at, axis=0)

    def build(self) -> Any:
        graph = helper.make_graph(self._nodes, "suffice", self._inputs, self._outputs, self._constants)
        sets = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        model = helper.make_model(graph, opset_imports=sets, ir_version=IR, producer_name="suffice")
        onnx.checker.check_model(model, full_check=True)
        return model
