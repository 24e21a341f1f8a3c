// DBImpl: what operators read beside the properties of db_properties.cc: those
// that walk caches or ask the operating system, so never under the mutex; the
// memory report; and the text for Prometheus.
#include <algorithm>
#include <set>

#include "cache/cache_reservation.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/observe/cache_entry_stats.h"
#include "db/observe/database_stats.h"
#include "db/observe/prometheus.h"
#include "db/version/fresh_stage.h"
#include "env/posix/page_cache.h"
#include "file/buffer_pool.h"
#include "file/kept_pages.h"
#include "rocksdb/cache.h"
#include "rocksdb/observation.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "table/table_reader.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

using Own = ObservedProperties;

const std::string Own::kPageCache = "basalt.page-cache";
const std::string Own::kEphemeralReaders = "basalt.ephemeral-readers";
const std::string Own::kEphemeralReadersPeak = "basalt.ephemeral-readers-peak";
const std::string Own::kMemory = "basalt.memory";

namespace {

using P = DB::Properties;
using TextMap = std::map<std::string, std::string>;

constexpr double kMiB = 1048576.0;
// How old a walk through the block cache may be.
constexpr uint64_t kCacheStatsMicros = 10'000'000;
constexpr uint64_t kFastCacheStatsMicros = 180'000'000;

Cache* BlockCacheOf(const ColumnFamilyOptions& options) {
  INVARIANT(options.table_factory != nullptr);
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  return table == nullptr || table->no_block_cache ? nullptr
                                                   : table->block_cache.get();
}

uint64_t HeldBy(const Cache* cache) {
  const size_t usage = cache->GetUsage();
  return usage - std::min(usage, CacheReservation::ReservedIn(cache));
}

// The number at the end of a property's name; false if there is none such.
bool ConsumeNumber(const Slice& property, const std::string& prefix,
                   uint64_t limit, uint64_t* number) {
  if (!property.starts_with(prefix)) return false;
  Slice digits = property;
  digits.remove_prefix(prefix.size());
  return ConsumeDecimalNumber(&digits, number) && digits.empty() &&
         *number < limit;
}

template <class Visit>
void ForEachFile(const VersionStorage& storage, const Visit& visit) {
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) visit(level, *file);
  }
}

// Of those files of a level whose properties are known.
std::string CompressionRatioText(const VersionStorage& storage, int level) {
  uint64_t raw = 0, stored = 0;
  for (const FileRef& file : storage.files(level)) {
    if (!file->has_properties.load()) continue;
    raw += file->raw_key_bytes.load() + file->raw_value_bytes.load();
    stored += file->size_bytes;
  }
  if (stored == 0) return "-1.0";
  return StringPrintf("%.6f",
                      static_cast<double>(raw) / static_cast<double>(stored));
}

uint64_t MetadataBytes(const VersionStorage& storage) {
  uint64_t bytes = 0;
  ForEachFile(storage, [&bytes](int /*level*/, const FileMeta& file) {
    bytes += file.MemoryBytes();
  });
  return bytes;
}

// Those that are open as long as their file lives.
uint64_t PinnedReaderBytes(const VersionStorage& storage) {
  uint64_t bytes = 0;
  ForEachFile(storage, [&bytes](int /*level*/, const FileMeta& file) {
    // acquire: pairs with the release of the table cache.
    const TableReader* reader =
        file.pinned_reader.load(std::memory_order_acquire);
    if (reader != nullptr) bytes += reader->ApproximateMemoryUsage();
  });
  return bytes;
}

// A level's files in the page cache.
struct Resident {
  size_t files = 0;
  uint64_t bytes = 0;
  uint64_t resident_bytes = 0;
};

std::string PageCacheText(const std::vector<Resident>& levels) {
  std::string text = "Level Files Size(MB) Resident(MB)\n";
  text += std::string(text.size() - 1, '-') + "\n";
  for (size_t level = 0; level < levels.size(); ++level) {
    const Resident& r = levels[level];
    text += StringPrintf("%5zu %5zu %8.2f %12.2f\n", level, r.files,
                         static_cast<double>(r.bytes) / kMiB,
                         static_cast<double>(r.resident_bytes) / kMiB);
  }
  return text;
}

TextMap PageCacheMap(const std::vector<Resident>& levels) {
  TextMap map;
  for (size_t level = 0; level < levels.size(); ++level) {
    const std::string prefix = "level" + std::to_string(level) + ".";
    map[prefix + "files"] = std::to_string(levels[level].files);
    map[prefix + "bytes"] = std::to_string(levels[level].bytes);
    map[prefix + "resident-bytes"] =
        std::to_string(levels[level].resident_bytes);
  }
  return map;
}

std::vector<std::pair<std::string, uint64_t>> Parts(const MemoryReport& r) {
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

// False if the operating system does not know the files.
bool AskPageCache(const SuperVersion& super_version,
                  std::vector<Resident>* levels) {
  INVARIANT(levels != nullptr);
  const VersionStorage& storage = super_version.current->storage();
  const TableCache* tables = super_version.cfd->tables();
  levels->assign(static_cast<size_t>(storage.level_count()), Resident());
  bool is_known = true;
  ForEachFile(storage, [&](int level, const FileMeta& file) {
    uint64_t bytes = 0;
    if (!ResidentBytes(tables->FilePath(file), &bytes).ok()) {
      is_known = false;
      return;
    }
    Resident& resident = (*levels)[static_cast<size_t>(level)];
    ++resident.files;
    resident.bytes += file.size_bytes;
    resident.resident_bytes += bytes;
  });
  return is_known;
}

}  // namespace

const DBImpl::DatabaseNumbers& DBImpl::LateIntProperties() {
  static const DatabaseNumbers properties = {
      {P::kNumRunningCompactionSortedRuns,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         return static_cast<uint64_t>(d->background_.running_sorted_runs());
       }},
      {P::kNumUnscheduledCompactions,
       [](DBImpl* d) -> uint64_t {
         d->mutex_.AssertHeld();
         return d->background_.queued_compactions();
       }},
      {P::kCompactionAbortCount,
       [](DBImpl* d) -> uint64_t {
         return static_cast<uint64_t>(d->stop_.abort_count());
       }},
      {P::kMinObsoleteSstNumberToKeep,
       [](DBImpl* d) { return d->obsolete_->MinKeptTable(); }},
      {Own::kEphemeralReaders,
       [](DBImpl* d) -> uint64_t { return d->ephemeral_->open(); }},
      {Own::kEphemeralReadersPeak,
       [](DBImpl* d) -> uint64_t { return d->ephemeral_->peak(); }},
  };
  return properties;
}

bool DBImpl::LateTextProperty(const Family& family, const Slice& property,
                              std::string* value) {
  INVARIANT(value != nullptr);
  const VersionStorage& storage = family.cfd->current()->storage();
  const auto levels = static_cast<uint64_t>(storage.level_count());
  uint64_t number = 0;
  if (ConsumeNumber(property, P::kCompressionRatioAtLevelPrefix, levels,
                    &number)) {
    *value = CompressionRatioText(storage, static_cast<int>(number));
  } else if (ConsumeNumber(property, P::kLiveSstFilesSizeAtTemperature,
                           uint64_t{UINT8_MAX} + 1, &number)) {
    uint64_t bytes = 0;
    ForEachFile(storage, [&](int /*level*/, const FileMeta& file) {
      if (static_cast<uint64_t>(file.temperature) == number) {
        bytes += file.size_bytes;
      }
    });
    *value = std::to_string(bytes);
  } else if (property == P::kDBWriteStallStats) {
    *value = database_stats_->StallText();
  } else {
    return false;
  }
  return true;
}

bool DBImpl::ObservedProperty(ColumnFamilyHandle* handle, const Slice& property,
                              const Form& form) {
  INVARIANT((form.text == nullptr) != (form.map == nullptr));
  if (!CheckOpen().ok()) return false;
  const bool is_fast = property == P::kFastBlockCacheEntryStats;
  if (is_fast || property == P::kBlockCacheEntryStats) {
    return CacheProperty(
        handle, is_fast ? kFastCacheStatsMicros : kCacheStatsMicros, form);
  }
  if (property == Own::kPageCache) return PageCacheProperty(handle, form);
  if (property != Own::kMemory) {
    return TablePropertiesProperty(handle, property, form);
  }
  const MemoryReport report = ReportMemory();
  if (form.text != nullptr) *form.text = report.ToString();
  if (form.map != nullptr) {
    for (const auto& [name, bytes] : Parts(report)) {
      (*form.map)[name] = std::to_string(bytes);
    }
  }
  return true;
}

bool DBImpl::CacheProperty(ColumnFamilyHandle* handle, uint64_t max_age_micros,
                           const Form& form) {
  SuperVersion* super_version = FamilyOf(handle)->AcquireReferenced();
  Cache* const cache = BlockCacheOf(*super_version->options);
  if (cache != nullptr) {
    const CacheEntryStats::Found found =
        cache_stats_->Collect(cache, options_.clock, max_age_micros);
    const uint64_t now =
        std::max(options_.clock->NowMicros(), found.collected_at_micros);
    if (form.text != nullptr) *form.text = CacheEntryStats::Text(found, now);
    if (form.map != nullptr) *form.map = CacheEntryStats::Map(found, now);
  }
  GiveBack(super_version);
  return cache != nullptr;
}

bool DBImpl::PageCacheProperty(ColumnFamilyHandle* handle, const Form& form) {
  SuperVersion* super_version = FamilyOf(handle)->AcquireReferenced();
  std::vector<Resident> levels;
  const bool is_known = AskPageCache(*super_version, &levels);
  GiveBack(super_version);
  if (is_known && form.text != nullptr) *form.text = PageCacheText(levels);
  if (is_known && form.map != nullptr) *form.map = PageCacheMap(levels);
  return is_known;
}

bool DBImpl::TablePropertiesProperty(ColumnFamilyHandle* handle,
                                     const Slice& property, const Form& form) {
  const bool is_all = property == P::kAggregatedTableProperties;
  SuperVersion* super_version = FamilyOf(handle)->AcquireReferenced();
  const VersionStorage& storage = super_version->current->storage();
  uint64_t wanted = 0;
  const bool is_known =
      is_all ||
      ConsumeNumber(property, P::kAggregatedTablePropertiesAtLevel,
                    static_cast<uint64_t>(storage.level_count()), &wanted);
  TableProperties sum;
  Status s;
  const auto add = [&](int level, const FileMeta& file) {
    if (!s.ok() || (!is_all && static_cast<uint64_t>(level) != wanted)) return;
    std::shared_ptr<const TableReader> reader;
    s = super_version->cfd->tables()->Find(ReadOptions(), file, level,
                                           *super_version->options, &reader);
    if (s.ok()) sum.Add(*reader->properties());
  };
  if (is_known) ForEachFile(storage, add);
  GiveBack(super_version);
  if (!is_known || !s.ok()) return false;
  if (form.text != nullptr) *form.text = sum.ToString();
  if (form.map != nullptr) {
    for (const auto& [name, value] : sum.GetAggregatablePropertiesAsMap()) {
      (*form.map)[name] = std::to_string(value);
    }
  }
  return true;
}

MemoryReport DBImpl::ReportMemory() {
  MemoryReport report;
  std::set<const Cache*> caches;
  std::set<std::shared_ptr<Cache>> blob_caches;
  // They keep the caches while those are asked.
  std::vector<std::shared_ptr<const MutableCFOptions>> holders;
  {
    MutexLock lock(&mutex_);
    for (const auto& entry : families_) {
      ColumnFamilyData* cfd = entry.second->cfd.get();
      const VersionStorage& storage = cfd->current()->storage();
      report.memtables += cfd->AllMemTableBytes();
      report.file_metadata += MetadataBytes(storage);
      report.table_readers += PinnedReaderBytes(storage);
      holders.push_back(cfd->options());
      if (Cache* cache = BlockCacheOf(*holders.back())) caches.insert(cache);
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
  add(options_.row_cache.get(), &report.row_cache);
  report.secondary_cache = SecondaryBytesBehind(caches);
  using ReaderRef = std::shared_ptr<const TableReader>;
  table_cache_->ApplyToAllEntries(
      [&report](const Slice& /*key*/, Cache::ObjectPtr object,
                size_t /*charge*/, const Cache::CacheItemHelper* /*helper*/) {
        report.table_readers +=
            (*static_cast<ReaderRef*>(object))->ApproximateMemoryUsage();
      },
      Cache::ApplyToAllEntriesOptions());
  report.fresh_level0 = fresh_ != nullptr ? fresh_->bytes() : 0;
  report.buffer_pool =
      BufferPool::Default()->HeldBytes() + KeptPages::HeldBytes();
  return report;
}

Status DBImpl::WritePrometheus(std::string* text) {
  INVARIANT(text != nullptr);
  if (Status s = CheckOpen(); !s.ok()) return s;
  PrometheusWriter writer(name_, text);
  if (options_.stats != nullptr) writer.WriteStatistics(*options_.stats);
  std::vector<ColumnFamilyRef> families;
  {
    MutexLock lock(&mutex_);
    for (const auto& entry : families_) families.push_back(entry.second->cfd);
  }
  for (const std::string& name : IntPropertyNames()) {
    std::vector<PrometheusWriter::Gauge> gauges;
    for (const ColumnFamilyRef& cfd : families) {
      ColumnFamilyHandleImpl handle(this, cfd, nullptr);
      uint64_t value = 0;
      if (!GetIntProperty(&handle, name, &value)) continue;
      gauges.push_back({cfd->name(), value});
    }
    writer.WriteGauges(name, gauges);
  }
  return Status::OK();
}

std::string MemoryReport::ToString() const {
  std::string text;
  for (const auto& [name, bytes] : Parts(*this)) {
    text += StringPrintf("%-15s %14llu\n", name.c_str(),
                         static_cast<unsigned long long>(bytes));
  }
  return text;
}

Status GetPrometheusText(DB* db, std::string* text) {
  INVARIANT(db != nullptr);
  INVARIANT(text != nullptr);
  text->clear();
  return static_cast<DBImpl*>(db->GetRootDB())->WritePrometheus(text);
}

Status GetMemoryReport(DB* db, MemoryReport* report) {
  INVARIANT(db != nullptr);
  INVARIANT(report != nullptr);
  auto* impl = static_cast<DBImpl*>(db->GetRootDB());
  if (Status s = impl->CheckOpen(); !s.ok()) return s;
  *report = impl->ReportMemory();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
