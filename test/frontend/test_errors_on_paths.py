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
    ("float([n])", TypeError),
    ("list(map(float, [[n]]))", TypeError),
    ("None - a", TypeError),
    ("a * {1: x}", TypeError),
    ("a.sum(axis='text')", TypeError),
    ("np.zeros(1.5)", TypeError),
    ("np.zeros(3, dtype=[n])", TypeError),
    ("np.clip(a, x)", TypeError),
    ("np.add(a)", TypeError),
    ("np.add(a, a, out=[n])", TypeError),
    ("np.roll(a, None)", TypeError),
    ("[n].append(n, n)", TypeError),
    ("str('text', 'text')", TypeError),
    ("a[0] @ n", TypeError),
    ("a.ravel(n)", TypeError),
    ("a.fill(a)", ValueError),
    ("n in box", TypeError),
    ("set([1, 2])[0]", TypeError),
    ("np.add.at(1j * x, 0, 1)", TypeError),
    ("list(reversed(n))", TypeError),
]
#: Expressions whose exceptions have texts that Python or NumPy makes of their operands.
TEXTS = [
    *[f"box {op} n" for op in ("+", "-", "*", "/", "//", "%", "**", "@", "<<", "&", "|", "^", "<")],
    *[f"x {op} 1j" for op in ("//", "%", "&", "<<")],
    "a[0] - None", "None ** np.float64(x)", "box >= np.float64(x)", "[n] * 1.5", "[n] + n",
    "(n,) + x", "[n] ** n", "'text' + n", "divmod(box, n)", "-box", "takes_one()",
    "takes_one(n, n)", "(lambda y: y)()", "np.matmul(a, np.ones(2))", "np.array([n, [n]])",
    "np.broadcast_to(a, 2)", "np.transpose(a, (1, 0))", "np.einsum('i->', x)",
    "a.reshape(2)", "(n,).count(n, n)", "[n].pop(n, n)", "np.add(a)", "np.repeat(a, [1, 2])",
    "bool(a)", "n in box", "[1].index(n)", "(1,).index(a[0])", "range(1).index(n)", "{1: x}[n]",
    "[1].index('text')", "[1].index(None)", "a.fill([n])", "(n, x) % 'text'", "[[x]] in 'text'", "np.tile(a, (n, x))",
]  # fmt: skip
#: Functions with an error at EXPRESSION, whether the plain one comes to it, and what it returns.
PLACES = {
    "branch": """
def f(a, n, x, box):
    if x > 0:
        EXPRESSION
    return x
""",
    "branch_of_elements": """
def f(a, n, x, box):
    if (a + x)[0] > 0:
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


@pytest.mark.parametrize("expression", TEXTS)
def test_texts_of_errors_are_pythons(expression, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PLACES["branch_of_elements"].replace("EXPRESSION", expression))
    names = {"np": np, "Empty": Empty, "takes_one": takes_one}
    exec(compile(path.read_text(), str(path), "exec"), names)
    raised = []
    for f in (names["f"], ingot.jit(names["f"])):
        with pytest.raises(Exception) as found:  # noqa: PT011
            f(np.arange(3, dtype=np.uint8), 2, 1.0, Empty())
        raised.append((found.type, str(found.value).strip()))
    assert raised[0] == raised[1]


def test_augmented_operators_have_texts_of_their_own():
    def f(x, y):
        total = [1.0]
        if x > 0:
            y += total
        return y

    for g in (f, ingot.jit(f)):
        assert g(-1.0, 2.0) == 2.0
        with pytest.raises(TypeError) as found:
            g(1.0, 2.0)
        assert str(found.value) == "unsupported operand type(s) for +=: 'float' and 'list'"


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
