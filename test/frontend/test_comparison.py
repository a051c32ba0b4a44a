"""The comparison of plain and compiled finds what it must: each of these wrong compilers is caught."""

import copy

import numpy as np
import pytest
from plain import follows, refused, same

import ingot

X = np.arange(3.0)


def returns_its_argument(l):
    return l


def appends(l):
    l.append([1.0])
    return l[0]


def raises(l):
    raise ValueError(f"length {len(l)}")


def prints(l):
    print("length", len(l))
    return X * 2


def other_error(l):
    raise KeyError("length 1")


def other_message(l):
    raise ValueError("length")


WRONG = {
    "another object": (returns_its_argument, lambda l: l[:]),
    "no change": (appends, lambda l: copy.deepcopy(l)[0]),
    "a changed part": (appends, lambda l: l.append([1]) or l[0]),
    "a part that is no part": (appends, lambda l: l.append([1.0]) or list(l[0])),
    "another type": (lambda l: 1.0, lambda l: 1),
    "a NumPy scalar": (lambda l: 1.0, lambda l: np.float64(1.0)),
    "another dtype": (lambda l: X, lambda l: X.astype("f4")),
    "another shape": (lambda l: X, lambda l: X[None]),
    "another value": (lambda l: X, lambda l: X + 1e-6),
    "another order": (lambda l: {"a": 1, "b": 2}, lambda l: {"b": 2, "a": 1}),
    "one object for two": (lambda l: ([], []), lambda l: ([],) * 2),
    "two objects for one": (lambda l: ([],) * 2, lambda l: ([], [])),
    "an exception": (returns_its_argument, raises),
    "no exception": (raises, returns_its_argument),
    "another exception": (raises, other_error),
    "another message": (raises, other_message),
    "no output": (prints, lambda l: X * 2),
    "a refusal": (returns_its_argument, lambda l: ingot.jit(5)),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_compilers_are_caught(monkeypatch, name):
    plain, wrong = WRONG[name]
    monkeypatch.setattr(ingot, "jit", lambda f: f)
    same(plain, [[0.0]])
    monkeypatch.setattr(ingot, "jit", lambda f: wrong)
    with pytest.raises(AssertionError):
        same(plain, [[0.0]])


def test_an_answer_is_no_refusal(monkeypatch):
    monkeypatch.setattr(ingot, "jit", lambda f: f)
    with pytest.raises(AssertionError, match="not refused"):
        refused(returns_its_argument, [1.0])


def test_what_is_stale_is_caught(monkeypatch):
    box = {"k": 1}
    monkeypatch.setattr(ingot, "jit", lambda f: lambda x: 1)
    with pytest.raises(AssertionError):
        follows(lambda x: box["k"], (1.0,), [lambda: box.update(k=2)])
    monkeypatch.setattr(ingot, "jit", lambda f: f)
    with pytest.raises(AssertionError, match="no change"):
        follows(lambda x: box["k"], (1.0,), [lambda: None])
