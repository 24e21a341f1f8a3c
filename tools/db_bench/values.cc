#include "tools/db_bench/values.h"

#include <algorithm>
#include <cmath>

#include "tools/db_bench/flags.h"

DEFINE_int32(same_value_percentage, 0,
             "Of a hundred values, those that are all the same.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr size_t kTextBytes = 1 << 20;

// Short enough that every codec's window sees the repetition.
constexpr size_t kPieceBytes = 100;

}  // namespace

ValueShape ValueShape::FromFlags() {
  ValueShape shape;
  if (FLAGS_value_size_distribution_type == "uniform") {
    shape.distribution = Distribution::kUniform;
  } else if (FLAGS_value_size_distribution_type == "normal") {
    shape.distribution = Distribution::kNormal;
  }
  shape.fixed_size = static_cast<uint32_t>(FLAGS_value_size);
  shape.smallest_size = static_cast<uint32_t>(FLAGS_value_size_min);
  shape.largest_size = static_cast<uint32_t>(FLAGS_value_size_max);
  shape.compression_ratio = FLAGS_compression_ratio;
  return shape;
}

uint32_t ValueShape::AverageSize() const {
  if (distribution == Distribution::kFixed) return fixed_size;
  return smallest_size + (largest_size - smallest_size) / 2;
}

ValueGenerator::ValueGenerator(const ValueShape& shape, uint64_t seed)
    : shape_(shape),
      same_percent_(static_cast<uint64_t>(FLAGS_same_value_percentage)),
      random_(seed) {
  const size_t largest = shape.distribution == ValueShape::Distribution::kFixed
                             ? shape.fixed_size
                             : shape.largest_size;
  MakeText(std::max(kTextBytes, largest));
}

Slice ValueGenerator::Next(uint32_t size) {
  if (size > text_.size()) MakeText(size);
  if (position_ + size > text_.size()) position_ = 0;
  const Slice value(text_.data() + position_, size);
  position_ += size;
  return value;
}

uint32_t ValueGenerator::DrawSize() {
  const uint32_t spread = shape_.largest_size - shape_.smallest_size;
  switch (shape_.distribution) {
    case ValueShape::Distribution::kFixed:
      break;
    case ValueShape::Distribution::kUniform:
      return shape_.smallest_size +
             static_cast<uint32_t>(random_.Below(uint64_t{spread} + 1));
    case ValueShape::Distribution::kNormal: {
      // Twelve uniform draws, centred, have deviation 1: near enough, and
      // bounded, so six deviations each way cover the whole range.
      double sum = -6.0;
      for (int i = 0; i < 12; ++i) sum += random_.Fraction();
      return shape_.smallest_size +
             static_cast<uint32_t>(std::lround((sum + 6.0) / 12.0 * spread));
    }
  }
  return shape_.fixed_size;
}

// Pieces of random printable bytes, each repeated until it fills its place:
// what is random cannot shrink, what is repeated costs next to nothing.
void ValueGenerator::MakeText(size_t size) {
  const size_t random_bytes = std::max<size_t>(
      1, static_cast<size_t>(kPieceBytes * shape_.compression_ratio));
  text_.clear();
  text_.reserve(size + kPieceBytes);
  while (text_.size() < size) {
    const size_t start = text_.size();
    for (size_t i = 0; i < random_bytes; ++i) {
      text_.push_back(static_cast<char>(' ' + random_.Below(95)));
    }
    for (size_t i = random_bytes; i < kPieceBytes; ++i) {
      text_.push_back(text_[start + i % random_bytes]);
    }
  }
  position_ = 0;
}

}  // namespace ROCKSDB_NAMESPACE::bench
