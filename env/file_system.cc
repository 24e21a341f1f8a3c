#include "rocksdb/file_system.h"

#include <string>
#include <utility>

#include "env/env_logger.h"
#include "options/db_options.h"
#include "options/object_kinds.h"
#include "rocksdb/options.h"
#include "rocksdb/system_clock.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

FileSystem::FileSystem() = default;
FileSystem::~FileSystem() = default;

Status FileSystem::CreateFromString(const ConfigOptions& options,
                                    const std::string& value,
                                    std::shared_ptr<FileSystem>* result) {
  std::shared_ptr<FileSystem> standard = Default();
  if (value.empty() || standard->IsInstanceOf(value) ||
      value.starts_with("posix://")) {
    *result = std::move(standard);
    return Status::OK();
  }
  return MakeSharedFromText(options, value, *result, result);
}

Status FileSystemWrapper::ConfigureOption(const ConfigOptions& config_options,
                                          const std::string& name,
                                          const std::string& value) {
  if (name != "target") {
    return FileSystem::ConfigureOption(config_options, name, value);
  }
  return FileSystem::CreateFromString(config_options, value, &target_);
}

Status FileSystemWrapper::GetOptionString(const ConfigOptions& config_options,
                                          std::string* result) const {
  result->clear();
  if (target_ != nullptr && target_ != Default()) {
    *result = "target=" + PrintObject(config_options, target_.get()) + ";";
  }
  return Status::OK();
}

Status FileSystemWrapper::PrepareOptions(const ConfigOptions& options) {
  if (target_ == nullptr) target_ = Default();
  return FileSystem::PrepareOptions(options);
}

std::string FileSystemWrapper::SerializeOptions(
    const ConfigOptions& config_options, const std::string& header) const {
  return FileSystem::SerializeOptions(config_options, header);
}

Status SystemClockWrapper::PrepareOptions(const ConfigOptions& options) {
  if (target_ == nullptr) target_ = SystemClock::Default();
  return SystemClock::PrepareOptions(options);
}

std::string SystemClockWrapper::SerializeOptions(
    const ConfigOptions& config_options, const std::string& header) const {
  return SystemClock::SerializeOptions(config_options, header);
}

Status SystemClock::CreateFromString(const ConfigOptions& options,
                                     const std::string& value,
                                     std::shared_ptr<SystemClock>* result) {
  if (value.empty() || Default()->IsInstanceOf(value)) {
    *result = Default();
    return Status::OK();
  }
  return MakeSharedFromText(options, value, *result, result);
}

IOStatus FileSystem::ReuseWritableFile(const std::string& fname,
                                       const std::string& old_fname,
                                       const FileOptions& file_opts,
                                       std::unique_ptr<FSWritableFile>* result,
                                       IODebugContext* dbg) {
  IOStatus status = RenameFile(old_fname, fname, file_opts.io_options, dbg);
  if (!status.ok()) return status;
  return NewWritableFile(fname, file_opts, result, dbg);
}

IOStatus FileSystem::GetChildrenFileAttributes(
    const std::string& dir, const IOOptions& options,
    std::vector<FileAttributes>* result, IODebugContext* dbg) {
  std::vector<std::string> names;
  if (IOStatus s = GetChildren(dir, options, &names, dbg); !s.ok()) return s;
  std::vector<FileAttributes> attributes;
  for (const std::string& name : names) {
    uint64_t size = 0;
    const std::string path = dir + "/" + name;
    IOStatus status = GetFileSize(path, options, &size, dbg);
    if (status.ok()) {
      attributes.push_back({name, size});
    } else if (!status.IsNotFound() && !status.IsPathNotFound()) {
      return status;
    }
  }
  *result = std::move(attributes);
  return IOStatus::OK();
}

IOStatus FileSystem::SyncFile(const std::string& fname,
                              const FileOptions& file_opts,
                              const IOOptions& options, bool use_fsync,
                              IODebugContext* dbg) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = ReopenWritableFile(fname, file_opts, &file, dbg);
  if (!status.ok()) return status;
  status = use_fsync ? file->Fsync(options, dbg) : file->Sync(options, dbg);
  IOStatus closed = file->Close(options, dbg);
  return status.ok() ? closed : status;
}

IOStatus FileSystem::NewLogger(const std::string& fname,
                               const IOOptions& options,
                               std::shared_ptr<Logger>* result,
                               IODebugContext* dbg) {
  FileOptions file_options;
  file_options.io_options = options;
  file_options.io_options.type = IOType::kLog;
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = NewWritableFile(fname, file_options, &file, dbg);
  if (status.ok()) {
    *result =
        std::make_shared<EnvLogger>(std::move(file), SystemClock::Default());
  }
  return status;
}

FileOptions FileSystem::OptimizeForLogRead(
    const FileOptions& file_options) const {
  FileOptions result = file_options;
  result.use_direct_reads = false;
  result.use_uncached_io = false;
  return result;
}

FileOptions FileSystem::OptimizeForManifestRead(
    const FileOptions& file_options) const {
  FileOptions result = file_options;
  result.use_direct_reads = false;
  result.use_uncached_io = false;
  return result;
}

FileOptions FileSystem::OptimizeForLogWrite(const FileOptions& file_options,
                                            const DBOptions& db_options) const {
  FileOptions result = file_options;
  result.use_direct_writes = false;
  result.use_uncached_io = false;
  result.bytes_per_sync = db_options.wal_bytes_per_sync;
  result.writable_file_max_buffer_size =
      db_options.writable_file_max_buffer_size;
  return result;
}

FileOptions FileSystem::OptimizeForManifestWrite(
    const FileOptions& file_options) const {
  FileOptions result = file_options;
  result.use_direct_writes = false;
  result.use_uncached_io = false;
  return result;
}

FileOptions FileSystem::OptimizeForCompactionTableWrite(
    const FileOptions& file_options,
    const ImmutableDBOptions& db_options) const {
  FileOptions result = file_options;
  result.use_direct_writes =
      db_options.asked_access().write == FileAccess::kDirect;
  result.use_uncached_io =
      db_options.asked_access().write == FileAccess::kUncached;
  return result;
}

FileOptions FileSystem::OptimizeForCompactionTableRead(
    const FileOptions& file_options,
    const ImmutableDBOptions& db_options) const {
  FileOptions result = file_options;
  result.use_direct_reads =
      db_options.asked_access().read == FileAccess::kDirect;
  result.use_uncached_io =
      db_options.asked_access().read == FileAccess::kUncached;
  return result;
}

FileOptions FileSystem::OptimizeForBlobFileRead(
    const FileOptions& file_options,
    const ImmutableDBOptions& db_options) const {
  FileOptions result = file_options;
  result.use_direct_reads = db_options.use_direct_reads;
  return result;
}

std::string IODebugContext::ToString() const {
  std::string text;
  if (!file_path.empty()) text += "file_path: " + file_path + ", ";
  for (const auto& [name, value] : counters) {
    text += name + ": " + std::to_string(value) + ", ";
  }
  if (request_id != nullptr) text += "request_id: " + *request_id + ", ";
  return text + "msg: " + msg;
}

IOStatus FSRandomAccessFile::MultiRead(FSReadRequest* reqs, size_t num_reqs,
                                       const IOOptions& options,
                                       IODebugContext* dbg) {
  for (size_t i = 0; i < num_reqs; ++i) {
    FSReadRequest& req = reqs[i];
    req.status =
        Read(req.offset, req.len, options, &req.result, req.scratch, dbg);
  }
  return IOStatus::OK();
}

IOStatus FSRandomAccessFile::ReadAsync(
    FSReadRequest& req, const IOOptions& options,
    std::function<void(FSReadRequest&, void*)> cb, void* cb_arg,
    void** io_handle, IOHandleDeleter* del_fn, IODebugContext* dbg) {
  if (io_handle != nullptr) *io_handle = nullptr;
  if (del_fn != nullptr) *del_fn = nullptr;
  req.status =
      Read(req.offset, req.len, options, &req.result, req.scratch, dbg);
  cb(req, cb_arg);
  return IOStatus::OK();
}

void FSWritableFile::PrepareWrite(size_t offset, size_t len,
                                  const IOOptions& options,
                                  IODebugContext* dbg) {
  if (preallocation_block_size_ == 0) return;
  const size_t block = preallocation_block_size_;
  const size_t wanted_block = (offset + len + block - 1) / block;
  if (wanted_block <= last_preallocated_block_) return;
  const size_t missing = wanted_block - last_preallocated_block_;
  IgnoreError(
      Allocate(block * last_preallocated_block_, block * missing, options, dbg),
      "a write that then fails tells the same and more");
  last_preallocated_block_ = wanted_block;
}

namespace {

IOStatus WriteAndClose(FSWritableFile* file, const Slice& data,
                       bool should_sync, const IOOptions& options) {
  IOStatus status = file->Append(data, options, nullptr);
  if (status.ok() && should_sync) status = file->Sync(options, nullptr);
  if (status.ok()) status = file->Close(options, nullptr);
  return status;
}

}  // namespace

IOStatus WriteStringToFile(FileSystem* fs, const Slice& data,
                           const std::string& fname, bool should_sync,
                           const IOOptions& io_options,
                           const FileOptions& file_options) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = fs->NewWritableFile(fname, file_options, &file, nullptr);
  if (!status.ok()) return status;
  status = WriteAndClose(file.get(), data, should_sync, io_options);
  if (!status.ok()) {
    IgnoreError(fs->DeleteFile(fname, io_options, nullptr),
                "the first error is what matters");
  }
  return status;
}

IOStatus ReadFileToString(FileSystem* fs, const std::string& fname,
                          std::string* data) {
  return ReadFileToString(fs, fname, IOOptions(), data);
}

IOStatus ReadFileToString(FileSystem* fs, const std::string& fname,
                          const IOOptions& opts, std::string* data) {
  constexpr size_t kStepBytes = 64 << 10;
  FileOptions file_options;
  file_options.io_options = opts;
  std::unique_ptr<FSSequentialFile> file;
  IOStatus status = fs->NewSequentialFile(fname, file_options, &file, nullptr);
  if (!status.ok()) return status;
  std::string bytes;
  const auto scratch = std::make_unique<char[]>(kStepBytes);
  for (;;) {
    Slice part;
    status = file->Read(kStepBytes, opts, &part, scratch.get(), nullptr);
    if (!status.ok()) return status;
    if (part.empty()) break;
    bytes.append(part.data(), part.size());
  }
  *data = std::move(bytes);
  return status;
}

}  // namespace ROCKSDB_NAMESPACE
