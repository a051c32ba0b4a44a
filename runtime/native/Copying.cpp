//===- Copying.cpp - Copies of large memory -------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copying.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

using namespace ingot;

namespace {

/// The least bytes for a thread: starting one takes as long as copying 100 KiB.
constexpr size_t leastOfThread = 4 << 20;

/// The most threads; more don't increase the memory bandwidth.
constexpr size_t mostThreads = 8;

/// The threads exist only during a copy, so a forked process lacks none.
void copyByThreads(char *to, const char *from, size_t size, size_t count) {
  size_t part = (size / count + 4095) & ~size_t(4095);
  std::vector<std::thread> threads;
  size_t begin = 0;
  try {
    threads.reserve(count - 1);
    for (; threads.size() + 1 < count; begin += part)
      threads.emplace_back(std::memcpy, to + begin, from + begin, part);
  } catch (const std::exception &) {
    // No more threads can be started: this one copies the rest.
  }
  std::memcpy(to + begin, from + begin, size - begin);
  for (std::thread &each : threads)
    each.join();
}

} // namespace

void ingot::copyBytes(void *to, const void *from, size_t size) {
  static const size_t cores =
      std::clamp<size_t>(std::thread::hardware_concurrency(), 1, mostThreads);
  size_t count = std::min(cores, size / leastOfThread);
  if (count < 2) {
    std::memcpy(to, from, size);
    return;
  }
  Py_BEGIN_ALLOW_THREADS;
  copyByThreads(static_cast<char *>(to), static_cast<const char *>(from), size,
                count);
  Py_END_ALLOW_THREADS;
}

bool ingot::copyArray(PyArrayObject *to, PyArrayObject *from) {
  PyArray_Descr *dtype = PyArray_DESCR(from);
  bool isPlain =
      PyTypeNum_ISNUMBER(dtype->type_num) || PyTypeNum_ISBOOL(dtype->type_num);
  if (!isPlain || !PyArray_IS_C_CONTIGUOUS(to) ||
      !PyArray_IS_C_CONTIGUOUS(from) || !PyArray_SAMESHAPE(to, from) ||
      !PyArray_EquivTypes(PyArray_DESCR(to), dtype))
    return PyArray_CopyInto(to, from) == 0;
  if (PyArray_FailUnlessWriteable(to, "assignment destination") < 0)
    return false;
  copyBytes(PyArray_DATA(to), PyArray_DATA(from), PyArray_NBYTES(from));
  return true;
}
