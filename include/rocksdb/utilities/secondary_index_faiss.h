// A secondary index by nearness of vectors. It needs the library FAISS, which
// this engine is not built with.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rocksdb/utilities/secondary_index.h"

namespace faiss {
struct IndexIVF;
}  // namespace faiss

namespace ROCKSDB_NAMESPACE {

// Errors     Every call that says how it went answers NotSupported.
// Ownership  Leaves the index of FAISS with the caller.
class FaissIVFIndex : public SecondaryIndex {
 public:
  explicit FaissIVFIndex(std::unique_ptr<faiss::IndexIVF>&& index,
                         std::string primary_column_name);
  ~FaissIVFIndex() override;

  void SetPrimaryColumnFamily(ColumnFamilyHandle* column_family) override;
  void SetSecondaryColumnFamily(ColumnFamilyHandle* column_family) override;
  ColumnFamilyHandle* GetPrimaryColumnFamily() const override;
  ColumnFamilyHandle* GetSecondaryColumnFamily() const override;
  Slice GetPrimaryColumnName() const override;
  Status UpdatePrimaryColumnValue(
      const Slice& primary_key, const Slice& primary_column_value,
      std::optional<std::variant<Slice, std::string>>* updated_column_value)
      const override;
  Status GetSecondaryKeyPrefix(
      const Slice& primary_key, const Slice& primary_column_value,
      std::variant<Slice, std::string>* secondary_key_prefix) const override;
  Status FinalizeSecondaryKeyPrefix(
      std::variant<Slice, std::string>* secondary_key_prefix) const override;
  Status GetSecondaryValue(const Slice& primary_key,
                           const Slice& primary_column_value,
                           const Slice& original_column_value,
                           std::optional<std::variant<Slice, std::string>>*
                               secondary_value) const override;

  // The `neighbors` keys whose vectors are nearest to `target`, with their
  // distances, of the `probes` nearest lists.
  Status FindKNearestNeighbors(
      SecondaryIndexIterator* it, const Slice& target, size_t neighbors,
      size_t probes, std::vector<std::pair<std::string, float>>* result) const;

 private:
  std::string primary_column_name_;
  ColumnFamilyHandle* primary_column_family_ = nullptr;
  ColumnFamilyHandle* secondary_column_family_ = nullptr;
};

// A vector of `dim` numbers as the bytes of a column, which are borrowed.
inline Slice ConvertFloatsToSlice(const float* embedding, size_t dim) {
  return Slice(reinterpret_cast<const char*>(embedding), dim * sizeof(float));
}
// The other way; null if the slice has not `dim` numbers.
inline const float* ConvertSliceToFloats(const Slice& embedding, size_t dim) {
  if (embedding.size() != dim * sizeof(float)) return nullptr;
  return reinterpret_cast<const float*>(embedding.data());
}

}  // namespace ROCKSDB_NAMESPACE
