//===- Exit.cpp - The end of a process in which XLA is still at work ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <unistd.h>

namespace {

/// XLA's threads would use static objects after their destruction.
void leaveThreads() {
#ifdef __GLIBC__
  static bool isDone = false;
  if (std::exchange(isDone, true))
    return;
  on_exit(
      [](int status, void *) {
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr);
#endif
}

} // namespace

void ingot::bindExit(nanobind::module_ &module) {
  module.def("leave_threads", &leaveThreads);
}
