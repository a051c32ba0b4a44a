//===- StrictFp.cpp - The floating-point environment of strict programs ---===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Native.h"

#include "xla/ffi/api/c_api.h"

#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <unistd.h>

namespace {

// XLA makes its threads flush subnormal numbers to zero: the threads of its
// pool permanently, and the thread that runs a program during the run.
void keepSubnormals() { std::fesetenv(FE_DFL_ENV); }

/// One task for each thread of a pool. No task ends before all have started, so
/// each thread gets one, unless a thread stays busy beyond the time limit.
class Round {
public:
  Round(XLA_FFI_CallFrame *frame, int64_t count) : count(count) {
    for (int64_t i = 0; i < count; ++i) {
      XLA_FFI_ThreadPool_Schedule_Args args = {
          XLA_FFI_ThreadPool_Schedule_Args_STRUCT_SIZE, nullptr, frame->ctx,
          [](void *self) { static_cast<Round *>(self)->run(); }, this};
      frame->api->XLA_FFI_ThreadPool_Schedule(&args);
    }
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return ended == this->count; });
  }

  bool reachedAll() const { return !timedOut; }

private:
  void run() {
    keepSubnormals();
    std::unique_lock<std::mutex> lock(mutex);
    ++begun;
    changed.notify_all();
    timedOut |= !changed.wait_for(lock, std::chrono::seconds(5),
                                  [&] { return begun == count || timedOut; });
    ++ended;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  int64_t count, begun = 0, ended = 0;
  bool timedOut = false;
};

/// Does its work once in each process, which has a single pool: again in the
/// next call if a thread was busy for too long.
void keepSubnormalsInPool(XLA_FFI_CallFrame *frame) {
  static std::mutex mutex;
  static pid_t process = 0;
  std::lock_guard<std::mutex> lock(mutex);
  if (process == getpid())
    return;
  int64_t count = 0;
  XLA_FFI_ThreadPool_NumThreads_Args args = {
      XLA_FFI_ThreadPool_NumThreads_Args_STRUCT_SIZE, nullptr, frame->ctx,
      &count};
  if (frame->api->XLA_FFI_ThreadPool_NumThreads(&args) ||
      Round(frame, count).reachedAll())
    process = getpid();
}

/// Whether the results are one float64 of shape ().
bool isNumber(const XLA_FFI_Rets &results) {
  if (results.size != 1 || results.types[0] != XLA_FFI_RetType_BUFFER)
    return false;
  auto *buffer = static_cast<XLA_FFI_Buffer *>(results.rets[0]);
  return buffer->dtype == XLA_FFI_DataType_F64 && buffer->rank == 0;
}

/// Returns a 1 that the compiler can't fold, and makes the program that starts
/// with it keep subnormal numbers.
XLA_FFI_Error *begin(XLA_FFI_CallFrame *frame) {
  auto *extension = frame->extension_start;
  if (extension && extension->type == XLA_FFI_Extension_Metadata) {
    auto *asked = reinterpret_cast<XLA_FFI_Metadata_Extension *>(extension);
    asked->metadata->api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr,
                                    XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR};
    return nullptr;
  }
  if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE)
    return nullptr;
  if (!isNumber(frame->rets)) {
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE,
                                      nullptr,
                                      "ingot.strict_fp gives one number",
                                      XLA_FFI_Error_Code_INVALID_ARGUMENT};
    return frame->api->XLA_FFI_Error_Create(&args);
  }
  keepSubnormalsInPool(frame);
  keepSubnormals();
  auto *result = static_cast<XLA_FFI_Buffer *>(frame->rets.rets[0]);
  *static_cast<double *>(result->data) = 1;
  return nullptr;
}

} // namespace

void ingot::bindStrictFp(nanobind::module_ &module) {
  module.def("begin_strict_fp", [] {
    return nanobind::capsule(reinterpret_cast<void *>(&begin));
  });
}
