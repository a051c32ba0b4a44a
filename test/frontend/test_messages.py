"""Messages: each says what of the program is wrong, where, and nothing of the compiler.

`conftest.py` holds every error that any test sees to `internals.py`; here are programs that have
shown internals, and errors that left out what the reader needs.
"""

import re
import statistics

import jax
import numpy as np
import pytest

import ingot
from expressions import split
from internals import internals_in, wrong_with
from oracle import assert_same, outcome
from processes import python

X = np.arange(3.0)

#: What compiled code refuses or Python does, with an array x of three, `local`, a function, and
#: `plain`, an instance of a class.
CASES = """
np.c_[x, x] ;; np.r_[x, x] ;; {1: 2.0}[x.sum()] ;; {1: 2.0}[x] ;; "abc"[x.sum()] ;; [1, 2, 3][x] ;; x.shape[x.sum()]
local + 1 ;; np.sin(local) ;; x[local] ;; local ;; [local, x] ;; [local] * x ;; np.vectorize(local)(x) ;; x + local ;; local < x
np.piecewise(x, [x > 0], local) ;; np.apply_along_axis(local, 0, x) ;; np.sum(local) ;; f"{local}" ;; len(local)
operator.contains(7, 2) ;; x in x.sum() ;; operator.contains(x.sum(), 1) ;; np.greater.reduceat(x, [0, 2]) ;; np.gcd.reduce(x > 0) ;; np.lcm.accumulate(x > 0) ;; np.left_shift.reduce(x)
"%d" % x.sum() ;; "a" + x.sum() ;; "n" * x.sum() ;; x + "a" ;; x < "a" ;; sum(x, "a") ;; "a".join([x]) ;; x + None ;; x + {}
np.sum[x] ;; x.sum()[0] ;; x.sum()(3) ;; len(x.sum()) ;; [i for i in x.sum()] ;; list(x.sum()) ;; [*x.sum()] ;; {**x} ;; tuple(3)
{x.sum(): 1} ;; {x: 1} ;; x in {1.0: 2} ;; [1, 2].index(x.sum()) ;; [1, 2].remove(x.sum()) ;; {}["k"] ;; {1: 2.0}.pop(x.sum())
Derived().go(x) ;; plain + x ;; x + plain ;; plain(x) ;; plain.nope ;; np.asarray(plain) ;; Plain(1, 2) ;; plain < x ;; -plain ;; plain[0] ;; len(plain)
np.divmod(x, 2, out=(x, x)) ;; divmod(x, 2, out=x) ;; divmod(x) ;; abs(x, 2) ;; len(x, x) ;; isinstance(x) ;; enumerate() ;; zip(x, foo=1)
np.sum(x, nope=3) ;; x.sum(nope=3) ;; np.reshape(x) ;; np.float64(x, x) ;; int(x, 1, 2) ;; np.zeros() ;; x.astype() ;; np.add() ;; np.add(x, 1, 2, 3, 4)
np.concatenate(x, x, x, x) ;; np.mean() ;; np.linalg.norm() ;; np.sort(x, nope=1) ;; x.mean(nope=1) ;; np.fft.fft() ;; math.sqrt() ;; range() ;; min()
np.angle(1j) ;; np.random.normal(0, 1, 3) ;; x.nope ;; np.nope(x) ;; x.sum().nope() ;; math.nope(x) ;; x.dtype(1, 2)
np.array({1: x}) ;; np.array([None, x]) ;; np.array("abc") ;; x["a"] ;; x[1.5] ;; x[None, 1, 2] ;; x[x.sum()] ;; x[plain]
ingot.grad(3)(x) ;; ingot.vmap(3)(x) ;; ingot.grad(local)(x) ;; ingot.grad(plain)(x) ;; ingot.vmap(plain)(x) ;; ingot.jvp(3, (x,), (x,))
np.zeros(x.sum()) ;; np.zeros(3, dtype=x) ;; x.astype("nope") ;; np.sum(x, axis=x) ;; np.sum(x, axis="a") ;; np.einsum(x) ;; round(x, x) ;; np.take(x, "a")
max(x.sum(), "a") ;; (x, x) < (x, x) ;; complex("a", x) ;; np.linspace("a", 2) ;; range(x) ;; slice(x) ;; iter(x) ;; type(x) ;; hash(x) ;; sorted(x)
np.linspace(0, 1, 5.0) ;; np.tile(x, 2.0) ;; np.histogram(x, 3.0) ;; np.linspace(0, 1, 5.0, retstep=True) ;; round(plain, ndigits=1)
print(x, file=3) ;; getattr(x, "nope") ;; np.unique(x) ;; x.view(np.int32) ;; f"{x:.2f}" ;; str(x) ;; f"{x.sum():.1f}" ;; str(x.sum()) ;; 1 // 0
"""
PREAMBLE = """
import operator

class Plain:
    pass

class Base:
    def go(self, x):
        return x

class Derived(Base):
    def go(self, x):
        return super().go(x)

def f(x):
    def local(y):
        return y

    plain = Plain()
    return """

#: What a result never holds.
LEAKED = re.compile(r"\bingot\.|\b(Array|LocalFunction|Scalar|Text)\b")


@pytest.mark.parametrize("case", split(CASES))
def test_a_refusal_speaks_of_the_program(compile_text, case):
    """It gives what Python gives, raises what Python raises, or says what is not supported."""
    namespace = compile_text(PREAMBLE + case + "\n")
    f = namespace["f"]
    plain, compiled = outcome(f, X.copy()), outcome(ingot.jit(f), X.copy())
    if not isinstance(compiled, Exception):
        assert not LEAKED.search(repr(compiled)), compiled
        if isinstance(plain, np.ndarray | np.generic | str):
            assert_same(compiled, plain)
        return
    if isinstance(compiled, ingot.IngotError):
        assert not wrong_with(compiled)
        assert compiled.filename == f.__code__.co_filename, str(compiled)
        assert compiled.lineno > f.__code__.co_firstlineno
    else:
        assert isinstance(plain, Exception), repr(compiled)
        assert type(compiled) is type(plain), (repr(compiled), repr(plain))
        assert not internals_in(str(compiled)), str(compiled)


def message_of(call, *kinds):
    """The message of what a call raises: an Ingot error, or one of these kinds."""
    with pytest.raises((ingot.IngotError, *kinds)) as caught:
        call()
    text = str(caught.value)
    assert not internals_in(text), text
    return text


def twice(x):
    return x * 2


# Arguments.


class Series:
    """As those of pandas: an array in a class of its own that has no hash."""

    __hash__ = None

    def __array__(self, dtype=None, copy=None):
        return X


@pytest.mark.parametrize(
    "array", [np.array([None]), np.array(["a"]), np.zeros(2, [("a", float)]), np.zeros(2, "M8[s]")]
)
def test_an_argument_of_no_supported_dtype_is_named(array):
    text = message_of(lambda: ingot.jit(twice)(array))
    assert "`x`" in text and str(array.dtype) in text and "test_messages.py" in text


def test_arrays_of_other_libraries_are_no_static_arguments():
    text = message_of(lambda: ingot.jit(twice)(Series()))
    assert "`x`" in text and "Series" in text and "np.asarray" in text
    assert "static" not in text and "__hash__" not in text


def test_keys_of_another_generator_of_jax_are_no_static_arguments():
    text = message_of(lambda: ingot.jit(twice)(jax.random.key(0, impl="rbg")))
    assert "`x`" in text and "ingot.random.key" in text
    assert "static" not in text


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, jax.grad])
def test_a_tracer_is_called_by_its_name(transform):
    text = message_of(lambda: transform(lambda v: ingot.jit(twice)(v).sum())(X))
    assert "`x`" in text and "JAX" in text
    assert "static" not in text


def test_an_int_beyond_64_bits():
    """Not JaxRuntimeError: Unknown NumPy dtype dtype('O')."""
    assert "`x`" in message_of(lambda: ingot.jit(twice)(2**70), OverflowError)


def test_a_known_int_beyond_64_bits_meets_others():
    """Not Python int too large to convert to C long."""

    def f(n):
        return n + 2**64

    text = message_of(lambda: ingot.jit(f)(1))
    assert "beyond 64 bits" in text and "hint: use a smaller int, or a float" in text


def test_strings_that_differ_are_shown():
    def f(names, x):
        return [names[i] for i in np.argsort(x)]

    text = message_of(lambda: ingot.jit(f)(["a", "b", "c"], X))
    assert re.search("the str '[abc]' on one path and the str '[abc]' on another", text)


def test_a_refusal_in_pythons_own_library_is_at_the_call_of_it():
    def f(x):
        return statistics.mean(x.tolist())

    text = message_of(lambda: ingot.jit(f)(X))
    assert re.search(r"test_messages.py:\d+:16: statistics.mean is not supported: ", text)
    assert "hint: write it with functions that are, or call it outside" in text


def test_vectorize_of_what_a_mask_selects():
    """Not of np.broadcast_shapes, which the program does not call."""

    def f(x):
        return np.vectorize(lambda v: v + 1)(x[x > 0])

    text = message_of(lambda: ingot.jit(f)(X))
    assert "np.vectorize of an array whose length" in text and "use np.array([f(v)" in text


def test_argnums_are_numbers():
    assert "argnums" in message_of(lambda: ingot.grad(twice, "x")(X), TypeError)


def test_static_is_read_as_names():
    assert "nope" in message_of(lambda: ingot.jit(twice, static="nope"), TypeError)

    def power(x, exponent):
        return x**exponent

    assert ingot.jit(power, static="exponent")(2.0, 3) == 8.0


def test_what_is_needed_at_compile_time_is_named_in_the_log(caplog):
    def grow(n, scale):
        return np.zeros(n) + scale

    with caplog.at_level("INFO", logger="ingot"):
        ingot.jit(grow)(3, 2.0)
    (record,) = (each for each in caplog.records if "compile time" in each.message)
    assert "`n`" in record.message and "argument 0" not in record.message


# Names.


def test_numpy_functions_have_their_own_names():
    def draws(x):
        return x + np.random.normal(0, 1, 3)

    def joins(x):
        return np.c_[x, x]

    assert "np.random.normal" in message_of(lambda: ingot.jit(draws)(X))
    result = outcome(ingot.jit(joins), X)
    if isinstance(result, Exception):
        assert "np.c_" in str(result) and "dtype object" not in str(result)


def identity_text(x):
    return """module { func.func public @main(%arg0: tensor<3xf64>) -> tensor<3xf64> {
      return %arg0 : tensor<3xf64>
    } }"""


def test_a_primitive_without_derivative_is_named():
    @ingot.primitive(stablehlo=identity_text)
    def bare(x):
        return x

    text = message_of(lambda: ingot.grad(lambda x: np.sum(bare(x)))(X))
    assert "bare" in text and "no derivative" in text and "defjvp" in text


@pytest.mark.parametrize("value", [None, 3])
def test_stablehlo_that_is_no_text(value):
    @ingot.primitive(stablehlo=lambda x: value)
    def bare(x):
        return x

    text = message_of(lambda: bare(X), TypeError, ValueError)
    assert "bare" in text and "stablehlo" in text.lower()


# Exports.


@pytest.mark.parametrize("shape", [(None, 3), 2.5, ("n", 1.5)])
def test_specs_of_what_is_no_size(shape):
    assert "spec" in message_of(lambda: ingot.spec(shape), TypeError, ValueError)


def test_an_export_without_a_name_says_how_to_give_one():
    text = message_of(
        lambda: ingot.export(ingot.grad(lambda x: np.sum(x)), ingot.spec("n")), ValueError
    )
    assert "name=" in text


def test_the_command_line_says_which_option_bounds_a_size(tmp_path):
    (tmp_path / "m.py").write_text("def first(x):\n    return x[:5]\n")
    command = ("-m", "ingot", "compile", tmp_path / "m.py:first", "--arg", "x=f64[n]")
    done = python(*command, "-o", tmp_path / "m.ingot")
    assert done.returncode == 3 and not internals_in(done.stderr)
    assert "--size n=" in done.stderr


def conditional_size(x):
    return np.linspace(0, 1, x.shape[0]) * np.unwrap(x)


def test_an_export_that_depends_on_a_size_points_at_the_program():
    with pytest.raises(ingot.CompileError) as caught:
        ingot.export(conditional_size, ingot.spec("n"))
    assert caught.value.filename == __file__
    assert caught.value.lineno > conditional_size.__code__.co_firstlineno


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda: np.apply_along_axis(np.sum, 0), "np.apply_along_axis"),
        (lambda: np.linalg.norm(), "np.linalg.norm"),
        (lambda: np.hypot.reduce(np.ones(3), like=0), "np.hypot.reduce"),
    ],
)
def test_functions_of_the_library_have_numpys_names(call, name):
    with pytest.raises(ingot.DTypeError, match=rf"\b{re.escape(name)}\(\) "):
        ingot.jit(call)()


def of_none():
    return 0.0


def of_one(a):
    return a


@pytest.mark.parametrize(("function", "count"), [(of_none, 1), (of_none, 2), (of_one, 2)])
def test_too_many_arguments_are_counted_as_by_python(function, count):
    arguments = (1.0,) * count
    with pytest.raises(TypeError) as expected:
        function(*arguments)
    with pytest.raises(ingot.DTypeError) as refused:
        ingot.jit(function)(*arguments)
    assert str(refused.value.message) == str(expected.value)
