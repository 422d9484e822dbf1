"""Tasks on several threads."""

import multiprocessing
import threading

import pytest

from suffice.numerics.threads import at_once


def test_the_answers_come_in_the_order_of_the_items():
    second_is_done = threading.Event()

    def first_waits_for_second(i):
        if i == 0:
            assert second_is_done.wait(timeout=30)  # only another thread can end this
        elif i == 1:
            second_is_done.set()
        return i

    assert at_once(first_waits_for_second, range(4), threads=2) == [0, 1, 2, 3]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_what_goes_wrong_is_told(threads):
    with pytest.raises(ZeroDivisionError):
        at_once(lambda i: 1 / i, [1, 2, 0, 3], threads)
    assert at_once(str, [1, 2], threads) == ["1", "2"]
    assert at_once(str, [], threads) == []


def test_tasks_within_tasks_end():
    inner = at_once(lambda i: at_once(lambda j: i * j, range(3), 2), range(3), 2)
    assert inner == [[0, 0, 0], [0, 1, 2], [0, 2, 4]]


def _in_a_child(answers):
    answers.put(at_once(str, range(3), 2))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
def test_a_forked_process_does_without_the_threads_it_lost():
    at_once(str, range(3), 2)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_in_a_child, args=(answers,))
    child.start()
    assert answers.get(timeout=30) == ["0", "1", "2"]
    child.join()
