#include "db/outputs/growing_blob_file.h"

#include <utility>

#include "db/blob/blob_file_reader.h"
#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/blob/unsealed_blob_file.h"
#include "db/family/column_family.h"
#include "db/manifest/version_set.h"
#include "db/outputs/output_file.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/sst_file_manager_impl.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FileIoContext GrowingIoContext(const ImmutableDBOptions& db) {
  FileIoContext context;
  context.clock = db.clock;
  context.statistics = db.stats;
  context.listeners = FileListeners(db.listeners);
  context.histogram = BLOB_DB_BLOB_FILE_WRITE_MICROS;
  context.checksum_factory = db.file_checksum_gen_factory.get();
  context.hands_checksums = db.checksum_handoff_file_types.Contains(kBlobFile);
  return context;
}

}  // namespace

GrowingBlobContext::GrowingBlobContext(const JobContext& job)
    : origin(job, BlobFileCreationReason::kFlush),
      versions(job.versions),
      sink(job.versions->sink()),
      hold_outputs(job.hold_outputs),
      file_options(OutputFileOptions(job)) {
  INVARIANT(sink != nullptr && hold_outputs != nullptr);
  // Readers follow the writer through the page cache.
  file_options.use_direct_writes = false;
  file_options.use_mmap_writes = false;
}

Status GrowingBlobFile::Open(const GrowingBlobContext& context,
                             const BlobSource& source,
                             CompressionType compression,
                             std::unique_ptr<GrowingBlobFile>* result) {
  INVARIANT(result != nullptr);
  // Until the sink knows of it.
  const auto hold = context.hold_outputs();
  auto file =
      std::make_unique<GrowingBlobFile>(PassKey{}, context, source, compression,
                                        context.versions->NewFileNumber());
  Status s = file->Create();
  if (s.ok()) s = file->WriteHeader();
  if (s.ok()) s = file->OpenReader(source);
  if (s.ok()) *result = std::move(file);
  return s;
}

GrowingBlobFile::GrowingBlobFile(PassKey, const GrowingBlobContext& context,
                                 const BlobSource& source,
                                 CompressionType compression, uint64_t number)
    : context_(context),
      db_(*context.origin.db),
      family_id_(source.column_family()),
      compression_(compression),
      number_(number),
      directory_(source.directory()),
      path_(source.FilePath(number)),
      growing_(source.growing()) {
  INVARIANT(number != 0);
  record_.number = pending_.number = number;
  context_.sink->OnReferenced(number_);
}

GrowingBlobFile::~GrowingBlobFile() {
  if (reader_ != nullptr) growing_->RemoveUser(number_);
  {
    MutexLock lock(&mutex_);
    if (writer_ != nullptr) {
      IgnoreError(writer_->Close(), "the file stays as it is, or goes");
    }
  }
  context_.sink->OnBlobUnreferenced(path_, number_, size_bytes());
}

Status GrowingBlobFile::Create() {
  std::unique_ptr<WritableFileWriter> writer;
  Status s = WritableFileWriter::Create(db_.fs, path_, context_.file_options,
                                        &writer, GrowingIoContext(db_));
  if (!s.ok()) return s;
  TellBlobFileStarted(context_.origin, path_);
  MutexLock lock(&mutex_);
  writer_ = std::move(writer);
  return s;
}

Status GrowingBlobFile::WriteHeader() {
  BlobFileHeader header;
  header.column_family = family_id_;
  header.compression = compression_;
  std::string bytes;
  header.EncodeTo(&bytes);
  MutexLock lock(&mutex_);
  Status s = writer_->Append(bytes);
  return s.ok() ? writer_->Flush() : s;
}

Status GrowingBlobFile::OpenReader(const BlobSource& source) {
  BlobFileRef opened;
  Status s = source.OpenGrowing(number_, compression_, &opened);
  if (!s.ok()) return s;
  reader_ = opened;
  growing_->Add(std::move(opened));
  return s;
}

uint64_t GrowingBlobFile::size_bytes() const {
  MutexLock lock(&mutex_);
  return BlobFileHeader::kBytes + pending_.total_bytes;
}

uint64_t GrowingBlobFile::flushed_bytes() const {
  MutexLock lock(&mutex_);
  return record_.total_count == 0
             ? 0
             : BlobFileHeader::kBytes + record_.total_bytes;
}

bool GrowingBlobFile::TakesMore() const {
  MutexLock lock(&mutex_);
  return !is_cut_off_ && !is_sealed_;
}

Status GrowingBlobFile::HasFailed() const {
  return Status::IOError(path_, "an earlier write has failed");
}

Status GrowingBlobFile::Append(const Slice& record_key, const Slice& stored,
                               uint64_t* offset) {
  INVARIANT(offset != nullptr);
  MutexLock lock(&mutex_);
  // A sync beside this may have failed.
  if (is_cut_off_ || is_sealed_) return HasFailed();
  const uint64_t before = BlobValueOffset(record_key.size());
  *offset = BlobFileHeader::kBytes + pending_.total_bytes + before;
  std::string head;
  BlobRecordHeader::Encode(record_key, stored, &head);
  head.append(record_key.data(), record_key.size());
  Status s = writer_->Append(head);
  if (s.ok()) s = writer_->Append(stored);
  if (!s.ok()) {
    is_cut_off_ = true;
    return s;
  }
  ++pending_.total_count;
  pending_.total_bytes += before + stored.size();
  RecordTick(db_.stats, BLOB_DB_BLOB_FILE_BYTES_WRITTEN,
             before + stored.size());
  return s;
}

Status GrowingBlobFile::Flush() {
  MutexLock lock(&mutex_);
  if (record_.total_count == pending_.total_count) return Status::OK();
  // Without what is in the buffer, a sync beside this may have sealed it.
  if (is_cut_off_ || is_sealed_) return HasFailed();
  Status s = writer_->Flush();
  if (!s.ok()) {
    is_cut_off_ = true;
    return s;
  }
  record_.total_count = pending_.total_count;
  record_.total_bytes = pending_.total_bytes;
  reader_->pinned_owner->SetRecordsEnd(BlobFileHeader::kBytes +
                                       record_.total_bytes);
  return s;
}

Status GrowingBlobFile::Sync() {
  Status s;
  {
    MutexLock lock(&sync_mutex_);
    s = SyncFile();
  }
  TellIfSealed();
  return s;
}

Status GrowingBlobFile::SyncFile() {
  {
    MutexLock lock(&mutex_);
    // Nothing refers to it, or to more of it.
    if (is_sealed_ || record_.total_count == 0) return Status::OK();
    if (record_.total_count == synced_count_ && is_in_directory_) {
      return Status::OK();
    }
  }
  return SyncFlushed();
}

Status GrowingBlobFile::SyncFlushed() {
  Status s;
  WritableFileWriter* beside = nullptr;  // appends
  uint64_t count = 0;
  bool is_cut_off = false;
  {
    MutexLock lock(&mutex_);
    count = record_.total_count;
    is_cut_off = is_cut_off_;
    const bool is_synced = count == synced_count_;
    if (!is_cut_off && !is_synced) {
      if (writer_->writable_file()->IsSyncThreadSafe()) {
        beside = writer_.get();
      } else {
        s = writer_->Sync(db_.use_fsync);
      }
    }
  }
  if (is_cut_off) return SealCutOff();
  if (beside != nullptr) {
    const StopWatch watch(db_.clock, db_.stats, BLOB_DB_BLOB_FILE_SYNC_MICROS);
    s = beside->SyncWithoutFlush(db_.use_fsync);
  }
  if (!s.ok()) {
    {
      MutexLock lock(&mutex_);
      is_cut_off_ = true;
    }
    return SealCutOff();
  }
  if (count > synced_count_) RecordTick(db_.stats, BLOB_DB_BLOB_FILE_SYNCED);
  synced_count_ = count;
  return SyncName();
}

Status GrowingBlobFile::SyncName() {
  if (is_in_directory_) return Status::OK();
  Status s = SyncDirectory(
      db_.fs, directory_,
      DirFsyncOptions(DirFsyncOptions::FsyncReason::kNewFileSynced));
  if (s.ok()) is_in_directory_ = true;
  return s;
}

Status GrowingBlobFile::WriteEnd() {
  INVARIANT(pending_.total_count == record_.total_count);
  std::string bytes;
  BlobFileFooter{.blob_count = record_.total_count}.EncodeTo(&bytes);
  Status s = writer_->Append(bytes);
  if (s.ok()) s = writer_->Sync(db_.use_fsync);
  if (s.ok()) s = writer_->Close();
  return s;
}

// Records that were not flushed are nobody's.
Status GrowingBlobFile::SealCutOff() {
  UnsealedBlobFile::WholePart part;
  {
    MutexLock lock(&mutex_);
    INVARIANT(is_cut_off_ && !is_sealed_);
    part.blob_count = record_.total_count;
    part.end = BlobFileHeader::kBytes + record_.total_bytes;
    if (writer_ != nullptr) {
      IgnoreError(writer_->Close(), "its failure is known");
      writer_.reset();
    }
  }
  UnsealedBlobFile file;
  UnsealedBlobFile::WholePart found;
  Status s = file.Open(db_.fs, path_);
  if (s.ok()) s = file.FindWholePart(&found);
  if (s.ok() && found.end < part.end) {
    s = Status::Corruption(
        path_,
        "has lost blobs that were written: " + std::to_string(found.end) +
            " bytes are whole, of " + std::to_string(part.end));
  }
  if (!s.ok()) return s;
  // A new number, so that it is not taken for a left-over file.
  const auto hold = context_.hold_outputs();
  s = file.SealCopy(
      TempFileName(directory_, context_.versions->NewFileNumber()), part);
  if (!s.ok()) return s;
  MutexLock lock(&mutex_);
  NoteSealed();
  return s;
}

void GrowingBlobFile::NoteSealed() {
  is_sealed_ = is_in_directory_ = true;
  NoteFileAdded(db_.sst_file_manager.get(), path_,
                record_.total_bytes + BlobFile::kFrameBytes);
}

void GrowingBlobFile::TellIfSealed() {
  BlobFileAddition sealed;
  {
    MutexLock lock(&mutex_);
    if (!is_sealed_ || is_told_) return;
    is_told_ = true;
    sealed = record_;
  }
  TellBlobFileFinished(context_.origin, path_, sealed, Status::OK());
}

Status GrowingBlobFile::Seal(BlobFileAddition* record) {
  INVARIANT(record != nullptr);
  Status s;
  {
    MutexLock lock(&sync_mutex_);
    s = SealFile(record);
  }
  TellIfSealed();
  return s;
}

Status GrowingBlobFile::SealFile(BlobFileAddition* record) {
  bool is_cut_off = false;
  {
    MutexLock lock(&mutex_);
    *record = record_;
    if (is_sealed_ || record_.total_count == 0) return Status::OK();
    is_cut_off = is_cut_off_;
  }
  if (is_cut_off) return SealCutOff();
  Status s = SyncName();
  if (!s.ok()) return s;
  {
    MutexLock lock(&mutex_);
    s = WriteEnd();
    if (s.ok()) {
      if (db_.file_checksum_gen_factory != nullptr) {
        record_.checksum_value = writer_->GetFileChecksum();
        record_.checksum_method = writer_->GetFileChecksumFuncName();
        *record = record_;
      }
      writer_.reset();
      NoteSealed();
      return s;
    }
    is_cut_off_ = true;
  }
  return SealCutOff();
}

}  // namespace ROCKSDB_NAMESPACE
