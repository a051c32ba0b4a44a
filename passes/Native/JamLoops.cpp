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
#include "llvm/ADT/MapVector.h"

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

/// A loop of which the body has other loops, one after the other, with nothing
/// but scalar operations, loads and stores.
struct Nest {
  scf::ForOp outer;
  SmallVector<scf::ForOp> inner;
};

bool isSimple(Operation &op) {
  return isa<memref::LoadOp, memref::StoreOp>(op) ||
         (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
}

std::optional<Nest> nestOf(scf::ForOp outer) {
  Nest nest{outer, {}};
  if (outer.getNumResults() > 0)
    return std::nullopt;
  for (Operation &op : *outer.getBody()) {
    if (isSimple(op))
      continue;
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || loop.getBody()->getOperations().size() > mostOperations ||
        !llvm::all_of(*loop.getBody(), isSimple))
      return std::nullopt;
    nest.inner.push_back(loop);
  }
  return nest.inner.empty() ? std::nullopt : std::optional(nest);
}

/// The values of a nest that differ between iterations of the outer loop.
llvm::DenseSet<Value> valuesOf(Nest &nest) {
  llvm::DenseSet<Value> found{nest.outer.getInductionVar()};
  auto add = [&](Operation &op) {
    if (llvm::any_of(op.getOperands(),
                     [&](Value each) { return found.contains(each); }))
      found.insert_range(op.getResults());
  };
  for (Operation &op : *nest.outer.getBody()) {
    add(op);
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      continue;
    found.insert_range(loop.getRegionIterArgs());
    for (Operation &each : *loop.getBody())
      add(each);
    found.insert_range(loop.getResults());
  }
  return found;
}

/// Whether no load and store of an element changes places with another store.
bool keepsOrder(Nest &nest) {
  SmallVector<memref::LoadOp> loads;
  // The only store to each buffer.
  llvm::MapVector<Value, memref::StoreOp> stores;
  nest.outer.walk([&](memref::LoadOp each) { loads.push_back(each); });
  WalkResult result = nest.outer.walk([&](memref::StoreOp each) {
    Value target = bufferOf(each.getMemRef());
    return isDistinct(target) && stores.try_emplace(target, each).second
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  if (result.wasInterrupted() || stores.empty())
    return false;
  llvm::DenseSet<Value> loaded;
  for (memref::LoadOp load : loads) {
    Value buffer = bufferOf(load.getMemRef());
    if (!isDistinct(buffer))
      return false;
    memref::StoreOp store = stores.lookup(buffer);
    if (!store)
      continue;
    loaded.insert(buffer);
    if (load.getMemRef() != store.getMemRef() ||
        !llvm::equal(load.getIndices(), store.getIndices()) ||
        load->getBlock() != store->getBlock())
      return false;
  }
  // Either each iteration of the outer loop has elements of its own, or those
  // that have the same element come to it one after the other.
  return llvm::all_of(stores, [&](auto &each) {
    auto [target, store] = each;
    auto has = [&, store = store](scf::ForOp loop) mutable {
      return llvm::is_contained(store.getIndices(), loop.getInductionVar());
    };
    auto loop = cast<scf::ForOp>(store->getParentOp());
    bool isInside = loop != nest.outer;
    return has(nest.outer) || (isInside ? has(loop) : !loaded.contains(target));
  });
}

/// Whether an inner loop loads what the next iteration of the outer one loads,
/// too.
bool hasReuse(Nest &nest, const llvm::DenseSet<Value> &varying) {
  auto isShared = [&](memref::LoadOp load) {
    return llvm::none_of(load->getOperands(),
                         [&](Value v) { return varying.contains(v); });
  };
  return llvm::any_of(nest.inner, [&](scf::ForOp loop) {
    return llvm::any_of(loop.getBody()->getOps<memref::LoadOp>(), isShared);
  });
}

/// Copies a range of a block's operations `factor` times, side by side.
void copy(OpBuilder &builder, Block::iterator begin, Block::iterator end,
          MutableArrayRef<IRMapping> maps) {
  for (IRMapping &map : maps)
    for (Operation &op : llvm::make_range(begin, end))
      builder.clone(op, map);
}

/// Makes one loop of copies of an inner loop. The bounds are the same in all.
void jamInner(OpBuilder &b, scf::ForOp loop, MutableArrayRef<IRMapping> maps) {
  Location location = loop.getLoc();
  SmallVector<Value> inits;
  for (IRMapping &map : maps)
    for (Value init : loop.getInits())
      inits.push_back(map.lookupOrDefault(init));
  auto inBody = [&](Value value) { return maps[0].lookupOrDefault(value); };
  auto made = scf::ForOp::create(b, location, inBody(loop.getLowerBound()),
                                 inBody(loop.getUpperBound()),
                                 inBody(loop.getStep()), inits);
  OpBuilder::InsertionGuard guard(b);
  if (inits.empty())
    made.getBody()->getTerminator()->erase();
  b.setInsertionPointToEnd(made.getBody());
  size_t count = loop.getInits().size();
  for (auto [i, map] : llvm::enumerate(maps)) {
    map.map(loop.getInductionVar(), made.getInductionVar());
    map.map(loop.getRegionIterArgs(),
            made.getRegionIterArgs().slice(i * count, count));
    map.map(loop.getResults(), made.getResults().slice(i * count, count));
  }
  Block &old = *loop.getBody();
  copy(b, old.begin(), old.getTerminator()->getIterator(), maps);
  SmallVector<Value> yielded;
  for (IRMapping &map : maps)
    for (Value each : old.getTerminator()->getOperands())
      yielded.push_back(map.lookupOrDefault(each));
  scf::YieldOp::create(b, location, yielded);
}

/// Makes each iteration of the outer loop do what `factor` iterations did.
void jam(Nest &nest) {
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
  Block::iterator from = body.begin();
  for (scf::ForOp inner : nest.inner) {
    copy(b, from, inner->getIterator(), maps);
    jamInner(b, inner, maps);
    from = std::next(inner->getIterator());
  }
  copy(b, from, body.getTerminator()->getIterator(), maps);
  // The iterations that are left.
  nest.outer.setLowerBound(middle);
}

struct JamLoops : ingot::impl::JamLoopsBase<JamLoops> {
  void runOnOperation() override {
    SmallVector<Nest> nests;
    getOperation().walk([&](scf::ForOp outer) {
      std::optional<Nest> nest = nestOf(outer);
      if (nest && isWorthwhile(*nest))
        nests.push_back(*nest);
    });
    for (Nest &nest : nests)
      jam(nest);
  }

private:
  static bool isWorthwhile(Nest &nest) {
    std::optional<llvm::APInt> length = nest.outer.getStaticTripCount();
    if (getConstantIntValue(nest.outer.getStep()) != 1 ||
        (length && length->getSExtValue() < 2 * factor) || !keepsOrder(nest))
      return false;
    llvm::DenseSet<Value> varying = valuesOf(nest);
    bool areRectangular = llvm::all_of(nest.inner, [&](scf::ForOp loop) {
      return llvm::none_of(loop->getOperands().take_front(3), [&](Value bound) {
        return varying.contains(bound);
      });
    });
    return areRectangular && hasReuse(nest, varying);
  }
};

} // namespace
