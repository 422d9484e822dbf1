"""The action of least expected cost, whatever form the costs come in."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.decision import REJECT, Chow, Costs, Utilities, decide
from suffice.decision.costs import aligned

WELL_ILL = ["ill", "well"]
MATRIX = [[0.0, 50.0, 5.0], [8.0, 0.0, 5.0]]  # ill, well × treat, send home, ask
ACTIONS = ["treat", "home", REJECT]
PAIRS = {(c, a): MATRIX[i][j] for i, c in enumerate(WELL_ILL) for j, a in enumerate(ACTIONS)}
FORMS = {
    "Costs": Costs(MATRIX, actions=ACTIONS, classes=WELL_ILL),
    "Costs in another order": Costs(MATRIX[::-1], actions=ACTIONS, classes=WELL_ILL[::-1]),
    "pairs": PAIRS,
    "pairs backwards": dict(reversed(PAIRS.items())),
    "pandas": pd.DataFrame(MATRIX, index=WELL_ILL, columns=ACTIONS),
    "pandas backwards": pd.DataFrame(MATRIX, index=WELL_ILL, columns=ACTIONS).iloc[::-1, ::-1],
    "polars": pl.DataFrame({"class": WELL_ILL} | dict(zip(ACTIONS, np.transpose(MATRIX), strict=True))),
    "pyarrow": pa.table({"class": WELL_ILL} | dict(zip(ACTIONS, np.transpose(MATRIX), strict=True))),
    "arrays of equal costs": {pair: np.full(4, cost) for pair, cost in PAIRS.items()},
}
POSTERIOR = np.array([[0.9, 0.1], [0.3, 0.7], [0.05, 0.95], [0.5, 0.5]])


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_costs(form):
    decision = decide(POSTERIOR, FORMS[form], classes=WELL_ILL)
    assert decision.actions.tolist() == ["treat", REJECT, "home", "treat"]
    assert decision.risk == pytest.approx([0.8, 5.0, 2.5, 4.0], rel=1e-12)
    assert decision.rejected.tolist() == [False, True, False, False]


def test_an_array_of_costs():
    decision = decide(POSTERIOR, MATRIX)
    assert decision.actions.tolist() == [0, 2, 1, 0]  # actions that are not named are numbered
    assert decide(POSTERIOR, MATRIX, classes=WELL_ILL).actions.tolist() == [0, 2, 1, 0]
    square = decide(POSTERIOR, [[0, 9], [1, 0]], classes=WELL_ILL)
    assert square.actions.tolist() == ["ill", "ill", "well", "ill"]  # as many actions as classes: they are the classes


def test_zero_one_is_the_default():
    decision = decide(POSTERIOR, classes=WELL_ILL)
    assert decision.actions.tolist() == ["ill", "well", "well", "ill"]
    assert decision.risk == pytest.approx(1 - POSTERIOR.max(axis=1))
    assert decision.actions.tolist() == decide(POSTERIOR, [[0, 1], [1, 0]], classes=WELL_ILL).actions.tolist()


def test_costs_of_their_own_for_every_row():
    amounts = np.array([10.0, 1000.0, 40.0, 3.0])
    pairs = {
        ("fraud", "pay"): amounts,
        ("fraud", "block"): 0.0,
        ("honest", "pay"): 0.0,
        ("honest", "block"): 20.0,
    }
    p = np.tile([0.1, 0.9], (4, 1))
    decision = decide(p, pairs, classes=["fraud", "honest"])
    assert decision.actions.tolist() == ["pay", "block", "pay", "pay"]
    assert decision.risk == pytest.approx([1.0, 18.0, 4.0, 0.3])
    cube = aligned(pairs, np.array(["fraud", "honest"])).values
    assert cube.shape == (4, 2, 2)
    assert np.array_equal(decide(p, cube).index, decision.index)
    each = [decide(p[[i]], cube[i]) for i in range(4)]
    assert [d.index[0] for d in each] == decision.index.tolist()


def test_utilities_are_regret():
    utilities = np.array([[100.0, -40.0], [-10.0, 30.0]])
    decision = decide(POSTERIOR, Utilities(utilities))
    assert np.array_equal(decision.index, (POSTERIOR @ utilities).argmax(axis=1))
    best_known = POSTERIOR @ utilities.max(axis=1)
    assert decision.risk == pytest.approx(best_known - (POSTERIOR @ utilities).max(axis=1))
    pairs = {(c, a): utilities[c, a] for c in (0, 1) for a in (0, 1)}
    assert np.array_equal(decide(POSTERIOR, Utilities(pairs)).index, decision.index)


def test_of_equals_the_first():
    tied = np.array([[0.5, 0.5]])
    assert decide(tied).actions.tolist() == [0]
    assert decide(tied, [[2, 2, 1, 1], [2, 2, 3, 3]]).actions.tolist() == [0]
    # a mapping has the classes in their own order, then other actions as they come, asking last
    pairs = {("a", REJECT): 1, ("b", REJECT): 1, ("b", "a"): 2, ("a", "b"): 2, ("a", "wait"): 1, ("b", "wait"): 1}
    assert aligned(pairs, np.array(["a", "b"])).actions.tolist() == ["a", "b", "wait", REJECT]
    assert decide(tied, pairs, classes=["a", "b"]).actions.tolist() == ["a"]
    assert decide([[0.5, 0.5]], reject=Chow(0.5)).actions.tolist() == [0]  # asking is the last resort


PROBABILITIES = st.lists(st.integers(0, 40), min_size=3, max_size=3).filter(any)
MONEY = st.integers(0, 60)


def matrices(classes, actions):
    return st.lists(st.lists(MONEY, min_size=actions, max_size=actions), min_size=classes, max_size=classes)


@given(st.lists(PROBABILITIES, min_size=1, max_size=8), matrices(3, 4))
def test_no_action_is_cheaper_than_the_one_chosen(weights, costs):
    """With the risks in exact arithmetic, so that only a true tie may be decided either way."""
    exact = [[Fraction(w, sum(row)) for w in row] for row in weights]
    posterior = np.array([[float(p) for p in row] for row in exact])
    decision = decide(posterior, costs)
    for row, action, risk in zip(exact, decision.index, decision.risk, strict=True):
        risks = [sum(p * c for p, c in zip(row, column, strict=True)) for column in zip(*costs, strict=True)]
        assert risks[action] - min(risks) < 1e-13
        assert risk == pytest.approx(float(min(risks)), abs=1e-12)


@given(st.lists(PROBABILITIES, min_size=1, max_size=8), matrices(3, 3), MONEY)
def test_chow_is_the_cost_rule_with_one_more_action(weights, costs, price):
    posterior = np.array(weights, dtype=float) / np.sum(weights, axis=1, keepdims=True)
    by_rule = decide(posterior, costs, reject=Chow(price))
    with_ask = Costs(np.column_stack([costs, [price] * 3]), actions=[0, 1, 2, REJECT])
    by_cost = decide(posterior, with_ask)
    near = np.abs(by_cost.risk - price) < 1e-12 * max(price, 1)  # a tie may be rounded either way
    assert np.array_equal(by_rule.index[~near], by_cost.index[~near])
    assert by_rule.risk == pytest.approx(by_cost.risk, abs=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_posteriors_of_any_dtype_and_layout(dtype):
    p = np.asfortranarray(POSTERIOR.astype(dtype))
    assert decide(p, MATRIX).index.tolist() == [0, 2, 1, 0]
    assert decide(POSTERIOR.tolist(), MATRIX).index.tolist() == [0, 2, 1, 0]


def test_a_frame_of_posteriors_names_its_classes():
    frame = pd.DataFrame(POSTERIOR[:, ::-1], columns=["well", "ill"])
    assert decide(frame, FORMS["pairs"]).actions.tolist() == ["treat", REJECT, "home", "treat"]
    assert decide(pl.DataFrame(frame.to_dict("list")), FORMS["pairs"]).actions.tolist()[1] == REJECT


def test_a_row_is_decided_alike_in_any_company():
    rng = np.random.default_rng(3)
    p, costs = rng.dirichlet(np.ones(7), 5000), rng.random((7, 9))
    together = decide(p, costs)
    alone = [decide(p[[i]], costs) for i in range(0, 5000, 97)]
    assert [float(d.risk[0]) for d in alone] == together.risk[::97].tolist()
    assert [int(d.index[0]) for d in alone] == together.index[::97].tolist()


def test_no_rows():
    decision = decide(np.empty((0, 3)), reject=Chow(0.1))
    assert decision.actions.shape == decision.risk.shape == (0,)


@pytest.mark.parametrize(
    ("classes", "kind"),
    [(["a", "b"], "U"), ([3, 7], "O"), ([0.5, 1.5], "O"), ([False, True], "O"), (np.array([3, 7]), "O")],
)
def test_reject_in_arrays_frames_and_json(classes, kind):
    """Labels keep their type beside REJECT, which is text; ``columns`` is for what wants one type a column."""
    decision = decide(POSTERIOR, classes=classes, reject=Chow(0.2))
    first, second = np.asarray(classes).tolist()
    expected = [first, REJECT, second, REJECT]
    assert decision.actions.dtype.kind == kind
    assert decision.actions.tolist() == expected
    assert (decision.actions == REJECT).tolist() == decision.rejected.tolist()
    assert json.loads(json.dumps(decision.actions.tolist())) == expected
    assert pd.Series(decision.actions).tolist() == expected
    # nothing refused this time: the dtype is the same
    assert decide(POSTERIOR[[0]], classes=classes, reject=Chow(0.2)).actions.dtype.kind == kind

    columns = decision.columns()
    typed = [first, None, second, None]
    assert json.loads(json.dumps(columns)) == columns
    assert columns["action"] == typed
    frame = pl.DataFrame(columns)
    assert frame["action"].to_list() == typed
    assert frame["action"].dtype != pl.Object
    assert frame["rejected"].to_list() == decision.rejected.tolist()
    assert frame["risk"].to_list() == decision.risk.tolist()
    assert pa.table(columns)["action"].to_pylist() == typed
    assert pd.DataFrame(columns)["rejected"].tolist() == decision.rejected.tolist()
    assert pd.DataFrame(columns)["action"].isna().tolist() == decision.rejected.tolist()


def test_text_with_reject_goes_into_every_frame_as_it_is():
    actions = decide(POSTERIOR, classes=WELL_ILL, reject=Chow(0.2)).actions
    expected = ["ill", REJECT, "well", REJECT]
    assert pl.Series(actions).to_list() == pd.Series(actions).tolist() == pa.array(actions).to_pylist() == expected


def test_without_refusal_labels_keep_their_dtype():
    for classes in (np.array([3, 7], dtype=np.int8), np.array(["a", "b"], dtype=object), np.array(["a", "b"])):
        assert decide(POSTERIOR, classes=classes).actions.dtype == classes.dtype
