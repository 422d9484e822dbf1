"""A stream that is killed and taken up again has counted every row once."""

import itertools
import os
import random
import signal
import time

import numpy as np
import pytest

import suffice
from persist.cases import mixed
from persist.test_crash import forked
from suffice import BayesClassifier, GaussianNB, LogisticRegression
from suffice.errors import DataError, NotSavableError, ParameterError
from suffice.linear_model import LinearGaussianRegressor


def batches(count=40, rows=25):
    """Whole numbers, so that sums are exact in any order."""
    for i in range(count):
        rng = np.random.default_rng(i)
        y = rng.integers(0, 3, rows)
        yield rng.integers(0, 9, (rows, 4)).astype(float) + y[:, None], y


def same(a, b):
    x = next(batches())[0]
    assert a.model_.tally.weight.tolist() == b.model_.tally.weight.tolist()
    np.testing.assert_allclose(a.predict_joint_log_proba(x), b.predict_joint_log_proba(x), rtol=1e-12)


def whole(some) -> BayesClassifier:
    """All rows at once."""
    return BayesClassifier().fit(*map(np.concatenate, zip(*some, strict=True)))


def test_a_stream_is_a_fit():
    rows = [*map(np.concatenate, zip(*batches(), strict=True))]
    same(suffice.stream(BayesClassifier(model="naive"), batches()), BayesClassifier(model="naive").fit(*rows))
    same(suffice.stream(BayesClassifier(), batches()), BayesClassifier().fit(*rows))
    x, y = next(batches())
    streamed = suffice.stream(GaussianNB(), batches(), classes=[0, 1, 2])
    assert (streamed.predict(x) == GaussianNB().fit(*rows).predict(x)).all()
    line = suffice.stream(LinearGaussianRegressor(), [(x, y.astype(float)), (x + 1, y.astype(float))])
    assert line.statistic_.weight.tolist() == [50.0]


def killed_and_taken_up(times, path, run, expected):
    for number in itertools.count():
        child = forked(run)
        if number < times:
            time.sleep(0.005 + random.Random(number).random() * 0.05)
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        assert status in (0, signal.SIGKILL)
        if status == 0:
            break
    same(suffice.load(path), expected)


@pytest.mark.parametrize("source", ["iterable", "function"])
def test_killed_at_any_moment_nothing_is_counted_twice(source, tmp_path):
    path = tmp_path / "a.model"

    def from_position(position):
        assert position.rows == 25 * position.batches
        return itertools.islice(batches(), position.batches, None)

    some = from_position if source == "function" else list(batches())
    killed_and_taken_up(
        12, path, lambda: suffice.stream(BayesClassifier(), some, checkpoint=path, every_rows=50), whole(batches())
    )


def test_a_window_that_is_killed_goes_on_sliding(tmp_path):
    path = tmp_path / "a.model"

    def run():
        suffice.stream(BayesClassifier(), list(batches()), checkpoint=path, every_rows=25, window=200)

    killed_and_taken_up(8, path, run, whole(list(batches())[-8:]))


@pytest.mark.slow
def test_killed_a_hundred_times(tmp_path):
    path = tmp_path / "a.model"
    killed_and_taken_up(
        100,
        path,
        lambda: suffice.stream(BayesClassifier(), batches(4000), checkpoint=path, every_rows=50),
        whole(batches(4000)),
    )


def test_a_source_that_fails_is_taken_up_where_it_was(tmp_path):
    def failing():
        yield from itertools.islice(batches(), 7)
        raise OSError("the line is dead")

    with pytest.raises(OSError, match="dead"):
        suffice.stream(BayesClassifier(), failing(), checkpoint=tmp_path / "a.model")
    same(suffice.load(tmp_path / "a.model"), whole(itertools.islice(batches(), 7)))
    same(suffice.stream(BayesClassifier(), batches(), checkpoint=tmp_path / "a.model"), whole(batches()))


def test_a_batch_that_is_refused_leaves_everything_before_it(tmp_path):
    model = BayesClassifier()
    broken = [*itertools.islice(batches(), 3), (np.ones((2, 3)), [0, 1])]
    with pytest.raises(DataError, match="3 features"):
        suffice.stream(model, broken, checkpoint=tmp_path / "a.model", window=60)
    same(model, whole(itertools.islice(batches(), 1, 3)))
    same(suffice.load(tmp_path / "a.model"), model)


def test_seconds_pass(tmp_path):
    def slow():
        for i, batch in enumerate(batches(3)):
            assert (tmp_path / "a.model").exists() == (i > 0)
            yield batch

    suffice.stream(BayesClassifier(), slow(), checkpoint=tmp_path / "a.model", every_seconds=0.0)


def test_an_endless_stream_can_be_left():
    def endless():
        yield from batches()
        raise KeyboardInterrupt

    model = BayesClassifier()
    with pytest.raises(KeyboardInterrupt):
        suffice.stream(model, endless())
    same(model, whole(batches()))


def test_old_rows_fade():
    model = suffice.stream(BayesClassifier(), batches(3), decay=0.5)
    expected = BayesClassifier()
    for batch in batches(3):
        if hasattr(expected, "model_"):
            expected.decay(0.5)
        expected.partial_fit(*batch)
    same(model, expected)
    assert model.model_.tally.weight.sum() == 25 * (1 + 0.5 + 0.25)


def test_windows_over_mixed_tables_and_text(tmp_path):
    parts = [mixed(np.random.default_rng(i)) for i in range(5)]
    model = suffice.stream(BayesClassifier(), parts[:4], window=130, checkpoint=tmp_path / "a.model")
    model = suffice.stream(BayesClassifier(), parts, window=130, checkpoint=tmp_path / "a.model")
    expected = BayesClassifier(model.families).partial_fit(*parts[0]).partial_fit(*parts[3]).partial_fit(*parts[4])
    expected.forget(*parts[0])
    np.testing.assert_allclose(model.predict_proba(parts[0][0]), expected.predict_proba(parts[0][0]), rtol=1e-6)


def test_labels_by_the_name_of_their_column():
    rows = [{"a": float(i % 7), "label": "xy"[i % 2]} for i in range(20)]
    model = suffice.stream(BayesClassifier(), [(rows, "label"), (rows, "label")], window=20)
    assert model.model_.tally.weight.tolist() == [10.0, 10.0]


@pytest.mark.parametrize(
    ("model", "some", "settings", "error", "message"),
    [
        (LogisticRegression(), [], {}, ParameterError, "no partial_fit"),
        (BayesClassifier(), [], {"decay": 0}, ParameterError, "forget everything"),
        (BayesClassifier(), [], {"decay": 0.5, "window": 5}, ParameterError, "Choose one"),
        (BayesClassifier(), [], {"window": 0}, ParameterError, "window"),
        (LinearGaussianRegressor(), [], {"window": 5}, ParameterError, "decay and window"),
        (BayesClassifier(), [np.eye(3)], {}, DataError, "tuple"),
    ],
)
def test_what_cannot_be_is_refused(model, some, settings, error, message):
    with pytest.raises(error, match=message):
        suffice.stream(model, some, **settings)


def test_another_stream_or_model_is_refused(tmp_path):
    path = tmp_path / "a.model"
    suffice.stream(BayesClassifier(), batches(3), checkpoint=path)
    with pytest.raises(ParameterError, match="holds a BayesClassifier"):
        suffice.stream(GaussianNB(), batches(), checkpoint=path, classes=[0, 1, 2])
    with pytest.raises(ParameterError, match="estimate is 'mle', but 'mean' in the checkpoint"):
        suffice.stream(BayesClassifier(estimate="mle"), batches(), checkpoint=path)
    with pytest.raises(DataError, match="have 30 rows, but had 75"):
        suffice.stream(BayesClassifier(), batches(5, rows=10), checkpoint=path)
    with pytest.raises(NotSavableError, match="no model file"):
        suffice.stream(type("Mine", (BayesClassifier,), {})(), batches(), checkpoint=path)
