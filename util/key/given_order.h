// The order of keys as users give them, without their timestamps, under a
// comparator of keys that have some: that of files which leave timestamps out.
//
// Threads  Immutable.
#pragma once

#include <string>

#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE {

class GivenOrder final : public Comparator {
 public:
  // `stored` must outlive this.
  explicit GivenOrder(const Comparator* stored) : stored_(stored) {}

  const char* Name() const override { return stored_->Name(); }
  int Compare(const Slice& a, const Slice& b) const override {
    return stored_->CompareWithoutTimestamp(a, /*a_has_ts=*/false, b,
                                            /*b_has_ts=*/false);
  }
  // A reader puts timestamps behind what it finds: it must be a whole key.
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}

 private:
  const Comparator* const stored_;
};

}  // namespace ROCKSDB_NAMESPACE
