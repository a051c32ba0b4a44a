"""Libraries of JAX in compiled NumPy code: flax, haiku, optax, diffrax.

They are the extra `jax-libraries`, which `make nightly` installs.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ingot
from jax_pairs import check

pytestmark = pytest.mark.nightly

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((16, 4)), RNG.standard_normal((16, 3))


def in_64_bits(tree):
    return jax.tree.map(lambda leaf: np.asarray(leaf, np.float64), tree)


def flax_model():
    import flax.linen as nn

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.gelu(nn.Dense(8)(x))
            x = nn.LayerNorm()(x)
            return nn.Dense(3)(x)

    model = Net()
    return model.apply, in_64_bits(model.init(jax.random.key(0), jnp.ones(4)))


def flax_attention():
    import flax.linen as nn

    model = nn.MultiHeadDotProductAttention(num_heads=2, out_features=3)
    params = model.init(jax.random.key(0), jnp.ones((1, 4)))
    return lambda p, x: model.apply(p, x.reshape(-1, 4)), in_64_bits(params)


def haiku_model():
    import haiku as hk

    def net(x):
        return hk.Sequential([hk.Linear(8), jnp.tanh, hk.Linear(3)])(x)

    model = hk.without_apply_rng(hk.transform(net))
    return model.apply, in_64_bits(model.init(jax.random.key(0), jnp.ones(4)))


def haiku_recurrence():
    import haiku as hk

    def net(x):
        core = hk.LSTM(5)
        outputs, _ = hk.static_unroll(core, x, core.initial_state(None))
        return hk.Linear(3)(outputs)

    model = hk.without_apply_rng(hk.transform(net))
    return model.apply, in_64_bits(model.init(jax.random.key(0), jnp.ones((2, 4))))


MODELS = [flax_model, flax_attention, haiku_model, haiku_recurrence]


@pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
def test_layers(make):
    model, params = make()
    apply = ingot.from_jax(model)

    def loss(params, x, y):
        return np.mean((apply(params, x) - y) ** 2)

    def loss_jax(params, x, y):
        return jnp.mean((model(params, x) - y) ** 2)

    with jax.enable_x64(True):
        expected = jax.value_and_grad(loss_jax)(params, X, Y)
        per_example = jax.vmap(jax.grad(loss_jax), (None, 0, 0))(params, X[:, None], Y[:, None])
    check(ingot.value_and_grad(loss)(params, X, Y), expected)
    found = ingot.vmap(ingot.grad(loss), (None, 0, 0))(params, X[:, None], Y[:, None])
    check(found, per_example)


def test_optax_inside_and_outside():
    import optax

    model, params = haiku_model()
    apply = ingot.from_jax(model)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))

    def loss(params):
        return np.mean((apply(params, X) - Y) ** 2)

    def loss_jax(params):
        return jnp.mean((model(params, X) - Y) ** 2)

    with jax.enable_x64(True):
        state = in_state(optimizer.init(params))
    update = ingot.from_jax(optimizer.update)

    @ingot.jit
    def step(params, state):
        value, gradient = ingot.value_and_grad(loss)(params)
        updates, state = update(gradient, state, params)
        return value, ingot.tree.map(lambda p, u: p + u, params, updates), state

    inside, outside, expected = (params, state), (params, state), (params, state)
    values = []
    for _ in range(20):
        value, *inside = step(*inside)
        with jax.enable_x64(True):
            other, gradient = ingot.value_and_grad(loss)(outside[0])
            updates, new = optimizer.update(gradient, outside[1], outside[0])
            outside = optax.apply_updates(outside[0], updates), new
            wanted, gradient = jax.value_and_grad(loss_jax)(expected[0])
            updates, new = optimizer.update(gradient, expected[1], expected[0])
            expected = optax.apply_updates(expected[0], updates), new
        values.append([float(value), float(other), float(wanted)])
    np.testing.assert_allclose(values, np.array(values)[:, 2:] * np.ones(3), rtol=1e-10)
    assert values[-1][0] < 0.9 * values[0][0]
    check(inside[0], expected[0])
    check(in_64_bits(outside[0]), in_64_bits(expected[0]))


def in_state(tree):
    """An optimiser's state in NumPy's arrays; its counters stay integers."""
    return jax.tree.map(np.asarray, tree)


def test_diffrax():
    import diffrax

    def solve(rate, start):
        made = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, y, args: -args * y),
            diffrax.Tsit5(), t0=0.0, t1=1.0, dt0=0.01, y0=start, args=rate,
            saveat=diffrax.SaveAt(ts=jnp.linspace(0.0, 1.0, 4)),
            stepsize_controller=diffrax.PIDController(rtol=1e-9, atol=1e-9),
        )  # fmt: skip
        return made.ys

    decay = ingot.from_jax(solve)

    def loss(rate, start):
        return np.sum(decay(rate, start) ** 2)

    start = np.array([1.0, 2.0])
    times = np.linspace(0, 1, 4)
    np.testing.assert_allclose(
        ingot.jit(lambda r, s: decay(r, s))(0.7, start), np.exp(-0.7 * times)[:, None] * start,
        rtol=1e-6,
    )  # fmt: skip
    expected = np.sum(-2 * times * np.exp(-1.4 * times)) * np.sum(start**2)
    np.testing.assert_allclose(ingot.grad(loss)(0.7, start), expected, rtol=1e-6)
    lanes = ingot.vmap(ingot.grad(loss), (0, None))(np.array([0.7, 0.7]), start)
    np.testing.assert_allclose(lanes, [expected] * 2, rtol=1e-6)


def test_ours_in_diffrax():
    import diffrax

    def field(t, y, rate):
        out = np.zeros_like(y)
        out[0] = y[1]
        out[1] = -rate * y[0]
        return out

    def final(rate):
        made = diffrax.diffeqsolve(
            diffrax.ODETerm(ingot.to_jax(field)), diffrax.Tsit5(), t0=0.0, t1=1.0, dt0=0.01,
            y0=jnp.array([1.0, 0.0]), args=rate,
            stepsize_controller=diffrax.PIDController(rtol=1e-9, atol=1e-9),
        )  # fmt: skip
        return made.ys[-1, 0]

    with jax.enable_x64(True):
        rate = jnp.float64(4.0)
        np.testing.assert_allclose(final(rate), np.cos(2.0), rtol=1e-6)
        np.testing.assert_allclose(jax.grad(final)(rate), -np.sin(2.0) / 4, rtol=1e-5)
