#include "db/outputs/output_file.h"

#include <utility>

#include "db/family/column_family.h"
#include "db/outputs/background_sync.h"
#include "db/tables/table_cache.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

FileIoContext IoContext(const OutputFileRequest& request) {
  const ImmutableDBOptions& db = *request.job->db;
  FileIoContext context;
  context.clock = db.clock;
  context.statistics = db.stats;
  context.listeners = FileListeners(db.listeners);
  context.rate_limiter = db.rate_limiter.get();
  context.histogram = request.write_histogram;
  context.io_options.rate_limiter_priority = request.io_priority;
  context.checksum_factory = db.file_checksum_gen_factory.get();
  context.governor = request.job->cfd->tables()->governor();
  context.io_class = request.io_class;
  context.pace = request.pace;
  context.image = request.image;
  context.overlaps_writes = true;
  context.hands_checksums =
      db.checksum_handoff_file_types.Contains(request.type);
  context.drops_written = request.job->leaves_page_cache;
  return context;
}

}  // namespace

FileOptions OutputFileOptions(const JobContext& job) {
  FileOptions options = job.output_file_options;
  const MutableDBOptions& now = *job.mutable_db;
  options.bytes_per_sync = now.bytes_per_sync;
  options.strict_bytes_per_sync = now.strict_bytes_per_sync;
  options.writable_file_max_buffer_size = now.writable_file_max_buffer_size;
  // Direct writes inside a file's size run side by side; those that extend it
  // wait for each other.
  if (options.use_direct_writes) options.fallocate_with_keep_size = false;
  return options;
}

Status OutputFile::Create(const OutputFileRequest& request,
                          const std::string& path,
                          std::unique_ptr<OutputFile>* result) {
  INVARIANT(request.job != nullptr && result != nullptr);
  std::unique_ptr<WritableFileWriter> writer;
  Status s = WritableFileWriter::Create(
      request.job->db->fs, path, request.options, &writer, IoContext(request));
  if (!s.ok()) return s;
  FSWritableFile* const file = writer->writable_file();
  file->SetIOPriority(request.io_priority);
  if (request.reserved_bytes > 0) {
    file->SetPreallocationBlockSize(
        static_cast<size_t>(request.reserved_bytes));
  }
  *result = std::make_unique<OutputFile>(PassKey{}, request, std::move(writer));
  return s;
}

OutputFile::OutputFile(PassKey, const OutputFileRequest& request,
                       std::unique_ptr<WritableFileWriter> writer)
    : request_(request), writer_(std::move(writer)) {
  INVARIANT(writer_ != nullptr);
}

OutputFile::~OutputFile() = default;

Status OutputFile::Seal() {
  INVARIANT(sync_ == nullptr);
  Status s = writer_->Flush();
  if (!s.ok()) return s;
  sync_ = std::make_unique<BackgroundSync>(writer_.get(), *request_.job,
                                           request_.sync_histogram);
  return s;
}

Status OutputFile::Join() {
  INVARIANT(sync_ != nullptr);
  Status s = sync_->Wait();
  if (s.ok()) s = writer_->Close();
  return s;
}

void OutputFile::GetChecksum(std::string* value, std::string* method) const {
  INVARIANT(value != nullptr && method != nullptr);
  if (request_.job->db->file_checksum_gen_factory == nullptr) return;
  *value = writer_->GetFileChecksum();
  *method = writer_->GetFileChecksumFuncName();
}

void OutputFile::GiveUp() {
  sync_.reset();
  IgnoreError(writer_->Close(), "the file goes away");
}

}  // namespace ROCKSDB_NAMESPACE
