#include "db/compaction/resume_points.h"

#include "db/semantics/compaction_iterator.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table_properties.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

ResumePoints::ResumePoints(CompactionProgressFile* file,
                           const CompactionProgressRecord* before,
                           size_t timestamp_size, SystemClock* clock)
    : file_(file),
      timestamp_size_(timestamp_size),
      clock_(clock),
      start_cpu_micros_(clock->CPUMicros()) {
  INVARIANT(file_ != nullptr);
  if (before == nullptr) return;
  before_ = before->counts;
  output_records_ = before->output_records;
}

CompactionCounts ResumePoints::CountsOf(
    const CompactionIteratorStats& records,
    const CompactionOutputs& outputs) const {
  CompactionCounts counts;
  counts.records = records;
  counts.dropped_tombstones = outputs.dropped_tombstones();
  counts.cpu_micros = clock_->CPUMicros() - start_cpu_micros_;
  return counts;
}

// The entry is the first of a file, so the file before has ended.
void ResumePoints::NoteEnd(const CompactionIterator& entries,
                           const CompactionOutputs& outputs) {
  INVARIANT(outputs.ended_count() == ends_.size() + 1);
  ends_.push_back({BeforeAllVersions(entries.user_key(), timestamp_size_),
                   CountsOf(entries.stats_before_key(), outputs)});
  RecordFinished(outputs);
}

void ResumePoints::RecordFinished(const CompactionOutputs& outputs) {
  const std::vector<CompactionOutputFile>& files = outputs.files();
  for (; recorded_ < files.size() && recorded_ < ends_.size(); ++recorded_) {
    const End& end = ends_[recorded_];
    Record(&files[recorded_], &end.next, end.counts);
  }
}

void ResumePoints::RecordEnd(const CompactionIteratorStats& records,
                             const CompactionOutputs& outputs) {
  RecordFinished(outputs);
  const std::vector<CompactionOutputFile>& files = outputs.files();
  INVARIANT(files.size() - recorded_ <= 1);
  Record(recorded_ < files.size() ? &files[recorded_] : nullptr, nullptr,
         CountsOf(records, outputs));
  recorded_ = files.size();
}

void ResumePoints::Record(const CompactionOutputFile* output,
                          const InternalKey* next,
                          const CompactionCounts& own) {
  CompactionProgressRecord record;
  if (output != nullptr) {
    record.files.push_back(output->meta);
    output_records_ += output->properties->num_entries;
  }
  if (next != nullptr) record.next = *next;
  record.counts = before_;
  record.counts.Add(own);
  record.output_records = output_records_;
  file_->Add(record);
}

}  // namespace ROCKSDB_NAMESPACE
