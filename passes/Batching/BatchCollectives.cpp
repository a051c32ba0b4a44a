//===- BatchCollectives.cpp - What the lanes of a batch exchange ----------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batcher.h"

using namespace mlir;
using namespace ingot;

Batcher::Batcher(OpBuilder &builder, const Lanes &lanes, VmapOp op)
    : builder(builder), lanes(lanes), whole(op.getBody().front()),
      size(op.getSize()), axis(op.getAxisAttr()) {
  auto module = op->getParentOfType<ModuleOp>();
  auto mesh = module ? module->getAttrOfType<MeshAttr>("ingot.mesh") : nullptr;
  if (mesh && llvm::is_contained(mesh.getNames(), axis))
    meshAxis = axis;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Collectives of this batch. On the whole batch, what all lanes have is the
/// stack itself.
LogicalResult Batcher::copyCollective(Operation *op) {
  mlir::Location location = op->getLoc();
  if (mask)
    return op->emitError("lanes exchange values in a branch or loop that not "
                         "all items of the batch take");
  if (isa<AxisIndexOp>(op)) {
    auto type = RankedTensorType::get({size}, builder.getI64Type());
    Value numbers = IotaOp::create(builder, location, type, 0);
    return bind(op->getResult(0), numbers), success();
  }
  if (auto permute = dyn_cast<PpermuteOp>(op))
    return copyPermuted(permute);
  Value all = stackOf(op->getOperand(0));
  if (isa<PsumOp>(op))
    all = ReduceOp::create(builder, location, ReduceKind::Add, all,
                           ArrayRef<int64_t>{0});
  if (all.getType() != op->getResult(0).getType())
    return op->emitError("the values of another number of lanes than ") << size;
  return bind(op->getResult(0), all), success();
}

/// Lanes with consecutive sources are one slice, since XLA exchanges slices
/// between devices and not elements.
LogicalResult Batcher::copyPermuted(PpermuteOp op) {
  mlir::Location location = op.getLoc();
  ArrayRef<int64_t> sources = op.getSources();
  if (static_cast<int64_t>(sources.size()) != size)
    return op.emitError("has sources for ")
           << sources.size() << " lanes, not " << size;
  Value all = stackOf(op.getOperand());
  int64_t rank = typeOf(all).getRank();
  SmallVector<int64_t> strides(rank, 1);
  SmallVector<Value> parts;
  for (int64_t start = 0; start < size;) {
    int64_t first = sources[start], end = start + 1;
    while (end < size &&
           sources[end] == (first < 0 ? first : first + end - start))
      ++end;
    int64_t count = end - start;
    start = end;
    if (first < 0) {
      parts.push_back(
          zerosOf(builder, location, ingot::stacked(op.getType(), count)));
      continue;
    }
    SmallVector<int64_t> starts(rank, 0);
    starts[0] = first;
    parts.push_back(SliceOp::create(builder, location, all, starts,
                                    prefixed(count, op.getType().getShape()),
                                    strides));
  }
  Value joined = ConcatenateOp::create(builder, location, parts, 0);
  return bind(op, joined), success();
}

/// A collective of a batch around this one: its new axis comes first.
void Batcher::expand(AllGatherOp op) {
  mlir::Location location = op.getLoc();
  int64_t lanesOutside = op.getType().getDimSize(0);
  Value operand = stackOf(op.getOperand());
  Value all = AllGatherOp::create(
      builder, location, ingot::stacked(operand.getType(), lanesOutside),
      operand, op.getAxisAttr());
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(all).getRank()));
  std::swap(axes[0], axes[1]);
  bind(op, TransposeOp::create(builder, location, all, axes));
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

LogicalResult Batcher::copyShard(ShardOp op) {
  ShardingAttr sharding = op.getSharding();
  if (meshAxis && sharding.uses(meshAxis))
    return op.emitError() << "a value is divided by the axis " << meshAxis
                          << " of the mesh, along which the items of the batch "
                             "lie";
  Value operand = stackOf(op.getOperand());
  Value made = ShardOp::create(builder, op.getLoc(), operand,
                               sharding.withLeadingAxis(meshAxis));
  return bind(op, made), success();
}
