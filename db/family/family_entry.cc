#include "db/family/family_entry.h"

#include "db/compaction/compaction_picker.h"

namespace ROCKSDB_NAMESPACE {

FamilyEntry::FamilyEntry(int level_count) : stats(level_count) {}

FamilyEntry::~FamilyEntry() = default;

}  // namespace ROCKSDB_NAMESPACE
