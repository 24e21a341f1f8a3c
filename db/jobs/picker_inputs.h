// What pickers go by: a family as it is now, under the options that are in
// force, and the ages of its data.
//
// Threads    Under the DB mutex.
// Ownership  Borrows what it is given. An input keeps the version it is of.
#pragma once

#include "db/compaction/compaction_picker.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class CurrentOptions;
class SequenceAges;
struct FamilyEntry;

class PickerInputs {
 public:
  PickerInputs(Mutex* mutex, const CurrentOptions* options, SequenceAges* ages)
      : mutex_(mutex), options_(options), ages_(ages) {}

  CompactionPicker::Input Make(const FamilyEntry& family) const;

 private:
  Mutex* const mutex_;
  const CurrentOptions* const options_;
  SequenceAges* const ages_;
};

}  // namespace ROCKSDB_NAMESPACE
