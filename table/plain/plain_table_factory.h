// The table factory "PlainTable".
//
// Threads    Const calls from any thread; options change through Clone() only.
#pragma once

#include <memory>

#include "options/table_rows.h"
#include "rocksdb/table.h"
#include "table/table_factory_of.h"

namespace ROCKSDB_NAMESPACE {

class PlainTableFactory final
    : public TableFactoryOf<PlainTableOptions, PlainTableOptionStruct> {
 public:
  explicit PlainTableFactory(
      const PlainTableOptions& options = PlainTableOptions())
      : TableFactoryOf(options) {}

  static const char* kClassName() { return kPlainTableName(); }
  const char* Name() const override { return kPlainTableName(); }

  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions& read_options,
                        const TableReaderOptions& reader_options,
                        std::unique_ptr<RandomAccessFileReader>&& file,
                        uint64_t file_size,
                        std::unique_ptr<TableReader>* table_reader,
                        bool prefetch_index_and_filter_in_cache) const override;
  TableBuilder* NewTableBuilder(const TableBuilderOptions& builder_options,
                                WritableFileWriter* file) const override;
  std::unique_ptr<TableFactory> Clone() const override;
};

}  // namespace ROCKSDB_NAMESPACE
