"""Sets have their elements in the order that Python gives them, which depends on their history."""

import random

import pytest

import ingot


def added(first, second):
    made = set()
    for each in first:
        made.add(each)
    return list(made), [each for each in made]


def updated(first, second):
    made = set(first)
    made.update(second)
    also = made
    also |= {5, *first}
    return list(made), tuple(also), list(made.copy())


def removed(first, second):
    made = set(first)
    for each in second:
        made.discard(each)
    made.difference_update(first[:2])
    made.update(second, first)
    return list(made)


def operated(first, second):
    one, two = set(first), set(second)
    made = one | two, one & two, one - two, one ^ two
    one &= two
    two -= {3}
    return [list(each) for each in (*made, one, two)]


def by_methods(first, second):
    made = set(first)
    found = made.union(second), made.intersection(second), made.difference(second)
    return [list(each) for each in (*found, made.symmetric_difference(second))]


def popped(first, second):
    made, found = set(first), []
    while made:
        found.append(made.pop())
    return found


def displayed(first, second):
    by = dict.fromkeys(first, 1.0)
    return (
        list({*first}),
        list({each % 50 for each in first}),
        list(set(by)),
        list(frozenset(first)),
    )


def of_frozensets(first, second):
    kept = frozenset(first)
    return list(kept), list(kept | set(second)), list({1, 7} | kept), list(kept - {2})


class Graph:
    def __init__(self):
        self.seen = set()

    def visit(self, at):
        if at in self.seen:
            return 0
        self.seen.add(at)
        return 1


def in_an_object(first, second):
    graph = Graph()
    count = sum([graph.visit(at) for at in first])
    return count, list(graph.seen)


def around_loops(first, second, x):
    made, total = set(), 0.0
    for each in first:
        made.add(each)
    for i in range(20):
        if x > i:
            total += len(made)
    return list(made), total


FUNCTIONS = [
    added, updated, removed, operated, by_methods, popped, displayed, of_frozensets, in_an_object
]  # fmt: skip


def numbers(rng, most):
    return tuple(rng.randrange(rng.choice([10, 100, 1000])) for _ in range(rng.randrange(most)))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_order(function):
    rng = random.Random(3)
    compiled = ingot.jit(function, static=(0, 1))
    for _ in range(12):
        given = numbers(rng, 40), numbers(rng, 20)
        assert compiled(*given) == function(*given)


def test_order_around_loops_of_the_program():
    rng = random.Random(4)
    compiled = ingot.jit(around_loops, static=(0, 1))
    for _ in range(8):
        given = numbers(rng, 40), numbers(rng, 20), 2.5
        assert compiled(*given) == around_loops(*given)


def test_order_of_arguments_and_of_sets_from_outside():
    def f(given):
        return list(given), [each for each in kept], sum([2.0**-i * v for i, v in enumerate(kept)])

    rng = random.Random(5)
    for _ in range(12):
        kept = set()
        for each in numbers(rng, 40):
            kept.add(each)
        given = {*numbers(rng, 40)}
        assert ingot.jit(f)(given) == f(given)


@pytest.mark.parametrize("op", ["&", "|", "-", "^"])
def test_operators_of_views(op, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"""
def f(x, d, other):
    made = d.keys() {op} {{"a", "c"}}, {{"a", "c"}} {op} d.keys(), d.keys() {op} d.keys()
    return *made, d.keys() {op} ["a"], ("c", "a") {op} d.keys(), d.keys() {op} other, x
""")
    names = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    f = names["f"]
    given = 2.5, {"a": 1.0, "b": 2.0}, {"b": 3.0}
    assert ingot.jit(f)(*given) == f(*given)
