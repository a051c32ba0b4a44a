//===- Exit.cpp - The end of a process in which XLA is still at work ------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include <pthread.h>
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

pthread_t finalizing;
std::terminate_handler terminateAsBefore;

/// A thread that comes back to Python while the calling thread finalizes it is
/// ended by Python with pthread_exit. Frames of C++ that may not throw make
/// that std::terminate, and the end of the process. So such a thread sleeps
/// until the process has ended.
void parkThreads() {
  finalizing = pthread_self();
  terminateAsBefore = std::set_terminate([] {
    while (!pthread_equal(pthread_self(), finalizing))
      pause();
    terminateAsBefore();
  });
}

} // namespace

void ingot::bindExit(nanobind::module_ &module) {
  module.def("leave_threads", &leaveThreads);
  module.def("park_threads", &parkThreads);
}
