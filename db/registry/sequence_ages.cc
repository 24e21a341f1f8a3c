#include "db/registry/sequence_ages.h"

#include <algorithm>
#include <string>
#include <vector>

#include "db/compaction/compaction_picker.h"
#include "db/manifest/version_set.h"
#include "db/outputs/job_context.h"
#include "db/registry/family_registry.h"
#include "db/registry/sequence_clock.h"
#include "options/compaction_styles.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "table/table_reader.h"
#include "util/invariant.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// How long the age of data must be known; 0: it need not be.
uint64_t AgeSeconds(const MutableCFOptions& options) {
  return std::max(options.preclude_last_level_data_seconds,
                  options.preserve_internal_time_seconds);
}

}  // namespace

SequenceAges::SequenceAges(const ImmutableDBOptions* db, Mutex* mutex,
                           const FamilyRegistry* families,
                           const VersionSet* versions)
    : db_(db),
      mutex_(mutex),
      families_(families),
      versions_(versions),
      clock_(std::make_unique<SequenceClock>()),
      notes_(std::make_unique<PeriodicTask>([this] {
        MutexLock lock(mutex_);
        Note();
      })) {
  INVARIANT(versions_ != nullptr);
}

SequenceAges::~SequenceAges() = default;

void SequenceAges::Stop() { notes_->Stop(); }

uint64_t SequenceAges::NowSeconds() const {
  return db_->clock->NowMicros() / 1000000;
}

void SequenceAges::Set() {
  mutex_->AssertHeld();
  SetLocked();
}

void SequenceAges::Tell(JobContext* job) {
  INVARIANT(job != nullptr);
  mutex_->AssertHeld();
  Note();
  job->sequence_times = clock_->times();
  job->old_by_seconds = clock_->OldBy(NowSeconds());
}

void SequenceAges::SetLocked() {
  uint64_t shortest = 0, longest = 0;
  for (const auto& entry : *families_) {
    const MutableCFOptions& options = *entry.second->cfd->options();
    for (const uint64_t age : {options.preclude_last_level_data_seconds,
                               options.preserve_internal_time_seconds}) {
      if (age == 0) continue;
      shortest = shortest == 0 ? age : std::min(shortest, age);
      longest = std::max(longest, age);
    }
  }
  INVARIANT(shortest <= longest);
  clock_->SetAges(shortest, longest);
  Note();
}

void SequenceAges::Restart() {
  uint64_t seconds = 0;
  {
    MutexLock lock(mutex_);
    seconds = clock_->period_seconds();
  }
  constexpr uint64_t kMicrosPerSecond = 1'000'000;
  // Longer than that nobody waits for anything.
  constexpr uint64_t kMostSeconds = 24 * 60 * 60;
  notes_->SetPeriod(std::min(seconds, kMostSeconds) * kMicrosPerSecond);
}

void SequenceAges::Note() {
  INVARIANT(versions_ != nullptr);
  if (!clock_->is_on()) return;
  clock_->Note(versions_->LastSequence(), NowSeconds());
}

// The tables of this database say what was known when they were written. The
// newest first: what they say of older data than anybody asks for is not
// needed.
void SequenceAges::Learn() {
  std::string db_id;
  std::vector<LiveTable> tables;
  {
    MutexLock lock(mutex_);
    SetLocked();
    if (!clock_->is_on()) return;
    db_id = versions_->db_id();
    tables = families_->LiveTables();
  }
  std::sort(tables.begin(), tables.end(),
            [](const LiveTable& a, const LiveTable& b) {
              return a.file->largest_sequence > b.file->largest_sequence;
            });
  for (const LiveTable& table : tables) {
    if (table.file->largest_sequence == 0) break;
    std::shared_ptr<const TableReader> reader;
    Status s = table.cfd->tables()->Find(ReadOptions(), *table.file,
                                         table.level, *table.options, &reader);
    SequenceTimes times;
    if (s.ok()) {
      const auto properties = reader->properties();
      // In the files of another database the numbers mean something else.
      if (properties->db_id != db_id) continue;
      s = times.DecodeFrom(properties->seqno_to_time_mapping);
    }
    if (!s.ok()) {
      // Data of unknown age are taken for young.
      Warn(db_->logger, "no times from table #%llu: %s",
           static_cast<unsigned long long>(table.file->number),
           s.ToString().c_str());
      continue;
    }
    MutexLock lock(mutex_);
    clock_->Learn(times);
    if (clock_->ReachesBackFrom(NowSeconds())) break;
  }
}

AgeLimits SequenceAges::LimitsOf(const ColumnFamilyData& cfd,
                                 const MutableCFOptions& options) {
  mutex_->AssertHeld();
  AgeLimits limits;
  const uint64_t age = AgeSeconds(options);
  if (age == 0) return limits;
  Note();
  const uint64_t now = NowSeconds();
  limits.zeroed = clock_->OlderThan(age, now);
  const uint64_t precluded = options.preclude_last_level_data_seconds;
  if (precluded == 0 || !TraitsOf(cfd.ioptions().compaction_style).moves_down) {
    return limits;
  }
  // Checked when the options were set.
  INVARIANT(cfd.ioptions().internal_comparator.timestamp_size() == 0);
  limits.last_level = clock_->OlderThan(precluded, now);
  assert(limits.zeroed <= limits.last_level);
  return limits;
}

}  // namespace ROCKSDB_NAMESPACE
