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

/// Copies bytes, large ones by several threads and without the GIL, which the
/// caller holds. Both memories must be kept by the caller, and lie apart.
void copyBytes(void *to, const void *from, size_t size);

/// Copies the elements of an array to one of the same shape that lies apart;
/// false with an exception if it can't be stored to.
bool copyArray(PyArrayObject *to, PyArrayObject *from);

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_COPYING_H
