"""Loops whose iterations run together, where no kernels run them: `raise-loops`.

Written loops of each kind leave no loop in StableHLO. Random ones, of which iterations may depend on
each other, agree with NumPy, and so do both where they are lowered as for an accelerator, which finds
recurrences, too.
"""

import copy
import random

import numpy as np
import pytest
from accelerators import for_accelerators

import ingot
from level import pick
from oracle import leaves_of
from sources import namespace_of

RNG = np.random.default_rng(0)
N = 24
X, Y, Z = RNG.normal(size=(3, N))
A, B = RNG.normal(size=(N, N + 3)), RNG.normal(size=(N, N))
#: A function's body, and how many loops it keeps.
LOOPS = {
    "own elements": ("for i in range(N):\n  x[i] = y[i] * 2 + x[i]", 0),
    "beside other elements": ("for i in range(1, N - 1):\n  x[i] = y[i - 1] - y[i + 1]", 0),
    "descending": ("for i in range(N - 1, 0, -1):\n  x[i] = y[i] - y[i - 1]", 0),
    "steps of three": ("for i in range(1, N, 3):\n  x[i] = y[i - 1] * i", 0),
    "the last one": ("for i in range(N - 1, 0, -1):\n  k = x[i] * i\nreturn k, i", 0),
    "sums": ("s = 0.0\nfor i in range(N):\n  s += x[i]\n  s -= y[i] * i\nreturn s", 0),
    "products": ("s = 1.0\nfor i in range(N):\n  s *= 1 + 0.1 * x[i]\nreturn s", 0),
    "maxima": ("s = x[3]\nfor i in range(N):\n  s = np.maximum(s, x[i] + y[i])\nreturn s", 0),
    "flags": ("s = False\nfor i in range(N):\n  s = s | (x[i] > 1.5)\nreturn s", 0),
    "counts": ("k = 0\nfor i in range(N):\n  if x[i] > y[i]:\n    k += 1\nreturn k", 0),
    "one branch": ("for i in range(N):\n  if x[i] > 0:\n    y[i] = np.sqrt(x[i])", 0),
    "two branches": (
        "for i in range(N):\n  if x[i] > 0:\n    y[i] = np.sqrt(x[i])\n  else:\n    z[i] = x[i]", 0),
    "both branches": (
        "for i in range(N):\n"
        "  if x[i] > 0.2:\n    y[i] = np.sqrt(x[i])\n"
        "  else:\n    if x[i] < -0.3:\n      y[i] += 3.0\n    y[i] *= x[i]", 0),
    "rows": ("for i in range(N):\n  a[i] = a[i, ::-1] * x[i]", 0),
    "columns": ("for i in range(N):\n  a[:, i] = x * a[:, i + 1]\n  b[i, 2] = x[i]", 0),
    "columns of two arrays": ("for i in range(N):\n  a[:, i] = x * b[:, i]", 0),
    "transposed": ("for i in range(N):\n  for j in range(N):\n    a[j, i] = b[i, j]", 0),
    "the diagonal": ("for i in range(N):\n  a[i, i] += 1.0", 0),
    "a stencil": (
        "for i in range(1, N - 1):\n  for j in range(1, N - 1):\n"
        "    a[i, j] = b[i, j] + b[i - 1, j] + b[i + 1, j] - b[i, j - 1] - b[i, j + 1]", 0),
    "a triangle": ("for i in range(N):\n  for j in range(i + 1):\n    a[i, j] *= 0.5", 0),
    "the other triangle": ("for i in range(N):\n  for j in range(N - 1, i, -1):\n    a[i, j] += i", 0),
    "a band": (
        "for i in range(N):\n  for j in range(max(0, i - 2), min(N, i + 3)):\n    a[i, j] = i - j", 0),
    "a product": (
        "for i in range(N):\n  for j in range(N):\n    for k in range(N):\n"
        "      a[i, j] += b[i, k] * b[k, j]", 0),
    "rows below one": ("for k in range(N):\n  for i in range(k + 1, N):\n    a[i] -= x[i] * a[k]", 1),
    "columns before one": (
        "for i in range(N):\n  for j in range(i, N):\n    b[i, j] -= b[i, :i] @ b[:i, j]", 1),
    "an element of others": (
        "for i in range(N):\n  for k in range(i):\n    x[i] = np.maximum(x[i], x[k] + y[k])", 1),
    "while loops": (
        "for i in range(N):\n  s = 0.0\n  k = 0\n  while s < 4.0 and k < 30:\n"
        "    s = s * s + x[i] + 1\n    k += 1\n  y[i] = k", 1),
    "inner loops of rows": (
        "for i in range(N):\n  for j in range(1, N):\n    a[i, j] += a[i, j - 1] * 0.5", 1),
    "elements by an index": ("for i in range(N):\n  x[i] = y[u[i]]", 0),
    "a histogram": ("for i in range(N):\n  x[u[i]] += y[i]\n  a[u[i]] -= b[0, i]", 0),
    "a histogram of some": ("for i in range(N):\n  if y[i] > 0:\n    x[u[i]] += 1.0", 1),
    "one element among others": ("for i in range(N):\n  x[0] += 0.5\n  x[u[i]] -= y[i]", 1),
    "the largest and where": (
        "s = x[0]\nk = 0\nfor i in range(N):\n  if x[i] > s:\n    s = x[i]\n    k = i\n"
        "return s, k", 0),
    "the least so far": (
        "s = 3.0\nfor i in range(N - 1, 0, -1):\n  if x[i] * y[i] <= s:\n    s = x[i] * y[i]\n"
        "  z[i] = s", 0),
    "the largest index": (
        "k = -1\nfor i in range(N):\n  k = max(k, u[i] * i)\nreturn k", 0),
    "the last above": (
        "k = -1\nfor i in range(N):\n  if x[i] > 0.5:\n    k = i\nreturn k", 0),
    "the first above": (
        "k = -1\nfor i in range(N - 1, -1, -1):\n  if x[i] > 0.5:\n    k = i\nreturn k", 0),
    "none above": ("k = -1\nfor i in range(N):\n  if x[i] > 50:\n    k = i\nreturn k", 0),
    "the last above of a part": (
        "k = -1\nfor j in range(N):\n  for i in range(j):\n    if x[i] > y[j]:\n      k = i - j\n"
        "  z[j] = k", 1),
    "running sums": ("s = 0.5\nfor i in range(N):\n  s += x[i]\n  y[i] = s * s\nreturn s", 0),
    "sums so far": ("s = 0.5\nfor i in range(N):\n  y[i] = s\n  s += x[i]\nreturn s", 0),
    "running sums of running sums": (
        "s = k = 0.5\nfor i in range(N - 1, 2, -1):\n  s += x[i]\n  k += s * y[i]\n"
        "  y[i] = k - s\nreturn s, k", 0),
    "running maxima of rows": (
        "s = a[0].copy()\nfor i in range(N):\n  s = np.maximum(s, a[i])\n  a[i] = s\nreturn s", 0),
    "running products": ("s = 1.0\nfor i in range(N):\n  s *= x[i] + 1\n  y[i] = s", 0),
    "running sums of triangles": (
        "for i in range(N):\n  s = 0.0\n  for j in range(i, N):\n    s += b[i, j]\n    a[i, j] = s", 0),
    "two earlier elements": ("for i in range(2, N):\n  x[i] = x[i - 1] + x[i - 2]", 1),
    "elements written later": ("for i in range(N - 2):\n  x[i] = x[i + 1]", 0),
    "rows written later": ("for i in range(N - 3):\n  b[i] = b[i + 1] - b[i + 3] * b[i, 2]", 0),
    "slices written later": ("for i in range(N - 4):\n  x[i] = x[i + 1:i + 4].sum()", 0),
    "written later, descending": ("for i in range(N - 1, 3, -1):\n  x[i] = x[i - 1] - x[i - 4]", 0),
    "elements of the row before": (
        "for i in range(1, N):\n  for j in range(N):\n    b[i, j] -= b[i - 1, j]", 1),
    "backwards": ("for i in reversed(range(N)):\n  x[i] = y[i] * i", 0),
    "from the end": ("for i in range(N):\n  x[N - 1 - i] = y[N - 1 - i] * 2", 0),
    "two columns, of which one depends on itself": (
        "for i in range(1, N):\n  a[i, 0] = x[i]\n  a[i, 5] = a[i - 1, 5] + y[i]", 1),
    "two columns, of which the other does": (
        "for i in range(1, N):\n  a[i, 0] = a[i - 1, 0] + y[i]\n  a[i, 5] = x[i]", 1),
    "elements written twice": ("for i in range(N):\n  x[u[i]] = y[i]", 1),
}  # fmt: skip

#: Recurrences s = a * s + b, in all forms in which neither a nor b depends on s.
RECURRENCES = {
    "the last one": "s = 0.5\nfor i in range(N):\n  s = s * x[i] + 1\nreturn s",
    "all of them": "s = 0.5\nfor i in range(N):\n  s = 0.9 * s + x[i]\n  y[i] = s",
    "those before": "s = 0.5\nfor i in range(N):\n  y[i] = s\n  s = y[i] * 0.2 - s\nreturn s",
    "backwards": "s = 0.0\nfor i in reversed(range(N)):\n  s = y[i] + 0.9 * s\n  x[i] = s",
    "quotients": "s = 0.5\nfor i in range(N):\n  s = (x[i] - s) / (2 + y[i] ** 2)\nreturn s",
    "twice": "s = 2.0\nfor i in range(N):\n  s = s + s * 0.01 - (3 * s - x[i]) / 9\n  y[i] = s",
    "under conditions": "s = 0.5\nfor i in range(N):\n  if x[i] > 0:\n    s = -s / 2 + y[i]\n  z[i] = s",
    "the last above": "s = 0.5\nfor i in range(N):\n  if x[i] > 0:\n    s = x[i]\n  z[i] = s",
    "of rows": "s = a[0] * 1.0\nfor i in range(N):\n  s = s * 0.5 + a[i]\n  a[i] = s",
    "of elements": "for i in range(1, N):\n  x[i] = y[i] * 0.1 + 0.5 * x[i - 1]",
    "of added elements": "for i in range(1, N):\n  x[i] += 0.5 * x[i - 1]",
    "of elements from the end": "for i in range(N - 2, -1, -1):\n  x[i] = y[i] - 0.3 * x[i + 1]",
    "of every second element": "for i in range(3, N, 2):\n  x[i] = x[i - 2] * 0.5 + y[i]",
    "of elements of rows": "for i in range(N):\n  for j in range(1, N):\n    b[i, j] += b[i, j - 1] / 2",
    "of elements of columns": "for i in range(1, N):\n  b[i] = b[i - 1] / 2 + a[i, :N]",
    "of two values": (
        "s = t = 0.5\nfor i in range(N):\n  s = 0.4 * s + x[i]\n  t = t * 0.3 + s\n  y[i] = t - s"),
    "of the other value": (
        "s = t = 0.5\nfor i in range(N):\n  s = 0.4 * s + x[i]\n  t = t * 0.3 * np.cos(s) + 1\n"
        "return s, t"),
    "that grow": "s = 1.0\nfor i in range(N):\n  s = s * (1 + y[i] ** 2) + x[i] ** 2\n  z[i] = s",
    "that cancel": "s = 3.7\nfor i in range(N):\n  s = 2.0 * s - 3.7\n  z[i] = s",
    "that overflow": "s = 0.0\nfor i in range(N):\n  s = s * 1e200 + (i > 20)\n  z[i] = s",
    "of infinite terms": "s = 1.0\nfor i in range(N):\n  s = s * 0.5 + 1 / (x[i] * (i != 7))\n  z[i] = s",
    "of some not numbers": (
        "s = 1.0\nx[5] = np.nan\nfor i in range(N):\n  s = s * 0.5 * (i != 9) + x[i] * (i != 5)\n"
        "  if i == 12:\n    s = 0.25\n  z[i] = s"),
    "of a part": "s = 1.0\nfor i in range(2, int(u[1]) + 3):\n  s = s * 0.5 + x[i]\n  z[i] = s",
    "of a part, backwards": "for i in range(int(u[1]) + 3, 1, -1):\n  z[i] = z[i + 1] * 0.5 + x[i]",
    "in a loop": (
        "for k in range(3):\n  for i in range(1, N):\n    x[i] = (x[i] + x[i - 1] + y[i]) / 3\n"
        "  x[0] += x[1]"),
    "of neighbours": (
        "for k in range(2):\n  for i in range(1, N - 1):\n    for j in range(1, N - 1):\n"
        "      b[i, j] = (b[i - 1, j] + b[i, j - 1] + b[i, j] + b[i, j + 1] + b[i + 1, j]) / 5"),
    "of negative zeros": "s = -0.0\nfor i in range(N):\n  s = s * 0.5 - 0.0\n  z[i] = np.copysign(1, s)",
}  # fmt: skip
INTEGERS = {
    "a hash": "k = 7\nfor i in range(N):\n  k = k * 31 + u[i]\nreturn k",
    "the last place": "k = -1\nfor i in range(N):\n  if x[i] > 0:\n    k = i\n  u[i] = k",
    "of unsigned numbers": (
        "k = np.uint32(7)\nfor i in range(N):\n  k = np.uint32(5) - k * np.uint32(u[i])\nreturn k"),
}  # fmt: skip

#: Indices and statements of random loops, over elements from the third to the one before the last
#: two. What they read may be what other iterations write.
PLACES = ["i", "i", "i", "i + 1", "i - 1", "j", "j", "j - 2", "(i + j) % N", "1", "25 - i", "u[i]"]
VALUES = [
    "x[{p}]", "y[{p}]", "a[{p}, {q}]", "b[{p}, {q}]", "0.5", "i", "s", "t", "x[:{p}].sum()",
    "a[i - 1, 5]", "a[i, 4]", "{w}.sum()", "z[i - 1:i + 2] @ b[3:6, 1]",
]  # fmt: skip
#: Parts with more than one index, in which those of other iterations may be, too.
WINDOWS = [
    "x[i - 2:i + 1]", "y[i - 3:i + 2:2]", "a[i - 1:i + 2, 4]", "b[i - 2:i, {p}]",
    "a[i - 1:i + 2, j - 2:j + 1]",
]  # fmt: skip
STORES = [
    "{v} {o} {e}", "{v} {o} {e}", "s += {e}", "s = np.maximum(s, {e})", "t = {e} * 1.0",
    "if {e} > s:\n{d}  s = {e} + 0.0\n{d}  t = i * 1.0", "if {f} > {e}:\n{d}  t = {f} * 2.0",
    "{w} += {e}", "{w} {o} {e}", "s = s * 0.5 + {e}", "{v} = 0.5 * x[i - 1] + {e}", "x[i] = x[i - 1] * {f} + {e}",
    "if {e} > {f}:\n{d}  {v} {o} {e}", "if {e} < 0.1:\n{d}  s += {f}\n{d}else:\n{d}  {v} {o} {f}",
]  # fmt: skip
TARGETS = [
    "x[{p}]",
    "y[{p}]",
    "a[{p}, {q}]",
    "a[{q}, {p}]",
    "a[i]",
    "b[:, i]",
    "a[i, 4]",
    "a[i, 5]",
]
RANGES = ["3, 22", "21, 2, -1", "3, 22, 2", "4, int(u[3]) + 9", "5, 21"]
INNER = ["3, 22", "3, i", "i, 22", "i, 2, -1", "i + 1, 22"]


def arguments():
    u = RNG.integers(0, 12, N)
    return copy.deepcopy((X, Y, Z, A, B, u))


def agrees(function, args):
    ours, theirs = copy.deepcopy(args), copy.deepcopy(args)
    returned = function(*theirs), ingot.jit(function, native=False)(*ours)
    assert (returned[0] is None) == (returned[1] is None)
    expected, found = (
        leaves_of((() if each is None else each, given))
        for each, given in zip(returned, (theirs, ours), strict=True)
    )
    assert len(found) == len(expected)
    for mine, given in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, given, rtol=1e-9, atol=1e-9)
        assert np.asarray(mine).dtype == np.asarray(given).dtype


def function_of(body, folder, name="f", others=""):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return namespace_of(f"N = {N}\ndef f(x, y, z, a, b, u):\n{lines}{others}", folder)[name]


@pytest.mark.parametrize("name", LOOPS)
def test_loops_of_a_kind(name, tmp_path):
    body, kept = LOOPS[name]
    function = function_of(body, tmp_path)
    args = arguments()
    agrees(function, args)
    text = ingot.jit(function, native=False).lower(*args).stablehlo()
    assert text.count("stablehlo.while") == kept


@pytest.mark.parametrize("name", RECURRENCES)
def test_recurrences(name, tmp_path, accelerator):
    function = function_of(RECURRENCES[name], tmp_path)
    with np.errstate(all="ignore"):
        agrees(function, arguments())
    text = ingot.jit(function, native=False).lower(*arguments()).stablehlo()
    # It decides between all steps together and the loop.
    assert "stablehlo.is_finite" in text


@pytest.mark.parametrize("name", INTEGERS)
def test_recurrences_of_integers(name, tmp_path, accelerator):
    function = function_of(INTEGERS[name], tmp_path)
    with np.errstate(all="ignore"):
        agrees(function, arguments())
    text = ingot.jit(function, native=False).lower(*arguments()).stablehlo()
    assert "stablehlo.while" not in text


@pytest.fixture
def accelerator():
    with for_accelerators():
        yield


LOSS = """
def loss(x, y, z, a, b, u):
    x, y, z, a, b = x * 1.0, y * 1.0, z * 1.0, a * 1.0, b * 1.0
    found = f(x, y, z, a, b, u)
    total = 0.0 if found is None else np.sum(np.array(found))
    return total + x @ y + np.sum(z * 0.3) + np.sum(a[:, :N] @ b)
"""


def derivatives_agree(body, folder):
    """As those by kernels, in which the steps run one after the other."""
    gradient = ingot.grad(function_of(body, folder, "loss", LOSS), (0, 1, 3, 4))
    args = arguments()
    expected = ingot.jit(gradient)(*args)
    with for_accelerators():
        found = ingot.jit(gradient, native=False)(*args)
    for mine, given in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, given, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", [*RECURRENCES, *LOOPS])
def test_derivatives(name, tmp_path):
    derivatives_agree(RECURRENCES.get(name) or LOOPS[name][0], tmp_path)


#: Recurrences whose reverse passes are recurrences, too.
REVERSED = [
    "the last one", "all of them", "those before", "backwards", "quotients", "of rows", "of elements",
    "of added elements", "of elements from the end", "of elements of rows", "of elements of columns",
]  # fmt: skip


@pytest.mark.parametrize("name", REVERSED)
def test_reverse_passes_of_recurrences(name, tmp_path, accelerator):
    gradient = ingot.grad(function_of(RECURRENCES[name], tmp_path, "loss", LOSS), (0, 1, 3, 4))
    text = ingot.jit(gradient, native=False).lower(*arguments()).stablehlo()
    # Each loop that remains is what a check decides against.
    assert text.count("stablehlo.while") == text.count("stablehlo.is_finite") > 0


def random_loops(random):
    def filled(text, depth):
        places, windows = (
            [each for each in texts if depth == 2 or "j" not in each] for texts in (PLACES, WINDOWS)
        )
        while "{" in text:
            text = text.format(
                v=random.choice(TARGETS), o=random.choice(["=", "+=", "*="]), d="  " * depth,
                e=random.choice(["{a}", "{a} * {b}", "np.abs({a})", "{a} - {b}"])
                .replace("{a}", random.choice(VALUES)).replace("{b}", random.choice(VALUES)),
                f=random.choice(VALUES), w=random.choice(windows), p=random.choice(places), q=random.choice(places),
            )  # fmt: skip
        return text

    lines = ["s = 0.25", "t = 1.5"]
    for _ in range(random.choice([1, 1, 2])):
        lines.append(f"for i in range({random.choice(RANGES)}):")
        for _ in range(random.choice([1, 1, 2])):
            if random.random() < 0.5:
                lines.append("  " + filled(random.choice(STORES), 1))
                continue
            lines.append(f"  for j in range({random.choice(INNER)}):")
            lines += [
                "    " + filled(random.choice(STORES), 2) for _ in range(random.choice([1, 2]))
            ]
    return "\n".join([*lines, "return s, t"])


@pytest.mark.parametrize("seed", range(pick(20, 100, 1000)))
def test_random_loops(seed, tmp_path):
    function = function_of(random_loops(random.Random(seed)), tmp_path)
    with np.errstate(all="ignore"):
        agrees(function, arguments())


@pytest.mark.parametrize("seed", range(pick(20, 100, 1000)))
def test_random_loops_for_accelerators(seed, tmp_path, accelerator):
    test_random_loops(seed, tmp_path)


@pytest.mark.parametrize("seed", range(pick(5, 25, 250)))
def test_random_derivatives(seed, tmp_path):
    derivatives_agree(random_loops(random.Random(seed)), tmp_path)
