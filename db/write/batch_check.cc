#include "db/write/batch_check.h"

#include <map>

#include "db/wal/column_family_handle_internal.h"
#include "db/wal/write_batch_format.h"

namespace ROCKSDB_NAMESPACE {
namespace {

Status CheckRange(const BatchEntry& entry, const FamilyRules& rules) {
  if (!rules.tables_without_ranges.empty()) {
    return Status::NotSupported("DeleteRange", std::string("column family ") +
                                                   rules.name + " stores " +
                                                   rules.tables_without_ranges);
  }
  if (rules.order.CompareUserKeys(entry.key, entry.value) > 0) {
    return Status::InvalidArgument("end key comes before start key");
  }
  return Status::OK();
}

Status CheckEntry(const BatchEntry& entry, const FamilyRules& rules) {
  if (!rules.takes_writes) return FamilyTakesNoWrites();
  const size_t timestamp = rules.order.timestamp_size();
  const bool is_range = entry.type == kTypeRangeDeletion;
  if (entry.key.size() < timestamp ||
      (is_range && entry.value.size() < timestamp)) {
    return Status::InvalidArgument(
        "a key is too short for the timestamps of column family",
        std::to_string(entry.column_family_id));
  }
  if (entry.type == kTypeMerge && !rules.has_merge_operator) {
    return Status::InvalidArgument(
        "Merge requires `ColumnFamilyOptions::merge_operator != nullptr`",
        "column family " + rules.name);
  }
  return is_range ? CheckRange(entry, rules) : Status::OK();
}

}  // namespace

Status CheckEntries(const WriteBatch& batch, const FamilyRulesOf& rules_of) {
  std::map<uint32_t, std::optional<FamilyRules>> met;
  BatchReader reader(batch.Data());
  while (!reader.AtEnd()) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    auto [rules, is_new] =
        met.try_emplace(entry.column_family_id, std::nullopt);
    if (is_new) rules->second = rules_of(entry.column_family_id);
    if (!rules->second) continue;
    if (Status s = CheckEntry(entry, *rules->second); !s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
