"""Text converted to the type that takes most cells, with a mask of the others."""

import pyarrow as pa
import pytest

from suffice.columns.cast import cast_cells

TYPES = [pa.int64(), pa.float64()]


def takes(cell, kind):
    try:
        pa.array([cell]).cast(kind)
    except pa.ArrowInvalid:
        return False
    return True


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("chunked", [False, True])
def test_refused_cells_are_those_that_fail_alone(rng, share, chunked):
    numbers = [None, "3", "-17", "2.5", "1e3"]
    cells = [
        str(rng.choice(["x", "", "4,5", "1 2"])) if rng.random() < share else rng.choice(numbers) for _ in range(300)
    ]
    text = (
        pa.chunked_array([cells[:7], cells[7:200], cells[200:]], pa.string())
        if chunked
        else pa.array(cells, pa.string())
    )
    refused = {kind: [cell is not None and not takes(cell, kind) for cell in cells] for kind in TYPES}
    expected = min(TYPES, key=lambda kind: sum(refused[kind]))
    values, bad = cast_cells(text, TYPES)
    assert values.type == expected
    assert (bad.to_pylist() if bad is not None else [False] * len(cells)) == refused[expected]
    kept = [
        None if cell is None or wrong else float(cell) for cell, wrong in zip(cells, refused[expected], strict=True)
    ]
    assert values.to_pylist() == kept
