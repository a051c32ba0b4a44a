//===- Context.cpp - One MLIR context and its errors ----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ingot;

Context::Context() : mlir(MLIRContext::Threading::DISABLED) {
  // Notes are hints for users, who are not shown operations.
  mlir.printOpOnDiagnostic(false);
  DialectRegistry registry;
  registerDialects(registry);
  mlir.appendDialectRegistry(registry);
  mlir.loadAllAvailableDialects();
}

std::shared_ptr<Context> Context::acquire() {
  // Protected by the GIL.
  static Context *spare = nullptr;
  static constexpr unsigned mostUses = 16;
  Context *context = spare ? std::exchange(spare, nullptr) : new Context;
  ++context->uses;
  return std::shared_ptr<Context>(context, [](Context *context) {
    if (spare || context->uses == mostUses)
      delete context;
    else
      spare = context;
  });
}

std::unique_ptr<PassManager> Context::makePasses(StringRef pipeline) {
  ErrorCollector errors(&mlir);
  auto manager = std::make_unique<PassManager>(&mlir);
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (failed(parsePassPipeline(pipeline, *manager, stream))) {
    // Some messages come after a position.
    auto [message, after] =
        StringRef(problem).split('\n').first.split("error: ");
    errors.raise(("wrong pass pipeline " + pipeline + ": " +
                  (after.empty() ? message : after))
                     .str());
  }
  // No verification here: tests verify after every pass with ingot-opt, and
  // jaxlib verifies the result.
  manager->enableVerifier(false);
  return manager;
}

PassManager &Context::passesOf(StringRef pipeline) {
  auto found = kept.find(pipeline);
  if (found == kept.end())
    found = kept.try_emplace(pipeline, makePasses(pipeline)).first;
  return *found->second;
}

Problem ingot::problemAt(Location location, std::string message) {
  Problem problem{std::move(message), {}};
  if (FileLineColRange range = findRange(location)) {
    problem.filename = range.getFilename().str();
    problem.line = range.getStartLine();
    problem.column = range.getStartColumn();
    problem.endLine = range.getEndLine();
    problem.endColumn = range.getEndColumn();
  }
  return problem;
}

ErrorCollector::ErrorCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (hasProblem || diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        hasProblem = true;
        problem = problemAt(diagnostic.getLocation(), diagnostic.str());
        for (Diagnostic &note : diagnostic.getNotes())
          problem.hint = note.str();
        return success();
      }) {}

void ErrorCollector::raise(StringRef fallback) {
  if (!hasProblem)
    problem.message = fallback.str();
  hasProblem = false;
  throw DiagnosticError{std::exchange(problem, Problem())};
}

Type ingot::elementTypeOf(unsigned code, MLIRContext *context) {
  Builder b(context);
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (code) {
  case 0:
    return b.getI1Type();
  case 1:
    return b.getIntegerType(8);
  case 2:
    return b.getIntegerType(16);
  case 3:
    return b.getIntegerType(32);
  case 4:
    return b.getIntegerType(64);
  case 5:
    return unsignedType(8);
  case 6:
    return unsignedType(16);
  case 7:
    return unsignedType(32);
  case 8:
    return unsignedType(64);
  case 9:
    return b.getF16Type();
  case 10:
    return b.getF32Type();
  case 11:
    return b.getF64Type();
  case 12:
    return ComplexType::get(b.getF32Type());
  case 13:
    return ComplexType::get(b.getF64Type());
  default:
    throw DiagnosticError{{"unknown element type", "", 0, 0, 0, 0, ""}};
  }
}

/// The index of a type among those of its kind, from log2 of its width.
static unsigned widthIndex(unsigned width) { return llvm::Log2_32(width / 8); }

unsigned ingot::codeOf(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    if (integer.getWidth() == 1)
      return 0;
    return (integer.isUnsigned() ? 5 : 1) + widthIndex(integer.getWidth());
  }
  if (auto floating = dyn_cast<FloatType>(element))
    return 8 + widthIndex(floating.getWidth());
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType().isF32() ? 12 : 13;
  throw DiagnosticError{
      {"element type without a NumPy dtype", "", 0, 0, 0, 0, ""}};
}
