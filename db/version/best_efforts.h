// The newest state of a database of which all files are still there
// (DBOptions::best_efforts_recovery; db-format.md 5.6).
//
// The edits of a manifest are followed one step at a time, a step being an edit
// or an atomic group, and each family is cut off after the last step at which
//
//   - all its tables and blob files are there, in the size that the manifest
//     says; or
//   - only its newest level-0 tables, and the blob files made with them, are
//     not: those are left out. Not for families that an atomic group touches:
//     they are all cut off at the same step.
//
// Counters count to the end of the manifest. Families that are dropped later
// are gone.
//
// Threads  One.
// Errors   Corruption if some family has no such state, or the manifest is
//          damaged. Any other: what is there could not be found out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "db/version/manifest_replay.h"
#include "db/version/version_edit.h"

namespace ROCKSDB_NAMESPACE {

// What the file system has. NotFound: the file is missing, or has another size;
// any other error: it could not be asked.
struct FilesThere {
  std::function<Status(const std::string& family, const FileMeta& file)> table;
  std::function<Status(const std::string& family, const BlobFileAddition& file)>
      blob;
};

class BestEfforts {
 public:
  explicit BestEfforts(FilesThere there);

  // Fills in an empty `replay` from this manifest.
  Status Run(FileSystem* fs, const std::string& path, uint64_t number,
             ManifestReplay* replay);

  // Is it an older state, or one without some files?
  bool has_lost_something() const { return has_lost_something_; }

 private:
  struct Table {
    int level = 0;
    FileRef file;
    size_t step = 0;  // that added it
  };
  struct MissingBlob {
    size_t step = 0;  // that added it
    // That are not garbage.
    uint64_t live_count = 0;
  };
  struct Family {
    std::string name;
    // Only what a log number was given to is a state.
    bool has_begun = false;
    std::map<uint64_t, Table> tables;
    std::set<uint64_t> missing_tables;
    std::map<uint64_t, MissingBlob> missing_blobs;
    // After so many steps; 0: never.
    size_t good_steps = 0;
    // What is missing in that state, and the tables that need it.
    std::set<uint64_t> left_out_tables, left_out_blobs;
  };

  Status ReadSteps(FileSystem* fs, const std::string& path);
  Status Follow(const VersionEdit& edit, size_t step);
  Status FollowFiles(const VersionEdit& edit, size_t step, Family* family);
  static void DropUnneededBlobs(Family* family);
  void JudgeFamilies(size_t step_count, const std::set<uint32_t>& touched);
  void JudgeGroup(size_t step_count);
  static std::set<uint64_t> SpoiltTables(const Family& family);
  static bool AreNewest(const Family& family, const std::set<uint64_t>& tables);
  VersionEdit Trim(VersionEdit edit, size_t step);

  const FilesThere there_;
  std::vector<std::vector<VersionEdit>> steps_;
  std::map<uint32_t, Family> families_;  // by id
  std::set<uint32_t> grouped_;           // those that atomic groups touch
  size_t group_good_steps_ = 0;
  bool has_lost_something_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
