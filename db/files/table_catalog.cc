#include "db/files/table_catalog.h"

#include <algorithm>
#include <utility>

#include "db/registry/family_registry.h"
#include "db/version/size_estimate.h"
#include "file/filename.h"
#include "memtable/memtable.h"
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

// Takes the same share of the blob files as `bytes` is of the tables: only
// reading the tables would tell which blobs belong to which keys.
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
void ForEachTableOf(const ColumnFamilyData& cfd, const VersionStorage& storage,
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

TableCatalog::TableCatalog(Context context) : context_(std::move(context)) {
  INVARIANT(context_.db != nullptr && context_.mutex != nullptr);
}

void TableCatalog::List(ColumnFamilyData* cfd, const VersionStorage& storage,
                        std::vector<LiveFileMetaData>* metadata) {
  INVARIANT(cfd != nullptr && metadata != nullptr);
  ForEachTableOf(*cfd, storage, cfd->tables()->paths(),
                 [&](int level, const FileRef& file, const std::string& dir) {
                   LiveFileMetaData live;
                   FillMetaData(*file, dir, &live);
                   live.column_family_name = cfd->name();
                   live.level = level;
                   metadata->push_back(std::move(live));
                 });
}

void TableCatalog::ListAll(std::vector<LiveFileMetaData>* files) const {
  files->clear();
  MutexLock lock(context_.mutex);
  for (const auto& entry : *context_.families) {
    ColumnFamilyData* const cfd = entry.second->cfd.get();
    List(cfd, cfd->current()->storage(), files);
  }
}

void TableCatalog::Describe(ColumnFamilyData* cfd,
                            ColumnFamilyMetaData* metadata) const {
  metadata->name = cfd->name();
  metadata->size = 0;
  metadata->file_count = 0;
  metadata->levels.clear();
  metadata->blob_files.clear();
  MutexLock lock(context_.mutex);
  const VersionStorage& storage = cfd->current()->storage();
  std::vector<std::vector<SstFileMetaData>> files(storage.level_count());
  ForEachTableOf(*cfd, storage, cfd->tables()->paths(),
                 [&](int level, const FileRef& file, const std::string& dir) {
                   files[level].emplace_back();
                   FillMetaData(*file, dir, &files[level].back());
                   ++metadata->file_count;
                   metadata->size += file->size_bytes;
                 });
  for (const BlobFileState& blob : storage.blobs()) {
    const BlobFileAddition& record = blob.file->record;
    const size_t slash = blob.file->path.find_last_of('/');
    INVARIANT(slash != std::string::npos);
    metadata->blob_files.emplace_back(
        blob.number(), blob.file->path.substr(slash),
        blob.file->path.substr(0, slash), blob.file->size_bytes(),
        record.total_count, record.total_bytes, blob.garbage_count,
        blob.garbage_bytes, record.checksum_value, record.checksum_method);
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

void TableCatalog::DescribeAll(
    std::vector<ColumnFamilyMetaData>* metadata) const {
  metadata->clear();
  std::vector<ColumnFamilyRef> families;
  {
    MutexLock lock(context_.mutex);
    families = context_.families->Hold();
  }
  for (const ColumnFamilyRef& cfd : families) {
    Describe(cfd.get(), &metadata->emplace_back());
  }
}

std::vector<LiveTable> TableCatalog::LiveTables() const {
  MutexLock lock(context_.mutex);
  return context_.families->LiveTables();
}

Status TableCatalog::OldestCreation(const MutableDBOptions& now,
                                    uint64_t* creation_time) const {
  INVARIANT(creation_time != nullptr);
  if (now.max_open_files != -1) {
    return Status::NotSupported("This API only works if max_open_files = -1",
                                "GetCreationTimeOfOldestFile");
  }
  uint64_t oldest = UINT64_MAX;
  for (const LiveTable& table : LiveTables()) {
    uint64_t created = table.file->file_creation_time;
    if (created == kUnknownTime) {
      // Manifests of older releases do not say; the file may.
      std::shared_ptr<const TableReader> reader;
      Status s = table.cfd->tables()->Find(
          ReadOptions(), *table.file, table.level, *table.options, &reader);
      if (!s.ok()) return s;
      created = reader->properties()->file_creation_time;
    }
    oldest = std::min(oldest, created);
  }
  *creation_time = oldest;
  return Status::OK();
}

namespace {

// Calls keep(level, path, properties) for each table of which wants(file).
template <class Wants, class Keep>
Status VisitProperties(ColumnFamilyData* cfd, const Wants& wants,
                       const Keep& keep) {
  SuperVersion* state = cfd->AcquireReferenced();
  INVARIANT(state != nullptr);
  Status s;
  ForEachTableOf(*cfd, state->current->storage(), cfd->tables()->paths(),
                 [&](int level, const FileRef& file, const std::string&) {
                   if (!s.ok() || !wants(*file)) return;
                   std::shared_ptr<const TableReader> reader;
                   s = cfd->tables()->Find(ReadOptions(), *file, level,
                                           *state->options, &reader);
                   if (!s.ok()) return;
                   keep(level, cfd->tables()->FilePath(*file),
                        reader->properties());
                 });
  ColumnFamilyData::Release(state);
  return s;
}

}  // namespace

Status TableCatalog::GetProperties(ColumnFamilyData* cfd,
                                   TablePropertiesCollection* props) {
  INVARIANT(props != nullptr);
  props->clear();
  return VisitProperties(
      cfd, [](const FileMeta&) { return true; },
      [&](int, const std::string& path, auto properties) {
        (*props)[path] = std::move(properties);
      });
}

Status TableCatalog::GetProperties(ColumnFamilyData* cfd, const Range* ranges,
                                   size_t count,
                                   TablePropertiesCollection* props) {
  INVARIANT(props != nullptr);
  props->clear();
  const InternalKeyComparator& order = cfd->order();
  const auto reaches = [&](const FileMeta& file, const Range& range) {
    return order.CompareToGiven(file.smallest.user_key(), range.limit) <= 0 &&
           order.CompareToGiven(file.largest.user_key(), range.start) >= 0;
  };
  return VisitProperties(
      cfd,
      [&](const FileMeta& file) {
        return std::any_of(ranges, ranges + count, [&](const Range& range) {
          return reaches(file, range);
        });
      },
      [&](int, const std::string& path, auto properties) {
        (*props)[path] = std::move(properties);
      });
}

Status TableCatalog::GetProperties(ColumnFamilyData* cfd,
                                   PropertiesByLevel* levels) {
  INVARIANT(levels != nullptr);
  levels->clear();
  for (int level = 0; level < cfd->ioptions().num_levels; ++level) {
    levels->push_back(std::make_unique<TablePropertiesCollection>());
  }
  return VisitProperties(
      cfd, [](const FileMeta&) { return true; },
      [&](int level, const std::string& path, auto properties) {
        (*(*levels)[level])[path] = std::move(properties);
      });
}

Status TableCatalog::GetAllProperties(TablePropertiesCollection* props) const {
  INVARIANT(props != nullptr);
  props->clear();
  for (const LiveTable& table : LiveTables()) {
    const TableCache* const tables = table.cfd->tables();
    std::shared_ptr<const TableReader> reader;
    Status s = tables->Find(ReadOptions(), *table.file, table.level,
                            *table.options, &reader);
    if (!s.ok()) return s;
    (*props)[tables->FilePath(*table.file)] = reader->properties();
  }
  return Status::OK();
}

Status TableCatalog::EstimateSizes(const SizeApproximationOptions& options,
                                   ColumnFamilyData* cfd, const Range* ranges,
                                   int n, uint64_t* sizes) {
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

void TableCatalog::EstimateInMemory(ColumnFamilyData* cfd, const Range& range,
                                    uint64_t* count, uint64_t* size) {
  SuperVersion* state = cfd->AcquireReferenced();
  const size_t timestamp_size = cfd->order().timestamp_size();
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

}  // namespace ROCKSDB_NAMESPACE
