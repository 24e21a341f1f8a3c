#include "db/intake/family_memtables.h"

#include <cassert>
#include <utility>

#include "db/family/column_family.h"
#include "db/intake/memtable_switch.h"
#include "db/lookup/read_port.h"
#include "db/manifest/version_set.h"
#include "db/read/early_merge.h"
#include "db/read/point_read.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

inline ColumnFamilyData* FamilyMemTables::FamilyOf(uint32_t id) const {
  return id == 0 ? default_ : versions_->families()->Find(id);
}

bool FamilyMemTables::Find(uint32_t id, Target* target) {
  INVARIANT(target != nullptr);
  ColumnFamilyData* const cfd = FamilyOf(id);
  if (cfd == nullptr) return false;
  target->memtable = cfd->mem().get();
  target->log_number = cfd->log_number();
  assert(cfd->id() == id);
  assert(target->memtable != nullptr);
  return true;
}

bool FamilyMemTables::Resolve(uint32_t id, const PendingMerge& merge,
                              ValueType* type, std::string* value) {
  ColumnFamilyData* const cfd = FamilyOf(id);
  INVARIANT(cfd != nullptr);
  SuperVersion* super_version = cfd->Acquire();
  // Writers wait for it: files are read only where that is asked for.
  ReadOptions options;
  if (!super_version->options->strict_max_successive_merges) {
    options.read_tier = kBlockCacheTier;
  }
  PointRead read = reads_->MakePointRead(options);
  read.statistics = nullptr;  // It is no read of a user's.
  read.super_version = super_version;
  read.snapshot = merge.sequence;
  ResolvedMerge resolved;
  const Status s = ResolveMerge(read, merge.key, merge.operand, &resolved);
  cfd->Return(super_version);
  if (!s.ok()) return false;
  *type = resolved.type;
  *value = std::move(resolved.value);
  return true;
}

Status FamilyMemTables::ReadOlder(uint32_t id, SequenceNumber sequence,
                                  const Slice& key, std::string* value) {
  INVARIANT(value != nullptr);
  ColumnFamilyData* const cfd = FamilyOf(id);
  INVARIANT(cfd != nullptr);
  SuperVersion* const super_version = cfd->Acquire();
  const ReadOptions options;
  PointRead read = reads_->MakePointRead(options);
  read.statistics = nullptr;  // It is no read of a user's.
  read.super_version = super_version;
  read.snapshot = sequence;
  PinnableSlice found;
  const Status s = GetOne(read, key, {.value = &found});
  if (s.ok()) value->assign(found.data(), found.size());
  found.Reset();
  cfd->Return(super_version);
  return s;
}

void FamilyMemTables::OnFull(uint32_t id, MemTable* memtable) {
  memtables_->NoteFull(id, memtable);
}

}  // namespace ROCKSDB_NAMESPACE
