// A walk of an iterator over a range of key numbers, judged entry by entry.
//
// Threads    Confined to one.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "db_stress_tool/keys.h"
#include "db_stress_tool/stress_random.h"
#include "rocksdb/iterator.h"

namespace ROCKSDB_NAMESPACE::stress {

// Numbers [from, to) of one family.
struct KeyRange {
  size_t family;
  uint64_t from;
  uint64_t to;
  uint64_t size() const { return to - from; }
};

// What a walk saw of each number of its range: was it passed, and what was
// there.
struct Sight {
  bool is_passed = false;
  std::optional<uint32_t> version = std::nullopt;
};

class Walk {
 public:
  // `may_change`: what the iterator shows may become newer on the way, see
  // Database::MayShowLater(). The newest counts.
  Walk(const KeyFormat& format, const KeyRange& range, Iterator* iterator,
       bool may_change)
      : format_(format),
        range_(range),
        iterator_(iterator),
        may_change_(may_change),
        sights_(range.size()) {}

  // From `start`, `steps` steps, each forward or, if `turns`, backward by
  // chance; ends at an end of the range.
  void Wander(uint64_t start, int64_t steps, bool turns, StressRandom* random);
  // The whole range, forward or backward.
  void Forward();
  void Backward();

  // What is wrong with the entries themselves; empty if nothing.
  const std::string& error() const { return error_; }
  const std::vector<Sight>& sights() const { return sights_; }

 private:
  // Where the iterator stands: a number of the range, or range_.to and beyond
  // for "after", nothing for "before it".
  std::optional<uint64_t> Look();
  void Pass(uint64_t from, uint64_t to);

  const KeyFormat& format_;
  const KeyRange range_;
  Iterator* const iterator_;
  const bool may_change_;
  std::vector<Sight> sights_;
  std::string error_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
