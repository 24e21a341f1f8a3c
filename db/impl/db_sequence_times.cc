// DBImpl: how old data are, for families that keep them out of the last level
// by their age, or keep their ages.
#include <algorithm>

#include "db/family/sequence_clock.h"
#include "db/impl/db_impl.h"
#include "rocksdb/info_log.h"
#include "table/table_reader.h"
#include "util/invariant.h"
#include "util/periodic_task.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// How long the age of data must be known; 0: it need not be.
uint64_t AgeSeconds(const ColumnFamilyOptions& options) {
  return std::max(options.preclude_last_level_data_seconds,
                  options.preserve_internal_time_seconds);
}

}  // namespace

void DBImpl::SetSequenceAges() {
  uint64_t shortest = 0, longest = 0;
  for (const auto& entry : families_) {
    const MutableCFOptions& options = *entry.second->cfd->options();
    for (const uint64_t age : {options.preclude_last_level_data_seconds,
                               options.preserve_internal_time_seconds}) {
      if (age == 0) continue;
      shortest = shortest == 0 ? age : std::min(shortest, age);
      longest = std::max(longest, age);
    }
  }
  INVARIANT(shortest <= longest);
  sequence_clock_->SetAges(shortest, longest);
  NoteSequenceTime();
}

std::shared_ptr<SequenceClock> DBImpl::MakeSequenceClock() {
  return std::make_shared<SequenceClock>();
}

void DBImpl::StartSequenceClock() {
  uint64_t seconds = 0;
  {
    MutexLock lock(&mutex_);
    seconds = sequence_clock_->period_seconds();
  }
  constexpr uint64_t kMicrosPerSecond = 1'000'000;
  // Longer than that nobody waits for anything.
  constexpr uint64_t kMostSeconds = 24 * 60 * 60;
  sequence_notes_->SetPeriod(std::min(seconds, kMostSeconds) *
                             kMicrosPerSecond);
}

void DBImpl::NoteSequenceTime() {
  INVARIANT(versions_ != nullptr);
  if (!sequence_clock_->is_on()) return;
  sequence_clock_->Note(versions_->LastSequence(), NowSeconds());
}

// The tables of this database say what was known when they were written. The
// newest first: what they say of older data than anybody asks for is not
// needed.
void DBImpl::LearnSequenceTimes() {
  INVARIANT(mode_ == Mode::kReadWrite);
  std::string db_id;
  {
    MutexLock lock(&mutex_);
    SetSequenceAges();
    if (!sequence_clock_->is_on()) return;
    db_id = versions_->db_id();
  }
  std::vector<LiveTable> tables = LiveTables();
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
      Warn(options_.logger, "no times from table #%llu: %s",
           static_cast<unsigned long long>(table.file->number),
           s.ToString().c_str());
      continue;
    }
    MutexLock lock(&mutex_);
    sequence_clock_->Learn(times);
    if (sequence_clock_->ReachesBackFrom(NowSeconds())) break;
  }
}

void DBImpl::LimitByAge(const ColumnFamilyData& cfd,
                        CompactionPicker::Input* input) {
  INVARIANT(input != nullptr && input->options != nullptr);
  const MutableCFOptions& options = *input->options;
  const uint64_t age = AgeSeconds(options);
  if (age == 0) return;
  NoteSequenceTime();
  const uint64_t now = NowSeconds();
  input->zeroes_up_to = sequence_clock_->OlderThan(age, now);
  const uint64_t precluded = options.preclude_last_level_data_seconds;
  const CompactionStyle style = cfd.ioptions().compaction_style;
  const bool has_levels =
      style == kCompactionStyleLevel || style == kCompactionStyleUniversal;
  if (precluded == 0 || !has_levels) return;
  // Checked when the options were set.
  INVARIANT(cfd.ioptions().internal_comparator.timestamp_size() == 0);
  input->last_level_up_to = sequence_clock_->OlderThan(precluded, now);
  assert(input->zeroes_up_to <= input->last_level_up_to);
}

}  // namespace ROCKSDB_NAMESPACE
