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

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/TargetParser/Triple.h"

#include <dlfcn.h>
#include <memory>
#include <vector>

using namespace llvm;

namespace {

/// Vectors of the ABI of vector functions, and the feature of processors that
/// have them.
struct Width {
  char letter;
  unsigned bits;
  Triple::ArchType architecture;
  const char *feature;
};

constexpr Width widths[] = {{'b', 128, Triple::x86_64, "+sse2"},
                            {'n', 128, Triple::aarch64, "+neon"},
                            {'d', 256, Triple::x86_64, "+avx2"},
                            {'e', 512, Triple::x86_64, "+avx512f"}};

constexpr const char *unary[] = {
    "acos",  "acosh", "asin", "asinh", "atan", "atanh", "cbrt",  "cos",
    "cosh",  "erf",   "erfc", "exp",   "exp2", "exp10", "expm1", "log",
    "log10", "log1p", "log2", "sin",   "sinh", "tan",   "tanh"};

constexpr const char *binary[] = {"atan2", "hypot", "pow"};

/// The functions on vectors of one width.
class Table {
public:
  explicit Table(const Width &width)
      : handle(dlopen("libmvec.so.1", RTLD_LAZY)) {
    if (!handle)
      return;
    for (const char *name : unary)
      add(name, "v", width);
    for (const char *name : binary)
      add(name, "vv", width);
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

void ingot::addVectorFunctions(TargetLibraryInfoImpl &library,
                               const TargetMachine &machine) {
  static const auto *tables = [] {
    auto *all = new std::vector<std::unique_ptr<Table>>;
    for (const Width &width : widths)
      all->push_back(std::make_unique<Table>(width));
    return all;
  }();
  for (const auto &[width, table] : zip_equal(widths, *tables))
    // Other architectures do not know the name of the feature.
    if (machine.getTargetTriple().getArch() == width.architecture &&
        machine.getMCSubtargetInfo()->checkFeatures(width.feature))
      library.addVectorizableFunctions(table->functions);
}
