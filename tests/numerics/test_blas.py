"""BLAS in one thread for a while, with several threads asking for it."""

import threading

import threadpoolctl

from suffice import BayesClassifier
from suffice.numerics.blas import one_blas_thread


def blas_threads():
    return [found["num_threads"] for found in threadpoolctl.threadpool_info() if found["user_api"] == "blas"]


def test_overlapping_users_leave_what_the_first_one_found():
    before = blas_threads()
    first_is_in, second_is_in = threading.Event(), threading.Event()

    def first():
        with one_blas_thread():
            first_is_in.set()
            assert second_is_in.wait(timeout=30)

    thread = threading.Thread(target=first)
    thread.start()
    assert first_is_in.wait(timeout=30)
    with one_blas_thread():
        second_is_in.set()
        thread.join()
        assert set(blas_threads()) == {1}, "the first has left, the second is still in"
    assert blas_threads() == before


def test_fits_in_several_threads_leave_blas_as_it_was(rng):
    x, y = rng.normal(size=(2000, 12)), rng.integers(0, 3, 2000)
    before = blas_threads()
    fits = [threading.Thread(target=BayesClassifier().fit, args=(x, y)) for _ in range(4)]
    for fit in fits:
        fit.start()
    for fit in fits:
        fit.join()
    assert blas_threads() == before


def test_a_limit_of_the_callers_own_stays():
    with threadpoolctl.threadpool_limits(1, user_api="blas"):
        with one_blas_thread():
            assert set(blas_threads()) == {1}
        assert set(blas_threads()) == {1}
