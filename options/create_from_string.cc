// CreateFromString() of the public classes whose objects others register.
#include "options/object_kinds.h"
#include "rocksdb/listener.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

Status MemTableRepFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::shared_ptr<MemTableRepFactory>* factory) {
  return ParseSharedObject(config_options, id, factory);
}

Status MemTableRepFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::unique_ptr<MemTableRepFactory>* factory) {
  std::shared_ptr<MemTableRepFactory> shared;
  Status s = ParseSharedObject(config_options, id, &shared);
  if (!s.ok()) return s;
  if (const auto* list = dynamic_cast<SkipListFactory*>(shared.get())) {
    *factory = std::make_unique<SkipListFactory>(list->lookahead());
  } else if (const auto* vec = dynamic_cast<VectorRepFactory*>(shared.get())) {
    *factory = std::make_unique<VectorRepFactory>(vec->count());
  } else if (shared == nullptr) {
    factory->reset();
  } else {
    s = Status::NotSupported("this factory can only be shared", id);
  }
  return s;
}

Status TableFactory::CreateFromString(const ConfigOptions& config_options,
                                      const std::string& value,
                                      std::shared_ptr<TableFactory>* factory) {
  return ParseSharedObject(config_options, value, factory);
}

Status SstPartitionerFactory::CreateFromString(
    const ConfigOptions& options, const std::string& value,
    std::shared_ptr<SstPartitionerFactory>* result) {
  return ParseSharedObject(options, value, result);
}

Status TablePropertiesCollectorFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::shared_ptr<TablePropertiesCollectorFactory>* result) {
  return ParseSharedObject(config_options, id, result);
}

Status EventListener::CreateFromString(const ConfigOptions& options,
                                       const std::string& id,
                                       std::shared_ptr<EventListener>* result) {
  return ParseSharedObject(options, id, result);
}

}  // namespace ROCKSDB_NAMESPACE
