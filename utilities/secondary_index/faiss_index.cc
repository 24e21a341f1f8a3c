// FaissIVFIndex, as it is where FAISS is not linked.
#include <utility>

#include "rocksdb/utilities/secondary_index_faiss.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status WithoutFaiss() {
  return Status::NotSupported("FaissIVFIndex: built without FAISS");
}

}  // namespace

FaissIVFIndex::FaissIVFIndex(std::unique_ptr<faiss::IndexIVF>&& /*index*/,
                             std::string primary_column_name)
    : primary_column_name_(std::move(primary_column_name)) {}

FaissIVFIndex::~FaissIVFIndex() = default;

void FaissIVFIndex::SetPrimaryColumnFamily(ColumnFamilyHandle* column_family) {
  primary_column_family_ = column_family;
}

void FaissIVFIndex::SetSecondaryColumnFamily(
    ColumnFamilyHandle* column_family) {
  secondary_column_family_ = column_family;
}

ColumnFamilyHandle* FaissIVFIndex::GetPrimaryColumnFamily() const {
  return primary_column_family_;
}

ColumnFamilyHandle* FaissIVFIndex::GetSecondaryColumnFamily() const {
  return secondary_column_family_;
}

Slice FaissIVFIndex::GetPrimaryColumnName() const {
  return primary_column_name_;
}

Status FaissIVFIndex::UpdatePrimaryColumnValue(
    const Slice& /*primary_key*/, const Slice& /*primary_column_value*/,
    std::optional<std::variant<Slice, std::string>>* /*updated_column_value*/)
    const {
  return WithoutFaiss();
}

Status FaissIVFIndex::GetSecondaryKeyPrefix(
    const Slice& /*primary_key*/, const Slice& /*primary_column_value*/,
    std::variant<Slice, std::string>* /*secondary_key_prefix*/) const {
  return WithoutFaiss();
}

Status FaissIVFIndex::FinalizeSecondaryKeyPrefix(
    std::variant<Slice, std::string>* /*secondary_key_prefix*/) const {
  return WithoutFaiss();
}

Status FaissIVFIndex::GetSecondaryValue(
    const Slice& /*primary_key*/, const Slice& /*primary_column_value*/,
    const Slice& /*original_column_value*/,
    std::optional<std::variant<Slice, std::string>>* /*secondary_value*/)
    const {
  return WithoutFaiss();
}

Status FaissIVFIndex::FindKNearestNeighbors(
    SecondaryIndexIterator* /*it*/, const Slice& /*target*/,
    size_t /*neighbors*/, size_t /*probes*/,
    std::vector<std::pair<std::string, float>>* /*result*/) const {
  return WithoutFaiss();
}

}  // namespace ROCKSDB_NAMESPACE
