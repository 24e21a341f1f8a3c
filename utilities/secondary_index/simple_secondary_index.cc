#include <utility>

#include "rocksdb/utilities/secondary_index_simple.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "utilities/secondary_index/index_parts.h"

namespace ROCKSDB_NAMESPACE {

SimpleSecondaryIndex::SimpleSecondaryIndex(std::string primary_column_name)
    : primary_column_name_(std::move(primary_column_name)) {}

void SimpleSecondaryIndex::SetPrimaryColumnFamily(
    ColumnFamilyHandle* column_family) {
  INVARIANT(column_family != nullptr);
  primary_column_family_ = column_family;
}

void SimpleSecondaryIndex::SetSecondaryColumnFamily(
    ColumnFamilyHandle* column_family) {
  INVARIANT(column_family != nullptr);
  secondary_column_family_ = column_family;
}

ColumnFamilyHandle* SimpleSecondaryIndex::GetPrimaryColumnFamily() const {
  return primary_column_family_;
}

ColumnFamilyHandle* SimpleSecondaryIndex::GetSecondaryColumnFamily() const {
  return secondary_column_family_;
}

Slice SimpleSecondaryIndex::GetPrimaryColumnName() const {
  return primary_column_name_;
}

Status SimpleSecondaryIndex::UpdatePrimaryColumnValue(
    const Slice& /*primary_key*/, const Slice& /*primary_column_value*/,
    std::optional<std::variant<Slice, std::string>>* /*updated_column_value*/)
    const {
  return Status::OK();
}

Status SimpleSecondaryIndex::GetSecondaryKeyPrefix(
    const Slice& /*primary_key*/, const Slice& primary_column_value,
    std::variant<Slice, std::string>* secondary_key_prefix) const {
  INVARIANT(secondary_key_prefix != nullptr);
  *secondary_key_prefix = primary_column_value;
  return Status::OK();
}

// With its length in front, no value is taken for a part of a longer one.
Status SimpleSecondaryIndex::FinalizeSecondaryKeyPrefix(
    std::variant<Slice, std::string>* secondary_key_prefix) const {
  INVARIANT(secondary_key_prefix != nullptr);
  std::string prefix;
  PutLengthPrefixedSlice(&prefix, SliceOf(*secondary_key_prefix));
  *secondary_key_prefix = std::move(prefix);
  return Status::OK();
}

Status SimpleSecondaryIndex::GetSecondaryValue(
    const Slice& /*primary_key*/, const Slice& /*primary_column_value*/,
    const Slice& /*original_column_value*/,
    std::optional<std::variant<Slice, std::string>>* /*secondary_value*/)
    const {
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
