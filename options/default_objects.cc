#include "options/default_objects.h"

#include "options/builtin_objects.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<TableFactory> NewDefaultTableFactory() {
  const auto make = BuiltinLibrary()->FindFactory<TableFactory>(
      TableFactory::kBlockBasedTableName());
  if (make == nullptr) return nullptr;
  std::unique_ptr<TableFactory> factory;
  make(TableFactory::kBlockBasedTableName(), &factory, nullptr);
  return factory;
}

std::shared_ptr<MemTableRepFactory> NewDefaultMemTableFactory() {
  return std::make_shared<SkipListFactory>();
}

CompressionType DefaultCompression() {
  for (const CompressionType type : {kLZ4Compression, kSnappyCompression}) {
    if (CompressionTypeSupported(type)) return type;
  }
  return kNoCompression;
}

}  // namespace ROCKSDB_NAMESPACE
