//===- DirectCall.cpp - A call that needs no Python ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectCall.h"

#include "Copying.h"
#include "Writers.h"

#include <cstring>

namespace nb = nanobind;
using namespace ingot;

namespace {

unsigned long long currentEpoch = 1;

/// The address range of an array, from its first byte to its last.
struct Extent {
  explicit Extent(PyArrayObject *array)
      : first(PyArray_BYTES(array)), last(first + PyArray_ITEMSIZE(array)) {
    for (int i = 0; i < PyArray_NDIM(array); ++i) {
      npy_intp span = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
      (span < 0 ? first : last) += span;
    }
    if (PyArray_SIZE(array) == 0)
      last = first;
  }
  bool overlaps(const Extent &other) const {
    return first != last && other.first != other.last && first < other.last &&
           other.first < last;
  }

  const char *first, *last;
};

/// The inputs of a call; it owns a reference to each.
class Values {
public:
  ~Values() {
    for (size_t i = 0; i < count; ++i)
      Py_DECREF(values[i]);
  }
  void add(PyObject *value) { values[count++] = value; }
  PyObject *const *get() const { return values; }

private:
  PyObject *values[Leaves::most];
  size_t count = 0;
};

} // namespace

DirectCall::DirectCall(nb::dict parts)
    : guards(parts["guards"]), hasStatus(nb::cast<bool>(parts["has_status"])),
      epoch(nb::cast<unsigned long long>(parts["epoch"])) {
  arguments.emplace_back(parts["structure"],
                         nb::cast<nb::sequence>(parts["expected"]));
  for (nb::handle each : parts["inputs"])
    inputs.emplace_back(nb::cast<nb::tuple>(each));
  for (nb::handle each : parts["outputs"])
    outputs.emplace_back(each[1], each[0]);
  for (nb::handle each : parts["mutated"])
    mutated.emplace_back(nb::cast<size_t>(each[0]), nb::cast<size_t>(each[1]));
  results.emplace_back(parts["result"], nb::object(parts["build"]),
                       nb::cast<nb::sequence>(parts["leaves"]), outputs);
  execution =
      parts.contains("kernel")
          ? runKernel(nb::cast<nb::dict>(parts["kernel"]), inputs, outputs)
          : runByXla(nb::cast<nb::dict>(parts["xla"]), inputs, outputs);
}

bool DirectCall::isCurrent() const { return epoch == currentEpoch; }

bool DirectCall::guardsHold() const {
  nb::object failed = nb::steal(PyObject_CallNoArgs(guards.ptr()));
  bool hold = failed.is_valid() && PyLong_AsLong(failed.ptr()) == -1;
  PyErr_Clear();
  return hold;
}

PyObject *DirectCall::run(const Leaves &leaves) {
  Writing writing;
  if (!mutated.empty() && !writing.begin(written(leaves)))
    return nullptr;
  Values values;
  for (const Input &input : inputs) {
    PyObject *value = input.leaf >= 0
                          ? Py_NewRef(leaves[input.leaf])
                          : PyObject_CallNoArgs(input.current.ptr());
    if (!value)
      return nullptr;
    values.add(value);
  }
  if (isOverlapped(values.get()))
    return nullptr;
  std::unique_ptr<Outputs> made = execution->run(values.get());
  if (!made || isRejected(*made) || !writeBack(*made, values.get()))
    return nullptr;
  return results.front().make(*made, values.get());
}

/// The owners of the memory that the program stores to, which is arguments'.
std::vector<PyObject *> DirectCall::written(const Leaves &leaves) const {
  std::vector<PyObject *> found;
  for (auto [input, output] : mutated)
    found.push_back(ownerOf(asArray(leaves[inputs[input].leaf])));
  return found;
}

/// Whether an array that the program stores to shares memory with another.
bool DirectCall::isOverlapped(PyObject *const *values) const {
  for (auto [written, output] : mutated) {
    Extent extent(asArray(values[written]));
    for (size_t i = 0; i < inputs.size(); ++i)
      if (i != written && PyArray_Check(values[i]) &&
          extent.overlaps(Extent(asArray(values[i]))))
        return true;
  }
  return false;
}

/// Whether a check has failed, or, with an exception, the status can't be read.
bool DirectCall::isRejected(Outputs &made) const {
  npy_int32 status = 0;
  return hasStatus && (!made.read(outputs.size() - 1, &status) || status != 0);
}

/// Copies outputs to the arguments that the program stores to; false with an
/// exception if NumPy refuses.
bool DirectCall::writeBack(Outputs &made, PyObject *const *values) const {
  for (auto [written, output] : mutated) {
    if (made.isOverwritten(written))
      continue;
    nb::object array = nb::steal(made.array(output));
    if (!array.is_valid() ||
        !copyArray(asArray(values[written]), asArray(array.ptr())))
      return false;
  }
  return true;
}

int DirectCall::traverse(visitproc visit, void *arg) const {
  Py_VISIT(guards.ptr());
  if (execution)
    if (int stopped = execution->traverse(visit, arg))
      return stopped;
  for (const Input &input : inputs)
    Py_VISIT(input.current.ptr());
  for (const Arguments &each : arguments)
    if (int stopped = each.traverse(visit, arg))
      return stopped;
  for (const Results &each : results)
    if (int stopped = each.traverse(visit, arg))
      return stopped;
  return 0;
}

void DirectCall::clear() {
  epoch = 0;
  std::vector<Arguments>().swap(arguments);
  std::vector<Results>().swap(results);
  std::vector<Input>().swap(inputs);
  execution.reset();
  guards.reset();
}

void ingot::forgetDirectCalls() { ++currentEpoch; }

unsigned long long ingot::epochOfDirectCalls() { return currentEpoch; }
