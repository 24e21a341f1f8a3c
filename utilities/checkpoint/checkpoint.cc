#include "rocksdb/utilities/checkpoint.h"

#include <memory>
#include <utility>
#include <vector>

#include "file/file_util.h"
#include "file/io_governor.h"
#include "monitoring/statistics_impl.h"
#include "options/options_file.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

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

// What is said of a name that cannot be used, in RocksDB's words.
struct NameErrors {
  const char* invalid;
  const char* exists;
};
constexpr NameErrors kCheckpointErrors{"invalid checkpoint directory name",
                                       "Directory exists"};
constexpr NameErrors kExportErrors{"Specified export_dir invalid",
                                   "Specified export_dir exists"};

// A directory that is filled under another name and gets its own at the end:
// it is there as a whole or not at all.
class NewDirectory {
 public:
  NewDirectory(DB* db, const std::string& name, const NameErrors& errors)
      : errors_(errors),
        fs_(db->GetFileSystem()),
        governor_(IoGovernor::Of(fs_)),
        statistics_(db->GetDBOptions().statistics),
        name_(WithoutSlashes(name)),
        draft_(name_ + ".tmp") {}
  ~NewDirectory() {
    if (is_draft_) RemoveDraft();
  }
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

  const std::string& name() const { return name_; }
  // Where it is filled.
  const std::string& draft() const { return draft_; }

  Status Begin() {
    if (name_.empty()) return Status::InvalidArgument(errors_.invalid);
    Status s = fs_->FileExists(name_, IOOptions(), nullptr);
    if (s.ok()) return Status::InvalidArgument(errors_.exists);
    if (!s.IsNotFound() && !s.IsPathNotFound()) return s;
    RemoveDraft();  // Of one that did not come to its end.
    s = fs_->CreateDir(draft_, IOOptions(), nullptr);
    is_draft_ = s.ok();
    return s;
  }
  Status Link(const std::string& source, const std::string& name,
              uint64_t size_bytes) {
    if (can_link_) {
      const Status s =
          fs_->LinkFile(source, draft_ + "/" + name, IOOptions(), nullptr);
      if (s.ok()) return s;
      can_link_ = false;  // Not here: all the others are copied too.
    }
    return Copy(source, name, size_bytes);
  }
  Status Copy(const std::string& source, const std::string& name,
              uint64_t size_bytes) {
    if (size_bytes == 0) return Write(name, "");
    FileCopy copy;
    copy.source = source;
    copy.destination = draft_ + "/" + name;
    copy.size_bytes = size_bytes;
    copy.governor = governor_.get();
    Status s = CopyFile(fs_, copy);
    if (s.ok()) {
      RecordTick(statistics_.get(), CHECKPOINT_READ_BYTES, size_bytes);
      NoteWritten(size_bytes);
    }
    return s;
  }
  Status CopyOptions(const std::string& source, const std::string& name) {
    std::string text;
    Status s = ReadFileToString(fs_, source, &text);
    return s.ok() ? Write(name, OptionsForCopy(text)) : s;
  }
  Status CheckThere(const std::string& source) const {
    return fs_->FileExists(source, IOOptions(), nullptr);
  }
  Status Write(const std::string& name, const std::string& bytes) {
    Status s =
        CreateFile(fs_, draft_ + "/" + name, bytes, FileDurability::kSynced);
    if (s.ok()) NoteWritten(bytes.size());
    return s;
  }
  // A file that somebody else has put there.
  void NoteWritten(uint64_t size_bytes) {
    RecordTick(statistics_.get(), CHECKPOINT_WRITE_BYTES, size_bytes);
  }
  Status Finish() {
    Status s = SyncDirectory(fs_, draft_, DirFsyncOptions());
    if (s.ok()) s = fs_->RenameFile(draft_, name_, IOOptions(), nullptr);
    if (!s.ok()) return s;
    is_draft_ = false;
    return SyncDirectory(fs_, ParentOf(name_), DirFsyncOptions());
  }

 private:
  void RemoveDraft() {
    std::vector<std::string> names;
    if (!fs_->GetChildren(draft_, IOOptions(), &names, nullptr).ok()) return;
    for (const std::string& name : names) {
      IgnoreError(fs_->DeleteFile(draft_ + "/" + name, IOOptions(), nullptr),
                  "making the directory fails if this matters");
    }
    IgnoreError(fs_->DeleteDir(draft_, IOOptions(), nullptr),
                "making the directory fails if this matters");
  }

  const NameErrors errors_;
  FileSystem* const fs_;
  const std::shared_ptr<IoGovernor> governor_;    // copies are background work
  const std::shared_ptr<Statistics> statistics_;  // may be null
  const std::string name_;
  const std::string draft_;
  bool is_draft_ = false;
  bool can_link_ = true;
};

// While it lives, no file that the database has goes.
class FilesStay {
 public:
  explicit FilesStay(DB* db) : db_(db), status_(db->DisableFileDeletions()) {}
  ~FilesStay() {
    if (status_.ok()) {
      IgnoreError(db_->EnableFileDeletions(), "they go later then");
    }
  }
  FilesStay(const FilesStay&) = delete;
  FilesStay& operator=(const FilesStay&) = delete;
  const Status& status() const { return status_; }

 private:
  DB* const db_;
  const Status status_;
};

class CheckpointImpl final : public Checkpoint {
 public:
  explicit CheckpointImpl(DB* db) : db_(db) { INVARIANT(db_ != nullptr); }

  Status CreateCheckpoint(const std::string& checkpoint_dir,
                          uint64_t log_size_for_flush,
                          uint64_t* sequence_number_ptr) override;
  Status ExportColumnFamily(ColumnFamilyHandle* handle,
                            const std::string& export_dir,
                            ExportImportFilesMetaData** metadata) override;

 private:
  DB* const db_;
};

// Links are for what never changes; a log may be written to, or over, later.
Status AddFile(const LiveFileStorageInfo& file, NewDirectory* directory) {
  if (!file.replacement_contents.empty()) {
    return directory->Write(file.relative_filename, file.replacement_contents);
  }
  const std::string source = file.directory + "/" + file.relative_filename;
  if (file.file_type == kOptionsFile) {
    return directory->CopyOptions(source, file.relative_filename);
  }
  const bool is_constant =
      !file.trim_to_size &&
      (file.file_type == kTableFile || file.file_type == kBlobFile);
  if (is_constant) {
    return directory->Link(source, file.relative_filename, file.size);
  }
  Status s = directory->Copy(source, file.relative_filename, file.size);
  // Beside another process that writes the database: a log gets another name
  // before it is written over.
  return s.ok() && file.file_type == kWalFile ? directory->CheckThere(source)
                                              : s;
}

Status CheckpointImpl::CreateCheckpoint(const std::string& checkpoint_dir,
                                        uint64_t log_size_for_flush,
                                        uint64_t* sequence_number_ptr) {
  NewDirectory directory(db_, checkpoint_dir, kCheckpointErrors);
  Status s = directory.Begin();
  if (!s.ok()) return s;
  const SequenceNumber sequence = db_->GetLatestSequenceNumber();
  {
    const FilesStay stay(db_);
    if (!stay.status().ok()) return stay.status();
    LiveFilesStorageInfoOptions options;
    options.wal_size_for_flush = log_size_for_flush;
    std::vector<LiveFileStorageInfo> files;
    s = db_->GetLiveFilesStorageInfo(options, &files);
    for (const LiveFileStorageInfo& file : files) {
      if (s.ok()) s = AddFile(file, &directory);
    }
  }
  if (s.ok()) s = directory.Finish();
  if (s.ok() && sequence_number_ptr != nullptr) {
    *sequence_number_ptr = sequence;
  }
  return s;
}

Status CheckpointImpl::ExportColumnFamily(
    ColumnFamilyHandle* handle, const std::string& export_dir,
    ExportImportFilesMetaData** metadata) {
  if (handle == nullptr || metadata == nullptr) {
    return Status::InvalidArgument("handle or metadata is null");
  }
  NewDirectory directory(db_, export_dir, kExportErrors);
  Status s = directory.Begin();
  if (s.ok()) s = db_->Flush(FlushOptions(), handle);
  if (!s.ok()) return s;
  auto exported = std::make_unique<ExportImportFilesMetaData>();
  exported->db_comparator_name = handle->GetComparator()->Name();
  {
    const FilesStay stay(db_);
    if (!stay.status().ok()) return stay.status();
    s = db_->GetTablesWithoutBlobs(handle, directory.draft(), &exported->files);
    for (LiveFileMetaData& file : exported->files) {
      if (!s.ok()) return s;
      if (file.directory == directory.draft()) {
        directory.NoteWritten(file.size);
      } else {
        s = directory.Link(file.directory + "/" + file.relative_filename,
                           file.relative_filename, file.size);
      }
      file.directory = file.db_path = directory.name();
      // As RocksDB has them: an import asks the tables.
      file.column_family_name.clear();
      file.num_entries = file.num_deletions = 0;
    }
  }
  if (s.ok()) s = directory.Finish();
  if (s.ok()) *metadata = exported.release();
  return s;
}

}  // namespace

Status Checkpoint::Create(DB* db, Checkpoint** checkpoint_ptr) {
  if (db == nullptr || checkpoint_ptr == nullptr) {
    return Status::InvalidArgument("db or checkpoint_ptr is null");
  }
  *checkpoint_ptr = std::make_unique<CheckpointImpl>(db).release();
  return Status::OK();
}

Status Checkpoint::CreateCheckpoint(const std::string& /*checkpoint_dir*/,
                                    uint64_t /*log_size_for_flush*/,
                                    uint64_t* /*sequence_number_ptr*/) {
  return Status::NotSupported("CreateCheckpoint");
}

Status Checkpoint::ExportColumnFamily(
    ColumnFamilyHandle* /*handle*/, const std::string& /*export_dir*/,
    ExportImportFilesMetaData** /*metadata*/) {
  return Status::NotSupported("ExportColumnFamily");
}

}  // namespace ROCKSDB_NAMESPACE
