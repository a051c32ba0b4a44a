//===- KernelExecution.cpp - Programs that are one native kernel ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "Copying.h"
#include "Execution.h"
#include "Native.h"
#include "Staging.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

namespace nb = nanobind;
using namespace ingot;

namespace {

using Function = void (*)(void **);
using Pair = std::pair<Py_ssize_t, Py_ssize_t>;

using Clock = std::chrono::steady_clock;

/// How often the wait for a kernel looks for signals.
constexpr std::chrono::milliseconds pause(20);

/// The longest time for which signals wait.
constexpr std::chrono::milliseconds mostUninterrupted(100);

PyObject *makeArray(const Type &type) {
  PyArray_Descr *dtype = type.dtype();
  // NumPy steals a reference to it.
  Py_INCREF(dtype);
  if (type.bytes() < leastKept)
    return PyArray_Empty(type.axes(), type.sizes(), dtype, 0);
  return arrayInBlock(dtype, type.axes(), type.sizes(), type.bytes());
}

/// The memory of an input or an output: an array or, for shape (), a number.
struct Place {
  nb::object array;
  Scalar number;
  void *data = nullptr;

  void useNumber() { data = &number; }
  bool useArray(nb::object made) {
    if (!made.is_valid())
      return false;
    array = std::move(made);
    data = PyArray_DATA(asArray(array.ptr()));
    return true;
  }
};

/// The memory of one call.
class Frame : public Outputs {
public:
  Frame(const std::vector<bool> &inPlace, const std::vector<Type> &types)
      : inputs(inPlace.size()), outputs(types.size()), inPlace(inPlace),
        types(types) {}

  PyObject *array(size_t number) override {
    Place &place = outputs[number];
    if (place.array.is_valid())
      return Py_NewRef(place.array.ptr());
    PyObject *made = makeArray(types[number]);
    if (made)
      std::memcpy(PyArray_DATA(asArray(made)), place.data,
                  types[number].bytes());
    return made;
  }
  bool read(size_t number, void *to) override {
    std::memcpy(to, outputs[number].data, types[number].bytes());
    return true;
  }

  bool isOverwritten(size_t input) const override {
    return isQuick && inPlace[input];
  }

  std::vector<Place> inputs, outputs;
  std::vector<void *> parameters;
  /// Whether the kernel is known to be quick, so that no signal interrupts it.
  bool isQuick = false;

private:
  /// For each input, whether a quick kernel overwrites the caller's array.
  const std::vector<bool> &inPlace;
  const std::vector<Type> &types;
};

/// Whether a kernel on another thread has ended. It may outlive the wait.
class Progress {
public:
  void end() {
    std::lock_guard<std::mutex> lock(mutex);
    isOver = true;
    changed.notify_all();
  }
  bool wait(std::chrono::milliseconds most) {
    std::unique_lock<std::mutex> lock(mutex);
    return changed.wait_for(lock, most, [this] { return isOver; });
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool isOver = false;
};

/// An interrupted kernel goes on, so its memory and its code must stay.
struct Abandoned {
  std::shared_ptr<Progress> progress;
  std::unique_ptr<Frame> frame;
  nb::object library;
};

std::vector<Abandoned> &abandoned() {
  // Never destroyed, since threads may still use the memory. Protected by the
  // GIL.
  static auto *made = new std::vector<Abandoned>;
  return *made;
}

void forgetEnded() {
  std::vector<Abandoned> &all = abandoned();
  for (size_t i = all.size(); i-- > 0;) {
    if (!all[i].progress->wait(std::chrono::milliseconds(0)))
      continue;
    // First, since the end of an array may run Python code.
    Abandoned ended = std::move(all[i]);
    all.erase(all.begin() + i);
  }
}

void runHere(Function kernel, void **parameters) {
  Py_BEGIN_ALLOW_THREADS;
  kernel(parameters);
  Py_END_ALLOW_THREADS;
}

/// Runs a kernel that may take long so that signals can interrupt it; null
/// with the exception of a signal's handler. The thread exists only during the
/// call, so a forked process lacks none. The library has the kernel's code.
std::unique_ptr<Frame> runOnThread(Function kernel,
                                   std::unique_ptr<Frame> frame,
                                   const nb::object &library) {
  forgetEnded();
  auto progress = std::make_shared<Progress>();
  void **parameters = frame->parameters.data();
  try {
    std::thread([=] {
      kernel(parameters);
      progress->end();
    }).detach();
  } catch (const std::system_error &) {
    runHere(kernel, parameters);
    return frame;
  }
  for (bool isOver = false; !isOver;) {
    Py_BEGIN_ALLOW_THREADS;
    isOver = progress->wait(pause);
    Py_END_ALLOW_THREADS;
    if (!isOver && PyErr_CheckSignals() < 0) {
      abandoned().push_back({progress, std::move(frame), library});
      return nullptr;
    }
  }
  return frame;
}

std::vector<Pair> pairsOf(nb::handle pairs) {
  std::vector<Pair> found;
  for (nb::handle each : pairs)
    found.emplace_back(nb::cast<Py_ssize_t>(each[0]),
                       nb::cast<Py_ssize_t>(each[1]));
  return found;
}

class KernelExecution : public Execution {
public:
  KernelExecution(nb::dict parts, const std::vector<Input> &inputs,
                  const std::vector<Type> &outputs);
  std::unique_ptr<Outputs> run(PyObject *const *values) override;
  int traverse(visitproc, void *) const override { return 0; }

private:
  bool takeInput(const Input &input, PyObject *value, Place &place) const;
  bool makeOutput(size_t number, Place &place) const;
  std::string numbersOf(const Frame &frame) const;
  bool takeInputs(Frame &frame, PyObject *const *values) const;
  bool makeOutputs(Frame &frame) const;

  Function kernel;
  /// Keeps the kernel loaded.
  nb::object library;
  const std::vector<Input> &inputs;
  const std::vector<Type> &outputs;
  /// The input and the output of each parameter of the kernel, or -1. If it has
  /// both, the kernel overwrites the one by the other.
  std::vector<Pair> parameters;
  /// Inputs that are outputs, and outputs that are other outputs, too.
  std::vector<Pair> passed, repeated;
  std::vector<bool> inPlace;
  /// The inputs that tell how long the kernel runs, if nothing else does.
  std::optional<std::vector<size_t>> lengths;
  /// Their values in the last call that was quick.
  std::optional<std::string> quickNumbers;
};

KernelExecution::KernelExecution(nb::dict parts,
                                 const std::vector<Input> &inputs,
                                 const std::vector<Type> &outputs)
    : kernel(reinterpret_cast<Function>(nb::cast<uintptr_t>(parts["address"]))),
      library(parts["library"]), inputs(inputs), outputs(outputs),
      parameters(pairsOf(parts["parameters"])),
      passed(pairsOf(parts["passed"])), repeated(pairsOf(parts["repeated"])) {
  inPlace.resize(inputs.size());
  for (nb::handle each : parts["in_place"])
    inPlace[nb::cast<size_t>(each)] = true;
  if (nb::handle(parts["lengths"]).is_none())
    return;
  lengths.emplace();
  for (nb::handle each : parts["lengths"])
    lengths->push_back(nb::cast<size_t>(each));
}

/// Makes the value of an input available to the kernel, as it is if possible.
bool KernelExecution::takeInput(const Input &input, PyObject *value,
                                Place &place) const {
  if (!PyArray_CheckExact(value)) {
    place.useNumber();
    return input.storeNumber(value, place.data);
  }
  PyArrayObject *array = asArray(value);
  if (!input.type.fits(array))
    return false;
  if (PyArray_IS_C_CONTIGUOUS(array) && PyArray_ISALIGNED(array))
    return place.useArray(nb::borrow(value));
  return place.useArray(nb::steal(makeArray(input.type))) &&
         copyArray(asArray(place.array.ptr()), array);
}

bool KernelExecution::makeOutput(size_t number, Place &place) const {
  if (outputs[number].axes() > 0)
    return place.useArray(nb::steal(makeArray(outputs[number])));
  place.useNumber();
  return true;
}

/// The values of the inputs that tell how long the kernel runs.
std::string KernelExecution::numbersOf(const Frame &frame) const {
  std::string found;
  for (size_t i : *lengths)
    found.append(static_cast<const char *>(frame.inputs[i].data),
                 inputs[i].type.bytes());
  return found;
}

bool KernelExecution::takeInputs(Frame &frame, PyObject *const *values) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!takeInput(inputs[i], values[i], frame.inputs[i]))
      return false;
  return true;
}

/// Makes the outputs, and sets the kernel's parameters.
bool KernelExecution::makeOutputs(Frame &frame) const {
  for (auto [input, output] : parameters)
    if (input >= 0 && output >= 0 && frame.isOverwritten(input))
      frame.outputs[output].data = frame.inputs[input].data;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!frame.outputs[i].data && !makeOutput(i, frame.outputs[i]))
      return false;
  auto copy = [&](Py_ssize_t input, Py_ssize_t output) {
    copyBytes(frame.outputs[output].data, frame.inputs[input].data,
              outputs[output].bytes());
  };
  for (auto [input, output] : passed)
    copy(input, output);
  frame.parameters.reserve(parameters.size());
  for (auto [input, output] : parameters) {
    if (input >= 0 && output >= 0 && !frame.isOverwritten(input))
      copy(input, output);
    Place &place = output >= 0 ? frame.outputs[output] : frame.inputs[input];
    frame.parameters.push_back(place.data);
  }
  return true;
}

std::unique_ptr<Outputs> KernelExecution::run(PyObject *const *values) {
  auto frame = std::make_unique<Frame>(inPlace, outputs);
  if (!takeInputs(*frame, values))
    return nullptr;
  frame->isQuick = quickNumbers && *quickNumbers == numbersOf(*frame);
  if (!makeOutputs(*frame))
    return nullptr;
  if (frame->isQuick) {
    runHere(kernel, frame->parameters.data());
  } else {
    Clock::time_point start = Clock::now();
    frame = runOnThread(kernel, std::move(frame), library);
    if (!frame)
      return nullptr;
    if (lengths && Clock::now() - start < mostUninterrupted)
      quickNumbers = numbersOf(*frame);
  }
  for (auto [from, to] : repeated)
    copyBytes(frame->outputs[to].data, frame->outputs[from].data,
              outputs[to].bytes());
  return frame;
}

/// A kernel that Python calls.
class Kernel {
public:
  explicit Kernel(nb::dict parts) {
    for (nb::handle each : parts["inputs"])
      inputs.emplace_back(nb::cast<nb::tuple>(each));
    for (nb::handle each : parts["outputs"])
      outputs.emplace_back(each[1], each[0]);
    execution = runKernel(parts, inputs, outputs);
  }
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// The outputs as a list of new arrays.
  nb::list run(nb::list values) {
    if (values.size() != inputs.size())
      throw nb::type_error("another number of inputs");
    PyObject *const *given =
        reinterpret_cast<PyListObject *>(values.ptr())->ob_item;
    std::unique_ptr<Outputs> made = execution->run(given);
    if (!made && !PyErr_Occurred())
      throw nb::type_error("an input of another type");
    nb::list arrays;
    for (size_t i = 0; made && i < outputs.size(); ++i)
      if (PyObject *array = made->array(i))
        arrays.append(nb::steal(array));
    if (PyErr_Occurred())
      throw nb::python_error();
    return arrays;
  }

private:
  std::vector<Input> inputs;
  std::vector<Type> outputs;
  std::unique_ptr<Execution> execution;
};

} // namespace

void ingot::bindKernels(nb::module_ &module) {
  nb::class_<Kernel>(module, "Kernel")
      .def(nb::init<nb::dict>(), nb::arg("parts"))
      .def("run", &Kernel::run, nb::arg("inputs"));
}

std::unique_ptr<Execution> ingot::runKernel(nb::dict parts,
                                            const std::vector<Input> &inputs,
                                            const std::vector<Type> &outputs) {
  return std::make_unique<KernelExecution>(parts, inputs, outputs);
}
