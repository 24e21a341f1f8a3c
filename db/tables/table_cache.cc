#include "db/tables/table_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cache/typed_cache.h"
#include "db/tables/fresh_stage.h"
#include "db/tables/row_cache.h"
#include "file/filename.h"
#include "file/input_stream.h"
#include "file/random_access_file_reader.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/table.h"
#include "table/heat/key_heat.h"
#include "table/point_lookup.h"
#include "table/table_reader_options.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ReaderRef = std::shared_ptr<const TableReader>;
using ReaderCache = TypedCache<ReaderRef, CacheEntryRole::kMisc>;

Slice NumberKey(const uint64_t& number) {
  return Slice(reinterpret_cast<const char*>(&number), sizeof(number));
}

uint64_t NumberOf(const Slice& key) {
  uint64_t number = 0;
  INVARIANT(key.size() == sizeof(number));
  memcpy(&number, key.data(), sizeof(number));
  return number;
}

// Iterators keep their reader alive.
void DropReader(void* reader, void* /*unused*/) {
  INVARIANT(reader != nullptr);
  const std::unique_ptr<ReaderRef> last(static_cast<ReaderRef*>(reader));
}

void KeepWith(Cleanable* holder, ReaderRef reader) {
  auto keeper = std::make_unique<ReaderRef>(std::move(reader));
  holder->RegisterCleanup(&DropReader, keeper.release(), nullptr);
}

// Counts one private handle as long as it is open.
class EphemeralCount {
 public:
  EphemeralCount(Statistics* statistics,
                 std::shared_ptr<EphemeralReaders> readers)
      : statistics_(statistics), readers_(std::move(readers)) {
    RecordTick(statistics_, COMPACTION_EPHEMERAL_READERS_OPENED);
    if (readers_ != nullptr) readers_->Open();
  }
  EphemeralCount(const EphemeralCount&) = delete;
  EphemeralCount& operator=(const EphemeralCount&) = delete;
  ~EphemeralCount() {
    RecordTick(statistics_, COMPACTION_EPHEMERAL_READERS_CLOSED);
    if (readers_ != nullptr) readers_->Close();
  }

 private:
  Statistics* const statistics_;
  const std::shared_ptr<EphemeralReaders> readers_;
};

void EndCount(void* count, void* /*unused*/) {
  INVARIANT(count != nullptr);
  const std::unique_ptr<EphemeralCount> last(
      static_cast<EphemeralCount*>(count));
}

// One open file in two hands: the reader of its metadata, the stream of its
// data. It is closed with the last of them.
class SharedFile final : public FSRandomAccessFileWrapper {
 public:
  explicit SharedFile(std::shared_ptr<FSRandomAccessFile> file)
      : FSRandomAccessFileWrapper(file.get()), file_(std::move(file)) {
    INVARIANT(file_ != nullptr);
  }

 private:
  const std::shared_ptr<FSRandomAccessFile> file_;
};

// The shared reader's handle, which outlives the stream over it.
class BorrowedFile final : public FSRandomAccessFileWrapper {
 public:
  explicit BorrowedFile(FSRandomAccessFile* file)
      : FSRandomAccessFileWrapper(file) {
    INVARIANT(file != nullptr);
  }
};

}  // namespace

void ForgetTable(UnreferencedTable table, Cache* open_tables) {
  INVARIANT(open_tables != nullptr);
  ReaderRef reader = std::move(table.reader);
  if (reader == nullptr) {
    const Slice key = NumberKey(table.number);
    const auto cached = ReaderCache(open_tables).Lookup(key);
    if (cached) reader = *cached;
    open_tables->Erase(key);
  }
  if (reader == nullptr || table.uncache_aggressiveness == 0) return;
  reader->EraseCachedBlocks(table.uncache_aggressiveness);
}

Status AsOfLiveTable(const Status& s) {
  if (!s.IsNotFound() && !s.IsPathNotFound()) return s;
  return Status::Corruption(s.ToString(), "a live table file is missing");
}

TableCache::TableCache(Context context)
    : context_(std::move(context)),
      rows_(context_.db->row_cache != nullptr
                ? std::make_unique<FileRowCache>(context_.db->row_cache,
                                                 context_.db->stats)
                : nullptr) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(context_.cf != nullptr);
  INVARIANT(!context_.paths.empty());
  INVARIANT(context_.pins_readers == nullptr || context_.cache != nullptr);
  INVARIANT(context_.cf->num_levels > 0);
  for (int level = 0; level < context_.cf->num_levels; ++level) {
    level_times_.push_back(std::make_shared<HistogramImpl>());
  }
}

TableCache::~TableCache() = default;

std::string TableCache::ReadTimesText(const std::string& family) const {
  std::string text =
      "\n** File Read Latency Histogram By Level [" + family + "] **\n";
  for (size_t level = 0; level < level_times_.size(); ++level) {
    if (level_times_[level]->Empty()) continue;
    text += "** Level " + std::to_string(level) +
            " read latency histogram (micros):\n" +
            level_times_[level]->ToString() + "\n";
  }
  return text;
}

std::string TableCache::FilePath(const FileMeta& file) const {
  const size_t id = std::min<size_t>(file.path_id, context_.paths.size() - 1);
  return TableFileName(context_.paths[id], file.number);
}

FileIoContext TableCache::IoContext(const FileMeta& file, int level) const {
  FileIoContext io;
  io.clock = context_.db->clock;
  io.statistics = context_.db->stats;
  io.listeners = FileListeners(context_.db->listeners);
  io.rate_limiter = context_.db->rate_limiter.get();
  io.governor = context_.governor;
  io.helpers = context_.read_helpers;
  io.histogram = SST_READ_MICROS;
  io.temperature = TemperatureOf(file);
  io.is_last_level = level == context_.cf->num_levels - 1;
  if (level >= 0 && static_cast<size_t>(level) < level_times_.size()) {
    io.place_times = level_times_[static_cast<size_t>(level)];
  }
  return io;
}

Temperature TableCache::TemperatureOf(const FileMeta& file) const {
  return file.temperature != Temperature::kUnknown
             ? file.temperature
             : context_.cf->default_temperature;
}

Status TableCache::OpenFile(const FileMeta& file, const FileOptions& options,
                            std::unique_ptr<FSRandomAccessFile>* handle,
                            std::string* path) const {
  INVARIANT(handle != nullptr);
  INVARIANT(path != nullptr);
  Statistics* statistics = context_.db->stats;
  FileSystem* fs = context_.db->fs;
  RecordTick(statistics, NO_FILE_OPENS);
  *path = FilePath(file);
  FileOptions opened = options;
  opened.temperature = TemperatureOf(file);
  std::string metadata;
  if (!file.open_metadata.empty() && uses_metadata()) {
    metadata = file.open_metadata;
    opened.file_metadata = &metadata;
    RecordTick(statistics, FILE_OPEN_METADATA_PASSED);
  }
  Status s = fs->NewRandomAccessFile(*path, opened, handle, nullptr);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    const std::string old_path = LegacyTableFileName(*path);
    if (fs->NewRandomAccessFile(old_path, opened, handle, nullptr).ok()) {
      *path = old_path;
      s = Status::OK();
    }
  }
  if (!s.ok()) RecordTick(statistics, NO_FILE_ERRORS);
  return s;
}

Status TableCache::CheckSize(const FileMeta& file,
                             const std::string& path) const {
  uint64_t actual = 0;
  Status s = context_.db->fs->GetFileSize(path, IOOptions(), &actual, nullptr);
  if (!s.ok() || actual == file.size_bytes) return s;
  return Status::Corruption("Sst file size mismatch between expected " +
                            std::to_string(file.size_bytes) +
                            " and file system " + std::to_string(actual) +
                            " sstable: " + path);
}

Status TableCache::CheckPresence(const FileMeta& file) const {
  INVARIANT(file.size_bytes > 0);
  const std::string path = FilePath(file);
  Status s = CheckSize(file, path);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    s = CheckSize(file, LegacyTableFileName(path));
  }
  if (s.IsNotFound() || s.IsPathNotFound()) {
    return Status::Corruption(
        "IO error: No such file or directory: While open a file for random "
        "read: " +
            path + ": No such file or directory",
        "a live table file is missing");
  }
  return s;
}

Status TableCache::NewReader(const OpenRequest& request,
                             std::unique_ptr<FSRandomAccessFile> handle,
                             const std::string& path, ReaderRef* reader) const {
  INVARIANT(reader != nullptr);
  INVARIANT(handle != nullptr);
  const FileMeta& file = *request.file;
  Status s = CheckSize(file, path);
  if (!s.ok()) return s;
  TableReaderOptions options;
  options.db = context_.db;
  options.cf = context_.cf;
  options.mutable_cf = request.options;
  options.file_options = context_.file_options;
  options.file_number = file.number;
  options.level = request.level;
  options.db_session_id = context_.db_session_id;
  options.skip_filters = request.use == Use::kPrivate;
  options.use_block_cache = request.use == Use::kShared;
  options.keeps_heat =
      request.use == Use::kShared && context_.db->compaction_keeps_hot_data;
  options.largest_sequence = file.largest_sequence;
  if (context_.db->verify_sst_unique_id_in_manifest) {
    options.expected_unique_id[0] = file.unique_id.id0;
    options.expected_unique_id[1] = file.unique_id.id1;
  }
  std::unique_ptr<TableReader> opened;
  ReadOptions read;
  read.fill_cache = request.fill_cache;
  s = request.options->table_factory->NewTableReader(
      read, options,
      std::make_unique<RandomAccessFileReader>(std::move(handle), path,
                                               IoContext(file, request.level)),
      file.size_bytes, &opened, request.metadata == Metadata::kNow);
  if (!s.ok()) {
    RecordTick(context_.db->stats, NO_FILE_ERRORS);
    return s;
  }
  INVARIANT(opened != nullptr);
  *reader = std::move(opened);
  return s;
}

Status TableCache::OpenShared(const OpenRequest& request,
                              ReaderRef* reader) const {
  INVARIANT(reader != nullptr);
  INVARIANT(request.use == Use::kShared);
  const StopWatch watch(context_.db->clock, context_.db->stats,
                        TABLE_OPEN_IO_MICROS);
  PERF_TIMER_GUARD(find_table_nanos);
  std::unique_ptr<FSRandomAccessFile> handle;
  std::string path;
  Status s = OpenFile(*request.file, context_.file_options, &handle, &path);
  if (!s.ok()) return s;
  if (context_.db->advise_random_on_open) {
    handle->Hint(FSRandomAccessFile::kRandom);
  }
  return NewReader(request, std::move(handle), path, reader);
}

TableCache::ReaderRef TableCache::FindOpen(const FileMeta& file) const {
  // acquire: pairs with the release in Keep().
  if (file.pinned_reader.load(std::memory_order_acquire) != nullptr) {
    return file.pinned_owner;
  }
  if (context_.cache == nullptr) return nullptr;
  const auto cached =
      ReaderCache(context_.cache.get()).Lookup(NumberKey(file.number));
  return cached ? *cached : nullptr;
}

void TableCache::Keep(const FileMeta& file, const ReaderRef& reader) const {
  if (pins_readers()) {
    INVARIANT(file.pinned_owner == nullptr);
    file.pinned_owner = reader;
    // release: whoever sees the pointer sees the owner too.
    file.pinned_reader.store(reader.get(), std::memory_order_release);
    return;
  }
  auto value = std::make_unique<ReaderRef>(reader);
  IgnoreError(ReaderCache(context_.cache.get())
                  .Insert(NumberKey(file.number), &value, 1),
              "a full table cache keeps no reader; this read has its own");
}

uint64_t TableCache::CachedReaderBytes(
    const std::set<uint64_t>& numbers) const {
  uint64_t bytes = 0;
  if (context_.cache == nullptr || numbers.empty()) return bytes;
  context_.cache->ApplyToAllEntries(
      [&](const Slice& key, Cache::ObjectPtr object, size_t /*charge*/,
          const Cache::CacheItemHelper* /*helper*/) {
        if (numbers.count(NumberOf(key)) == 0) return;
        bytes += (*static_cast<ReaderRef*>(object))->ApproximateMemoryUsage();
      },
      Cache::ApplyToAllEntriesOptions());
  return bytes;
}

Status TableCache::Find(const ReadOptions& options, const FileMeta& file,
                        int level, const MutableCFOptions& mutable_cf,
                        ReaderRef* reader) const {
  INVARIANT(reader != nullptr);
  *reader = FindOpen(file);
  if (*reader != nullptr) return Status::OK();
  if (options.read_tier == kBlockCacheTier) {
    return Status::Incomplete("table is not open", FilePath(file));
  }
  return FindOrOpen({.file = &file,
                     .level = level,
                     .options = &mutable_cf,
                     .fill_cache = options.fill_cache},
                    reader);
}

// One opener at a time a file; others wait rather than open it again.
Status TableCache::FindOrOpen(const OpenRequest& request,
                              ReaderRef* reader) const {
  INVARIANT(reader != nullptr);
  const FileMeta& file = *request.file;
  MutexLock lock(&open_locks_[file.number % open_locks_.size()]);
  *reader = FindOpen(file);
  if (*reader != nullptr) return Status::OK();
  Status s = OpenShared(request, reader);
  if (s.ok()) Keep(file, *reader);
  return s;
}

Status TableCache::NewIterator(
    const IteratorRequest& request,
    std::unique_ptr<InternalIterator>* result) const {
  INVARIANT(result != nullptr);
  INVARIANT(request.file != nullptr && request.mutable_cf != nullptr);
  INVARIANT(request.table.read_options != nullptr);
  const ReadOptions& read = *request.table.read_options;
  if (request.bulk != nullptr) {
    if (request.bulk->open_ephemeral_reader &&
        read.read_tier == kBlockCacheTier) {
      return Status::Incomplete("a bulk read opens a file",
                                FilePath(*request.file));
    }
    return NewBulkIterator(request, result);
  }
  request.file->NoteRead();
  ReaderRef reader;
  Status s =
      Find(read, *request.file, request.level, *request.mutable_cf, &reader);
  if (!s.ok()) return s;
  if (read.table_filter != nullptr && *read.table_filter &&
      !(*read.table_filter)(*reader->properties())) {
    *result = NewEmptyInternalIterator(Status::OK());
    return s;
  }
  std::unique_ptr<InternalIterator> iterator =
      reader->NewIterator(request.table);
  INVARIANT(iterator != nullptr);
  // acquire: pairs with the release in Keep().
  if (request.file->pinned_reader.load(std::memory_order_acquire) !=
      reader.get()) {
    KeepWith(iterator.get(), std::move(reader));
  }
  *result = std::move(iterator);
  return s;
}

void TableCache::CollectHeat(const FileMeta& file, KeyHeat* heat) const {
  const ReaderRef reader = FindOpen(file);
  if (reader == nullptr) return;
  IgnoreError(reader->CollectHeat(
                  {file.smallest.user_key(), file.largest.user_key()}, heat),
              "an index that cannot be read tells of no heat");
}

Status TableCache::FindForBulk(const IteratorRequest& request,
                               ReaderRef* reader) const {
  INVARIANT(reader != nullptr);
  INVARIANT(request.bulk != nullptr && request.file != nullptr);
  const FileMeta& file = *request.file;
  if (!request.bulk->open_ephemeral_reader) {
    return Find(*request.table.read_options, file, request.level,
                *request.mutable_cf, reader);
  }
  *reader = FindOpen(file);
  if (*reader != nullptr) return Status::OK();
  std::unique_ptr<FSRandomAccessFile> handle;
  std::string path;
  Status s = OpenFile(file, request.bulk->file_options, &handle, &path);
  if (!s.ok()) return s;
  const OpenRequest open{request.file, request.level, request.mutable_cf,
                         Use::kPrivate};
  s = NewReader(open, std::move(handle), path, reader);
  if (s.ok()) CountDirectOpen(*request.bulk);
  return s;
}

void TableCache::CountDirectOpen(const BulkReadPolicy& bulk) const {
  INVARIANT(bulk.open_ephemeral_reader);
  if (!bulk.file_options.use_direct_reads) return;
  RecordTick(context_.db->stats, COMPACTION_DIRECT_READ_OPENS);
}

Status TableCache::OpenBulk(const IteratorRequest& request,
                            std::unique_ptr<FSRandomAccessFile>* handle,
                            std::string* path, ReaderRef* reader) const {
  INVARIANT(handle != nullptr && reader != nullptr);
  const BulkReadPolicy& bulk = *request.bulk;
  if (!bulk.open_ephemeral_reader) {
    Status s = Find(*request.table.read_options, *request.file, request.level,
                    *request.mutable_cf, reader);
    if (!s.ok()) return s;
    *path = FilePath(*request.file);
    *handle = std::make_unique<BorrowedFile>((*reader)->file());
    return s;
  }
  INVARIANT(bulk.spares_page_cache());
  *reader = FindOpen(*request.file);
  Status s = OpenFile(*request.file, bulk.file_options, handle, path);
  if (!s.ok() || *reader != nullptr) return s;
  const std::shared_ptr<FSRandomAccessFile> shared = std::move(*handle);
  *handle = std::make_unique<SharedFile>(shared);
  const OpenRequest open{request.file, request.level, request.mutable_cf,
                         Use::kPrivate};
  return NewReader(open, std::make_unique<SharedFile>(shared), *path, reader);
}

Status TableCache::OpenStream(const IteratorRequest& request,
                              BulkData* result) const {
  INVARIANT(result != nullptr && request.bulk != nullptr);
  const BulkReadPolicy& bulk = *request.bulk;
  if (bulk.reads_fresh && context_.fresh != nullptr) {
    std::shared_ptr<const FreshImage> image =
        context_.fresh->Find(request.file->number);
    if (image != nullptr) return OpenFresh(request, std::move(image), result);
  }
  // With an ephemeral reader's own metadata the handle has two owners.
  const bool closes_early =
      !bulk.open_ephemeral_reader || FindOpen(*request.file) != nullptr;
  std::unique_ptr<FSRandomAccessFile> handle;
  std::string path;
  Status s = OpenBulk(request, &handle, &path, &result->reader);
  if (!s.ok()) return s;
  InputStreamOptions stream;
  static_cast<FileIoContext&>(stream) = IoContext(*request.file, request.level);
  stream.file_size = request.file->size_bytes;
  stream.readahead_bytes = bulk.readahead_bytes;
  stream.rate_limiter_priority = bulk.rate_limiter_priority;
  stream.io_options.timeout = request.table.read_options->io_timeout;
  stream.deadline = request.table.read_options->deadline;
  stream.backend = bulk.backend;
  stream.io_class = bulk.io_class;
  stream.pace = bulk.pace;
  stream.fs = context_.db->fs;
  if (closes_early) stream.on_all_read = request.on_all_read;
  if (bulk.reads_fresh && handle->use_direct_io()) {
    stream.resident = dynamic_cast<ResidentPages*>(result->reader->file());
  }
  result->data =
      std::make_unique<InputStream>(std::move(handle), path, std::move(stream));
  result->is_ephemeral = bulk.open_ephemeral_reader;
  return s;
}

Status TableCache::OpenFresh(const IteratorRequest& request,
                             std::shared_ptr<const FreshImage> image,
                             BulkData* result) const {
  const FileMeta& file = *request.file;
  INVARIANT(image != nullptr && image->size() == file.size_bytes);
  Status s = Find(*request.table.read_options, file, request.level,
                  *request.mutable_cf, &result->reader);
  if (!s.ok()) return s;
  RecordTick(context_.db->stats, FRESH_FILES_READ);
  RecordTick(context_.db->stats, FRESH_BYTES_READ, file.size_bytes);
  InputStreamOptions stream;
  static_cast<FileIoContext&>(stream) = IoContext(file, request.level);
  // Nothing is asked of the device.
  stream.governor = nullptr;
  stream.rate_limiter_priority = Env::IO_TOTAL;
  stream.file_size = file.size_bytes;
  stream.on_all_read = request.on_all_read;
  result->data = std::make_unique<InputStream>(
      NewFreshFile(std::move(image)), FilePath(file), std::move(stream));
  return s;
}

// The handle belongs to the stream, then to the iterator once nothing can fail
// any more: each step before frees it.
Status TableCache::NewBulkIterator(
    const IteratorRequest& request,
    std::unique_ptr<InternalIterator>* result) const {
  INVARIANT(result != nullptr);
  BulkData bulk;
  Status s = OpenStream(request, &bulk);
  if (!s.ok()) return s;
  std::unique_ptr<InternalIterator> iterator;
  s = bulk.reader->NewBulkIterator(request.table, std::move(bulk.data),
                                   &iterator);
  if (!s.ok()) return s;
  INVARIANT(iterator != nullptr);
  if (bulk.is_ephemeral) {
    CountDirectOpen(*request.bulk);
    auto count = std::make_unique<EphemeralCount>(context_.db->stats,
                                                  context_.ephemeral);
    iterator->RegisterCleanup(&EndCount, count.release(), nullptr);
  }
  KeepWith(iterator.get(), std::move(bulk.reader));
  *result = std::move(iterator);
  return s;
}

Status TableCache::Get(const ReadOptions& options, const LevelFile& where,
                       const MutableCFOptions& mutable_cf,
                       const Slice& internal_key, PointLookup* lookup) const {
  assert(where.file != nullptr && lookup != nullptr);
  const FileMeta& file = *where.file;
  file.NoteRead();
  const TableReader* pinned =
      file.pinned_reader.load(std::memory_order_acquire);
  ReaderRef keeper;
  if (pinned == nullptr) {
    Status s = Find(options, file, where.level, mutable_cf, &keeper);
    if (!s.ok()) return s;
    pinned = keeper.get();
  }
  if (!options.ignore_range_deletions) {
    NoteTombstone(file, *pinned, internal_key, lookup);
  }
  const SliceTransform* extractor = mutable_cf.prefix_extractor.get();
  if (!UsesRows(file, internal_key)) [[likely]]
    return pinned->Get(options, internal_key, extractor, lookup);
  if (rows_->Feed(file.number, lookup->user_key(), lookup)) return Status::OK();
  LookupRecord record;
  lookup->RecordTo(&record);
  Status s = pinned->Get(options, internal_key, extractor, lookup);
  lookup->RecordTo(nullptr);
  if (s.ok() && options.fill_cache) {
    rows_->Keep(file.number, *lookup, std::move(record));
  }
  return s;
}

void TableCache::NoteTombstone(const FileMeta& file, const TableReader& reader,
                               const Slice& internal_key,
                               PointLookup* lookup) const {
  const auto& tombstones = reader.range_tombstones();
  assert(tombstones != nullptr);
  const Slice user_key = ExtractUserKey(internal_key);
  if (tombstones->empty() || !CoversUserKey(file, user_key)) return;
  const size_t timestamp_size =
      context_.cf->internal_comparator.timestamp_size();
  lookup->NoteTombstone(tombstones->MaxCovering(
      user_key,
      {ExtractSequence(internal_key), TimestampOf(user_key, timestamp_size)}));
}

Status TableCache::NewBatch(const ReadOptions& options,
                            const BatchRequest& request, ReaderRef* reader,
                            std::unique_ptr<TableBatch>* batch) const {
  INVARIANT(request.where.file != nullptr && request.mutable_cf != nullptr);
  INVARIANT(reader != nullptr && batch != nullptr);
  const FileMeta& file = *request.where.file;
  Status s =
      Find(options, file, request.where.level, *request.mutable_cf, reader);
  if (!s.ok()) return s;
  for (size_t i = 0; i < request.count; ++i) file.NoteRead();
  for (size_t i = 0; i < request.count && !options.ignore_range_deletions;
       ++i) {
    TableLookup& one = request.lookups[i];
    NoteTombstone(file, **reader, one.internal_key, one.lookup);
  }
  TableBatchOptions table;
  table.read_options = &options;
  table.prefix_extractor = request.mutable_cf->prefix_extractor.get();
  // All keys of a batch are read as of one snapshot.
  if (request.count > 0 && UsesRows(file, request.lookups[0].internal_key))
      [[unlikely]] {
    *batch = rows_->NewBatch({.file_number = file.number,
                              .reader = reader->get(),
                              .table = table,
                              .lookups = request.lookups,
                              .count = request.count});
    return s;
  }
  *batch = (*reader)->NewBatch(table, request.lookups, request.count);
  return s;
}

// A row is the file's newest version of a key and what lies below it. Another
// timestamp would ask for another row.
bool TableCache::UsesRows(const FileMeta& file,
                          const Slice& internal_key) const {
  return rows_ != nullptr &&
         ExtractSequence(internal_key) >= file.largest_sequence &&
         context_.cf->user_comparator->timestamp_size() == 0;
}

// A tombstone reaches no further than the bounds of the file that holds it.
bool TableCache::CoversUserKey(const FileMeta& file,
                               const Slice& user_key) const {
  const InternalKeyComparator& order = context_.cf->internal_comparator;
  if (order.CompareUserKeys(user_key, file.smallest.user_key()) < 0) {
    return false;
  }
  const int after = order.CompareUserKeys(user_key, file.largest.user_key());
  return after < 0 || (after == 0 && !file.largest.IsTombstoneSentinel());
}

Status TableCache::Tombstones(
    const ReadOptions& options, const FileMeta& file, int level,
    const MutableCFOptions& mutable_cf,
    std::shared_ptr<const FragmentedTombstones>* result) const {
  INVARIANT(result != nullptr);
  ReaderRef reader;
  Status s = Find(options, file, level, mutable_cf, &reader);
  if (s.ok()) *result = ClippedTombstones(file, *reader);
  return s;
}

Status TableCache::TombstonesForBulk(
    const IteratorRequest& request,
    std::shared_ptr<const FragmentedTombstones>* result) const {
  INVARIANT(result != nullptr);
  ReaderRef reader;
  Status s = FindForBulk(request, &reader);
  if (s.ok()) *result = ClippedTombstones(*request.file, *reader);
  return s;
}

std::shared_ptr<const FragmentedTombstones> TableCache::ClippedTombstones(
    const FileMeta& file, const TableReader& reader) const {
  std::shared_ptr<const FragmentedTombstones> all = reader.range_tombstones();
  INVARIANT(all != nullptr);
  if (all->empty()) return all;
  const InternalKeyComparator& order = context_.cf->internal_comparator;
  const Slice lower = file.smallest.user_key();
  const Slice upper = file.largest.user_key();
  // Most files' tombstones are within their bounds: nothing to cut.
  if (order.CompareUserKeys(all->at(0).begin, lower) >= 0 &&
      order.CompareUserKeys(all->at(all->size() - 1).end, upper) <= 0) {
    return all;
  }
  if (file.largest.IsTombstoneSentinel()) {
    return all->Clip(&lower, &upper);
  }
  // The largest user key itself is in the file's range. In the bytewise order
  // the key that follows it is known, in other orders there is none.
  if (order.is_bytewise()) {
    const std::string after = upper.ToString() + '\0';
    const Slice after_upper(after);
    return all->Clip(&lower, &after_upper);
  }
  return all->Clip(&lower, &upper,
                   FragmentedTombstones::UpperBound::kInclusive);
}

Status TableCache::Verify(const ReadOptions& options, const FileMeta& file,
                          int level, const MutableCFOptions& mutable_cf,
                          const BulkReadPolicy& bulk) const {
  if (options.read_tier == kBlockCacheTier) {
    return Status::Incomplete("all of a file is read", FilePath(file));
  }
  IteratorRequest request;
  request.file = &file;
  request.level = level;
  request.mutable_cf = &mutable_cf;
  request.table.read_options = &options;
  request.bulk = &bulk;
  BulkData whole;
  Status s = OpenStream(request, &whole);
  if (!s.ok()) return s;
  INVARIANT(whole.reader != nullptr && whole.data != nullptr);
  if (bulk.open_ephemeral_reader) CountDirectOpen(bulk);
  return whole.reader->VerifyChecksum(options, whole.data.get());
}

bool TableCache::IsBefore(const FileMeta& file, const KeyRange& range) const {
  return context_.cf->internal_comparator.Compare(file.largest.Encode(),
                                                  range.begin) < 0;
}

TableCache::Cover TableCache::CoverOf(const FileMeta& file,
                                      const KeyRange& range) const {
  const InternalKeyComparator& order = context_.cf->internal_comparator;
  if (IsBefore(file, range) ||
      order.Compare(file.smallest.Encode(), range.end) >= 0) {
    return Cover::kNone;
  }
  return order.Compare(file.smallest.Encode(), range.begin) < 0 ||
                 order.Compare(file.largest.Encode(), range.end) >= 0
             ? Cover::kPart
             : Cover::kAll;
}

Status TableCache::ApproximateBytes(const FileMeta& file, int level,
                                    const MutableCFOptions& mutable_cf,
                                    const KeyRange& range,
                                    uint64_t* bytes) const {
  INVARIANT(bytes != nullptr);
  INVARIANT(CoverOf(file, range) == Cover::kPart);
  const InternalKeyComparator& order = context_.cf->internal_comparator;
  const bool begins_inside =
      order.Compare(file.smallest.Encode(), range.begin) < 0;
  const bool ends_inside = order.Compare(file.largest.Encode(), range.end) >= 0;
  *bytes = 0;
  ReaderRef reader;
  Status s = Find(ReadOptions(), file, level, mutable_cf, &reader);
  if (!s.ok()) return s;
  const uint64_t begin =
      begins_inside ? reader->ApproximateOffsetOf(range.begin) : 0;
  const uint64_t end =
      ends_inside ? reader->ApproximateOffsetOf(range.end) : file.size_bytes;
  *bytes = end > begin ? end - begin : 0;
  return s;
}

Status TableCache::LoadFigures(FileMeta* file, int level,
                               const MutableCFOptions& mutable_cf,
                               const ReadOptions& read,
                               Metadata metadata) const {
  INVARIANT(file != nullptr);
  ReaderRef reader;
  Status s = FindOrOpen({.file = file,
                         .level = level,
                         .options = &mutable_cf,
                         .fill_cache = read.fill_cache,
                         .metadata = metadata},
                        &reader);
  if (!s.ok()) return s;
  const std::shared_ptr<const TableProperties> p = reader->properties();
  file->entry_count = p->num_entries;
  file->deletion_count = p->num_deletions;
  file->range_deletion_count = p->num_range_deletions;
  file->raw_key_bytes = p->raw_key_size;
  file->raw_value_bytes = p->raw_value_size;
  file->has_properties = true;
  return s;
}

void TableCache::NoteOpenMetadata(FileMeta* file) const {
  INVARIANT(file != nullptr && file->open_metadata.empty());
  if (!uses_metadata()) return;
  const ReaderRef reader = FindOpen(*file);
  if (reader == nullptr || reader->file() == nullptr) return;
  std::string metadata;
  const IOStatus s = reader->file()->GetFileOpenMetadata(&metadata);
  if (!s.ok() || metadata.empty()) return;  // It opens as others do.
  if (metadata.size() > FSRandomAccessFile::kMaxFileOpenMetadataSize) {
    ROCKSDB_NAMESPACE::Warn(context_.db->logger,
                            "%s: %zu bytes by which to open it are too many",
                            FilePath(*file).c_str(), metadata.size());
    return;
  }
  RecordTick(context_.db->stats, FILE_OPEN_METADATA_RETRIEVED);
  file->open_metadata = std::move(metadata);
}

void TableCache::Forget(const FileMeta& file) const {
  INVARIANT(file.path.empty());
  Evict(file.number);
  file.pinned_reader.store(nullptr, std::memory_order_relaxed);
  file.pinned_owner.reset();
}

void TableCache::Evict(uint64_t number) const {
  if (context_.fresh != nullptr) context_.fresh->Drop(number);
  if (context_.cache != nullptr) context_.cache->Erase(NumberKey(number));
}

}  // namespace ROCKSDB_NAMESPACE
