"""Calls of NumPy's loops and of the start of strict programs stay within their arrays: whatever a
program says, they fail before they read or write anything else."""

import numpy as np
import pytest

from ingot_runtime import clients, pjrt

BIG = 2**62


def ran(body, *arguments, result="tensor<4xf64>"):
    """What a program gives whose calls nothing has verified."""
    types = ", ".join(
        f"%a{i}: tensor<{''.join(f'{n}x' for n in x.shape)}{x.dtype.kind}{x.dtype.itemsize * 8}>"
        for i, x in enumerate(arguments)
    )
    text = f"func.func @main({types}) -> {result} {{\n{body}\n}}"
    executable = pjrt.compile_stablehlo(text, clients.default_device())
    return [np.asarray(each) for each in executable.run(list(arguments))]


def call(target, config, operands, types, results="tensor<4xf64>", count=1):
    made = "%r" if count == 1 else f"%r:{count}"
    first = "%r" if count == 1 else "%r#0"
    given = results if count == 1 else f"({results})"
    return (
        f"{made} = stablehlo.custom_call @ingot.{target}({operands}) {{api_version = 4 : i32, "
        f"backend_config = {{{config}}}}} : ({types}) -> {given}\n"
        f"return {first} : {results.partition('> ')[0].split(', t')[0]}"
    )


def listed(name, values):
    numbers = ", ".join(map(str, values))
    return f"{name} = array<i64{':' * bool(numbers)} {numbers}>"


def refused(body, *arguments, result="tensor<4xf64>"):
    with pytest.raises(clients.jaxlib().XlaRuntimeError, match="INVALID_ARG|has no loop"):
        ran(body, *arguments, result=result)


X, M = np.array([3.0, 1.0, 2.0, 0.0]), np.arange(4.0).reshape(2, 2) + np.eye(2)
VECTOR, MATRIX = "tensor<4xf64>", "tensor<2x2xf64>"

# Generalised ufuncs.

DIMS, STEPS = (1, 2, 2, 2), (32, 32, 32, 16, 8, 16, 8, 16, 8)


def product(dims=DIMS, steps=STEPS, name="matmul", types=f"{MATRIX}, {MATRIX}", result=MATRIX):
    config = f'name = "{name}", {listed("dims", dims)}, {listed("steps", steps)}'
    return call("numpy.gufunc", config, "%a0, %a1", types, result)


def changed(values, place, value):
    return (*values[:place], value, *values[place + 1 :])


def test_a_product():
    np.testing.assert_array_equal(ran(product(), M, M, result=MATRIX)[0], M @ M)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("value", [3, -1, BIG, -BIG, 2**31, 2**40])
def test_extents(place, value):
    refused(product(changed(DIMS, place, value)), M, M, result=MATRIX)


@pytest.mark.parametrize("place", range(3, 9))
@pytest.mark.parametrize("value", [64, -8, BIG, -BIG, 2**40])
def test_steps(place, value):
    refused(product(steps=changed(STEPS, place, value)), M, M, result=MATRIX)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("value", [64, -8, BIG])
def test_steps_between_items(place, value):
    refused(
        product((2, 2, 1, 1), changed((16, 0, 0, *STEPS[3:]), place, value)), M, M, result=MATRIX
    )


def test_lists_of_other_lengths():
    for dims, steps in (DIMS[:3], STEPS), ((*DIMS, 1), STEPS), (DIMS, STEPS[:8]), ((), ()):
        refused(product(dims, steps), M, M, result=MATRIX)


@pytest.mark.parametrize("name", ["add", "frompyfunc", "solve", "svd", "", "matvec"])
def test_other_functions(name):
    refused(product(name=name), M, M, result=MATRIX)


def test_empty_products():
    empty = np.zeros((2, 0))
    steps = (0, 0, 32, 0, 8, 16, 8, 16, 8)
    body = product((1, 2, 0, 2), steps, types="tensor<2x0xf64>, tensor<0x2xf64>")
    found = ran(body, empty, empty.reshape(0, 2), result=MATRIX)[0]
    np.testing.assert_array_equal(found, np.zeros((2, 2)))


def singular(dims, results, steps=(32, 16, 16, 8, 8), name="svd"):
    config = f'name = "{name}", {listed("dims", dims)}, {listed("steps", steps)}'
    return call("numpy.gufunc", config, "%a0", MATRIX, results, 2)


def test_extents_that_follow_from_others():
    results = "tensor<2xf64>, tensor<i32>"
    found = ran(singular((1, 2, 2, 2), results), M, result="tensor<2xf64>")[0]
    np.testing.assert_allclose(found, np.linalg.svd(M, compute_uv=False))
    for rank in (0, 1, 3):
        refused(singular((1, 2, 2, rank), results), M, result="tensor<2xf64>")


@pytest.mark.parametrize(
    "results", ["tensor<1xf64>, tensor<i32>", "tensor<2xf64>, tensor<0xi32>",
                "tensor<2xf64>, tensor<i64>", "tensor<2xf32>, tensor<i32>"],
)  # fmt: skip
def test_results_of_other_types(results):
    refused(singular((1, 2, 2, 2), results), M, result=results.partition(", ")[0])


@pytest.mark.parametrize("name, dims", [
    ("fft", (1, 2, 0)), ("rfft_n_even", (1, 2, 1)), ("irfft", (1, 0, 2)), ("fft", (1, 2, BIG)),
])  # fmt: skip
def test_transforms(name, dims):
    types = {"fft": ("complex<f64>", "complex<f64>"), "rfft_n_even": ("f64", "complex<f64>"),
             "irfft": ("complex<f64>", "f64")}[name]  # fmt: skip
    config = f'name = "{name}", {listed("dims", dims)}, {listed("steps", (0, 0, 0, 8, 8))}'
    body = (
        "%c = stablehlo.convert %a0 : (tensor<4xf64>) -> "
        f"tensor<4x{types[0]}>\n%s = stablehlo.constant dense<1.0> : tensor<f64>\n"
    )
    body += call("numpy.gufunc", config, "%c, %s", f"tensor<4x{types[0]}>, tensor<f64>",
                 f"tensor<4x{types[1]}>")  # fmt: skip
    refused(body, X, result=f"tensor<4x{types[1]}>")


# Operands within buffers.


def within(target, config, place=0, type_=VECTOR):
    config = f"{config}, {listed('places', [place])}"
    return call(f"numpy.{target}_at", config, "%a0, %a1", f"tensor<1xi64>, {VECTOR}", type_)


CALLS = {
    "ufunc": ('name = "negative"', "tensor<2xf64>", lambda x: -x),
    "accumulate": (f'name = "add", {listed("shape", (1, 2, 1))}', "tensor<2xf64>", np.cumsum),
    "sort": (f"{listed('shape', (1, 2, 1))}, stable = true", "tensor<2xf64>", np.sort),
    "argsort": (f"{listed('shape', (1, 2, 1))}, stable = true", "tensor<2xi64>", np.argsort),
}


@pytest.mark.parametrize("target", CALLS)
def test_where_operands_begin(target):
    config, type_, f = CALLS[target]
    body = within(target, config, type_=type_)
    for first in (0, 1, 2):
        found = ran(body, np.array([first]), X, result=type_)[0]
        np.testing.assert_array_equal(found, f(X[first : first + 2]))
    for first in (3, 4, 5, -1, -BIG, BIG, 2**31, 2**40, -(2**63), 2**63 - 1):
        refused(body, np.array([first]), X, result=type_)
    for place in (1, 2**40, BIG):
        refused(within(target, config, place, type_), np.array([0]), X, result=type_)


# Lanes.

SHAPES = [(1, 5, 1), (2, 4, 1), (1, 2, 1, 2), (1, 4), (), (-1, 4, -1), (1, -4, 1), (BIG, 4, 1),
          (2**32, 2**32, 1), (2**31, 2**31, 4), (1, 2**40, 1), (4, 1, 2)]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_lanes(shape):
    for target, result in ("sort", VECTOR), ("argsort", "tensor<4xi64>"):
        config = f"{listed('shape', shape)}, stable = false"
        refused(call(f"numpy.{target}", config, "%a0", VECTOR, result), X, result=result)
    config = f'name = "add", {listed("shape", shape)}'
    refused(call("numpy.accumulate", config, "%a0", VECTOR), X)


@pytest.mark.parametrize("shape", [(0, 4, 1), (1, 0, 2**20), (0, 0, 0), (2**40, 0, 2**20)], ids=str)
def test_lanes_without_elements(shape):
    for target in "sort", "argsort":
        result = VECTOR if target == "sort" else "tensor<4xi64>"
        config = f"{listed('shape', shape)}, stable = false"
        ran(call(f"numpy.{target}", config, "%a0", VECTOR, result), X, result=result)
    ran(call("numpy.accumulate", f'name = "add", {listed("shape", shape)}', "%a0", VECTOR), X)


def test_sorts_of_other_types():
    config = f"{listed('shape', (1, 4, 1))}, stable = false"
    for target, result in (
        ("sort", "tensor<4xf32>"), ("sort", "tensor<3xf64>"), ("sort", "tensor<4xi64>"),
        ("argsort", "tensor<4xi32>"), ("argsort", "tensor<3xi64>"), ("argsort", "tensor<4xf64>"),
    ):  # fmt: skip
        refused(call(f"numpy.{target}", config, "%a0", VECTOR, result), X, result=result)
    for types, operands in (f"{VECTOR}, {VECTOR}", "%a0, %a0"), ("", ""):
        refused(call("numpy.sort", config, operands, types), X)


# Elementwise functions.


@pytest.mark.parametrize(
    "name, operands, result",
    [
        ("negative", "%a0", "tensor<5xf64>"), ("negative", "%a0", "tensor<4xf32>"),
        ("negative", "%a0, %a0", VECTOR), ("add", "%a0", VECTOR), ("matmul", "%a0, %a0", VECTOR),
        ("divmod", "%a0, %a0", VECTOR), ("nothing", "%a0", VECTOR), ("isnan", "%a0", VECTOR),
        ("negative", "", VECTOR),
    ],
)  # fmt: skip
def test_elementwise_functions(name, operands, result):
    types = ", ".join([VECTOR] * operands.count("%"))
    refused(call("numpy.ufunc", f'name = "{name}"', operands, types, result), X, result=result)


def test_one_number_for_all_elements():
    body = call("numpy.ufunc", 'name = "add"', "%a0, %a1", f"{VECTOR}, tensor<1xf64>")
    np.testing.assert_array_equal(ran(body, X, np.array([2.0]))[0], X + 2)


def test_accumulation_by_other_functions():
    config = listed("shape", (1, 4, 1))
    for ufunc in "negative", "matmul", "divmod", "less", "clip":
        refused(call("numpy.accumulate", f'name = "{ufunc}", {config}', "%a0", VECTOR), X)


# Strict programs.


@pytest.mark.parametrize("result", ["tensor<f32>", "tensor<2xf64>", "tensor<1xf64>", "tensor<i64>"])
def test_the_start_of_strict_programs(result):
    refused(call("strict_fp", "", "", "", result), result=result)
    (found,) = ran(call("strict_fp", "", "", "", "tensor<f64>"), result="tensor<f64>")
    assert found == 1
