//===- ChunkReductions.cpp - Reduce only the chunks that are not masked ---===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering/Lowering.h"
#include "Reductions.h"
#include "Regions.h"
#include "Simplify/Chunks.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace ingot {
#define GEN_PASS_DEF_CHUNKREDUCTIONS
#include "Passes.h.inc"
} // namespace ingot

using namespace mlir;
using namespace ingot;

/// The smallest number of chunks that is worth a loop.
static constexpr int64_t leastChunks = 4;

/// The neutral element of a reduction.
static TypedAttr identityOf(ReduceKind kind, Type element) {
  Builder builder(element.getContext());
  if (kind == ReduceKind::And || kind == ReduceKind::Or)
    return builder.getIntegerAttr(element, kind == ReduceKind::And);
  if (!isa<FloatType, IntegerType>(element))
    return nullptr;
  if (kind == ReduceKind::Min || kind == ReduceKind::Max)
    return extremum(element, kind == ReduceKind::Min);
  bool isOne = kind == ReduceKind::Mul;
  if (auto floating = dyn_cast<FloatType>(element))
    return builder.getFloatAttr(floating, isOne);
  return builder.getIntegerAttr(element, isOne);
}

namespace {

/// A reduction or product whose elements are neutral outside a range.
struct Live {
  Operation *op;
  ReduceKind kind;
  /// The operands, and the axis of each that is reduced.
  SmallVector<std::pair<Value, unsigned>> operands;
  LiveRange range;
  TypedAttr identity;
  /// The value of the elements outside the range, if it is not the identity.
  Value outside;

  int64_t extent() const {
    return typeOf(operands[0].first).getDimSize(operands[0].second);
  }
};

} // namespace

/// Matches a reduction along one axis whose elements outside a range are its
/// identity. For `all` and `any` they need only be equal.
static std::optional<Live> liveReduction(ReduceOp op) {
  TypedAttr identity = identityOf(op.getKind(), op.getType().getElementType());
  if (!identity)
    return std::nullopt;
  bool isLogical =
      op.getKind() == ReduceKind::And || op.getKind() == ReduceKind::Or;
  for (int64_t axis : op.getAxes()) {
    Live live{op, op.getKind(), {{op.getOperand(), axis}}, {}, identity, {}};
    std::optional<Masked> masked = maskOf(op.getOperand(), axis);
    if (masked && masked->outside == identity) {
      live.range = masked->range;
      return live;
    }
    OpBuilder builder(op);
    if (!isLogical)
      continue;
    if (Value outside = outsideOf(builder, op.getOperand(), axis, live.range)) {
      live.outside = outside;
      return live;
    }
  }
  return std::nullopt;
}

/// Matches a product of two vectors that are zero outside the same range.
static std::optional<Live> liveProduct(DotGeneralOp op) {
  bool isVectors = op.getType().getRank() == 0 &&
                   typeOf(op.getLhs()).getRank() == 1 && !op.getLhsZeros() &&
                   !op.getRhsZeros();
  TypedAttr identity =
      identityOf(ReduceKind::Add, op.getType().getElementType());
  if (!isVectors || !identity)
    return std::nullopt;
  OpBuilder builder(op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  unshift(builder, lhs, rhs);
  std::optional<Masked> left = maskOf(lhs, 0), right = maskOf(rhs, 0);
  if (!left || !right || left->range != right->range ||
      left->outside != identity || right->outside != identity)
    return std::nullopt;
  return Live{op,          ReduceKind::Add, {{lhs, 0}, {rhs, 0}},
              left->range, identity,        {}};
}

/// The elements of a chunk. Those before `from` are replaced by the identity:
/// the previous chunk has reduced them.
static Value elementsOf(Chunker &chunker, const Live &live, Value from) {
  OpBuilder &builder = chunker.builder;
  mlir::Location location = live.op->getLoc();
  auto [operand, axis] = live.operands[0];
  Value elements = chunker.chunk(operand, axis);
  if (live.operands.size() == 2) {
    auto [other, otherAxis] = live.operands[1];
    elements = MulOp::create(builder, location, elements,
                             chunker.chunk(other, otherAxis));
  }
  bool isIdempotent =
      live.kind != ReduceKind::Add && live.kind != ReduceKind::Mul;
  if (isIdempotent)
    return elements;
  Expr position(builder, location, chunker.positions(typeOf(elements), axis));
  Value isNew = position.compare(Comparison::GE, position.with(from));
  Value identity = constantOf(builder, location, live.identity);
  return SelectOp::create(builder, location, isNew, elements, identity);
}

/// Replaces a reduction by a loop over the chunks of its range.
static void emitChunks(const Live &live, int64_t size) {
  mlir::Location location = live.op->getLoc();
  OpBuilder builder(live.op);
  Expr one(builder, location, integer(builder, location, 1));
  Expr lower = one.with(live.range.lower(builder, location));
  Expr upper = one.with(live.range.upper(builder, location, live.extent()));
  Expr length = one.with(integer(builder, location, size));
  // Rounded up. An empty range has no chunks.
  Expr count = apply<FloorDivOp>(upper - lower + length - one, length);
  Value init = constantOf(builder, location, live.identity,
                          shapeOf(live.op->getResult(0)));
  Operation *around = live.op->getParentOfType<LoopLikeOpInterface>();
  ForOp loop = beginFor(builder, location, count, init);
  Block &body = loop->getRegion(0).front();

  Expr from = lower + one.with(body.getArgument(0)) * length;
  Value last = integer(builder, location, live.extent() - size);
  Value base = apply<MinimumOp>(from, from.with(last));
  Chunker chunker(builder, around, base, live.extent(), size);
  Value elements = elementsOf(chunker, live, from);
  SmallVector<int64_t> axes{0};
  if (auto reduce = dyn_cast<ReduceOp>(live.op))
    axes.assign(reduce.getAxes().begin(), reduce.getAxes().end());
  Value part = ReduceOp::create(builder, location, live.kind, elements, axes);
  Value sum = combine(builder, location, live.kind, body.getArgument(1), part);
  YieldOp::create(builder, location, sum);

  builder.setInsertionPointAfter(loop);
  Value result = loop->getResult(0);
  if (live.outside) {
    Value isAll =
        (upper - lower)
            .compare(Comparison::GE,
                     one.with(integer(builder, location, live.extent())));
    Value identity = constantOf(builder, location, live.identity);
    Value rest =
        SelectOp::create(builder, location, isAll, identity, live.outside);
    result = combine(builder, location, live.kind, result, rest);
  }
  live.op->getResult(0).replaceAllUsesWith(result);
  live.op->erase();
}

namespace {
struct ChunkReductions
    : public ingot::impl::ChunkReductionsBase<ChunkReductions> {
  using ChunkReductionsBase::ChunkReductionsBase;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (isa<ReduceOp, DotGeneralOp>(op) &&
          op->getParentOfType<LoopLikeOpInterface>())
        found.push_back(op);
    });
    for (Operation *op : found)
      chunk(op);
    // Remove operations that only the replaced reductions used.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

  void chunk(Operation *op) {
    auto operand = typeOf(op->getOperand(0));
    int64_t most = 0;
    for (int64_t extent : operand.getShape())
      most = std::max(most, extent);
    if (operand.getRank() == 0 || operand.getNumElements() == 0)
      return;
    int64_t rest = operand.getNumElements() / most;
    int64_t length = std::max<int64_t>(size / rest, 1);
    if (most < leastChunks * length)
      return;
    std::optional<Live> live = isa<ReduceOp>(op)
                                   ? liveReduction(cast<ReduceOp>(op))
                                   : liveProduct(cast<DotGeneralOp>(op));
    if (live && live->extent() == most)
      emitChunks(*live, length);
  }
};
} // namespace
