// The calls of DB that show what a database is and has: properties, sizes,
// files and their checks, options. A database of any kind answers them.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/impl/family_parts.h"
#include "db/impl/file_parts.h"
#include "db/impl/reading_db.h"

namespace ROCKSDB_NAMESPACE {

class Observatory;
class VersionSet;
struct MemoryReport;

class ObservedDB : public ReadingDB {
 public:
  ObservedDB(const DBOptions& sanitized, const std::string& name,
             const std::string& manifest_directory);
  ~ObservedDB() override;

  using DB::GetAggregatedIntProperty;
  using DB::GetIntProperty;
  using DB::GetMapProperty;
  using DB::GetProperty;
  bool GetProperty(ColumnFamilyHandle* family, const Slice& property,
                   std::string* value) override;
  bool GetMapProperty(ColumnFamilyHandle* family, const Slice& property,
                      std::map<std::string, std::string>* value) override;
  bool GetIntProperty(ColumnFamilyHandle* family, const Slice& property,
                      uint64_t* value) override;
  bool GetAggregatedIntProperty(const Slice& property,
                                uint64_t* value) override;
  Status ResetStats() override;
  using DB::GetApproximateSizes;
  Status GetApproximateSizes(const SizeApproximationOptions& options,
                             ColumnFamilyHandle* family, const Range* ranges,
                             int n, uint64_t* sizes) override;
  using DB::GetApproximateMemTableStats;
  void GetApproximateMemTableStats(ColumnFamilyHandle* family,
                                   const Range& range, uint64_t* count,
                                   uint64_t* size) override;
  using DB::GetOptions;
  Options GetOptions(ColumnFamilyHandle* family) const override;
  DBOptions GetDBOptions() const override;
  SequenceNumber GetLatestSequenceNumber() const override;
  Status GetDbIdentity(std::string& identity) const override;
  Status GetDbSessionId(std::string& session_id) const override;
  void GetLiveFilesMetaData(std::vector<LiveFileMetaData>* metadata) override;
  using DB::GetColumnFamilyMetaData;
  void GetColumnFamilyMetaData(ColumnFamilyHandle* family,
                               ColumnFamilyMetaData* metadata) override;
  void GetAllColumnFamilyMetaData(
      std::vector<ColumnFamilyMetaData>* metadata) override;
  using DB::GetPropertiesOfAllTables;
  Status GetPropertiesOfAllTables(ColumnFamilyHandle* family,
                                  TablePropertiesCollection* props) override;
  // Those of the tables of all families, for dumps of a block cache.
  Status GetPropertiesOfEveryFamily(TablePropertiesCollection* props) const;
  Status GetPropertiesOfTablesInRange(
      ColumnFamilyHandle* family, const Range* ranges, std::size_t n,
      TablePropertiesCollection* props) override;
  Status GetPropertiesOfTablesByLevel(
      ColumnFamilyHandle* family,
      std::vector<std::unique_ptr<TablePropertiesCollection>>* props_by_level)
      override;
  using DB::VerifyChecksum;
  Status VerifyChecksum(const ReadOptions& options) override;
  Status VerifyFileChecksums(const ReadOptions& options) override;

  Status GetFullHistoryTsLow(ColumnFamilyHandle* family,
                             std::string* ts_low) override;
  Status GetNewestUserDefinedTimestamp(ColumnFamilyHandle* family,
                                       std::string* newest) override;
  Status GetStatsHistory(
      uint64_t start_time, uint64_t end_time,
      std::unique_ptr<StatsHistoryIterator>* stats_iterator) override;
  using DB::Level0StopWriteTrigger;
  using DB::NumberLevels;
  int NumberLevels(ColumnFamilyHandle* family) override;
  int Level0StopWriteTrigger(ColumnFamilyHandle* family) override;
  Status DisableFileDeletions() override;
  Status EnableFileDeletions() override;
  Status GetLiveFilesChecksumInfo(FileChecksumList* checksum_list) override;
  Status GetCreationTimeOfOldestFile(uint64_t* creation_time) override;

  // For GetMemoryReport() and GetPrometheusText().
  MemoryReport ReportMemory();
  Status WritePrometheus(std::string* text);

 protected:
  // Made by the kinds, as they are constructed.
  std::unique_ptr<FamilyParts> families_;
  std::unique_ptr<FileParts> files_;
  // Made as it opens.
  std::unique_ptr<VersionSet> versions_;
  std::unique_ptr<Observatory> observatory_;
};

}  // namespace ROCKSDB_NAMESPACE
