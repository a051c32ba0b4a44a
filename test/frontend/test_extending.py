"""Operations and passes of users: `ingot.primitive`, `ingot.load_plugin`."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import ingot
from processes import python

ROOT = Path(__file__).resolve().parents[2]
X = np.array([0.5, -1.0, 2.0])


@ingot.primitive
def softplus(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)


def types(spec):
    names = {"float64": "f64", "float32": "f32"}
    return "tensor<" + "".join(f"{n}x" for n in spec.shape) + names[spec.dtype.name] + ">"


def cube_root_text(x):
    kind = types(x)
    return f"""module {{
      func.func private @helper(%arg0: {kind}) -> {kind} {{
        %0 = stablehlo.cbrt %arg0 : {kind}
        return %0 : {kind}
      }}
      func.func public @main(%arg0: {kind}) -> {kind} {{
        %0 = func.call @helper(%arg0) : ({kind}) -> {kind}
        return %0 : {kind}
      }}
    }}"""


@ingot.primitive(name="my_cbrt", stablehlo=cube_root_text)
def cube_root(x):
    return x


@cube_root.defjvp
def cube_root_rule(primals, tangents):
    (x,), (t,) = primals, tangents
    y = cube_root(x)
    return y, t / (3 * y * y)


def test_a_primitive_of_numpy():
    expected = np.log(1 + np.exp(X))
    np.testing.assert_allclose(softplus(X), expected)
    np.testing.assert_allclose(ingot.jit(lambda x: softplus(x) * 2)(X), expected * 2)
    slope = 1 / (1 + np.exp(-X))
    np.testing.assert_allclose(ingot.grad(lambda x: np.sum(softplus(x)))(X), slope)
    np.testing.assert_allclose(ingot.vmap(ingot.grad(softplus))(X), slope)


def test_a_primitive_of_stablehlo():
    np.testing.assert_allclose(cube_root(X), np.cbrt(X))

    def f(x, y):
        return cube_root(x) + cube_root(y * 2).sum() + cube_root(x)

    low = ingot.jit(f).lower(X, X[:2].astype(np.float32))
    assert 'ingot.call_stablehlo "my_cbrt"' in low.ir()
    text = low.stablehlo()
    assert text.count("stablehlo.cbrt") == 2
    np.testing.assert_allclose(
        ingot.jit(f)(X, X[:2].astype(np.float32)), np.cbrt(X) * 2 + np.cbrt(X[:2] * 2).sum(),
        rtol=1e-6,
    )  # fmt: skip


def test_rules_of_a_stablehlo_primitive():
    slope = 1 / (3 * np.cbrt(X) ** 2)
    np.testing.assert_allclose(ingot.grad(lambda x: np.sum(cube_root(x)))(X), slope)
    np.testing.assert_allclose(ingot.vmap(cube_root)(X[:, None] * X), np.cbrt(X[:, None] * X))
    np.testing.assert_allclose(ingot.vmap(ingot.grad(cube_root))(X), slope)

    @ingot.primitive(stablehlo=cube_root_text)
    def bare(x):
        return x

    with pytest.raises(ingot.CompileError, match="no derivative"):
        ingot.grad(lambda x: np.sum(bare(x)))(X)


def test_a_rule_for_batches():
    @ingot.primitive
    def doubled(x):
        return x * 2

    @doubled.defvmap
    def rule(size, x):
        return x + x + (0 if x.shape[0] == size else 1)

    # What the rule gives is used, and only in a batch.
    assert "ingot.add" not in ingot.jit(doubled).lower(X).ir()
    text = ingot.vmap(doubled).lower(X[:, None] * X).ir(after="expand-transformations")
    assert "ingot.add" in text
    np.testing.assert_allclose(ingot.vmap(doubled)(X[:, None] * X), 2 * X[:, None] * X)
    nested = ingot.vmap(ingot.vmap(doubled))(X[:, None] * X)
    np.testing.assert_allclose(nested, 2 * X[:, None] * X)
    np.testing.assert_allclose(
        ingot.vmap(ingot.grad(lambda x: np.sum(doubled(x))))(X[None]), [[2, 2, 2]]
    )

    @doubled.defvmap
    def wrong(size, x):
        return x[0]

    with pytest.raises(ingot.DTypeError, match="rule for batches of doubled gives"):
        ingot.vmap(lambda x: doubled(x) + 1)(X[None])


def test_text_of_jax_that_calls_lapack():
    import jax
    import jax.numpy as jnp

    def text(a, b):
        with jax.enable_x64(True):
            given = (jax.ShapeDtypeStruct(tuple(x.shape), x.dtype) for x in (a, b))
            found = jax.jit(jnp.linalg.solve).lower(*given).as_text()
        assert "sdy." in found
        return found

    @ingot.primitive(stablehlo=text)
    def solve(a, b):
        return b

    a, b = np.array([[2.0, 1.0], [0.5, 3.0]]), np.array([1.0, -2.0])
    made = ingot.jit(lambda a, b: solve(a, b) * 2)(a, b)
    np.testing.assert_allclose(made, 2 * np.linalg.solve(a, b))


def test_stablehlo_of_another_type_is_refused():
    @ingot.primitive(stablehlo=lambda x: "module {}")
    def empty(x):
        return x

    with pytest.raises(ValueError, match="StableHLO of empty.*: `main` is none"):
        empty(X)


def test_it_is_exported(tmp_path):
    def f(x):
        return cube_root(x) + 1

    ingot.export(f, X).save(tmp_path / "f.ingot")
    np.testing.assert_allclose(ingot.load(tmp_path / "f.ingot")(X), np.cbrt(X) + 1)


# Plugins.


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugin")
    cmake, ccache = shutil.which("cmake"), shutil.which("ccache")
    # As in the build of Ingot: what was compiled before is not compiled again.
    launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}"] if ccache else []
    for command in (
        [cmake, "-S", ROOT / "examples" / "plugin", "-B", folder, f"-DINGOT_BUILD={ROOT / 'build'}",
         "-DCMAKE_BUILD_TYPE=Release", *launcher],
        [cmake, "--build", folder],
    ):  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "ingot_example.so"


PROGRAM = """func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  %two = ingot.constant dense<2.0> : tensor<f64>
  %0 = ingot.pow %x, %two : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}"""


@pytest.mark.slow
def test_a_plugin_in_ingot_opt(plugin):
    pipeline = "builtin.module(func.func(square-powers))"
    done = subprocess.run(
        [ROOT / "build" / "bin" / "ingot-opt", f"--load-pass-plugin={plugin}",
         f"--pass-pipeline={pipeline}"],
        input=PROGRAM, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "ingot.mul %arg0, %arg0" in done.stdout
    assert "ingot.pow" not in done.stdout


@pytest.mark.slow
def test_an_operation_of_a_plugin_in_batches(plugin):
    program = """func.func @f(%x: tensor<5x3x4xf64>) -> tensor<5x3x4xf64> {
      %0 = ingot.vmap "f"(%x) size = 5 shared = [] {
      ^bb0(%a: tensor<3x4xf64>):
        %1 = "example.smooth"(%a) {axis = 0} : (tensor<3x4xf64>) -> tensor<3x4xf64>
        ingot.yield %1 : tensor<3x4xf64>
      } : (tensor<5x3x4xf64>) -> tensor<5x3x4xf64>
      return %0 : tensor<5x3x4xf64>
    }"""
    for extent, is_apart in ((5, True), (3, False)):
        done = subprocess.run(
            [ROOT / "build" / "bin" / "ingot-opt", f"--load-dialect-plugin={plugin}",
             "--pass-pipeline=builtin.module(expand-vmap, "
             f"func.func(check-batch{{batch={extent}}}))"],
            input=program, capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode == 0) == is_apart, done.stderr
        assert not is_apart or '"example.smooth"(%arg0) {axis = 1 : i64}' in done.stdout
        assert is_apart or "more than its own item" in done.stderr


@pytest.mark.slow
def test_a_plugin_in_python(plugin, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, numpy as np, ingot\n"
        "def f(x):\n    return x ** 2.0\n"
        "x = np.array([1.0, 2.0, 3.0])\n"
        "assert 'ingot.pow' in ingot.jit(f).lower(x).ir(after='order-reads')\n"
        "ingot.load_plugin(sys.argv[1], 'func.func(square-powers)')\n"
        "text = ingot.jit(f).lower(x).ir(after='order-reads')\n"
        "assert 'ingot.pow' not in text and 'ingot.mul' in text\n"
        "print(ingot.jit(f)(x))\n"
        "for bad in ((sys.argv[1], 'no-such-pass'), ('nowhere.so',)):\n"
        "    try:\n        ingot.load_plugin(*bad)\n"
        "    except ingot.IngotError as error:\n        print('refused:', error)\n"
    )
    done = python(program, plugin)
    assert done.returncode == 0, done.stderr
    first, *others = done.stdout.splitlines()
    assert first == "[1. 4. 9.]"
    refused = [line for line in others if line.startswith("refused")]
    assert len(refused) == 2 and all("plugin" in line for line in refused)
