#include "utilities/checkpoint/new_directory.h"

#include <vector>

#include "file/file_util.h"
#include "file/io_governor.h"
#include "monitoring/statistics_impl.h"
#include "options/options_file.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string WithoutSlashes(std::string name) {
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  return name;
}

std::string ParentOf(const std::string& name) {
  const size_t at = name.find_last_of('/');
  if (at == std::string::npos) return ".";
  return at == 0 ? "/" : name.substr(0, at);
}

}  // namespace

NewDirectory::NewDirectory(DB* db, const std::string& name,
                           const NameErrors& errors,
                           const CheckpointMeans& means)
    : errors_(errors),
      means_(means),
      fs_(db->GetFileSystem()),
      governor_(IoGovernor::Of(fs_)),
      statistics_(db->GetDBOptions().statistics),
      reads_tables_directly_(db->GetDBOptions().use_direct_reads),
      name_(WithoutSlashes(name)),
      draft_(name_ + ".tmp"),
      can_link_(means.may_link) {}

NewDirectory::~NewDirectory() {
  if (is_draft_) IgnoreError(RemoveDraft(), "the next one removes it first");
}

Status NewDirectory::Begin() {
  if (name_.empty()) return Status::InvalidArgument(errors_.invalid);
  Status s = fs_->FileExists(name_, IOOptions(), nullptr);
  if (s.ok()) return Status::InvalidArgument(errors_.exists);
  if (!s.IsNotFound() && !s.IsPathNotFound()) return s;
  s = RemoveDraft();  // One that was never finished may be there.
  if (!s.ok()) {
    return Status::Aborted("Failed to delete " + draft_, s.ToString());
  }
  s = fs_->CreateDir(draft_, IOOptions(), nullptr);
  is_draft_ = s.ok();
  return s;
}

Status NewDirectory::Link(const std::string& source, const std::string& name,
                          uint64_t size_bytes, Temperature temperature) {
  if (can_link_.load(std::memory_order_relaxed)) {
    const Status s =
        fs_->LinkFile(source, draft_ + "/" + name, IOOptions(), nullptr);
    if (!s.IsNotSupported()) return s;
    // Not here: all the others are copied too.
    can_link_.store(false, std::memory_order_relaxed);
  }
  FileOptions options;
  options.temperature = temperature;
  options.use_direct_reads = reads_tables_directly_;
  return CopyWith(options, source, name, size_bytes);
}

Status NewDirectory::Copy(const std::string& source, const std::string& name,
                          uint64_t size_bytes) {
  return CopyWith(FileOptions(), source, name, size_bytes);
}

Status NewDirectory::CopyWith(const FileOptions& options,
                              const std::string& source,
                              const std::string& name, uint64_t size_bytes) {
  if (size_bytes == 0) return Write(name, "");
  FileCopy copy;
  copy.source = source;
  copy.destination = draft_ + "/" + name;
  copy.size_bytes = size_bytes;
  copy.governor = governor_.get();
  copy.file_options = options;
  copy.file_options.rate_limiter = means_.limiter;
  if (means_.chunk_bytes > 0) copy.chunk_bytes = means_.chunk_bytes;
  Status s = CopyFile(fs_, copy);
  if (s.ok()) {
    RecordTick(statistics_.get(), CHECKPOINT_READ_BYTES, size_bytes);
    NoteWritten(size_bytes);
  }
  return s;
}

Status NewDirectory::CopyOptions(const std::string& source,
                                 const std::string& name,
                                 const std::set<std::string>& left_out) {
  std::string text;
  Status s = ReadFileToString(fs_, source, &text);
  return s.ok() ? Write(name, OptionsForCopy(text, left_out)) : s;
}

Status NewDirectory::CheckThere(const std::string& source) const {
  return fs_->FileExists(source, IOOptions(), nullptr);
}

Status NewDirectory::Write(const std::string& name, const std::string& bytes) {
  Status s =
      CreateFile(fs_, draft_ + "/" + name, bytes, FileDurability::kSynced);
  if (s.ok()) NoteWritten(bytes.size());
  return s;
}

void NewDirectory::NoteWritten(uint64_t size_bytes) {
  RecordTick(statistics_.get(), CHECKPOINT_WRITE_BYTES, size_bytes);
}

Status NewDirectory::Finish() {
  Status s = SyncDirectory(fs_, draft_, DirFsyncOptions());
  if (s.ok()) s = fs_->RenameFile(draft_, name_, IOOptions(), nullptr);
  if (!s.ok()) return s;
  is_draft_ = false;
  s = SyncDirectory(fs_, ParentOf(name_), DirFsyncOptions());
  if (s.ok()) return s;
  // A call that answers an error must leave nothing: it is a draft again, which
  // the destructor removes.
  const Status back = fs_->RenameFile(name_, draft_, IOOptions(), nullptr);
  is_draft_ = back.ok();
  return s;
}

Status NewDirectory::RemoveDraft() {
  std::vector<std::string> names;
  Status s = fs_->GetChildren(draft_, IOOptions(), &names, nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) return Status::OK();
  for (const std::string& name : names) {
    const Status one =
        fs_->DeleteFile(draft_ + "/" + name, IOOptions(), nullptr);
    if (s.ok()) s = one;
  }
  return s.ok() ? fs_->DeleteDir(draft_, IOOptions(), nullptr) : s;
}

}  // namespace ROCKSDB_NAMESPACE
