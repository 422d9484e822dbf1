"""Arrow columns to codes of levels."""

import datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.columns import arrow_table
from suffice.columns.arrow_table import ArrowTable

DAY = datetime.date(2024, 2, 29)
CELLS = {
    pa.string(): st.sampled_from(["", "a", "b", "é", "\U0001f375"]),
    pa.large_string(): st.sampled_from(["x", "y", "z"]),
    pa.int64(): st.integers(-2, 2),
    pa.uint8(): st.integers(0, 255),
    pa.float64(): st.sampled_from([0.0, -0.0, 1.0, 1.5, float("nan"), float("inf")]),
    pa.bool_(): st.booleans(),
    pa.date32(): st.sampled_from([DAY, DAY.replace(day=1)]),
}
COLUMNS = st.sampled_from(sorted(CELLS, key=str)).flatmap(
    lambda kind: st.lists(st.none() | CELLS[kind], min_size=1, max_size=30).map(lambda cells: pa.array(cells, kind))
)


def coded(column, few):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow_table, "FEW_CELLS", few)
        return ArrowTable(pa.table({"a": column})).levels(["a"], None, 1)


@given(COLUMNS, st.integers(0, 30))
def test_few_cells_get_the_codes_that_many_get(cells, cut):
    column = pa.chunked_array([cells[:cut], cells[cut:]])
    few, many = coded(column, 1000), coded(column, -1)
    assert few.levels == many.levels
    assert [type(level) for level in few.levels[0]] == [type(level) for level in many.levels[0]]
    assert few.codes.dtype == many.codes.dtype
    assert few.codes.tolist() == many.codes.tolist()


def test_levels_of_a_dictionary_are_known_without_a_cell():
    column = pa.DictionaryArray.from_arrays(pa.array([1, None], pa.int8()), ["red", "white"])
    assert coded(column, 1000).levels == (("red", "white"),)
