//===- Copying.cpp - Copies of large memory -------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copying.h"
#include "Threads.h"

#include <algorithm>
#include <cstring>

using namespace ingot;

namespace {

/// The least bytes for a thread: smaller arrays are in the cache of this one.
constexpr size_t leastOfThread = 4 << 20;

/// The most threads; more don't increase the memory bandwidth.
constexpr size_t mostThreads = 8;

struct Copy {
  char *to;
  const char *from;
};

void copyPart(void *context, int64_t begin, int64_t end) {
  const Copy &copy = *static_cast<Copy *>(context);
  std::memcpy(copy.to + begin, copy.from + begin, end - begin);
}

} // namespace

void ingot::copyBytes(void *to, const void *from, size_t size) {
  size_t count = std::min(mostThreads, size / leastOfThread);
  if (count < 2) {
    std::memcpy(to, from, size);
    return;
  }
  Copy copy{static_cast<char *>(to), static_cast<const char *>(from)};
  Py_BEGIN_ALLOW_THREADS;
  share(copyPart, &copy, 0, size, count, 1);
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
