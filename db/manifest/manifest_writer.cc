#include "db/manifest/manifest_writer.h"

#include <algorithm>

#include "db/manifest/manifest_replay.h"
#include "db/version/version_edit.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/writable_file_writer.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A sync of the manifest has failed: what is read of it may not be on the
// device, so that no later session may go on with it. One byte behind the last
// record says so; whoever reads the manifest passes over it, as over what is
// left of a record that was cut short.
void MarkUnfit(FSWritableFile* file) {
  INVARIANT(file != nullptr);
  IgnoreError(file->Append(Slice("\0", 1), IOOptions(), nullptr),
              "a device that fails to sync may fail this, too");
}

}  // namespace

ManifestWriter::ManifestWriter(Context context) : context_(std::move(context)) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(!context_.db_path.empty());
}

ManifestWriter::~ManifestWriter() {
  IgnoreError(Close(), "the destructor has no one to tell; Close() does");
}

bool ManifestWriter::NeedsNew(const ManifestLimits& limits) const {
  if (writer_ == nullptr || has_failed_) return true;
  const uint64_t percent =
      100 + static_cast<uint64_t>(std::max(0, limits.max_space_amp_percent));
  // In two parts, so that it does not overflow.
  const uint64_t grown =
      compacted_bytes_ / 100 * percent + compacted_bytes_ % 100 * percent / 100;
  return size_bytes() >= std::max(limits.max_file_bytes, grown);
}

Status ManifestWriter::AddRecords(const std::vector<std::string>& records,
                                  log::Writer* writer) {
  INVARIANT(writer != nullptr);
  for (const std::string& record : records) {
    if (Status s = writer->AddRecord(record); !s.ok()) return s;
  }
  return Status::OK();
}

Status ManifestWriter::SyncFile(log::Writer* writer) const {
  INVARIANT(writer != nullptr);
  INVARIANT(writer->log_number() == 0);
  const uint64_t start = context_.db->clock->NowMicros();
  Status s = writer->Sync(context_.db->use_fsync);
  RecordInHistogram(context_.db->stats, MANIFEST_FILE_SYNC_MICROS,
                    MicrosSince(context_.db->clock, start));
  return s;
}

Status ManifestWriter::Append(const std::vector<std::string>& records) {
  INVARIANT(!records.empty());
  INVARIANT(writer_ != nullptr && !has_failed_);
  Status s = AddRecords(records, writer_.get());
  if (s.ok()) s = writer_->Flush();
  if (s.ok()) {
    s = SyncFile(writer_.get());
    if (!s.ok()) MarkUnfit(writer_->file()->writable_file());
  }
  has_failed_ = !s.ok();
  if (!s.ok()) return s;
  size_bytes_.store(writer_->size(), std::memory_order_relaxed);
  record_count_ += records.size();
  return s;
}

FileOptions ManifestWriter::OptionsOfFile() const {
  FileOptions options =
      context_.db->fs->OptimizeForManifestWrite(context_.file_options);
  options.temperature = context_.db->metadata_write_temperature;
  return options;
}

FileIoContext ManifestWriter::IoContext() const {
  FileIoContext io;
  io.clock = context_.db->clock;
  io.statistics = context_.db->stats;
  io.listeners = FileListeners(context_.db->listeners);
  io.hands_checksums =
      context_.db->checksum_handoff_file_types.Contains(kDescriptorFile);
  return io;
}

Status ManifestWriter::OpenNew(const NewManifest& manifest,
                               std::unique_ptr<log::Writer>* writer) const {
  INVARIANT(writer != nullptr);
  const std::string path =
      DescriptorFileName(context_.db_path, manifest.number);
  std::unique_ptr<WritableFileWriter> file;
  Status s = WritableFileWriter::Create(context_.db->fs, path, OptionsOfFile(),
                                        &file, IoContext());
  if (!s.ok()) return s;
  file->writable_file()->SetPreallocationBlockSize(
      manifest.preallocation_bytes);
  log::WriterOptions log_options;
  log_options.manual_flush = true;  // Sync() writes all records at once.
  *writer = std::make_unique<log::Writer>(std::move(file), log_options);
  return Status::OK();
}

Status ManifestWriter::Reopen(const LeftManifest& left,
                              std::unique_ptr<FSWritableFile>* file) const {
  INVARIANT(file != nullptr);
  FileSystem* const fs = context_.db->fs;
  const std::string path = DescriptorFileName(context_.db_path, left.number);
  const FileOptions options = OptionsOfFile();
  if (options.use_direct_writes) {
    return Status::NotSupported(path, "direct writes begin a file anew");
  }
  uint64_t found = 0;
  Status s = fs->GetFileSize(path, IOOptions(), &found, nullptr);
  if (!s.ok()) return s;
  if (found == left.size_bytes) {
    s = fs->ReopenWritableFile(path, options, file, nullptr);
    if (!s.ok()) return s;
    found = (*file)->GetFileSize(IOOptions(), nullptr);
  }
  if (found == left.size_bytes) return s;
  file->reset();
  return Status::Aborted(
      path, "has " + std::to_string(found) + " bytes, of which " +
                std::to_string(left.size_bytes) + " are whole records");
}

Status ManifestWriter::GoOnWith(const LeftManifest& left,
                                size_t preallocation_bytes) {
  INVARIANT(writer_ == nullptr && !has_failed_);
  INVARIANT(left.number > 0 && left.size_bytes > 0);
  std::unique_ptr<FSWritableFile> file;
  Status s = Reopen(left, &file);
  // A session that was killed may not have come to that.
  if (s.ok()) s = SyncDirectory();
  if (!s.ok()) return s;
  file->SetPreallocationBlockSize(preallocation_bytes);
  FileOptions options = OptionsOfFile();
  options.bytes_per_sync = 0;  // Would count from where this session begins.
  log::WriterOptions log_options;
  log_options.manual_flush = true;
  log_options.file_offset = left.size_bytes;
  writer_ = std::make_unique<log::Writer>(
      std::make_unique<WritableFileWriter>(
          std::move(file), DescriptorFileName(context_.db_path, left.number),
          options, IoContext()),
      log_options);
  number_.store(left.number, std::memory_order_relaxed);
  size_bytes_.store(left.size_bytes, std::memory_order_relaxed);
  compacted_bytes_ = left.compacted_bytes;
  record_count_ = left.record_count;
  return s;
}

Status ManifestWriter::Settle(const LeftManifest& left) const {
  INVARIANT(writer_ == nullptr && left.number > 0);
  std::unique_ptr<FSWritableFile> file;
  Status s = Reopen(left, &file);
  if (!s.ok()) return s;
  s = file->Fsync(IOOptions(), nullptr);
  if (!s.ok()) MarkUnfit(file.get());
  const Status closed = file->Close(IOOptions(), nullptr);
  if (s.ok()) s = closed;
  return s.ok() ? SyncDirectory() : s;
}

Status ManifestWriter::SyncDirectory() const {
  if (context_.directory == nullptr) return Status::OK();
  return context_.directory->FsyncWithDirOptions(
      IOOptions(), nullptr, DirFsyncOptions(DirFsyncOptions::kNewFileSynced));
}

Status ManifestWriter::WriteHead(const NewManifest& manifest,
                                 log::Writer* writer,
                                 uint64_t* head_bytes) const {
  INVARIANT(writer != nullptr);
  INVARIANT(head_bytes != nullptr);
  Status s = AddRecords(manifest.head, writer);
  if (!s.ok()) return s;
  // Recorded so that the next rewrite waits until the file has grown well
  // beyond what a rewrite yields. The record counts itself with 15 bytes.
  constexpr uint64_t kOwnBytes = 15;
  *head_bytes = writer->size() + kOwnBytes;
  VersionEdit size;
  size.manifest_compacted_size = *head_bytes;
  std::string record;
  s = size.EncodeTo(&record);
  return s.ok() ? AddRecords({record}, writer) : s;
}

void ManifestWriter::DropUnused(uint64_t number) const {
  INVARIANT(number != manifest_number());
  IgnoreError(DeleteFileIfExists(context_.db->fs,
                                 DescriptorFileName(context_.db_path, number)),
              "a manifest that nothing names is removed at the next open");
}

Status ManifestWriter::Start(const NewManifest& manifest) {
  INVARIANT(manifest.number > manifest_number());
  INVARIANT(!manifest.records.empty());
  // Until all is well: nothing may be appended to the manifest before, since
  // CURRENT might name this one.
  has_failed_ = true;
  std::unique_ptr<log::Writer> writer;
  uint64_t head_bytes = 0;
  Status s = OpenNew(manifest, &writer);
  if (s.ok()) s = WriteHead(manifest, writer.get(), &head_bytes);
  if (s.ok()) s = AddRecords(manifest.records, writer.get());
  if (s.ok()) s = SyncFile(writer.get());
  // Its name is durable before CURRENT's new content can be.
  if (s.ok()) s = SyncDirectory();
  if (!s.ok()) {
    writer.reset();
    DropUnused(manifest.number);
    return s;
  }
  // From here on CURRENT may name the new file even if the call fails.
  s = SetCurrentFile(context_.db->fs, context_.db_path, manifest.number,
                     context_.directory);
  if (!s.ok()) return s;
  if (writer_ != nullptr) {
    IgnoreError(writer_->Close(), "that manifest is out of force");
  }
  writer_ = std::move(writer);
  number_.store(manifest.number, std::memory_order_relaxed);
  size_bytes_.store(writer_->size(), std::memory_order_relaxed);
  compacted_bytes_ = head_bytes;
  record_count_ = manifest.head.size() + 1 + manifest.records.size();
  has_failed_ = false;
  return s;
}

Status ManifestWriter::Verify() const {
  if (writer_ == nullptr || has_failed_) return Status::OK();
  const std::string path =
      DescriptorFileName(context_.db_path, manifest_number());
  uint64_t found = 0, end_bytes = 0;
  Status s = ReadManifestEdits(context_.db->fs, path, UINT64_MAX, &end_bytes,
                               [&found](VersionEdit) {
                                 ++found;
                                 return Status::OK();
                               });
  // An end that is lost reads as one that was never written.
  if (s.ok() && found != record_count_) {
    s = Status::Corruption(path, "has " + std::to_string(found) +
                                     " records, of " +
                                     std::to_string(record_count_));
  }
  return s;
}

Status ManifestWriter::Close() {
  if (writer_ == nullptr) return Status::OK();
  Status s = writer_->Close();
  writer_.reset();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
