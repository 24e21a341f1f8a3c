// How old data are, for families that keep them out of the last level by their
// age, or keep their ages (preclude_last_level_data_seconds,
// preserve_internal_time_seconds).
//
// Threads    Marked (mutex): under the DB mutex. The others take it.
// Ownership  Borrows what it is given. Stop() comes before that goes.
#pragma once

#include <memory>

#include "db/compaction/compaction_picker.h"
#include "db/family/sequence_clock.h"
#include "util/mutex.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry;
class VersionSet;
struct ImmutableDBOptions;
struct JobContext;

class SequenceAges {
 public:
  SequenceAges(const ImmutableDBOptions* db, Mutex* mutex,
               const FamilyRegistry* families, const VersionSet* versions);
  SequenceAges(const SequenceAges&) = delete;
  SequenceAges& operator=(const SequenceAges&) = delete;

  // What the tables of this database say, as it opens.
  void Learn() EXCLUDES(mutex_);
  // By the families' options, anew. Restart() must follow. (mutex)
  void Set();
  void Restart() EXCLUDES(mutex_);
  void Stop() { notes_.Stop(); }

  // What a job is to know, as of now. (mutex)
  void Tell(JobContext* job);
  // What is too young for the last level, or must keep its sequence. (mutex)
  void Limit(const ColumnFamilyData& cfd, CompactionPicker::Input* input);

 private:
  void SetLocked() REQUIRES(mutex_);
  void Note() REQUIRES(mutex_);
  uint64_t NowSeconds() const;

  const ImmutableDBOptions* const db_;
  Mutex* const mutex_;
  const FamilyRegistry* const families_ PT_GUARDED_BY(mutex_);
  const VersionSet* const versions_;
  SequenceClock clock_ GUARDED_BY(mutex_);
  PeriodicTask notes_;
};

}  // namespace ROCKSDB_NAMESPACE
