//===- Writers.cpp - Objects that calls are changing ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"

#include "Native.h"

#include <algorithm>
#include <memory>

namespace nb = nanobind;
using namespace ingot;

namespace {

struct Entry {
  PyObject *object;
  unsigned long thread;
};

/// What is being changed, and the locks of threads that wait for the end of
/// any change. Both are used with the GIL only.
std::vector<Entry> entries;
std::vector<PyThread_type_lock> waiting;

/// The microseconds after which a thread that waits looks for signals.
constexpr PY_TIMEOUT_T pause = 50'000;

bool isChanged(PyObject *object) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry &each) { return each.object == object; });
}

/// Waits for the end of a change; false with an exception.
bool wait() {
  PyThread_type_lock lock = PyThread_allocate_lock();
  if (!lock)
    return PyErr_NoMemory(), false;
  PyThread_acquire_lock(lock, WAIT_LOCK);
  waiting.push_back(lock);
  Py_BEGIN_ALLOW_THREADS;
  PyThread_acquire_lock_timed(lock, pause, 0);
  Py_END_ALLOW_THREADS;
  waiting.erase(std::remove(waiting.begin(), waiting.end(), lock),
                waiting.end());
  // It is held, unless it was released just after the pause.
  PyThread_acquire_lock(lock, NOWAIT_LOCK);
  PyThread_release_lock(lock);
  PyThread_free_lock(lock);
  return PyErr_CheckSignals() == 0;
}

void wakeAll() {
  for (PyThread_type_lock each : waiting)
    PyThread_release_lock(each);
  waiting.clear();
}

nb::object beginWriting(nb::list objects) {
  std::vector<PyObject *> found;
  for (nb::handle each : objects)
    found.push_back(PyArray_Check(each.ptr()) ? ownerOf(asArray(each.ptr()))
                                              : each.ptr());
  auto writing = std::make_unique<Writing>();
  if (!writing->begin(found))
    throw nb::python_error();
  return nb::cast(writing.release(), nb::rv_policy::take_ownership);
}

/// Forgets what other threads were changing, which a forked process lacks.
void forgetWriters() {
  unsigned long self = PyThread_get_thread_ident();
  auto isOthers = [&](const Entry &each) { return each.thread != self; };
  entries.erase(std::remove_if(entries.begin(), entries.end(), isOthers),
                entries.end());
  waiting.clear();
}

} // namespace

bool Writing::begin(const std::vector<PyObject *> &objects) {
  unsigned long self = PyThread_get_thread_ident();
  auto isOwn = [&](const Entry &each) { return each.thread == self; };
  while (std::any_of(objects.begin(), objects.end(), isChanged) &&
         std::none_of(entries.begin(), entries.end(), isOwn))
    if (!wait())
      return false;
  for (PyObject *each : objects) {
    if (isChanged(each))
      continue;
    entries.push_back({each, self});
    taken.push_back(each);
  }
  return true;
}

Writing::~Writing() {
  if (taken.empty())
    return;
  auto isTaken = [&](const Entry &each) {
    return std::find(taken.begin(), taken.end(), each.object) != taken.end();
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), isTaken),
                entries.end());
  wakeAll();
}

PyObject *ingot::ownerOf(PyArrayObject *array) {
  PyObject *owner = reinterpret_cast<PyObject *>(array);
  while (PyArray_Check(owner) && PyArray_BASE(asArray(owner)))
    owner = PyArray_BASE(asArray(owner));
  return owner;
}

void ingot::bindWriters(nb::module_ &module) {
  nb::class_<Writing>(module, "Writing");
  module.def("begin_writing", &beginWriting);
  module.def("forget_writers", &forgetWriters);
}
