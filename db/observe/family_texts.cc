#include "db/observe/family_texts.h"

#include "db/background/error_handler.h"
#include "db/manifest/version_set.h"
#include "db/observe/database_stats.h"
#include "db/observe/observed.h"
#include "db/observe/property_name.h"
#include "db/registry/family_registry.h"
#include "db/wal/wal_manager.h"
#include "rocksdb/db.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using P = DB::Properties;
using Source = const TextSource&;

const VersionStorage& StorageOf(Source source) {
  return source.family.cfd->current()->storage();
}

// Counts only those files of the level whose properties are known.
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

std::string ReadTimes(Source source) {
  const ColumnFamilyRef& cfd = source.family.cfd;
  return cfd->tables()->ReadTimesText(cfd->name());
}

std::string LevelsAndStalls(Source source) {
  return source.family.stats.LevelTable(source.family.cfd->name(),
                                        StorageOf(source)) +
         source.family.stats.StallText();
}

std::string BytesAtTemperature(Source source) {
  uint64_t bytes = 0;
  const VersionStorage& storage = StorageOf(source);
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      const bool is_wanted =
          static_cast<uint64_t>(file->temperature) == source.number;
      if (is_wanted) bytes += file->size_bytes;
    }
  }
  return std::to_string(bytes);
}

uint64_t LevelCount(const VersionStorage& storage) {
  return static_cast<uint64_t>(storage.level_count());
}
uint64_t TemperatureCount(const VersionStorage& /*storage*/) {
  return uint64_t{UINT8_MAX} + 1;
}

}  // namespace

const std::map<std::string, FamilyText>& FamilyTexts() {
  static const std::map<std::string, FamilyText> texts = {
      {P::kNumFilesAtLevelPrefix,
       {[](Source s) {
          const auto level = static_cast<int>(s.number);
          return std::to_string(StorageOf(s).FileCount(level));
        },
        &LevelCount}},
      {P::kCompressionRatioAtLevelPrefix,
       {[](Source s) {
          return CompressionRatioText(StorageOf(s), static_cast<int>(s.number));
        },
        &LevelCount}},
      {P::kLiveSstFilesSizeAtTemperature,
       {&BytesAtTemperature, &TemperatureCount}},
      {P::kLevelStats, {[](Source s) { return LevelStatsText(StorageOf(s)); }}},
      {P::kSSTables, {[](Source s) {
         return TablesText(StorageOf(s), s.family.cfd->current()->number());
       }}},
      {P::kBlobStats, {[](Source s) { return BlobStatsText(StorageOf(s)); }}},
      {P::kCFStatsNoFileHistogram, {&LevelsAndStalls}},
      {P::kCFStats,
       {[](Source s) { return LevelsAndStalls(s) + ReadTimes(s); }}},
      {P::kStats, {[](Source s) {
         return LevelsAndStalls(s) + ReadTimes(s) +
                DatabaseText(s.observed, s.counts);
       }}},
      {P::kCFFileHistogram, {&ReadTimes}},
      {P::kDBStats,
       {[](Source s) { return DatabaseText(s.observed, s.counts); }}},
      {P::kCFWriteStallStats,
       {[](Source s) { return s.family.stats.StallText(); }}},
      {P::kDBWriteStallStats, {[](Source s) { return s.counts->StallText(); }}},
  };
  return texts;
}

bool WriteFamilyText(TextSource source, const Slice& property,
                     std::string* text) {
  INVARIANT(text != nullptr);
  INVARIANT(source.family.cfd != nullptr);
  for (const auto& [name, row] : FamilyTexts()) {
    const bool is_it =
        row.limit == nullptr
            ? property == Slice(name)
            : ConsumeNumberAtEnd(property, name, row.limit(StorageOf(source)),
                                 &source.number);
    if (!is_it) continue;
    *text = row.text(source);
    return true;
  }
  return false;
}

std::string DatabaseText(const Observed& observed, DatabaseStats* counts) {
  observed.mutex->AssertHeld();
  INVARIANT(observed.versions != nullptr);
  std::string text = counts->TakeText(observed.db->clock->NowMicros());
  text +=
      "Last sequence: " + std::to_string(observed.versions->LastSequence()) +
      "\n";
  text +=
      "WAL bytes live: " +
      std::to_string(observed.wal != nullptr ? observed.wal->TotalBytes() : 0) +
      "\n";
  text +=
      "Background errors: " + std::to_string(observed.errors->count()) + "\n";
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
