"""Tasks on several threads."""

import multiprocessing
import threading

import pytest

from suffice.numerics.threads import parallel_map


def test_the_answers_come_in_the_order_of_the_items():
    second_is_done = threading.Event()

    def first_waits_for_second(i):
        if i == 0:
            assert second_is_done.wait(timeout=30)  # only another thread can end this
        elif i == 1:
            second_is_done.set()
        return i

    assert parallel_map(first_waits_for_second, range(4), threads=2) == [0, 1, 2, 3]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_what_goes_wrong_is_told(threads):
    with pytest.raises(ZeroDivisionError):
        parallel_map(lambda i: 1 / i, [1, 2, 0, 3], threads)
    assert parallel_map(str, [1, 2], threads) == ["1", "2"]
    assert parallel_map(str, [], threads) == []


def test_tasks_within_tasks_end():
    inner = parallel_map(lambda i: parallel_map(lambda j: i * j, range(3), 2), range(3), 2)
    assert inner == [[0, 0, 0], [0, 1, 2], [0, 2, 4]]


def _in_a_child(answers):
    answers.put(parallel_map(str, range(3), 2))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
def test_a_forked_process_does_without_the_threads_it_lost():
    parallel_map(str, range(3), 2)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_in_a_child, args=(answers,))
    child.start()
    assert answers.get(timeout=30) == ["0", "1", "2"]
    child.join()
