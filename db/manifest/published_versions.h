// The versions of all families, from the moment that they become current until
// the last who reads them goes: which files are in use.
//
// Threads    All under the DB mutex.
// Ownership  A family owns its current version, readers what they read. Here
//            they are only known, but for those in doubt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/manifest/database_counters.h"
#include "options/db_options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class PublishedVersions {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    // Is told of files that come into use, and that nothing uses any more.
    std::shared_ptr<ObsoleteFileSink> sink;
    const DatabaseCounters* numbers = nullptr;
    Mutex* mutex = nullptr;
  };
  explicit PublishedVersions(Context context);

  // Without files, and not yet published.
  VersionRef New(ColumnFamilyData* cfd);
  // Makes it the family's current one.
  void Install(ColumnFamilyData* cfd, VersionRef version);

  // Nobody knows whether the manifest tells of it: until another manifest is
  // in force, the next open may ask for its files, which therefore stay.
  void KeepInDoubt(ColumnFamilyData* cfd, VersionRef version);
  void EndDoubt() { in_doubt_.clear(); }

  // --- of all that something still references
  // How many the family has.
  size_t CountOf(const ColumnFamilyData& cfd) const;
  // Numbers of the files.
  void AddLiveFiles(std::vector<uint64_t>* numbers) const;
  // Bytes of the family's blob files, and of its table files.
  uint64_t TotalBlobBytes(const ColumnFamilyData& cfd) const;
  uint64_t TotalTableBytes(const ColumnFamilyData& cfd) const;

 private:
  template <class Visit>
  void VisitLive(const Visit& visit) const;
  void AdoptFiles(ColumnFamilyData* cfd, const VersionStorage& storage);
  uint64_t NowSeconds() const;

  const Context context_;
  uint64_t next_number_ = 1;
  std::vector<std::weak_ptr<Version>> versions_;
  std::vector<std::pair<ColumnFamilyRef, VersionRef>> in_doubt_;
};

}  // namespace ROCKSDB_NAMESPACE
