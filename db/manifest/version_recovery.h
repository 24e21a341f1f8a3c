// Taking over the state of a database that is being opened: its manifest is
// read, its families and their files are opened.
//
// Threads  Under the DB mutex, no other thread yet; opens files by helpers of
//          its own.
// Errors   Those of reading; InvalidArgument where families and options do not
//          fit what the manifest says, Corruption for what cannot be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/database_counters.h"
#include "db/manifest/manifest_replay.h"
#include "db/manifest/published_versions.h"
#include "rocksdb/db.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class LinkedFiles;

struct RecoverOptions {
  bool read_only = false;
  bool create_missing_families = false;
  // The newest state whose files are there, by any manifest.
  bool best_efforts = false;
  // False: somebody else will, when the database is open.
  bool opens_tables = true;
  // RocksDB does, so that the log of a new database is 000004.log there, its
  // manifest MANIFEST-000005: programs know these names.
  bool passes_one_number = false;
};

class VersionRecovery {
 public:
  struct Context {
    std::string db_path;
    const ImmutableDBOptions* db = nullptr;
    ColumnFamilyData::Context family;  // for the families made here
    ColumnFamilySet* families = nullptr;
    DatabaseCounters* numbers = nullptr;
    PublishedVersions* published = nullptr;
    LinkedFiles* links = nullptr;  // null: this is no follower
  };
  explicit VersionRecovery(Context context);

  // Reads CURRENT and the manifest (db-format.md 5.3).
  Status Replay(const std::vector<ColumnFamilyDescriptor>& descriptors,
                const RecoverOptions& options, ManifestReplay* replay) const;
  // Opens what is listed; families not in `descriptors` are InvalidArgument
  // (ignored when read_only). *missing: listed, absent in the manifest.
  Status TakeOver(const std::vector<ColumnFamilyDescriptor>& descriptors,
                  const RecoverOptions& options, ManifestReplay* replay,
                  std::vector<ColumnFamilyDescriptor>* missing) const;

 private:
  Status PassFilesThere(const std::vector<ColumnFamilyDescriptor>& descriptors,
                        const RecoverOptions& options) const;
  Status RecoverFamilies(const std::vector<ColumnFamilyDescriptor>& descriptors,
                         const RecoverOptions& options, ManifestReplay* replay,
                         std::string* unlisted) const;
  Status RecoverFamily(uint32_t id, const RecoverOptions& options,
                       const ColumnFamilyDescriptor& descriptor,
                       ReplayedFamily* replayed) const;
  Status LoadFiles(ColumnFamilyData* cfd) const;
  Status CheckBlobs(ColumnFamilyData* cfd) const;

  const Context context_;
};

// Names in the manifest of a closed or open database.
Status ListFamilyNames(const std::string& db_path, FileSystem* fs,
                       std::vector<std::string>* names);

}  // namespace ROCKSDB_NAMESPACE
