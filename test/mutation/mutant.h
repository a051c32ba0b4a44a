//===- mutant.h - Which mutant is the active one ---------------*- C++ -*-===//
//
// Part of Ingot, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included before the instrumented copies of sources, see
// test/mutation/mutate.py. INGOT_MUTANT is the number of the active one, and
// INGOT_MUTANTS_REACHED a file with a byte for each, which is set to 1 where
// the site of one is evaluated.
//
//===----------------------------------------------------------------------===//

#ifndef INGOT_MUTATION_MUTANT_H
#define INGOT_MUTATION_MUTANT_H

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ingot_mutation {
struct State {
  long active = -1;
  unsigned char *reached = nullptr;

  State() {
    if (const char *number = std::getenv("INGOT_MUTANT"))
      active = std::atol(number);
    const char *path = std::getenv("INGOT_MUTANTS_REACHED");
    int file = path ? open(path, O_RDWR) : -1;
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0)
      return;
    void *memory = mmap(nullptr, info.st_size, PROT_READ | PROT_WRITE,
                        MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED)
      reached = static_cast<unsigned char *>(memory);
  }
};
} // namespace ingot_mutation

inline bool ingot_mutant(long number) {
  static ingot_mutation::State state;
  if (state.reached)
    state.reached[number] = 1;
  return state.active == number;
}

#endif // INGOT_MUTATION_MUTANT_H
