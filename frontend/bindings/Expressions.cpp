//===- Expressions.cpp - The evaluator's most frequent steps --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most nodes of a program's AST are names, constants, and operators on arrays
// and numbers. They are evaluated here, and all others by the methods of the
// evaluator (`ingot.syntax`), with which this code shares its objects: a step
// is a few reads of attributes and the creation of one operation.
//
// Functions follow the conventions of Python's C API: they return a new
// reference, or null with an exception set.
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "Values.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace ingot;

namespace {

/// What this code knows of the evaluator: see `set_evaluator`.
struct Evaluator {
  // Classes of AST nodes and of values.
  PyObject *name, *constant, *binOp, *array, *scalar, *storage;
  /// Methods of the evaluator, by the class of a node.
  PyObject *visitors;
  /// The ufuncs of operators without special cases, by the class of the node.
  PyObject *operators;
  /// How ufuncs are emitted (`Plan`), by ufunc and kinds of operands.
  PyObject *plans;
  // Functions for what is not done here.
  PyObject *callUfunc, *scalarOf, *orderAs;
};

Evaluator evaluator;

/// Names of attributes, interned.
struct Attributes {
#define NAME(x) PyObject *x = PyUnicode_InternFromString(#x)
  NAME(_constants);
  NAME(_find_visitor);
  NAME(binary_operator);
  NAME(builder);
  NAME(dtype);
  NAME(filename);
  NAME(frame);
  NAME(id);
  NAME(internal);
  NAME(is_short);
  NAME(left);
  NAME(names);
  NAME(node);
  NAME(op);
  NAME(operation);
  NAME(ops);
  NAME(any_value);
  NAME(result);
  NAME(right);
  NAME(storage);
  NAME(strides);
  NAME(value);
  NAME(views);
  NAME(visit_Name);
  NAME(weak);
#undef NAME
};

const Attributes &attributes() {
  static const Attributes *instance = new Attributes;
  return *instance;
}

/// An attribute; null if there is no object either.
nb::object get(PyObject *object, PyObject *name) {
  return nb::steal(object ? PyObject_GetAttr(object, name) : nullptr);
}

bool is(const nb::object &object, PyObject *other) {
  return object.ptr() == other;
}

PyObject *kindOf(PyObject *object) {
  return reinterpret_cast<PyObject *>(Py_TYPE(object));
}

bool isOf(PyObject *object, PyObject *kind) { return kindOf(object) == kind; }

nb::object tupleOf(llvm::ArrayRef<PyObject *> items) {
  nb::object tuple = nb::steal(PyTuple_New(items.size()));
  for (auto [i, each] : llvm::enumerate(items))
    PyTuple_SET_ITEM(tuple.ptr(), i, Py_NewRef(each));
  return tuple;
}

PyObject *call(PyObject *function, std::initializer_list<PyObject *> args) {
  return PyObject_Vectorcall(function, args.begin(), args.size(), nullptr);
}

PyObject *callMethod(PyObject *name, std::initializer_list<PyObject *> args) {
  return PyObject_VectorcallMethod(name, args.begin(), args.size(), nullptr);
}

/// Whether Python's integer is exact as a float.
bool isExact(PyObject *integer) {
  constexpr long long most = 1ll << 53;
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
  return overflow == 0 && -most <= value && value <= most;
}

/// The operands of a ufunc, as far as its operation depends on them.
struct Operands {
  /// The ufunc and the kinds of the operands, which is the key of its plan.
  nb::object key;
  /// SSA values, and numbers of Python.
  llvm::SmallVector<nb::object, 3> values;
  /// Whether the elements of all are known while compiling, and whether the
  /// arrays are in C order.
  bool areKnown = true, arePlain = true;

  /// Adds an operand; false if it takes the long way, or with an exception.
  bool add(PyObject *operand, PyObject *constants);

private:
  bool addArray(PyObject *array, PyObject *constants);
  bool addScalar(PyObject *scalar);
  bool push(nb::object kind, nb::object value) {
    if (!kind.is_valid() || !value.is_valid())
      return false;
    values.push_back(std::move(value));
    PyTuple_SET_ITEM(key.ptr(), values.size(), kind.release().ptr());
    return true;
  }
};

bool Operands::addArray(PyObject *array, PyObject *constants) {
  const Attributes &a = attributes();
  nb::object views = get(array, a.views), storage = get(array, a.storage);
  if (!views.is_valid() || PyTuple_GET_SIZE(views.ptr()) != 0)
    return false;
  nb::object strides = get(storage.ptr(), a.strides);
  nb::object value = get(storage.ptr(), a.value);
  if (!strides.is_valid() || !value.is_valid())
    return false;
  arePlain &= strides.is_none();
  if (PyDict_GET_SIZE(constants) == 0) {
    areKnown = false;
  } else if (areKnown) {
    nb::object identity = nb::steal(PyLong_FromVoidPtr(value.ptr()));
    areKnown = PyDict_Contains(constants, identity.ptr()) == 1;
  }
  return push(get(storage.ptr(), a.dtype), std::move(value));
}

bool Operands::addScalar(PyObject *scalar) {
  const Attributes &a = attributes();
  areKnown = false;
  nb::object kind = get(scalar, a.weak);
  if (kind.is_valid() && kind.is_none())
    kind = get(scalar, a.dtype);
  return push(std::move(kind), get(scalar, a.value));
}

bool Operands::add(PyObject *operand, PyObject *constants) {
  if (isOf(operand, evaluator.array))
    return addArray(operand, constants);
  if (isOf(operand, evaluator.scalar))
    return addScalar(operand);
  if (PyFloat_CheckExact(operand) ||
      (PyLong_CheckExact(operand) && isExact(operand)))
    return push(nb::borrow(kindOf(operand)), nb::borrow(operand));
  return false;
}

/// `ufunc(*args)` the long way.
PyObject *callUfunc(PyObject *ev, PyObject *ufunc,
                    llvm::ArrayRef<PyObject *> args) {
  if (PyErr_Occurred())
    return nullptr;
  return call(evaluator.callUfunc, {ev, ufunc, tupleOf(args).ptr()});
}

/// The plan of a ufunc that is one operation on such operands, or null.
PyObject *shortPlan(const Operands &operands) {
  if (operands.areKnown)
    return nullptr;
  PyObject *plan = PyDict_GetItemWithError(evaluator.plans, operands.key.ptr());
  if (!plan)
    return nullptr;
  nb::object isShort = get(plan, attributes().is_short);
  return is(isShort, Py_True) ? plan : nullptr;
}

/// Emits the operation of a plan. Errors are C++ exceptions.
nb::object emit(PyObject *builder, PyObject *plan, const Operands &operands) {
  llvm::SmallVector<PyObject *, 3> values;
  for (const nb::object &each : operands.values)
    values.push_back(each.ptr());
  nb::object operation = get(plan, attributes().operation);
  return nb::cast(elementwise(*nb::inst_ptr<FunctionBuilder>(builder),
                              *nb::inst_ptr<Elementwise>(operation), values));
}

/// The array of an SSA value, or its number if it has no axes.
PyObject *resultOf(PyObject *ev, const nb::object &value, PyObject *plan,
                   const Operands &operands, llvm::ArrayRef<PyObject *> args) {
  const Attributes &a = attributes();
  nb::object dtype = get(plan, a.result);
  nb::object shape = nb::inst_ptr<PyValue>(value)->shape();
  if (PyTuple_GET_SIZE(shape.ptr()) == 0)
    return call(evaluator.scalarOf,
                {value.ptr(), dtype.ptr(), tupleOf(args).ptr()});
  nb::object filename = get(ev, a.filename), node = get(ev, a.node);
  if (!filename.is_valid() || !node.is_valid())
    return nullptr;
  nb::object origin = nb::steal(PyTuple_Pack(2, filename.ptr(), node.ptr()));
  nb::object storage =
      nb::steal(call(evaluator.storage,
                     {value.ptr(), shape.ptr(), dtype.ptr(), origin.ptr()}));
  if (!storage.is_valid())
    return nullptr;
  nb::object array =
      nb::steal(call(evaluator.array, {storage.ptr(), shape.ptr()}));
  if (!array.is_valid() || operands.arePlain)
    return array.release().ptr();
  return call(evaluator.orderAs, {array.ptr(), tupleOf(args).ptr()});
}

PyObject *emitOrCall(PyObject *ev, PyObject *ufunc,
                     llvm::ArrayRef<PyObject *> args) {
  const Attributes &a = attributes();
  nb::object ops = get(ev, a.ops);
  nb::object builder = get(ops.ptr(), a.builder);
  nb::object constants = get(ops.ptr(), a._constants);
  if (!builder.is_valid() || !constants.is_valid())
    return nullptr;
  Operands operands;
  operands.key = nb::steal(PyTuple_New(args.size() + 1));
  PyTuple_SET_ITEM(operands.key.ptr(), 0, Py_NewRef(ufunc));
  for (PyObject *each : args)
    if (!operands.add(each, constants.ptr()))
      return callUfunc(ev, ufunc, args);
  PyObject *plan = shortPlan(operands);
  if (!plan)
    return callUfunc(ev, ufunc, args);
  nb::object value = emit(builder.ptr(), plan, operands);
  return resultOf(ev, value, plan, operands, args);
}

PyObject *apply(PyObject *ev, PyObject *ufunc,
                llvm::ArrayRef<PyObject *> args) {
  try {
    return emitOrCall(ev, ufunc, args);
  } catch (const DiagnosticError &error) {
    setPythonError(error);
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

/// The function `apply(ev, ufunc, args)`.
PyObject *pythonApply(PyObject *, PyObject *const *args, Py_ssize_t count) {
  if (count != 3 || !PyTuple_Check(args[2])) {
    PyErr_SetString(PyExc_TypeError, "apply() takes (ev, ufunc, tuple)");
    return nullptr;
  }
  PyObject *tuple = args[2];
  return apply(args[0], args[1],
               {PySequence_Fast_ITEMS(tuple), size_t(PyTuple_GET_SIZE(tuple))});
}

/// The method `at(node)`.
PyObject *at(PyObject *ev, PyObject *node) {
  const Attributes &a = attributes();
  nb::object frame = get(ev, a.frame);
  nb::object internal = get(frame.ptr(), a.internal);
  if (!internal.is_valid())
    return nullptr;
  if (is(internal, Py_True))
    Py_RETURN_NONE;
  nb::object filename = get(frame.ptr(), a.filename);
  nb::object ops = get(ev, a.ops), builder = get(ops.ptr(), a.builder);
  if (!filename.is_valid() || !builder.is_valid() ||
      PyObject_SetAttr(ev, a.node, node) != 0 ||
      PyObject_SetAttr(ev, a.filename, filename.ptr()) != 0)
    return nullptr;
  nb::inst_ptr<FunctionBuilder>(builder)->setLocation(nb::borrow(node));
  Py_RETURN_NONE;
}

bool isNumber(PyObject *value) {
  return PyFloat_CheckExact(value) || PyLong_CheckExact(value) ||
         isOf(value, evaluator.scalar);
}

PyObject *expr(PyObject *ev, PyObject *node);

PyObject *visitName(PyObject *ev, PyObject *node) {
  const Attributes &a = attributes();
  nb::object frame = get(ev, a.frame), id = get(node, a.id);
  nb::object names = get(frame.ptr(), a.names);
  if (!id.is_valid() || !names.is_valid())
    return nullptr;
  PyObject *found = PyDict_GetItemWithError(names.ptr(), id.ptr());
  if (found && isOf(found, evaluator.array))
    return Py_NewRef(found);
  if (PyErr_Occurred())
    return nullptr;
  return callMethod(a.visit_Name, {ev, node});
}

PyObject *visitBinOp(PyObject *ev, PyObject *node) {
  const Attributes &a = attributes();
  nb::object left = nb::steal(expr(ev, get(node, a.left).ptr()));
  if (!left.is_valid())
    return nullptr;
  nb::object rightNode = get(node, a.right);
  // What is formatted may be None, or of several structures.
  nb::object right =
      nb::steal(PyUnicode_CheckExact(left.ptr())
                    ? callMethod(a.any_value, {ev, rightNode.ptr()})
                    : expr(ev, rightNode.ptr()));
  if (!right.is_valid() || !nb::steal(at(ev, node)).is_valid())
    return nullptr;
  nb::object op = get(node, a.op);
  PyObject *kind = kindOf(op.ptr());
  bool isLeftArray = isOf(left.ptr(), evaluator.array);
  bool isRightArray = isOf(right.ptr(), evaluator.array);
  bool isShort = (isLeftArray && (isRightArray || isNumber(right.ptr()))) ||
                 (isRightArray && isNumber(left.ptr()));
  if (PyObject *ufunc =
          isShort ? PyDict_GetItem(evaluator.operators, kind) : nullptr) {
    PyObject *args[] = {left.ptr(), right.ptr()};
    return apply(ev, ufunc, args);
  }
  return callMethod(a.binary_operator, {ev, kind, left.ptr(), right.ptr()});
}

PyObject *visit(PyObject *ev, PyObject *node) {
  // Names and constants, half of all nodes, come first.
  if (isOf(node, evaluator.name))
    return visitName(ev, node);
  if (isOf(node, evaluator.constant))
    return PyObject_GetAttr(node, attributes().value);
  if (isOf(node, evaluator.binOp))
    return visitBinOp(ev, node);
  PyObject *kind = kindOf(node);
  if (PyObject *method = PyDict_GetItem(evaluator.visitors, kind))
    return call(method, {ev, node});
  return callMethod(attributes()._find_visitor, {ev, node});
}

/// The method `expr(node)`.
PyObject *expr(PyObject *ev, PyObject *node) {
  if (!node || Py_EnterRecursiveCall(" in an expression"))
    return nullptr;
  PyObject *value = visit(ev, node);
  Py_LeaveRecursiveCall();
  return value;
}

void setEvaluator(nb::dict known) {
  auto take = [&](const char *key) {
    return nb::object(known[key]).release().ptr();
  };
  evaluator = {take("Name"),       take("Constant"),  take("BinOp"),
               take("Array"),      take("Scalar"),    take("Storage"),
               take("visitors"),   take("operators"), take("plans"),
               take("call_ufunc"), take("scalar_of"), take("order_as")};
}

PyMethodDef methods[] = {
    {"expr", expr, METH_O, "Evaluate a node of the AST."},
    {"at", at, METH_O,
     "Set the source location of the following operations and errors."},
};

PyMethodDef function = {
    "apply",
    reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(pythonApply)),
    METH_FASTCALL, "`ufunc(*args)`; a short way for whole arrays and numbers."};

} // namespace

void ingot::bindExpressions(nb::module_ &m) {
  // Methods of any class: the evaluator's lists them.
  for (PyMethodDef &each : methods)
    m.attr(each.ml_name) =
        nb::steal(PyDescr_NewMethod(&PyBaseObject_Type, &each));
  m.attr("apply") = nb::steal(PyCFunction_New(&function, nullptr));
  m.def("set_evaluator", setEvaluator);
}
