#include "rocksdb/utilities/debug.h"

#include <algorithm>
#include <utility>

#include "db/impl/reading_db.h"
#include "utilities/debug/key_visitor.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct NamedValueType {
  ValueType type;
  const char* name;
};

constexpr NamedValueType kValueTypeNames[] = {
    {kTypeDeletion, "TypeDeletion"},
    {kTypeValue, "TypeValue"},
    {kTypeMerge, "TypeMerge"},
    {kTypeLogData, "TypeLogData"},
    {kTypeColumnFamilyDeletion, "TypeColumnFamilyDeletion"},
    {kTypeColumnFamilyValue, "TypeColumnFamilyValue"},
    {kTypeColumnFamilyMerge, "TypeColumnFamilyMerge"},
    {kTypeSingleDeletion, "TypeSingleDeletion"},
    {kTypeColumnFamilySingleDeletion, "TypeColumnFamilySingleDeletion"},
    {kTypeBeginPrepareXID, "TypeBeginPrepareXID"},
    {kTypeEndPrepareXID, "TypeEndPrepareXID"},
    {kTypeCommitXID, "TypeCommitXID"},
    {kTypeRollbackXID, "TypeRollbackXID"},
    {kTypeNoop, "TypeNoop"},
    {kTypeColumnFamilyRangeDeletion, "TypeColumnFamilyRangeDeletion"},
    {kTypeRangeDeletion, "TypeRangeDeletion"},
    {kTypeColumnFamilyBlobIndex, "TypeColumnFamilyBlobIndex"},
    {kTypeBlobIndex, "TypeBlobIndex"},
    {kTypeBeginPersistedPrepareXID, "TypeBeginPersistedPrepareXID"},
    {kTypeBeginUnprepareXID, "TypeBeginUnprepareXID"},
    {kTypeDeletionWithTimestamp, "TypeDeletionWithTimestamp"},
    {kTypeCommitXIDAndTimestamp, "TypeCommitXIDAndTimestamp"},
    {kTypeWideColumnEntity, "TypeWideColumnEntity"},
    {kTypeColumnFamilyWideColumnEntity, "TypeColumnFamilyWideColumnEntity"},
    {kTypeValuePreferredSeqno, "TypeValuePreferredSeqno"},
    {kTypeColumnFamilyValuePreferredSeqno,
     "TypeColumnFamilyValuePreferredSeqno"},
};

}  // namespace

std::string KeyVersion::GetTypeName() const {
  for (const NamedValueType& row : kValueTypeNames) {
    if (static_cast<int>(row.type) == type) return row.name;
  }
  return "Invalid";
}

Status VisitKeyVersions(
    DB* db, ColumnFamilyHandle* family, const EntryRange& range,
    const std::function<bool(const ParsedInternalKey&, const Slice&)>& visit) {
  auto* const engine = dynamic_cast<ReadingDB*>(db->GetRootDB());
  if (engine == nullptr) {
    return Status::NotSupported("all key versions of this kind of DB");
  }
  return engine->VisitEntries(family, range, visit);
}

Status GetAllKeyVersions(DB* db, OptSlice begin_key, OptSlice end_key,
                         size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions) {
  if (db == nullptr) return Status::InvalidArgument("db cannot be null.");
  return GetAllKeyVersions(db, db->DefaultColumnFamily(), begin_key, end_key,
                           max_num_ikeys, key_versions);
}

Status GetAllKeyVersions(DB* db, ColumnFamilyHandle* cfh, OptSlice begin_key,
                         OptSlice end_key, size_t max_num_ikeys,
                         std::vector<KeyVersion>* key_versions) {
  if (db == nullptr) return Status::InvalidArgument("db cannot be null.");
  if (cfh == nullptr) {
    return Status::InvalidArgument("Column family handle cannot be null.");
  }
  if (key_versions == nullptr) {
    return Status::InvalidArgument("key_versions cannot be null.");
  }
  const size_t limit = std::max<size_t>(max_num_ikeys, 1);
  std::vector<KeyVersion> found;
  const Status s = VisitKeyVersions(
      db, cfh, {begin_key, end_key, ReadOptions()},
      [&](const ParsedInternalKey& key, const Slice& value) {
        found.emplace_back(key.user_key.ToString(), value.ToString(),
                           key.sequence, key.type);
        return found.size() < limit;
      });
  if (s.ok()) key_versions->swap(found);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
