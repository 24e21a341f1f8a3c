// Following a database that another process writes: what its manifest says
// now becomes the versions of the families that are open here.
//
// Threads  As marked, (mutex): under the DB mutex.
// Errors   Corruption where the database is another one than before, or a file
//          another than the one that is open; those of opening files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/database_counters.h"
#include "db/manifest/published_versions.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class LinkedFiles;
class ManifestReplay;
struct ReplayedFamily;

// A family that is open here. Those that the other process dropped are left
// out.
struct FollowedFamily {
  ColumnFamilyData* cfd = nullptr;
  // Files that are open here already are the same objects.
  std::vector<std::vector<FileRef>> levels;
  BlobFileList blobs;
  uint64_t log_number = 0;
  std::shared_ptr<const MutableCFOptions> options;
  std::string full_history_ts_low;
  // The files of the version that is current, which are not opened anew.
  std::unordered_set<uint64_t> seen_to;
};

class FollowedVersions {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    const ColumnFamilySet* families = nullptr;
    DatabaseCounters* numbers = nullptr;
    PublishedVersions* published = nullptr;
    LinkedFiles* links = nullptr;  // null: this is no follower
    Mutex* mutex = nullptr;
  };
  explicit FollowedVersions(const Context& context);

  // Whoever goes on following opens every file, since the writer may delete it;
  // whoever does not opens those that the current version lacks.
  enum class Files : uint8_t { kAreAllOpened, kAreOpenedIfNew };
  // `db_id`: of the database as it was before; empty: not known. (mutex)
  Status Take(const std::string& db_id, ManifestReplay* replay, Files files,
              std::vector<FollowedFamily>* result) const;
  // Opens its files; a follower takes its links to them first. Without (mutex).
  Status Open(const FollowedFamily& followed) const;
  // Once the files are open. (mutex, as Take().)
  Status Install(FollowedFamily* followed) const;

 private:
  Status TakeFamily(Files files, ReplayedFamily* family,
                    FollowedFamily* followed) const;

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
