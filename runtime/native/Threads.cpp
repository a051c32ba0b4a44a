//===- Threads.cpp - Loops on several threads -----------------------------===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include "Native.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

using namespace ingot;

namespace {

/// What debuggers and profilers show these threads as.
constexpr const char *threadName = "ingot-loops";

/// How often a thread looks for work before it sleeps: about 40 us.
constexpr int mostSpins = 1000;

/// A thread that sleeps takes about 40 us to begin. It is woken for a loop that
/// is worth so many threads, by the estimate of the compiler, and for one that
/// follows on so many others, each by at most `pause`.
constexpr int64_t longLoop = 5;
constexpr int busy = 8;
constexpr std::chrono::microseconds pause(20);

/// What the lengths of pieces are a multiple of: the vectorised code of a loop
/// leaves a rest of the range, for which sums may round otherwise.
constexpr int64_t unit = 4;

void spin() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// A loop that threads share. It is on the stack of the thread that began it.
struct Loop {
  Part part;
  void *context;
  int64_t begin, end, length;
  std::fenv_t environment;
  std::atomic<int64_t> next{0};
  /// The other threads that are at work.
  std::atomic<int> active{0};

  void run() {
    for (int64_t from; (from = begin + next++ * length) < end;)
      part(context, from, std::min(from + length, end));
  }
};

class Worker {
public:
  Worker() {
    std::thread thread([this] { work(); });
    pthread_setname_np(thread.native_handle(), threadName);
    thread.detach();
  }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  bool isAwake() const { return awake; }

  void offer(Loop *loop) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      offered = loop;
    }
    changed.notify_one();
  }

  /// It won't begin with what was offered if it has not.
  void withdraw() {
    std::lock_guard<std::mutex> lock(mutex);
    offered = nullptr;
  }

private:
  void work() {
    while (true) {
      for (int i = 0; i < mostSpins && !offered; ++i)
        spin();
      std::unique_lock<std::mutex> lock(mutex);
      awake = false;
      changed.wait(lock, [this] { return offered != nullptr; });
      awake = true;
      Loop *loop = offered.exchange(nullptr);
      ++loop->active;
      lock.unlock();
      std::fesetenv(&loop->environment);
      loop->run();
      --loop->active;
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<Loop *> offered{nullptr};
  std::atomic<bool> awake{false};
};

/// The threads of a process. They start with the first loop, and live as long
/// as the process.
class Pool {
public:
  const pid_t process = getpid();

  void run(Part part, void *context, int64_t begin, int64_t end,
           int64_t iterationsOfThread, int64_t piecesOfThread) {
    int64_t threads = (end - begin) / iterationsOfThread;
    if (threads < 2)
      return part(context, begin, end);
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    if (!lock)
      return part(context, begin, end);
    auto now = std::chrono::steady_clock::now;
    following = now() - ended < pause ? std::min(following + 1, busy) : 0;
    gather(threads - 1, threads >= longLoop || following >= busy);
    if (team.empty())
      part(context, begin, end);
    else
      runShared(part, context, begin, end, piecesOfThread);
    ended = now();
  }

private:
  void runShared(Part part, void *context, int64_t begin, int64_t end,
                 int64_t piecesOfThread) {
    int64_t pieces = piecesOfThread * (team.size() + 1);
    int64_t length = (end - begin + pieces - 1) / pieces;
    Loop loop{part, context, begin, end, (length + unit - 1) / unit * unit};
    std::fegetenv(&loop.environment);
    for (Worker *each : team)
      each->offer(&loop);
    loop.run();
    for (Worker *each : team)
      each->withdraw();
    // What others have begun takes no longer than one of the pieces.
    for (int i = 0; loop.active > 0; ++i)
      i < mostSpins ? spin() : std::this_thread::yield();
  }

  /// Gathers so many threads, or one for each other core; if they are not to be
  /// woken, those that are awake.
  void gather(int64_t count, bool wakes) {
    size_t others = start(count);
    team.clear();
    for (size_t i = 0; i < others; ++i)
      if (wakes || workers[i]->isAwake())
        team.push_back(workers[i].get());
  }

  /// Starts threads until there are so many, or one for each other core.
  size_t start(int64_t count) {
    static const int64_t most = mostThreads();
    size_t wanted = std::max<int64_t>(0, std::min(count, most - 1));
    try {
      while (workers.size() < wanted)
        workers.push_back(std::make_unique<Worker>());
    } catch (const std::system_error &) {
      // No more threads can be started.
    }
    return std::min(wanted, workers.size());
  }

  /// The cores of this process, or `OMP_NUM_THREADS`, which engines that start
  /// a process for each core set to 1, as do those who share a machine.
  static int64_t mostThreads() {
    cpu_set_t mask;
    int64_t cores =
        sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 1;
    const char *limit = std::getenv("OMP_NUM_THREADS");
    int64_t wanted = limit ? std::strtol(limit, nullptr, 10) : 0;
    return wanted > 0 ? std::min(wanted, cores) : cores;
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> workers;
  /// The threads of the loop that runs.
  std::vector<Worker *> team;
  /// When the loop before ended, and how many have followed on each other.
  std::chrono::steady_clock::time_point ended;
  int following = 0;
};

/// The pool of this process: after a fork, the child has none of the threads.
Pool &pool() {
  // Never destroyed, since threads use it until the process ends.
  static std::atomic<Pool *> current{nullptr};
  Pool *found = current;
  if (found && found->process == getpid())
    return *found;
  auto made = std::make_unique<Pool>();
  return current.compare_exchange_strong(found, made.get()) ? *made.release()
                                                            : *found;
}

} // namespace

void ingot::share(Part part, void *context, int64_t begin, int64_t end,
                  int64_t iterationsOfThread, int64_t piecesOfThread) {
  pool().run(part, context, begin, end, iterationsOfThread, piecesOfThread);
}

void ingot::bindThreads(nanobind::module_ &module) {
  module.def("share", [] { return reinterpret_cast<uintptr_t>(&share); });
}
