//===- ErrorState.h - What NumPy does with floating-point errors -*- C++
//-*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_ERRORSTATE_H
#define INGOT_RUNTIME_NATIVE_ERRORSTATE_H

namespace ingot {

/// Whether `np.errstate` neither raises nor calls; false with an exception if
/// it does.
bool mayIgnoreErrors();

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_ERRORSTATE_H
