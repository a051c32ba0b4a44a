"""Assignments: to names, elements, attributes and several targets, and augmented ones."""

from __future__ import annotations

import ast
import copy
import functools
from typing import Any

import numpy as np

from ingot.dtypes import STATIC_NUMBERS
from ingot.numpy.layout import require_known
from ingot.numpy.ufuncs import call_ufunc, require_cast
from ingot.syntax import cuts, examples, generators, parts
from ingot.syntax.dynamic import Sliced
from ingot.syntax.expressions import Expressions
from ingot.syntax.parts import PARTS
from ingot.syntax.supplies import END, Shared
from ingot.syntax.values import (
    Array,
    Dict,
    Instance,
    Iterator,
    Joined,
    List,
    OneOf,
    Reference,
    Scalar,
    Supply,
    class_name,
    describe,
    is_number,
    same_object,
)
from ingot_runtime.errors import DTypeError, ShapeError


def _memory_of(value: Any) -> Any:
    """The storage of an array or of a sliced value; None for other values."""
    array = value.dense if isinstance(value, Sliced) else value
    return array.storage if isinstance(array, Array) else None


class Assignments(Expressions):
    def visit_Assign(self, node: ast.Assign) -> None:
        self.whole_value = node.value
        value = self.any_value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.whole_value = node.value
            self.assign(node.target, self.any_value(node.value))

    def assign(self, target: ast.expr, value: Any) -> None:
        if type(target) is ast.Name:
            self.bind(target.id, value)
        elif type(value) is OneOf:
            self.of_each(value, [functools.partial(self.assign, target, x) for x in value.values])
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, self.not_none(value))
        elif isinstance(target, ast.Subscript):
            operands = [self.expr(target.value), self.expr(target.slice), value]
            self.at(target)
            self.run_over_all(operands, lambda given: self._assign_item(*given))
        elif isinstance(target, ast.Attribute):
            owner = self.expr(target.value)
            self.run_over_all(
                [owner], lambda given: self._assign_attribute(target, given[0], value)
            )
        else:
            starred: Any = target
            self.assign(starred.value, value)

    def _assign_item(self, base: Any, index: Any, value: Any) -> None:
        is_container = isinstance(base, (List, Dict, Instance))
        self.store_item(base, index, value if is_container else self.not_none(value))

    def _assign_attribute(self, target: ast.Attribute, owner: Any, value: Any) -> None:
        self.at(target)
        if isinstance(owner, Array) and target.attr == "shape":
            self._reshape_in_place(target, owner, value)
        elif isinstance(owner, Array) and target.attr in ("real", "imag", "T", "flat"):
            self._assign_part(owner, target.attr, value)
        elif isinstance(owner, (Instance, type)):
            self.set_attribute(owner, target.attr, value)
        else:
            self._raise_as_unset(owner, target.attr)
            self.fail(
                f"assignment to `{target.attr}` of {describe(owner)} is not supported",
                "assign to a name or to elements",
            )

    def _raise_as_unset(self, owner: Any, name: str) -> None:
        """Raise the AttributeError that an assignment to an attribute raises, if it does."""
        if isinstance(owner, Array):
            example: Any = np.zeros(0)
        elif isinstance(owner, Scalar) and type(owner) is not Joined:
            example = (owner.weak or owner.dtype.type)(0)
        elif isinstance(owner, (*STATIC_NUMBERS, str, tuple)):
            # A named tuple of a user's class may take the attribute.
            example = copy.copy(owner)
        elif isinstance(owner, (List, Dict)) and owner.cell.kind in (list, dict):
            example = owner.cell.kind()
        else:
            return
        if hasattr(example, name):
            return
        try:
            setattr(example, name, None)
        except AttributeError as error:
            self.raise_now(AttributeError, str(error))

    def _reshape_in_place(self, target: ast.Attribute, owner: Array, shape: Any) -> None:
        """`a.shape = ...`: all names of this array see the new shape."""
        require_known(self, owner, "use a.reshape")
        made = self.call(np.reshape, (owner, shape), {})
        if made.storage is not owner.storage:
            message = "Use `.reshape()` to make a copy with the desired shape."
            message = f"Incompatible shape for in-place modification. {message}"
            self.fail_as(AttributeError, message, "use a.reshape", ShapeError)
        if len(self.regions) > 1 or (owner.storage.argument is not None and not owner.views):
            self.fail(
                "the shape of an argument, or under a run-time condition, can't be assigned",
                "bind a new name: b = a.reshape(...)",
            )
        for frame in self.frames:
            for name, each in frame.names.items():
                if each is owner:
                    frame.names[name] = made

    def _assign_part(self, owner: Array, part: str, value: Any) -> None:
        """`a.real = ...`, `a.imag = ...` and `a.flat = ...`."""
        if part == "T":
            self.fail(f"assignment to `{part}` is not supported", f"write a.{part}[...] = value")
        if part == "imag" and owner.dtype.kind != "c":
            self.fail_as(TypeError, "array does not have imaginary part to set")
        index = slice(None) if part == "flat" else Ellipsis
        if part != "flat":
            # The value is cast, whether or not it fits.
            value = self.call(np.asarray, (value,), {})
        self.store_item(self.attribute(owner, part), index, value)

    def _unpacked(self, value: Any, names: list[Any]) -> list[Any]:
        """The items that are unpacked to names; of an iterator, no more than Python takes."""
        if type(value) is tuple:
            return list(value)
        has_star = any(isinstance(each, ast.Starred) for each in names)
        if generators.is_generator(self, value) and not has_star:
            value = generators.first_items(self, value, len(names) + 1)
        if not isinstance(value, Iterator) or has_star:
            return list(self.static_items(value))
        supply: Supply = Shared(value)
        items: list[Any] = []
        while len(items) <= len(names):
            item, _ = supply.pull(self)
            if item is END:
                break
            items.append(item)
        return items

    def _unpack(self, target: Any, value: Any) -> None:
        names, items = target.elts, value
        if (
            type(value) is tuple
            and len(value) == len(names)
            and ast.Starred not in map(type, names)
        ):
            for each, item in zip(names, value, strict=True):
                self.assign(each, item)
            return
        self.at(target)
        if is_number(value) or value is None:
            name = class_name(value)
            self.raise_now(TypeError, f"cannot unpack non-iterable {name} object")
        items = self._unpacked(value, names)
        starred = [i for i, each in enumerate(names) if isinstance(each, ast.Starred)]
        if starred:
            first, after = starred[0], len(names) - starred[0] - 1
            if len(items) < len(names) - 1:
                self.raise_now(
                    ValueError,
                    f"not enough values to unpack (expected at least {len(names) - 1}, got "
                    f"{len(items)})",
                )
            end = len(items) - after
            middle = self.new_list(items[first:end])
            items = [*items[:first], middle, *items[end:]]
            names = [e.value if isinstance(e, ast.Starred) else e for e in names]
        if len(items) > len(names):
            self.raise_now(ValueError, f"too many values to unpack (expected {len(names)})")
        if len(items) < len(names):
            self.raise_now(
                ValueError,
                f"not enough values to unpack (expected {len(names)}, got {len(items)})",
            )
        for each, item in zip(names, items, strict=True):
            self.assign(each, item)

    def _augment(self, op: type, name: str, old: Any, value: Any) -> None:
        new, frame = self.augmented(op, old, value), self.frame
        # The value may have been given by a function that has bound the name to something else.
        if new is not old or name in frame.boxed or name in frame.outer:
            self.bind(name, new)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        target, op = node.target, type(node.op)
        if isinstance(target, ast.Name):
            old = self.expr(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            value = self.expr(node.value)
            self.at(node)
            if type(value) is OneOf:
                runs = (
                    functools.partial(self._augment, op, target.id, old, x) for x in value.values
                )
                self.of_each(value, [*runs])
                return
            self._augment(op, target.id, old, value)
            return
        if isinstance(target, ast.Attribute):
            owner = self.expr(target.value)
            self.run_over_all([owner], lambda given: self._augment_attribute(node, target, *given))
            return
        operands = [self.expr(target.value), self.expr(target.slice)]
        self.run_over_all(operands, lambda given: self._augment_item(node, *given))

    def _augment_attribute(self, node: ast.AugAssign, target: ast.Attribute, owner: Any) -> None:
        self.at(target)
        old = self.used(target, self.attribute(owner, target.attr))
        value = self.expr(node.value)
        self.at(node)
        new = self.augmented(type(node.op), old, value)
        if not same_object(new, old) or isinstance(owner, (Instance, type)):
            self._assign_attribute(target, owner, new)

    def _augment_item(self, node: ast.AugAssign, base: Any, index: Any) -> None:
        op = type(node.op)
        self.at(node)
        is_array = isinstance(base, Array)
        index = self.without_masks(base, index) if is_array else index
        if is_array and self.is_mask(base, index) and not cuts.opens(self, base, index):
            value = self.expr(node.value)
            self.at(node)
            self.store_masked(base, index, lambda old: self._updated(op, old, value))
            return
        old = self.used(node.target, self.subscript(base, index))
        value = self.expr(node.value)
        self.at(node)
        new = self.augmented(op, old, value)
        if isinstance(base, tuple):
            self.raise_now(TypeError, "'tuple' object does not support item assignment")
        memory = _memory_of(base)
        is_view = memory is not None and _memory_of(old) is memory
        # A slice of a list is another list.
        is_item = isinstance(base, List) and not isinstance(index, slice)
        is_kept = is_item and same_object(new, old)
        is_kept = is_kept and same_object(new, self.subscript(base, index))
        if isinstance(base, Dict):
            # The read has checked the key.
            self.store_entry(base, index, new, has_key=True)
        elif not (is_view or is_kept):
            self.store_item(base, index, new)

    def _updated(self, op: type, old: Any, value: Any) -> Any:
        """`old op value`, of a dtype that may be written into `old`."""
        new = self.binary(op, old, value)
        parts.check_rank(self, old, new)
        require_cast(self, new.dtype, old.dtype)
        return new

    def _multiplied(self, old: Array, value: Any) -> Any:
        """`old @= value`."""
        if type(value) in PARTS:
            self.store_item(old, Ellipsis, self._updated(ast.MatMult, old, value))
            return old
        value = self.as_array(value)
        if not old.shape or (isinstance(value, Array) and value.ndim < 2):
            self.fail(
                "inplace matrix multiplication requires the first operand to have at least one "
                "and the second at least two dimensions.",
                kind=ShapeError,
            )
        return self.call(np.matmul, (old, value), {"out": old})

    def augmented(self, op: type, old: Any, value: Any) -> Any:
        """`old op= value`: in place for arrays and lists."""
        if isinstance(old, Array):
            if op.__name__ == "MatMult":
                return self._multiplied(old, value)
            ufunc = self.ufunc_of(op, old, value)
            if type(value) in PARTS:
                return parts.call(self, ufunc, (old, value), {"out": old})
            operands = (old, value)[: ufunc.nin]
            try:
                return call_ufunc(self, ufunc, operands, out=old)
            except DTypeError as error:
                raise examples.explain(error, ufunc, operands, {"out": old}) from None
        if isinstance(old, Instance):
            return self.operate(op, old, value, in_place=True)
        if isinstance(old, Reference) and self.augment_container(op, old, value):
            return old
        if type(old) in PARTS:
            return parts.update(self, old, self.binary(op, old, value))
        return self.binary(op, old, value)
