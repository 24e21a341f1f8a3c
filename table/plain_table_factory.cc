// The factory "PlainTable", whose format is not built yet: a database that is
// to be opened with it is refused by name.
#include <memory>
#include <string>

#include "file/random_access_file_reader.h"
#include "rocksdb/table.h"
#include "table/table_builder.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class PlainTableFactory final : public TableFactory {
 public:
  const char* Name() const override { return kPlainTableName(); }

  Status NewTableReader(const ReadOptions& /*read_options*/,
                        const TableReaderOptions& /*reader_options*/,
                        std::unique_ptr<RandomAccessFileReader>&& /*file*/,
                        uint64_t /*file_size*/,
                        std::unique_ptr<TableReader>* /*table_reader*/,
                        bool /*prefetch*/) const override {
    return Refusal();
  }
  std::unique_ptr<TableBuilder> NewTableBuilder(
      const TableBuilderOptions& /*builder_options*/,
      WritableFileWriter* /*file*/) const override {
    return nullptr;  // ValidateOptions() lets no database come this far.
  }
  std::unique_ptr<TableFactory> Clone() const override {
    return std::make_unique<PlainTableFactory>();
  }
  Status ValidateOptions(const DBOptions& /*db*/,
                         const ColumnFamilyOptions& /*cf*/) const override {
    return Refusal();
  }

 private:
  static Status Refusal() {
    return Status::NotSupported("table_factory=PlainTable", "not built yet");
  }
};

}  // namespace

TableFactory* NewPlainTableFactory(const PlainTableOptions& /*options*/) {
  return std::make_unique<PlainTableFactory>().release();
}

}  // namespace ROCKSDB_NAMESPACE
