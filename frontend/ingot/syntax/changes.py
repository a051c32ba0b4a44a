"""Changes of attributes of instances."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, NoReturn

from ingot.syntax.attributes import is_generated, sets
from ingot.syntax.containers import Containers
from ingot.syntax.guards import MISSING
from ingot.syntax.values import Instance, class_name, describe, same_object


class Changes(Containers):
    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        """`owner.name = value` for an instance of a user-defined class."""
        if not isinstance(owner, Instance):
            what = f"class {owner.__name__}" if isinstance(owner, type) else describe(owner)
            self.fail(
                f"this changes an attribute of {what}",
                "keep what changes in an instance, or return the new value",
                page="changed-attribute",
            )
        kind = owner.cell.kind
        if kind is not types.SimpleNamespace:
            setter = self.reads.of_type(kind, "__setattr__")
            if isinstance(setter, types.FunctionType):
                self._refuse_frozen(kind, setter, f"cannot assign to field '{name}'")
                self.call(setter, (owner, name, value), {})
                return
        self.set_plainly(owner, name, value)

    def set_plainly(self, owner: Instance, name: str, value: Any) -> None:
        """`object.__setattr__`."""
        kind = owner.cell.kind
        if kind is not types.SimpleNamespace:
            found = self.reads.of_type(kind, name)
            if isinstance(found, property):
                self._of_property(owner, name, found.fset, "setter", value)
                return
            if sets(found):
                put = self.reads.of_type(type(found), "__set__")
                self.call(put, (self.lift(found), owner, value), {})
                return
            is_data = hasattr(type(found), "__set__") and found is not MISSING
            if is_data and not isinstance(found, types.MemberDescriptorType):
                self.fail(f"the descriptor `{name}` is not supported", "write a property")
            if kind.__dictoffset__ == 0 and not is_data:
                self._refuse_new_attribute(kind, name)
        held = self.attribute_of(owner.cell, name)
        # `self.a += b` may change an array in place. Then the attribute holds the same object.
        if held is MISSING or not same_object(self.lift(held, name), value):
            self.set_entry(owner, name, value)

    def _of_property(self, owner: Instance, name: str, part: Any, what: str, *given: Any) -> None:
        """Call the setter or deleter of a property."""
        if part is None:
            kind = owner.cell.kind.__name__
            self.raise_now(AttributeError, f"property '{name}' of '{kind}' object has no {what}")
        self.call(part, (owner, *given), {})

    def _refuse_frozen(self, kind: type, method: types.FunctionType, message: str) -> None:
        """Raise what the methods raise that `dataclass` generates for a frozen class."""
        is_frozen = dataclasses.is_dataclass(kind) and (
            kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
        )
        if is_frozen and is_generated(method):
            self.raise_now(dataclasses.FrozenInstanceError, message)

    def _refuse_new_attribute(self, kind: type, name: str) -> NoReturn:
        """Raise what Python raises, in words that its version chooses, for an instance of a class
        with `__slots__`."""
        try:
            object.__setattr__(object.__new__(kind), name, None)
        except AttributeError as error:
            self.raise_now(AttributeError, str(error))
        self.fail(f"`{name}` of a {kind.__name__} can't be set")

    def delete_attribute(self, owner: Any, name: str) -> None:
        if not isinstance(owner, Instance):
            self.fail("del of this attribute is not supported", page="changed-attribute")
        kind = owner.cell.kind
        if kind is not types.SimpleNamespace:
            deleter = self.reads.of_type(kind, "__delattr__")
            if isinstance(deleter, types.FunctionType):
                self._refuse_frozen(kind, deleter, f"cannot delete field '{name}'")
                self.call(deleter, (owner, name), {})
                return
        self.delete_plainly(owner, name)

    def delete_plainly(self, owner: Instance, name: str) -> None:
        """`object.__delattr__`."""
        kind = owner.cell.kind
        if kind is not types.SimpleNamespace:
            found = self.reads.of_type(kind, name)
            if isinstance(found, property):
                self._of_property(owner, name, found.fdel, "deleter")
                return
            is_data = hasattr(type(found), "__delete__") or hasattr(type(found), "__set__")
            if (
                is_data
                and found is not MISSING
                and not isinstance(found, types.MemberDescriptorType)
            ):
                self.fail(f"the descriptor `{name}` is not supported", "write a property")
        if self.attribute_of(owner.cell, name) is MISSING:
            self.no_attribute(owner, name)
        self.delete_entry(owner, name)

    def no_attribute(self, value: Any, name: str) -> NoReturn:
        self.raise_now(AttributeError, f"'{class_name(value)}' object has no attribute '{name}'")
