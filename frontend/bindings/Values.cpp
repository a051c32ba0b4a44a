//===- Values.cpp - SSA values and diagnostics in Python ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

namespace nb = nanobind;
using namespace ingot;

namespace {

/// The function that turns an extent into a named dimension, and the least
/// extent for which it is called.
struct Extents {
  nb::object name;
  int64_t least = std::numeric_limits<int64_t>::max();
};

Extents &extents() {
  // Never destroyed, since Python may be finalised before static destructors.
  static Extents *instance = new Extents;
  return *instance;
}

nb::object extent(int64_t size) {
  if (size < extents().least)
    return nb::steal(PyLong_FromLongLong(size));
  return extents().name(size);
}

mlir::Value operandOf(FunctionBuilder &builder, nb::handle operand) {
  if (PyFloat_CheckExact(operand.ptr()))
    return number(builder, PyFloat_AS_DOUBLE(operand.ptr())).value;
  if (PyLong_CheckExact(operand.ptr()))
    return number(builder, nb::cast<double>(operand)).value;
  return nb::cast<PyValue &>(operand).value;
}

} // namespace

nb::tuple PyValue::shape() const {
  llvm::ArrayRef<int64_t> sizes = type().getShape();
  PyObject *tuple = PyTuple_New(sizes.size());
  for (auto [i, size] : llvm::enumerate(sizes))
    PyTuple_SET_ITEM(tuple, i, extent(size).release().ptr());
  return nb::steal<nb::tuple>(tuple);
}

PyValue ingot::number(FunctionBuilder &builder, double value) {
  mlir::Builder types(builder.context());
  auto type = mlir::RankedTensorType::get({}, types.getF64Type());
  return {builder.constant(mlir::DenseElementsAttr::get(type, value))};
}

PyValue ingot::elementwise(FunctionBuilder &builder,
                           const Elementwise &operation,
                           llvm::ArrayRef<PyObject *> operands) {
  llvm::SmallVector<mlir::Value, 3> converted;
  for (auto [i, code] : llvm::enumerate(operation.codes))
    converted.push_back(
        builder.convert(operandOf(builder, operands[i]),
                        elementTypeOf(code, builder.context())));
  mlir::NamedAttrList attributes;
  if (!operation.comparison.empty())
    attributes.append("comparison",
                      builder.parseAttribute(operation.comparison));
  return {builder.create(operation.name, converted, attributes, {}, 0)[0]};
}

static PyObject *diagnostic = nullptr;

void ingot::setPythonError(const DiagnosticError &error) {
  const Problem &p = error.problem;
  nb::tuple arguments = nb::make_tuple(p.message, p.filename, p.line, p.column,
                                       p.endLine, p.endColumn, p.hint);
  PyErr_SetObject(diagnostic, arguments.ptr());
}

void ingot::bindValues(nb::module_ &m) {
  diagnostic = PyErr_NewException("ingot._core.Diagnostic", nullptr, nullptr);
  m.attr("Diagnostic") = nb::handle(diagnostic);
  nb::register_exception_translator(
      [](const std::exception_ptr &pointer, void *) {
        try {
          std::rethrow_exception(pointer);
        } catch (const DiagnosticError &error) {
          setPythonError(error);
        }
      });

  nb::class_<PyValue>(m, "Value")
      .def_prop_ro("shape", &PyValue::shape)
      .def_prop_ro("dtype",
                   [](const PyValue &self) {
                     return codeOf(self.type().getElementType());
                   })
      .def("__eq__",
           [](const PyValue &self, const PyValue &other) {
             return self.value == other.value;
           })
      .def("__ne__",
           [](const PyValue &self, const PyValue &other) {
             return self.value != other.value;
           })
      .def("__hash__", [](const PyValue &self) {
        return static_cast<size_t>(mlir::hash_value(self.value));
      });

  nb::class_<Elementwise>(m, "Elementwise")
      .def("__init__", [](Elementwise *self, const std::string &name,
                          const std::vector<unsigned> &codes,
                          const std::string &comparison) {
        new (self) Elementwise{name, codes, comparison};
      });

  m.def("set_extents", [](nb::object name, int64_t least) {
    extents() = {std::move(name), least};
  });
}
