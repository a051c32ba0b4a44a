//===- Guards.h - What a compiled program depends on ------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_BINDINGS_GUARDS_H
#define INGOT_FRONTEND_BINDINGS_GUARDS_H

#include <nanobind/nanobind.h>

#include <vector>

namespace ingot {

/// How a guard finds the object that it checks; the values are those of
/// `ingot.syntax.places.Read`.
enum class Read : int {
  Item,      ///< of the dict `owner`, by the key `name`
  Cell,      ///< the contents of the closure cell `owner`
  Lookup,    ///< `name` along the MRO of the class `owner`, as it is there
  Attribute, ///< `getattr(owner, name)`
  Contents,  ///< all that the container `owner` holds, in order
  Class,     ///< the class of `owner`
};

/// The condition on that object; `ingot.syntax.guards.Expected`.
enum class Expected : int {
  Value,   ///< the same object, or an equal plain value
  Nothing, ///< there is nothing by that name
  Type,    ///< anything of exactly this class; of `int`, what fits in 64 bits
  Layout,  ///< an array of this shape, strides and dtype
};

/// Checks before each call of a program whether the values that it depends on
/// are unchanged. A check never raises. It runs Python code only in `getattr`
/// of `owner`, and in `__hash__` and `__eq__` of dict keys.
class Guards {
public:
  explicit Guards(nanobind::sequence guards);
  /// The index of the first guard from `start` on that fails, or -1.
  Py_ssize_t failed(Py_ssize_t start) const;
  size_t size() const { return guards.size(); }

  // For the garbage collector.
  int traverse(visitproc visit, void *arg) const;
  void clear() { std::vector<Guard>().swap(guards); }

private:
  struct Expectation {
    Expected kind;
    nanobind::object value;
    bool holds(PyObject *found) const;
  };
  struct Guard {
    Read read;
    nanobind::object owner, name;
    /// A single one, or for `Contents` one for each item.
    std::vector<Expectation> expected;

    bool holds() const;
    bool holdsForAttribute() const;
    bool holdsForContents() const;
    bool holdsForDict() const;
    bool holdsForIterable() const;
  };

  std::vector<Guard> guards;
};

/// Adds the class `Guards` to the module.
void bindGuards(nanobind::module_ &m);

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_GUARDS_H
