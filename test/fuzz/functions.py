"""Differential fuzz of the function table: every function, against NumPy, on odd arguments.

`python test/fuzz/functions.py [--rounds N] [--seed N] [--jobs N] [NAME ...]` prints each call on which
compiled code and NumPy differ and exits with 1 if there is one, or a refusal that `refusals.json` does not
list (`--shrink-list` takes what came less often into it). Every second round stores to the
results, which shows whether they are views of arguments. A refusal (UnsupportedError) is no difference,
any other error is one. Arguments are found by the names of NumPy's parameters; arrays lie in
memory in C or Fortran order, with gaps, backwards, or broadcast. Results must lie as NumPy's do.
"""

from __future__ import annotations

import argparse
import collections
import inspect
import multiprocessing
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ["INGOT_PLATFORM"] = "cpu"
os.environ["INGOT_CACHE_DIR"] = ""

import numpy as np
from generator import refusals
from generator.judge import of_refusal

import ingot
from ingot.dtypes import DTYPES
from ingot.numpy.table import FUNCTIONS

SHAPES = [(), (1,), (3,), (0,), (4,), (2, 3), (3, 3), (1, 3), (0, 3), (2, 3, 4), (2, 1, 3, 2)]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -2.5, 3.0, 7.25, 1e-3]
#: Whose results for infinities and NaN depend on the algorithm (docs/differences.md), as those
#: of complex numbers and of Fourier transforms do.
PLAIN = {"np.astype", "np.dot", "np.inner", "np.outer", "np.percentile", "np.quantile",
         "np.nanpercentile", "np.nanquantile"}  # fmt: skip


def _with_gaps(array: np.ndarray) -> np.ndarray:
    wide = np.zeros([2 * n for n in array.shape], array.dtype)
    made = wide[(slice(None, None, 2),) * array.ndim]
    made[...] = array
    return made


def _backwards(array: np.ndarray) -> np.ndarray:
    return np.flip(np.flip(array).copy())


def _broadcast(array: np.ndarray) -> np.ndarray:
    return np.broadcast_to(array[:1], array.shape) if array.size else array


#: How arrays lie in memory: half of them in C order.
ORDERS: list[Callable[[np.ndarray], np.ndarray]] = [
    *[np.asarray] * 5, np.asfortranarray, _with_gaps, _backwards, _broadcast,
    lambda array: _with_gaps(array.T).T,
]  # fmt: skip


#: Differences of each function that are printed.
SHOWN = 2


class Skip(Exception):
    """No arguments are known for a parameter."""


class Maker:
    """Arguments for one call."""

    def __init__(self, rng: np.random.Generator, plain: bool) -> None:
        self.rng, self.plain = rng, plain
        self.shape = self.pick(SHAPES)
        self.dtype = self.pick(DTYPES)

    def pick(self, items: Any) -> Any:
        items = list(items)
        return items[self.rng.integers(len(items))]

    def array(self, shape: Any = None, dtype: Any = None) -> np.ndarray:
        array = self._array(shape, dtype)
        return self.pick(ORDERS)(array) if array.ndim else array

    def _array(self, shape: Any, dtype: Any) -> np.ndarray:
        shape = self.shape if shape is None else shape
        dtype = np.dtype(self.dtype if dtype is None else dtype)
        size = int(np.prod(shape))
        if dtype.kind in "iu":
            low = 0 if dtype.kind == "u" else -4
            return self.rng.integers(low, 9, size).astype(dtype).reshape(shape)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, size).astype(dtype).reshape(shape)
        plain = self.plain or "c" in (dtype.kind, np.dtype(self.dtype).kind)
        values = self.rng.choice(np.arange(-4.0, 5.0) if plain else SPECIAL, size)
        if dtype.kind == "c":
            values = values + 1j * self.rng.choice([0.0, 1.0, -2.0, 0.5], size)
        return values.astype(dtype).reshape(shape)

    def partners(self) -> list[np.dtype]:
        # XLA makes a choice of a product with a boolean, also where the other is infinite.
        if self.dtype == np.dtype(bool):
            return [self.dtype]
        return [d for d in DTYPES[1:] if d.kind != "c" or self.plain or self.dtype.kind == "c"]

    def other(self) -> Any:
        """Something that broadcasts with the first array."""
        shape = self.pick([self.shape, self.shape, self.shape[1:], ()])
        dtype = self.pick([self.dtype, self.dtype, self.pick(self.partners())])
        return self.pick([self.array(shape, dtype), self.pick([2, -1, 0.5, True, 0])])

    def axis(self) -> Any:
        n = len(self.shape)
        return self.pick([None, 0, -1, n - 1, 1, (0,), (0, -1)])


def _integers(m: Maker) -> np.ndarray:
    n = max(m.shape[0] if m.shape else 1, 1)
    return m.rng.integers(-n, n, m.pick([(2,), (1,), (2, 2)]))


#: By parameter; what is not here and has a default is left out.
PARAMETERS: dict[str, Callable[[Maker], Any]] = {
    **dict.fromkeys(
        ["a", "x", "arr", "m", "array", "ary", "v", "filt", "p", "z", "element", "y", "f", "object",
         "prototype", "X", "x1", "val", "c"],
        lambda m: m.array(),
    ),
    **dict.fromkeys(["b", "x2", "a2", "a1"], lambda m: m.other()),
    "axis": Maker.axis,
    "keepdims": lambda m: m.pick([True, False]),
    "dtype": lambda m: m.pick([None, None, np.float64, np.float32, np.int32, np.complex64]),
    "ddof": lambda m: m.pick([0, 1]),
    "k": lambda m: m.pick([0, 1, -1]), "offset": lambda m: m.pick([0, 1, -1]),
    "n": lambda m: m.pick([1, 2, 3]), "N": lambda m: m.pick([1, 3, 4]),
    "M": lambda m: m.pick([1, 3, 4]), "decimals": lambda m: m.pick([0, 1, -1, 2]),
    "shape": lambda m: m.pick([m.shape, (2, 3), 4, (-1,)]),
    "new_shape": lambda m: m.pick([(2, 3), 4]), "newshape": lambda m: m.pick([(-1,), m.shape]),
    "repeats": lambda m: m.pick([0, 1, 3]), "reps": lambda m: m.pick([2, (2, 1), (1, 2, 2)]),
    "A": lambda m: m.array(), "shift": lambda m: m.pick([1, -2, 5]),
    "source": lambda m: m.pick([0, -1]), "destination": lambda m: m.pick([-1, 0]),
    "axis1": lambda m: m.pick([0, -1]), "axis2": lambda m: m.pick([1, 0, -1]),
    "fill_value": lambda m: m.pick([0, 1.5, -1]), "indices": _integers, "ind": _integers,
    "condition": lambda m: m.array(dtype=bool), "mask": lambda m: m.array(dtype=bool),
    "q": lambda m: m.pick([0.25, [0.1, 0.9], 0, 1]), "deg": lambda m: m.pick([1, 2]),
    "side": lambda m: m.pick(["left", "right"]), "bins": lambda m: [0, 1, 2.5],
    "weights": lambda m: None, "rowvar": lambda m: m.pick([True, False]),
    "pad_width": lambda m: m.pick([1, (2, 1), 0]),
    "mode": lambda m: None, "prepend": lambda m: None, "append": lambda m: None,
    "edge_order": lambda m: m.pick([1, 2]), "kth": lambda m: 0,
    "indices_or_sections": lambda m: m.pick([1, 2, [1]]),
    "choices": lambda m: [m.array(), m.array()], "xp": lambda m: np.array([0.0, 1.0, 2.5]),
    "fp": lambda m: np.array([1.0, -1.0, 4.0]), "beta": lambda m: 2.0,
    "values": lambda m: m.other(), "obj": lambda m: m.pick([0, -1]),
    "axes": lambda m: None, "keys": lambda m: m.array(), "increasing": lambda m: m.pick([True, False]),
    "test_elements": lambda m: m.array((3,)), "rtol": lambda m: 1e-5, "equal_nan": lambda m: True,
    "arrays": lambda m: [m.array(), m.array()], "tup": lambda m: [m.array(), m.array()],
    "start_or_stop": lambda m: m.pick([0, 3, 5.5, -2]), "from_": lambda m: m.pick(DTYPES),
    "to": lambda m: m.pick(DTYPES), "arg1": lambda m: np.float32,
    "arg2": lambda m: np.floating, "type1": lambda m: m.pick(DTYPES),
    "type2": lambda m: m.pick(DTYPES), "minlength": lambda m: 12,
    "start": lambda m: m.pick([0, 1.5, -2]), "stop": lambda m: m.pick([5, 7.5]),
    "num": lambda m: m.pick([0, 1, 5]), "endpoint": lambda m: m.pick([True, False]),
    "ord": lambda m: m.pick([None, 1, 2, np.inf, -np.inf, 0]), "UPLO": lambda m: m.pick("LU"),
    "norm": lambda m: m.pick([None, "ortho", "forward"]), "d": lambda m: m.pick([1.0, 0.5]),
    "s": lambda m: None, "upper": lambda m: m.pick([True, False]), "dims": lambda m: (3, 3),
    "subscripts": lambda m: "...i,...i->...", "dimensions": lambda m: (2, 3), "ndim": lambda m: 2,
    "hermitian": lambda m: False, "array1": lambda m: m.array(), "include_initial": lambda m: m.pick([True, False]),
    "min": lambda m: -1, "max": lambda m: 2, "a_min": lambda m: -1, "a_max": lambda m: 2,
    "dst": lambda m: m.array(), "src": lambda m: m.other(), "bitorder": lambda m: m.pick(["big", "little"]),
    "initial": lambda m: None, "stable": lambda m: None, "invert": lambda m: m.pick([True, False]),
    "multi_index": lambda m: (m.rng.integers(0, 3, 4), m.rng.integers(0, 3, 4)),
    "condlist": lambda m: [m.array(dtype=bool)], "choicelist": lambda m: [m.array()],
    "funclist": lambda m: [2, -1], "default": lambda m: 0, 
    
}  # fmt: skip
#: What is documented to differ (eig), depends on uninitialised memory, or needs arguments of its own kind.
LEFT_OUT = {
    "eig",
    "eigvals",
    "empty",
    "empty_like",
    "ndarray",
    "finfo",
    "iinfo",
    "dtype",
    "printoptions",
}
VARIADIC = {"args": "a", "arys": "a", "xi": "V", "operands": "a", "arrays_and_dtypes": "a",
            "varargs": None, "operand": "a"}  # fmt: skip
#: Their linear algebra has signs or an order of its own; they are tested by what they satisfy.
BY_PROPERTY = {"qr", "svd", "eig", "eigh", "eigvals", "partition", "argpartition", "lstsq", "pinv",
               "matrix_rank", "cond", "polyfit", "argsort", "lexsort"}  # fmt: skip

#: NumPy gives views with steps, of a length that is known at run time: the elements of ours lie side
#: by side (docs/differences.md, "Order in memory").
SIDE_BY_SIDE = {"nonzero", "trim_zeros"}


def arguments(function: Any, m: Maker) -> tuple[tuple, dict[str, Any]]:
    if isinstance(function, np.ufunc):
        return (m.array(), *(m.other() for _ in range(function.nin - 1))), {}
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        raise Skip(f"{function.__name__} has no signature") from None
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for each in parameters:
        if each.kind is each.VAR_POSITIONAL:
            kind = VARIADIC.get(each.name)
            args += [m.array() for _ in range(2)] if kind == "a" else []
            args += [m.array((3,)), m.array((2,))] if kind == "V" else []
            continue
        if each.kind is each.VAR_KEYWORD:
            continue
        is_needed = each.default is each.empty
        if each.name not in PARAMETERS:
            if is_needed:
                raise Skip(f"{function.__name__}: parameter {each.name}")
            continue
        if not is_needed and m.rng.random() < 0.5:
            continue
        value = PARAMETERS[each.name](m)
        if value is None and not is_needed:
            continue
        if is_needed and each.kind is not each.KEYWORD_ONLY and not kwargs:
            args.append(value)
        elif each.kind is each.POSITIONAL_ONLY:
            raise Skip("an optional positional parameter")
        else:
            kwargs[each.name] = value
    if function is np.searchsorted and np.ndim(args[0]) == 1:
        # Among elements in no order a search may end anywhere.
        args[0] = np.sort(args[0])
    return tuple(args), kwargs


def functions() -> Iterator[tuple[str, Any]]:
    for home, module in (("np", np), ("np.linalg", np.linalg), ("np.fft", np.fft)):
        for name in sorted(dir(module)):
            function = getattr(module, name)
            known = not name.startswith("_") and _is_known(function)
            if known and name not in LEFT_OUT:
                yield f"{home}.{name}", function


def _is_known(function: Any) -> bool:
    try:
        return callable(function) and function in FUNCTIONS
    except TypeError:
        return False


#: A call, and a store to its result, which arguments see where NumPy gives a view of them.
CALLERS = """import numpy as np

def call(*args, **kwargs):
    return {name}(*args, **kwargs)

def store(*args, **kwargs):
    made = {name}(*args, **kwargs)
    if isinstance(made, np.ndarray):
        made[...] = 1
    return made
"""


def callers_of(name: str, folder: Path) -> list[Callable[..., Any]]:
    path = folder / f"{name.replace('.', '_')}.py"
    path.write_text(CALLERS.format(name=name))
    namespace: dict[str, Any] = {"__name__": "fuzzed"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return [namespace["call"], namespace["store"]]


def same(actual: Any, expected: Any, name: str) -> str:
    """ "" or how the results differ."""
    if isinstance(expected, (tuple, list)):
        if not isinstance(actual, (tuple, list)) or len(actual) != len(expected):
            return f"{type(actual).__name__} for {type(expected).__name__}"
        found = (same(a, e, name) for a, e in zip(actual, expected, strict=True))
        return next((each for each in found if each), "")
    if expected is None or isinstance(expected, (str, np.dtype, type)):
        return "" if expected == actual else f"{actual!r} for {expected!r}"
    a, e = np.asarray(actual), np.asarray(expected)
    if a.dtype != e.dtype or a.shape != e.shape:
        return f"{a.dtype}{a.shape} for {e.dtype}{e.shape}"
    like = e.copy() if name in SIDE_BY_SIDE else expected
    if isinstance(like, np.ndarray) and (how := _lies_apart(actual, like)):
        return how
    if name in BY_PROPERTY:
        return ""
    if e.dtype.kind in "biu":
        return "" if np.array_equal(a, e) else f"{a.tolist()} for {e.tolist()}"
    tolerance = {2: 4e-3, 4: 1e-5}.get(e.real.dtype.itemsize, 1e-9)
    parts = [(a.real, e.real), (a.imag, e.imag)] if e.dtype.kind == "c" else [(a, e)]
    scale = max(float(np.max(np.abs(y[np.isfinite(y)].astype(float)), initial=0)) for _, y in parts)
    # Complex arithmetic has its own infinities and NaN.
    counts = np.isfinite(e) if e.dtype.kind == "c" else np.ones(e.shape, bool)
    for x, y in ((x[counts], y[counts]) for x, y in parts):
        if not np.allclose(x, y, rtol=tolerance, atol=tolerance * scale, equal_nan=True):
            return f"{a.tolist()} for {e.tolist()}"
    return ""


def _lies_apart(actual: Any, expected: np.ndarray) -> str:
    """ "" or how two arrays differ in how they lie in memory."""
    if not isinstance(actual, np.ndarray):
        return f"{type(actual).__name__} for ndarray"
    if actual.flags.writeable != expected.flags.writeable:
        return f"writeable is {actual.flags.writeable}"
    found = [
        [stride for stride, n in zip(each.strides, each.shape, strict=True) if n > 1]
        for each in (actual, expected)
        if each.size
    ]
    return f"strides {found[0]} for {found[1]}" if found and found[0] != found[1] else ""


def _casts_to_integers(values: Any) -> bool:
    return any(isinstance(v, type) and issubclass(v, np.integer) for v in values)


def _is_finite(args: tuple) -> bool:
    return all(np.all(np.isfinite(a)) for a in args if isinstance(a, np.ndarray))


def _roots_as_powers(expected: Any, base: Any, exponent: Any) -> Any:
    """What NumPy gives where the exponents lie in memory each for itself: of an exponent that is
    one number, 0.5, it takes square roots, and a compiled function does not know this number."""
    if np.asarray(expected).dtype.kind != "f":
        return expected
    is_half = np.asarray(exponent) == 0.5
    found = np.where(is_half & (np.asarray(base) == 0), 0.0, expected)
    found = np.where(is_half & (np.asarray(base) == -np.inf), np.inf, found)
    made = np.copy(expected, order="K")
    made[...] = found
    return made if isinstance(expected, np.ndarray) else made[()]


def run_one(
    name: str, function: Any, caller: Any, compiled: Any, make: Callable[[], Maker]
) -> tuple[str, str]:
    # Copies would lie in memory in another way.
    (args, kwargs), plain, ours = (arguments(function, make()) for _ in range(3))
    orders = [each.strides for each in args if isinstance(each, np.ndarray)]
    text = f"{caller.__name__} {name}(*{args!r}, **{kwargs!r}) of strides {orders}"
    try:
        expected: Any = caller(*plain[0], **plain[1])
        failed = None
    except Exception as error:
        expected, failed = None, error
    try:
        actual = compiled(*ours[0], **ours[1])
    except (ingot.UnsupportedError, NotImplementedError) as error:
        # At run time what depends on values is refused by NotImplementedError.
        return ("raises", "") if failed else ("refused", of_refusal(error))
    except Exception as error:
        if failed is not None:
            return "raises", ""
        return "DIFFERS", f"{text}\n    {type(error).__name__}: {str(error).splitlines()[0]}"
    if failed is not None:
        return "DIFFERS", f"{text}\n    returned, NumPy raises {failed!r}"
    short = name.rpartition(".")[2]
    if _casts_to_integers(kwargs.values()) and not _is_finite(plain[0]):
        return "agrees", ""
    if short == "roots" and np.size(expected):
        # Always complex, as is documented: whether they are real only the values tell.
        expected = expected.astype(np.result_type(expected, np.complex64))
    if short == "unique_values" and caller.__name__ == "call":
        # NumPy's order is unspecified, as is documented: that of complex numbers is by a hash.
        expected = np.sort(expected)
    if short in ("pow", "power") and caller.__name__ == "call":
        expected = _roots_as_powers(expected, *plain[0])
    how = same(actual, expected, short) or same(ours[0], plain[0], "")
    return ("DIFFERS", f"{text}\n    {how}") if how else ("agrees", "")


@dataclass
class Task:
    """One function: its number and name, the rounds, and the seed of them all."""

    number: int
    name: str
    rounds: int
    seed: int


@dataclass
class Tried:
    """What became of the calls of one function.

    Attributes:
        name: of the function.
        counts: of its calls, by verdict.
        refusals: of its calls, by kind.
        differences: the first ones.
        skipped: why it was not called, or "".
    """

    name: str
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    refusals: collections.Counter[str] = field(default_factory=collections.Counter)
    differences: list[str] = field(default_factory=list)
    skipped: str = ""


def tried(task: Task) -> Tried:
    """Call a function in all rounds."""
    result, function = Tried(task.name), dict(functions())[task.name]
    plain = task.name.startswith(("np.fft", "np.linalg")) or task.name in PLAIN
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        callers = callers_of(task.name, Path(folder))
        compiled = [ingot.jit(each) for each in callers]
        for round_number in range(task.rounds):
            seeds = (task.seed, round_number, task.number)

            def make(seeds: Any = seeds) -> Maker:
                return Maker(np.random.default_rng(seeds), plain)

            way = round_number % 2
            try:
                how, text = run_one(task.name, function, callers[way], compiled[way], make)
            except Skip as reason:
                result.skipped = str(reason)
                continue
            result.counts[how] += 1
            if how == "refused":
                result.refusals[text] += 1
            if how == "DIFFERS" and len(result.differences) < SHOWN:
                result.differences.append(text)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2, help="calls of each function")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--verbose", action="store_true", help="what was left out, and counts")
    parser.add_argument("--shrink-list", action="store_true", help="of what may be refused")
    parser.add_argument("names", nargs="*", help="such as np.sum; all, if none is named")
    options = parser.parse_args()
    # A function that is named meets the arguments that it does among all.
    tasks = [
        Task(number, name, options.rounds, options.seed)
        for number, (name, _) in enumerate(functions())
        if not options.names or name in options.names
    ]
    found = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(options.jobs, len(tasks) or 1), context) as pool:
        for each in pool.map(tried, tasks):
            found.append(each)
            for text in each.differences:
                print(f"DIFFERS {each.name}: {text}", flush=True)
    called = [each for each in found if each.counts]
    total = sum((each.counts for each in called), collections.Counter())
    print(f"{len(called)} functions, {options.rounds} rounds: {dict(total)}")
    if options.verbose:
        for each in called:
            if not each.counts["agrees"]:
                print(f"never agreed: {each.name} {dict(each.counts)}")
        for each in found:
            if each.skipped:
                print(f"left out: {each.name} ({each.skipped})")
    kinds = sum((each.refusals for each in called), collections.Counter())
    beyond = []
    if not options.names:
        if options.shrink_list:
            refusals.shrink("functions", kinds, total.total())
        beyond = refusals.beyond("functions", kinds, total.total())
        print(*(f"not listed: {each}" for each in beyond), sep="\n", end="\n" * bool(beyond))
    return int(total["DIFFERS"] > 0 or bool(beyond))


if __name__ == "__main__":
    sys.exit(main())
