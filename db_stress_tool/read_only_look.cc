#include "db_stress_tool/read_only_look.h"

#include <functional>
#include <memory>
#include <string_view>

#include "db_stress_tool/stamps.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::stress {

Status ReadOnlyLook::ReadAll(DB* db, ColumnFamilyHandle* family,
                             uint64_t* fingerprint) {
  const AsOf newest(flags_);
  ReadOptions options;
  options.total_order_seek = true;
  newest.Limit(&options);
  const std::unique_ptr<Iterator> iterator(db->NewIterator(options, family));
  const std::hash<std::string_view> hash;
  constexpr uint64_t kFactor = 0x100000001b3ULL;
  *fingerprint = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    for (const Slice& part : {iterator->key(), iterator->value()}) {
      *fingerprint = *fingerprint * kFactor + hash(part.ToStringView());
    }
  }
  return iterator->status();
}

Status ReadOnlyLook::Take(const Options& options) {
  std::vector<std::string> names;
  if (!options.env->FileExists(flags_.db + "/CURRENT").ok()) {
    return Status::OK();
  }
  Status s = DB::ListColumnFamilies(options, flags_.db, &names);
  if (!s.ok()) return s;
  std::vector<ColumnFamilyDescriptor> families;
  for (const std::string& name : names) {
    families.emplace_back(name, ColumnFamilyOptions(options));
  }
  std::vector<ColumnFamilyHandle*> handles;
  DB* raw = nullptr;
  s = DB::OpenForReadOnly(options, flags_.db, families, &handles, &raw);
  const std::unique_ptr<DB> db(raw);
  for (ColumnFamilyHandle* handle : handles) {
    if (s.ok()) s = ReadAll(raw, handle, &fingerprints_[handle->GetName()]);
    const Status freed = raw->DestroyColumnFamilyHandle(handle);
    if (!freed.ok() && s.ok()) s = freed;
  }
  return s;
}

Status ReadOnlyLook::Compare(DB* db,
                             const std::vector<ColumnFamilyHandle*>& families) {
  Status s;
  for (ColumnFamilyHandle* family : families) {
    const auto expected = fingerprints_.find(family->GetName());
    if (expected == fingerprints_.end()) continue;
    uint64_t fingerprint = 0;
    s = ReadAll(db, family, &fingerprint);
    if (s.ok() && fingerprint != expected->second) {
      s = Status::Corruption("family " + family->GetName(),
                             "had other entries when opened for reading only");
    }
    if (!s.ok()) return s;
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::stress
