//===- Unused.cpp - Parts of the linker that kernels don't need -----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker can generate code itself, for each processor that LLVM knows.
// It only does that for inputs which are not machine code yet. These empty
// definitions are found before those in its archives, so that they, and what
// they need of LLVM, are not linked.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"

#define UNUSED_TARGET(Name)                                                    \
  void LLVMInitialize##Name##TargetInfo() {}                                   \
  void LLVMInitialize##Name##Target() {}                                       \
  void LLVMInitialize##Name##TargetMC() {}                                     \
  void LLVMInitialize##Name##AsmPrinter() {}                                   \
  void LLVMInitialize##Name##AsmParser() {}

extern "C" {
UNUSED_TARGETS
// Kernels have no inline assembly.
void LLVM_NATIVE_ASMPARSER() {}
}

// Debian's LLVM loads it in the linker, but its archive is not packaged.
llvm::PassPluginLibraryInfo getPollyPluginInfo() { return {}; }

namespace lld::elf {

struct Ctx;
class BitcodeFile;

class BitcodeCompiler {
public:
  explicit BitcodeCompiler(Ctx &ctx);
  ~BitcodeCompiler();
  void add(BitcodeFile &file);
  // A vector of files, which has the same layout as this one.
  llvm::SmallVector<void *, 0> compile();
};

BitcodeCompiler::BitcodeCompiler(Ctx &ctx) {}
BitcodeCompiler::~BitcodeCompiler() {}
void BitcodeCompiler::add(BitcodeFile &file) {}
llvm::SmallVector<void *, 0> BitcodeCompiler::compile() { return {}; }

} // namespace lld::elf
