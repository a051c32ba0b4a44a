"""`try`: which handler takes an exception, where only Python's order of evaluation tells."""

import numpy as np
import pytest
from plain import Programs, same_for

programs = Programs()
A = np.array([[2.0, 1.0], [1.0, 3.0]])
TABLE = {"a": 1.0}


@programs(A, A[:1])
def class_that_is_not_there(a):
    try:
        return np.linalg.det(a)
    except np.linalg.no_such_module.LinAlgError:
        return 0.0


@programs(A, A * 0)
def class_that_is_not_there_at_run_time(a):
    try:
        b = np.linalg.inv(a)
    except np.linalg.no_such_module.LinAlgError:
        b = a
    return b


@programs("a", "b", "c")
def after_one_that_takes_it(name):
    try:
        if name == "c":
            raise ValueError(name)
        return TABLE[name]
    except KeyError:
        return 2.0
    except np.NoSuchClass:
        return 3.0


@programs(A, A * 0)
def that_raises_again(a):
    try:
        b = np.linalg.inv(a)
    except np.NoSuchClass:
        raise
    return b


@programs("a", "b")
def within_one_that_catches_it(name):
    try:
        try:
            return TABLE[name]
        except np.NoSuchClass:
            return 2.0
    except AttributeError:
        return 4.0


@programs("a", "b")
def class_of_a_name_without_a_value(name):
    try:
        return TABLE[name]
    except Unbound:  # noqa: F821
        return 2.0
    Unbound = KeyError


@programs("a", "b")
def class_that_the_body_names(name):
    try:
        Missing = KeyError
        return TABLE[name]
    except Missing:
        return 2.0


@programs("a", "b")
def class_that_the_body_changes(name):
    Missing = ValueError
    try:
        Missing = KeyError
        return TABLE[name]
    except Missing:
        return 2.0


@programs("a", "b")
def class_by_a_call(name):
    def missing():
        print("which one?")
        return KeyError

    try:
        return TABLE[name]
    except missing():
        return 2.0


@programs(A, A * 0)
def what_is_no_class_of_exceptions(a):
    try:
        b = np.linalg.inv(a)
    except (KeyError, int):
        b = a
    return b


@pytest.mark.parametrize("f, cases", programs)
def test_handlers(f, cases):
    same_for(f, cases)
