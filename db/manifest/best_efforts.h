// The newest state of a database of which all files are still there
// (DBOptions::best_efforts_recovery; db-format.md 5.6).
//
// The edits of a manifest are followed one step at a time, a step being an edit
// or an atomic group, and each family is cut off after the step whose state is
// a point in time as new as any:
//
//   - all its tables and blob files are there, in the size that the manifest
//     says, and its tables can be opened; or
//   - of level 0 alone some are not: those, and all that are newer, are left
//     out, with the blob files made with them.
//
// An atomic group of which a table is missing, and no later state makes up for
// it, did not happen for any of its families.
//
// A family without such a step is left empty, and so it stays: no log adds to
// what is lost. Counters count to the end of the manifest. Families that are
// dropped later are gone.
//
// Threads  One.
// Errors   Corruption if the manifest is damaged, or tells of no state of some
//          family. Any other: what is there could not be found out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "db/manifest/manifest_replay.h"
#include "db/manifest/surviving_files.h"
#include "db/version/version_edit.h"

namespace ROCKSDB_NAMESPACE {

// What the file system has. NotFound: the file is missing, has another size, or
// is a table that cannot be opened; any other error: it could not be asked.
struct FilesThere {
  std::function<Status(const std::string& family, const FileMeta& file)> table;
  std::function<Status(const std::string& family, const BlobFileAddition& file)>
      blob;
};

class BestEfforts {
 public:
  // The log number of a family that is left empty: it needs none that is there.
  static constexpr uint64_t kNoLog = UINT64_MAX;

  explicit BestEfforts(FilesThere there);

  // Fills in an empty `replay` from this manifest.
  Status Run(FileSystem* fs, const std::string& path, uint64_t number,
             ManifestReplay* replay);

  // Is it an older state, or one without some files?
  bool has_lost_something() const { return has_lost_something_; }

  // Is some family empty for that?
  bool has_lost_family() const { return has_lost_family_; }

 private:
  struct Point {
    size_t steps = 0;  // after so many; 0: none, the family is empty
    SurvivingFiles::State state;
  };
  struct Family {
    std::string name;
    // Only what a log number was given to is a state.
    bool has_begun = false;
    SurvivingFiles files;
    // Each as new as the one before, or newer. The last one counts.
    std::vector<Point> points;
    // What is missing in that state, and the tables that need it.
    std::set<uint64_t> left_out_tables, left_out_blobs;

    Point last() const { return points.empty() ? Point() : points.back(); }
  };

  Status ReadSteps(FileSystem* fs, const std::string& path);
  Status Follow(const VersionEdit& edit, size_t step);
  Status LookFor(const VersionEdit& edit, const std::string& family);
  void JudgeFamily(size_t step_count, uint32_t id);
  bool IsTorn(const VersionEdit& edit, size_t step) const;
  bool UndoTornGroups();
  void FindLeftOut();
  VersionEdit Trim(VersionEdit edit, size_t step);

  const FilesThere there_;
  std::vector<std::vector<VersionEdit>> steps_;
  std::map<uint32_t, Family> families_;  // by id
  std::vector<size_t> groups_;  // steps that add files to several families
  // Numbers of files that were looked for, and that are not there.
  std::unordered_set<uint64_t> looked_for_, missing_;
  bool has_lost_something_ = false;
  bool has_lost_family_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
