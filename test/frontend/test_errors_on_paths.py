"""What is an error where it runs is none on a path that is not taken, and a handler catches it."""

import math

import numpy as np
import pytest

import ingot


class Empty:
    pass


def takes_one(x):
    return x


#: Expressions of `a`, an array of three numbers of eight bits, of `n`, an int, and of `box`, an
#: object, and what each raises.
ERRORS = [
    ("a[::0]", ValueError),
    ("n[0]", TypeError),
    ("box[0]", TypeError),
    ("box()", TypeError),
    ("box + n", TypeError),
    ("box < n", TypeError),
    ("box < box", TypeError),
    ("-box", TypeError),
    ("None >= n", TypeError),
    ("n < 'text'", TypeError),
    ("[n] < (n,)", TypeError),
    ("{} < {}", TypeError),
    ("'text' - n", TypeError),
    ("[n] + (n,)", TypeError),
    ("[n] * 1.5", TypeError),
    ("None + n", TypeError),
    ("-[n]", TypeError),
    ("~(n * 0.5)", TypeError),
    ("(n * 0.5) & n", TypeError),
    ("len(box)", TypeError),
    ("[each for each in box]", TypeError),
    ("range(n * 0.5)", TypeError),
    ("a['text']", IndexError),
    ("a[0.5]", IndexError),
    ("a + 300", OverflowError),
    ("np.full(3, n) < a.reshape(2)", ValueError),
    ("float(a)", TypeError),
    ("takes_one()", TypeError),
    ("takes_one(n, n)", TypeError),
    ("takes_one(y=n)", TypeError),
    ("Empty(n)", TypeError),
    ("np.average(a, weights=[1, 2])", TypeError),
    ("np.concatenate([])", ValueError),
    ("a.sum(axis=True)", TypeError),
    ("np.invert(a * 0.5)", TypeError),
    ("a[:n * 0].argmin()", ValueError),
    ("'%d %d' % (n,)", TypeError),
    ("f'{n:q}'", ValueError),
    ("max()", TypeError),
    ("n(1)", TypeError),
    ("a.T(n)", TypeError),
]
#: Functions with an error at EXPRESSION, whether the plain one comes to it, and what it returns.
PLACES = {
    "branch": """
def f(a, n, x, box):
    if x > 0:
        EXPRESSION
    return x
""",
    "choice": """
def f(a, n, x, box):
    (EXPRESSION) if x > 0 else 0
    return x
""",
    "operand": """
def f(a, n, x, box):
    if x > 0 and (EXPRESSION):
        pass
    return x
""",
    "loop": """
def f(a, n, x, box):
    for _ in range(int(x)):
        EXPRESSION
    return x
""",
    "while": """
def f(a, n, x, box):
    while x > 0:
        EXPRESSION
    return x
""",
    "handler": """
def f(a, n, x, box):
    try:
        if x > 0:
            raise KeyError("key")
    except KeyError:
        EXPRESSION
    return x
""",
    "after_a_check": """
def f(a, n, x, box):
    if x <= 0:
        raise KeyError("key")
    EXPRESSION
    return x
""",
    "caught": """
def f(a, n, x, box):
    try:
        if x > 0:
            EXPRESSION
    except Exception:
        return -1.0
    return x
""",
    "caught_for_sure": """
def f(a, n, x, box):
    try:
        EXPRESSION
    except Exception:
        return -1.0
    return x
""",
}


def outcome(f, x):
    try:
        return f(np.arange(3, dtype=np.uint8), 2, x, Empty())
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("expression", "kind"), ERRORS, ids=[each for each, _ in ERRORS])
def test_errors_are_raised_where_control_comes(expression, kind, place, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PLACES[place].replace("EXPRESSION", expression))
    names = {"np": np, "Empty": Empty, "takes_one": takes_one}
    exec(compile(path.read_text(), str(path), "exec"), names)
    plain, compiled = names["f"], ingot.jit(names["f"])
    for x in (-1.0, 0.0, 1.0):
        wanted, found = outcome(plain, x), outcome(compiled, x)
        # NumPy has classes of its own for some.
        is_kind = isinstance(wanted, type) and issubclass(wanted, kind)
        assert found is kind if is_kind else found == wanted, x


def test_errors_come_after_what_is_printed(capsys):
    def f(x):
        print("first")
        return x + np.zeros(7)

    with pytest.raises(ValueError, match="shape"):
        ingot.jit(f)(np.zeros(3))
    assert capsys.readouterr().out == "first\n"


def test_errors_of_every_call_are_found_by_the_compiler():
    def f(x):
        return None >= x

    with pytest.raises(
        ingot.DTypeError, match="'>=' not supported between instances of 'NoneType'"
    ):
        ingot.jit(f)(1.0)


def test_lengths_that_only_cut_slices_have():
    def f(a, i):
        a[i : i + 2] += 1
        try:
            math.sqrt(-1.0 * i)
        except ValueError:
            return a
        return a

    for size in (1, 2, 3):
        for i in (0, 1, 3):
            np.testing.assert_array_equal(ingot.jit(f)(np.zeros(size), i), f(np.zeros(size), i))
