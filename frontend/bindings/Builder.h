//===- Builder.h - Emits a function -----------------------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_FRONTEND_BINDINGS_BUILDER_H
#define INGOT_FRONTEND_BINDINGS_BUILDER_H

#include "Context.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <nanobind/nanobind.h>

namespace ingot {

/// A module that owns its context.
struct ModuleHolder {
  std::shared_ptr<Context> context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

/// Emits one function into a new module, operation by operation.
///
/// Regions are emitted before the operation that owns them. `beginRegion` makes
/// a region and moves the insertion point there, `endRegion` moves it back, and
/// creating an operation pops the last regions off the stack. `rollback`
/// discards the regions that were begun after a given state.
class FunctionBuilder {
public:
  FunctionBuilder(llvm::StringRef name);
  ~FunctionBuilder();

  void setFile(llvm::StringRef filename);
  /// Sets the location of the following operations to a node of Python's AST.
  void setLocation(nanobind::object node) { pending = std::move(node); }

  mlir::Value addArgument(mlir::Type type);
  mlir::Value constant(mlir::DenseElementsAttr value);
  mlir::Value convert(mlir::Value value, mlir::Type element);

  /// Creates an operation; its result types are inferred if `types` is empty.
  mlir::ResultRange create(llvm::StringRef name, mlir::ValueRange operands,
                           mlir::NamedAttrList attributes,
                           mlir::TypeRange types, unsigned regions);

  void beginRegion(mlir::TypeRange arguments);
  mlir::Value regionArgument(unsigned index);
  /// Moves the insertion point out of an open region; `enterRegion` moves it
  /// back to the end of the region that was begun `age` regions before the
  /// last.
  void leaveRegion();
  void enterRegion(size_t age);
  /// Moves the last region's operations to the insertion point before it began.
  void inlineRegion();
  void endRegion(llvm::StringRef terminator, mlir::ValueRange values);
  /// Pops the last region, which has ended, and returns its index.
  size_t keepRegion();
  /// Clones such a region to the insertion point, with values for its block
  /// arguments: its effects, and what the `wanted` ones of the values that it
  /// yields are computed from. Returns these.
  llvm::SmallVector<mlir::Value> copyKept(size_t number,
                                          mlir::ValueRange arguments,
                                          llvm::ArrayRef<unsigned> wanted);
  /// Returns the number of the insertion point, for `record`.
  size_t insertionPoint();
  /// Records the operations that were emitted since then, to be cloned by
  /// `replay`. Returns their number; none if they have regions or effects, or
  /// `results` depend on other values than `arguments`.
  std::optional<size_t> record(size_t start, mlir::ValueRange arguments,
                               mlir::ValueRange results);
  /// Clones recorded operations to the insertion point, with other values for
  /// the arguments. Returns what the results are then.
  llvm::SmallVector<mlir::Value> replay(size_t number,
                                        mlir::ValueRange arguments);
  /// Whether two values are equal because equal operations compute them.
  bool same(mlir::Value lhs, mlir::Value rhs);

  /// The numbers of open regions and places, and that of the insertion point.
  using Mark = std::tuple<size_t, size_t, size_t>;
  Mark mark();
  /// Discards the regions and operations since a mark.
  void rollback(const Mark &mark);
  /// How many operations were emitted, those of discarded regions too.
  size_t emitted() const { return counter.count; }

  /// Finishes the function; the builder is empty afterwards.
  ModuleHolder finish(mlir::ValueRange results);

  mlir::MLIRContext *context() { return &holder.context->mlir; }
  mlir::Attribute parseAttribute(llvm::StringRef text);

private:
  struct Counter : mlir::OpBuilder::Listener {
    void notifyOperationInserted(mlir::Operation *,
                                 mlir::OpBuilder::InsertPoint) override {
      ++count;
    }
    size_t count = 0;
  };
  /// The end of a block at some time: the block and its last operation then,
  /// null if it had none.
  using Position = std::pair<mlir::Block *, mlir::Operation *>;
  /// Operations are deleted with the module only, so these stay valid.
  struct Recorded {
    llvm::SmallVector<mlir::Value> arguments, results;
    llvm::SmallVector<mlir::Operation *> operations;
  };

  mlir::Location here();
  void dropRegions(size_t keep);
  void dropKept();
  /// Deletes discarded regions; throws if other code uses their values.
  void freeDropped();

  ModuleHolder holder;
  Counter counter;
  mlir::OpBuilder builder;
  mlir::func::FuncOp function;
  mlir::StringAttr filename;
  /// The location of new operations, if none is `pending`.
  mlir::Location location;
  /// The node of a location that no operation has had yet.
  nanobind::object pending;
  std::vector<std::unique_ptr<mlir::Region>> regions;
  std::vector<Position> positions;
  std::vector<Recorded> recorded;
  /// Regions that no operation will hold: discarded ones and those of discarded
  /// operations, which are kept alive since Python may still refer to their
  /// values, and those that are cloned.
  std::vector<std::unique_ptr<mlir::Region>> dropped;
  std::vector<mlir::OpBuilder::InsertPoint> places;
  llvm::StringMap<mlir::Attribute> parsed;
  /// Reused, since making one takes as long as creating an operation.
  std::optional<ErrorCollector> errors;
};

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_BUILDER_H
