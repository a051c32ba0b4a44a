"""What it costs to make derivatives: their functions are evaluated once, and nests of loops are
expanded in time that does not double with their depth."""

import re
import time

import numpy as np
import pytest

import ingot

ORDERS = {
    "grad": ingot.grad,
    "jacfwd": ingot.jacfwd,
    "jacrev": ingot.jacrev,
    "hessian": ingot.hessian,
    "forward three times": lambda f: ingot.jacfwd(ingot.jacfwd(ingot.jacfwd(f))),
    "backward over forward over backward": lambda f: ingot.jacrev(ingot.jacfwd(ingot.grad(f))),
    "of a batch": lambda f: ingot.jacfwd(lambda x: ingot.vmap(ingot.grad(f))(np.stack((x, x)))),
}


class Counted:
    """A function that compiled code calls, and that counts the calls that are emitted."""

    def __init__(self):
        self.count = 0

    def __ingot_emit__(self, ev, args, kwargs, node):
        self.count += 1
        return args[0]


@pytest.mark.parametrize("order", ORDERS)
def test_a_function_is_evaluated_once(order):
    counted = Counted()

    def f(x):
        return np.sum(counted(x) ** 4)

    ORDERS[order](f).lower(np.array([1.0, 2.0]))
    assert counted.count == 1


def test_jacobians_of_a_function_that_checks_and_prints(capfd):
    def f(x):
        if x[0] < 0:
            raise ValueError("negative")
        print("once")
        return x**2

    jacobian = ingot.jacfwd(f)(np.array([1.0, 2.0]))
    np.testing.assert_array_equal(jacobian, [[2, 0], [0, 4]])
    with pytest.raises(ValueError, match="negative"):
        ingot.jacrev(f)(np.array([-1.0, 2.0]))


def test_a_jacobian_copies_its_function_once_for_each_argument(compile_text):
    lines = ["def f(x):", "    y = x", *["    y = np.sin(y) * x + y"] * 40, "    return np.sum(y)"]
    f = compile_text("\n".join(lines))["f"]

    def length(g):
        return len(g(f).lower(np.ones(3)).ir().splitlines())

    assert length(ORDERS["forward three times"]) < 1.5 * length(ingot.grad)


def nest(depth):
    """A function of loops in each other, that keep more than memory has room for."""
    lines = ["def f(x):"]
    lines += [f"{'    ' * (i + 1)}for i{i} in range(5000):" for i in range(depth)]
    lines += ["    " * (depth + 1) + "x = np.sin(x) * x + np.cos(x) * x"] * 10
    return "\n".join([*lines, "    return np.sum(x)"])


def expansion_time(function):
    lowered = ingot.grad(function).lower(np.ones(300))
    module = lowered.module
    times = []
    for _ in range(3):
        copy = module.clone()
        start = time.perf_counter()
        copy.run("expand-transformations")
        times.append(time.perf_counter() - start)
    return min(times)


def test_nested_loops_take_no_exponential_time(compile_text):
    times = {depth: expansion_time(compile_text(nest(depth))["f"]) for depth in (4, 8, 12)}
    # The loop around each runs it again, so the code grows with the square of the depth.
    assert times[8] < 30 * times[4]
    assert times[12] < 60 * times[4]


#: What a loop takes one element of in each iteration.
VIEWS = [
    "x[::-1]", "x[::-3]", "np.flipud(x)", "x.reshape(-1, 4).T[1]", "np.broadcast_to(x, (2, len(x)))[1]",
    "(x * 1j).imag", "np.concatenate([x, x])", "np.roll(x, 3)", "np.pad(x, 2)", "np.stack([x, x])[0]",
]  # fmt: skip


@pytest.mark.parametrize("view", VIEWS)
def test_elements_of_a_view_are_not_added_as_whole_arrays(view, compile_text):
    f = compile_text(
        f"import numpy as np\ndef f(x):\n    s = 0.5\n    for each in {view}:\n"
        "        s = np.sin(s) + each * s\n    return s"
    )["f"]
    text = ingot.grad(f).lower(np.ones(400)).ir(after="expand-transformations")
    inside = re.findall(r"ingot\.for .*?^ +}$", text, re.DOTALL | re.MULTILINE)
    assert len(inside) == 2
    whole = ("ingot.flip", "ingot.broadcast_to", "ingot.pad", "ingot.real", "ingot.imag", "ingot.complex",
             "ingot.concatenate", "ingot.transpose")  # fmt: skip
    assert not [name for name in whole for loop in inside if f" {name} " in loop]
