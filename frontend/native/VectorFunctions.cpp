//===- VectorFunctions.cpp - libmvec --------------------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's own table has a few functions of 128 and 256 bits, and takes these
// for granted. This one has what the library has that kernels will load.
//
//===----------------------------------------------------------------------===//

#include "VectorFunctions.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/TargetParser/Host.h"

#include <dlfcn.h>
#include <vector>

using namespace llvm;

namespace {

/// Vectors of the ABI of vector functions, and the feature of processors that
/// have them.
struct Width {
  char letter;
  unsigned bits;
  const char *feature;
};

constexpr Width widths[] = {{'b', 128, "sse2"},
                            {'n', 128, "neon"},
                            {'d', 256, "avx2"},
                            {'e', 512, "avx512f"}};

constexpr const char *unary[] = {
    "acos",  "acosh", "asin", "asinh", "atan", "atanh", "cbrt",  "cos",
    "cosh",  "erf",   "erfc", "exp",   "exp2", "exp10", "expm1", "log",
    "log10", "log1p", "log2", "sin",   "sinh", "tan",   "tanh"};

constexpr const char *binary[] = {"atan2", "hypot", "pow"};

class Table {
public:
  Table() : handle(dlopen("libmvec.so.1", RTLD_LAZY)) {
    StringMap<bool> features = sys::getHostCPUFeatures();
    for (const Width &width : widths) {
      if (!handle || !features.lookup(width.feature))
        continue;
      for (const char *name : unary)
        add(name, "v", width);
      for (const char *name : binary)
        add(name, "vv", width);
    }
  }

  std::vector<VecDesc> functions;

private:
  void add(StringRef name, StringRef parameters, const Width &width) {
    addType(name, "", "f64", parameters, width, width.bits / 64);
    addType(name, "f", "f32", parameters, width, width.bits / 32);
  }

  void addType(StringRef name, StringRef suffix, StringRef type,
               StringRef parameters, const Width &width, unsigned lanes) {
    std::string abi = ("N" + Twine(lanes) + parameters).str();
    StringRef vector =
        saver.save("_ZGV" + Twine(width.letter) + abi + "_" + name + suffix);
    if (!dlsym(handle, vector.data()))
      return;
    StringRef prefix = saver.save("_ZGV_LLVM_" + Twine(abi));
    // Calls by either name: not all functions have an intrinsic.
    for (StringRef scalar :
         {saver.save(name + suffix), saver.save("llvm." + name + "." + type)})
      functions.emplace_back(scalar, vector, ElementCount::getFixed(lanes),
                             /*Masked=*/false, prefix, std::nullopt);
  }

  void *handle;
  BumpPtrAllocator memory;
  StringSaver saver{memory};
};

} // namespace

void ingot::addVectorFunctions(TargetLibraryInfoImpl &library) {
  static const auto *table = new Table;
  library.addVectorizableFunctions(table->functions);
}
