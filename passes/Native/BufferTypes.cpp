//===- BufferTypes.cpp - Types of buffers, computed once ------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallSet.h"
#include <atomic>

using namespace mlir;
using namespace mlir::bufferization;

namespace {

using Concept = BufferizableOpInterface::Concept;
using BufferType = FailureOr<BufferLikeType>;
using Function = decltype(Concept::getBufferType);

/// The types that are known while one is computed. The IR stays as it is then.
///
/// A loop whose type is being computed ends the recursion by an assumption, so
/// what was computed below it holds until its own type is known. Such a type
/// depends on a position of the stack of values, that of the loop's value.
class KnownTypes {
public:
  /// The type of the value on top of the stack, of an operation of `op`.
  template <typename Compute>
  BufferType of(Operation *op, ArrayRef<Value> stack, Compute compute) {
    Value value = stack.back();
    unsigned position = stack.size() - 1;
    if (auto found = known.find(value); found != known.end()) {
      llvm::for_each(found->second.positions, [&](unsigned i) { note(i); });
      return found->second.type;
    }
    pending.push_back({position, {}});
    for (auto [i, each] : llvm::enumerate(stack.drop_back()))
      if (isOfLoop(each, op))
        note(i);
    BufferType type = compute();
    Positions positions = pending.pop_back_val().dependsOn;
    forget(position);
    if (pending.empty())
      known.clear();
    else
      known.try_emplace(value, Known{type, positions});
    return type;
  }

private:
  using Positions = llvm::SmallSet<unsigned, 4>;
  struct Known {
    BufferType type;
    Positions positions;
  };
  struct Pending {
    unsigned position;
    Positions dependsOn;
  };

  /// Whether the value is carried by the loop, or one of its results.
  static bool isOfLoop(Value value, Operation *loop) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner()->getParentOp() == loop;
    return value.getDefiningOp() == loop;
  }

  /// Notes that the types computed above a position depend on it.
  void note(unsigned position) {
    for (Pending &each : llvm::reverse(pending)) {
      if (each.position <= position)
        return;
      each.dependsOn.insert(position);
    }
  }

  /// Forgets what depends on the value at a position, whose type is known now.
  void forget(unsigned position) {
    llvm::SmallVector<Value> dependent;
    for (auto &[value, entry] : known)
      if (entry.positions.contains(position))
        dependent.push_back(value);
    for (Value each : dependent)
      known.erase(each);
  }

  llvm::DenseMap<Value, Known> known;
  /// The types that are being computed, and the positions that they depend on.
  llvm::SmallVector<Pending> pending;
};

KnownTypes &knownTypes() {
  thread_local KnownTypes types;
  return types;
}

/// Replaces the function of one kind of operation.
template <typename Op> struct Once {
  static inline std::atomic<Function> original;

  static BufferType getBufferType(const Concept *concept_, Operation *op,
                                  Value value,
                                  const BufferizationOptions &options,
                                  const BufferizationState &state,
                                  SmallVector<Value> &stack) {
    return knownTypes().of(op, stack, [&] {
      return original.load()(concept_, op, value, options, state, stack);
    });
  }

  static void install(MLIRContext *context) {
    OperationName name(Op::getOperationName(), context);
    auto *model = name.getInterface<BufferizableOpInterface>();
    if (model->getBufferType == getBufferType)
      return;
    original = model->getBufferType;
    model->getBufferType = getBufferType;
  }
};

} // namespace

void ingot::registerBufferTypesOnce(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    Once<scf::ForOp>::install(context);
    Once<scf::IfOp>::install(context);
    Once<scf::WhileOp>::install(context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    Once<arith::SelectOp>::install(context);
  });
}
