#include "db/outputs/blob_file_output.h"

#include <algorithm>

#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "db/manifest/version_set.h"
#include "db/outputs/blob_file_events.h"
#include "db/outputs/table_output.h"
#include "db/tables/input_iterator.h"
#include "file/sst_file_manager_impl.h"
#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// How much space is reserved at a time.
constexpr uint64_t kReservedBytes = 8 << 20;

}  // namespace

std::string BlobPathOf(ColumnFamilyData* cfd, uint64_t number) {
  INVARIANT(cfd != nullptr);
  return cfd->blobs()->FilePath(number);
}

Status BlobFileOutput::Open(const BlobOutputRequest& request,
                            std::unique_ptr<BlobFileOutput>* result) {
  INVARIANT(request.job != nullptr && request.options != nullptr);
  INVARIANT(result != nullptr);
  const JobContext& job = *request.job;
  const uint64_t number = job.versions->NewFileNumber();
  std::unique_ptr<OutputFile> file;
  Status s =
      OutputFile::Create({.job = &job,
                          .type = kBlobFile,
                          .options = OutputFileOptions(job),
                          .io_priority = request.io_priority,
                          .io_class = request.io_class,
                          .pace = request.pace,
                          .reserved_bytes = std::min(
                              kReservedBytes, request.options->blob_file_size),
                          .write_histogram = BLOB_DB_BLOB_FILE_WRITE_MICROS,
                          .sync_histogram = BLOB_DB_BLOB_FILE_SYNC_MICROS},
                         job.cfd->blobs()->FilePath(number), &file);
  if (!s.ok()) return s;
  auto output = std::make_unique<BlobFileOutput>(PassKey{}, request,
                                                 std::move(file), number);
  // On failure the output goes, and takes the file along.
  s = output->WriteHeader();
  if (s.ok()) *result = std::move(output);
  return s;
}

BlobFileOutput::BlobFileOutput(PassKey, const BlobOutputRequest& request,
                               std::unique_ptr<OutputFile> file,
                               uint64_t number)
    : request_(request), file_(std::move(file)) {
  INVARIANT(number != 0);
  record_.number = number;
  NotifyStarted();
}

BlobFileOutput::~BlobFileOutput() {
  if (is_closed_) return;
  Drop();
  NotifyFinished(Status::Aborted("the job did not finish this file"));
}

Status BlobFileOutput::WriteHeader() {
  BlobFileHeader header;
  header.column_family = request_.job->cfd->id();
  header.compression = request_.options->blob_compression_type;
  scratch_.clear();
  header.EncodeTo(&scratch_);
  status_ = file_->writer()->Append(scratch_);
  return status_;
}

Status BlobFileOutput::Append(const Slice& user_key, const Slice& stored,
                              uint64_t* offset) {
  INVARIANT(offset != nullptr);
  INVARIANT(!is_sealed_);
  if (!status_.ok()) return status_;
  *offset = size_bytes() + BlobValueOffset(user_key.size());
  scratch_.clear();
  BlobRecordHeader::Encode(user_key, stored, &scratch_);
  scratch_.append(user_key.data(), user_key.size());
  status_ = file_->writer()->Append(scratch_);
  if (status_.ok()) status_ = file_->writer()->Append(stored);
  if (!status_.ok()) return status_;
  assert(size_bytes() == *offset + stored.size());
  ++record_.total_count;
  record_.total_bytes += BlobValueOffset(user_key.size()) + stored.size();
  RecordTick(request_.job->db->stats, BLOB_DB_BLOB_FILE_BYTES_WRITTEN,
             BlobValueOffset(user_key.size()) + stored.size());
  return status_;
}

Status BlobFileOutput::WriteFooter() {
  INVARIANT(record_.total_count > 0);
  BlobFileFooter footer;
  footer.blob_count = record_.total_count;
  scratch_.clear();
  footer.EncodeTo(&scratch_);
  return file_->writer()->Append(scratch_);
}

void BlobFileOutput::Seal() {
  INVARIANT(!is_sealed_ && !is_closed_);
  is_sealed_ = true;
  if (status_.ok()) status_ = WriteFooter();
  if (status_.ok()) status_ = file_->Seal();
}

Status BlobFileOutput::Join() {
  INVARIANT(is_sealed_ && !is_closed_);
  is_closed_ = true;
  if (status_.ok()) status_ = file_->Join();
  if (status_.ok()) {
    RecordTick(request_.job->db->stats, BLOB_DB_BLOB_FILE_SYNCED);
    file_->GetChecksum(&record_.checksum_value, &record_.checksum_method);
    status_ = CheckWritten();
  }
  if (status_.ok()) {
    NoteFileAdded(request_.job->db->sst_file_manager.get(), file_->path(),
                  size_bytes());
  } else {
    Drop();
  }
  NotifyFinished(status_);
  return status_;
}

// What the references name goes once the file is in the manifest: all of it
// must be there. paranoid_file_checks: and must open.
Status BlobFileOutput::CheckWritten() const {
  const JobContext& job = *request_.job;
  const BlobFile file(record_);
  INVARIANT(file.sink == nullptr);
  if (!request_.options->paranoid_file_checks) {
    return job.cfd->blobs()->CheckSize(file);
  }
  const BulkReadPolicy bulk =
      CompactionReadPolicy(*job.db, *job.mutable_db, job.read_file_options);
  std::shared_ptr<const BlobFileReader> reader;
  return job.cfd->blobs()->OpenPrivate(file, bulk.file_options, &reader);
}

void BlobFileOutput::NotifyStarted() const {
  TellBlobFileStarted({*request_.job, request_.reason}, file_->path());
}

void BlobFileOutput::NotifyFinished(const Status& status) const {
  TellBlobFileFinished({*request_.job, request_.reason}, file_->path(), record_,
                       status);
}

void BlobFileOutput::Drop() {
  file_->GiveUp();
  DiscardBlobFile(*request_.job, record_.number);
}

void DiscardBlobFile(const JobContext& job, uint64_t number) {
  INVARIANT(number != 0);
  job.cfd->blobs()->Evict(number);
  DiscardFile(job, job.cfd->blobs()->FilePath(number), 0);
}

}  // namespace ROCKSDB_NAMESPACE
