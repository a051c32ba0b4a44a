//===- Parts.h - Work that threads of XLA share -----------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_RUNTIME_NATIVE_PARTS_H
#define INGOT_RUNTIME_NATIVE_PARTS_H

#include "Numpy.h"

#include "xla/ffi/api/ffi.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace ingot {

/// Work in parts, which threads take one after the other.
struct Parts {
  Parts(npy_intp count, std::function<void(npy_intp)> run)
      : count(count), run(std::move(run)) {}

  /// Runs parts until none is left.
  void work() {
    for (npy_intp part; (part = next++) < count;) {
      run(part);
      std::lock_guard<std::mutex> lock(mutex);
      if (++done == count)
        allDone.notify_all();
    }
  }

  const npy_intp count;
  const std::function<void(npy_intp)> run;
  std::atomic<npy_intp> next = 0;
  npy_intp done = 0;
  std::mutex mutex;
  std::condition_variable allDone;
};

/// Runs the parts on this thread and on idle threads of XLA. It waits for parts
/// that others have started, but never for threads to become idle.
inline void doParts(xla::ffi::ThreadPool &pool, npy_intp count,
                    std::function<void(npy_intp)> run) {
  auto parts = std::make_shared<Parts>(count, std::move(run));
  npy_intp others = std::min<npy_intp>(count, pool.num_threads()) - 1;
  for (npy_intp i = 0; i < others; ++i)
    pool.Schedule([parts] { parts->work(); });
  parts->work();
  std::unique_lock<std::mutex> lock(parts->mutex);
  parts->allDone.wait(lock, [&] { return parts->done == count; });
}

} // namespace ingot

#endif // INGOT_RUNTIME_NATIVE_PARTS_H
