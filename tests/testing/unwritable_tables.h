// A table format that is read only: it has no builder.
//
// Threads  Any.
#pragma once

#include <memory>

#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

class UnwritableTables final : public TableFactory {
 public:
  const char* Name() const override { return "UnwritableTables"; }
  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions&, const TableReaderOptions&,
                        std::unique_ptr<RandomAccessFileReader>&&, uint64_t,
                        std::unique_ptr<TableReader>*, bool) const override {
    return Status::NotSupported(Name());
  }
  TableBuilder* NewTableBuilder(const TableBuilderOptions&,
                                WritableFileWriter*) const override {
    return nullptr;
  }
  std::unique_ptr<TableFactory> Clone() const override {
    return std::make_unique<UnwritableTables>();
  }
};

}  // namespace ROCKSDB_NAMESPACE
