// Where the entries of batches go: the active memtables of the families.
//
// Threads    In the turn of a write, as which a replay counts: families and
//            their memtables change only then.
// Ownership  Borrows what it is given.
#pragma once

#include <cstdint>
#include <string>

#include "db/wal/memtable_inserter.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class MemtableSwitch;
class ReadPort;
class VersionSet;

class FamilyMemTables final : public ColumnFamilyMemTables {
 public:
  FamilyMemTables(VersionSet* versions, const ReadPort* reads,
                  MemtableSwitch* memtables)
      : versions_(versions), reads_(reads), memtables_(memtables) {}

  // The family that most entries are of.
  void SetDefault(ColumnFamilyData* cfd) { default_ = cfd; }

  bool Find(uint32_t id, Target* target) override;
  bool Resolve(uint32_t id, const PendingMerge& merge, ValueType* type,
               std::string* value) override;
  Status ReadOlder(uint32_t id, SequenceNumber sequence, const Slice& key,
                   std::string* value) override;
  void OnFull(uint32_t id, MemTable* memtable) override;

 private:
  ColumnFamilyData* FamilyOf(uint32_t id) const;

  VersionSet* const versions_;
  const ReadPort* const reads_;
  MemtableSwitch* const memtables_;
  ColumnFamilyData* default_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
