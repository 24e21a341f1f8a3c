// Leveled compaction: the level that is fullest against its target goes first.
//
// Threads  Every call under the DB mutex.
#pragma once

#include <memory>
#include <vector>

#include "db/compaction/compaction_draft.h"
#include "db/compaction/compaction_picker.h"

namespace ROCKSDB_NAMESPACE {

class LeveledPicker final : public CompactionPicker {
 public:
  std::unique_ptr<Compaction> Pick(const Input& input) override;

 private:
  bool EmptiesLevel0() const;
  std::unique_ptr<Compaction> PickLevel0(const Input& input) const;
  std::unique_ptr<Compaction> PickWithinLevel0(const Input& input) const;
  std::unique_ptr<Compaction> PickDown(const Input& input, int level) const;
  // Files of `level` one level down; null if they cannot go now.
  std::unique_ptr<Compaction> Down(const Input& input, int level,
                                   const FileSpan& span,
                                   CompactionReason reason) const;
  std::unique_ptr<Compaction> Widen(
      const Input& input, std::unique_ptr<Compaction> compaction) const;
  std::unique_ptr<Compaction> PickRewrite(const Input& input) const;
};

// The files of `level` in the order in which `pri` takes them: the index of
// each in the level. Files that are being compacted are left out.
std::vector<size_t> PickOrder(const VersionStorage& storage, int level,
                              CompactionPri pri, const InternalKey* cursor);

}  // namespace ROCKSDB_NAMESPACE
