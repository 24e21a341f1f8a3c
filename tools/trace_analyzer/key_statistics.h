// What a trace has of one type of operations on one family, key by key.
//
// Threads  Confined to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/trace_analyzer/operation.h"

namespace tools {

// Counts, mean, median and deviation of sizes.
class SizeDistribution {
 public:
  void Add(uint64_t bytes) {
    ++counts_[bytes];
    ++count_;
  }
  bool empty() const { return count_ == 0; }
  double Average() const;
  uint64_t Median() const;
  double Deviation() const;
  const std::map<uint64_t, uint64_t>& counts() const { return counts_; }

 private:
  std::map<uint64_t, uint64_t> counts_;  // by size
  uint64_t count_ = 0;
};

// Operations by the second.
class SecondCounts {
 public:
  void Add(uint64_t time_micros) { ++counts_[time_micros / 1'000'000]; }
  uint64_t Peak() const;
  // Over the seconds from the first operation to the last one.
  double Average() const;
  const std::map<uint64_t, uint64_t>& counts() const { return counts_; }

 private:
  std::map<uint64_t, uint64_t> counts_;
};

struct KeyStatistics {
  uint64_t count = 0;
  uint64_t with_value = 0;   // operations with a value that is not empty
  uint64_t value_bytes = 0;  // the size of the last operation's value
};

// Counted since the trace began: how many operations, on how many keys.
struct UniqueKeys {
  uint64_t operations = 0;
  uint64_t keys = 0;
};

class TypeStatistics {
 public:
  void Add(const Operation& operation);

  uint64_t operations() const { return operations_; }
  // In the order of their bytes: a key's number is its place.
  const std::map<std::string, KeyStatistics>& keys() const { return keys_; }
  const SizeDistribution& key_sizes() const { return key_sizes_; }
  const SizeDistribution& value_sizes() const { return value_sizes_; }
  const SecondCounts& seconds() const { return seconds_; }
  // One for each second that has operations.
  const std::vector<UniqueKeys>& unique_keys() const { return unique_keys_; }
  // The `most` keys that were asked for most, the first of equals first.
  std::vector<std::pair<std::string, uint64_t>> TopKeys(uint64_t most) const;

 private:
  uint64_t operations_ = 0;
  std::map<std::string, KeyStatistics> keys_;
  SizeDistribution key_sizes_;    // counts each key once
  SizeDistribution value_sizes_;  // counts each operation
  SecondCounts seconds_;
  std::vector<UniqueKeys> unique_keys_;
};

// How often an operation on a key came behind another one on it.
struct Correlation {
  uint64_t count = 0;
  uint64_t micros = 0;  // between the two, in all
};

}  // namespace tools
