"""`copy.copy` and `copy.deepcopy`."""

import copy

import numpy as np
import pytest
from plain import Programs, refused, same

programs = Programs()
X = np.array([1.0, 2.0, 3.0])


class Model:
    def __init__(self, weights):
        self.weights, self.losses, self.name = weights, [1.0], "model"


class Copied:
    def __init__(self, value):
        self.value = value

    def __copy__(self):
        return Copied(self.value + 1)

    def __deepcopy__(self, memo):
        return Copied(copy.deepcopy(self.value, None) * 2)


class Reduced(Model):
    def __getstate__(self):
        return {}


@programs((X,))
def containers(x):
    held = [x, [x + 1], {"a": x, "b": [1, 2]}, (x, [3]), {1, 2}]
    flat, deep = copy.copy(held), copy.deepcopy(held)
    deep[1].append(5)
    deep[0][0] = 99.0
    flat[1].append(7)
    deep[4].add(3)
    return held, flat, deep


@programs((X,))
def shared_parts_stay_shared(x):
    part = [1]
    deep = copy.deepcopy([part, part, x, x, (part,)])
    deep[0].append(2)
    return deep, deep[0] is deep[1], deep[2] is deep[3], deep[4][0] is deep[0], deep[2] is x, part


@programs((X,))
def instances(x):
    model = Model(x)
    deep, flat = copy.deepcopy(model), copy.copy(model)
    deep.losses.append(2.0)
    flat.losses.append(3.0)
    flat.weights = 0
    return model.losses, deep.losses, flat.losses, deep.weights is x, flat.weights, model.weights


@programs((X,))
def methods_of_the_class(x):
    return copy.copy(Copied(x)).value, copy.deepcopy(Copied(x)).value


@programs((X,), (X[::-1],), (X.astype("f4"),))
def arrays(x):
    a, b = copy.copy(x), copy.deepcopy(x)
    a[0] = 5
    view = copy.deepcopy(x[::2])
    view[0] = 7
    return a, b, view, x, copy.copy(np.ones((2, 3)).T), copy.deepcopy(np.ones((2, 3)).T)


@programs((X,))
def constants(x):
    return (
        copy.copy(3),
        copy.deepcopy("a"),
        copy.deepcopy(None),
        copy.copy(np.float64(2.0)),
        copy.copy((1, x)),
    )


@programs((X,), (-X,))
def what_differs_on_paths(x):
    y = x if x[0] > 0 else None
    parts = [x]
    if x[1] > 0:
        parts.append(x * 2)
    deep = copy.deepcopy(parts)
    deep[0][0] = 9.0
    return copy.deepcopy(y), deep, parts, len(copy.copy(parts))


@programs((X,), (-X,))
def lists_of_run_time_lengths(x):
    found = [0.5]
    for v in x:
        if v > 1:
            found.append(v)
    deep = copy.deepcopy(found)
    deep.append(1.0)
    return found, deep, copy.copy(found)


@pytest.mark.parametrize("f, cases", programs)
def test_programs(f, cases):
    for case in cases:
        same(f, *case)


def test_arguments():
    def f(model, table):
        deep = copy.deepcopy(model)
        deep.weights[0] = 4.0
        model.losses.append(2.0)
        other = copy.deepcopy(table)
        other["rows"].append(1)
        return deep.weights, deep.losses, other

    same(f, Model(X), {"rows": [X]})


@pytest.mark.parametrize(
    "f, match",
    [
        (lambda x: copy.deepcopy([x], {}), "with a memo"),
        (lambda x: copy.copy(Reduced(x)).name, "by a method of its own"),
        (lambda x: list(copy.copy(iter([x]))), "a copy of list_iterator|a copy of"),
    ],
)
def test_refused(f, match):
    refused(f, X, match=match)


class Rebuilt:
    def __init__(self, v):
        self.v = v

    def __reduce__(self):
        return Rebuilt, (self.v,)


def test_a_copy_by_another_hook_is_refused():
    def f(x):
        return copy.copy(Rebuilt(x)).v

    refused(f, np.ones(2), match="says by a method of its own")
