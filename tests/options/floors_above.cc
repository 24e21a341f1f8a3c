#include "tests/options/floors_above.h"

#include "options/builtin_objects.h"
#include "table/table_builder.h"

namespace ROCKSDB_NAMESPACE {

Status FakeTableFactory::NewTableReader(
    const ReadOptions&, const TableReaderOptions&,
    std::unique_ptr<RandomAccessFileReader>&&, uint64_t,
    std::unique_ptr<TableReader>*, bool) const {
  return Status::NotSupported("no tables here");
}

TableBuilder* FakeTableFactory::NewTableBuilder(const TableBuilderOptions&,
                                                WritableFileWriter*) const {
  return nullptr;
}

std::unique_ptr<TableFactory> FakeTableFactory::Clone() const {
  return std::make_unique<FakeTableFactory>(options_);
}

namespace {

void RegisterFakeTableFactory() {
  AddBuiltin<TableFactory, FakeTableFactory>(
      TableFactory::kBlockBasedTableName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterFakeTableFactory);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
