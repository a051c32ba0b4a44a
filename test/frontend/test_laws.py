"""What transformations promise of each other, on random programs."""

import numpy as np
import pytest
from hypothesis import Phase

import ingot
from level import pick
from oracle import quiet
from programs import assert_may_be_refused, for_programs, function_of, loss_of

RNG = np.random.default_rng(0)
#: Not where branches and rounding change.
A = np.arange(12.0).reshape(3, 4) % 5 - 1.5 + RNG.uniform(0.05, 0.2, (3, 3, 4))
B = np.array([0.5, -2.0, 3.0, 1.0]) + RNG.uniform(0.05, 0.2, (3, 4))
K = np.arange(6) - 2
ITEMS = A, B, np.stack([K, K[::-1], K + 1])
TANGENTS = RNG.normal(size=A.shape), RNG.normal(size=B.shape)


def same(a, b, source):
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9 * (1 + np.abs(b).max()), err_msg=source)


@pytest.mark.slow
@pytest.mark.floor(0.9)
def test_laws(tmp_path, sweep):
    def run(program):
        source = loss_of(program)
        try:
            check_laws(function_of(source, tmp_path), source)
        except Refused as refused:
            sweep.refused(refused.__cause__)
        else:
            sweep.agreed()

    for_programs(pick(2, 10, 300), run, phases=(Phase.generate,))


class Refused(Exception):
    """The program itself is refused."""


def check_laws(f, source):
    def direction(a, b, k, s, t):
        return ingot.jvp(lambda x, y: f(x, y, k.copy()), (a, b), (s, t))[1]

    def total(a, b, k):
        return np.sum(ingot.vmap(f)(a, b, k))

    lanes = [[x[i].copy() for x in ITEMS] for i in range(3)]
    try:
        ingot.jit(f).lower(*lanes[0])
    except ingot.CompileError as error:
        assert_may_be_refused(error, source)
        raise Refused from error
    with quiet():
        expected = [f(*[x.copy() for x in lane]) for lane in lanes]
    same(ingot.vmap(f)(*ITEMS), expected, source)

    # jit changes nothing.
    same(ingot.jit(lambda a, b, k: ingot.vmap(f)(a, b, k))(*ITEMS), expected, source)

    # The gradient of the sum of a batch is the gradients of its items, stacked.
    gradients = [ingot.grad(f, (0, 1))(*lane) for lane in lanes]
    for i, (whole, each) in enumerate(
        zip(ingot.grad(total, (0, 1))(*ITEMS), ingot.vmap(ingot.grad(f, (0, 1)))(*ITEMS))
    ):
        same(whole, np.stack([g[i] for g in gradients]), source)
        same(each, whole, source)

    # vmap(jvp) = jvp(vmap).
    inside = ingot.vmap(direction)(*ITEMS, *TANGENTS)

    def batch(a, b):
        return ingot.vmap(f)(a, b, ITEMS[2].copy())

    same(inside, ingot.jvp(batch, ITEMS[:2], TANGENTS)[1], source)

    # jacfwd = jacrev, and second derivatives are symmetric.
    def of_b(b):
        return f(lanes[0][0].copy(), b, lanes[0][2].copy())

    same(ingot.jacfwd(of_b)(lanes[0][1]), ingot.jacrev(of_b)(lanes[0][1]), source)
    second = ingot.hessian(of_b)(lanes[0][1])
    same(second, second.T, source)
