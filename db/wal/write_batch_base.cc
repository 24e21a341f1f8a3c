#include "rocksdb/write_batch_base.h"

#include <string>

namespace ROCKSDB_NAMESPACE {

namespace {

// The pieces as one slice; `buffer` keeps the bytes.
Slice Join(const SliceParts& parts, std::string* buffer) {
  return Slice(parts, buffer);
}

}  // namespace

Status WriteBatchBase::Put(ColumnFamilyHandle* column_family,
                           const SliceParts& key, const SliceParts& value) {
  std::string key_buffer;
  std::string value_buffer;
  return Put(column_family, Join(key, &key_buffer), Join(value, &value_buffer));
}

Status WriteBatchBase::Put(const SliceParts& key, const SliceParts& value) {
  std::string key_buffer;
  std::string value_buffer;
  return Put(Join(key, &key_buffer), Join(value, &value_buffer));
}

Status WriteBatchBase::Merge(ColumnFamilyHandle* column_family,
                             const SliceParts& key, const SliceParts& value) {
  std::string key_buffer;
  std::string value_buffer;
  return Merge(column_family, Join(key, &key_buffer),
               Join(value, &value_buffer));
}

Status WriteBatchBase::Merge(const SliceParts& key, const SliceParts& value) {
  std::string key_buffer;
  std::string value_buffer;
  return Merge(Join(key, &key_buffer), Join(value, &value_buffer));
}

Status WriteBatchBase::Delete(ColumnFamilyHandle* column_family,
                              const SliceParts& key) {
  std::string buffer;
  return Delete(column_family, Join(key, &buffer));
}

Status WriteBatchBase::Delete(const SliceParts& key) {
  std::string buffer;
  return Delete(Join(key, &buffer));
}

Status WriteBatchBase::SingleDelete(ColumnFamilyHandle* column_family,
                                    const SliceParts& key) {
  std::string buffer;
  return SingleDelete(column_family, Join(key, &buffer));
}

Status WriteBatchBase::SingleDelete(const SliceParts& key) {
  std::string buffer;
  return SingleDelete(Join(key, &buffer));
}

Status WriteBatchBase::DeleteRange(ColumnFamilyHandle* column_family,
                                   const SliceParts& begin_key,
                                   const SliceParts& end_key) {
  std::string begin_buffer;
  std::string end_buffer;
  return DeleteRange(column_family, Join(begin_key, &begin_buffer),
                     Join(end_key, &end_buffer));
}

Status WriteBatchBase::DeleteRange(const SliceParts& begin_key,
                                   const SliceParts& end_key) {
  std::string begin_buffer;
  std::string end_buffer;
  return DeleteRange(Join(begin_key, &begin_buffer),
                     Join(end_key, &end_buffer));
}

}  // namespace ROCKSDB_NAMESPACE
