// Which keys are overwritten: how many bytes of a key space a run has that is
// made of so many written bytes.
//
// Keys are drawn one by one, each without regard to the others, so a merge of
// runs holds what one run of all their writes would hold.
//
// Threads  Immutable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class KeyDistribution {
 public:
  enum class Kind { kUniform, kZipfian, kSequential };
  struct Shape {
    Kind kind = Kind::kUniform;
    // A Zipfian distribution draws the key of rank r in proportion to r to the
    // power of -theta.
    double theta = 0.99;
    uint64_t entry_bytes = 1024;
  };
  // InvalidArgument: no distribution has that name.
  static Status KindOf(const std::string& name, Kind* kind);

  // Over a key space of `space_bytes` > 0.
  KeyDistribution(const Shape& shape, uint64_t space_bytes);

  // The bytes of the different keys that writes of `written_bytes` draw.
  double DistinctBytes(double written_bytes) const;

 private:
  // Keys that are drawn about as often as each other.
  struct Rank {
    double keys = 0;
    double chance = 0;  // that a draw picks a certain one of them
  };
  void AddZipfianRanks(double theta);

  const Shape shape_;
  const double space_bytes_;
  std::vector<Rank> ranks_;  // the ranks of all keys; empty if kSequential
};

}  // namespace ROCKSDB_NAMESPACE
