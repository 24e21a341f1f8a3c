// DBImpl: what operators ask for: files, sizes, identity.
#include <algorithm>

#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/observe/database_stats.h"
#include "db/version/size_estimate.h"
#include "db/write/exclusive.h"
#include "file/filename.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table_properties.h"
#include "table/table_reader.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void FillMetaData(const FileMeta& file, const std::string& directory,
                  SstFileMetaData* out) {
  INVARIANT(out != nullptr);
  out->relative_filename = MakeTableFileName(file.number);
  out->directory = directory;
  out->file_number = file.number;
  out->size = file.size_bytes;
  out->temperature = file.temperature;
  out->file_checksum = file.checksum;
  out->file_checksum_func_name = ChecksumFunctionName(file.checksum_function);
  out->smallest_seqno = file.smallest_sequence;
  out->largest_seqno = file.largest_sequence;
  out->smallestkey = file.smallest.user_key().ToString();
  out->largestkey = file.largest.user_key().ToString();
  out->smallest = file.smallest.Encode().ToString();
  out->largest = file.largest.Encode().ToString();
  out->num_reads_sampled = file.sampled_reads.load();
  out->being_compacted = file.being_compacted;
  out->num_entries = file.entry_count.load();
  out->num_deletions = file.deletion_count.load();
  out->oldest_blob_file_number = file.oldest_blob_file;
  out->oldest_ancester_time = file.oldest_ancestor_time;
  out->file_creation_time = file.file_creation_time;
  out->epoch_number = file.epoch_number;
  out->name = "/" + out->relative_filename;
  out->db_path = directory;
}

// As much of the blob files as `bytes` is of the tables: which blobs belong to
// which keys is not known without reading the tables.
uint64_t BlobShare(const VersionStorage& storage, uint64_t bytes) {
  const uint64_t tables = storage.TotalBytes();
  if (tables == 0) return 0;
  assert(bytes <= tables);
  return static_cast<uint64_t>(static_cast<double>(storage.BlobBytes()) *
                               static_cast<double>(bytes) /
                               static_cast<double>(tables));
}

// Calls `visit(level, file, directory)` for each file of a version.
template <class Visit>
void ForEachFile(const ColumnFamilyData& cfd, const VersionStorage& storage,
                 const std::vector<std::string>& paths, const Visit& visit) {
  INVARIANT(!paths.empty());
  INVARIANT(storage.level_count() == cfd.ioptions().num_levels);
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      const size_t id = std::min<size_t>(file->path_id, paths.size() - 1);
      visit(level, file, paths[id]);
    }
  }
}

}  // namespace

void DBImpl::AppendLiveTables(ColumnFamilyData* cfd,
                              const VersionStorage& storage,
                              std::vector<LiveFileMetaData>* metadata) {
  INVARIANT(cfd != nullptr && metadata != nullptr);
  ForEachFile(*cfd, storage, cfd->tables()->paths(),
              [&](int level, const FileRef& file, const std::string& dir) {
                LiveFileMetaData live;
                FillMetaData(*file, dir, &live);
                live.column_family_name = cfd->name();
                live.level = level;
                metadata->push_back(std::move(live));
              });
}

void DBImpl::GetLiveFilesMetaData(std::vector<LiveFileMetaData>* metadata) {
  if (metadata == nullptr) return;
  metadata->clear();
  MutexLock lock(&mutex_);
  for (const auto& entry : families_) {
    ColumnFamilyData* const cfd = entry.second->cfd.get();
    AppendLiveTables(cfd, cfd->current()->storage(), metadata);
  }
}

void DBImpl::GetColumnFamilyMetaData(ColumnFamilyHandle* family,
                                     ColumnFamilyMetaData* metadata) {
  if (metadata == nullptr || !CheckHandle(family).ok()) return;
  ColumnFamilyData* cfd = FamilyOf(family);
  metadata->name = cfd->name();
  metadata->size = 0;
  metadata->file_count = 0;
  metadata->levels.clear();
  metadata->blob_files.clear();
  MutexLock lock(&mutex_);
  const VersionStorage& storage = cfd->current()->storage();
  std::vector<std::vector<SstFileMetaData>> files(storage.level_count());
  ForEachFile(*cfd, storage, cfd->tables()->paths(),
              [&](int level, const FileRef& file, const std::string& dir) {
                files[level].emplace_back();
                FillMetaData(*file, dir, &files[level].back());
                ++metadata->file_count;
                metadata->size += file->size_bytes;
              });
  for (const BlobFileState& blob : storage.blobs()) {
    metadata->blob_files.push_back({blob.number(), blob.file->size_bytes()});
  }
  metadata->blob_file_count = storage.blobs().size();
  metadata->blob_file_size = storage.BlobBytes();
  // Two ways to count the same files.
  assert(metadata->file_count == storage.FileCount());
  assert(metadata->size == storage.TotalBytes());
  for (int level = 0; level < storage.level_count(); ++level) {
    metadata->levels.emplace_back(level, storage.LevelBytes(level),
                                  std::move(files[level]));
  }
}

Status DBImpl::GetPropertiesOfAllTables(ColumnFamilyHandle* family,
                                        TablePropertiesCollection* props) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (props == nullptr) return Status::InvalidArgument("props is null");
  props->clear();
  ColumnFamilyData* cfd = FamilyOf(family);
  SuperVersion* state = cfd->AcquireReferenced();
  INVARIANT(state != nullptr);
  Status s;
  ForEachFile(*cfd, state->current->storage(), cfd->tables()->paths(),
              [&](int level, const FileRef& file, const std::string&) {
                if (!s.ok()) return;
                std::shared_ptr<const TableReader> reader;
                s = cfd->tables()->Find(ReadOptions(), *file, level,
                                        *state->options, &reader);
                if (s.ok()) {
                  (*props)[cfd->tables()->FilePath(*file)] =
                      reader->properties();
                }
              });
  ColumnFamilyData::Release(state);
  return s;
}

Status DBImpl::GetApproximateSizes(const SizeApproximationOptions& options,
                                   ColumnFamilyHandle* family,
                                   const Range* ranges, int n,
                                   uint64_t* sizes) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  if (n > 0 && (ranges == nullptr || sizes == nullptr)) {
    return Status::InvalidArgument("ranges or sizes is null");
  }
  if (!options.include_memtables && !options.include_files &&
      !options.include_blob_files) {
    return Status::InvalidArgument(
        "Invalid options",
        "include_memtables, include_files and include_blob_files are all "
        "false");
  }
  ColumnFamilyData* cfd = FamilyOf(family);
  SuperVersion* state = cfd->AcquireReferenced();
  INVARIANT(state != nullptr);
  Status s;
  for (int i = 0; i < n && s.ok(); ++i) {
    const size_t timestamp_size = cfd->order().timestamp_size();
    const InternalKey begin(WithMaxTimestamp(ranges[i].start, timestamp_size),
                            kMaxSequenceNumber, kValueTypeForSeek);
    const InternalKey end(WithMaxTimestamp(ranges[i].limit, timestamp_size),
                          kMaxSequenceNumber, kValueTypeForSeek);
    sizes[i] = 0;
    if (options.include_memtables) {
      sizes[i] +=
          state->mem->ApproximateStats(begin.Encode(), end.Encode()).bytes;
      for (const MemTableRef& mem : *state->imm) {
        sizes[i] += mem->ApproximateStats(begin.Encode(), end.Encode()).bytes;
      }
    }
    if (!options.include_files && !options.include_blob_files) continue;
    uint64_t in_tables = 0;
    s = EstimateTableBytes(
        *cfd->tables(), state->current->storage(), *state->options,
        {.range = {.begin = begin.Encode(), .end = end.Encode()},
         .error_margin = options.files_size_error_margin},
        &in_tables);
    if (options.include_files) sizes[i] += in_tables;
    if (options.include_blob_files) {
      sizes[i] += BlobShare(state->current->storage(), in_tables);
    }
  }
  ColumnFamilyData::Release(state);
  return s;
}

void DBImpl::GetApproximateMemTableStats(ColumnFamilyHandle* family,
                                         const Range& range, uint64_t* count,
                                         uint64_t* size) {
  if (count == nullptr || size == nullptr || !CheckHandle(family).ok() ||
      !CheckOpen().ok()) {
    return;
  }
  SuperVersion* state = FamilyOf(family)->AcquireReferenced();
  const size_t timestamp_size = FamilyOf(family)->order().timestamp_size();
  const InternalKey begin(WithMaxTimestamp(range.start, timestamp_size),
                          kMaxSequenceNumber, kValueTypeForSeek);
  const InternalKey end(WithMaxTimestamp(range.limit, timestamp_size),
                        kMaxSequenceNumber, kValueTypeForSeek);
  MemTable::RangeStats sum =
      state->mem->ApproximateStats(begin.Encode(), end.Encode());
  for (const MemTableRef& mem : *state->imm) {
    const MemTable::RangeStats one =
        mem->ApproximateStats(begin.Encode(), end.Encode());
    sum.entry_count += one.entry_count;
    sum.bytes += one.bytes;
  }
  ColumnFamilyData::Release(state);
  *count = sum.entry_count;
  *size = sum.bytes;
}

SequenceNumber DBImpl::GetLatestSequenceNumber() const {
  return versions_->LastSequence();
}

Status DBImpl::GetDbIdentity(std::string& identity) const {
  MutexLock lock(&mutex_);
  identity = versions_->db_id();
  return Status::OK();
}

Status DBImpl::GetDbSessionId(std::string& session_id) const {
  session_id = session_id_;
  return Status::OK();
}

int DBImpl::NumberLevels(ColumnFamilyHandle* family) {
  if (!CheckHandle(family).ok()) return 0;
  return FamilyOf(family)->ioptions().num_levels;
}

int DBImpl::Level0StopWriteTrigger(ColumnFamilyHandle* family) {
  if (!CheckHandle(family).ok()) return 0;
  return GetOptions(family).level0_stop_writes_trigger;
}

Status DBImpl::DisableFileDeletions() {
  obsolete_->DisableDeletions();
  return Status::OK();
}

Status DBImpl::EnableFileDeletions() {
  if (obsolete_->EnableDeletions()) obsolete_->Purge();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
