#include "table/plain/plain_table_factory.h"

#include <utility>

#include "file/random_access_file_reader.h"
#include "options/builtin_objects.h"
#include "table/plain/plain_table_builder.h"
#include "table/plain/plain_table_reader.h"

namespace ROCKSDB_NAMESPACE {

Status PlainTableFactory::NewTableReader(
    const ReadOptions& /*read_options*/,
    const TableReaderOptions& reader_options,
    std::unique_ptr<RandomAccessFileReader>&& file, uint64_t file_size,
    std::unique_ptr<TableReader>* table_reader,
    bool /*prefetch_index_and_filter_in_cache*/) const {
  return PlainTableReader::Open(options_, reader_options, std::move(file),
                                file_size, table_reader);
}

TableBuilder* PlainTableFactory::NewTableBuilder(
    const TableBuilderOptions& builder_options,
    WritableFileWriter* file) const {
  return std::make_unique<PlainTableBuilder>(options_, builder_options, file)
      .release();
}

std::unique_ptr<TableFactory> PlainTableFactory::Clone() const {
  return std::make_unique<PlainTableFactory>(options_);
}

TableFactory* NewPlainTableFactory(const PlainTableOptions& options) {
  return std::make_unique<PlainTableFactory>(options).release();
}

namespace {

void RegisterPlainTable() {
  AddBuiltin<TableFactory, PlainTableFactory>(TableFactory::kPlainTableName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterPlainTable);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
