//===- ingot-opt.cpp - Runs passes on a text file -------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native/NativePasses.h"
#include "Passes.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ingot::registerDialects(registry);
  ingot::registerNativeDialects(registry);
  ingot::registerPasses();
  ingot::registerNativePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Ingot's pass driver\n", registry));
}
