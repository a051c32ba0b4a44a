"""What a session shows: names, reprs, compiled programs that are called and measured."""

import functools
import re

import numpy as np
import pytest

import ingot
import ingot_runtime
from processes import python

X = np.arange(12.0).reshape(3, 4)


def scaled(x, k=2):
    return x * k


def loss(w, x):
    return ((x @ w) ** 2).sum()


class Scale:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return x * self.by

    def method(self, x):
        return x + self.by


@ingot.primitive
def tripled(x):
    return x * 3


FACTOR = 2.0


def by_factor(x):
    return x * FACTOR


@pytest.mark.parametrize("module", [ingot, ingot_runtime])
def test_the_names_of_a_module(module):
    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in dir(module))


#: What is shown, and its repr.
REPRS = [
    (ingot.jit(scaled), "ingot.jit(scaled)"),
    (ingot.jit(scaled, static="k", checks=False), "ingot.jit(scaled, static='k', checks=False)"),
    (ingot.jit(scaled, static=(0, 1)), "ingot.jit(scaled, static=('k', 'x'))"),
    (ingot.jit(scaled, strict_fp=True), "ingot.jit(scaled, strict_fp=True)"),
    (ingot.jit(lambda x: x), "ingot.jit(<lambda>)"),
    (ingot.jit(np.sin), "ingot.jit(sin)"),
    (ingot.jit(Scale(2.0)), "ingot.jit(Scale(...))"),
    (ingot.jit(Scale(2.0).method), "ingot.jit(Scale.method)"),
    (ingot.jit(functools.partial(scaled, k=3)), "ingot.jit(partial(scaled, ...))"),
    (ingot.grad(loss), "ingot.grad(loss)"),
    (ingot.grad(ingot.jit(loss), (0, 1)), "ingot.grad(ingot.jit(loss), argnums=(0, 1))"),
    (ingot.value_and_grad(loss, 1, True), "ingot.value_and_grad(loss, argnums=1, has_aux=True)"),
    (ingot.hessian(loss), "ingot.jacfwd(ingot.jacrev(loss))"),
    (ingot.vmap(loss), "ingot.vmap(loss)"),
    (ingot.vmap(loss, (None, 0), 1), "ingot.vmap(loss, in_axes=(None, 0), out_axes=1)"),
    (ingot.jit(ingot.grad(loss)), "ingot.grad(loss)"),
    (ingot.jit(ingot.grad(loss), checks=False), "ingot.jit(ingot.grad(loss), checks=False)"),
    (ingot.checkpoint(scaled), "ingot.checkpoint(scaled)"),
    (ingot.custom_vjp(scaled), "ingot.custom_vjp(scaled)"),
    (tripled, "ingot.primitive(tripled)"),
    (ingot.spec("n, 2*m", "int8"), "ingot.spec('n,2*m', 'int8')"),
    (ingot.Artifact(), "Artifact()"),
    (ingot.jit(scaled).lower(X, 3), "Lowered(scaled(x: float64[3, 4], k: int))"),
    (ingot.jit(scaled, static="k").lower(X, 3), "Lowered(scaled(x: float64[3, 4], k = 3))"),
    (ingot.grad(loss).lower(X[0], X), "Lowered(ingot.grad(loss)(w: float64[4], x: float64[3, 4]))"),
    (ingot.jit(scaled).lower(X).compile(), "Compiled(scaled(x: float64[3, 4]) on cpu)"),
]


@pytest.mark.parametrize("shown, text", REPRS, ids=[text for _, text in REPRS])
def test_reprs(shown, text):
    assert repr(shown) == text


def test_reprs_of_artifacts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    artifact = ingot.export(scaled, ingot.spec("n"), 2)
    assert repr(artifact) == "Artifact(scaled(x: float64[n], k: int) -> float64[n])"
    artifact.add(loss, X[0], X)
    assert repr(artifact) == "Artifact(scaled, loss)"
    artifact.save("m.ingot")
    loaded = ingot.load("m.ingot")
    assert repr(loaded) == "Loaded('m.ingot': loss, scaled)"
    assert repr(loaded.entry("scaled")) == "EntryPoint(scaled(x: float64[n], k: int) -> float64[n])"
    assert repr(loaded.entry("scaled").arguments[0].shape) == "(Size('n'),)"


def test_repr_of_a_rule():
    @ingot.rewrite
    def log_of_exp(x):
        return np.log(np.exp(x)), x

    log_of_exp.remove()
    assert repr(log_of_exp) == "ingot.rewrite(log_of_exp)"


def test_passes_have_names():
    passes = ingot.grad(loss).lower(X[0], X).passes()
    names = [name for name, _ in passes]
    assert all(re.fullmatch(r"[a-z][a-z-]+", name) for name in names)
    lowering = ["lower-to-stablehlo", "share-constants", "keep-roundings", "lower-shardings"]
    assert names[-4:] == lowering
    # Those on modules, and those on functions.
    assert {"expand-transformations", "relax-products", "sink-updates"} <= set(names)
    with pytest.raises(ValueError, match="no pass 'inline'.*inline-rules, canonicalize"):
        ingot.jit(scaled).lower(X).ir(after="inline")


def test_passes_can_be_left_out(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import ingot, numpy as np\n"
        "f = ingot.jit(lambda x: x @ x)\n"
        "lowered = f.lower(np.ones((2, 2)))\n"
        "print([name for name, _ in lowered.passes()], lowered.compile()(np.ones((2, 2))))\n"
    )
    left_out = python(path, INGOT_WITHOUT="relax-products,sink-updates").stdout
    assert "relax-products" not in left_out and "sink-updates" not in left_out
    assert "prune-carried" in left_out and "[2. 2.]" in left_out
    assert "there is no pass `nothing` to leave out" in python(path, INGOT_WITHOUT="nothing").stderr


# Compiled programs.


@pytest.mark.parametrize(
    "f, example, arguments",
    [
        (ingot.jit(scaled), (X, 3), (X + 1, 5)),
        (ingot.jit(scaled, static="k"), (X, 3), (X + 1, 3)),
        (ingot.jit(Scale(2.0)), (X,), (X + 1,)),
        (ingot.jit(functools.partial(scaled, k=3)), (X,), (X + 1,)),
        (ingot.grad(loss), (X[0], X), (X[1], X)),
        (ingot.vmap(scaled, (0, None)), (X, 2), (X, 7)),
        (tripled, (X,), (X + 1,)),
        (ingot.jit(scaled), (ingot.spec("3,4"), 3), (X + 1, 5)),
    ],
)
def test_a_compiled_program_is_called(f, example, arguments):
    np.testing.assert_array_equal(f.lower(*example).compile()(*arguments), f(*arguments))


def test_a_compiled_program_stores_and_checks():
    def bump(a, i, log):
        a[i] += 1
        log.append(a[i])
        return a

    a, log = np.zeros(3), []
    compiled = ingot.jit(bump).lower(a, 1, []).compile()
    assert compiled(a, 2, log) is a and a.tolist() == [0, 0, 1] and log == [1.0]
    with pytest.raises(IndexError):
        compiled(a, 3, [])
    with pytest.raises(TypeError, match=r"called as bump\(.*, log.0: float64\)"):
        compiled(a, 2, log)
    with pytest.raises(TypeError, match="called with other containers or keywords"):
        compiled(a, i=2, log=[])
    assert a.tolist() == [0, 0, 1] and log == [1.0]


@pytest.mark.parametrize(
    "arguments, called",
    [
        ((X, 4), r"scaled(x: float64[3, 4], k = 4)"),
        ((X[:2], 3), r"scaled(x: float64[2, 4], k: int)"),
        ((X.astype(np.float32), 3), r"scaled(x: float32[3, 4], k: int)"),
        ((X,), r"scaled(x: float64[3, 4])"),
        (([X], 3), r"scaled(x.0: float64[3, 4], k: int)"),
    ],
)
def test_another_signature(arguments, called):
    compiled = ingot.jit(scaled, static="k").lower(X, 3).compile()
    lowered = re.escape("lowered for scaled(x: float64[3, 4], k = 3)")
    with pytest.raises(TypeError, match=f"{lowered}, but called as {re.escape(called)}"):
        compiled(*arguments)
    with pytest.raises(ingot.UnsupportedError, match="`x` is a spec"):
        compiled(ingot.spec("3,4"), 3)


def test_what_has_changed_since(monkeypatch):
    compiled = ingot.jit(by_factor).lower(X).compile()
    np.testing.assert_array_equal(compiled(X), X * 2)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    with pytest.raises(ingot.IngotError, match="out of date: .*was 2.0 and is 3.0"):
        compiled(X)
    scale = Scale(2.0)
    compiled = ingot.jit(scale).lower(X).compile()
    scale.by = 5.0
    np.testing.assert_array_equal(compiled(X), X * 5)
    monkeypatch.setattr(Scale, "__call__", lambda self, x: x)
    with pytest.raises(TypeError, match="calls another function"):
        compiled(X)


def test_cost_and_memory():
    lowered = ingot.jit(lambda a, b: a @ b).lower(np.ones((64, 64)), np.ones((64, 64)))
    for each in lowered, lowered.compile():
        assert each.cost().flops >= 2 * 64**3 * 0.9 and each.cost().bytes >= 3 * 64 * 64 * 8
        assert each.memory().arguments == 2 * 64 * 64 * 8
        assert each.memory().results == 64 * 64 * 8


def test_devices():
    devices = ingot.devices()
    assert devices and all(hasattr(device, "platform") for device in devices)
    compiled = ingot.jit(scaled).lower(X).compile(devices[0])
    np.testing.assert_array_equal(compiled(X), X * 2)


# Static arguments.


@pytest.mark.parametrize("static", ["k", 1, ("k",), [1], {"k"}])
def test_static_by_name_or_number(static):
    f = ingot.jit(lambda x, k: np.zeros(k) + x, static=static)
    assert f(1.0, 3).tolist() == [1.0] * 3
    assert f.lower(1.0, 3).ir() != f.lower(1.0, 4).ir()


def test_static_numbers_of_bound_methods_count_what_is_passed():
    assert ingot.jit(Scale(1.0).method, static=0)._static == {"x"}


@pytest.mark.parametrize(
    "static, message",
    [
        (2, "static is 2, but scaled has 2 parameters, counted from 0"),
        (-1, "static is -1, but scaled has 2 parameters"),
        ("n", "static names no parameter `n` of scaled; there are x, k"),
        (1.0, "static is names or numbers of parameters, not 1.0"),
        (True, "static is names or numbers of parameters, not True"),
        (None, "static is names or numbers of parameters, not None"),
        (("x", 1.5), r"static is names or numbers of parameters, not \('x', 1.5\)"),
        (b"k", "static is names or numbers of parameters, not b'k'"),
    ],
)
def test_static_that_is_neither(static, message):
    with pytest.raises(TypeError, match=message):
        ingot.jit(scaled, static=static)


@pytest.mark.parametrize("device", ["cpu", "cpu:0", ingot.devices()[0]])
def test_the_device_is_chosen(device):
    f = ingot.jit(scaled, device=device)
    np.testing.assert_array_equal(f(X, 3), scaled(X, 3))
    assert repr(f) == "ingot.jit(scaled, device='cpu:0')"
    assert f.lower(X, 3).compile().executable.device == ingot.devices()[0]


def test_devices_that_are_not_there():
    with pytest.raises(ValueError, match="there is no device nope:0; there are cpu:0"):
        ingot.jit(scaled, device="nope")(X, 3)
    with pytest.raises(TypeError, match="device is one of ingot.devices"):
        ingot.jit(scaled, device=3)
