"""JSON names and fingerprints of Python objects, by which another process finds equal ones."""

from __future__ import annotations

import functools
import hashlib
import sys
import types
from typing import Any

import numpy as np

from ingot.references import description, evaluated, unwrapped
from ingot.specs import is_traced
from ingot.syntax.places import MISSING, Place, Read
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
    fingerprints = [fingerprint(each) for each in defaults]
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

    The contents of containers and the attributes of instances are not included: they have guards.

    Raises:
        Unstorable: the value has no fingerprint that is stable across processes.
    """
    if not getattr(type(value), "is_storable", True):
        raise Unstorable
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return [type(value).__name__, repr(value)]
    if value is MISSING:
        return ["missing"]
    if isinstance(value, (np.generic, np.dtype, np.finfo, np.iinfo)):
        return ["numpy", type(value).__name__, repr(value)]
    if isinstance(value, np.ndarray):
        # The elements are inputs, which are read at each call.
        return ["array", value.dtype.str, list(value.shape), list(value.strides)]
    if isinstance(value, types.ModuleType):
        return ["module", value.__name__]
    if isinstance(value, types.CodeType):
        return ["code", *text_of(value)]
    if isinstance(value, _DESCRIPTORS):
        return ["descriptor", class_name(value.__objclass__), value.__name__]
    if isinstance(value, types.BuiltinFunctionType) and isinstance(value.__self__, type):
        return ["descriptor", class_name(value.__self__), value.__name__]
    if isinstance(value, property):
        return ["property", [fingerprint(each) for each in (value.fget, value.fset, value.fdel)]]
    if isinstance(value, (staticmethod, classmethod)):
        return [type(value).__name__, fingerprint(value.__func__)]
    if unwrapped(value) is not value:
        return _fingerprint_of_own(value)
    if isinstance(value, np.ufunc):
        return ["library", *_ufunc_name(value)]
    module = getattr(value, "__module__", None) or ""
    if module.partition(".")[0] in LIBRARIES or _is_compiled(module):
        return ["library", module, *_library_name(value, module)]
    if isinstance(value, types.FunctionType):
        if not is_module(value.__code__.co_filename):
            return ["generated", *_made(value)]
        return ["function", *identity(value)]
    if isinstance(value, type):
        return _fingerprint_of_class(value)
    if type(value) is tuple:
        return ["tuple", [fingerprint(each) for each in value]]
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return ["container", class_name(type(value))]
    if is_instance(value) and not is_traced(value):
        return ["record", _fingerprint_of_class(type(value))]
    raise Unstorable


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
    held = [fingerprint(each) for each in (*code.co_consts, *defaults)]
    names = [*code.co_names, *code.co_varnames]
    return function.__qualname__, code.co_code.hex(), names, code.co_flags, held


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


def _ufunc_name(value: np.ufunc) -> tuple[str, str]:
    """The module of a ufunc of NumPy's or SciPy's, and the ufunc's own name."""
    module, _ = _held_by(value, "numpy", "scipy.special")
    return module, value.__name__


def _library_name(value: Any, module: str) -> tuple[str, ...]:
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    if isinstance(name, str):
        return (name,)
    # `np.mgrid`, `scipy.stats.norm` and others like them are the instances that a library has by a
    # name.
    return type(value).__qualname__, _held_by(value, module, "numpy")[1]


def _fingerprint_of_class(kind: type) -> Any:
    if issubclass(kind, tuple) and hasattr(kind, "_field_defaults"):
        defaults = [fingerprint(each) for each in kind._field_defaults.values()]
        return ["namedtuple", class_name(kind), list(getattr(kind, "_fields", ())), defaults]
    path = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not path or is_written(path):
        raise Unstorable
    return ["class", class_name(kind), digest(lines_of(path, {}))]
