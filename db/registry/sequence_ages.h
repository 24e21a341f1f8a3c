// How old data are, for families that keep them out of the last level by their
// age, or keep their ages (preclude_last_level_data_seconds,
// preserve_internal_time_seconds).
//
// Threads    Marked (mutex): under the DB mutex. The others take it.
// Ownership  Borrows what it is given. Stop() comes before that goes.
#pragma once

#include <memory>

#include "util/key/internal_key.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyRegistry;
class PeriodicTask;
class SequenceClock;
class VersionSet;
struct ImmutableDBOptions;
struct JobContext;
struct MutableCFOptions;

// Up to where entries are old enough, by their sequences.
struct AgeLimits {
  SequenceNumber last_level = kMaxSequenceNumber;  // for the last level
  SequenceNumber zeroed = kMaxSequenceNumber;      // to lose their sequences
};

class SequenceAges {
 public:
  SequenceAges(const ImmutableDBOptions* db, Mutex* mutex,
               const FamilyRegistry* families, const VersionSet* versions);
  ~SequenceAges();
  SequenceAges(const SequenceAges&) = delete;
  SequenceAges& operator=(const SequenceAges&) = delete;

  // What the tables of this database say, as it opens.
  void Learn() EXCLUDES(mutex_);
  // By the families' options, anew. Restart() must follow. (mutex)
  void Set();
  void Restart() EXCLUDES(mutex_);
  void Stop();

  // What a job is to know, as of now. (mutex)
  void Tell(JobContext* job);
  // For a compaction of the family that goes by these options. (mutex)
  AgeLimits LimitsOf(const ColumnFamilyData& cfd,
                     const MutableCFOptions& options);

 private:
  void SetLocked() REQUIRES(mutex_);
  void Note() REQUIRES(mutex_);
  uint64_t NowSeconds() const;

  const ImmutableDBOptions* const db_;
  Mutex* const mutex_;
  const FamilyRegistry* const families_ PT_GUARDED_BY(mutex_);
  const VersionSet* const versions_;
  const std::unique_ptr<SequenceClock> clock_ PT_GUARDED_BY(mutex_);
  const std::unique_ptr<PeriodicTask> notes_;
};

}  // namespace ROCKSDB_NAMESPACE
