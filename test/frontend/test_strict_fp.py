"""`strict_fp`: results are those of IEEE 754, operation by operation; and what the default allows."""

import functools
import json
import sys
import zipfile

import numpy as np
import pytest

import ingot
from ingot_runtime import linking, pjrt
from ingot_runtime.container import write
from oracle import quiet


def cancelled(x):
    return (x + 1e16) - 1e16


def quotient(x):
    return np.exp(x) / np.exp(x)


def inverse(x):
    return np.log(np.exp(x))


def of_power(x):
    return np.log(np.power(x, 2.5))


def root_of_square(x):
    return np.sqrt(x * x)


def scaled(x):
    return x * 1e200 * 1e200 * 1e-200 * 1e-200


def small(x):
    return x * 0.5


#: The function, its argument, and what simplifications that hold for real numbers would give. By
#: default only the last is among them, which takes a subnormal number as zero.
EXAMPLES = [
    (cancelled, [0.3, 1.0, 3.0], lambda x: x),
    (quotient, [1000.0, 1.0], np.ones_like),
    (inverse, [1000.0, -1000.0], lambda x: x),
    (of_power, [-1.0], lambda x: 2.5 * np.log(np.abs(x))),
    (root_of_square, [1e200, -1e200], np.abs),
    (scaled, [0.0, 1.0], lambda x: x * np.nan),
    (small, [1e-308, 5e-324, -3e-310], lambda x: x * 0.0),
]


def same_bits(actual, expected):
    """Whether each element is the same number, or both are NaN."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    equal = (actual == expected) & (np.signbit(actual) == np.signbit(expected))
    return bool(np.all(equal | (np.isnan(actual) & np.isnan(expected))))


@pytest.mark.parametrize(
    "f, values, default", EXAMPLES, ids=lambda each: getattr(each, "__name__", "")
)
def test_example(f, values, default):
    x = np.array(values)
    with quiet():
        assert same_bits(ingot.jit(f, strict_fp=True)(x), f(x))
        loose = ingot.jit(f, native=False)(x)
        kept = default(x) if f is small else f(x)
        np.testing.assert_allclose(loose, kept, rtol=1e-15, atol=0)
        assert not same_bits(default(x), f(x))


def test_a_fused_product():
    x = np.full(8, 1 + 2.0**-30)
    y = np.full(8, 1 - 2.0**-30)

    def f(x, y):
        return x * y - 1.0

    assert same_bits(ingot.jit(f, strict_fp=True)(x, y), np.zeros(8))
    assert abs(ingot.jit(f)(x, y)).max() <= 2.0**-60


def test_zero_is_added_by_default_too():
    def f(x):
        return x + 0.0, 0.0 + x, x - (-0.0), x + (-0.0), x - 0.0

    x = np.array([-0.0, 0.0, 1.0, -np.inf, np.nan])
    for actual in (ingot.jit(f)(x), ingot.jit(f, strict_fp=True)(x)):
        assert all(map(same_bits, actual, f(x)))


def test_products_in_loops_branches_and_derivatives():
    def f(x, y, n):
        s = 0.0
        for i in range(n):
            s = s * x[i % 4] + y[i % 4]
            if s > 1.5:
                s = s * y[i % 3] - 1.0
        return s

    def product(x, y):
        return (x * y + x).sum()

    x, y = np.array([1.1, 0.3, 1.7, 0.9]), np.array([0.7, 1.3, 0.1, 0.2])
    assert ingot.jit(f, strict_fp=True)(x, y, 50) == f(x, y, 50)
    gradient = ingot.jit(ingot.grad(product), strict_fp=True)
    assert same_bits(gradient(x, y), y + 1.0)
    assert "ingot.strict_fp" in gradient.lower(x, y).stablehlo()


def test_small_numbers_on_all_threads():
    def f(x, y):
        for _ in range(3):
            x = x * 0.5 + y
        return x

    x, y = np.full(1 << 20, 3e-310), np.full(1 << 20, 1e-310)
    strict = ingot.jit(f, strict_fp=True)
    for _ in range(20):
        assert same_bits(strict(x, y), f(x, y))


def test_float32_and_float16():
    def f(x, y):
        return x * y + x, x * y - y * x

    for dtype in (np.float32, np.float16):
        x = np.linspace(0.1, 3, 40).astype(dtype)
        y = x[::-1].copy()
        for actual, expected in zip(ingot.jit(f, strict_fp=True)(x, y), f(x, y)):
            assert same_bits(actual, expected)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("low, high", [
    (-0.0, 2.0), (-2.0, 0.0), (None, 0.0), (-0.0, None), (np.full(9, -0.0), 2.0),
    (-2.0, np.zeros(9)), (np.full(9, -0.0), np.full(9, 2.0)),
])  # fmt: skip
def test_clip_of_zeros(low, high, native):
    def f(x):
        return np.clip(x, low, high)

    for x in (np.zeros(9), np.full(9, -0.0), np.array([np.nan, -1, 1, 3, -3, 0, -0.0, 2, -2])):
        assert same_bits(ingot.jit(f, strict_fp=True, native=native)(x), f(x))


def test_kernels_are_strict():
    def f(x, y):
        for _ in range(3):
            x = x * y + x * 0.1 - y * x
        return np.maximum(x, -x), np.sum(x * 3e-310)

    x, y = np.linspace(-1, 1, 101), np.linspace(3, 5, 101)
    strict = ingot.jit(f, strict_fp=True)
    assert len(strict.lower(x, y).compile().kernels) == 1
    for actual, expected in zip(strict(x, y), f(x, y)):
        assert np.allclose(actual, expected, rtol=1e-14, atol=0)
    assert same_bits(strict(x, y)[0], f(x, y)[0])


def test_it_is_another_program():
    x = np.array([3e-310])
    strict, plain = ingot.jit(small, strict_fp=True), ingot.jit(small, native=False)
    assert plain(x) == 0.0 and strict(x) == small(x) and plain(x) == 0.0
    assert ingot.jit(strict, strict_fp=False)(x) == strict(x) == ingot.jit(plain, strict_fp=True)(x)
    # A derivative has the options of what it is of.
    assert "ingot.strict_fp" in ingot.grad(ingot.jit(scaled, strict_fp=True)).lower(0.5).stablehlo()


def test_another_process_finds_it_on_disk(tmp_path, monkeypatch):
    from processes import python

    program = tmp_path / "program.py"
    program.write_text(
        "import logging, numpy as np, ingot\n"
        "logging.basicConfig(level='INFO')\n"
        "def f(x):\n    return x * 1e-310\n"
        "for strict in (True, False):\n"
        "    print(*ingot.jit(f, strict_fp=strict, native=False)(np.array([0.3])))\n"
    )
    monkeypatch.setenv("INGOT_CACHE_DIR", str(tmp_path / "cache"))
    for _ in range(2):
        done = python(program)
        assert done.stdout.split() == ["3e-311", "0.0"], done.stderr


STRICT = ingot.jit(cancelled, strict_fp=True)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(
    "f, options", [(STRICT, {}), (cancelled, {"strict_fp": True}), (STRICT, {"strict_fp": True})]
)
def test_an_artifact(tmp_path, native, f, options):
    path = tmp_path / "strict.ingot"
    artifact = ingot.export(f, np.ones(3), native=native, **options)
    assert artifact.inspect()["entry_points"]["cancelled"]["strict_fp"]
    artifact.save(path)
    x = np.array([0.3, 1.0, 3e-310])
    loaded = ingot.load(path)
    assert loaded.entry("cancelled").facts.strict_fp
    assert same_bits(loaded(x), cancelled(x))


def first_or(x, i, default):
    return x[i] + default * 1e-200 * 1e-200


def test_an_export_keeps_the_other_options(tmp_path):
    path = tmp_path / "strict.ingot"
    f = ingot.jit(first_or, static="default", checks=False)
    ingot.export(f, np.ones(3), 0, 1.0, strict_fp=True).save(path)
    loaded = ingot.load(path)
    facts = loaded.entry("first_or").facts
    assert facts.strict_fp and facts.arguments[2].kind == "static"
    assert not facts.variants["fast"].checks
    assert loaded(np.ones(3), 1, 1.0) == 1.0


def test_a_derivative_exported_strictly(tmp_path):
    path = tmp_path / "strict.ingot"
    ingot.export(ingot.grad(scaled), 1.0, strict_fp=True).save(path)
    loaded = ingot.load(path)
    assert loaded.entry("scaled").facts.strict_fp
    assert same_bits(loaded(1.0), ingot.jit(ingot.grad(scaled), strict_fp=True)(1.0))


def test_what_is_bound_is_not_exported_strictly_either():
    with pytest.raises(ingot.UnsupportedError, match="export a def that calls it"):
        ingot.export(functools.partial(small, 1.0), strict_fp=True)


def test_the_default_is_not_strict(tmp_path):
    path = tmp_path / "plain.ingot"
    ingot.export(small, np.ones(1)).save(path)
    loaded = ingot.load(path)
    assert not loaded.entry("small").facts.strict_fp
    assert loaded(np.array([3e-310])) == 0.0


def edited(path, change):
    """Change what the manifest says, with digests that fit."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    change(manifest["entry_points"]["cancelled"])
    write(path, manifest, members)


def test_manifests_that_say_nothing_or_too_much(tmp_path):
    path = tmp_path / "m.ingot"
    ingot.export(cancelled, np.ones(1), strict_fp=True).save(path)
    edited(path, lambda entry: entry.pop("strict_fp"))
    assert ingot.load(path)(np.array([0.3])) == 0.0
    ingot.export(cancelled, np.ones(1)).save(path)
    edited(path, lambda entry: entry.update(strict_fp=True))
    with pytest.raises(ingot.ArtifactError, match="its programs are not strict"):
        ingot.load(path)


@pytest.mark.parametrize("native", [False, True])
def test_a_loader_without_the_native_module(tmp_path, monkeypatch, native):
    path = tmp_path / "strict.ingot"
    ingot.export(cancelled, np.ones(1), strict_fp=True, native=native).save(path)
    monkeypatch.setenv("INGOT_CACHE_DIR", "")
    linking._register_strict.cache_clear()
    monkeypatch.setitem(sys.modules, "ingot_runtime._native", None)
    with pytest.raises(ingot.ArtifactError, match="strict_fp needs the native module") as caught:
        ingot.load(path)(np.array([0.3]))
    assert "install Ingot's wheel" in str(caught.value)


def test_an_artifact_with_open_sizes(tmp_path):
    path = tmp_path / "strict.ingot"
    ingot.export(ingot.jit(small, strict_fp=True), ingot.spec("n")).save(path)
    x = np.array([3e-310, 1.0])
    assert same_bits(ingot.load(path)(x), small(x))


def test_a_device_that_can_not(monkeypatch):
    class Device:
        platform, client = "cuda", None

    text = ingot.jit(small, strict_fp=True).lower(np.ones(2)).stablehlo()
    with pytest.raises(RuntimeError, match="programs with strict_fp run on the CPU only"):
        pjrt.compile_stablehlo(text, Device())


def parts(x):
    return np.frexp(x), np.modf(x), np.spacing(x), np.nextafter(x, -x)


@pytest.mark.parametrize("strict_fp", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_parts_of_subnormal_numbers(dtype, strict_fp):
    info = np.finfo(dtype)
    least, tiny = float(info.smallest_subnormal), float(info.tiny)
    x = np.array([least, -3 * least, tiny / 2, -tiny, 1.5 * tiny, 0, -0.0, 1, -2.5], dtype)
    compiled = ingot.jit(parts, strict_fp=strict_fp)
    for given in (x, *x):
        for actual, expected in zip(compiled(given), parts(given), strict=True):
            for a, b in zip(np.atleast_1d(actual), np.atleast_1d(expected), strict=True):
                assert same_bits(a, b)


def test_ldexp_rounds_once():
    def f(x, n):
        return np.ldexp(x, n)

    x = np.random.default_rng(0).uniform(0.5, 1, 5000)
    n = np.arange(5000) % 56 - 1076
    assert same_bits(ingot.jit(f, strict_fp=True)(x, n), f(x, n))


@pytest.mark.parametrize("strict_fp", [False, True])
def test_a_complex_zero_is_added(strict_fp):
    def f(x):
        return (x + 0j).real, (0j + x).imag, (x - 0j).real, np.angle(x + 0j), (x + (-0.0 - 0j)).real

    for x in (np.array([0.0, -0.0, 1.0, -1.0]), -0.0, np.float32(-0.0)):
        for actual, expected in zip(ingot.jit(f, strict_fp=strict_fp)(x), f(x), strict=True):
            assert repr(actual) == repr(expected)
