#include "db/version/manifest_writer.h"

#include <algorithm>

#include "db/version/manifest_replay.h"
#include "db/version/version_edit.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/writable_file_writer.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

ManifestWriter::ManifestWriter(Context context) : context_(std::move(context)) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(!context_.db_path.empty());
}

ManifestWriter::~ManifestWriter() {
  IgnoreError(Close(), "the destructor has no one to tell; Close() does");
}

bool ManifestWriter::NeedsNew(const ManifestLimits& limits) const {
  if (writer_ == nullptr || has_failed_) return true;
  const auto percent =
      static_cast<uint64_t>(std::max(0, limits.max_space_amp_percent));
  const uint64_t grown = compacted_bytes_ / 100 * (100 + percent);
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

Status ManifestWriter::Sync(log::Writer* writer) const {
  INVARIANT(writer != nullptr);
  INVARIANT(writer->log_number() == 0);
  const uint64_t start = context_.db->clock->NowMicros();
  Status s = writer->Sync(context_.db->use_fsync);
  RecordInHistogram(context_.db->stats, MANIFEST_FILE_SYNC_MICROS,
                    context_.db->clock->NowMicros() - start);
  return s;
}

Status ManifestWriter::Append(const std::vector<std::string>& records) {
  INVARIANT(!records.empty());
  INVARIANT(writer_ != nullptr && !has_failed_);
  Status s = AddRecords(records, writer_.get());
  if (s.ok()) s = Sync(writer_.get());
  has_failed_ = !s.ok();
  if (!s.ok()) return s;
  size_bytes_.store(writer_->size(), std::memory_order_relaxed);
  record_count_ += records.size();
  return s;
}

Status ManifestWriter::OpenNew(const NewManifest& manifest,
                               std::unique_ptr<log::Writer>* writer) const {
  INVARIANT(writer != nullptr);
  const std::string path =
      DescriptorFileName(context_.db_path, manifest.number);
  FileSystem* fs = context_.db->fs;
  FileOptions options = fs->OptimizeForManifestWrite(context_.file_options);
  options.temperature = context_.db->metadata_write_temperature;
  FileIoContext io;
  io.clock = context_.db->clock;
  io.statistics = context_.db->stats;
  io.listeners = FileListeners(context_.db->listeners);
  io.hands_checksums =
      context_.db->checksum_handoff_file_types.Contains(kDescriptorFile);
  std::unique_ptr<WritableFileWriter> file;
  Status s = WritableFileWriter::Create(fs, path, options, &file, io);
  if (!s.ok()) return s;
  file->writable_file()->SetPreallocationBlockSize(
      manifest.preallocation_bytes);
  log::WriterOptions log_options;
  log_options.manual_flush = true;  // Sync() writes all records at once.
  *writer = std::make_unique<log::Writer>(std::move(file), log_options);
  return Status::OK();
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
  if (s.ok()) s = Sync(writer.get());
  if (s.ok() && context_.directory != nullptr) {
    // Its name is durable before CURRENT's new content can be.
    s = context_.directory->FsyncWithDirOptions(
        IOOptions(), nullptr, DirFsyncOptions(DirFsyncOptions::kNewFileSynced));
  }
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
