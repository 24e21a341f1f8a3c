// FIFO compaction: the oldest files go when they are too old, or when all
// files together are too large. Files stay in level 0; those that an earlier
// style left in deeper levels are older than all of it.
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
  bool NeedsCompaction(const VersionStorage& storage) const override;
  std::unique_ptr<Compaction> Pick(const Input& input) override;
  // What Pick() finds: a user cannot ask for more here.
  std::unique_ptr<Compaction> PickRange(
      const Input& input, const Range& range, bool* conflict,
      std::optional<InternalKey>* rest) override;

 private:
  std::unique_ptr<Compaction> PickExpired(const Input& input) const;
  std::unique_ptr<Compaction> PickForSize(const Input& input) const;
  std::unique_ptr<Compaction> PickSmallFiles(const Input& input) const;
  std::unique_ptr<Compaction> PickForTemperature(const Input& input) const;
};

}  // namespace ROCKSDB_NAMESPACE
