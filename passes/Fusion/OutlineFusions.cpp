//===- OutlineFusions.cpp - Fusions as kernels that are called ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "KernelCall.h"
#include "Lowering/Lowering.h"
#include "Regions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace ingot {
#define GEN_PASS_DEF_OUTLINEFUSIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The value of which `value` is a version with some elements overwritten, as
/// far as that can be followed inside a region.
static Value overwritten(Value value, Region &region) {
  while (Operation *op = value.getDefiningOp()) {
    if (!region.isAncestor(op->getParentRegion()))
      return value;
    if (isa<UpdateSliceOp, ScatterOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    if (!isa<ForOp, WhileOp>(op))
      return {};
    value = carriedOperands(op)[cast<OpResult>(value).getResultNumber()];
  }
  return value;
}

/// For each yielded value, the index in `operands` of the one whose memory it
/// takes, or -1.
static SmallVector<int64_t> updatesOf(FusionOp fusion,
                                      ArrayRef<Value> operands) {
  SmallVector<int64_t> updates;
  for (Value value : fusion.getBody().front().getTerminator()->getOperands()) {
    Value source = overwritten(value, fusion.getBody());
    auto *found = llvm::find(operands, source);
    int64_t index = found == operands.end() || value == source
                        ? -1
                        : std::distance(operands.begin(), found);
    updates.push_back(llvm::is_contained(updates, index) ? -1 : index);
  }
  return updates;
}

/// The number of the fusion's result that is the length of another one, as the
/// function that returns both says; only the function may use that one.
static std::optional<unsigned> lengthOf(OpResult result) {
  if (!result.hasOneUse())
    return std::nullopt;
  OpOperand &use = *result.use_begin();
  auto end = dyn_cast<func::ReturnOp>(use.getOwner());
  auto number = end ? end->getParentOfType<func::FuncOp>()
                          .getResultAttrOfType<IntegerAttr>(
                              use.getOperandNumber(), lengthName)
                    : IntegerAttr();
  auto length =
      number ? dyn_cast<OpResult>(end.getOperand(number.getInt())) : OpResult();
  return length && length.getOwner() == result.getOwner()
             ? std::optional(length.getResultNumber())
             : std::nullopt;
}

/// The fusion as a function.
static func::FuncOp kernelOf(FusionOp fusion, ArrayRef<Value> operands,
                             ArrayRef<int64_t> updates) {
  OpBuilder builder(fusion.getContext());
  auto type = builder.getFunctionType(TypeRange(ValueRange(operands)),
                                      fusion.getResultTypes());
  auto function = func::FuncOp::create(fusion.getLoc(), "kernel", type);
  function->setAttr("ingot.updates", builder.getDenseI64ArrayAttr(updates));
  for (OpResult result : fusion->getResults())
    if (auto length = lengthOf(result))
      function.setResultAttr(result.getResultNumber(), lengthName,
                             builder.getI64IntegerAttr(*length));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  IRMapping map;
  map.map(operands, block->getArguments());
  Block &body = fusion.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, map);
  auto results = llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return map.lookupOrDefault(value); });
  func::ReturnOp::create(builder, fusion.getLoc(), results);
  return function;
}

static std::string nameOf(func::FuncOp kernel) {
  std::string text;
  llvm::raw_string_ostream(text) << kernel;
  return "ingot.native." + llvm::utohexstr(llvm::xxh3_64bits(text),
                                           /*LowerCase=*/true, /*Width=*/16);
}

static ArrayAttr layoutsOf(Builder &builder, TypeRange types) {
  return builder.getArrayAttr(llvm::map_to_vector(
      types, [&](Type type) { return rowMajor(builder, type); }));
}

static ArrayAttr aliasesOf(Builder &builder, ArrayRef<int64_t> updates) {
  SmallVector<Attribute> aliases;
  for (auto [i, operand] : llvm::enumerate(updates)) {
    if (operand < 0)
      continue;
    SmallVector<int64_t> result{static_cast<int64_t>(i)};
    if (updates.size() == 1)
      result.clear();
    aliases.push_back(stablehlo::OutputOperandAliasAttr::get(
        builder.getContext(), result, operand, {}));
  }
  return aliases.empty() ? ArrayAttr() : builder.getArrayAttr(aliases);
}

static void outline(FusionOp fusion, ModuleOp module, bool isStrict,
                    ArrayRef<StringRef> without) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(fusion->getRegions(), captured);
  SmallVector<Value> operands(captured.takeVector());
  SmallVector<int64_t> updates = updatesOf(fusion, operands);
  OwningOpRef<func::FuncOp> kernel = kernelOf(fusion, operands, updates);
  if (isStrict)
    (*kernel)->setAttr("ingot.strict", UnitAttr::get(fusion.getContext()));
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  if (!without.empty())
    (*kernel)->setAttr(withoutName, builder.getStrArrayAttr(without));
  std::string name = nameOf(*kernel);
  // The runtime reads it in the compiled program, where kernels have no bodies.
  SmallVector<NamedAttribute> attributes;
  if (auto lengths = lengthsOf(*kernel); lengths && lengths->empty())
    attributes.push_back(
        builder.getNamedAttr("steady", builder.getBoolAttr(true)));
  if (!module.lookupSymbol(name)) {
    auto holder = ModuleOp::create(builder, fusion.getLoc(), name);
    holder.push_back(kernel.release());
  }
  builder.setInsertionPoint(fusion);
  auto call = stablehlo::CustomCallOp::create(
      builder, fusion.getLoc(), fusion.getResultTypes(), operands, name,
      /*has_side_effect=*/false, builder.getDictionaryAttr(attributes),
      /*api_version=*/4, layoutsOf(builder, TypeRange(ValueRange(operands))),
      layoutsOf(builder, fusion.getResultTypes()), aliasesOf(builder, updates));
  fusion->replaceAllUsesWith(call);
  fusion->erase();
}

namespace {
struct OutlineFusions : public ingot::impl::OutlineFusionsBase<OutlineFusions> {
  using OutlineFusionsBase::OutlineFusionsBase;

  void runOnOperation() override {
    SmallVector<FusionOp> fusions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](FusionOp fusion) { fusions.push_back(fusion); });
    SmallVector<StringRef> leftOut(without.begin(), without.end());
    for (FusionOp fusion : fusions)
      outline(fusion, getOperation(), strict, leftOut);
  }
};
} // namespace
