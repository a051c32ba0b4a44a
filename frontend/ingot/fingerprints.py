"""JSON names and fingerprints of Python objects, by which another process finds equal ones."""

from __future__ import annotations

import collections
import enum
import functools
import hashlib
import struct
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ingot.references import description, evaluated, unwrapped
from ingot.specs import is_traced
from ingot.syntax.places import MISSING, Loaded, Place, Read
from ingot.syntax.source import is_changed, is_module, is_written, last_line, lines_of
from ingot_runtime.manifest import decode_value, encode_value
from ingot_runtime.trees import LIBRARIES, attributes_of, is_instance

#: Attributes of extension classes, which are named by class and attribute.
_DESCRIPTORS = (
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)


class Unstorable(Exception):
    """A program depends on an object that has no stable name."""


# Text.


def text_of(code: types.CodeType) -> tuple[str, int, int, str]:
    """The file of a function, its first and last line, and the SHA-256 of these lines."""
    if not is_module(code.co_filename):
        # Different sources may have this file name, as "<stdin>".
        raise Unstorable
    lines = lines_of(code.co_filename, {})
    if len(lines) < code.co_firstlineno or is_changed(code):
        raise Unstorable
    first, last = code.co_firstlineno, last_line(code, lines)
    return code.co_filename, first, last, digest(lines[first - 1 : last])


def digest(lines: list[str]) -> str:
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def identity(function: types.FunctionType) -> Any:
    """The fingerprint of a function: its source. The values that it reads have guards."""
    if not isinstance(function, types.FunctionType) or function.__closure__:
        raise Unstorable
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    fingerprints = _fingerprints(defaults)
    code = function.__code__
    # Columns distinguish several lambdas on one line.
    columns = repr([*code.co_positions()]) if code.co_name == "<lambda>" else ""
    return function.__qualname__, *text_of(code), columns, fingerprints


# Names.


def namespace_of(module: str) -> dict[str, Any] | None:
    return vars(sys.modules[module]) if module in sys.modules else None


def class_name(kind: type) -> str:
    found: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        found = getattr(found, part, None)
    if found is not kind:
        raise Unstorable
    return f"{kind.__module__}:{kind.__qualname__}"


def class_named(name: str) -> Any:
    module, _, path = name.partition(":")
    return functools.reduce(getattr, path.split("."), sys.modules[module])


class Names:
    """Names of the objects that a program depends on, by the path through which it found them.

    Args:
        function: the function that the program was compiled from.
        origins: the place where each object was found first, by its id.
    """

    def __init__(self, function: types.FunctionType, origins: dict[int, Place]) -> None:
        self._function, self._origins = function, origins

    def of_place(self, place: Place) -> list[Any]:
        return [int(place.read), self.of(place.owner), encode_value(place.name)]

    def of(self, value: Any) -> list[Any]:
        """The name of an object.

        Raises:
            Unstorable: the object has no name, as one that only a closure refers to.
        """
        if value is self._function:
            return ["function"]
        if value is sys.modules:
            return ["modules"]
        if isinstance(value, Loaded):
            return ["loaded", value.module]
        if isinstance(value, types.ModuleType):
            return self.of(attributes_of(value))
        module = value.get("__name__") if isinstance(value, dict) else None
        if isinstance(module, str) and namespace_of(module) is value:
            return ["module", module]
        if id(value) in self._origins:
            return ["place", self.of_place(self._origins[id(value)])]
        if isinstance(value, type):
            return ["class", class_name(value)]
        raise Unstorable


def place_named(name: list[Any], function: types.FunctionType) -> Place:
    """The place in this process that a name stands for.

    Raises:
        LookupError, AttributeError: there is none.
    """
    read, owner, key = name
    return Place(Read(read), object_named(owner, function), decode_value(key))


def object_named(name: list[Any], function: types.FunctionType) -> Any:
    """The object in this process that a name stands for.

    Raises:
        LookupError, AttributeError: there is none.
    """
    kind, *parts = name
    if kind == "function":
        return function
    if kind == "modules":
        return sys.modules
    if kind == "loaded":
        return Loaded(parts[0])
    if kind == "module":
        return vars(sys.modules[parts[0]])
    if kind == "class":
        return class_named(parts[0])
    found = place_named(parts[0], function).find()
    if found is MISSING:
        raise LookupError
    return found


# Fingerprints.


def fingerprint(value: Any) -> Any:
    """A JSON value that differs between values for which programs differ.

    The items of lists, dicts, sets and deques and the attributes of instances are not included:
    they have guards, see `containers_in`. Of a kind of object that is not known in full there is
    no fingerprint.

    Raises:
        Unstorable: the value has no fingerprint that is stable across processes.
    """
    if not getattr(type(value), "is_storable", True):
        raise Unstorable
    if value is MISSING:
        return ["missing"]
    known = _BY_TYPE.get(type(value))
    if known is not None:
        return known(value)
    if isinstance(value, (np.dtype, np.finfo, np.iinfo)):
        return ["numpy", type(value).__name__, repr(value)]
    if isinstance(value, np.generic):
        return _fingerprint_of_number(value)
    if unwrapped(value) is not value:
        return _fingerprint_of_own(value)
    if isinstance(value, type):
        return _fingerprint_of_class(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return ["namedtuple", _fingerprint_of_class(type(value)), _fingerprints(value)]
    if isinstance(value, enum.Enum) and not isinstance(value, enum.Flag):
        return ["enum", _fingerprint_of_class(type(value)), value.name, fingerprint(value.value)]
    if is_instance(value) and not is_traced(value):
        return ["record", _fingerprint_of_class(type(value))]
    if _is_structure(value):
        return ["namedtuple", class_name(type(value)), _fingerprints(value)]
    if _is_of_library(type(value).__module__) or _is_of_library(_home(value)):
        return ["library", type(value).__qualname__, *_library_name(value)]
    raise Unstorable


def _fingerprints(values: Iterable[Any]) -> list[Any]:
    return [fingerprint(each) for each in values]


def containers_in(value: Any) -> Iterator[Any]:
    """The containers in a value of which `fingerprint` gives the class only."""
    if type(value) in _MUTABLE:
        yield value
    elif isinstance(value, (tuple, frozenset)):
        for each in value:
            yield from containers_in(each)


def _is_structure(value: Any) -> bool:
    """Whether it is a tuple of Python's own with names, such as sys.flags, and all in its items."""
    count = getattr(type(value), "n_fields", None)
    return isinstance(value, tuple) and count == len(value)


def _bits(number: float) -> str:
    """A float; NaNs of other bits are other ones."""
    return struct.pack("<d", number).hex()


def _fingerprint_of_number(value: np.generic) -> Any:
    if value.dtype.hasobject or type(value) is not value.dtype.type or value.dtype.kind == "V":
        raise Unstorable
    # Some bytes of extended floats have no meaning.
    bits = repr(value) if value.dtype.char in "gG" else value.tobytes().hex()
    return ["numpy", repr(value.dtype), bits]


def _fingerprint_of_array(value: np.ndarray) -> Any:
    # The elements are inputs, which are read at each call.
    return ["array", repr(value.dtype), list(value.shape), list(value.strides)]


def _fingerprint_of_method(value: types.MethodType) -> Any:
    return ["method", fingerprint(value.__self__), fingerprint(value.__func__)]


def _fingerprint_of_builtin(value: types.BuiltinFunctionType) -> Any:
    owner = value.__self__
    if isinstance(owner, type):
        return ["descriptor", class_name(owner), value.__name__]
    if owner is None or isinstance(owner, types.ModuleType):
        return ["library", *_library_name(value)]
    # It may be bound to any object.
    raise Unstorable


def _fingerprint_of_function(value: types.FunctionType) -> Any:
    if _is_of_library(value.__module__ or ""):
        return ["library", *_library_name(value)]
    if not is_module(value.__code__.co_filename):
        return ["generated", *_made(value)]
    return ["function", *identity(value)]


def _fingerprint_of_own(value: Any) -> Any:
    """The fingerprint of an object of Ingot's: its function, and what is done with that."""
    found = description(evaluated(value))
    if found is None:
        raise Unstorable
    inner = fingerprint(unwrapped(value))
    return [found, inner] if found else inner


def _made(function: types.FunctionType) -> Any:
    """The fingerprint of a generated function, such as a method of a dataclass: its bytecode."""
    if function.__closure__:
        raise Unstorable
    code = function.__code__
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    held = _fingerprints((*code.co_consts, *defaults))
    names = [*code.co_names, *code.co_varnames]
    return function.__qualname__, code.co_code.hex(), names, code.co_flags, held


def _is_of_library(module: str) -> bool:
    return module.partition(".")[0] in LIBRARIES or _is_compiled(module)


def _is_compiled(module: str) -> bool:
    """Whether a module of Python's is compiled code, which changes with Python's version only."""
    is_pythons = module.partition(".")[0] in sys.stdlib_module_names
    path = getattr(sys.modules.get(module), "__file__", None) or ""
    return is_pythons and not path.endswith(".py")


def _held_by(value: Any, *modules: str) -> tuple[str, str]:
    """The first of some modules that has an object, and the name by which it does."""
    for module in modules:
        for name, found in (namespace_of(module) or {}).items():
            if found is value:
                return module, name
    raise Unstorable


def _home(value: Any) -> str:
    """The module that an object says it is of."""
    module = getattr(value, "__module__", None)
    return module if isinstance(module, str) else ""


def _ufunc_name(value: np.ufunc) -> Any:
    """The module of a ufunc of NumPy's or SciPy's, and the ufunc's own name."""
    module, _ = _held_by(value, "numpy", "scipy.special")
    return ["library", module, value.__name__]


def _library_name(value: Any) -> tuple[str, str]:
    """The module and the name by which a function or an instance of a library is found there.

    `np.mgrid`, `scipy.stats.norm` and others like them are such instances.
    """
    module, name = _home(value), getattr(value, "__qualname__", None)
    found: Any = sys.modules.get(module)
    for part in name.split(".") if isinstance(name, str) else ():
        found = getattr(found, part, None)
    return (module, str(name)) if found is value else _held_by(value, module, "numpy")


def _fingerprint_of_class(kind: type) -> Any:
    if issubclass(kind, tuple) and hasattr(kind, "_field_defaults"):
        defaults = _fingerprints(kind._field_defaults.values())
        return ["namedtuple", class_name(kind), list(getattr(kind, "_fields", ())), defaults]
    if _is_of_library(kind.__module__):
        return ["library", class_name(kind)]
    path = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not path or is_written(path):
        raise Unstorable
    bases = [class_name(each) for each in kind.__mro__]
    return ["class", bases, class_name(type(kind)), digest(lines_of(path, {}))]


#: The types of plain values that their texts tell.
_PLAIN = (types.NoneType, types.EllipsisType, types.NotImplementedType, bool, str, bytes)
#: Containers of which `fingerprint` gives the class.
_MUTABLE = (list, dict, set, collections.deque, collections.OrderedDict, collections.defaultdict)
#: The fingerprint of an object of exactly this type.
_BY_TYPE: dict[type, Callable[[Any], Any]] = {
    # The decimal digits of long integers have a limit.
    int: lambda value: ["int", hex(value)],
    float: lambda value: ["float", _bits(value)],
    complex: lambda value: ["complex", _bits(value.real), _bits(value.imag)],
    **dict.fromkeys(_PLAIN, lambda value: [type(value).__name__, repr(value)]),
    tuple: lambda value: ["tuple", _fingerprints(value)],
    # Programs may depend on the order.
    frozenset: lambda value: ["frozenset", _fingerprints(value)],
    slice: lambda value: ["slice", _fingerprints((value.start, value.stop, value.step))],
    range: lambda value: ["range", _fingerprints((value.start, value.stop, value.step))],
    **dict.fromkeys(_MUTABLE, lambda value: ["container", class_name(type(value))]),
    np.ndarray: _fingerprint_of_array,
    types.ModuleType: lambda value: ["module", value.__name__],
    types.CodeType: lambda value: ["code", *text_of(value)],
    **dict.fromkeys(
        _DESCRIPTORS,
        lambda value: ["descriptor", class_name(value.__objclass__), value.__name__],
    ),
    property: lambda value: ["property", _fingerprints((value.fget, value.fset, value.fdel))],
    staticmethod: lambda value: ["staticmethod", fingerprint(value.__func__)],
    classmethod: lambda value: ["classmethod", fingerprint(value.__func__)],
    types.MethodType: _fingerprint_of_method,
    types.BuiltinFunctionType: _fingerprint_of_builtin,
    types.FunctionType: _fingerprint_of_function,
    np.ufunc: _ufunc_name,
    type(np.sum): lambda value: ["library", *_library_name(value)],
}  # fmt: skip
