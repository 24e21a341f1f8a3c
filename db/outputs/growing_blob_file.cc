#include "db/outputs/growing_blob_file.h"

#include <algorithm>
#include <utility>

#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/blob/unsealed_blob_file.h"
#include "db/family/column_family.h"
#include "db/manifest/version_set.h"
#include "db/outputs/blob_file_events.h"
#include "db/outputs/table_output.h"
#include "file/filename.h"
#include "file/sst_file_manager_impl.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/info_log.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FileIoContext GrowingIoContext(const JobContext& job) {
  const ImmutableDBOptions& db = *job.db;
  FileIoContext context;
  context.clock = db.clock;
  context.statistics = db.stats;
  context.listeners = FileListeners(db.listeners);
  context.histogram = BLOB_DB_BLOB_FILE_WRITE_MICROS;
  context.checksum_factory = db.file_checksum_gen_factory.get();
  context.hands_checksums = db.checksum_handoff_file_types.Contains(kBlobFile);
  return context;
}

// Readers follow the writer through the page cache.
FileOptions GrowingFileOptions(const JobContext& job) {
  FileOptions options = OutputFileOptions(job);
  options.use_direct_writes = false;
  options.use_mmap_writes = false;
  return options;
}

}  // namespace

Status GrowingBlobFile::Open(const JobContext& job,
                             const MutableCFOptions& options,
                             std::unique_ptr<GrowingBlobFile>* result) {
  INVARIANT(result != nullptr && job.pending_outputs != nullptr);
  const uint64_t number = job.versions->NewFileNumber();
  std::unique_ptr<WritableFileWriter> writer;
  Status s = WritableFileWriter::Create(
      job.db->fs, job.cfd->blobs()->FilePath(number), GrowingFileOptions(job),
      &writer, GrowingIoContext(job));
  if (!s.ok()) return s;
  auto file = std::make_unique<GrowingBlobFile>(
      PassKey{}, job, options.blob_compression_type, std::move(writer), number);
  s = file->WriteHeader();
  if (s.ok()) s = file->OpenReader();
  if (s.ok()) *result = std::move(file);
  return s;
}

GrowingBlobFile::GrowingBlobFile(PassKey, const JobContext& job,
                                 CompressionType compression,
                                 std::unique_ptr<WritableFileWriter> writer,
                                 uint64_t number)
    : job_(job),
      compression_(compression),
      number_(number),
      path_(writer->file_name()),
      growing_(job.cfd->blobs()->growing()),
      writer_(std::move(writer)) {
  INVARIANT(number != 0);
  record_.number = pending_.number = number;
  TellBlobFileStarted(job_, path_, BlobFileCreationReason::kFlush);
}

GrowingBlobFile::~GrowingBlobFile() {
  if (reader_ != nullptr) growing_->Remove(number_);
  MutexLock lock(&mutex_);
  if (writer_ != nullptr) {
    IgnoreError(writer_->Close(), "the file stays as it is");
  }
}

Status GrowingBlobFile::WriteHeader() {
  BlobFileHeader header;
  header.column_family = job_.cfd->id();
  header.compression = compression_;
  std::string bytes;
  header.EncodeTo(&bytes);
  MutexLock lock(&mutex_);
  Status s = writer_->Append(bytes);
  return s.ok() ? writer_->Flush() : s;
}

Status GrowingBlobFile::OpenReader() {
  std::unique_ptr<FSRandomAccessFile> handle;
  Status s =
      job_.db->fs->NewRandomAccessFile(path_, FileOptions(), &handle, nullptr);
  if (!s.ok()) return s;
  std::unique_ptr<BlobFileReader> reader;
  s = BlobFileReader::OpenGrowing(
      std::make_unique<RandomAccessFileReader>(std::move(handle), path_,
                                               job_.cfd->blobs()->IoContext()),
      compression_, &reader);
  if (!s.ok()) return s;
  reader_ = std::move(reader);
  BlobFileAddition addition;
  addition.number = number_;
  auto listed = std::make_shared<BlobFile>(std::move(addition));
  listed->is_growing = true;
  listed->pinned_owner = reader_;
  listed->pinned_reader.store(reader_.get(), std::memory_order_release);
  growing_->Add(std::move(listed));
  return s;
}

uint64_t GrowingBlobFile::size_bytes() const {
  MutexLock lock(&mutex_);
  return BlobFileHeader::kBytes + pending_.total_bytes;
}

uint64_t GrowingBlobFile::unsealed_bytes() const {
  MutexLock lock(&mutex_);
  return is_sealed_ || record_.total_count == 0
             ? 0
             : BlobFileHeader::kBytes + record_.total_bytes;
}

bool GrowingBlobFile::TakesMore() const {
  MutexLock lock(&mutex_);
  return !is_cut_off_ && !is_sealed_;
}

Status GrowingBlobFile::Append(const Slice& record_key, const Slice& stored,
                               uint64_t* offset) {
  INVARIANT(offset != nullptr);
  MutexLock lock(&mutex_);
  INVARIANT(!is_cut_off_ && !is_sealed_);
  const uint64_t before = BlobValueOffset(record_key.size());
  *offset = BlobFileHeader::kBytes + pending_.total_bytes + before;
  std::string head;
  BlobRecordHeader::Encode(record_key, stored, &head);
  head.append(record_key.data(), record_key.size());
  is_dirty_ = true;
  Status s = writer_->Append(head);
  if (s.ok()) s = writer_->Append(stored);
  if (!s.ok()) {
    is_cut_off_ = true;
    return s;
  }
  ++pending_.total_count;
  pending_.total_bytes += before + stored.size();
  RecordTick(job_.db->stats, BLOB_DB_BLOB_FILE_BYTES_WRITTEN,
             before + stored.size());
  return s;
}

Status GrowingBlobFile::Flush() {
  MutexLock lock(&mutex_);
  if (record_.total_count == pending_.total_count) return Status::OK();
  // A sync beside this may have cut it off, too.
  Status s = is_cut_off_ || is_sealed_
                 ? Status::IOError(path_, "an earlier write has failed")
                 : Status(writer_->Flush());
  if (!s.ok()) {
    is_cut_off_ = true;
    return s;
  }
  record_.total_count = pending_.total_count;
  record_.total_bytes = pending_.total_bytes;
  reader_->SetRecordsEnd(BlobFileHeader::kBytes + record_.total_bytes);
  return s;
}

Status GrowingBlobFile::Sync() {
  MutexLock lock(&mutex_);
  return SyncLocked();
}

Status GrowingBlobFile::SyncLocked() {
  if (is_sealed_) return Status::OK();
  if (is_cut_off_) return SealCutOff();
  if (is_dirty_) {
    Status s = writer_->Sync(job_.db->use_fsync);
    if (!s.ok()) {
      is_cut_off_ = true;
      return SealCutOff();
    }
    RecordTick(job_.db->stats, BLOB_DB_BLOB_FILE_SYNCED);
    is_dirty_ = false;
  }
  if (is_in_directory_) return Status::OK();
  static_assert(kBlobPathId == 0, "blob files lie in the first path");
  Status s = SyncOutputDirectory(job_, /*path_id=*/0);
  if (s.ok()) is_in_directory_ = true;
  return s;
}

Status GrowingBlobFile::WriteEnd() {
  std::string bytes;
  BlobFileFooter{.blob_count = record_.total_count}.EncodeTo(&bytes);
  Status s = writer_->Append(bytes);
  if (s.ok()) s = writer_->Sync(job_.db->use_fsync);
  if (s.ok()) s = writer_->Close();
  return s;
}

// Records that were not flushed are nobody's.
Status GrowingBlobFile::SealCutOff() {
  INVARIANT(is_cut_off_ && !is_sealed_);
  if (writer_ != nullptr) {
    IgnoreError(writer_->Close(), "its failure is known");
    writer_.reset();
  }
  UnsealedBlobFile file;
  Status s = file.Open(job_.db->fs, path_);
  if (s.ok()) {
    s = file.SealCopy(TempFileName(path_.substr(0, path_.rfind('/')), number_),
                      {.blob_count = record_.total_count,
                       .end = BlobFileHeader::kBytes + record_.total_bytes});
  }
  if (!s.ok()) return s;
  NoteSealed();
  return s;
}

void GrowingBlobFile::NoteSealed() {
  is_sealed_ = is_in_directory_ = true;
  is_dirty_ = false;
  NoteFileAdded(job_.db->sst_file_manager.get(), path_,
                record_.total_bytes + BlobFile::kFrameBytes);
  TellBlobFileFinished(job_, path_, BlobFileCreationReason::kFlush, record_,
                       Status::OK());
}

Status GrowingBlobFile::Seal(BlobFileAddition* record) {
  INVARIANT(record != nullptr);
  MutexLock lock(&mutex_);
  Status s;
  if (!is_sealed_ && !is_cut_off_ && record_.total_count > 0) {
    s = WriteEnd();
    if (s.ok()) s = SyncOutputDirectory(job_, /*path_id=*/0);
    if (s.ok()) {
      if (job_.db->file_checksum_gen_factory != nullptr) {
        record_.checksum_value = writer_->GetFileChecksum();
        record_.checksum_method = writer_->GetFileChecksumFuncName();
      }
      writer_.reset();
      NoteSealed();
    } else {
      is_cut_off_ = true;
    }
  }
  if (!is_sealed_ && record_.total_count > 0) s = SealCutOff();
  if (s.ok()) *record = record_;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
