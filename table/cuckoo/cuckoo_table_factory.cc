#include "table/cuckoo/cuckoo_table_factory.h"

#include <string>
#include <utility>

#include "file/random_access_file_reader.h"
#include "options/builtin_objects.h"
#include "rocksdb/comparator.h"
#include "table/cuckoo/cuckoo_table_builder.h"
#include "table/cuckoo/cuckoo_table_reader.h"

namespace ROCKSDB_NAMESPACE {

Status CuckooTableFactory::NewTableReader(
    const ReadOptions& /*read_options*/,
    const TableReaderOptions& reader_options,
    std::unique_ptr<RandomAccessFileReader>&& file, uint64_t file_size,
    std::unique_ptr<TableReader>* table_reader,
    bool /*prefetch_index_and_filter_in_cache*/) const {
  return CuckooTableReader::Open(reader_options, std::move(file), file_size,
                                 table_reader);
}

TableBuilder* CuckooTableFactory::NewTableBuilder(
    const TableBuilderOptions& builder_options,
    WritableFileWriter* file) const {
  return std::make_unique<CuckooTableBuilder>(options_, builder_options, file)
      .release();
}

std::unique_ptr<TableFactory> CuckooTableFactory::Clone() const {
  return std::make_unique<CuckooTableFactory>(options_);
}

Status CuckooTableFactory::ValidateOptions(
    const DBOptions& /*db*/, const ColumnFamilyOptions& cf) const {
  const double ratio = options_.hash_table_ratio;
  if (!(ratio > 0.0 && ratio <= 1.0)) {
    return Status::InvalidArgument(
        "CuckooTable: hash_table_ratio=" + std::to_string(ratio),
        "must be greater than 0 and at most 1");
  }
  if (cf.comparator != nullptr && cf.comparator->timestamp_size() > 0) {
    return Status::NotSupported("CuckooTable: timestamps");
  }
  return Status::OK();
}

TableFactory* NewCuckooTableFactory(const CuckooTableOptions& options) {
  return std::make_unique<CuckooTableFactory>(options).release();
}

namespace {

void RegisterCuckooTable() {
  AddBuiltin<TableFactory, CuckooTableFactory>(
      TableFactory::kCuckooTableName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterCuckooTable);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
