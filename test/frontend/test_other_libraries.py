"""Arrays of other libraries as arguments: any object with `__dlpack__`, and keys of jax.random."""

import numpy as np
import pytest

import ingot


class Tensor:
    """As little of an array as DLPack asks for."""

    def __init__(self, array, device=(1, 0)):
        self.held, self.device = array, device

    def __dlpack__(self, **options):
        return self.held.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


def test_arguments():
    x = np.arange(6.0).reshape(2, 3)
    f = ingot.jit(lambda x, y: x + y.T)
    np.testing.assert_array_equal(f(Tensor(x), Tensor(x.T.copy())), x + x)
    # In trees, beside arrays of NumPy, and under transformations.
    g = ingot.grad(lambda p: np.sum(p["w"] ** 2 * p["b"][0]))
    found = g({"w": Tensor(x), "b": [np.ones(3)]})
    np.testing.assert_array_equal(found["w"], 2 * x)
    np.testing.assert_array_equal(ingot.vmap(np.sum)(Tensor(x)), [3, 12])


def test_the_same_program_as_for_an_array():
    f = ingot.jit(lambda x: x * 2)
    f(np.ones(3))
    f(Tensor(np.ones(3)))
    assert len(f._compiled) == 1


def test_memory_is_shared():
    x = np.zeros(3)

    @ingot.jit
    def f(x):
        x[1] = 5.0

    f(Tensor(x))
    np.testing.assert_array_equal(x, [0, 5, 0])


def test_results_are_taken_without_a_copy():
    found = ingot.jit(lambda x: x * 2)(Tensor(np.ones(4096)))
    again = np.from_dlpack(Tensor(found))
    assert np.shares_memory(found, again)


def test_what_is_on_another_device_is_refused():
    with pytest.raises(ingot.UnsupportedError, match="`x` is a Tensor"):
        ingot.jit(lambda x: x * 2)(Tensor(np.ones(3), device=(2, 0)))


def test_what_has_no_memory_is_refused():
    class Meta(Tensor):
        def __dlpack_device__(self):
            raise ValueError("Unknown device type meta for Dlpack")

    with pytest.raises(ingot.UnsupportedError, match="`x` is a Meta"):
        ingot.jit(lambda x: x * 2)(Meta(np.ones(3)))


def test_torch():
    torch = pytest.importorskip("torch", reason="it is too large to install for one test")
    x = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    found = ingot.jit(lambda x: np.sin(x.T))(x)
    # The sine of torch is another one than NumPy's.
    torch.testing.assert_close(torch.from_dlpack(found), torch.sin(x.T), rtol=1e-15, atol=0)

    @ingot.jit
    def store(x):
        x[0, 0] = 7.0

    store(x)
    assert x[0, 0] == 7.0


def test_keys_of_jax():
    import jax

    with jax.enable_x64(True):
        key = jax.random.key(3)
        for given in (key, jax.random.PRNGKey(3)):
            assert ingot.random.normal(given, (4,)).tolist() == pytest.approx(
                jax.random.normal(key, (4,)).tolist()
            )
        expected = jax.random.key_data(jax.random.split(key, 3))
        np.testing.assert_array_equal(ingot.random.split(key, 3), expected)
        np.testing.assert_array_equal(
            ingot.jit(lambda keys: ingot.vmap(ingot.random.uniform)(keys))(
                jax.random.split(key, 3)
            ),
            jax.vmap(jax.random.uniform)(jax.random.split(key, 3)),
        )
        with pytest.raises(ingot.UnsupportedError, match="whose generator Ingot does not have"):
            ingot.random.normal(jax.random.key(0, impl="rbg"), (4,))
