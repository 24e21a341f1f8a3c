// Gives a dumped block cache to a secondary cache.
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/utilities/cache_dump_load.h"
#include "utilities/cache_dump/cache_dump_format.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class DefaultCacheDumpedLoader final : public CacheDumpedLoader {
 public:
  DefaultCacheDumpedLoader(std::shared_ptr<SecondaryCache> secondary,
                           std::unique_ptr<CacheDumpReader> reader)
      : secondary_(std::move(secondary)), reader_(std::move(reader)) {}

  IOStatus RestoreCacheEntriesToSecondaryCache() override {
    CacheDumpUnit unit;
    IOStatus s = ReadUnit(&unit);
    if (s.ok() && unit.type != CacheDumpUnitType::kHeader) {
      s = IOStatus::Corruption("cache dump", "it does not begin with a header");
    }
    while (s.ok()) {
      s = ReadUnit(&unit);
      if (!s.ok() || unit.type == CacheDumpUnitType::kFooter) break;
      if (!HoldsBlock(unit.type)) continue;
      s = status_to_io_status(secondary_->InsertSaved(unit.key, unit.value));
    }
    return s;
  }

 private:
  static bool HoldsBlock(CacheDumpUnitType type) {
    return type == CacheDumpUnitType::kData ||
           type == CacheDumpUnitType::kFilter ||
           type == CacheDumpUnitType::kIndex ||
           type == CacheDumpUnitType::kFilterPartitionIndex;
  }

  // The unit points into bytes_.
  IOStatus ReadUnit(CacheDumpUnit* unit) {
    std::string metadata;
    IOStatus s = reader_->ReadMetadata(&metadata);
    if (s.ok() && metadata.empty()) {
      s = IOStatus::Corruption("cache dump", "it ends without a footer");
    }
    if (s.ok()) s = reader_->ReadPacket(&bytes_);
    if (!s.ok()) return s;
    Status decoded = CheckCacheDumpMetadata(metadata, count_++, bytes_);
    if (decoded.ok()) decoded = DecodeCacheDumpUnit(bytes_, unit);
    return status_to_io_status(std::move(decoded));
  }

  const std::shared_ptr<SecondaryCache> secondary_;
  const std::unique_ptr<CacheDumpReader> reader_;
  std::string bytes_;
  uint32_t count_ = 0;
};

}  // namespace

Status NewDefaultCacheDumpedLoader(
    const CacheDumpOptions& /*dump_options*/,
    const BlockBasedTableOptions& /*toptions*/,
    const std::shared_ptr<SecondaryCache>& secondary_cache,
    std::unique_ptr<CacheDumpReader>&& reader,
    std::unique_ptr<CacheDumpedLoader>* cache_dump_loader) {
  if (secondary_cache == nullptr) {
    return Status::InvalidArgument("secondary_cache is null");
  }
  if (reader == nullptr) return Status::InvalidArgument("reader is null");
  *cache_dump_loader = std::make_unique<DefaultCacheDumpedLoader>(
      secondary_cache, std::move(reader));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
