#include "options/default_objects.h"

#include "options/object_registry.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<TableFactory> NewDefaultTableFactory() {
  std::shared_ptr<TableFactory> factory;
  const Status s = MakeObject(TableFactory::kBlockBasedTableName(), &factory);
  return s.ok() ? factory : nullptr;
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
