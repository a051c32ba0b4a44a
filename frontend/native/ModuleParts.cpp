//===- ModuleParts.cpp - A module in parts for several threads ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleParts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <numeric>

using namespace llvm;

namespace {

/// The instructions for which a part is worth its copy: LLVM takes about 50 ms
/// for them.
constexpr unsigned instructionsOfPart = 1000;

/// The most parts, since each of them repeats the constants that it reads.
constexpr unsigned mostParts = 8;

/// Functions that must be in one part.
struct Unit {
  SmallVector<Function *> functions;
  unsigned size = 0;
};

/// The function that calls another one, which nothing else does: LLVM inlines
/// such calls.
Function *onlyCaller(Function &function) {
  if (!function.hasLocalLinkage() || !function.hasOneUse() ||
      function.hasFnAttribute(Attribute::NoInline))
    return nullptr;
  auto *call = dyn_cast<CallInst>(*function.user_begin());
  return call && call->getCalledOperand() == &function ? call->getFunction()
                                                       : nullptr;
}

std::vector<Unit> unitsOf(Module &module) {
  MapVector<Function *, Unit> units;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    Function *root = &function;
    while (Function *caller = onlyCaller(*root))
      root = caller;
    Unit &unit = units[root];
    unit.functions.push_back(&function);
    unit.size += function.getInstructionCount();
  }
  std::vector<Unit> found;
  for (auto &[root, unit] : units)
    found.push_back(std::move(unit));
  return found;
}

/// The number of each function's part.
DenseMap<const GlobalValue *, unsigned> numbered(std::vector<Unit> units,
                                                 unsigned count) {
  stable_sort(units,
              [](const Unit &a, const Unit &b) { return a.size > b.size; });
  DenseMap<const GlobalValue *, unsigned> numbers;
  std::vector<unsigned> sizes(count, 0);
  for (const Unit &unit : units) {
    unsigned part =
        std::min_element(sizes.begin(), sizes.end()) - sizes.begin();
    sizes[part] += unit.size;
    for (Function *function : unit.functions)
      numbers[function] = part;
  }
  return numbers;
}

/// Lets other objects, but not other libraries, refer to what a module defines.
void share(GlobalValue &value) {
  if (!value.hasLocalLinkage())
    return;
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
}

bool isConstant(const GlobalValue &value) {
  auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->isConstant();
}

std::string bitcode(const Module &module) {
  std::string bytes;
  raw_string_ostream stream(bytes);
  WriteBitcodeToFile(module, stream);
  return bytes;
}

} // namespace

std::vector<std::string> ingot::partsOf(Module &module) {
  std::vector<Unit> units = unitsOf(module);
  unsigned size = std::accumulate(
      units.begin(), units.end(), 0u,
      [](unsigned sum, const Unit &unit) { return sum + unit.size; });
  unsigned count =
      std::min<size_t>({units.size(), size / instructionsOfPart, mostParts});
  if (count < 2)
    return {};

  DenseMap<const GlobalValue *, unsigned> numbers =
      numbered(std::move(units), count);
  for (GlobalValue &value : module.global_values())
    if (!value.isDeclaration())
      share(value);
  std::vector<std::string> parts;
  for (unsigned part : seq(count)) {
    ValueToValueMapTy map;
    // Variables are in the first part, and the values of constants in each.
    std::unique_ptr<Module> made =
        CloneModule(module, map, [&](const GlobalValue *value) {
          return isConstant(*value) || numbers.lookup(value) == part;
        });
    for (GlobalVariable &constant : make_early_inc_range(made->globals())) {
      if (constant.use_empty() && part > 0)
        constant.eraseFromParent();
      else if (isConstant(constant) && !constant.isDeclaration() && part > 0)
        constant.setLinkage(GlobalValue::AvailableExternallyLinkage);
    }
    parts.push_back(bitcode(*made));
  }
  return parts;
}
