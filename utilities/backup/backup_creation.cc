#include "utilities/backup/backup_creation.h"

#include <algorithm>
#include <utility>

#include "file/file_util.h"
#include "options/db_options.h"
#include "rocksdb/statistics.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/string_util.h"
#include "utilities/backup/backup_names.h"
#include "utilities/backup/table_session.h"
#include "utilities/backup/transfer_pool.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// While it lives, no file that the database has goes.
class HeldFiles {
 public:
  explicit HeldFiles(DB* db) : db_(db), status_(db->DisableFileDeletions()) {}
  ~HeldFiles() {
    if (status_.ok()) {
      IgnoreError(db_->EnableFileDeletions(), "they go later then");
    }
  }
  HeldFiles(const HeldFiles&) = delete;
  HeldFiles& operator=(const HeldFiles&) = delete;
  IOStatus status() const { return status_to_io_status(Status(status_)); }

 private:
  DB* const db_;
  const Status status_;
};

// Table and blob files are read as compactions read theirs.
FileOptions BulkOptions(FileSystem* fs, const DBOptions& options) {
  FileOptions file_options(options);
  file_options.use_mmap_reads = false;
  const ImmutableDBOptions fixed(options);
  const ImmutableDBOptions asked(fixed, MutableDBOptions(options));
  return fs->OptimizeForCompactionTableRead(file_options, asked);
}

// Their copies are written directly where compactions write directly.
bool WritesDirectly(FileSystem* fs, const DBOptions& options) {
  const ImmutableDBOptions fixed(options);
  const ImmutableDBOptions asked(fixed, MutableDBOptions(options));
  return fs->OptimizeForCompactionTableWrite(FileOptions(options), asked)
      .use_direct_writes;
}

// A few KiB do not need a direct handle, and shall not stay in memory either.
FileOptions MetadataOptions(const FileOptions& bulk) {
  FileOptions options = bulk;
  if (options.use_direct_reads) {
    options.use_direct_reads = false;
    options.use_uncached_io = true;
  }
  return options;
}

bool HasDbChecksum(const LiveFileStorageInfo& file) {
  return !file.file_checksum_func_name.empty() &&
         file.file_checksum_func_name != kUnknownFileChecksumFuncName;
}

// The value as the MANIFEST has it: 4 bytes, the highest first.
bool ParseDbCrc(const LiveFileStorageInfo& file, uint32_t* crc32c) {
  if (file.file_checksum_func_name != kDbFileChecksumFuncName ||
      file.file_checksum.size() != sizeof(*crc32c)) {
    return false;
  }
  uint32_t value = 0;
  for (const char c : file.file_checksum) {
    value = (value << 8) | static_cast<unsigned char>(c);
  }
  *crc32c = value;
  return true;
}

std::string Expected(const std::string& expected, const std::string& found) {
  return "expected " + expected + ", found " + found;
}

}  // namespace

BackupCreation::BackupCreation(const BackupContext& context,
                               const CreateBackupOptions& options, DB* db,
                               BackupID id, CopiedFileMap found)
    : context_(context),
      options_(options),
      db_(db),
      id_(id),
      found_(std::move(found)),
      db_fs_(db->GetFileSystem()),
      fs_(context.catalog->fs().get()),
      statistics_(db->GetDBOptions().statistics),
      checksums_(db->GetDBOptions().file_checksum_gen_factory),
      table_options_(BulkOptions(db_fs_, db->GetDBOptions())),
      writes_directly_(WritesDirectly(db_fs_, db->GetDBOptions())),
      progress_(context.options->callback_trigger_interval_size,
                options.progress_callback) {
  rules_.is_stopped = context.is_stopped;
  rules_.limiter = context.options->backup_rate_limiter.get();
  rules_.buffer_bytes = TransferBufferBytes(*context.options, rules_.limiter);
  rules_.statistics = statistics_.get();
}

std::string BackupCreation::MetaTempPath() const {
  return context_.catalog->PathOf(std::string(kBackupMetaDir) + "/." +
                                  std::to_string(id_) + kBackupTempSuffix);
}

IOStatus BackupCreation::Run(const std::string& app_metadata, Backup* result) {
  INVARIANT(result != nullptr && items_.empty());
  BackupDescription& description = result->description;
  int64_t now = 1;
  IgnoreError(context_.options->backup_env->GetCurrentTime(&now),
              "the time is for people");
  description.timestamp = now;
  description.app_metadata = app_metadata;
  const std::string directory = context_.catalog->PathOf(PrivateDirOf(id_));
  IOStatus s = fs_->CreateDir(directory, IOOptions(), nullptr);
  if (!s.ok()) return s;
  if (context_.options->sync) {
    record_ =
        std::make_unique<CopiedFilesRecord>(*context_.catalog, id_, found_);
  }
  {
    const HeldFiles held(db_);
    s = held.status();
    description.sequence = db_->GetLatestSequenceNumber();
    if (s.ok()) s = ListItems();
    if (s.ok()) s = ForEachItem(&BackupCreation::NameItem);
    if (s.ok()) s = Exclude();
    if (s.ok()) s = ForEachItem(&BackupCreation::TransferItem);
  }
  if (!s.ok()) return s;
  for (const Item& item : items_) {
    if (item.fate == Fate::kExcluded) {
      description.excluded.push_back(item.file.path);
    } else {
      description.files.push_back(item.file);
    }
  }
  if (s = SyncDirectories(); s.ok()) s = WriteMeta(description);
  if (!s.ok()) return s;
  if (record_ != nullptr) record_->Delete();
  result->id = id_;
  for (const Item& item : items_) result->needs.push_back(item.file.path);
  return s;
}

IOStatus BackupCreation::ListItems() {
  IgnoreError(db_->GetDbSessionId(db_session_id_),
              "without it, checksums are not remembered");
  LiveFilesStorageInfoOptions list;
  list.include_checksum_info = true;
  list.wal_size_for_flush = options_.flush_before_backup ? 0 : UINT64_MAX;
  list.atomic_flush = options_.atomic_flush;
  std::vector<LiveFileStorageInfo> files;
  Status s = db_->GetLiveFilesStorageInfo(list, &files);
  if (!s.ok()) return status_to_io_status(std::move(s));
  // A log that has just been begun has nothing, and is missed only where an
  // opening takes it for lost that there is none.
  const bool is_missed = db_->GetDBOptions().track_and_verify_wals;
  for (LiveFileStorageInfo& file : files) {
    const bool is_empty = file.trim_to_size && file.size == 0;
    if (file.file_type == kWalFile &&
        ((is_empty && !is_missed) || !context_.options->backup_log_files)) {
      continue;
    }
    Item item;
    item.file.size_bytes = file.replacement_contents.empty()
                               ? file.size
                               : file.replacement_contents.size();
    item.file.temperature = file.temperature;
    item.live = std::move(file);
    items_.push_back(std::move(item));
  }
  return IOStatus::OK();
}

IOStatus BackupCreation::ForEachItem(ItemStep step) {
  std::vector<TransferPool::Job> jobs;
  for (Item& item : items_) {
    jobs.emplace_back([this, step, &item] { return (this->*step)(&item); });
  }
  return context_.pool->RunAll(jobs);
}

TransferSource BackupCreation::SourceOf(const Item& item,
                                        Temperature temperature) const {
  TransferSource source;
  source.fs = db_fs_;
  source.path = item.live.directory + "/" + item.live.relative_filename;
  source.size_bytes = item.live.size;
  if (item.is_shared_kind()) source.options = table_options_;
  source.options.temperature = temperature;
  return source;
}

IOStatus BackupCreation::NameItem(Item* item) {
  if (context_.is_stopped->load()) return BackupStopped();
  if (!item->is_shared_kind() || !shares()) {
    item->file.path = PrivateDirOf(id_) + "/" + item->live.relative_filename;
    return IOStatus::OK();
  }
  if (names_by_content()) {
    if (IOStatus s = NameByContent(item); !s.ok()) return s;
  } else {
    item->file.path =
        std::string(kBackupSharedDir) + "/" + item->live.relative_filename;
  }
  return FindShared(item);
}

IOStatus BackupCreation::NameByContent(Item* item) {
  const auto naming = context_.options->share_files_with_checksum_naming;
  const auto form = naming & BackupEngineOptions::kMaskNoNamingFlags;
  SharedNameParts parts;
  parts.size_bytes = item->live.size;
  IOStatus s;
  if (form == BackupEngineOptions::kUseDbSessionId &&
      item->live.file_type == kTableFile) {
    s = FindSession(*item, &parts.session_id);
  }
  if (s.ok() && parts.session_id.empty()) {
    s = FindCrc(*item, &item->file.crc32c);
    item->file.has_crc32c = s.ok();
    parts.crc32c = item->file.crc32c;
  }
  if (!s.ok()) return s;
  item->file.path = std::string(kBackupSharedChecksumDir) + "/" +
                    SharedNameOf(item->live.relative_filename, parts, naming);
  return s;
}

IOStatus BackupCreation::FindSession(const Item& item,
                                     std::string* session_id) {
  TransferSource source = SourceOf(item, item.live.temperature);
  source.options = MetadataOptions(source.options);
  IOStatus s = ReadTableSession(source, rules_.limiter, session_id);
  if (!s.ok() && source.options.temperature != Temperature::kUnknown) {
    // It may have been moved to another kind of device.
    source.options.temperature = Temperature::kUnknown;
    s = ReadTableSession(source, rules_.limiter, session_id);
  }
  return s;
}

IOStatus BackupCreation::FindCrc(const Item& item, uint32_t* crc32c) {
  if (ParseDbCrc(item.live, crc32c)) return IOStatus::OK();
  const std::string& name = item.live.relative_filename;
  const bool has_session = !db_session_id_.empty();
  if (has_session && context_.checksums->Find(db_session_id_, name, crc32c)) {
    return IOStatus::OK();
  }
  IOStatus s = DigestSource(SourceOf(item, item.live.temperature), rules_,
                            nullptr, crc32c);
  if (s.ok() && has_session) {
    context_.checksums->Note(db_session_id_, name, *crc32c);
  }
  return s;
}

// Is it there already, in a valid backup or from an unfinished one?
IOStatus BackupCreation::FindShared(Item* item) {
  BackupFile& file = item->file;
  const BackupFile* known = context_.catalog->FindShared(file.path);
  const auto found = found_.find(file.path);
  if (known == nullptr && names_by_content() && found != found_.end()) {
    known = &found->second;
    item->is_found = true;
  }
  if (known == nullptr) return IOStatus::OK();
  const std::string path = context_.catalog->PathOf(file.path);
  uint64_t size = 0;
  const IOStatus s = fs_->GetFileSize(path, IOOptions(), &size, nullptr);
  // The backups that had it get it back.
  if (s.IsNotFound() || s.IsPathNotFound()) return IOStatus::OK();
  if (!s.ok()) return s;
  if (size != file.size_bytes || known->size_bytes != file.size_bytes) {
    return IOStatus::Corruption(
        "Size mismatch for existing backup file " + path,
        Expected(std::to_string(file.size_bytes), std::to_string(size)));
  }
  uint32_t crc = 0;
  const bool has_other = file.has_crc32c || ParseDbCrc(item->live, &crc);
  if (file.has_crc32c) crc = file.crc32c;
  if (has_other && known->has_crc32c && known->crc32c != crc) {
    return IOStatus::Corruption(
        "Checksum mismatch for existing backup file " + path,
        Expected(std::to_string(crc), std::to_string(known->crc32c)));
  }
  file.crc32c = known->crc32c;
  file.has_crc32c = known->has_crc32c;
  item->fate = Fate::kHave;
  return IOStatus::OK();
}

IOStatus BackupCreation::Exclude() {
  if (!options_.exclude_files_callback) return IOStatus::OK();
  std::vector<Item*> asked;
  std::vector<MaybeExcludeBackupFile> questions;
  for (Item& item : items_) {
    if (item.fate != Fate::kCopy || !item.is_shared_kind() || !shares() ||
        !names_by_content()) {
      continue;
    }
    asked.push_back(&item);
    questions.emplace_back(BackupExcludedFileInfo(item.file.path));
  }
  if (asked.empty()) return IOStatus::OK();
  IOStatus s = CallGuarded("exclude_files_callback", [&] {
    options_.exclude_files_callback(questions.data(),
                                    questions.data() + questions.size());
  });
  for (size_t i = 0; i < asked.size(); ++i) {
    if (questions[i].exclude_decision) asked[i]->fate = Fate::kExcluded;
  }
  return s;
}

IOStatus BackupCreation::TransferItem(Item* item) {
  if (context_.is_stopped->load()) return BackupStopped();
  if (item->fate == Fate::kCopy) return CopyItem(item);
  if (item->fate == Fate::kExcluded || item->file.has_crc32c) {
    return IOStatus::OK();
  }
  // Described by a writer that leaves checksums out.
  TransferSource source;
  source.fs = fs_;
  source.path = context_.catalog->PathOf(item->file.path);
  source.size_bytes = item->file.size_bytes;
  IOStatus s = DigestSource(source, rules_, nullptr, &item->file.crc32c);
  item->file.has_crc32c = s.ok();
  return s;
}

IOStatus BackupCreation::TakeCurrentTemperature(Item* item) {
  if (!context_.options->current_temperatures_override_manifest ||
      !item->is_shared_kind()) {
    return IOStatus::OK();
  }
  const TransferSource source = SourceOf(*item, Temperature::kUnknown);
  std::unique_ptr<FSRandomAccessFile> file;
  IOStatus s =
      db_fs_->NewRandomAccessFile(source.path, source.options, &file, nullptr);
  if (s.ok()) item->file.temperature = file->GetTemperature();
  return s;
}

// A shared file gets its name when it is complete.
IOStatus BackupCreation::CopyItem(Item* item) {
  IOStatus s = TakeCurrentTemperature(item);
  if (!s.ok()) return s;
  BackupFile& file = item->file;
  const std::string path = context_.catalog->PathOf(file.path);
  const bool is_shared = IsSharedPath(file.path);
  TransferTarget target;
  target.fs = fs_;
  target.path = path;
  target.is_synced = context_.options->sync;
  target.is_direct = item->is_shared_kind() && writes_directly_;
  target.temperature = file.temperature;
  if (is_shared) {
    target.path = path.substr(0, path.find_last_of('/') + 1) + "." +
                  std::string(NameInPath(path)) + kBackupTempSuffix;
  }
  uint32_t crc = 0;
  s = item->live.replacement_contents.empty()
          ? CopyFile(*item, target, &crc)
          : WriteTarget(item->live.replacement_contents, target, rules_, &crc);
  if (s.ok() && file.has_crc32c && file.crc32c != crc) {
    s = IOStatus::Corruption(
        "Checksum mismatch after copying to " + path,
        Expected(std::to_string(file.crc32c), std::to_string(crc)) + " in " +
            item->live.directory + "/" + item->live.relative_filename);
  }
  if (!s.ok()) return s;
  file.crc32c = crc;
  file.has_crc32c = true;
  if (!is_shared) return s;
  s = fs_->RenameFile(target.path, path, IOOptions(), nullptr);
  if (s.ok() && record_ != nullptr && names_by_content()) record_->Note(file);
  return s;
}

// Compares with what the MANIFEST says of the whole file.
IOStatus BackupCreation::CopyFile(const Item& item,
                                  const TransferTarget& target,
                                  uint32_t* crc32c) {
  const LiveFileStorageInfo& live = item.live;
  const TransferSource source = SourceOf(item, item.file.temperature);
  // The copy's own checksum is that one: no generator is needed.
  uint32_t db_crc = 0;
  const bool has_db_crc = ParseDbCrc(live, &db_crc);
  std::unique_ptr<FileChecksumGenerator> generator;
  if (HasDbChecksum(live) && !has_db_crc && checksums_ != nullptr) {
    if (live.file_checksum.empty()) {
      return IOStatus::Aborted("Unknown checksum value for " + source.path);
    }
    generator = checksums_->CreateFileChecksumGenerator(
        {source.path, live.file_checksum_func_name});
    // Another function than the one that was asked for says nothing.
    if (generator != nullptr &&
        generator->Name() != live.file_checksum_func_name) {
      generator.reset();
    }
  }
  TransferRules rules = rules_;
  rules.progress = &progress_;
  IOStatus s = CopySource(source, target, rules, generator.get(), crc32c);
  if (s.ok() && has_db_crc && *crc32c != db_crc) {
    s = IOStatus::Corruption(
        "Checksum mismatch after copying to " + target.path,
        Expected(std::to_string(db_crc), std::to_string(*crc32c)) + " in " +
            source.path);
  }
  if (s.ok() && generator != nullptr &&
      generator->GetChecksum() != live.file_checksum) {
    s = IOStatus::Corruption(
        "Checksum mismatch after copying to " + target.path,
        Expected(ToHex(live.file_checksum), ToHex(generator->GetChecksum())) +
            " in " + source.path);
  }
  // Beside another process that writes the database: a log gets another name
  // before it is written over.
  if (s.ok() && live.file_type == kWalFile) {
    s = db_fs_->FileExists(source.path, IOOptions(), nullptr);
  }
  return s;
}

IOStatus BackupCreation::SyncBelow(const std::string& directory) {
  return SyncDirectory(fs_, context_.catalog->PathOf(directory),
                       DirFsyncOptions());
}

// Before the backup is said to be there: a name that a loss of power takes away
// would leave it damaged.
IOStatus BackupCreation::SyncDirectories() {
  if (!context_.options->sync) return IOStatus::OK();
  IOStatus s = SyncBelow(PrivateDirOf(id_));
  if (s.ok()) s = SyncBelow(kBackupPrivateDir);
  if (s.ok() && shares()) {
    s = SyncBelow(names_by_content() ? kBackupSharedChecksumDir
                                     : kBackupSharedDir);
  }
  return s;
}

IOStatus BackupCreation::WriteMeta(const BackupDescription& description) {
  TransferTarget target;
  target.fs = fs_;
  target.path = MetaTempPath();
  target.is_synced = context_.options->sync;
  uint32_t crc = 0;
  IOStatus s =
      WriteTarget(EncodeBackup(description, context_.options->schema_version),
                  target, rules_, &crc);
  if (s.ok()) {
    s = fs_->RenameFile(target.path, context_.catalog->MetaPathOf(id_),
                        IOOptions(), nullptr);
  }
  if (!s.ok() || !context_.options->sync) return s;
  s = SyncBelow(kBackupMetaDir);
  return s.ok()
             ? SyncDirectory(fs_, context_.catalog->root(), DirFsyncOptions())
             : s;
}

void BackupCreation::Undo(const IOStatus& why) {
  INVARIANT(!why.ok());
  constexpr char kReason[] = "what stays is garbage, which is collected later";
  const auto drop = [&](const std::string& path) {
    IgnoreError(fs_->DeleteFile(path, IOOptions(), nullptr), kReason);
  };
  drop(context_.catalog->MetaPathOf(id_));
  drop(MetaTempPath());
  const bool keeps_copies = record_ != nullptr && !why.IsNoSpace();
  for (const Item& item : items_) {
    const bool is_shared = IsSharedPath(item.file.path);
    if (item.file.path.empty() || item.fate != Fate::kCopy ||
        (is_shared &&
         (keeps_copies || context_.catalog->IsNeeded(item.file.path)))) {
      continue;
    }
    drop(context_.catalog->PathOf(item.file.path));
  }
  if (record_ != nullptr && !keeps_copies) record_->Delete();
  record_.reset();
  IgnoreError(fs_->DeleteDir(context_.catalog->PathOf(PrivateDirOf(id_)),
                             IOOptions(), nullptr),
              kReason);
}

}  // namespace ROCKSDB_NAMESPACE
