// The calls of DB that are made of its other calls, and its static ones.
#include "rocksdb/db.h"

#include <algorithm>
#include <set>

#include "db/manifest/version_recovery.h"
#include "db/manifest/version_set.h"
#include "db/read/read_timestamp.h"
#include "db/recovery/primary_mark.h"
#include "file/file_deleter.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/sst_file_manager_impl.h"
#include "options/sanitize.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Does the file hold keys of the range, as far as its bounds say?
bool ReachesInto(const SstFileMetaData& file, const Comparator& order,
                 const RangeOpt& range) {
  const bool has_ts = order.timestamp_size() > 0;
  if (range.start.has_value() &&
      order.CompareWithoutTimestamp(file.largestkey, has_ts, *range.start,
                                    false) < 0) {
    return false;
  }
  return !range.limit.has_value() ||
         order.CompareWithoutTimestamp(file.smallestkey, has_ts, *range.limit,
                                       false) <= 0;
}

// None is the default family, of which the batch knows.
Status CheckStamp(ColumnFamilyHandle* family, const Slice& ts) {
  if (family == nullptr) return Status::OK();
  return CheckTimestampSize(family->GetName(),
                            family->GetComparator()->timestamp_size(), &ts);
}

}  // namespace

Status DB::DestroyColumnFamilyHandle(ColumnFamilyHandle* column_family) {
  if (column_family == DefaultColumnFamily()) {
    return Status::InvalidArgument(
        "Cannot destroy the handle returned by DefaultColumnFamily()");
  }
  const std::unique_ptr<ColumnFamilyHandle> owned(column_family);
  return Status::OK();
}

Status DB::Put(const WriteOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, const Slice& ts, const Slice& value) {
  Status s = CheckStamp(column_family, ts);
  if (!s.ok()) return s;
  WriteBatch batch;
  s = batch.Put(column_family, key, ts, value);
  return s.ok() ? Write(options, &batch) : s;
}

Status DB::Delete(const WriteOptions& options,
                  ColumnFamilyHandle* column_family, const Slice& key,
                  const Slice& ts) {
  Status s = CheckStamp(column_family, ts);
  if (!s.ok()) return s;
  WriteBatch batch;
  s = batch.Delete(column_family, key, ts);
  return s.ok() ? Write(options, &batch) : s;
}

Status DB::SingleDelete(const WriteOptions& options,
                        ColumnFamilyHandle* column_family, const Slice& key,
                        const Slice& ts) {
  Status s = CheckStamp(column_family, ts);
  if (!s.ok()) return s;
  WriteBatch batch;
  s = batch.SingleDelete(column_family, key, ts);
  return s.ok() ? Write(options, &batch) : s;
}

Status DB::DeleteRange(const WriteOptions& options,
                       ColumnFamilyHandle* column_family,
                       const Slice& begin_key, const Slice& end_key,
                       const Slice& ts) {
  Status s = CheckStamp(column_family, ts);
  if (!s.ok()) return s;
  WriteBatch batch;
  s = batch.DeleteRange(column_family, begin_key, end_key, ts);
  return s.ok() ? Write(options, &batch) : s;
}

Status DB::Merge(const WriteOptions& options, ColumnFamilyHandle* column_family,
                 const Slice& key, const Slice& ts, const Slice& value) {
  Status s = CheckStamp(column_family, ts);
  if (!s.ok()) return s;
  WriteBatch batch;
  s = batch.Merge(column_family, key, ts, value);
  return s.ok() ? Write(options, &batch) : s;
}

Status DB::IncreaseFullHistoryTsLow(ColumnFamilyHandle* /*column_family*/,
                                    std::string /*ts_low*/) {
  return Status::NotSupported("IncreaseFullHistoryTsLow");
}

Status DB::GetFullHistoryTsLow(ColumnFamilyHandle* /*column_family*/,
                               std::string* /*ts_low*/) {
  return Status::NotSupported("GetFullHistoryTsLow");
}

Status DB::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& options, const std::string& column_family_name,
    const ImportColumnFamilyOptions& import_options,
    const ExportImportFilesMetaData& metadata, ColumnFamilyHandle** handle) {
  const std::vector<const ExportImportFilesMetaData*> metadatas{&metadata};
  return CreateColumnFamilyWithImport(options, column_family_name,
                                      import_options, metadatas, handle);
}

Status DB::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& /*options*/, const std::string& /*name*/,
    const ImportColumnFamilyOptions& /*import_options*/,
    const std::vector<const ExportImportFilesMetaData*>& /*metadatas*/,
    ColumnFamilyHandle** /*handle*/) {
  return Status::NotSupported("CreateColumnFamilyWithImport");
}

Status DB::PutEntity(const WriteOptions& options, const Slice& key,
                     const AttributeGroups& attribute_groups) {
  WriteBatch batch;
  Status s = batch.PutEntity(key, attribute_groups);
  return s.ok() ? Write(options, &batch) : s;
}

Status DB::Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, PinnableSlice* value, std::string* timestamp) {
  if (timestamp != nullptr) return Status::NotSupported("Get with a timestamp");
  return Get(options, column_family, key, value);
}

Status DB::Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, std::string* value) {
  return Get(options, column_family, key, value, nullptr);
}

Status DB::Get(const ReadOptions& options, ColumnFamilyHandle* column_family,
               const Slice& key, std::string* value, std::string* timestamp) {
  if (value == nullptr) return Status::InvalidArgument("value is null");
  value->clear();
  PinnableSlice pinned(value);
  Status s = Get(options, column_family, key, &pinned, timestamp);
  if (s.ok() && pinned.IsPinned()) value->assign(pinned.data(), pinned.size());
  return s;
}

void DB::MultiGet(const ReadOptions& options, ColumnFamilyHandle* column_family,
                  size_t num_keys, const Slice* keys, PinnableSlice* values,
                  std::string* timestamps, Status* statuses,
                  bool sorted_input) {
  std::vector<ColumnFamilyHandle*> families(num_keys, column_family);
  MultiGet(options, num_keys, families.data(), keys, values, timestamps,
           statuses, sorted_input);
}

void DB::MultiGet(const ReadOptions& options, size_t num_keys,
                  ColumnFamilyHandle** column_families, const Slice* keys,
                  PinnableSlice* values, std::string* timestamps,
                  Status* statuses, bool sorted_input) {
  if (timestamps == nullptr) {
    MultiGet(options, num_keys, column_families, keys, values, statuses,
             sorted_input);
    return;
  }
  std::fill(statuses, statuses + num_keys,
            Status::NotSupported("MultiGet with timestamps"));
}

std::vector<Status> DB::MultiGet(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_families,
    const std::vector<Slice>& keys, std::vector<std::string>* values) {
  return MultiGet(options, column_families, keys, values, nullptr);
}

std::vector<Status> DB::MultiGet(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_families,
    const std::vector<Slice>& keys, std::vector<std::string>* values,
    std::vector<std::string>* timestamps) {
  const size_t count = keys.size();
  if (column_families.size() != count || values == nullptr) {
    return std::vector<Status>(
        count, Status::InvalidArgument(
                   "MultiGet needs a column family for each key, and values"));
  }
  std::vector<Status> statuses(count);
  std::vector<PinnableSlice> pinned(count);
  std::vector<ColumnFamilyHandle*> families = column_families;
  if (timestamps != nullptr) timestamps->assign(count, std::string());
  MultiGet(options, count, families.data(), keys.data(), pinned.data(),
           timestamps != nullptr ? timestamps->data() : nullptr,
           statuses.data());
  values->assign(count, std::string());
  for (size_t i = 0; i < count; ++i) {
    if (statuses[i].ok())
      (*values)[i].assign(pinned[i].data(), pinned[i].size());
  }
  return statuses;
}

std::vector<Status> DB::MultiGet(const ReadOptions& options,
                                 const std::vector<Slice>& keys,
                                 std::vector<std::string>* values) {
  const std::vector<ColumnFamilyHandle*> families(keys.size(),
                                                  DefaultColumnFamily());
  return MultiGet(options, families, keys, values);
}

std::vector<Status> DB::MultiGet(const ReadOptions& options,
                                 const std::vector<Slice>& keys,
                                 std::vector<std::string>* values,
                                 std::vector<std::string>* timestamps) {
  const std::vector<ColumnFamilyHandle*> families(keys.size(),
                                                  DefaultColumnFamily());
  return MultiGet(options, families, keys, values, timestamps);
}

bool DB::KeyMayExist(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value, bool* value_found) {
  return KeyMayExist(options, column_family, key, value, nullptr, value_found);
}

bool DB::KeyMayExist(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value, std::string* timestamp,
                     bool* value_found) {
  if (column_family == nullptr) {
    if (value_found != nullptr) *value_found = false;
    return false;
  }
  ReadOptions memory_only = options;
  memory_only.read_tier = kBlockCacheTier;
  std::string found;
  const Status s = Get(memory_only, column_family, key, &found, timestamp);
  // What is known for certain is the whole answer: a key that is not there has
  // an empty value.
  if (value_found != nullptr) *value_found = s.ok() || s.IsNotFound();
  if (value != nullptr) *value = s.ok() ? std::move(found) : std::string();
  // Incomplete: only the files could tell.
  return s.ok() || s.IsIncomplete();
}

Status DB::GetApproximateSizes(ColumnFamilyHandle* column_family,
                               const Range* ranges, int n, uint64_t* sizes,
                               SizeApproximationFlags include_flags) {
  SizeApproximationOptions options;
  using Flags = SizeApproximationFlags;
  options.include_memtables =
      (include_flags & Flags::INCLUDE_MEMTABLES) != Flags::NONE;
  options.include_files = (include_flags & Flags::INCLUDE_FILES) != Flags::NONE;
  options.include_blob_files =
      (include_flags & Flags::INCLUDE_BLOB_FILES) != Flags::NONE;
  return GetApproximateSizes(options, column_family, ranges, n, sizes);
}

Status DB::SetOptions(
    const std::vector<ColumnFamilyHandle*>& column_families,
    const std::unordered_map<std::string, std::string>& new_options) {
  std::unordered_map<ColumnFamilyHandle*,
                     std::unordered_map<std::string, std::string>>
      options_of_families;
  for (ColumnFamilyHandle* family : column_families) {
    options_of_families[family] = new_options;
  }
  return SetOptions(options_of_families);
}

Status DB::PrepareFileIngestion(ColumnFamilyHandle* column_family,
                                const std::vector<std::string>& external_files,
                                const IngestExternalFileOptions& options,
                                std::unique_ptr<FileIngestionHandle>* handle) {
  IngestExternalFileArg arg;
  arg.column_family = column_family;
  arg.external_files = external_files;
  arg.options = options;
  return PrepareFileIngestion({arg}, handle);
}

Status DB::CommitFileIngestionHandle(
    std::unique_ptr<FileIngestionHandle> handle) {
  std::vector<std::unique_ptr<FileIngestionHandle>> handles;
  handles.push_back(std::move(handle));
  return CommitFileIngestionHandles(std::move(handles));
}

FileSystem* DB::GetFileSystem() const {
  return GetEnv()->GetFileSystem().get();
}

Status DB::ListColumnFamilies(const DBOptions& db_options,
                              const std::string& name,
                              std::vector<std::string>* column_families) {
  if (column_families == nullptr) {
    return Status::InvalidArgument("column_families is null");
  }
  if (db_options.env == nullptr) return Status::InvalidArgument("env is null");
  const std::shared_ptr<FileSystem> fs = db_options.env->GetFileSystem();
  return OpenBesideWriter(fs.get(), name, [&] {
    return ListFamilyNames(name, fs.get(), column_families);
  });
}

ManagedSnapshot::ManagedSnapshot(DB* db)
    : db_(db), snapshot_(db->GetSnapshot()) {}

ManagedSnapshot::ManagedSnapshot(DB* db, const Snapshot* _snapshot)
    : db_(db), snapshot_(_snapshot) {}

ManagedSnapshot::~ManagedSnapshot() {
  if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
}

namespace {

bool BelongsToDatabase(FileType type) { return type != kDBLockFile; }

// Deletes the database's files in `path`, and the directory if it is empty
// then. Other files stay.
Status DestroyDirectory(FileSystem* fs, const std::string& path,
                        SstFileManager* manager) {
  INVARIANT(fs != nullptr);
  std::vector<std::string> names;
  if (!fs->GetChildren(path, IOOptions(), &names, nullptr).ok()) {
    return Status::OK();  // It is not there.
  }
  Status result;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    const bool is_ours =
        FileDeleter::IsTrash(name) ||
        (ParseFileName(name, &number, &type) && BelongsToDatabase(type));
    if (!is_ours) continue;
    // An SstFileManager may be at work on the trash.
    const Status s = DeleteFileIfExists(fs, path + "/" + name);
    if (s.ok()) NoteFileGone(manager, path + "/" + name);
    if (!s.ok() && result.ok()) result = s;
  }
  return result;
}

}  // namespace

Status DestroyDB(const std::string& name, const Options& options,
                 const std::vector<ColumnFamilyDescriptor>& column_families) {
  const DBOptions db_options = SanitizeDBOptions(name, options);
  const std::shared_ptr<FileSystem> fs = db_options.env->GetFileSystem();
  SstFileManager* const manager = options.sst_file_manager.get();
  if (!fs->FileExists(name, IOOptions(), nullptr).ok()) return Status::OK();
  FileLock* lock = nullptr;
  Status s = fs->LockFile(LockFileName(name), IOOptions(), &lock, nullptr);
  if (!s.ok()) return s;
  std::set<std::string> paths;
  if (!db_options.wal_dir.empty()) {
    paths.insert(ArchivalDirectory(db_options.wal_dir));
    paths.insert(db_options.wal_dir);
  }
  paths.insert(ArchivalDirectory(name));
  for (const DbPath& path : db_options.db_paths) paths.insert(path.path);
  for (const ColumnFamilyDescriptor& family : column_families) {
    for (const DbPath& path : family.options.cf_paths) paths.insert(path.path);
  }
  paths.erase(name);
  for (const std::string& path : paths) {
    const Status one = DestroyDirectory(fs.get(), path, manager);
    if (s.ok()) s = one;
    IgnoreError(fs->DeleteDir(path, IOOptions(), nullptr),
                "the directory may hold files of others");
  }
  const Status own = DestroyDirectory(fs.get(), name, manager);
  if (s.ok()) s = own;
  const Status unlocked = fs->UnlockFile(lock, IOOptions(), nullptr);
  if (s.ok()) s = unlocked;
  if (s.ok()) s = fs->DeleteFile(LockFileName(name), IOOptions(), nullptr);
  IgnoreError(fs->DeleteDir(name, IOOptions(), nullptr),
              "the directory may hold files of others");
  return s;
}

void DB::GetColumnFamilyMetaData(ColumnFamilyHandle* column_family,
                                 const GetColumnFamilyMetaDataOptions& options,
                                 ColumnFamilyMetaData* metadata) {
  INVARIANT(column_family != nullptr);
  INVARIANT(metadata != nullptr);
  ColumnFamilyMetaData all;
  GetColumnFamilyMetaData(column_family, &all);
  ColumnFamilyMetaData part;
  part.name = all.name;
  part.blob_files = std::move(all.blob_files);
  part.blob_file_count = all.blob_file_count;
  part.blob_file_size = all.blob_file_size;
  for (const LevelMetaData& level : all.levels) {
    if (options.level >= 0 && level.level != options.level) continue;
    std::vector<SstFileMetaData> files;
    uint64_t size = 0;
    for (const SstFileMetaData& file : level.files) {
      if (!ReachesInto(file, *column_family->GetComparator(), options.range)) {
        continue;
      }
      files.push_back(file);
      size += file.size;
    }
    if (files.empty()) continue;
    part.size += size;
    part.file_count += files.size();
    part.levels.emplace_back(level.level, size, std::move(files));
  }
  // Levels have no assignment.
  std::swap(*metadata, part);
}

}  // namespace ROCKSDB_NAMESPACE
