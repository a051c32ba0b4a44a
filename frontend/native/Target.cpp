//===- Target.cpp - The processor that code is generated for --------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using llvm::TargetMachine;

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

static std::string hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &[name, present] : llvm::sys::getHostCPUFeatures())
    features.AddFeature(name, present);
  return features.getString();
}

llvm::Expected<std::unique_ptr<TargetMachine>>
ingot::targetMachine(llvm::StringRef processor, bool strict) {
  static const bool missing = llvm::InitializeNativeTarget() ||
                              llvm::InitializeNativeTargetAsmPrinter();
  if (missing)
    return fail("native code is generated on x86-64 and AArch64 only");
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const auto *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return fail(error);
  bool isHost = processor.empty();
  // A name that LLVM does not know would be reported on standard error.
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!isHost && !(known && known->isCPUStringValid(processor)))
    return fail("LLVM knows no processor `" + processor + "` of " +
                triple.getArchName());
  llvm::TargetOptions options;
  options.AllowFPOpFusion =
      strict ? llvm::FPOpFusion::Strict : llvm::FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, isHost ? llvm::sys::getHostCPUName() : processor,
      isHost ? hostFeatures() : "", options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
}
