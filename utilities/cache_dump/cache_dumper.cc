// Dumps a block cache, unit by unit.
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cache/cache_key.h"
#include "db/impl/observed_db.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/utilities/cache_dump_load.h"
#include "rocksdb/version.h"
#include "util/coding.h"
#include "utilities/cache_dump/cache_dump_format.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// False: blocks of that role are not dumped.
bool UnitTypeOf(CacheEntryRole role, CacheDumpUnitType* type) {
  switch (role) {
    case CacheEntryRole::kDataBlock:
      *type = CacheDumpUnitType::kData;
      return true;
    case CacheEntryRole::kFilterBlock:
      *type = CacheDumpUnitType::kFilter;
      return true;
    case CacheEntryRole::kFilterMetaBlock:
      *type = CacheDumpUnitType::kFilterPartitionIndex;
      return true;
    case CacheEntryRole::kIndexBlock:
      *type = CacheDumpUnitType::kIndex;
      return true;
    default:
      return false;
  }
}

std::string HeaderText() {
  return "feedcafedeadbeef\tCache dump format version: " +
         std::to_string(kCacheDumpMajorVersion) + "." +
         std::to_string(kCacheDumpMinorVersion) +
         "\tRocksDB Version: " + GetRocksVersionAsString(/*with_patch=*/false) +
         "\tFormat: dump_unit_metadata <sequence_number, dump_unit_checksum, "
         "dump_unit_size>, dump_unit <timestamp, key, block_type, block_size, "
         "block_data, block_checksum> cache_value\n";
}

class DefaultCacheDumper final : public CacheDumper {
 public:
  DefaultCacheDumper(const CacheDumpOptions& options,
                     std::shared_ptr<Cache> cache,
                     std::unique_ptr<CacheDumpWriter> writer)
      : options_(options),
        cache_(std::move(cache)),
        writer_(std::move(writer)) {}

  Status SetDumpFilter(const std::vector<DB*>& db_list) override {
    std::unordered_set<uint64_t> files;
    for (DB* db : db_list) {
      if (db == nullptr) return Status::InvalidArgument("a database is null");
      if (Status s = AddFilesOf(db, &files); !s.ok()) return s;
    }
    files_ = std::move(files);
    is_filtered_ = true;
    return Status::OK();
  }

  IOStatus DumpCacheEntriesToWriter() override {
    Write(CacheDumpUnitType::kHeader, "header", HeaderText());
    cache_->ApplyToAllEntries(
        [this](const Slice& key, Cache::ObjectPtr object, size_t /*charge*/,
               const Cache::CacheItemHelper* helper) {
          DumpEntry(key, object, helper);
        },
        {});
    Write(CacheDumpUnitType::kFooter, "footer", "cache dump completed");
    const IOStatus closed = writer_->Close();
    return status_.ok() ? closed : status_;
  }

 private:
  static Status AddFilesOf(DB* db, std::unordered_set<uint64_t>* files) {
    TablePropertiesCollection tables;
    auto* const engine = dynamic_cast<ObservedDB*>(db->GetRootDB());
    Status s = engine != nullptr ? engine->GetPropertiesOfEveryFamily(&tables)
                                 : db->GetPropertiesOfAllTables(&tables);
    if (!s.ok()) return s;
    for (const auto& [path, properties] : tables) {
      // Without them the key is of this session's own making.
      if (properties->db_session_id.empty()) continue;
      const FileCacheKey file(properties->db_session_id,
                              properties->orig_file_number);
      files->insert(FileOf(file.WithOffset(0).AsSlice()));
    }
    return s;
  }

  // The part of a cache key that tells the file. The two highest bits, which
  // tell the kind of the block, are left out.
  static uint64_t FileOf(const Slice& key) {
    return DecodeFixed64(key.data()) & ~(uint64_t{3} << 62);
  }

  bool IsOver() const {
    const uint64_t deadline = options_.deadline.count();
    return !status_.ok() ||
           (deadline > 0 && options_.clock->NowMicros() >= deadline) ||
           (options_.max_size_bytes > 0 &&
            written_bytes_ >= options_.max_size_bytes);
  }

  void DumpEntry(const Slice& key, Cache::ObjectPtr object,
                 const Cache::CacheItemHelper* helper) {
    CacheDumpUnitType type;
    if (IsOver() || helper == nullptr ||
        !helper->IsSecondaryCacheCompatible() ||
        !UnitTypeOf(helper->role, &type)) {
      return;
    }
    if (is_filtered_ &&
        (key.size() != sizeof(CacheKey) || files_.count(FileOf(key)) == 0)) {
      return;
    }
    const size_t size = helper->size_cb(object);
    block_.resize(size);
    const Status s = helper->saveto_cb(object, 0, size, block_.data());
    if (!s.ok()) {
      status_ = status_to_io_status(Status(s));
      return;
    }
    Write(type, key, block_);
  }

  void Write(CacheDumpUnitType type, const Slice& key, const Slice& value) {
    if (!status_.ok()) return;
    const std::string unit =
        EncodeCacheDumpUnit({options_.clock->NowMicros(), type, key, value});
    status_ = writer_->WriteMetadata(EncodeCacheDumpMetadata(count_, unit));
    if (status_.ok()) status_ = writer_->WritePacket(unit);
    ++count_;
    written_bytes_ += unit.size();
  }

  const CacheDumpOptions options_;
  const std::shared_ptr<Cache> cache_;
  const std::unique_ptr<CacheDumpWriter> writer_;
  bool is_filtered_ = false;
  std::unordered_set<uint64_t> files_;
  std::string block_;
  uint32_t count_ = 0;
  uint64_t written_bytes_ = 0;
  IOStatus status_;
};

}  // namespace

Status NewDefaultCacheDumper(const CacheDumpOptions& dump_options,
                             const std::shared_ptr<Cache>& cache,
                             std::unique_ptr<CacheDumpWriter>&& writer,
                             std::unique_ptr<CacheDumper>* cache_dumper) {
  if (cache == nullptr) return Status::InvalidArgument("cache is null");
  if (writer == nullptr) return Status::InvalidArgument("writer is null");
  if (dump_options.clock == nullptr) {
    return Status::InvalidArgument("clock is null");
  }
  *cache_dumper = std::make_unique<DefaultCacheDumper>(dump_options, cache,
                                                       std::move(writer));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
