//===- DirectCall.cpp - A call that needs no Python ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectCall.h"

#include "Copying.h"

#include <cstring>

namespace nb = nanobind;
using namespace ingot;

namespace {

unsigned long long currentEpoch = 1;

/// The most buffer sets of a program, for concurrent calls.
constexpr size_t mostSets = 4;

/// The calls after which a set is dropped: XLA keeps about 50 bytes for each
/// use of a buffer during the life of the buffer.
constexpr int mostUses = 1000;

template <typename T> bool store(PyArrayObject *memory, T value) {
  std::memcpy(PyArray_DATA(memory), &value, sizeof value);
  return true;
}

/// Stores a number to an array of shape () if it has exactly that dtype.
bool storeNumber(PyObject *value, PyArrayObject *memory) {
  int wanted = PyArray_TYPE(memory);
  if (PyFloat_CheckExact(value))
    return wanted == NPY_DOUBLE && store(memory, PyFloat_AS_DOUBLE(value));
  if (PyBool_Check(value))
    return wanted == NPY_BOOL &&
           store(memory, static_cast<npy_bool>(value == Py_True));
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    npy_int64 number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return wanted == NPY_INT64 && !overflow && store(memory, number);
  }
  if (PyComplex_CheckExact(value)) {
    Py_complex number = PyComplex_AsCComplex(value);
    return wanted == NPY_CDOUBLE && store(memory, number);
  }
  if (!PyArray_IsScalar(value, Generic))
    return false;
  PyArray_Descr *found = PyArray_DescrFromScalar(value);
  bool isSame = found && PyArray_EquivTypenums(found->type_num, wanted);
  Py_XDECREF(found);
  if (isSame)
    PyArray_ScalarAsCtype(value, PyArray_DATA(memory));
  PyErr_Clear();
  return isSame;
}

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

Input::Input(nb::tuple parts)
    : leaf(nb::cast<Py_ssize_t>(parts[0])), current(parts[1]),
      type(parts[2], parts[3]), isStaged(nb::cast<bool>(parts[4])) {}

bool Input::stage(PyObject *value, PyArrayObject *memory) const {
  if (!PyArray_CheckExact(value))
    return type.axes() == 0 && storeNumber(value, memory);
  PyArrayObject *array = asArray(value);
  if (!type.fits(array))
    return false;
  if (PyArray_IS_C_CONTIGUOUS(array)) {
    std::memcpy(PyArray_DATA(memory), PyArray_DATA(array), type.bytes());
    return true;
  }
  if (PyArray_CopyInto(memory, array) == 0)
    return true;
  PyErr_Clear();
  return false;
}

/// A set that a call uses exclusively.
class DirectCall::Taken {
public:
  explicit Taken(DirectCall &call) : call(call) {
    if (call.sets.empty()) {
      set.parts = nb::steal(PyObject_CallNoArgs(call.makeSet.ptr()));
      return;
    }
    set = std::move(call.sets.back());
    call.sets.pop_back();
  }
  ~Taken() {
    if (!set.parts.is_valid() || isInUse || ++set.uses == mostUses)
      return;
    PyObject *buffers = PyTuple_GET_ITEM(set.parts.ptr(), 0);
    for (size_t i = 0; i < call.inputs.size(); ++i)
      if (!call.inputs[i].isStaged)
        PyList_SetItem(buffers, i, Py_NewRef(Py_None));
    if (call.sets.size() < mostSets)
      call.sets.push_back(std::move(set));
  }
  PyObject *get() const { return set.parts.ptr(); }

  /// Whether a program may still read the memory: then the set is not reused.
  bool isInUse = false;

private:
  DirectCall &call;
  Set set;
};

DirectCall::DirectCall(nb::dict parts)
    : guards(parts["guards"]), makeSet(parts["make_set"]), put(parts["put"]),
      launch(parts["launch"]), consume(parts["consume"]),
      handlers(parts["handlers"]), isReady(parts["is_ready"]),
      wait(parts["wait"]), hasStatus(nb::cast<bool>(parts["has_status"])),
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
  for (nb::handle each : parts["sets"])
    sets.push_back({nb::borrow(each)});
}

bool DirectCall::isCurrent() const { return epoch == currentEpoch; }

bool DirectCall::guardsHold() const {
  nb::object failed = nb::steal(PyObject_CallNoArgs(guards.ptr()));
  bool hold = failed.is_valid() && PyLong_AsLong(failed.ptr()) == -1;
  PyErr_Clear();
  return hold;
}

PyObject *DirectCall::run(const Leaves &leaves) {
  Values values;
  for (const Input &input : inputs) {
    PyObject *value = input.leaf >= 0
                          ? Py_NewRef(leaves[input.leaf])
                          : PyObject_CallNoArgs(input.current.ptr());
    if (!value)
      return nullptr;
    values.add(value);
  }
  Taken taken(*this);
  if (!taken.get() || isOverlapped(values.get()) ||
      !stage(values.get(), taken.get()))
    return nullptr;
  taken.isInUse = true;
  nb::object buffers = nb::steal(execute(taken.get()));
  if (!buffers.is_valid())
    return nullptr;
  taken.isInUse = false;
  if (isRejected(buffers.ptr()) || !writeBack(buffers.ptr(), values.get()))
    return nullptr;
  return results.front().make(buffers.ptr(), values.get());
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

/// Copies the inputs to the buffers of a set; false, possibly with an
/// exception, if that fails.
bool DirectCall::stage(PyObject *const *values, PyObject *set) const {
  PyObject *buffers = PyTuple_GET_ITEM(set, 0);
  PyObject *memory = PyTuple_GET_ITEM(set, 1);
  // First the inputs whose lookup runs Python code.
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].isStaged)
      continue;
    if (!PyArray_Check(values[i]) || !inputs[i].type.fits(asArray(values[i])))
      return false;
    PyObject *buffer = PyObject_CallOneArg(put.ptr(), values[i]);
    if (!buffer || PyList_SetItem(buffers, i, buffer) < 0)
      return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].isStaged &&
        !inputs[i].stage(values[i], asArray(PyList_GET_ITEM(memory, i))))
      return false;
  return true;
}

/// The list of outputs, which have been waited for; null with an exception.
PyObject *DirectCall::execute(PyObject *set) const {
  nb::object launched =
      nb::steal(PyObject_CallOneArg(launch.ptr(), PyTuple_GET_ITEM(set, 0)));
  if (!launched.is_valid())
    return nullptr;
  PyObject *parts[] = {launched.ptr(), handlers.ptr()};
  nb::object buffers =
      nb::steal(PyObject_Vectorcall(consume.ptr(), parts, 2, nullptr));
  for (Py_ssize_t i = 0;
       buffers.is_valid() && i < PyList_GET_SIZE(buffers.ptr()); ++i) {
    PyObject *buffer = PyList_GET_ITEM(buffers.ptr(), i);
    nb::object ready = nb::steal(PyObject_CallOneArg(isReady.ptr(), buffer));
    if (ready.ptr() == Py_False)
      ready = nb::steal(PyObject_CallOneArg(wait.ptr(), buffer));
    if (!ready.is_valid())
      return nullptr;
  }
  return buffers.release().ptr();
}

/// Whether a check has failed, or, with an exception, the status can't be read.
bool DirectCall::isRejected(PyObject *buffers) const {
  if (!hasStatus)
    return false;
  Bytes bytes(PyList_GET_ITEM(buffers, PyList_GET_SIZE(buffers) - 1));
  auto *status = static_cast<const npy_int32 *>(bytes.get(sizeof(npy_int32)));
  return !status || *status != 0;
}

/// Copies outputs to the arguments that the program stores to; false with an
/// exception if NumPy refuses.
bool DirectCall::writeBack(PyObject *buffers, PyObject *const *values) const {
  for (auto [written, output] : mutated) {
    nb::object made =
        nb::steal(arrayOver(PyList_GET_ITEM(buffers, output), outputs[output]));
    if (!made.is_valid() ||
        !copyArray(asArray(values[written]), asArray(made.ptr())))
      return false;
  }
  return true;
}

int DirectCall::traverse(visitproc visit, void *arg) const {
  for (const nb::object *each :
       {&guards, &makeSet, &put, &launch, &consume, &handlers, &isReady, &wait})
    Py_VISIT(each->ptr());
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
  for (nb::object *each :
       {&guards, &makeSet, &put, &launch, &consume, &handlers, &isReady, &wait})
    each->reset();
}

void ingot::forgetDirectCalls() { ++currentEpoch; }

unsigned long long ingot::epochOfDirectCalls() { return currentEpoch; }
