// FIFO compaction: the oldest files go when they are too old, or when all
// files together are too large. Files stay in level 0; those that an earlier
// style left in deeper levels are older than all of it.
//
// Small files are merged by one of two rules. By the number of files: as many
// as makes files of about what a flush writes. By the ratio of keys to values
// (use_kv_ratio_compaction), where most data lie in blob files: into tables
// that stand for equal parts of the data, however small the tables are.
//
// Threads  Every call under the DB mutex.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "db/compaction/compaction_picker.h"

namespace ROCKSDB_NAMESPACE {

class FifoPicker final : public CompactionPicker {
 public:
  std::unique_ptr<Compaction> Pick(const Input& input) override;
  // What Pick() finds: a user cannot ask for more here.
  std::unique_ptr<Compaction> PickRange(
      const Input& input, const Range& range, bool* conflict,
      std::optional<InternalKey>* rest) override;

 private:
  std::unique_ptr<Compaction> PickExpired(const Input& input) const;
  std::unique_ptr<Compaction> PickForSize(const Input& input) const;
  std::unique_ptr<Compaction> PickMerge(const Input& input) const;
  std::unique_ptr<Compaction> PickSmallFiles(const Input& input) const;
  std::unique_ptr<Compaction> PickEvenParts(const Input& input,
                                            uint64_t part_bytes) const;
  std::unique_ptr<Compaction> PickForTemperature(const Input& input) const;
};

}  // namespace ROCKSDB_NAMESPACE
