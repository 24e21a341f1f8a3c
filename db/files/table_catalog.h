// What a database tells of its table files: lists of them, their properties,
// how large a range of keys is, and whether they are what was written.
//
// Threads    Any; the DB mutex is taken to hold what is listed, which stays on
//            disk meanwhile. Nothing is read under it.
// Ownership  Borrows what it is given.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "options/db_options.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "rocksdb/metadata.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyRegistry;
class VersionStorage;
struct BulkReadPolicy;
struct LiveTable;

class TableCatalog {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    FileOptions file_options;  // for user reads
    std::string db_name;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
  };
  explicit TableCatalog(Context context);
  TableCatalog(const TableCatalog&) = delete;
  TableCatalog& operator=(const TableCatalog&) = delete;

  void ListAll(std::vector<LiveFileMetaData>* files) const;
  // Those of one version.
  static void List(ColumnFamilyData* cfd, const VersionStorage& storage,
                   std::vector<LiveFileMetaData>* files);
  void Describe(ColumnFamilyData* cfd, ColumnFamilyMetaData* metadata) const;
  void DescribeAll(std::vector<ColumnFamilyMetaData>* metadata) const;
  // NotSupported where not all of them stay open (max_open_files).
  Status OldestCreation(const MutableDBOptions& now, uint64_t* seconds) const;
  static Status GetProperties(ColumnFamilyData* cfd,
                              TablePropertiesCollection* properties);
  // Leaves out tables that can hold no key of a range; both ends are included.
  static Status GetProperties(ColumnFamilyData* cfd, const Range* ranges,
                              size_t count,
                              TablePropertiesCollection* properties);
  using PropertiesByLevel =
      std::vector<std::unique_ptr<TablePropertiesCollection>>;
  static Status GetProperties(ColumnFamilyData* cfd, PropertiesByLevel* levels);
  // Those of the tables of all families.
  Status GetAllProperties(TablePropertiesCollection* properties) const;

  // `ranges` are of user keys.
  static Status EstimateSizes(const SizeApproximationOptions& options,
                              ColumnFamilyData* cfd, const Range* ranges,
                              int count, uint64_t* sizes);
  static void EstimateInMemory(ColumnFamilyData* cfd, const Range& range,
                               uint64_t* count, uint64_t* bytes);

  // All blocks by their own checksums, and whole files by those of the
  // manifest: read as compactions would do now.
  Status VerifyBlocks(const ReadOptions& options,
                      const MutableDBOptions& now) const;
  Status VerifyFiles(const ReadOptions& options,
                     const MutableDBOptions& now) const;

 private:
  std::vector<LiveTable> LiveTables() const;
  BulkReadPolicy VerifyPolicy(const ReadOptions& options,
                              const MutableDBOptions& now) const;
  Status VerifyFile(const ReadOptions& options, const BulkReadPolicy& bulk,
                    const LiveTable& table) const;

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
