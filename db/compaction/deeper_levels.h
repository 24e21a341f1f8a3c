// What lies below the output level of a compaction, as its version has it.
//
// The version stays true while the compaction runs: data that other jobs move
// meanwhile into the levels below, within this one's key range, come from
// levels that are below already.
//
// Threads    One thread: each sub-compaction has its own.
// Ownership  Borrows the version's files, which the compaction keeps alive.
#pragma once

#include <cstddef>
#include <vector>

#include "db/compaction/compaction.h"
#include "db/semantics/older_data.h"

namespace ROCKSDB_NAMESPACE {

class DeeperLevels final : public OlderData {
 public:
  explicit DeeperLevels(const ImmutableCFOptions& cf,
                        const Compaction& compaction);

  bool MayHold(const Slice& user_key) override;
  bool MayHoldRange(const Slice& begin, const Slice& end) const override;

 private:
  const VersionStorage& storage_;
  const int output_level_;
  const bool expects_more_;  // older data may still come
  const bool is_bottommost_;
  // For each level, the first file that does not end before the last key.
  std::vector<size_t> positions_;
};

}  // namespace ROCKSDB_NAMESPACE
