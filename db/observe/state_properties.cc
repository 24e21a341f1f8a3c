#include "db/observe/state_properties.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cache/cache_entry_stats.h"
#include "db/family/column_family.h"
#include "db/family/super_version.h"
#include "db/observe/memory_report.h"
#include "db/observe/observed.h"
#include "db/observe/property_name.h"
#include "db/registry/family_entry.h"
#include "env/posix/page_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/observation.h"
#include "rocksdb/system_clock.h"
#include "table/table_reader.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using P = DB::Properties;
using Own = ObservedProperties;
using TextMap = std::map<std::string, std::string>;

constexpr double kMiB = 1048576.0;
// How old a walk through the block cache may be.
constexpr uint64_t kCacheStatsMicros = 10'000'000;
constexpr uint64_t kFastCacheStatsMicros = 180'000'000;

template <class Visit>
void ForEachFileOfState(const VersionStorage& storage, const Visit& visit) {
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) visit(level, *file);
  }
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

// False if the operating system does not know the files.
bool AskPageCache(const SuperVersion& super_version,
                  std::vector<Resident>* levels) {
  INVARIANT(levels != nullptr);
  const VersionStorage& storage = super_version.current->storage();
  const TableCache* tables = super_version.cfd->tables();
  levels->assign(static_cast<size_t>(storage.level_count()), Resident());
  bool is_known = true;
  ForEachFileOfState(storage, [&](int level, const FileMeta& file) {
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

void Give(const std::vector<std::pair<std::string, uint64_t>>& numbers,
          TextMap* map) {
  for (const auto& [name, number] : numbers) {
    (*map)[name] = std::to_string(number);
  }
}

}  // namespace

bool StateProperties::Get(const Observed& observed, ColumnFamilyData* cfd,
                          const Slice& property, const PropertyForm& form) {
  INVARIANT((form.text == nullptr) != (form.map == nullptr));
  if (property == Own::kMemory) {
    const MemoryReport report = ReportMemory(observed);
    if (form.text != nullptr) *form.text = report.ToString();
    if (form.map != nullptr) Give(PartsOf(report), form.map);
    return true;
  }
  SuperVersion* const state = cfd->AcquireReferenced();
  bool is_known = false;
  if (property == P::kFastBlockCacheEntryStats) {
    is_known = Cached(*observed.db, *state, kFastCacheStatsMicros, form);
  } else if (property == P::kBlockCacheEntryStats) {
    is_known = Cached(*observed.db, *state, kCacheStatsMicros, form);
  } else if (property == Own::kPageCache) {
    is_known = InPageCache(*state, form);
  } else {
    is_known = OfTables(*state, property, form);
  }
  ColumnFamilyData::Release(state);
  return is_known;
}

bool StateProperties::Cached(const ImmutableDBOptions& db,
                             const SuperVersion& state, uint64_t max_age_micros,
                             const PropertyForm& form) {
  const std::shared_ptr<Cache> cache = BlockCacheOf(*state.options);
  if (cache == nullptr) return false;
  const CacheEntryStats::Found found = CacheEntryStats::Of(cache)->Collect(
      cache.get(), db.clock, max_age_micros);
  const uint64_t now =
      std::max(db.clock->NowMicros(), found.collected_at_micros);
  if (form.text != nullptr) *form.text = CacheEntryStats::Text(found, now);
  if (form.map != nullptr) *form.map = CacheEntryStats::Map(found, now);
  return true;
}

bool StateProperties::InPageCache(const SuperVersion& state,
                                  const PropertyForm& form) {
  std::vector<Resident> levels;
  if (!AskPageCache(state, &levels)) return false;
  if (form.text != nullptr) *form.text = PageCacheText(levels);
  if (form.map != nullptr) *form.map = PageCacheMap(levels);
  return true;
}

bool StateProperties::OfTables(const SuperVersion& state, const Slice& property,
                               const PropertyForm& form) {
  const bool is_all = property == P::kAggregatedTableProperties;
  const VersionStorage& storage = state.current->storage();
  uint64_t wanted = 0;
  if (!is_all && !ConsumeNumberAtEnd(
                     property, P::kAggregatedTablePropertiesAtLevel,
                     static_cast<uint64_t>(storage.level_count()), &wanted)) {
    return false;
  }
  TableProperties sum;
  Status s;
  ForEachFileOfState(storage, [&](int level, const FileMeta& file) {
    if (!s.ok() || (!is_all && static_cast<uint64_t>(level) != wanted)) return;
    std::shared_ptr<const TableReader> reader;
    s = state.cfd->tables()->Find(ReadOptions(), file, level, *state.options,
                                  &reader);
    if (s.ok()) sum.Add(*reader->properties());
  });
  if (!s.ok()) return false;
  if (form.text != nullptr) *form.text = sum.ToString();
  if (form.map != nullptr) {
    for (const auto& [name, value] : sum.GetAggregatablePropertiesAsMap()) {
      (*form.map)[name] = std::to_string(value);
    }
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
