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

namespace ingot {

/// A module that owns its context.
struct ModuleHolder {
  std::shared_ptr<Context> context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

/// Emits one function into a new module, operation by operation.
///
/// Regions are emitted before the operation that holds them: `beginRegion`
/// makes one and moves there, `endRegion` comes back, and creating an operation
/// takes the last regions off the stack. `rollback` throws away what was begun
/// since.
class FunctionBuilder {
public:
  FunctionBuilder(llvm::StringRef name);
  ~FunctionBuilder();

  void setFile(llvm::StringRef filename);
  void setLocation(unsigned line, unsigned column, unsigned endLine,
                   unsigned endColumn);

  mlir::Value addArgument(mlir::Type type);
  mlir::Value constant(mlir::DenseElementsAttr value);
  mlir::Value convert(mlir::Value value, mlir::Type element);

  /// Creates an operation whose results are inferred where `types` is empty.
  mlir::ResultRange create(llvm::StringRef name, mlir::ValueRange operands,
                           mlir::NamedAttrList attributes,
                           mlir::TypeRange types, unsigned regions);

  void beginRegion(mlir::TypeRange arguments);
  mlir::Value regionArgument(unsigned index);
  /// Leaves a region open; `enterRegion` goes back to the end of the one that
  /// was begun `age` regions before the last.
  void leaveRegion();
  void enterRegion(size_t age);
  /// Moves the last region's operations to the place where it was begun.
  void inlineRegion();
  void endRegion(llvm::StringRef terminator, mlir::ValueRange values);
  /// Takes the last region, which has ended, off the stack; gives its number.
  size_t keepRegion();
  /// Copies a kept region to here, with values for its arguments: effects, and
  /// what some of the values that it yields are computed from; gives these.
  llvm::SmallVector<mlir::Value> copyKept(size_t number,
                                          mlir::ValueRange arguments,
                                          llvm::ArrayRef<unsigned> wanted);
  /// Whether two values are the same by the way they are computed.
  bool same(mlir::Value lhs, mlir::Value rhs);

  std::pair<size_t, size_t> mark() const;
  void rollback(std::pair<size_t, size_t> mark);

  /// Ends the function; the builder is empty from then on.
  ModuleHolder finish(mlir::ValueRange results);

  mlir::MLIRContext *context() { return &holder.context->mlir; }
  mlir::Attribute parseAttribute(llvm::StringRef text);

private:
  void dropRegions(size_t keep);
  void dropKept();
  /// Frees what was given up; throws where what was not uses its values.
  void freeDropped();

  ModuleHolder holder;
  mlir::OpBuilder builder;
  mlir::func::FuncOp function;
  mlir::StringAttr filename;
  mlir::Location location;
  std::vector<std::unique_ptr<mlir::Region>> regions;
  /// Code that is evaluated once, and copied to several places.
  std::vector<std::unique_ptr<mlir::Region>> kept;
  /// Regions that were given up, kept so that no value that Python refers to
  /// dies while there may be a use of it.
  std::vector<std::unique_ptr<mlir::Region>> dropped;
  std::vector<mlir::OpBuilder::InsertPoint> places;
  llvm::StringMap<mlir::Attribute> parsed;
  /// One for the builder's life: making one costs as much as an operation.
  std::optional<ErrorCollector> errors;
};

} // namespace ingot

#endif // INGOT_FRONTEND_BINDINGS_BUILDER_H
