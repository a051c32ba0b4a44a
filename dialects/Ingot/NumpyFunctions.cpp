//===- NumpyFunctions.cpp - Functions of np.linalg ------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ingot/NumpyFunctions.h"

#include "Ingot/Inference.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace ingot;

/// See NumPy's numpy/linalg/umath_linalg.cpp.
static constexpr NumpyFunction functions[] = {
    {"cholesky_lo", "mm>mm", "t", true},
    {"det", "mm>", "t"},
    {"eig", "mm>m,mm", "cc", true},
    {"eigh_lo", "mm>m,mm", "rt", true},
    {"eigh_up", "mm>m,mm", "rt", true},
    {"eigvals", "mm>m", "c", true},
    {"eigvalsh_lo", "mm>m", "r", true},
    {"eigvalsh_up", "mm>m", "r", true},
    {"inv", "mm>mm", "t", true},
    {"lstsq", "mn,mr,>nr,r,,p", "trir", true},
    {"slogdet", "mm>,", "tr"},
    {"solve", "mm,mn>mn", "t", true},
    {"svd", "mn>p", "r", true},
    {"svd_f", "mn>mm,p,nn", "trt", true},
    {"svd_s", "mn>mp,p,pn", "trt", true},
};

/// See NumPy's numpy/fft/_pocketfft_umath.cpp. The second operand is a factor.
static constexpr NumpyFunction transforms[] = {
    {"fft", "n,>m", "t"},        {"ifft", "n,>m", "t"},
    {"irfft", "n,>m", "r"},      {"rfft_n_even", "n,>m", "c"},
    {"rfft_n_odd", "n,>m", "c"},
};

static const NumpyFunction *findIn(ArrayRef<NumpyFunction> table,
                                   StringRef name) {
  auto found = llvm::find_if(
      table, [&](const NumpyFunction &each) { return each.name == name; });
  return found == table.end() ? nullptr : found;
}

const NumpyFunction *NumpyFunction::find(StringRef name) {
  return findIn(functions, name);
}

const NumpyFunction *NumpyFunction::findTransform(StringRef name) {
  return findIn(transforms, name);
}

static SmallVector<StringRef> coresIn(StringRef side) {
  SmallVector<StringRef> found;
  side.split(found, ',');
  return found;
}

SmallVector<StringRef> NumpyFunction::operandCores() const {
  return coresIn(signature.split('>').first);
}

SmallVector<StringRef> NumpyFunction::resultCores() const {
  return coresIn(signature.split('>').second);
}

SmallVector<StringRef> NumpyFunction::cores() const {
  SmallVector<StringRef> found = operandCores();
  llvm::append_range(found, resultCores());
  return found;
}

SmallVector<char> NumpyFunction::dimensions() const {
  SmallVector<char> found;
  for (char letter : signature)
    if (llvm::isAlpha(letter) && !llvm::is_contained(found, letter))
      found.push_back(letter);
  return found;
}

FailureOr<SmallVector<Type>>
ingot::resultTypesOf(const NumpyFunction &function, TypeRange operands,
                     llvm::function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<StringRef> cores = function.operandCores();
  if (operands.size() != cores.size())
    return emitError() << "`" << function.name << "` takes " << cores.size()
                       << " operands, not " << operands.size();
  auto first = cast<RankedTensorType>(operands.front());
  Type element = first.getElementType();
  ArrayRef<int64_t> batch =
      first.getShape().drop_back(std::min<int64_t>(2, first.getRank()));
  std::map<char, int64_t> sizes;
  for (auto [core, operand] : llvm::zip_equal(cores, operands)) {
    auto type = cast<RankedTensorType>(operand);
    ArrayRef<int64_t> shape = type.getShape();
    bool fits = type.getElementType() == element &&
                shape.size() == batch.size() + core.size() &&
                shape.take_front(batch.size()) == batch;
    for (size_t i = 0; fits && i < core.size(); ++i) {
      int64_t size = shape[batch.size() + i];
      fits = sizes.try_emplace(core[i], size).first->second == size;
    }
    if (!fits)
      return emitError() << "operands of types " << operands
                         << " are no stacks of (" << core << ") for `"
                         << function.name << "`, whose signature is "
                         << function.signature;
  }
  sizes['p'] = std::min(sizes['m'], sizes['n']);

  auto typeOfCore = [&](StringRef core, Type of) -> Type {
    SmallVector<int64_t> shape(batch);
    for (char letter : core)
      shape.push_back(sizes[letter]);
    return RankedTensorType::get(shape, of);
  };
  Type real = realOf(element), complex = ComplexType::get(real),
       integer = IntegerType::get(element.getContext(), 32);
  SmallVector<Type> results;
  for (auto [core, letter] :
       llvm::zip_equal(function.resultCores(), function.elements))
    results.push_back(typeOfCore(core, letter == 't'   ? element
                                       : letter == 'r' ? real
                                       : letter == 'c' ? complex
                                                       : integer));
  results.push_back(typeOfCore("", integer));
  return results;
}
