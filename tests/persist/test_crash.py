"""Killed at any moment of saving, what is found is the old model or the new one, whole."""

import os
import random
import resource
import signal
import time

import numpy as np
import pytest

import suffice
from suffice import BayesClassifier

ROWS = np.random.default_rng(0).normal(size=(400, 200))


def forked(run) -> int:
    """A process that runs a function, and leaves with 1 if it fails."""
    child = os.fork()
    if child:
        return child
    try:
        run()
        os._exit(0)
    finally:
        os._exit(1)


def check_killed(times, tmp_path):
    path = tmp_path / "a.model"
    models = [BayesClassifier().fit(ROWS + i, np.arange(400) % 3) for i in range(2)]
    known = []
    for model in models:
        model.save(path)
        known.append(path.read_bytes())
    for number in range(times):
        child = forked(lambda: [model.save(path) for _ in range(10**6) for model in models])
        time.sleep(random.Random(number).random() * 0.03)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert path.read_bytes() in known
        assert suffice.load(path).n_features_in_ == 200
        for left in tmp_path.glob(".*.partial"):  # what a kill leaves behind does not look like a model
            left.unlink()
    assert list(tmp_path.iterdir()) == [path]


def test_killed_while_saving(tmp_path):
    check_killed(20, tmp_path)


@pytest.mark.slow
def test_killed_300_times_while_saving(tmp_path):
    check_killed(300, tmp_path)


def test_a_disk_that_is_full_leaves_the_old_model(tmp_path):
    path = tmp_path / "a.model"
    BayesClassifier().fit(np.eye(3), [0, 1, 2]).save(path)
    before = path.read_bytes()
    large = BayesClassifier().fit(ROWS, np.arange(400) % 3)

    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        with pytest.raises(OSError, match="large"):
            large.save(path)

    assert os.waitpid(forked(fill), 0)[1] == 0
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_permissions_stay(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    model = BayesClassifier().fit(np.eye(3), [0, 1, 2])
    model.save(real)
    real.chmod(0o640)
    link.symlink_to(real)
    model.save(link)
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
