"""The boundary: copies, mutation, devices, jax.Array, what an import loads."""

import numpy as np
import pytest

import ingot
from arrays import placed
from ingot_runtime import buffers, clients
from processes import python


def add(x, y):
    return x + y


def bump(x):
    x += 1


def test_import_loads_nothing_heavy():
    code = "import ingot, sys; print([m for m in sys.modules if m.split('.')[0] in ('jax', 'jaxlib', 'scipy')])"
    assert python("-c", code).stdout.strip() == "[]"


def test_works_where_jax_is_not_installed(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import sys\nsys.modules['jax'] = None\n"
        "import ingot, numpy as np\n"
        "@ingot.jit\ndef f(x, n):\n    x[0] = 7\n    return x + 1, n * 2, x[n]\n"
        "print(f(np.zeros(2), 1))\n"
    )
    done = python(path)
    assert done.stdout.strip() == "(array([8., 1.]), 2, np.float64(0.0))", done.stderr
    assert done.stderr == ""


@pytest.mark.slow
def test_a_process_ends_cleanly_right_after_a_large_product(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import ingot, numpy as np\n"
        "def f(a):\n    return a @ a @ a\n"
        "g, a = ingot.jit(f), np.ones((900, 900))\n"
        "g(a), g(a)\n"
    )
    for _ in range(6):
        done = python(path)
        assert (done.returncode, done.stderr) == (0, "")


def test_aligned_arrays_go_in_without_a_copy_and_results_come_out_without_one():
    x = placed(np.random.default_rng(0).random(100_000))
    buffer = buffers.to_device(x, clients.default_device())
    assert buffer.unsafe_buffer_pointer() == x.ctypes.data
    y = buffers.to_numpy(buffer, x.shape, x.dtype)
    assert y.ctypes.data == x.ctypes.data
    result = ingot.jit(add)(x, x)
    assert result.ctypes.data % buffers.ALIGNMENT == 0
    assert result.flags.writeable


def test_any_layout_goes_in():
    x = np.arange(24.0).reshape(4, 6)
    for y in (x.T, x[::2, 1:], x[::-1], np.asfortranarray(x), x.astype(">f8")):
        np.testing.assert_array_equal(ingot.jit(add)(y, 1.0), y + 1)
    frozen = x.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(ingot.jit(add)(frozen, 1.0), x + 1)


def test_empty_arrays():
    assert ingot.jit(add)(np.zeros((0, 3)), 1.0).shape == (0, 3)


def test_mutation_is_written_back_through_a_view():
    x = np.zeros((4, 6))
    ingot.jit(bump)(x[1:3, ::2])
    assert x.sum() == 6


def test_read_only_argument_can_not_be_mutated():
    x = np.zeros(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ingot.jit(bump)(x)


def test_overlapping_arguments_that_are_mutated_are_refused():
    def f(x, y):
        x[0] = 1
        return y + 0

    x = np.zeros(4)
    with pytest.raises(ingot.UnsupportedError, match=r"`x` \(.*\), which shares memory with `y`"):
        ingot.jit(f)(x[:3], x[1:])


def test_jax_arrays_in_and_out():
    import jax
    import jax.numpy as jnp

    x = jnp.arange(4, dtype="float32")
    y = ingot.jit(add)(x, np.ones(4, np.float32))
    assert isinstance(y, jax.Array)
    assert y.dtype == np.float32
    np.testing.assert_array_equal(np.asarray(y + 1), np.arange(4) + 2)
    with pytest.raises(ingot.UnsupportedError, match=r"jax.Array, which can't change"):
        ingot.jit(bump)(x)


def test_lower_and_compile():
    lowered = ingot.jit(add).lower(np.zeros(3), 1.0)
    assert "ingot.add" in lowered.ir()
    assert "stablehlo.add" in lowered.ir(after="lower-to-stablehlo")
    assert "stablehlo.add" in lowered.stablehlo()
    assert "stablehlo.add" in str(lowered.stablehlo(as_module=True))
    with pytest.raises(ValueError, match="no pass 'nonsense'"):
        lowered.ir(after="nonsense")
    assert lowered.compile().call_leaves([np.ones(3), 1.0]).tolist() == [2, 2, 2]


def test_locations_are_ranges_of_the_source():
    line = add.__code__.co_firstlineno + 1
    assert f"test_runtime.py:{line}:12 to :17" in ingot.jit(add).lower(1.0, 2.0).ir(locations=True)


def test_platform_variable():
    code = "from ingot_runtime import clients; print(clients.client().platform)"
    done = python("-c", code, INGOT_PLATFORM="abacus")
    assert "is unknown; there are cpu, cuda" in done.stderr
    done = python("-c", code, INGOT_PLATFORM="cuda")
    if done.stdout.strip() == "cpu":
        assert len(done.stderr.strip().splitlines()) == 1
        assert "cuda can't be used" in done.stderr


def test_a_result_of_another_shape_is_no_memory():
    buffer = buffers.to_device(np.arange(4.0), clients.default_device())
    for shape, dtype in (((5,), float), ((4,), np.float32), ((), float), ((2, 2), float)):
        with pytest.raises(RuntimeError, match="a result is float64"):
            buffers.to_numpy(buffer, shape, np.dtype(dtype))


MANY_CHECKS = """
import resource
import numpy as np
import ingot

resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30))

def f(x, indices):
    s = 0.0
STATEMENTS
    return s * x

lowered = ingot.jit(f, native=False).lower(np.arange(4.0), np.ones(30, int))
print(lowered.stablehlo().count("compare EQ") >= 50)
print(lowered.compile()(np.arange(4.0), np.ones(30, int))[1])
"""


def test_programs_with_many_checks_compile_soon(tmp_path):
    """Each check selects between its number and the status of those before."""
    path = tmp_path / "many_checks.py"
    statements = "\n".join(f"    s += x[indices[{k}]]" for k in range(30))
    path.write_text(MANY_CHECKS.replace("STATEMENTS", statements))
    done = python(path, timeout=60)
    assert done.stdout == "True\n30.0\n", done.stderr
