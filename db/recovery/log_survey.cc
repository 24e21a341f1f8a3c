#include "db/recovery/log_survey.h"

#include <algorithm>
#include <memory>

#include "db/wal/log_reader.h"
#include "db/wal/write_batch_internal.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "util/invariant.h"
#include "util/value/blob_index.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// The families that a batch touches, and the blob files that it refers to.
class FamiliesOf : public WriteBatch::Handler {
 public:
  explicit FamiliesOf(std::set<uint64_t>* blob_files)
      : blob_files_(blob_files) {}

  Status PutCF(uint32_t id, const Slice&, const Slice&) override {
    return Note(id);
  }
  Status TimedPutCF(uint32_t id, const Slice&, const Slice&,
                    uint64_t) override {
    return Note(id);
  }
  Status PutEntityCF(uint32_t id, const Slice&, const Slice& entity) override {
    return NoteBlobs(id, kTypeWideColumnEntity, entity);
  }
  Status DeleteCF(uint32_t id, const Slice&) override { return Note(id); }
  Status SingleDeleteCF(uint32_t id, const Slice&) override { return Note(id); }
  Status DeleteRangeCF(uint32_t id, const Slice&, const Slice&) override {
    return Note(id);
  }
  Status MergeCF(uint32_t id, const Slice&, const Slice&) override {
    return Note(id);
  }
  Status PutBlobIndexCF(uint32_t id, const Slice&, const Slice& blob) override {
    return NoteBlobs(id, kTypeBlobIndex, blob);
  }
  void LogData(const Slice&) override {}
  Status MarkBeginPrepare(bool) override { return Status::OK(); }
  Status MarkEndPrepare(const Slice&) override { return Status::OK(); }
  Status MarkNoop(bool) override { return Status::OK(); }
  Status MarkRollback(const Slice&) override { return Status::OK(); }
  Status MarkCommit(const Slice&) override { return Status::OK(); }
  Status MarkCommitWithTimestamp(const Slice&, const Slice&) override {
    return Status::OK();
  }

  const std::set<uint32_t>& ids() const { return ids_; }

 private:
  Status Note(uint32_t id) {
    ids_.insert(id);
    return Status::OK();
  }
  Status NoteBlobs(uint32_t id, ValueType type, const Slice& value) {
    ids_.insert(id);
    if (!RefersToBlobs(type, value)) return Status::OK();
    return ForEachReference(type, value, [this](const BlobIndex& blob) {
      blob_files_->insert(blob.file_number);
    });
  }
  std::set<uint32_t> ids_;
  std::set<uint64_t>* const blob_files_;
};

// False: it is none.
bool NoteBatch(const Slice& record, LogSurvey::Log* log) {
  WriteBatch batch;
  FamiliesOf families(&log->blob_files);
  Status s = WriteBatchInternal::SetContents(&batch, record);
  if (s.ok()) s = batch.Iterate(&families);
  if (!s.ok()) return false;
  const SequenceNumber first = WriteBatchInternal::Sequence(batch);
  const SequenceNumber next = first + WriteBatchInternal::Count(batch);
  if (log->next_sequence == 0) log->first_sequence = first;
  log->next_sequence = std::max(log->next_sequence, next);
  for (const uint32_t id : families.ids()) {
    INVARIANT(next > 0);
    SequenceNumber& last = log->families[id];
    last = std::max(last, next - 1);
  }
  return true;
}

Status SurveyLog(FileSystem* fs, const std::string& path, uint64_t number,
                 LogSurvey::Log* log) {
  std::unique_ptr<FSSequentialFile> file;
  Status s = fs->NewSequentialFile(path, fs->OptimizeForLogRead(FileOptions()),
                                   &file, nullptr);
  if (!s.ok()) return s;
  log::FirstDamage damage;
  log::Reader::Options options;
  options.log_number = number;
  options.name = path;
  log::Reader reader(
      std::make_unique<SequentialFileReader>(std::move(file), path), &damage,
      options);
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch,
                           WALRecoveryMode::kSkipAnyCorruptedRecords)) {
    if (!NoteBatch(record, log)) log->is_damaged = true;
  }
  if (damage.status().IsIOError()) return damage.status();
  if (!damage.status().ok()) log->is_damaged = true;
  return s;
}

}  // namespace

SequenceNumber LogSurvey::LastSequence() const {
  SequenceNumber next = 0;
  for (const auto& [number, log] : logs) {
    next = std::max(next, log.next_sequence);
  }
  return next > 0 ? next - 1 : 0;
}

bool LogSurvey::Spans(SequenceNumber sequence) const {
  return std::any_of(logs.begin(), logs.end(), [sequence](const auto& entry) {
    const Log& log = entry.second;
    return log.first_sequence <= sequence && sequence < log.next_sequence;
  });
}

uint32_t LogSurvey::LargestFamily() const {
  uint32_t largest = 0;
  for (const auto& [number, log] : logs) {
    if (log.families.empty()) continue;
    largest = std::max(largest, log.families.rbegin()->first);
  }
  return largest;
}

bool LogSurvey::RefersToBlobFile(uint64_t number) const {
  return std::any_of(logs.begin(), logs.end(), [number](const auto& log) {
    return log.second.blob_files.contains(number);
  });
}

uint64_t LogSurvey::FirstLogBeyond(uint32_t family,
                                   SequenceNumber sequence) const {
  for (const auto& [number, log] : logs) {
    const auto found = log.families.find(family);
    if (found != log.families.end() && found->second > sequence) return number;
  }
  return UINT64_MAX;
}

Status SurveyLogs(FileSystem* fs, const std::string& wal_dir,
                  const std::vector<uint64_t>& numbers, LogSurvey* survey) {
  INVARIANT(fs != nullptr && survey != nullptr);
  INVARIANT(survey->logs.empty());
  for (const uint64_t number : numbers) {
    Status s = SurveyLog(fs, LogFileName(wal_dir, number), number,
                         &survey->logs[number]);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
