"""`np.repeat` by run-time counts, and the bounds of arrays of integers."""

import numpy as np
import pytest
from plain import refused, same_for

import ingot
from expressions import same_value, split
from oracle import assert_same
from sources import namespace_of

A = np.array([[3.0, 0, -1], [0, 2, 5], [-1, 4, 0]])
V = np.array([1.5, -2.0, 7.0])
C = np.array([3, 0, 2])
BY_COUNTS = """
np.repeat(v, c % 3) ;; np.repeat(v, c > 0) ;; np.repeat(v, np.minimum(np.abs(c), 4)) ;; np.repeat(v, np.clip(c, 0, 2)) ;; np.repeat(v, (c > 0) * 3) ;; np.repeat(v, (c > 0).astype(np.int32)) ;; np.repeat(v, np.where(c > 0, 2, 1))
np.repeat(v, c & 3) ;; np.repeat(v, c % 3 + 1) ;; np.repeat(v, c // 2 % 4) ;; np.repeat(v, (c % 4)[::-1]) ;; np.repeat(v, 3 - c % 3) ;; v.repeat(c % 4) ;; np.repeat(v, np.array([2, 0, 1])) ;; np.repeat(v, np.array([True, False, True])) ;; np.repeat(v, -(c % 2))
np.repeat(v, (c % 3).astype(np.uint8)) ;; np.repeat(v, (c % 3)[:1]) ;; np.repeat(v, c[:1] > 0) ;; np.repeat(v, np.maximum(c, 0) % 3) ;; np.repeat(a, c % 3) ;; np.repeat(a, np.repeat(c % 3, 3)) ;; ingot.bound(np.repeat(v, [c[0] % 3, 2, c[1]]), 9) ;; np.repeat(7, c[:1] % 3)
np.repeat(a, c % 3, axis=0) ;; np.repeat(a, c % 3, axis=1) ;; np.repeat(a, c > 0, axis=-1) ;; a.repeat(np.clip(c, 0, 5), axis=1) ;; np.repeat(a[:, v > 0], c % 3, axis=0) ;; np.repeat(a.T, c % 3, 0) ;; np.repeat(a, c[:1] % 3, axis=1)
np.repeat(v[v > 0], (c % 4)[v > 0]) ;; np.repeat(v[v > 0], c[v > 0] % 4) ;; np.repeat(v[v > 0], c[: c[2]] % 4) ;; np.repeat(v[v > 9], c[v > 9] % 4) ;; np.repeat(v[v > 0], c[1:] % 4) ;; np.repeat(v[v > 0], c % 4) ;; np.repeat(v[v > 0], c[:1] % 4) ;; np.repeat(v, (c % 4)[v > 0])
ingot.bound(np.repeat(v, c), 9) ;; ingot.bound(np.repeat(v, c), 5) ;; ingot.bound(np.repeat(v, c), 4) ;; ingot.bound(np.repeat(v, c), 0) ;; ingot.bound(v.repeat(c * 0), 0) ;; ingot.bound(np.repeat(v, c - 1), 9) ;; ingot.bound(np.repeat(v, c * 2**61), 9) ;; ingot.bound(np.repeat(a, c, axis=0), 9)
ingot.bound(np.repeat(a.T, c, axis=0), 9).T ;; ingot.bound(np.repeat(v[v > 0], c[v > 0]), 9) ;; ingot.bound(np.repeat(v[v > 9], c[v > 9]), 9) ;; ingot.bound(np.repeat(v[v > 0], c), 9) ;; ingot.bound(np.repeat(v[v > 0], c[1:]), 9) ;; ingot.bound(np.repeat(v, c % 3), 4) ;; ingot.bound(np.repeat(v, c[0]), 9)
ingot.bound(np.repeat(v, c[0]), 8) ;; ingot.bound(np.repeat(v, c[0] - 4), 8) ;; ingot.bound(np.repeat(v, c[:1]), 9) ;; ingot.bound(np.repeat(v[v > 9], c[0]), 0) ;; ingot.bound(np.repeat(v[v > 0], c[0]), 7) ;; ingot.bound(np.repeat(c, c), 9) ;; ingot.bound(np.repeat(v[:0], c[:0]), 2)
ingot.bound(np.repeat(v, c[:2]), 9) ;; ingot.bound(np.repeat(v, c[:0]), 9) ;; np.repeat(v, c[:2] % 3) ;; np.repeat(v, c[:, None] % 3) ;; np.repeat(v[:0], c[:0]) ;; np.repeat(v[:0], c[:1] % 3)
np.repeat(v, c % 3).sum() ;; np.repeat(v, c % 3)[1] ;; len(np.repeat(v, c % 3)) ;; np.repeat(v, c % 3) * 2 + 1 ;; np.cumsum(np.repeat(v, c % 3)) ;; np.repeat(np.repeat(v, c % 3), 2) ;; np.arange(len(np.repeat(v, c % 3))) - np.repeat(np.cumsum(c % 3) - c % 3, c % 3)
np.repeat(np.arange(3), c % 3, axis=0)[::-1] ;; [x * 2 for x in np.repeat(v, c % 2)] ;; np.repeat(v + 1j, c % 3) ;; np.repeat(v > 0, c % 3) ;; np.repeat(v.astype(np.float16), c % 3) ;; np.repeat([1, 2, 3], c % 3)
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(BY_COUNTS))
def test_against_numpy(expression, tmp_path):
    same_value(expression, tmp_path, a=A, v=V, c=C)


def decoded(values, counts):
    return ingot.bound(np.repeat(values, counts), 20)


def encoded(values, counts):
    line = decoded(values, counts)
    first = np.concatenate([np.ones(1, bool), line[1:] != line[:-1]])
    places = np.append(np.nonzero(first)[0], len(line))
    return line[first], np.diff(places), ingot.bound(np.repeat(line[first], np.diff(places)), 20)


def counted(values, counts):
    found, how_often = np.unique(counts, return_counts=True)
    return ingot.bound(np.repeat(found, how_often), counts.size)


def in_a_loop(values, counts):
    total, longest = 0.0, 0
    for i in range(6):
        line = ingot.bound(np.repeat(values, counts * i), 60)
        longest = max(longest, len(line))
        total += line.sum() + np.repeat(values, counts % (i + 1)) @ np.repeat(
            values, counts % (i + 1)
        )
    return total, longest


def grown(values, counts):
    found = np.zeros(0)
    for i in range(300):
        each = ingot.bound(np.repeat(values[i % 2], counts[i % 2]), 9)
        if i < 4:
            found = ingot.bound(np.append(found, each * i), 40)
    return found


def grown_at_first(values, counts):
    """Of a long loop, which is unrolled, the first iterations alone compute."""
    found = np.zeros(0)
    for i in range(2000):
        if i < 4:
            each = ingot.bound(np.repeat(values[i % 2], counts[i % 2]), 9)
            found = ingot.bound(np.append(found, each * i), 40)
    return found


def on_one_path(values, counts):
    if values[0] > 0:
        found = ingot.bound(np.repeat(values, counts), 9)
    else:
        found = values
    return found * 2


def before_it_changes(values, counts):
    line = np.repeat(values, counts)
    values[:] = 0
    counts[:] = 1
    return ingot.bound(line, 20)


def unrolled(values, counts):
    n, total = 1, 0.0
    for _ in range(3):
        n = n * 2
        total += np.repeat(values, n).sum()
    return total


PROGRAMS = [
    decoded, encoded, counted, in_a_loop, grown, grown_at_first, on_one_path, before_it_changes, unrolled,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS)
def test_programs(function):
    cases = [([1.0, 2, 1], [3, 1, 2]), ([-1.0, 4, 4], [1, 0, 4]), ([2.0, 2, 5], [0, 0, 1])]
    same_for(function, [tuple(map(np.array, case)) for case in cases])


@pytest.mark.parametrize("bound", ["ingot.bound(np.repeat(v, c), 9)", "np.repeat(v, c % 3)"])
@pytest.mark.parametrize("counts", [[-1, 3, 1], [3, -1, -1], [1, 2, -1]])
def test_negative_counts(bound, counts, tmp_path):
    """Where they are not bounded from below, NumPy's error; a remainder is not negative."""
    same_value(bound, tmp_path, v=V, c=np.array(counts))


def messages(v, c):
    return ingot.bound(np.repeat(v, c), 9)


def test_messages():
    compiled = ingot.jit(messages)
    with pytest.raises(ValueError, match="repeats may not contain negative values"):
        compiled(V, -C)
    with pytest.raises(ValueError, match="not from 0 to 9, as ingot.bound says"):
        compiled(V, C * 4)
    with pytest.raises(
        ValueError, match=r"could not be broadcast together with shape \(3,\) \(2,\)"
    ):
        compiled(V, C[:2])


USES = """
np.repeat(v, c) ;; np.repeat(v, c).sum() ;; len(np.repeat(v, c)) ;; np.repeat(v, c)[0] ;; np.repeat(v, c) + 1 ;; np.sum(np.repeat(v, c)) ;; [x for x in np.repeat(v, c)] ;; np.repeat(v, c).shape ;; v @ np.repeat(v, c)
-np.repeat(v, c) ;; v[np.repeat(c, c)] ;; np.repeat(np.repeat(v, c), 2) ;; np.repeat(v, np.repeat(c, c)) ;; isinstance(np.repeat(v, c), np.ndarray) ;; type(np.repeat(v, c)) is np.ndarray ;; bool(np.repeat(v, c)) ;; 1.0 in np.repeat(v, c)
np.concatenate([np.repeat(v, c), v]) ;; v[v > 0][np.repeat(c, c)] ;; (np.repeat(v, c), 1) ;; np.where(v > 0, np.repeat(v, c), 1) ;; ingot.bound(np.repeat(v, c)[1:], 9) ;; sum(np.repeat(v, c)) ;; np.repeat(a, c, axis=1) ;; np.repeat(v, c[0]) ;; f"{np.repeat(v, c)}"
""".strip()  # fmt: skip


@pytest.mark.parametrize("expression", split(USES))
def test_what_needs_a_bound(expression, tmp_path):
    text = f"import ingot\ndef f(a, v, c):\n    return {expression}\n"
    assert "ingot.bound" in refused(namespace_of(text, tmp_path)["f"], A, V, C)


@pytest.mark.parametrize("counts", [C * 1.0, C.astype(np.uint64)])
def test_dtypes_of_counts(counts):
    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        messages(V, counts)
    with pytest.raises(TypeError, match="according to the rule 'safe'"):
        ingot.jit(messages)(V, counts)


def stored(v, c):
    line = np.repeat(v, c)
    line[0] = 1
    return v


def stored_from(v, c):
    v[c > 0] = np.repeat(v, c)
    return v


def stored_at(v, c):
    v[np.repeat(c, c)] = 1
    return v


def added_to(v, c):
    line = np.repeat(v, c)
    line += 1
    return v


def looped_over(v, c):
    total = 0.0
    for each in np.repeat(v, c):
        total += each
    return total


def bounded_on_all_paths(v, c):
    line = np.repeat(v, c) if v[0] > 0 else v
    return ingot.bound(line, 9)


def repeated_in_a_loop(v, c):
    for i in range(100):
        line = np.repeat(v, c * i)
    return ingot.bound(line, 9)


@pytest.mark.parametrize(
    "function",
    [
        stored,
        stored_from,
        stored_at,
        added_to,
        looped_over,
        bounded_on_all_paths,
        repeated_in_a_loop,
    ],
)
def test_statements_that_need_a_bound(function):
    assert "ingot.bound" in refused(function, V, C)


def bounded_twice(v, c):
    line = np.repeat(v, c)
    one, other = ingot.bound(line, 9), ingot.bound(line, 8)
    one[0] = 5
    return one, other


def test_one_array_with_two_bounds():
    refused(bounded_twice, V, C, match="copy")


def power(v, c):
    return (ingot.bound(np.repeat(v, c), 12) ** 2).sum() + (np.repeat(v, c % 3) ** 3).sum()


def test_derivatives():
    expected = 2 * V * C + 3 * V**2 * (C % 3)
    np.testing.assert_allclose(ingot.grad(power)(V, C), expected)
    value, tangent = ingot.jvp(lambda v: power(v, C), (V,), (np.ones(3),))
    np.testing.assert_allclose([value, tangent], [power(V, C), expected.sum()])


def bounded_inside(v, c):
    line = np.repeat(v * 2, c)
    return ingot.grad(lambda x: (ingot.bound(line, 9) * x**2).sum())(2.0)


def test_a_bound_in_another_function():
    assert_same(ingot.jit(bounded_inside)(V, C), float(8 * V @ C))
    np.testing.assert_allclose(ingot.grad(bounded_inside)(V, C), 8.0 * C)


def test_batches():
    v, c = np.stack([V, V + 1]), np.stack([C, C[::-1] + 1])
    expected = [power(*each) for each in zip(v, c, strict=True)]
    np.testing.assert_allclose(ingot.vmap(power)(v, c), expected)
    lines = ingot.vmap(lambda v, c: ingot.bound(np.repeat(v, c), 9))
    assert_same(
        lines(v, np.stack([C, C[::-1]])), np.stack([np.repeat(v[0], C), np.repeat(v[1], C[::-1])])
    )
    with pytest.raises(ValueError, match="all input arrays must have the same shape"):
        lines(v, c)


def test_one_program_for_all_counts():
    programs = {ingot.jit(messages).lower(V, each).ir() for each in (C, C * 2, -C)}
    assert len(programs) == 1


def test_artifacts(tmp_path):
    ingot.export(messages, V, C).save(tmp_path / "m.ingot")
    loaded = ingot.load(tmp_path / "m.ingot")
    for counts in (C, C * 0, C[::-1]):
        assert_same(loaded(V, counts), messages(V, counts))


@pytest.mark.parametrize("expression", ["np.zeros(c[0] // 2)", "np.zeros(c[0] % 2**50)", "np.zeros(c.sum() // 3)", "np.repeat(v, c // 3)", "np.repeat(v, c % 2**50)", "np.repeat(v, np.abs(c) // 2)"])  # fmt: skip
def test_bounds_as_large_as_a_dtype(expression, tmp_path):
    text = f"def f(v, c):\n    return {expression}\n"
    assert "ingot.bound" in refused(namespace_of(text, tmp_path)["f"], V, C)


def test_bounds_of_narrow_integers():
    same_for(lambda v, c: np.repeat(v, c // 16), [(V, C.astype(np.uint8) * 20)])
