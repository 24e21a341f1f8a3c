// CreateFromString() of the public classes whose objects have names.
//
// A name that nothing has is passed over where the options say so, as they do
// by default: OK, and the result is what it was. Caches are made of a size or
// of options, so that any other text is a wrong one.
#include "monitoring/statistics_impl.h"
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

// OK for a name that nothing has, where it is to be passed over.
Status UnlessPassedOver(const ConfigOptions& config, Status s) {
  const bool is_passed_over =
      s.IsNotSupported() && config.ignore_unsupported_options;
  return is_passed_over ? Status::OK() : s;
}

// A new object as `text` describes it, or a changed copy of the one that is
// there; none for no text.
template <class T>
Status CreateShared(const ConfigOptions& config, const std::string& text,
                    std::shared_ptr<T>* result) {
  if (!IsNullText(text)) {
    return UnlessPassedOver(config,
                            MakeSharedFromText(config, text, *result, result));
  }
  result->reset();
  return Status::OK();
}

// A static one.
template <class T>
Status FindStatic(const ConfigOptions& config, const std::string& text,
                  T** result) {
  if (!IsNullText(text)) {
    return UnlessPassedOver(config, MakeStaticFromText(config, text, result));
  }
  *result = nullptr;
  return Status::OK();
}

// There has to be one of these.
Status CannotBeReset() { return Status::NotSupported("Cannot reset object"); }

constexpr const char* kNoObject = "nullptr";

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
  return CreateShared(
      opts, value.empty() ? StatisticsImpl::kClassName() : value, result);
}

Status WalFilter::CreateFromString(const ConfigOptions& options,
                                   const std::string& value,
                                   WalFilter** result) {
  return FindStatic(options, value, result);
}

Status MemoryAllocator::CreateFromString(
    const ConfigOptions& options, const std::string& value,
    std::shared_ptr<MemoryAllocator>* result) {
  if (value == kNoObject) return CannotBeReset();
  const auto registry = ObjectRegistry::Default();
  std::shared_ptr<MemoryAllocator> made =
      registry->GetManagedObject<MemoryAllocator>(value);
  if (made == nullptr) {
    Status s = CreateShared(options, value, &made);
    if (!s.ok()) return s;
    if (made == nullptr) {
      if (value.empty()) result->reset();
      return s;
    }
    // One that is told apart from others of its class is shared by all who ask
    // for it: the first of them counts.
    if (made->GetId() != made->Name() &&
        !registry->SetManagedObject(value, made).ok()) {
      if (auto first = registry->GetManagedObject<MemoryAllocator>(value)) {
        made = std::move(first);
      }
    }
  }
  *result = std::move(made);
  return Status::OK();
}

// --- Those of column families ------------------------------------------------

Status Comparator::CreateFromString(const ConfigOptions& opts,
                                    const std::string& id,
                                    const Comparator** comp) {
  if (id == kNoObject) return CannotBeReset();
  return FindStatic(opts, id, comp);
}

Status MergeOperator::CreateFromString(const ConfigOptions& opts,
                                       const std::string& id,
                                       std::shared_ptr<MergeOperator>* result) {
  return CreateShared(opts, id, result);
}

Status CompactionFilter::CreateFromString(const ConfigOptions& config_options,
                                          const std::string& name,
                                          const CompactionFilter** result) {
  return FindStatic(config_options, name, result);
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
  if (id == kNoObject) return CannotBeReset();
  return ParseSharedObject(config_options, id, factory);
}

Status MemTableRepFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::unique_ptr<MemTableRepFactory>* factory) {
  if (id == kNoObject) return CannotBeReset();
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
  return ParseSharedObject(
      config,
      IsNullText(value) ? FlushBlockBySizePolicyFactory::kClassName() : value,
      result);
}

Status Cache::CreateFromString(const ConfigOptions& config_options,
                               const std::string& value,
                               std::shared_ptr<Cache>* result) {
  if (value.starts_with("null")) return Status::OK();
  if (value.empty()) {
    result->reset();
    return Status::OK();
  }
  Status s = MakeSharedFromText(config_options, value, std::shared_ptr<Cache>(),
                                result);
  const bool is_size = value.find_first_of("=:") == std::string::npos;
  return s.IsNotSupported() && is_size
             ? Status::InvalidArgument("not the size of a cache", value)
             : s;
}

Status SecondaryCache::CreateFromString(
    const ConfigOptions& config_options, const std::string& id,
    std::shared_ptr<SecondaryCache>* result) {
  return CreateShared(config_options, id, result);
}

}  // namespace ROCKSDB_NAMESPACE
