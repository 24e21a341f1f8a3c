// Pseudo-random numbers (splitmix64): the same sequence for the same seed, in
// every program and on every machine.
//
// Threads    Confined to one thread.

#pragma once

#include <cstdint>

namespace c_bench {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }

  // A number below `limit`, which is not 0. The bias is of no matter here.
  uint64_t Below(uint64_t limit) { return Next() % limit; }

 private:
  uint64_t state_;
};

}  // namespace c_bench
