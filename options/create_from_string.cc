// CreateFromString() of the public classes whose objects have names.
//
// Some pass over a name that nothing has where the options say so
// (ParseSharedObject); the others say NotSupported whatever the options are.
#include "options/object_kinds.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/cache.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/listener.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/wal_filter.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The object that `text` describes, null for no text or nullptr.
template <class T>
Status CreateShared(const ConfigOptions& config, const std::string& text,
                    std::shared_ptr<T>* result) {
  if (!IsNullText(text)) {
    return MakeSharedFromText(config, text, std::shared_ptr<T>(), result);
  }
  result->reset();
  return Status::OK();
}

}  // namespace

// --- Those of databases ------------------------------------------------------

Status EventListener::CreateFromString(const ConfigOptions& options,
                                       const std::string& id,
                                       std::shared_ptr<EventListener>* result) {
  return ParseSharedObject(options, id, result);
}

Status FileChecksumGenFactory::CreateFromString(
    const ConfigOptions& options, const std::string& value,
    std::shared_ptr<FileChecksumGenFactory>* result) {
  return CreateShared(options, value, result);
}

Status RateLimiter::CreateFromString(const ConfigOptions& options,
                                     const std::string& value,
                                     std::shared_ptr<RateLimiter>* result) {
  return CreateShared(options, value, result);
}

Status Statistics::CreateFromString(const ConfigOptions& opts,
                                    const std::string& value,
                                    std::shared_ptr<Statistics>* result) {
  return CreateShared(opts, value, result);
}

Status WalFilter::CreateFromString(const ConfigOptions& options,
                                   const std::string& value,
                                   WalFilter** result) {
  WalFilter* made = nullptr;
  Status s = ParseRawObject(options, value, &made);
  if (s.ok()) *result = made;
  return s;
}

Status MemoryAllocator::CreateFromString(
    const ConfigOptions& options, const std::string& value,
    std::shared_ptr<MemoryAllocator>* result) {
  std::shared_ptr<MemoryAllocator> made;
  Status s = ParseSharedObject(options, value, &made);
  if (s.ok()) *result = std::move(made);
  return s;
}

// --- Those of column families ------------------------------------------------

Status Comparator::CreateFromString(const ConfigOptions& opts,
                                    const std::string& id,
                                    const Comparator** comp) {
  return MakeStaticFromText(opts, id, comp);
}

Status MergeOperator::CreateFromString(const ConfigOptions& opts,
                                       const std::string& id,
                                       std::shared_ptr<MergeOperator>* result) {
  return CreateShared(opts, id, result);
}

Status CompactionFilter::CreateFromString(const ConfigOptions& config_options,
                                          const std::string& name,
                                          const CompactionFilter** result) {
  if (!IsNullText(name))
    return MakeStaticFromText(config_options, name, result);
  *result = nullptr;
  return Status::OK();
}

Status CompactionFilterFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& name,
    std::shared_ptr<CompactionFilterFactory>* result) {
  return CreateShared(config_options, name, result);
}

Status CompressionManager::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::shared_ptr<CompressionManager>* result) {
  return ParseSharedObject(config_options, id, result);
}

Status SliceTransform::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::shared_ptr<const SliceTransform>* result) {
  return CreateShared(config_options, id, result);
}

Status MemTableRepFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::shared_ptr<MemTableRepFactory>* factory) {
  return ParseSharedObject(config_options, id, factory);
}

Status MemTableRepFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::unique_ptr<MemTableRepFactory>* factory) {
  Status s;
  std::unique_ptr<MemTableRepFactory> made;
  if (!IsNullText(id)) s = MakeUniqueFromText(config_options, id, &made);
  if (s.IsNotSupported() && config_options.ignore_unsupported_options) {
    s = Status::OK();
  }
  if (s.ok()) *factory = std::move(made);
  return s;
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

// --- Those of tables
// ----------------------------------------------------------

Status TableFactory::CreateFromString(const ConfigOptions& config_options,
                                      const std::string& value,
                                      std::shared_ptr<TableFactory>* factory) {
  return ParseSharedObject(config_options, value, factory);
}

Status FilterPolicy::CreateFromString(
    const ConfigOptions& config_options, const std::string& value,
    std::shared_ptr<const FilterPolicy>* result) {
  return ParseSharedObject(config_options, value, result);
}

Status FlushBlockPolicyFactory::CreateFromString(
    const ConfigOptions& config, const std::string& value,
    std::shared_ptr<FlushBlockPolicyFactory>* result) {
  return ParseSharedObject(config, value, result);
}

Status Cache::CreateFromString(const ConfigOptions& config_options,
                               const std::string& value,
                               std::shared_ptr<Cache>* result) {
  return CreateShared(config_options, value, result);
}

Status SecondaryCache::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::shared_ptr<SecondaryCache>* result) {
  return CreateShared(config_options, id, result);
}

}  // namespace ROCKSDB_NAMESPACE
