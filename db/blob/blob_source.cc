#include "db/blob/blob_source.h"

#include <cstring>
#include <utility>

#include "cache/cache_reservation.h"
#include "cache/typed_cache.h"
#include "db/blob/blob_contents.h"
#include "db/blob/growing_blobs.h"
#include "file/filename.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "options/db_options.h"
#include "table/block_fetcher.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using BlobReaderCache =
    TypedCache<BlobSource::ReaderRef, CacheEntryRole::kMisc>;
using ValueCache = TypedCache<BlobContents, CacheEntryRole::kBlobValue>;

bool IsAbsent(const Status& s) { return s.IsNotFound() || s.IsPathNotFound(); }

// Leaves the part that is wanted of a whole value from the cache.
Status CutCachedToPart(const WantedBlob& blob) {
  const WantedBlob::Part& part = *blob.part;
  const size_t size = blob.value->size();
  if (part.offset > size || part.size > size - part.offset) {
    return Status::Corruption("blob reference: the cached value has " +
                              std::to_string(size) + " bytes, not " +
                              std::to_string(blob.read.index.size));
  }
  blob.value->remove_prefix(static_cast<size_t>(part.offset));
  blob.value->remove_suffix(blob.value->size() - part.size);
  return Status::OK();
}

// To the reader of a key this must not look like a key that is not there.
Status Missing(const std::string& path) {
  return Status::Corruption("a live blob file is missing", path);
}

void DropContents(void* contents, void* /*unused*/) {
  const std::unique_ptr<BlobContents> last(
      static_cast<BlobContents*>(contents));
}

void ReleaseHandle(void* cache, void* handle) {
  INVARIANT(cache != nullptr && handle != nullptr);
  static_cast<Cache*>(cache)->Release(static_cast<Cache::Handle*>(handle));
}

void PinEntry(CacheHandle<BlobContents>* entry, PinnableSlice* value) {
  assert(*entry);
  const Slice bytes = (*entry)->value();
  Cache* const cache = entry->cache();
  value->PinSlice(bytes, &ReleaseHandle, cache, entry->TakeHandle());
}

}  // namespace

BlobSource::BlobSource(Context context)
    : context_(std::move(context)), growing_(std::make_shared<GrowingBlobs>()) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(!context_.directory.empty());
  INVARIANT(context_.pins_readers == nullptr || context_.readers != nullptr);
}

std::string BlobSource::FilePath(uint64_t file_number) const {
  return BlobFileName(context_.directory, file_number);
}

FileIoContext BlobSource::IoContext() const {
  FileIoContext io;
  io.clock = context_.db->clock;
  io.statistics = context_.db->stats;
  io.listeners = FileListeners(context_.db->listeners);
  io.rate_limiter = context_.db->rate_limiter.get();
  io.governor = context_.governor;
  io.histogram = BLOB_DB_BLOB_FILE_READ_MICROS;
  return io;
}

Status BlobSource::OpenHandle(
    const BlobFile& file, const FileOptions& options,
    std::unique_ptr<FSRandomAccessFile>* handle) const {
  INVARIANT(handle != nullptr);
  const std::string path = FilePath(file.record.number);
  RecordTick(context_.db->stats, NO_FILE_OPENS);
  Status s = CheckSize(file);
  if (s.ok()) {
    s = context_.db->fs->NewRandomAccessFile(path, options, handle, nullptr);
    if (IsAbsent(s)) s = Missing(path);
  }
  if (!s.ok()) RecordTick(context_.db->stats, NO_FILE_ERRORS);
  return s;
}

Status BlobSource::CheckSize(const BlobFile& file) const {
  const std::string path = FilePath(file.record.number);
  uint64_t size = 0;
  Status s = context_.db->fs->GetFileSize(path, IOOptions(), &size, nullptr);
  if (IsAbsent(s)) return Missing(path);
  if (!s.ok() || size == file.size_bytes()) return s;
  return Status::Corruption(path, "is " + std::to_string(size) +
                                      " bytes long, the manifest says " +
                                      std::to_string(file.size_bytes()));
}

Status BlobSource::OpenPrivate(const BlobFile& file, const FileOptions& options,
                               ReaderRef* reader) const {
  INVARIANT(reader != nullptr);
  std::unique_ptr<FSRandomAccessFile> handle;
  Status s = OpenHandle(file, options, &handle);
  if (!s.ok()) return s;
  std::unique_ptr<BlobFileReader> opened;
  s = BlobFileReader::Open(
      std::make_unique<RandomAccessFileReader>(
          std::move(handle), FilePath(file.record.number), IoContext()),
      {.column_family = context_.column_family,
       .size_bytes = file.size_bytes(),
       .left_out_timestamp_bytes = context_.left_out_timestamp_bytes},
      &opened);
  if (!s.ok()) {
    RecordTick(context_.db->stats, NO_FILE_ERRORS);
    return s;
  }
  *reader = std::move(opened);
  return s;
}

Status BlobSource::OpenGrowing(uint64_t file_number,
                               CompressionType compression,
                               BlobFileRef* file) const {
  INVARIANT(file != nullptr && file_number != 0);
  const std::string path = FilePath(file_number);
  std::unique_ptr<FSRandomAccessFile> handle;
  RecordTick(context_.db->stats, NO_FILE_OPENS);
  Status s = context_.db->fs->NewRandomAccessFile(path, FileOptions(), &handle,
                                                  nullptr);
  std::unique_ptr<BlobFileReader> reader;
  if (s.ok()) {
    s = BlobFileReader::OpenGrowing(std::make_unique<RandomAccessFileReader>(
                                        std::move(handle), path, IoContext()),
                                    compression,
                                    context_.left_out_timestamp_bytes, &reader);
  }
  if (!s.ok()) {
    RecordTick(context_.db->stats, NO_FILE_ERRORS);
    return s;
  }
  BlobFileAddition addition;
  addition.number = file_number;
  auto opened = std::make_shared<BlobFile>(std::move(addition));
  opened->is_growing = true;
  opened->pinned_owner = std::move(reader);
  // release: pairs with the acquire in FindOpen().
  opened->pinned_reader.store(opened->pinned_owner.get(),
                              std::memory_order_release);
  *file = std::move(opened);
  return s;
}

Slice BlobSource::NewRecordKey(const Slice& user_key,
                               std::string* padded) const {
  INVARIANT(padded != nullptr);
  if (context_.left_out_timestamp_bytes == 0) return user_key;
  const Slice bare = RecordKey(user_key);
  padded->assign(bare.data(), bare.size());
  padded->resize(user_key.size(), '\0');
  return *padded;
}

const BlobFileState* BlobSource::FindFile(const BlobFileList& listed,
                                          uint64_t file_number) const {
  const BlobFileState* const found = FindBlobFile(listed, file_number);
  return found != nullptr ? found : growing_->Find(file_number);
}

BlobSource::ReaderRef BlobSource::FindOpen(const BlobFile& file) const {
  // acquire: pairs with the release in Keep().
  if (file.pinned_reader.load(std::memory_order_acquire) != nullptr) {
    return file.pinned_owner;
  }
  if (context_.readers == nullptr) return nullptr;
  const auto cached = BlobReaderCache(context_.readers.get())
                          .Lookup(BlobReaderKey(file.record.number));
  return cached ? *cached : nullptr;
}

void BlobSource::Keep(const BlobFile& file, const ReaderRef& reader) const {
  INVARIANT(reader != nullptr);
  if (pins_readers()) {
    INVARIANT(file.pinned_owner == nullptr);
    file.pinned_owner = reader;
    // release: whoever sees the pointer sees the owner too.
    file.pinned_reader.store(reader.get(), std::memory_order_release);
    return;
  }
  auto value = std::make_unique<ReaderRef>(reader);
  IgnoreError(BlobReaderCache(context_.readers.get())
                  .Insert(BlobReaderKey(file.record.number), &value, 1),
              "a full table cache keeps no reader; this read has its own");
}

Status BlobSource::Find(const BlobFile& file, ReaderRef* reader) const {
  INVARIANT(reader != nullptr);
  *reader = FindOpen(file);
  if (*reader != nullptr) return Status::OK();
  // One opener at a time a file; others wait rather than open it again.
  MutexLock lock(&open_locks_[file.record.number % open_locks_.size()]);
  *reader = FindOpen(file);
  if (*reader != nullptr) return Status::OK();
  Status s = OpenPrivate(file, context_.file_options, reader);
  if (s.ok()) Keep(file, *reader);
  return s;
}

CacheKey BlobSource::KeyOf(uint64_t file_number, uint64_t offset) const {
  return FileCacheKey(context_.db_session_id, file_number).WithOffset(offset);
}

bool BlobSource::FindCached(const CacheKey& key, PinnableSlice* value) const {
  assert(value != nullptr);
  if (context_.blob_cache == nullptr) return false;
  Statistics* const statistics = context_.db->stats;
  auto entry = ValueCache(context_.blob_cache.get()).Lookup(key.AsSlice());
  if (!entry) {
    RecordTick(statistics, BLOB_DB_CACHE_MISS);
    return false;
  }
  const size_t bytes = entry->value().size();
  RecordTick(statistics, BLOB_DB_CACHE_HIT);
  RecordTick(statistics, BLOB_DB_CACHE_BYTES_READ, bytes);
  PERF_COUNTER_ADD(blob_cache_hit_count, 1);
  PERF_COUNTER_ADD(blob_cache_read_byte, bytes);
  PinEntry(&entry, value);
  return true;
}

void BlobSource::ChargeCache() const {
  if (context_.cache_charge == nullptr) return;
  context_.cache_charge->Update(context_.blob_cache->GetUsage());
}

// The blob into *value, and into the cache if it is to be kept.
void BlobSource::Yield(const CacheKey& key, bool fill_cache,
                       std::unique_ptr<BlobContents> blob,
                       PinnableSlice* value) const {
  assert(blob != nullptr && value != nullptr);
  if (fill_cache && context_.blob_cache != nullptr) {
    Statistics* const statistics = context_.db->stats;
    const size_t bytes = blob->value().size();
    CacheHandle<BlobContents> entry;
    const Status s = ValueCache(context_.blob_cache.get())
                         .Insert(key.AsSlice(), &blob, blob->memory_bytes(),
                                 &entry, Cache::Priority::BOTTOM);
    if (s.ok()) {
      RecordTick(statistics, BLOB_DB_CACHE_ADD);
      RecordTick(statistics, BLOB_DB_CACHE_BYTES_WRITE, bytes);
      ChargeCache();
      return PinEntry(&entry, value);
    }
    RecordTick(statistics, BLOB_DB_CACHE_ADD_FAILURES);
  }
  const Slice bytes = blob->value();
  value->PinSlice(bytes, &DropContents, blob.release(), nullptr);
}

Status BlobSource::Get(const ReadOptions& options, const BlobFile& file,
                       const BlobRead& read, PinnableSlice* value) const {
  assert(value != nullptr);
  assert(file.record.number == read.index.file_number);
  const CacheKey key = KeyOf(file.record.number, read.index.offset);
  if (FindCached(key, value)) return Status::OK();
  if (options.read_tier == kBlockCacheTier) {
    return Status::Incomplete("a blob is not in the cache",
                              FilePath(file.record.number));
  }
  ReaderRef reader;
  Status s = Find(file, &reader);
  if (!s.ok()) return s;
  IOOptions io;
  s = IoOptionsOf(options, context_.db->clock, &io);
  if (!s.ok()) return s;
  std::unique_ptr<BlobContents> blob;
  s = reader->Read(io, read, &blob);
  if (!s.ok()) return s;
  Yield(key, options.fill_cache, std::move(blob), value);
  return s;
}

void BlobSource::GetTogether(const ReadOptions& options, const BlobFile& file,
                             std::vector<WantedBlob>* blobs) const {
  INVARIANT(blobs != nullptr);
  std::vector<BlobFileReader::Together> wanted;
  for (WantedBlob& blob : *blobs) {
    assert(file.record.number == blob.read.index.file_number);
    const CacheKey key = KeyOf(file.record.number, blob.read.index.offset);
    if (!FindCached(key, blob.value)) {
      wanted.push_back({.blob = &blob, .contents = nullptr});
      continue;
    }
    if (blob.part.has_value()) blob.status = CutCachedToPart(blob);
  }
  if (!wanted.empty()) ReadTogether(options, file, &wanted);
}

void BlobSource::ReadTogether(
    const ReadOptions& options, const BlobFile& file,
    std::vector<BlobFileReader::Together>* wanted) const {
  IOOptions io;
  ReaderRef reader;
  Status s;
  if (options.read_tier == kBlockCacheTier) {
    s = Status::Incomplete("a blob is not in the cache",
                           FilePath(file.record.number));
  }
  if (s.ok()) s = Find(file, &reader);
  if (s.ok()) s = IoOptionsOf(options, context_.db->clock, &io);
  if (!s.ok()) {
    for (BlobFileReader::Together& one : *wanted) one.blob->status = s;
    return;
  }
  reader->ReadTogether(io, wanted);
  for (BlobFileReader::Together& one : *wanted) {
    if (!one.blob->status.ok()) continue;
    const bool is_whole = !one.blob->part.has_value();
    Yield(KeyOf(file.record.number, one.blob->read.index.offset),
          is_whole && options.fill_cache, std::move(one.contents),
          one.blob->value);
  }
}

void BlobSource::Warm(uint64_t file_number, uint64_t offset,
                      const Slice& value) const {
  if (context_.blob_cache == nullptr) return;
  auto blob = std::make_unique<BlobContents>(value.size());
  if (!value.empty()) memcpy(blob->buffer(), value.data(), value.size());
  blob->SetValue(Slice(blob->buffer(), value.size()));
  const CacheKey key = KeyOf(file_number, offset);
  const Status s = ValueCache(context_.blob_cache.get())
                       .Insert(key.AsSlice(), &blob, blob->memory_bytes(),
                               nullptr, Cache::Priority::BOTTOM);
  Statistics* const statistics = context_.db->stats;
  if (!s.ok()) return RecordTick(statistics, BLOB_DB_CACHE_ADD_FAILURES);
  RecordTick(statistics, BLOB_DB_CACHE_ADD);
  RecordTick(statistics, BLOB_DB_CACHE_BYTES_WRITE, value.size());
  ChargeCache();
}

void BlobSource::Adopt(BlobFile* file) const {
  INVARIANT(file != nullptr && file->sink == nullptr);
  file->path = FilePath(file->record.number);
  file->readers = context_.readers;
}

void BlobSource::Evict(uint64_t file_number) const {
  if (context_.readers == nullptr) return;
  context_.readers->Erase(BlobReaderKey(file_number));
}

}  // namespace ROCKSDB_NAMESPACE
