// Stands in for a table format, which this program does not link: a factory
// with real BlockBasedTableOptions that makes no tables.
#pragma once

#include <memory>

#include "options/configurable_rows.h"
#include "options/table_rows.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

class FakeTableFactory final
    : public RowConfigurable<TableFactory, BlockBasedTableOptions,
                             &BlockBasedTableOptionStruct> {
 public:
  using RowConfigurable::RowConfigurable;

  const char* Name() const override { return kBlockBasedTableName(); }
  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions&, const TableReaderOptions&,
                        std::unique_ptr<RandomAccessFileReader>&&, uint64_t,
                        std::unique_ptr<TableReader>*, bool) const override;
  TableBuilder* NewTableBuilder(const TableBuilderOptions&,
                                WritableFileWriter*) const override;
  std::unique_ptr<TableFactory> Clone() const override;
};

}  // namespace ROCKSDB_NAMESPACE
