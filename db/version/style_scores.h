// How a compaction style judges the files of a version: how full its levels
// are, how much is still to be done, which files are to be rewritten for their
// own sake. What is done about it is up to the style's picker
// (db/compaction/compaction_picker.h).
//
// Threads  Stateless. Calls read `being_compacted` of files: DB mutex.
#pragma once

#include "db/version/compaction_needs.h"
#include "options/cf_options.h"

namespace ROCKSDB_NAMESPACE {

class VersionStorage;

// By itself the style that begins nothing: no level has a target, level 0 is
// judged by the number of its files, and no file is rewritten.
class StyleScores {
 public:
  struct Input {
    const VersionStorage& storage;
    const ImmutableCFOptions& cf;
    const MutableCFOptions& options;
    ScoreTime time;
  };

  virtual ~StyleScores() = default;

  // All of *needs anew.
  void Judge(const Input& input, CompactionNeeds* needs) const;

 protected:
  // Base level, needed level and targets, where levels have any.
  virtual void SetTargets(const Input& input, CompactionNeeds* needs) const;
  // How many compactions' worth of data level 0 holds.
  virtual double ScoreOfLevel0(const Input& input) const;
  // Adds those of deeper levels, whose targets are set, in any order.
  virtual void AddDeeperScores(const Input& input,
                               CompactionNeeds* needs) const;
  // Bytes that compactions still have to rewrite, by the targets.
  virtual uint64_t PendingBytes(const Input& input,
                                const CompactionNeeds& needs) const;
  // What counts against the triggers that make writers wait.
  virtual int StallCount(const Input& input) const;
  // The blob file whose linked tables are to be rewritten; 0: none.
  virtual uint64_t ForcedBlobFile(const Input& input) const;
  // Asked of each file that is not being compacted.
  virtual bool WantsRewrite(const Input& input, int level,
                            const FileMeta& file) const;
  // Adds what is to be rewritten when all of the former is.
  virtual void AddLastToRewrite(const Input& input,
                                CompactionNeeds* needs) const;
};

// A style that has no row is judged as kCompactionStyleNone.
const StyleScores& ScoresOf(CompactionStyle style);

// One for each row: ScoresOfLeveled() and so on.
#define COMPACTION_STYLE(style, Name, ...) const StyleScores& ScoresOf##Name();
#include "options/compaction_styles.def"

// --- parts that styles share

// Sorted runs over the trigger.
double ScoreByCount(const StyleScores::Input& input, int run_count);

// Is the file asked for by its collectors, or read often for its size?
bool IsMarkedOrOftenRead(const StyleScores::Input& input, int level,
                         const FileMeta& file);

// The oldest blob file, if it and those that go with it are garbage to more
// than blob_garbage_collection_force_threshold, and garbage collection would
// move what is left of all of them; else 0.
uint64_t WastefulBlobFile(const StyleScores::Input& input);

}  // namespace ROCKSDB_NAMESPACE
