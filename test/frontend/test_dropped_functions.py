"""What nobody holds any more is freed: compiled functions, what they are made of, and the arrays that they read."""

import functools
import gc
import importlib.util
import types
import weakref

import numpy as np
import pytest

import ingot
from processes import resident

X = np.arange(4.0)


def a_module_function(tmp_path):
    path = tmp_path / "dropped.py"
    path.write_text("import numpy as np\n\ndef f(x):\n    return np.sum(x * BIG)\n")
    spec = importlib.util.spec_from_file_location("dropped", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.BIG = np.ones(4)
    module.f.compiled = module
    return module.f, module.BIG


def a_module_function_by_name(tmp_path):
    f, big = a_module_function(tmp_path)
    f.__globals__["j"] = ingot.jit(f)
    return f, big


def a_closure(tmp_path):
    big = np.ones(4)

    def f(x):
        return np.sum(x * big)

    return f, big


def a_lambda(tmp_path):
    big = np.ones(4)
    return lambda x: np.sum(x * big), big


def a_default(tmp_path):
    big = np.ones(4)

    def f(x, big=big):
        return np.sum(x * big)

    return f, big


class Model:
    def __init__(self):
        self.big = np.ones(4)

    def loss(self, x):
        return np.sum(x * self.big)

    def __call__(self, x):
        return np.sum(x * self.big)


def a_method(tmp_path):
    model = Model()
    return model.loss, model.big


def an_instance(tmp_path):
    model = Model()
    return model, model.big


def a_partial(tmp_path):
    big = np.ones(4)
    return functools.partial(lambda big, x: np.sum(x * big), big), big


def a_container(tmp_path):
    big = np.ones(4)
    held = {"k": [big]}
    return lambda x: np.sum(x * held["k"][0]), big


def an_attribute(tmp_path):
    big = np.ones(4)
    held = types.SimpleNamespace(k=big)
    return lambda x: np.sum(x * held.k), big


def a_loop(tmp_path):
    big = np.ones(4)

    def f(x):
        s = 0.0
        for i in range(len(x)):
            s += x[i] * big[i]
        return s

    return f, big


def a_store(tmp_path):
    big = np.ones(4)

    def f(x):
        big[0] += 1
        return np.sum(x * big)

    return f, big


def recursive(tmp_path):
    big = np.ones(4)

    def f(x, n=2):
        return np.sum(x * big) if n == 0 else f(x, n - 1)

    return f, big


def refused_later(tmp_path):
    big = np.ones(4)

    def f(x):
        y = np.sum(x * big)
        return open(str(y))

    return f, big


MAKERS = [
    a_module_function, a_module_function_by_name, a_closure, a_lambda, a_default, a_method, an_instance, a_partial,
    a_container, an_attribute, a_loop, a_store, recursive, refused_later,
]  # fmt: skip


def call(f):
    ingot.jit(f)(X)


def call_often(f):
    j = ingot.jit(f)
    for _ in range(4):
        j(X)


def call_with_other_types(f):
    j = ingot.jit(f)
    j(X)
    j(X.astype("f4"))
    j(X[::-1])


def lower(f):
    ingot.jit(f).lower(X).ir()


def compile_(f):
    ingot.jit(f).lower(X).compile()(X)


def without_kernels(f):
    ingot.jit(f, native=False)(X)


def grad(f):
    ingot.grad(f)(X)


def grad_of_jit(f):
    ingot.grad(ingot.jit(f))(X)


def grad_twice(f):
    for _ in range(2):
        ingot.grad(f)(X)


def vmap(f):
    ingot.vmap(f)(np.ones((3, 4)))


def vmap_of_grad(f):
    ingot.jit(ingot.vmap(ingot.grad(f)))(np.ones((3, 4)))


def export(f):
    ingot.export(f, X, name="made")


def wrong_arguments(f):
    for args in ((X, X, X, X), (np.ones(3),)):
        without_traceback(lambda: ingot.jit(f)(*args))


USES = [
    call, call_often, call_with_other_types, lower, compile_, without_kernels, grad, grad_of_jit, grad_twice, vmap,
    vmap_of_grad, export, wrong_arguments,
]  # fmt: skip


def references_after(make, use, tmp_path):
    """Weak references to a function (or its instance) and to an array that it reads, after it is dropped."""
    f, big = make(tmp_path)
    holder = f.__self__ if isinstance(f, types.MethodType) else f
    references = [weakref.ref(holder), weakref.ref(big)]
    without_traceback(lambda: use(f))
    return references


def without_traceback(run):
    """Run something that may raise, and forget the frames of the exception: conftest.py keeps all of Ingot's."""
    try:
        run()
    except Exception as error:
        while error is not None:
            error.__traceback__, error = None, error.__context__


def test_memory_does_not_grow(tmp_path, monkeypatch):
    """Functions with 8 MB each that are made, called and dropped."""
    monkeypatch.setenv("INGOT_CACHE_DIR", "")

    def use_one():
        big = np.ones(1 << 20)

        def f(x):
            return np.sum(big * x)

        ingot.jit(f)(1.0)
        ingot.grad(f)(1.0)

    use_one()
    gc.collect()
    before = resident()
    for _ in range(30):
        use_one()
        gc.collect()
    assert resident() - before < 60 << 20


@pytest.mark.parametrize("use", USES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("make", MAKERS, ids=lambda each: each.__name__)
def test_what_is_dropped_is_freed(make, use, tmp_path, monkeypatch):
    monkeypatch.setenv("INGOT_CACHE_DIR", "")
    references = references_after(make, use, tmp_path)
    gc.collect()
    assert [each() for each in references] == [None, None]
