// The table factory that lets an application's format stand where ours do.
#include <memory>
#include <string>
#include <utility>

#include "file/random_access_file_reader.h"
#include "rocksdb/comparator.h"
#include "rocksdb/external_table.h"
#include "table/external/external_table_builder.h"
#include "table/external/external_table_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class ExternalTableAdapter final : public TableFactory {
 public:
  explicit ExternalTableAdapter(std::shared_ptr<ExternalTableFactory> inner)
      : inner_(std::move(inner)) {
    INVARIANT(inner_ != nullptr);
  }

  const char* Name() const override { return inner_->Name(); }
  const Customizable* Inner() const override { return inner_.get(); }

  Status ValidateOptions(const DBOptions& db,
                         const ColumnFamilyOptions& cf) const override {
    Status s = CheckExternalTableOrder(cf.comparator, Name());
    return s.ok() ? inner_->ValidateOptions(db, cf) : s;
  }

  using TableFactory::NewTableReader;
  Status NewTableReader(const ReadOptions& read_options,
                        const TableReaderOptions& reader_options,
                        std::unique_ptr<RandomAccessFileReader>&& file,
                        uint64_t /*file_size*/,
                        std::unique_ptr<TableReader>* table_reader,
                        bool /*prefetch*/) const override {
    return ExternalTableReaderAdapter::Open(
        *inner_, read_options, reader_options, std::move(file), table_reader);
  }

  TableBuilder* NewTableBuilder(const TableBuilderOptions& builder_options,
                                WritableFileWriter* file) const override {
    return std::make_unique<ExternalTableBuilderAdapter>(*inner_,
                                                         builder_options, file)
        .release();
  }

  // The options are the inner factory's, which both have.
  std::unique_ptr<TableFactory> Clone() const override {
    return std::make_unique<ExternalTableAdapter>(inner_);
  }

 private:
  const std::shared_ptr<ExternalTableFactory> inner_;
};

}  // namespace

std::unique_ptr<TableFactory> NewExternalTableFactory(
    std::shared_ptr<ExternalTableFactory> inner_factory) {
  return std::make_unique<ExternalTableAdapter>(std::move(inner_factory));
}

}  // namespace ROCKSDB_NAMESPACE
