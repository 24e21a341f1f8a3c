#include "tools/compaction_simulator/key_distribution.h"

#include <algorithm>
#include <cmath>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status KeyDistribution::KindOf(const std::string& name, Kind* kind) {
  INVARIANT(kind != nullptr);
  if (name == "uniform") {
    *kind = Kind::kUniform;
  } else if (name == "zipfian") {
    *kind = Kind::kZipfian;
  } else if (name == "sequential") {
    *kind = Kind::kSequential;
  } else {
    return Status::InvalidArgument("no distribution of keys", name);
  }
  return Status::OK();
}

KeyDistribution::KeyDistribution(const Shape& shape, uint64_t space_bytes)
    : shape_(shape), space_bytes_(static_cast<double>(space_bytes)) {
  INVARIANT(space_bytes > 0 && shape.entry_bytes > 0);
  const double keys =
      std::max(1.0, space_bytes_ / static_cast<double>(shape.entry_bytes));
  if (shape.kind == Kind::kZipfian) {
    AddZipfianRanks(shape.theta);
  } else if (shape.kind == Kind::kUniform) {
    ranks_.push_back({keys, 1 / keys});
  }
}

// The first ranks one by one, then spans of one part in 64, whose keys are
// taken to be as frequent as their middle one.
void KeyDistribution::AddZipfianRanks(double theta) {
  constexpr double kSpansPerRank = 64;
  const auto keys = std::floor(
      std::max(1.0, space_bytes_ / static_cast<double>(shape_.entry_bytes)));
  double sum = 0;
  for (double first = 1; first <= keys;) {
    const double count = std::min(
        std::max(1.0, std::floor(first / kSpansPerRank)), keys - first + 1);
    const double middle = first + (count - 1) / 2;
    ranks_.push_back({count, std::pow(middle, -theta)});
    sum += count * ranks_.back().chance;
    first += count;
  }
  for (Rank& rank : ranks_) rank.chance /= sum;
}

double KeyDistribution::DistinctBytes(double written_bytes) const {
  INVARIANT(written_bytes >= 0);
  if (shape_.kind == Kind::kSequential) {
    return std::min(written_bytes, space_bytes_);
  }
  const double draws = written_bytes / static_cast<double>(shape_.entry_bytes);
  double found = 0, all = 0;
  for (const Rank& rank : ranks_) {
    all += rank.keys;
    found += rank.keys * -std::expm1(-draws * rank.chance);
  }
  return space_bytes_ * found / all;
}

}  // namespace ROCKSDB_NAMESPACE
