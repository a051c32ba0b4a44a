//===- Loops.cpp - Loops over elements ------------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace ingot;

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

namespace {
/// Elements in the body of a nest of `scf.for`.
class ElementsInLoops : public Elements {
public:
  ElementsInLoops(const InlinePlan &plan, const IRMapping &values,
                  Scalars &scalars, ArrayRef<Value> indices)
      : Elements(plan, values, scalars), indices(indices) {}
  Value indexOf(int64_t loop) override { return indices[loop]; }

private:
  ArrayRef<Value> indices;
};
} // namespace

std::unique_ptr<Elements> Loops::elementsAt(ArrayRef<Value> indices) {
  return std::make_unique<ElementsInLoops>(plan, values, scalars, indices);
}

SmallVector<Loop> ingot::loopsOver(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(shape, [](int64_t size) { return Loop{size}; });
}

std::pair<Value, Value> Loops::boundsOf(const Loop &loop) {
  Value begin = scalars.index(0), end = scalars.index(loop.size);
  if (loop.least)
    begin = scalars.emit<arith::MaxSIOp>(begin, loop.least);
  if (loop.most)
    end = scalars.emit<arith::MinSIOp>(end, loop.most);
  return {begin, end};
}

SmallVector<Value> Loops::nest(ArrayRef<Loop> loops, ValueRange inits,
                               MutableArrayRef<Value> indices, StepOf step) {
  if (loops.empty())
    return step(inits);
  const Loop &first = loops[0];
  if (first.size == 1)
    return nest(loops.drop_front(), inits, indices.drop_front(), step);
  auto [begin, end] = boundsOf(first);
  auto loop =
      scf::ForOp::create(b, location, begin, end, scalars.index(1), inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  indices[0] = loop.getInductionVar();
  SmallVector<Value> results = nest(
      loops.drop_front(), loop.getRegionIterArgs(), indices.drop_front(), step);
  scf::YieldOp::create(b, location, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

namespace {
/// Elements in the body of a `linalg.generic`. What it reads at the indices of
/// its loops becomes an input.
class ElementsInGeneric : public Elements {
public:
  ElementsInGeneric(const InlinePlan &plan, const IRMapping &values,
                    Scalars &scalars, mlir::Location location, Block &block,
                    Value same, AffineMap written, ArrayRef<int64_t> dimensions,
                    ArrayRef<OpFoldResult> starts)
      : Elements(plan, values, scalars), location(location), block(block),
        same(same), written(written), dimensions(dimensions), starts(starts) {}

  /// It is found in the outermost region only.
  Value indexOf(int64_t loop) override {
    OpBuilder builder(written.getContext());
    builder.setInsertionPointToStart(&block);
    int64_t dimension = dimensions[loop];
    Value index = linalg::IndexOp::create(builder, location, dimension);
    auto start = dyn_cast<Value>(starts[dimension]);
    return start ? arith::AddIOp::create(builder, location, index, start)
                 : index;
  }

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;

protected:
  Value read(Value tensor, RankedTensorType type,
             const Position &position) override;

private:
  mlir::Location location;
  Block &block;
  Value same;
  AffineMap written;
  ArrayRef<int64_t> dimensions;
  ArrayRef<OpFoldResult> starts;
};
} // namespace

Value ElementsInGeneric::read(Value tensor, RankedTensorType type,
                              const Position &position) {
  SmallVector<AffineExpr> exprs;
  MLIRContext *context = tensor.getContext();
  for (int64_t axis : wideAxes(type)) {
    if (position[axis].index)
      return Elements::read(tensor, type, position);
    exprs.push_back(getAffineDimExpr(dimensions[position[axis].loop], context));
  }
  AffineMap map = AffineMap::get(written.getNumDims(), 0, exprs, context);
  if (tensor == same && map == written)
    return block.getArguments().back();
  for (auto [i, input] : llvm::enumerate(inputs))
    if (input == tensor && maps[i] == map)
      return block.getArgument(i);
  inputs.push_back(tensor);
  maps.push_back(map);
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  return block.insertArgument(inputs.size() - 1, element, tensor.getLoc());
}

std::pair<OpFoldResult, OpFoldResult> Loops::rangeOf(const Loop &loop) {
  if (!loop.least && !loop.most)
    return {b.getIndexAttr(0), b.getIndexAttr(loop.size)};
  auto [begin, end] = boundsOf(loop);
  Value start = scalars.emit<arith::MinSIOp>(begin, scalars.index(loop.size));
  Value length = scalars.emit<arith::MaxSIOp>(
      scalars.index(0), scalars.emit<arith::SubIOp>(end, start));
  return {start, length};
}

Value Loops::generic(ArrayRef<Loop> loops, Value destination, Value same,
                     function_ref<Value(Elements &, Value)> element) {
  SmallVector<int64_t> dimensions;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> kept;
  // Loops that have limits run over a part of each array.
  bool isPart = false;
  SmallVector<OpFoldResult> starts, lengths;
  for (const Loop &loop : loops) {
    dimensions.push_back(iterators.size());
    if (loop.size == 1)
      continue;
    auto [start, length] = rangeOf(loop);
    starts.push_back(start);
    lengths.push_back(length);
    isPart |= isa<Value>(length);
    if (!loop.isReduced)
      kept.push_back(b.getAffineDimExpr(iterators.size()));
    iterators.push_back(loop.isReduced ? utils::IteratorType::reduction
                                       : utils::IteratorType::parallel);
  }
  auto written = AffineMap::get(iterators.size(), 0, kept, b.getContext());

  auto block = std::make_unique<Block>();
  Type stored = cast<RankedTensorType>(destination.getType()).getElementType();
  Value old = block->addArgument(stored, location);
  ElementsInGeneric elements(plan, values, scalars, location, *block, same,
                             written, dimensions, starts);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(block.get());
    linalg::YieldOp::create(b, location, element(elements, old));
  }
  // The extent of each loop must follow from an operand's shape, so a loop that
  // nothing is read along has an input of its own.
  SmallVector<AffineMap> writes{written};
  llvm::SmallBitVector known(iterators.size());
  for (AffineMap map : llvm::concat<AffineMap>(elements.maps, writes))
    for (AffineExpr expr : map.getResults())
      known.set(cast<AffineDimExpr>(expr).getPosition());
  for (auto [loop, dimension] : llvm::zip_equal(loops, dimensions)) {
    if (loop.size == 1 || known[dimension])
      continue;
    auto type = RankedTensorType::get(loop.size, b.getI8Type());
    elements.inputs.push_back(
        bufferization::AllocTensorOp::create(b, location, type, ValueRange()));
    elements.maps.push_back(AffineMap::get(
        iterators.size(), 0, b.getAffineDimExpr(dimension), b.getContext()));
    block->insertArgument(elements.inputs.size() - 1, b.getI8Type(), location);
  }
  SmallVector<AffineMap> maps(elements.maps);
  maps.push_back(written);
  auto along = [](AffineMap map, ArrayRef<OpFoldResult> ofDimensions) {
    return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
      return ofDimensions[cast<AffineDimExpr>(expr).getPosition()];
    });
  };
  auto partOf = [&](Value array, AffineMap map) -> Value {
    SmallVector<OpFoldResult> sizes = along(map, lengths);
    // A slice of padding is read in the padded array, which may be longer.
    if (!isPart && tensor::getMixedSizes(b, location, array) == sizes)
      return array;
    SmallVector<OpFoldResult> ones(map.getNumResults(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, location, array,
                                          along(map, starts), sizes, ones);
  };
  for (auto [input, map] : llvm::zip_equal(elements.inputs, elements.maps))
    input = partOf(input, map);
  Value target = partOf(destination, written);
  auto op = linalg::GenericOp::create(b, location, target.getType(),
                                      elements.inputs, target, maps, iterators);
  op.getRegion().push_back(block.release());
  if (!isPart)
    return op.getResult(0);
  SmallVector<OpFoldResult> ones(written.getNumResults(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, location, op.getResult(0),
                                       destination, along(written, starts),
                                       along(written, lengths), ones);
}

Value Loops::fill(ArrayRef<Loop> loops, RankedTensorType type,
                  Value destination, Value same, ElementOf element) {
  return generic(loops, destination, same, [&](Elements &elements, Value) {
    return scalars.store(element(elements), type.getElementType());
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The type in which a sum of a row is accumulated: NumPy sums pairwise, which
/// loses less than a running sum of f32.
static Type accumulated(ReduceKind kind, Type element) {
  bool isLossy = kind == ReduceKind::Add && element.isF32();
  return isLossy ? Float64Type::get(element.getContext()) : element;
}

/// Adds to the elements of an array, by loops that run over a part of it.
Value Loops::accumulate(ArrayRef<Loop> loops, Type of, Value init,
                        ReduceKind kind, ElementOf element) {
  SmallVector<Value> indices(loops.size());
  return nest(loops, init, indices, [&](ValueRange carried) {
    SmallVector<Value> places;
    for (auto [loop, index] : llvm::zip_equal(loops, indices))
      if (!loop.isReduced && loop.size != 1)
        places.push_back(index);
    Value old =
        scalars.load(scalars.emit<tensor::ExtractOp>(carried[0], places), of);
    Value next = element(*elementsAt(indices));
    Value sum = scalars.store(scalars.combine(kind, of, old, next), of);
    return SmallVector<Value>{
        scalars.emit<tensor::InsertOp>(sum, carried[0], places)};
  })[0];
}

Value Loops::reduce(ArrayRef<Loop> loops, RankedTensorType type,
                    Value destination, ReduceKind kind, ElementOf element) {
  Type of = type.getElementType();
  SmallVector<Loop> wide = llvm::filter_to_vector(
      loops, [](const Loop &loop) { return loop.size != 1; });
  // Next to an inner loop over the result, its elements are combined side by
  // side, in memory.
  if (!wide.empty() && !wide.back().isReduced) {
    Value neutral = scalars.store(scalars.identity(kind, of), of);
    Value init =
        linalg::FillOp::create(b, location, neutral, destination).getResult(0);
    if (llvm::any_of(loops,
                     [](const Loop &loop) { return loop.least || loop.most; }))
      return accumulate(loops, of, init, kind, element);
    return generic(loops, init, {}, [&](Elements &elements, Value old) {
      Value next = element(elements);
      return scalars.store(
          scalars.combine(kind, of, scalars.load(old, of), next), of);
    });
  }

  SmallVector<Loop> outer, inner;
  SmallVector<int64_t> order(loops.size());
  for (const Loop &loop : loops)
    (loop.isReduced ? inner : outer).push_back(loop);
  // The reduced loops run inside of the others: `found` has the indices in the
  // order of the nest, `indices` in that of `loops`.
  SmallVector<Value> found(loops.size()), indices(loops.size());
  int64_t nextOuter = 0, nextInner = outer.size();
  for (auto [i, loop] : llvm::enumerate(loops))
    order[i] = loop.isReduced ? nextInner++ : nextOuter++;
  MutableArrayRef<Value> outerIndices =
                             MutableArrayRef(found).take_front(outer.size()),
                         innerIndices =
                             MutableArrayRef(found).drop_front(outer.size());
  Type sums = accumulated(kind, of);
  auto combined = [&]() -> Value {
    Value init = scalars.identity(kind, sums);
    Value sum = nest(inner, init, innerIndices, [&](ValueRange carried) {
      for (auto [i, place] : llvm::enumerate(order))
        indices[i] = found[place];
      Value next = scalars.convert(element(*elementsAt(indices)), of, sums);
      return SmallVector<Value>{scalars.combine(kind, sums, carried[0], next)};
    })[0];
    return scalars.convert(sum, sums, of);
  };
  if (isScalar(type))
    return combined();
  Value made = nest(outer, destination, outerIndices, [&](ValueRange carried) {
    Value sum = scalars.store(combined(), of);
    SmallVector<Value> places;
    for (auto [loop, index] : llvm::zip_equal(outer, outerIndices))
      if (loop.size != 1)
        places.push_back(index);
    return SmallVector<Value>{
        tensor::InsertOp::create(b, location, sum, carried[0], places)};
  })[0];
  // Each iteration stores elements of its own to one array.
  made.getDefiningOp()->setAttr("ingot.parallel", b.getI64IntegerAttr(1));
  return made;
}
