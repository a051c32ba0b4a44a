//===- Values.h - SSA values and diagnostics in Python ----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_BINDINGS_VALUES_H
#define INGOT_FRONTEND_BINDINGS_VALUES_H

#include "Builder.h"

#include <nanobind/nanobind.h>

namespace ingot {

/// An SSA value; it lives as long as its builder's module.
struct PyValue {
  mlir::Value value;

  mlir::RankedTensorType type() const {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }
  /// A tuple of `int`; extents from the least one that `set_extents` was called
  /// with are named dimensions.
  nanobind::tuple shape() const;
};

/// An elementwise operation that is not applied to operands yet.
struct Elementwise {
  std::string name;
  /// The element types that the operands are converted to.
  std::vector<unsigned> codes;
  std::string comparison;
};

/// Emits an operation with one result, and converts its operands first: values,
/// and numbers of Python for constants.
PyValue elementwise(FunctionBuilder &builder, const Elementwise &operation,
                    llvm::ArrayRef<PyObject *> operands);

/// A 0-d f64 constant: the most frequent kind, made without a bytes object.
PyValue number(FunctionBuilder &builder, double value);

/// Raises `ingot._core.Diagnostic` in Python, once the current function
/// returns.
void setPythonError(const DiagnosticError &error);

/// Adds the classes `Value`, `Elementwise` and `Diagnostic` to the module.
void bindValues(nanobind::module_ &m);

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_VALUES_H
