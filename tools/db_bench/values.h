// The values that benchmarks write.
//
// They are cut from one megabyte of text that shrinks to about
// --compression_ratio of its size, made once per thread, so that handing one
// out is free.
//
// Threads    Confined to one thread.
// Ownership  Slices point into the generator and live as long as it does.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::bench {

// How large a value is; from the flags.
struct ValueShape {
  enum class Distribution { kFixed, kUniform, kNormal };

  static ValueShape FromFlags();

  // The mean size, by which totals are estimated.
  uint32_t AverageSize() const;

  Distribution distribution = Distribution::kFixed;
  uint32_t fixed_size = 0;
  uint32_t smallest_size = 0;
  uint32_t largest_size = 0;
  double compression_ratio = 1.0;
};

class ValueGenerator {
 public:
  ValueGenerator(const ValueShape& shape, uint64_t seed);

  // A value of a size drawn from the shape. --same_value_percentage of them
  // begin alike.
  Slice Next() {
    if (same_percent_ != 0 && random_.Below(100) < same_percent_) {
      return Slice(text_.data(), DrawSize());
    }
    return Next(DrawSize());
  }

  // A value of `size` bytes, at most 1 GiB.
  Slice Next(uint32_t size);

 private:
  uint32_t DrawSize();
  void MakeText(size_t size);

  const ValueShape shape_;
  const uint64_t same_percent_;
  Random random_;
  std::string text_;
  size_t position_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench
