#include "db/wal/wal_tail.h"

#include <algorithm>

#include "db/wal/log_reader.h"
#include "db/wal/predecessor_record.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

WalTail::WalTail(Context context, SequenceNumber start)
    : context_(std::move(context)), wanted_(start) {
  INVARIANT(context_.place.fs != nullptr);
  INVARIANT(context_.list != nullptr && context_.last_sequence != nullptr);
  INVARIANT(context_.inline_blobs != nullptr);
}

WalTail::~WalTail() = default;

Status WalTail::Start() {
  INVARIANT(log_number_ == 0);
  VectorWalPtr files;
  if (Status s = context_.list(&files); !s.ok()) return s;
  for (const std::unique_ptr<WalFile>& file : files) {
    if (log_number_ != 0 && file->StartSequence() > wanted_) break;
    log_number_ = file->LogNumber();
  }
  if (log_number_ != 0) Advance();
  return status_;
}

void WalTail::Next() {
  batch_.reset();
  if (!status_.ok()) return;
  if (log_number_ == 0) {
    status_ = Start();
  } else {
    Advance();
  }
}

BatchResult WalTail::GetBatch() {
  BatchResult result;
  if (!Valid()) return result;
  result.sequence = batch_sequence_;
  result.writeBatchPtr = std::make_unique<WriteBatch>(std::move(*batch_));
  return result;
}

Status WalTail::OpenLog() {
  FileSystem* fs = context_.place.fs;
  const FileOptions options = fs->OptimizeForLogRead(FileOptions());
  std::string path = LogFileName(context_.place.wal_dir, log_number_);
  std::unique_ptr<SequentialFileReader> file;
  Status s = SequentialFileReader::Create(fs, path, options, &file);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    path = ArchivedLogFileName(context_.place.wal_dir, log_number_);
    s = SequentialFileReader::Create(fs, path, options, &file);
  }
  if (s.IsNotFound() || s.IsPathNotFound()) {
    return Status::NotFound(path, "the log is deleted");
  }
  if (s.ok() && resume_offset_ > 0) s = file->Skip(resume_offset_);
  if (!s.ok()) return s;
  damage_.Forget();
  log::Reader::Options reader_options;
  reader_options.log_number = log_number_;
  reader_options.name = path;
  reader_options.verify_checksums = context_.verify_checksums;
  reader_options.is_growing = true;
  reader_options.start_offset = resume_offset_;
  reader_options.is_compressed = resume_offset_ > 0 && is_compressed_;
  reader_ =
      std::make_unique<log::Reader>(std::move(file), &damage_, reader_options);
  return s;
}

Status WalTail::FindNextLog(uint64_t* number) const {
  INVARIANT(number != nullptr);
  VectorWalPtr files;
  if (Status s = context_.list(&files); !s.ok()) return s;
  *number = 0;
  for (const std::unique_ptr<WalFile>& file : files) {
    if (file->LogNumber() > log_number_) {
      *number = file->LogNumber();
      break;
    }
  }
  return Status::OK();
}

// Looks for the next log before it reads on: what is read to its end after
// that is complete.
void WalTail::Advance() {
  INVARIANT(batch_ == nullptr);
  if (reader_ != nullptr && ReadBatch() != Found::kEnd) return;
  while (status_.ok()) {
    uint64_t next = 0;
    status_ = FindNextLog(&next);
    if (status_.ok()) status_ = OpenLog();
    if (status_.IsNotFound() && next != 0) {
      // Deleted to its end, or beyond what was read: the sequences tell.
      status_ = Status::OK();
    } else if (!status_.ok() || ReadBatch() != Found::kEnd) {
      return;
    }
    if (next == 0 || !status_.ok()) break;
    if (!damage_.status().ok()) {
      status_ = damage_.status();
      return;
    }
    log_number_ = next;
    resume_offset_ = 0;
    is_compressed_ = false;
    reader_.reset();
  }
}

WalTail::Found WalTail::ReadBatch() {
  INVARIANT(reader_ != nullptr);
  Slice record;
  Found found = Found::kNothing;
  while (found == Found::kNothing) {
    if (!reader_->ReadRecord(&record, &scratch_) || !damage_.status().ok()) {
      found = Found::kEnd;
      break;
    }
    is_compressed_ = reader_->is_compressed();
    found = Take(record);
    if (found == Found::kNotYet) break;
    const uint64_t end = reader_->LastRecordEnd();
    resume_offset_ = end - end % log::kBlockSize;
  }
  if (found != Found::kBatch) reader_.reset();
  return found;
}

// How many sequences the batch takes: its updates outside of sections, and
// those of the sections that it commits.
Status WalTail::CountTaken(const WriteBatch& batch, uint64_t* count) {
  *count = 0;
  ended_.clear();
  bool is_in_section = false;
  uint64_t in_section = 0;
  for (BatchReader reader(batch.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (IsDataEntry(entry.type)) {
      ++(is_in_section ? in_section : *count);
      continue;
    }
    switch (entry.type) {
      case kTypeBeginPrepareXID:
      case kTypeBeginPersistedPrepareXID:
      case kTypeBeginUnprepareXID:
        is_in_section = true;
        in_section = 0;
        break;
      case kTypeEndPrepareXID:
        section_counts_[entry.key.ToString()] = is_in_section ? in_section : 0;
        is_in_section = false;
        break;
      case kTypeCommitXID:
      case kTypeCommitXIDAndTimestamp: {
        // One from before the walk began may have any number of updates.
        const auto found = section_counts_.find(entry.key.ToString());
        commits_unknown_ = commits_unknown_ || found == section_counts_.end();
        if (found == section_counts_.end()) break;
        *count += found->second;
        ended_.push_back(entry.key.ToString());
        break;
      }
      default:
        break;
    }
  }
  return Status::OK();
}

// A batch of blobs alone (PutLogData()), or of nothing, takes no sequence. It
// is shown with the update behind it.
WalTail::Found WalTail::TakeWithoutUpdates(const Slice& record,
                                           WriteBatch* batch) {
  const SequenceNumber first = DecodeFixed64(record.data());
  // The same record may be read twice.
  const std::pair place(log_number_, reader_->LastRecordOffset());
  LogPredecessor of_log;
  if (first < wanted_ || place <= last_marked_ ||
      DecodePredecessor(record, &of_log)) {
    return Found::kNothing;
  }
  if (first > context_.last_sequence()) return Found::kNotYet;
  status_ = WriteBatchInternal::SetContents(batch, record);
  if (!status_.ok()) return Found::kEnd;
  last_marked_ = place;
  return Found::kBatch;
}

WalTail::Found WalTail::Take(const Slice& record) {
  if (record.size() < kBatchHeaderBytes) {
    status_ = Status::Corruption("log record too small");
    return Found::kEnd;
  }
  const SequenceNumber first = DecodeFixed64(record.data());
  uint64_t count = DecodeFixed32(record.data() + sizeof(uint64_t));
  auto batch = std::make_unique<WriteBatch>();
  commits_unknown_ = false;
  if (context_.may_have_sections || first + count > wanted_) {
    status_ = WriteBatchInternal::SetContents(batch.get(), record);
    if (!status_.ok()) return Found::kEnd;
  }
  if (context_.may_have_sections && PreparedSections::Concerns(*batch)) {
    // The same record may be read twice, and takes no sequence that would tell.
    const std::pair place(log_number_, reader_->LastRecordOffset());
    if (place <= last_marked_) return Found::kNothing;
    status_ = CountTaken(*batch, &count);
    if (!status_.ok()) return Found::kEnd;
    if (first + count < wanted_) return Found::kNothing;
    if (first + count > context_.last_sequence() + 1) return Found::kNotYet;
    last_marked_ = place;
    for (const std::string& name : ended_) section_counts_.erase(name);
  } else if (count == 0) {
    const Found found = TakeWithoutUpdates(record, batch.get());
    if (found != Found::kBatch) return found;
  } else if (first + count <= wanted_) {
    return Found::kNothing;
  }
  if (first + count > context_.last_sequence() + 1) return Found::kNotYet;
  if (first > wanted_ && has_started_ && gap_.ok() && !is_uncounted_) {
    gap_ = Status::NotFound("Gap in sequence numbers",
                            "sequence " + std::to_string(wanted_) +
                                " is wanted, " + std::to_string(first) +
                                " follows");
  }
  status_ = context_.inline_blobs(batch.get());
  if (!status_.ok()) return Found::kEnd;
  batch_ = std::move(batch);
  batch_sequence_ = first;
  wanted_ = first + count;
  is_uncounted_ = commits_unknown_;
  has_started_ = true;
  return Found::kBatch;
}

}  // namespace ROCKSDB_NAMESPACE
