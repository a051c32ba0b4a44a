"""Short circuits, chained comparisons, truth: what is not reached is not checked. PYTEST_DONT_REWRITE"""

import numpy as np
import pytest
from plain import Programs, same_for, same_or_refused, written

from level import pick

programs = Programs()
#: What may be refused: it can't be known which one of several objects is meant, or how many.
hard = Programs()
A = np.array([1, 2, 3])
X = np.array([1.0, -2.0, 3.5])


# Truth and chained comparisons.


@programs(1.0, 0.0)
def truth_of_containers(x):
    l = [x]
    out = []
    for c in (l, [], (), (x,), {}, {"a": x}, "", "a", None, 0, 0.0, range(0), range(2)):
        if c:
            out.append(1)
        else:
            out.append(0)
    return out, 5 if l and x else 6, not l, not (l and [])


@programs(1.0, 0.0, -1.0)
def values_of_and_and_or(x):
    l = [x]
    return l or 5, [] or l, l and x, x and 2.0, x or 3.0, None or x, 0 or x


@programs((A, 0, 1), (A, 2, 5), (A, 5, 1), (A, -4, 9), (A, 1, 1))
def chain_stops_before_an_index(a, n, k):
    return 1 if 0 <= n < 3 and a[n] > 1 else 2, 3 if k < 2 < a[n] else 4


@programs((A, 0), (A, 2), (A, 5), (A, -9))
def chain_with_a_check_at_the_end(a, n):
    return 1 if 0 <= n < len(a) <= a[n] else 2


@programs((4, 0), (4, 2), (0, 0), (-1, 0))
def chain_with_a_division(k, n):
    return 5 if 0 < k < 10 // n else 6


@programs((1.0, 2.0, 3.0), (1.0, 3.0, 2.0), (3.0, 2.0, 2.0))
def chain_of_many(a, b, c):
    return a < b < c, a < b != c > a, a <= b == b >= c


@hard(3)
def chain_calls_the_middle_once(n):
    calls = []

    def middle(v):
        calls.append(v)
        return v

    return 1 < middle(n) < 5, 5 < middle(n) < middle(9), len(calls)


@programs((A, 1), (A, 5))
def assert_that_short_circuits(a, n):
    assert n < 3 and a[n] > 0 or n == 5, "outside"
    return n


@programs(1.0, -1.0)
def plain_assert(x):
    assert x > 0
    return x


@programs((1.0, 1), (-1.0, 1), (1.0, 0))
def raises_on_paths(x, n):
    if x < 0:
        raise ValueError("x is negative")
    if n == 0:
        raise KeyError("n")
    return x


# The examples that took the wrong branch.

I = np.array([1, 5, 1, 5])
F = np.array([7.0, 9.0, 9.0, 5.0])


@programs(*((a, n) for a in (I, F) for n in range(-5, 7)))
def and_of_or(a, n):
    return 2 if n < 1 and (a[0] <= 1 or a[n] == 9) else 3


@programs(*((a, n) for a in (I, F) for n in range(-5, 7)))
def or_of_and(a, n):
    return 2 if n > 5 or (a[0] > 5 and a[n] == 9) else 3


@programs(*((a, n) for a in (I, F) for n in range(-5, 7)))
def in_a_while(a, n):
    k = 0
    while k < 3 and (a[0] <= 1 or a[k + n] == 9):
        k += 1
    return k


@programs(*((a, n) for a in (I, F) for n in range(-2, 3)))
def with_a_division(a, n):
    return 2 if n < 1 and (a[0] <= 1 or 5 // n == 9) else 3


@programs(*((a, n) for a in (I, F) for n in range(-5, 7)))
def in_a_loop_with_if(a, n):
    count = 0
    for i in range(5):
        if i < 4 and (a[i] > 5 or (n >= 0 and a[n] == a[i])):
            count += 1
        elif not (i < 4 and a[i] == 5) or a[n] > 0:
            count += 10
    return count


@programs(*((a, n) for a in (I, F) for n in range(-5, 7)))
def in_any_and_all(a, n):
    return any(i < 4 and a[i] == 9 for i in range(5)) or all(n < 4 and a[n] > v for v in (0, 1))


@programs(*((A, n) for n in range(-1, 5)))
def in_a_helper(a, n):
    def inside(i):
        return 0 <= i and i < len(a)

    return 1 if inside(n) and (a[n] == 2 or inside(n + 1) and a[n + 1] == 2) else 0


@programs(*((A, n) for n in range(-1, 5)))
def in_an_assert(a, n):
    assert n >= 3 or (n >= 0 and a[n] != 2), "message"
    return n


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    same_for(f, cases)


# All formulas of depth 2 over atoms with and without checks, for all inputs.

ATOMS = ("p", "a[n] == 9", "6 // n == 2")
PAIRS = [f"({x} {op} {y})" for x in ATOMS for op in ("and", "or") for y in ATOMS]
INPUTS = [
    (np.array(a), n, p)
    for a in ([9, 1, 9], [1, 9, 1])
    for n in (-4, -2, 0, 1, 2, 3)
    for p in (True, False)
]
CONTEXTS = {
    "value": "return 2 if {} else 3",
    "branch": """
    r = 1
    if {}:
        r = 2
    elif p:
        r = 3
    return r""",
    "while": """
    k = 0
    while k < 3 and {}:
        k += 1
        n += 1
    return k""",
    "choice": "return (2 if p else 3) if {} else (4 if a[0] > 1 else 5)",
}
SHAPES = {
    "right": [f"{x} {op} {y}" for x in ATOMS for op in ("and", "or") for y in PAIRS],
    "left": [f"{y} {op} {x}" for x in ATOMS for op in ("and", "or") for y in PAIRS],
    "both": [f"{x} {op} {y}" for op in ("and", "or") for x in PAIRS for y in PAIRS],
    "not": [f"not {x} {op} not {y}" for op in ("and", "or") for x in ATOMS for y in PAIRS],
    "choice": [f"({x} if {y} else {z})" for x in ATOMS for y in PAIRS for z in ATOMS],
}


def formulas(context, shape):
    every = SHAPES[shape]
    # Another part of the formulas in each context.
    step = max(1, len(every) // pick(3, 3, 8))
    return every[list(CONTEXTS).index(context) % step :: step]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("context", CONTEXTS)
def test_formulas(context, shape):
    wrong = []
    for formula in formulas(context, shape):
        body = CONTEXTS[context].format(f"({formula})")
        f = written(f"def f(a, n, p):\n    {body.strip()}")
        try:
            same_for(f, INPUTS)
        except AssertionError as error:
            wrong.append(f"{formula}: {str(error)[:200]}")
    assert not wrong, f"{len(wrong)} of {len(formulas(context, shape))}:\n" + "\n".join(wrong)


@pytest.mark.parametrize("f, cases", hard)
def test_hard_programs(f, cases):
    for case in cases:
        same_or_refused(f, *case)


def divides(n):
    z = 0
    while z < 1 and (z and z // z or 1):
        z += 1
    return z + n


def divides_upwards(n):
    z = 0
    while z < 1 and (not z or 1 // z - 1):
        z -= 1
        if z < -n:
            break
    return z + n


def divides_by_what_is_left(n):
    z = 0
    while z <= 3 and (3 - z and n // (3 - z) or n % (z + 1) or z - 4):
        z += 1
    return z + n


def divides_in_a_branch(n):
    z = 2
    total = 0
    while z < 5:
        if z < 2:
            total += n // z + 5 % z
        if z < 1:
            total += n // z
        z += 1
    return total


@pytest.mark.parametrize(
    "f", [divides, divides_upwards, divides_by_what_is_left, divides_in_a_branch]
)
def test_operands_that_divide_by_a_counter(f, check):
    """What an operand before rules out is not computed."""
    for n in (0, 1, 7):
        check(f, n)
