//===- Module.cpp - The Python module ingot._native -----------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace {

std::string compile(const std::string &text, const std::string &processor,
                    ingot::Steps *steps) {
  nb::gil_scoped_release release;
  auto library = ingot::compileKernel(text, processor, steps);
  if (!library)
    throw std::runtime_error(llvm::toString(library.takeError()));
  return std::move(*library);
}

} // namespace

NB_MODULE(_native, module) {
  using namespace nanobind::literals;
  module.def(
      "compile",
      [](const std::string &text, const std::string &processor) {
        std::string library = compile(text, processor, nullptr);
        return nb::bytes(library.data(), library.size());
      },
      "text"_a, "processor"_a = "",
      "Compiles a kernel, as a module's text, to a shared object, for a "
      "processor by LLVM's name or for this one.");
  module.def(
      "explain",
      [](const std::string &text, const std::string &processor) {
        ingot::Steps steps;
        compile(text, processor, &steps);
        return steps;
      },
      "text"_a, "processor"_a = "",
      "The texts of a kernel after the steps of its compilation.");
}
