"""Attributes, and the operators and methods of instances of user-defined classes."""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import inspect
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ingot.numpy.library import attributes as library_attributes
from ingot.numpy.python_scalars import is_of_numpy
from ingot.numpy.table import ARRAY_ATTRIBUTES, METHODS
from ingot.references import ByReference
from ingot.syntax import examples, modules, orders, parts
from ingot.syntax.attributes import gives, is_generated, sets
from ingot.syntax.changes import Changes
from ingot.syntax.container_methods import CONTAINER_METHODS, RANGE_METHODS
from ingot.syntax.flat import Flat
from ingot.syntax.foreign import is_constant
from ingot.syntax.functions import LocalFunction, Method, Partial, Super
from ingot.syntax.guards import MISSING, is_plain
from ingot.syntax.modules import Modules
from ingot.syntax.parts import PARTS
from ingot.syntax.state import ATOMS
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Joined,
    List,
    Opaque,
    Raisable,
    Range,
    Reference,
    Scalar,
    Set,
    Symbolic,
    class_name,
    describe,
)
from ingot_runtime.thrown import has_own_init
from ingot_runtime.trees import HEAP_TYPE, LIBRARIES, has_other_dict

if TYPE_CHECKING:
    from ingot.syntax.evaluator import Evaluator

#: The types of fields of dataclasses that are attributes, and that only `__post_init__` takes.
_OF_INSTANCE, _OF_INIT = dataclasses._FIELD, dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
#: Methods of named tuples. They only rearrange items, so Python's own versions can run.
NAMED_TUPLE_METHODS = ("_asdict", "_make", "_replace")
#: What is repeated by `*`.
_SEQUENCES = (list, tuple, str, bytes, List)
#: The name of each binary operator in its special methods: `__add__`, `__radd__`, `__iadd__`.
BINARY_METHODS: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
UNARY_METHODS: dict[type, str] = {
    ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__",
}  # fmt: skip
#: The method of each comparison, and the one that Python tries on the right operand.
COMPARE_METHODS: dict[type, tuple[str, str]] = {
    ast.Eq: ("__eq__", "__eq__"), ast.NotEq: ("__ne__", "__ne__"), ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"), ast.Gt: ("__gt__", "__lt__"), ast.GtE: ("__ge__", "__le__"),
}  # fmt: skip


def _kind_of(value: Any) -> type | None:
    """The class of an instance; None for other values."""
    return value.cell.kind if isinstance(value, Instance) else None


def _is_derived(base: type | None, kind: type | None) -> bool:
    """Whether the second class is one derived from the first."""
    return None not in (base, kind) and kind is not base and issubclass(kind, base)  # type: ignore[arg-type]


class Objects(Changes):
    # Attributes.

    def attribute(self, value: Any, name: str) -> Any:
        kind = type(value)
        if kind is Array or kind is Scalar:
            return self._number_attribute(value, name)
        if kind is types.ModuleType:
            return self._module_attribute(value, name)
        if kind is Instance:
            return self._instance_attribute(value, name)
        if kind in PARTS:
            known = parts.knows_method(name)
            return Method(value, name) if known else parts.attribute(self, value, name)
        if isinstance(value, Reference):
            if name in CONTAINER_METHODS[kind]:
                return Method(value, name)
            if name == "__class__":
                return value.cell.kind
            if gives(value.cell.kind, name):
                self.fail(f"`{name}` of a {class_name(value)} is not supported")
            self.no_attribute(value, name)
        if kind is Super:
            return self._super_attribute(value, name)
        if isinstance(value, type):
            return self._class_attribute(value, name)
        if isinstance(value, Symbolic):
            return self._symbolic_attribute(value, name)
        if isinstance(value, tuple):
            return self._tuple_attribute(value, name)
        if isinstance(value, types.FunctionType) and name in value.__dict__:
            return self.lift(self.reads.item(value.__dict__, name), name)
        return self._static_attribute(value, name)

    def _tuple_attribute(self, value: tuple, name: str) -> Any:
        if name in getattr(value, "_fields", ()):
            return getattr(value, name)
        if name in ("count", "index") and getattr(type(value), name) is getattr(tuple, name):
            return Method(value, name)
        found = getattr(type(value), name) if gives(type(value), name) else MISSING
        if name in NAMED_TUPLE_METHODS or name == "_fields":
            return getattr(value, name)
        if name == "__class__":
            return type(value)
        if isinstance(found, types.FunctionType):
            return Method(value, name, self.reads.of_type(type(value), name))
        if isinstance(found, property):
            return self.call(found.fget, (value,), {})
        if isinstance(found, (types.MemberDescriptorType, types.GetSetDescriptorType)):
            # Of a tuple of Python's own with names, such as sys.float_info.
            return self.compute(getattr, value, name)
        if found is MISSING:
            self.no_attribute(value, name)
        return self._class_attribute(type(value), name)

    def _number_attribute(self, value: Any, name: str) -> Any:
        is_known = isinstance(value, Scalar) and type(value) is not Joined
        if is_known and not gives(value.weak or value.dtype.type, name):
            self.no_attribute(value, name)
        if name in ARRAY_ATTRIBUTES:
            return ARRAY_ATTRIBUTES[name](self, value)
        if name in METHODS or (isinstance(value, Scalar) and name in NUMBER_METHODS):
            return Method(value, name)
        if name == "__class__":
            return self.call(type, (value,), {})
        kind = np.ndarray if isinstance(value, Array) else value.weak or value.dtype.type
        if not gives(kind, name):
            self.no_attribute(value, name)
        self.fail(f"`{name}` of {describe(value)} is not supported", "see docs/numpy.md")

    def _module_attribute(self, value: types.ModuleType, name: str) -> Any:
        if name not in value.__dict__:
            return self._missing_in_module(value, name)
        found = self.reads.item(value.__dict__, name)
        return found if type(found) in ATOMS else self.lift(found, name)

    def _missing_in_module(self, value: types.ModuleType, name: str) -> Any:
        """An attribute that a module gives by its `__getattr__`, or that all modules have."""
        getter = value.__dict__.get("__getattr__")
        if not isinstance(getter, types.FunctionType):
            self.reads.item(value.__dict__, "__getattr__")
            self.reads.item(value.__dict__, name)
            return self.lift(self.compute(getattr, value, name, raw=True), name)
        is_users = value.__name__.partition(".")[0] not in LIBRARIES
        if is_users and self.can_evaluate(lambda: self.call(getter, (name,), {})):
            self.reads.item(value.__dict__, name)
            return self.call(self.reads.item(value.__dict__, "__getattr__"), (name,), {})
        # One that loads attributes lazily puts them into the `__dict__` of the module.
        found = self.compute(getattr, value, name, raw=True)
        if name in value.__dict__:
            return self.lift(self.reads.item(value.__dict__, name), name)
        if is_users:
            self.fail(
                f"`{name}` is what the `__getattr__` of the module {value.__name__} gives, which "
                "is not supported",
                "give it a name in the module, or pass it as an argument",
            )
        return self.lift(found, name)

    def _static_attribute(self, value: Any, name: str) -> Any:
        """An attribute of a static object, found by `getattr`."""
        if isinstance(type(value).__getattribute__, types.FunctionType):
            self.fail(
                f"{class_name(value)} has a `__getattribute__`, which is not supported",
                "pass the attributes themselves",
            )
        if has_other_dict(type(value)):
            self.fail(
                f"{class_name(value)} has a `__dict__` of its own, which is not supported",
                "pass the attributes themselves",
            )
        fields = getattr(value, "__dict__", None)
        if type(fields) is dict and name in fields and not isinstance(value, _LIMITS):
            return self.lift(self.reads.item(fields, name), name)
        if self.is_foreign_array(value):
            self.fail(f"{describe(value)} can't be computed with", "convert it with np.asarray")
        if isinstance(value, inspect.Signature) and name == "parameters":
            return self.new_dict(value.parameters)
        if is_constant(value):
            return self.lift(self.compute(getattr, value, name, raw=True), name)
        return self._changing_attribute(value, name)

    def _changing_attribute(self, value: Any, name: str) -> Any:
        """What `getattr` gives, which may be another object at the next call."""
        found = self.compute(getattr, value, name, raw=True)
        if not isinstance(value, (type, types.FunctionType)):
            self.reads.everything(found)
        if is_plain(found) or getattr(value, name) is found:
            self.reads.attribute(value, name)
        elif getattr(found, "__self__", None) is value:
            # A method: each read makes another object, which is bound to what the class has.
            self.reads.of_type(type(value), name)
        else:
            self.fail(
                f"`{name}` of a {class_name(value)} is another object each time, and may change "
                "unseen",
                "pass what it holds as an argument",
            )
        return self.lift(found, name)

    def is_foreign_array(self, value: Any) -> bool:
        return hasattr(type(value), "__array__") and not isinstance(value, (np.generic, np.dtype))

    def _symbolic_attribute(self, value: Any, name: str) -> Any:
        if isinstance(value, Joined) and name in ("real", "imag"):
            return ARRAY_ATTRIBUTES[name](self, value)
        if isinstance(value, LocalFunction) and name == "__name__":
            return value.name
        if isinstance(value, Partial) and name in ("func", "args", "keywords"):
            parts = {"func": value.function, "args": value.args}
            return parts.get(name) or self.new_dict(value.kwargs)
        if isinstance(value, Method) and name == "__self__":
            return value.owner
        if isinstance(value, Range) and name in ("start", "stop", "step"):
            return getattr(value, name)
        if isinstance(value, Range) and name in RANGE_METHODS:
            return Method(value, name)
        if isinstance(value, Flat) and name == "copy":
            return Method(value, name)
        if isinstance(value, Modules):
            return Method(value, name) if name in modules.METHODS else modules.refuse(self)
        if type(value) is Opaque:
            self.refuse_opaque(value)
        if isinstance(value, Raisable) and name in _OF_EXCEPTIONS:
            if name == "args" and (value.args is None or has_own_init(value.kind)):
                self.refuse_args(value.kind)
            return getattr(value, _OF_EXCEPTIONS[name])
        if isinstance(value, Raisable):
            return self._attribute_of_exception(value, name)
        self.fail(f"{describe(value)} has no supported attribute `{name}`")

    def _attribute_of_exception(self, value: Raisable, name: str) -> Any:
        if name == "value" and value.kind is StopIteration:
            if value.args is None:
                self.refuse_args(value.kind)
            return value.args[0] if value.args else None
        hint = "raise the exception with what it tells: `raise ValueError(text, x)` has `e.args`"
        self.fail(f"{describe(value)} has no supported attribute `{name}`", hint, page="try")

    def _class_attribute(self, kind: type, name: str) -> Any:
        """An attribute that is read from a class; see `_instance_attribute` for instances."""
        if not kind.__flags__ & HEAP_TYPE or _is_library(kind):
            return self.lift(self.compute(getattr, kind, name, raw=True), name)
        if name == "__members__" and isinstance(kind, enum.EnumMeta):
            # Python gives a view, but an enum keeps its members.
            return self.new_dict(kind.__members__)
        if isinstance(type(kind).__getattribute__, types.FunctionType):
            self.fail(
                f"{type(kind).__name__}, the metaclass of {kind.__name__}, has a "
                "`__getattribute__`, which is not supported",
                "pass the attributes themselves",
            )
        found = self.reads.of_type(kind, name)
        if found is MISSING and type(kind) is not type:
            return self._attribute_of_metaclass(kind, name)
        if isinstance(found, classmethod):
            is_made = name == "_make" and issubclass(kind, tuple) and hasattr(kind, "_fields")
            return getattr(kind, name) if is_made else Method(kind, name, found.__func__)
        if isinstance(found, staticmethod):
            return found.__func__
        getter = getattr(type(found), "__get__", None)
        if isinstance(getter, types.FunctionType) and not isinstance(found, _GIVE_THEMSELVES):
            getter = self.reads.of_type(type(found), "__get__")
            return self.call(getter, (self.lift(found), None, kind), {})
        if found is MISSING or (getter is not None and getattr(kind, name) is not found):
            return self._changing_attribute(kind, name)
        return self.lift(found, name)

    def _attribute_of_metaclass(self, kind: type, name: str) -> Any:
        """An attribute that a class does not have itself, but that its metaclass may give."""
        meta = self.reads.of_type(type(kind), name)
        if isinstance(meta, types.FunctionType):
            return Method(kind, name, meta)
        if isinstance(meta, property):
            return self.call(meta.fget, (kind,), {})
        if meta is not MISSING:
            is_bound = hasattr(type(meta), "__get__")
            return self._changing_attribute(kind, name) if is_bound else self.lift(meta, name)
        getter = self.reads.of_type(type(kind), "__getattr__")
        if isinstance(getter, types.FunctionType):
            return self.call(getter, (kind, name), {})
        return self._changing_attribute(kind, name)

    def _instance_attribute(self, value: Instance, name: str) -> Any:
        kind = value.cell.kind
        if name == "__class__":
            return kind
        if name == "__dict__":
            self.fail("`__dict__` of an instance is not supported", "name the attributes")
        is_plain = kind is types.SimpleNamespace
        found = MISSING if is_plain else self.reads.of_type(kind, name)
        getter = MISSING if is_plain else self.reads.of_type(kind, "__getattr__")
        is_asked = isinstance(getter, types.FunctionType)
        if isinstance(found, property) and found.fget and is_asked:
            given = (found.fget, getter, value, name)
            return self.inline(library_attributes.asked, given, {}, self.node, name)
        if isinstance(found, property) or sets(found):
            return self._bound(value, found, name)
        own = self.attribute_of(value.cell, name)
        if own is not MISSING:
            return self.lift(own, name)
        if found is not MISSING and not isinstance(found, types.MemberDescriptorType):
            return self._bound(value, found, name)
        if is_asked:
            return self.call(getter, (value, name), {})
        self.no_attribute(value, name)

    def _bound(self, value: Instance, found: Any, name: str) -> Any:
        """A class attribute as read through an instance: methods and descriptors are bound."""
        if isinstance(found, types.FunctionType):
            return Method(value, name, found)
        if isinstance(found, property):
            if found.fget is None:
                kind = value.cell.kind.__name__
                self.raise_now(
                    AttributeError, f"property '{name}' of '{kind}' object has no getter"
                )
            return self.call(found.fget, (value,), {})
        if isinstance(found, staticmethod):
            return found.__func__
        if isinstance(found, classmethod):
            return Method(value.cell.kind, name, found.__func__)
        if isinstance(found, functools.cached_property):
            made = self.call(self.reads.item(found.__dict__, "func"), (value,), {})
            self.set_entry(value, name, made)
            return made
        if isinstance(found, ByReference):
            return Method(value, name, found)
        if isinstance(found, (types.WrapperDescriptorType, types.MethodDescriptorType)):
            return Method(value, name, found)
        if hasattr(type(found), "__get__"):
            getter = self.reads.of_type(type(found), "__get__")
            if isinstance(getter, types.FunctionType):
                return self.call(getter, (self.lift(found), value, value.cell.kind), {})
            self.fail(f"the descriptor `{name}` is not supported", "write a property")
        return self.lift(found, name)

    def _super_attribute(self, value: Super, name: str) -> Any:
        owner = value.owner
        kind = owner.cell.kind if isinstance(owner, Instance) else owner
        bases = self.reads.mro(kind)
        rest = bases[bases.index(value.after) + 1 :]
        for base in rest:
            if name in base.__dict__:
                found = self.reads.of_type(base, name)
                if isinstance(owner, Instance):
                    return self._bound(owner, found, name)
                if isinstance(found, classmethod):
                    return Method(owner, name, found.__func__)
                return found.__func__ if isinstance(found, staticmethod) else found
        self.raise_now(AttributeError, f"'super' object has no attribute '{name}'")

    # Operators of user-defined classes.

    def special(self, value: Any, name: str) -> Any:
        """A special method that the class of an instance defines in Python, bound; else None."""
        if not isinstance(value, Instance) or value.cell.kind is types.SimpleNamespace:
            return None
        found = self.reads.of_type(value.cell.kind, name)
        return Method(value, name, found) if isinstance(found, types.FunctionType) else None

    def operate(self, op: type, left: Any, right: Any, *, in_place: bool = False) -> Any:
        """A binary operator with an instance as operand, by Python's order of special methods."""
        if op is ast.Mult and isinstance(left, _SEQUENCES) and self._is_count(right, "__rmul__"):
            return self.binary(op, left, self.as_index(right))
        if op is ast.Mult and isinstance(right, _SEQUENCES) and self._is_count(left, "__mul__"):
            return self.binary(op, self.as_index(left), right)
        return self.operate_by(BINARY_METHODS[op], left, right, in_place=in_place)

    def operate_by(self, name: str, left: Any, right: Any, *, in_place: bool = False) -> Any:
        """The same for an operation by its name in special methods, such as `divmod`."""
        self._refuse_objects_as_elements(left, right)
        tries = [(left, f"__{name}__", right)]
        kinds = _kind_of(left), _kind_of(right)
        if kinds[0] is None or kinds[0] is not kinds[1]:
            tries.append((right, f"__r{name}__", left))
        if _is_derived(*kinds) and self._overrides(right, left, f"__r{name}__"):
            tries.reverse()
        if in_place:
            tries.insert(0, (left, f"__i{name}__", right))
        for owner, method, other in tries:
            found = self.special(owner, method)
            result = NotImplemented if found is None else self.call(found, (other,), {})
            if result is not NotImplemented:
                return result
        message = examples.operator_error(name, left, right, in_place=in_place)
        names = f"'{class_name(left)}' and '{class_name(right)}'"
        self.fail_as(TypeError, message or f"unsupported operand type(s) for {name}: {names}")

    def _is_count(self, value: Any, operator: str) -> bool:
        """Whether an instance tells how often a sequence is repeated, by `__index__`."""
        return self.special(value, operator) is None and self.as_index(value) is not value

    def as_index(self, value: Any) -> Any:
        """The integer that an instance stands for by `__index__`; other values as they are."""
        found = self.special(value, "__index__")
        return value if found is None else self.call(found, (), {})

    def _overrides(self, derived: Instance, base: Instance, name: str) -> bool:
        found, other = (self.reads.of_type(each.cell.kind, name) for each in (derived, base))
        return found is not MISSING and found is not other

    def _refuse_objects_as_elements(self, left: Any, right: Any) -> None:
        """Refuse an operator of an array, which comes before that of an instance on its right."""
        if not isinstance(right, Instance):
            return
        is_sequence = is_of_numpy(left) and not any(
            self.special(right, name) is None for name in ("__len__", "__getitem__")
        )
        if not (isinstance(left, Array) or is_sequence):
            return
        kind = right.cell.kind
        of_ufuncs = self.reads.of_type(kind, "__array_ufunc__")
        priority = self.reads.of_type(kind, "__array_priority__")
        is_above = of_ufuncs is MISSING and priority is not MISSING and priority > 0
        if of_ufuncs is not None and not is_above:
            self.fail(
                f"NumPy applies this to each element of the array and the {kind.__name__}",
                f"write __array_ufunc__ = None in {kind.__name__}, or the array on the right",
                page="object-array",
            )

    def compare_objects(self, op: type, left: Any, right: Any) -> Any:
        """A comparison with an instance as operand."""
        self._refuse_objects_as_elements(left, right)
        method, reflected = COMPARE_METHODS[op]
        tries = [(left, method, right), (right, reflected, left)]
        if _is_derived(_kind_of(left), _kind_of(right)):
            tries.reverse()
        for owner, name, other in tries:
            found = self.special(owner, name)
            is_derived = op is ast.NotEq and found is None
            if is_derived and (equal := self.special(owner, "__eq__")) is not None:
                result = self._compared(equal, owner, other)
                if result is not NotImplemented:
                    return self.negate(self.truth(result))
            if found is not None:
                result = self._compared(found, owner, other)
                if result is not NotImplemented:
                    return result
        if op in (ast.Eq, ast.NotEq):
            both = isinstance(left, Instance) and isinstance(right, Instance)
            if both and left.cell.kind is right.cell.kind is types.SimpleNamespace:
                same = self.equal(
                    self.new_dict(self.entries(left)), self.new_dict(self.entries(right))
                )
                return same if op is ast.Eq else self.negate(same)
            self._refuse_unknown_identity(left, right)
            same = both and left.cell is right.cell
            return same == (op is ast.Eq)
        orders.refuse(self, op, left, right)

    def _refuse_unknown_identity(self, left: Any, right: Any) -> None:
        cells = [each.cell for each in (left, right) if isinstance(each, Reference)]
        if len(cells) == 2 and cells[1] in cells[0].maybe:
            self.fail(
                "whether these are one object depends on what happens at run time",
                "compare what they hold",
                page="alias",
            )

    def _compared(self, method: Method, owner: Any, other: Any) -> Any:
        """The result of a comparison method; generated ones of dataclasses compare the fields."""
        kind = owner.cell.kind
        if not (dataclasses.is_dataclass(kind) and is_generated(method.function)):
            return self.call(method, (other,), {})
        if not isinstance(other, Instance) or other.cell.kind is not kind:
            return NotImplemented
        fields = [field.name for field in dataclasses.fields(kind) if field.compare]
        sides = [tuple(self.attribute(each, name) for name in fields) for each in (owner, other)]
        ops = {names[0]: op for op, names in COMPARE_METHODS.items()}
        return self.compare(ops[method.name](), *sides)

    def iterated(self, value: Any) -> Any:
        """The iterable that iteration over an instance uses."""
        found = self.special(value, "__iter__")
        if found is None:
            getter = self.special(value, "__getitem__")
            if getter is not None and self.special(value, "__len__") is not None:
                length = self.static(self.length(value), "a length")
                return tuple(self.subscript(value, i) for i in range(length))
            self.fail_as(TypeError, f"'{class_name(value)}' object is not iterable")
        made = self.call(found, (), {})
        if isinstance(made, (tuple, List, Dict, Set, Array, Range)):
            message = f"iter() returned non-iterator of type '{class_name(made)}'"
            self.raise_now(TypeError, message)
        return made

    # Instances.

    def construct(self, kind: type, args: tuple, kwargs: dict[str, Any], node: Any) -> Any:
        """Make an instance of a user-defined class."""
        if kind is types.SimpleNamespace:
            made = self.new_instance(kind)
            self.write(made.cell, dict(kwargs))
            return made
        if kind.__new__ is not object.__new__:
            self.fail(
                f"{kind.__name__} has a `__new__` of its own, which is not supported",
                "make the instance outside of the compiled function",
                page="class",
            )
        self.reads.of_type(kind, "__new__")
        if isinstance(self.reads.of_type(type(kind), "__call__"), types.FunctionType):
            self.fail(
                f"{kind.__name__} has a metaclass with a `__call__` of its own",
                "make the instance outside of the compiled function",
                page="class",
            )
        if inspect.isabstract(kind):
            self._refuse_abstract(kind)
        init = self.reads.of_type(kind, "__init__")
        made = self.new_instance(kind)
        if dataclasses.is_dataclass(kind) and is_generated(init):
            self._fill_dataclass(made, init, args, kwargs)
        elif isinstance(init, types.FunctionType):
            self.call(Method(made, "__init__", init), args, kwargs, node)
        elif args or kwargs:
            self.fail_as(TypeError, f"{kind.__name__}() takes no arguments")
        return made

    def _refuse_abstract(self, kind: type) -> NoReturn:
        """Raise what Python raises, in words that its version chooses."""
        try:
            object.__new__(kind)
        except TypeError as error:
            self.raise_now(TypeError, str(error))
        self.fail(f"{kind.__name__} is abstract")

    def _fill_dataclass(
        self, made: Instance, init: types.FunctionType, args: tuple, kwargs: dict[str, Any]
    ) -> None:
        """Do what the `__init__` that `dataclass` generates does."""
        kind: Any = made.cell.kind
        signature = inspect.signature(kind)
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            self.fail_as(TypeError, f"{kind.__name__}.__init__() {error}")
        self.reads.defaults(init)
        fields = kind.__dataclass_fields__.values()
        entries, given = {}, []
        for field in fields:
            parameter = signature.parameters.get(field.name)
            if field.name in bound:
                value = bound[field.name]
            elif field.default_factory is not dataclasses.MISSING:
                value = self.call(field.default_factory, (), {})
            elif parameter is not None:
                value = self.lift(parameter.default, field.name)
            elif field.default is not dataclasses.MISSING:
                value = self.lift(field.default, field.name)
            else:
                continue
            if field._field_type is _OF_INIT:
                given.append(value)
            elif field._field_type is _OF_INSTANCE:
                entries[field.name] = value
        setter = self.reads.of_type(kind, "__setattr__")
        if isinstance(setter, types.FunctionType) and not kind.__dataclass_params__.frozen:
            for name, value in entries.items():
                self.set_attribute(made, name, value)
        else:
            self.write(made.cell, entries)
        after = self.reads.of_type(kind, "__post_init__")
        if isinstance(after, types.FunctionType):
            self.call(Method(made, "__post_init__", after), tuple(given), {})


def bit_length(ev: Evaluator, x: Scalar) -> Scalar:
    """The bit length of `abs(x)`: the number of powers of two that are not greater."""
    value = ev.call(np.uint64, (ev.call(np.abs, (ev.call(np.int64, (x,), {}),), {}),), {})
    powers = ev.call(np.asarray, (2 ** np.arange(64, dtype=np.uint64),), {})
    return ev.call(int, (ev.call(np.sum, (ev.compare(ast.LtE(), powers, value),), {}),), {})


def bit_count(ev: Evaluator, x: Scalar) -> Scalar:
    """The number of ones in the binary form of `abs(x)`."""
    whole = ev.call(np.int64, (x,), {}) if x.weak else x
    return ev.call(int, (ev.call(np.bitwise_count, (whole,), {}),), {})


def is_integer(ev: Evaluator, x: Scalar) -> Any:
    if x.dtype.kind in "iu":
        return True
    # For an infinity the difference is NaN.
    rest = ev.call(np.subtract, (x, ev.call(np.floor, (x,), {})), {})
    return ev.call(bool, (ev.call(np.equal, (rest, 0), {}),), {})


#: Descriptors written in Python that are what a class gives itself.
_GIVE_THEMSELVES = (functools.cached_property, ByReference)
#: Objects of NumPy's whose attributes are constants.
_LIMITS = (np.finfo, np.iinfo)
#: The attributes of exceptions that are known, and the names of theirs in `Raisable`.
_OF_EXCEPTIONS = {
    "args": "args", "__class__": "kind", "__cause__": "cause", "__context__": "context",
    "__suppress_context__": "suppresses",
}  # fmt: skip

#: Methods of Python's and NumPy's scalars that arrays do not have.
NUMBER_METHODS: dict[str, Callable[..., Any]] = {
    "bit_length": bit_length,
    "bit_count": bit_count,
    "is_integer": is_integer,
}


def _is_library(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in (*LIBRARIES, "builtins")
