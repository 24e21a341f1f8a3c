// Table factories that programs may name but that are not built: they stand in
// options until a database is opened, which they refuse by their names.

#include <cstdint>
#include <memory>
#include <string>

#include "file/random_access_file_reader.h"
#include "rocksdb/table.h"
#include "table/table_builder.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class UnbuiltTableFactory final : public TableFactory {
 public:
  explicit UnbuiltTableFactory(const char* name) : name_(name) {}

  const char* Name() const override { return name_; }
  Status ValidateOptions(const DBOptions&,
                         const ColumnFamilyOptions&) const override {
    return Refusal();
  }
  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions&, const TableReaderOptions&,
                        std::unique_ptr<RandomAccessFileReader>&&, uint64_t,
                        std::unique_ptr<TableReader>*, bool) const override {
    return Refusal();
  }
  TableBuilder* NewTableBuilder(const TableBuilderOptions&,
                                WritableFileWriter*) const override {
    return nullptr;
  }
  std::unique_ptr<TableFactory> Clone() const override {
    return std::make_unique<UnbuiltTableFactory>(name_);
  }

 private:
  Status Refusal() const {
    return Status::NotSupported(std::string("table_factory=") + name_,
                                "not built");
  }

  const char* const name_;
};

}  // namespace

TableFactory* NewCuckooTableFactory(const CuckooTableOptions& /*options*/) {
  return std::make_unique<UnbuiltTableFactory>(TableFactory::kCuckooTableName())
      .release();
}

TableFactory* NewAdaptiveTableFactory(
    std::shared_ptr<TableFactory> /*table_factory_to_write*/,
    std::shared_ptr<TableFactory> /*block_based_table_factory*/,
    std::shared_ptr<TableFactory> /*plain_table_factory*/,
    std::shared_ptr<TableFactory> /*cuckoo_table_factory*/) {
  return std::make_unique<UnbuiltTableFactory>("AdaptiveTableFactory")
      .release();
}

}  // namespace ROCKSDB_NAMESPACE
