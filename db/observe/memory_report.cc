#include "db/observe/memory_report.h"

#include <algorithm>
#include <set>

#include "cache/cache_entry_stats.h"
#include "cache/cache_reservation.h"
#include "db/observe/observed.h"
#include "db/registry/family_entry.h"
#include "db/registry/family_registry.h"
#include "db/tables/fresh_stage.h"
#include "file/buffer_pool.h"
#include "file/kept_pages.h"
#include "rocksdb/cache.h"
#include "table/table_reader.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t HeldBy(const Cache* cache) {
  const size_t usage = cache->GetUsage();
  return usage - std::min(usage, CacheReservation::ReservedIn(cache));
}

template <class Visit>
void ForEachReportedFile(const VersionStorage& storage, const Visit& visit) {
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) visit(level, *file);
  }
}

uint64_t MetadataBytes(const VersionStorage& storage) {
  uint64_t bytes = 0;
  ForEachReportedFile(storage, [&bytes](int /*level*/, const FileMeta& file) {
    bytes += file.MemoryBytes();
  });
  return bytes;
}

// Those that are open as long as their file lives.
uint64_t PinnedReaderBytes(const VersionStorage& storage) {
  uint64_t bytes = 0;
  ForEachReportedFile(storage, [&bytes](int /*level*/, const FileMeta& file) {
    // acquire: pairs with the release of the table cache.
    const TableReader* reader =
        file.pinned_reader.load(std::memory_order_acquire);
    if (reader != nullptr) bytes += reader->ApproximateMemoryUsage();
  });
  return bytes;
}

}  // namespace

std::vector<std::pair<std::string, uint64_t>> PartsOf(const MemoryReport& r) {
  return {{"memtables", r.memtables},
          {"block-cache", r.block_cache},
          {"table-readers", r.table_readers},
          {"file-metadata", r.file_metadata},
          {"fresh-level0", r.fresh_level0},
          {"buffer-pool", r.buffer_pool},
          {"blob-cache", r.blob_cache},
          {"row-cache", r.row_cache},
          {"secondary-cache", r.secondary_cache},
          {"total", r.Total()}};
}

MemoryReport ReportMemory(const Observed& observed) {
  MemoryReport report;
  std::set<const Cache*> caches;
  std::set<std::shared_ptr<Cache>> blob_caches;
  // They keep the caches while those are asked.
  std::vector<std::shared_ptr<const MutableCFOptions>> holders;
  {
    MutexLock lock(observed.mutex);
    for (const auto& entry : *observed.families) {
      ColumnFamilyData* cfd = entry.second->cfd.get();
      const VersionStorage& storage = cfd->current()->storage();
      report.memtables += cfd->AllMemTableBytes();
      report.file_metadata += MetadataBytes(storage);
      report.table_readers += PinnedReaderBytes(storage);
      holders.push_back(cfd->options());
      if (const auto cache = BlockCacheOf(*holders.back())) {
        caches.insert(cache.get());
      }
      blob_caches.insert(cfd->ioptions().blob_cache);
    }
  }
  for (const Cache* cache : caches) report.block_cache += HeldBy(cache);
  // Each cache counts once, as what comes first.
  const auto add = [&caches](const Cache* cache, uint64_t* bytes) {
    if (cache != nullptr && caches.insert(cache).second) {
      *bytes += HeldBy(cache);
    }
  };
  for (const std::shared_ptr<Cache>& cache : blob_caches) {
    add(cache.get(), &report.blob_cache);
  }
  add(observed.db->row_cache.get(), &report.row_cache);
  report.secondary_cache = SecondaryBytesBehind(caches);
  using ReaderRef = std::shared_ptr<const TableReader>;
  observed.table_cache->ApplyToAllEntries(
      [&report](const Slice& /*key*/, Cache::ObjectPtr object,
                size_t /*charge*/, const Cache::CacheItemHelper* /*helper*/) {
        report.table_readers +=
            (*static_cast<ReaderRef*>(object))->ApproximateMemoryUsage();
      },
      Cache::ApplyToAllEntriesOptions());
  report.fresh_level0 = observed.fresh != nullptr ? observed.fresh->bytes() : 0;
  report.buffer_pool =
      BufferPool::Default()->HeldBytes() + KeptPages::HeldBytes();
  return report;
}

std::string MemoryReport::ToString() const {
  std::string text;
  for (const auto& [name, bytes] : PartsOf(*this)) {
    text += StringPrintf("%-15s %14llu\n", name.c_str(),
                         static_cast<unsigned long long>(bytes));
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
