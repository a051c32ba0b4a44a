//===- Staging.h - Arrays in memory that is kept for others -----*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_STAGING_H
#define INGOT_RUNTIME_NATIVE_STAGING_H

#include "Numpy.h"

namespace ingot {

/// A new array in C order, whose elements are not set, in a block of the pool
/// with `more` extra bytes. The block returns to the pool with the last array
/// that uses it. It steals the dtype, and returns null with an exception.
PyObject *arrayInBlock(PyArray_Descr *dtype, int axes, const npy_intp *sizes,
                       npy_intp bytes, size_t more = 0);

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_STAGING_H
