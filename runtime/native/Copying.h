//===- Copying.h - Copies of large memory -----------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_COPYING_H
#define INGOT_RUNTIME_NATIVE_COPYING_H

#include "Numpy.h"

namespace ingot {

/// Copies bytes; large copies use several threads and release the GIL, which
/// the caller holds. The caller keeps both ranges alive; they must not overlap.
void copyBytes(void *to, const void *from, size_t size);

/// Copies the elements of an array to one of the same shape without overlap;
/// false with an exception if that is not writable.
bool copyArray(PyArrayObject *to, PyArrayObject *from);

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_COPYING_H
