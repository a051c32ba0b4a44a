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

/// How a guard finds what it looks at; the numbers are those of
/// `ingot.syntax.guards`.
enum class Read : int {
  Item,      ///< of the dict `owner`, by the key `name`
  Cell,      ///< the contents of the closure cell `owner`
  Lookup,    ///< `name` along the MRO of the class `owner`, as it is there
  Attribute, ///< `getattr(owner, name)`
  Contents,  ///< all that the container `owner` holds, in order
  Class,     ///< the class of `owner`
};

/// What must be found there.
enum class Expected : int {
  Value,   ///< the same object, or an equal plain value
  Nothing, ///< there is nothing by that name
  Type,    ///< anything of exactly this class; of `int`, what fits in 64 bits
  Layout,  ///< an array of this shape and dtype
};

/// Checks before each call of a program that what it was compiled for is still
/// so. A check never raises; it runs no Python code but what `getattr` of
/// `owner` runs, and `__hash__` and `__eq__` of keys of dicts.
class Guards {
public:
  explicit Guards(nanobind::sequence guards);
  /// The first guard from number `start` on that does not hold, or -1.
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
    /// One, but for `Contents`: one for each thing held.
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
