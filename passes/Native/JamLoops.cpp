//===- JamLoops.cpp - Inner loops of several iterations in one ------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativePasses.h"

#include "Memory.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ingot {
#define GEN_PASS_DEF_JAMLOOPS
#include "Native/Passes.h.inc"
} // namespace ingot

using namespace ingot;

namespace {

/// The iterations that become one. Threads cut ranges at multiples of it
/// (runtime/native/Threads.cpp), so how they do does not change how sums are
/// vectorised.
constexpr int64_t factor = 4;

/// The most operations of a body that is copied.
constexpr size_t mostOperations = 24;

/// A loop of which the body has one other loop, with nothing but scalar
/// operations, loads and stores.
struct Nest {
  scf::ForOp outer, inner;
};

bool isSimple(Operation &op) {
  return isa<memref::LoadOp, memref::StoreOp>(op) ||
         (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
}

std::optional<Nest> nestAround(scf::ForOp inner) {
  auto outer = dyn_cast<scf::ForOp>(inner->getParentOp());
  if (!outer || outer.getNumResults() > 0 ||
      inner.getBody()->getOperations().size() > mostOperations)
    return std::nullopt;
  for (Operation &op : *outer.getBody())
    if (&op != inner && !isSimple(op))
      return std::nullopt;
  if (!llvm::all_of(*inner.getBody(), isSimple))
    return std::nullopt;
  return Nest{outer, inner};
}

/// The values of a nest that differ between iterations of the outer loop.
llvm::DenseSet<Value> valuesOf(Nest nest) {
  llvm::DenseSet<Value> found{nest.outer.getInductionVar()};
  auto add = [&](Operation &op) {
    if (llvm::any_of(op.getOperands(),
                     [&](Value each) { return found.contains(each); }))
      found.insert_range(op.getResults());
  };
  for (Operation &op : *nest.outer.getBody()) {
    add(op);
    if (&op != nest.inner)
      continue;
    found.insert_range(nest.inner.getRegionIterArgs());
    for (Operation &each : *nest.inner.getBody())
      add(each);
  }
  return found;
}

/// Whether no load and store of an element changes places with another store.
bool keepsOrder(Nest nest) {
  SmallVector<memref::LoadOp> loads;
  SmallVector<memref::StoreOp> stores;
  nest.outer.walk([&](memref::LoadOp each) { loads.push_back(each); });
  nest.outer.walk([&](memref::StoreOp each) { stores.push_back(each); });
  if (stores.size() != 1)
    return false;
  memref::StoreOp store = stores.front();
  Value target = bufferOf(store.getMemRef());
  auto has = [&](scf::ForOp loop) {
    return llvm::is_contained(store.getIndices(), loop.getInductionVar());
  };
  bool isInside = store->getBlock() == nest.inner.getBody(), isLoaded = false;
  bool areOthers = llvm::all_of(loads, [&](memref::LoadOp load) {
    Value buffer = bufferOf(load.getMemRef());
    if (buffer != target)
      return isDistinct(buffer);
    isLoaded = true;
    return load.getMemRef() == store.getMemRef() &&
           llvm::equal(load.getIndices(), store.getIndices()) &&
           load->getBlock() == store->getBlock();
  });
  // Either each iteration of the outer loop has elements of its own, or those
  // that have the same element come to it one after the other.
  bool isSafe = has(nest.outer) || (isInside ? has(nest.inner) : !isLoaded);
  return isDistinct(target) && areOthers && isSafe;
}

/// Whether the inner loop loads what the next iteration of the outer one loads,
/// too.
bool hasReuse(Nest nest, const llvm::DenseSet<Value> &varying) {
  return llvm::any_of(
      nest.inner.getBody()->getOps<memref::LoadOp>(), [&](memref::LoadOp load) {
        return llvm::none_of(load->getOperands(),
                             [&](Value v) { return varying.contains(v); });
      });
}

/// Copies a range of a block's operations `factor` times, side by side.
void copy(OpBuilder &builder, Block::iterator begin, Block::iterator end,
          MutableArrayRef<IRMapping> maps) {
  for (IRMapping &map : maps)
    for (Operation &op : llvm::make_range(begin, end))
      builder.clone(op, map);
}

/// Makes each iteration of the outer loop do what `factor` iterations did.
void jam(Nest nest) {
  Location location = nest.outer.getLoc();
  OpBuilder b(nest.outer);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, location, value);
  };
  Value begin = nest.outer.getLowerBound(), end = nest.outer.getUpperBound();
  Value length = arith::MaxSIOp::create(
      b, location, number(0), arith::SubIOp::create(b, location, end, begin));
  Value most = arith::MulIOp::create(
      b, location, arith::DivUIOp::create(b, location, length, number(factor)),
      number(factor));
  Value middle = arith::AddIOp::create(b, location, begin, most);
  auto loop = scf::ForOp::create(b, location, begin, middle, number(factor));

  b.setInsertionPointToStart(loop.getBody());
  SmallVector<IRMapping> maps(factor);
  for (auto [i, map] : llvm::enumerate(maps))
    map.map(
        nest.outer.getInductionVar(),
        arith::AddIOp::create(b, location, loop.getInductionVar(), number(i)));
  Block &body = *nest.outer.getBody();
  copy(b, body.begin(), nest.inner->getIterator(), maps);
  SmallVector<Value> inits;
  for (IRMapping &map : maps)
    for (Value init : nest.inner.getInits())
      inits.push_back(map.lookupOrDefault(init));
  // The bounds are the same in all copies.
  auto inBody = [&](Value value) { return maps[0].lookupOrDefault(value); };
  auto inner = scf::ForOp::create(
      b, location, inBody(nest.inner.getLowerBound()),
      inBody(nest.inner.getUpperBound()), inBody(nest.inner.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *made = inner.getBody();
    if (inits.empty())
      made->getTerminator()->erase();
    b.setInsertionPointToEnd(made);
    size_t count = nest.inner.getInits().size();
    SmallVector<Value> yielded;
    for (auto [i, map] : llvm::enumerate(maps)) {
      map.map(nest.inner.getInductionVar(), inner.getInductionVar());
      map.map(nest.inner.getRegionIterArgs(),
              inner.getRegionIterArgs().slice(i * count, count));
      map.map(nest.inner.getResults(),
              inner.getResults().slice(i * count, count));
    }
    Block &old = *nest.inner.getBody();
    copy(b, old.begin(), old.getTerminator()->getIterator(), maps);
    for (IRMapping &map : maps)
      for (Value each : old.getTerminator()->getOperands())
        yielded.push_back(map.lookupOrDefault(each));
    scf::YieldOp::create(b, location, yielded);
  }
  copy(b, std::next(nest.inner->getIterator()),
       body.getTerminator()->getIterator(), maps);
  // The iterations that are left.
  nest.outer.setLowerBound(middle);
}

struct JamLoops : ingot::impl::JamLoopsBase<JamLoops> {
  void runOnOperation() override {
    SmallVector<Nest> nests;
    getOperation().walk([&](scf::ForOp inner) {
      std::optional<Nest> nest = nestAround(inner);
      if (nest && isWorthwhile(*nest))
        nests.push_back(*nest);
    });
    for (Nest nest : nests)
      jam(nest);
  }

private:
  static bool isWorthwhile(Nest nest) {
    std::optional<llvm::APInt> length = nest.outer.getStaticTripCount();
    if (getConstantIntValue(nest.outer.getStep()) != 1 ||
        (length && length->getSExtValue() < 2 * factor) || !keepsOrder(nest))
      return false;
    llvm::DenseSet<Value> varying = valuesOf(nest);
    bool isRectangular =
        llvm::none_of(nest.inner->getOperands().take_front(3),
                      [&](Value bound) { return varying.contains(bound); });
    return isRectangular && hasReuse(nest, varying);
  }
};

} // namespace
