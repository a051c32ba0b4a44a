//===- XlaExecution.cpp - Programs that XLA runs --------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copying.h"
#include "Execution.h"

#include <cstring>

namespace nb = nanobind;
using namespace ingot;

namespace {

/// The most buffer sets of a program, for concurrent calls.
constexpr size_t mostSets = 4;

/// The calls after which a set is dropped: XLA keeps about 50 bytes for each
/// use of a buffer during the life of the buffer.
constexpr int mostUses = 1000;

/// The base object of an array that uses the memory of a buffer.
struct Memory {
  PyObject_HEAD Py_buffer view;
};

void freeMemory(PyObject *self) {
  PyBuffer_Release(&reinterpret_cast<Memory *>(self)->view);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyType_Slot memorySlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(freeMemory)}, {0, nullptr}};
PyType_Spec memorySpec = {
    "ingot_runtime._native.Memory", sizeof(Memory), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, memorySlots};

PyTypeObject *memoryClass() {
  static PyObject *made = PyType_FromSpec(&memorySpec);
  return reinterpret_cast<PyTypeObject *>(made);
}

bool hasSize(const Py_buffer &view, npy_intp size) {
  if (view.len == size)
    return true;
  PyErr_Format(PyExc_RuntimeError, "a result has %zd bytes, not %zd", view.len,
               static_cast<Py_ssize_t>(size));
  return false;
}

/// A writable array that uses the memory of a device buffer and keeps it alive;
/// null with an exception if the buffer has another size.
PyObject *arrayOver(PyObject *buffer, const Type &type) {
  PyArray_Descr *dtype = type.dtype();
  // NumPy steals a reference to it.
  Py_INCREF(dtype);
  if (type.bytes() == 0)
    return PyArray_Empty(type.axes(), type.sizes(), dtype, 0);
  auto *memory = PyObject_New(Memory, memoryClass());
  if (!memory || PyObject_GetBuffer(buffer, &memory->view, PyBUF_ND) != 0) {
    if (memory) {
      memory->view.obj = nullptr;
      Py_DECREF(memory);
    }
    Py_DECREF(dtype);
    return nullptr;
  }
  nb::object kept = nb::steal(reinterpret_cast<PyObject *>(memory));
  if (!hasSize(memory->view, type.bytes())) {
    Py_DECREF(dtype);
    return nullptr;
  }
  PyObject *made = PyArray_NewFromDescr(&PyArray_Type, dtype, type.axes(),
                                        type.sizes(), nullptr, memory->view.buf,
                                        NPY_ARRAY_CARRAY, nullptr);
  if (made && PyArray_SetBaseObject(asArray(made), kept.release().ptr()) < 0)
    Py_CLEAR(made);
  return made;
}

class XlaOutputs : public Outputs {
public:
  XlaOutputs(nb::object buffers, const std::vector<Type> &types)
      : buffers(std::move(buffers)), types(types) {}

  PyObject *array(size_t number) override {
    return arrayOver(at(number), types[number]);
  }
  bool read(size_t number, void *to) override {
    Py_buffer view;
    if (PyObject_GetBuffer(at(number), &view, PyBUF_ND) != 0)
      return false;
    bool isRead = hasSize(view, types[number].bytes());
    if (isRead)
      std::memcpy(to, view.buf, view.len);
    PyBuffer_Release(&view);
    return isRead;
  }

private:
  PyObject *at(size_t number) const {
    return PyList_GET_ITEM(buffers.ptr(), number);
  }

  nb::object buffers;
  const std::vector<Type> &types;
};

/// A call copies its inputs to the staging buffers of one of several sets. It
/// uses the set exclusively, from before the copies until its outputs are
/// ready.
class XlaExecution : public Execution {
public:
  XlaExecution(nb::dict parts, const std::vector<Input> &inputs,
               const std::vector<Type> &outputs);
  std::unique_ptr<Outputs> run(PyObject *const *values) override;
  int traverse(visitproc visit, void *arg) const override;

private:
  /// A pair of the list of device buffers and the list of the arrays that share
  /// their memory, both with None for inputs that are not staged. Inputs that
  /// the program does not read have a buffer and no array.
  struct Set {
    nb::object parts;
    int uses = 0;
  };
  class Taken;

  bool stage(PyObject *const *values, PyObject *set) const;
  PyObject *execute(PyObject *set) const;

  const std::vector<Input> &inputs;
  const std::vector<Type> &outputs;
  /// For each input, whether the set has its buffer.
  std::vector<bool> areStaged;
  nb::object makeSet, put, launch, consume, handlers, isReady, wait;
  /// Sets that no call is using.
  std::vector<Set> sets;
};

/// Copies a value to an array of the input's type; false if the value is of
/// another type.
bool stageValue(const Input &input, PyObject *value, PyArrayObject *memory) {
  if (!PyArray_CheckExact(value))
    return input.storeNumber(value, PyArray_DATA(memory));
  PyArrayObject *array = asArray(value);
  if (!input.type.fits(array))
    return false;
  if (PyArray_IS_C_CONTIGUOUS(array)) {
    std::memcpy(PyArray_DATA(memory), PyArray_DATA(array), input.type.bytes());
    return true;
  }
  if (PyArray_CopyInto(memory, array) == 0)
    return true;
  PyErr_Clear();
  return false;
}

/// A set that a call uses exclusively.
class XlaExecution::Taken {
public:
  explicit Taken(XlaExecution &call) : call(call) {
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
      if (!call.areStaged[i])
        PyList_SetItem(buffers, i, Py_NewRef(Py_None));
    if (call.sets.size() < mostSets)
      call.sets.push_back(std::move(set));
  }
  PyObject *get() const { return set.parts.ptr(); }

  /// Whether a program may still read the memory: then the set is not reused.
  bool isInUse = false;

private:
  XlaExecution &call;
  Set set;
};

XlaExecution::XlaExecution(nb::dict parts, const std::vector<Input> &inputs,
                           const std::vector<Type> &outputs)
    : inputs(inputs), outputs(outputs), makeSet(parts["make_set"]),
      put(parts["put"]), launch(parts["launch"]), consume(parts["consume"]),
      handlers(parts["handlers"]), isReady(parts["is_ready"]),
      wait(parts["wait"]) {
  for (nb::handle each : parts["staged"])
    areStaged.push_back(nb::cast<bool>(each));
  sets.push_back({nb::borrow(parts["set"])});
}

std::unique_ptr<Outputs> XlaExecution::run(PyObject *const *values) {
  Taken taken(*this);
  if (!taken.get() || !stage(values, taken.get()))
    return nullptr;
  taken.isInUse = true;
  nb::object buffers = nb::steal(execute(taken.get()));
  if (!buffers.is_valid())
    return nullptr;
  taken.isInUse = false;
  return std::make_unique<XlaOutputs>(std::move(buffers), outputs);
}

/// Copies the inputs to the buffers of a set; false, possibly with an
/// exception, if that fails.
bool XlaExecution::stage(PyObject *const *values, PyObject *set) const {
  PyObject *buffers = PyTuple_GET_ITEM(set, 0);
  PyObject *memory = PyTuple_GET_ITEM(set, 1);
  // First the inputs whose lookup runs Python code.
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (areStaged[i])
      continue;
    if (!PyArray_Check(values[i]) || !inputs[i].type.fits(asArray(values[i])))
      return false;
    PyObject *buffer = PyObject_CallOneArg(put.ptr(), values[i]);
    if (!buffer || PyList_SetItem(buffers, i, buffer) < 0)
      return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    PyObject *to = PyList_GET_ITEM(memory, i);
    if (to != Py_None && !stageValue(inputs[i], values[i], asArray(to)))
      return false;
  }
  return true;
}

/// The list of outputs, which have been waited for; null with an exception.
PyObject *XlaExecution::execute(PyObject *set) const {
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

int XlaExecution::traverse(visitproc visit, void *arg) const {
  for (const nb::object *each :
       {&makeSet, &put, &launch, &consume, &handlers, &isReady, &wait})
    Py_VISIT(each->ptr());
  return 0;
}

} // namespace

std::unique_ptr<Execution> ingot::runByXla(nb::dict parts,
                                           const std::vector<Input> &inputs,
                                           const std::vector<Type> &outputs) {
  return std::make_unique<XlaExecution>(parts, inputs, outputs);
}
