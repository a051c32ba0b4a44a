//===- Locations.cpp - From locations to the user's source ----------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

using namespace mlir;

FileLineColRange ingot::findRange(mlir::Location location) {
  FileLineColRange found;
  location->walk([&](mlir::Location each) {
    found = dyn_cast<FileLineColRange>(each);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}
