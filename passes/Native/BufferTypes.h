//===- BufferTypes.h - Types of buffers, computed once ----------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_PASSES_NATIVE_BUFFERTYPES_H
#define INGOT_PASSES_NATIVE_BUFFERTYPES_H

#include "mlir/IR/DialectRegistry.h"

namespace ingot {

/// Has bufferization compute the buffer type of each value of branches, loops
/// and selects once where it needs it several times for one type. MLIR computes
/// the type of what a loop carries from that before the loop and that which an
/// iteration yields, each of which may be from another loop: the time doubles
/// with each loop of a chain. To be called after the models of
/// `BufferizableOpInterface` are registered.
void registerBufferTypesOnce(mlir::DialectRegistry &registry);

} // namespace ingot

#endif // INGOT_PASSES_NATIVE_BUFFERTYPES_H
