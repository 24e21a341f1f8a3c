// The open table readers of a column family, and the way from a FileMeta to
// iterators and lookups.
//
// With max_open_files = -1 each reader is pinned in its FileMeta and reached
// without a lock; else readers live in an LRU cache shared by the database.
//
// The bypass     A bulk reader (compaction, verification) asks for an
//                ephemeral reader: one private handle opened with the given
//                FileOptions. Metadata comes from the cached reader if the
//                file has one, else through that same handle. It is owned by
//                the iterator that this returns and by nothing else, puts
//                nothing in the block cache and no reader in the table cache,
//                and is counted (COMPACTION_EPHEMERAL_READERS_OPENED and
//                _CLOSED; a direct handle in COMPACTION_DIRECT_READ_OPENS).
//
// Threads  Any thread, no external lock.
// Errors   Corruption names a file of another size than the manifest says.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/tables/file_meta.h"
#include "file/io_class.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/cache.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "table/table_reader.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

struct FileIoContext;
class FileRowCache;
class FreshImage;
class FreshStage;
class HistogramImpl;
class InputStream;
class IoGovernor;
class IoHelpers;
class IoPace;

// How a bulk reader's data blocks reach it: by a stream of its own, over one
// of two handles.
struct BulkReadPolicy {
  // True: a private handle opened with `file_options`; false: the shared
  // reader's own.
  bool open_ephemeral_reader = false;
  FileOptions file_options;
  size_t readahead_bytes = 2 << 20;
  Env::IOPriority rate_limiter_priority = Env::IO_LOW;
  IoBackend backend = IoBackend::kInline;
  IoClass io_class = IoClass::kMaintenance;
  IoPace* pace = nullptr;  // null: not spread over time
  // What is still in memory is taken from there: what is on the device does
  // not matter.
  bool reads_fresh = false;

  // Does a handle opened with `file_options` leave the page cache to users?
  bool spares_page_cache() const {
    return file_options.use_direct_reads || file_options.use_uncached_io;
  }
};

// Private handles of bulk readers: open now, and at most.
class EphemeralReaders {
 public:
  void Open() {
    const size_t now = open_.fetch_add(1, std::memory_order_relaxed) + 1;
    size_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < now &&
           !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void Close() { open_.fetch_sub(1, std::memory_order_relaxed); }
  size_t open() const { return open_.load(std::memory_order_relaxed); }
  size_t peak() const { return peak_.load(std::memory_order_relaxed); }

 private:
  std::atomic<size_t> open_{0};
  std::atomic<size_t> peak_{0};
};

// A table that nobody reads any more: its blocks leave the block cache, if it
// is open and its family wants that, and it is closed. It is open if it is
// pinned, or in `open_tables`, the database's cache of readers.
void ForgetTable(UnreferencedTable table, Cache* open_tables);

// How many tables an open looks into that may not keep all of them open.
inline constexpr size_t kFilesOpenedWhenCacheIsBounded = 16;

// What became of opening a table that a version lists: one that is not there is
// damage.
Status AsOfLiveTable(const Status& s);

class TableCache {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    const ImmutableCFOptions* cf = nullptr;
    FileOptions file_options;      // the options of user reads
    std::shared_ptr<Cache> cache;  // number -> reader, shared by the database
    std::string db_session_id;
    std::vector<std::string> paths;  // the family's, by path id
    // max_open_files = -1: a reader stays open as long as its file lives. May
    // change; null: always so.
    const std::atomic<bool>* pins_readers = nullptr;
    // fast_sst_open. May change; null: never.
    const std::atomic<bool>* uses_metadata = nullptr;
    IoGovernor* governor = nullptr;  // limits bulk reads, counts others
    FreshStage* fresh = nullptr;     // null: none
    std::shared_ptr<EphemeralReaders> ephemeral;  // null: not counted
    std::shared_ptr<IoHelpers> read_helpers;      // null: none
  };
  explicit TableCache(Context context);
  ~TableCache();
  TableCache(const TableCache&) = delete;
  TableCache& operator=(const TableCache&) = delete;

  // How long reads of table files took, level by level.
  std::string ReadTimesText(const std::string& family) const;

  // The reader of `file`, opened if need be; kept alive by *reader.
  // read_tier = kBlockCacheTier and not open: Incomplete.
  Status Find(const ReadOptions& options, const FileMeta& file, int level,
              const MutableCFOptions& mutable_cf,
              std::shared_ptr<const TableReader>* reader) const;

  struct IteratorRequest {
    const FileMeta* file = nullptr;
    int level = -1;
    const MutableCFOptions* mutable_cf = nullptr;
    TableIteratorOptions table;
    const BulkReadPolicy* bulk = nullptr;  // null: a user iterator
    // A bulk read calls this once, when its last byte has come and its handle
    // is closed; never, if the handle has to stay.
    std::function<void()> on_all_read;
  };
  // The iterator keeps its reader alive; a pinned one is kept by the file,
  // which must outlive the iterator. On failure nothing stays open. An
  // ephemeral reader with read_tier = kBlockCacheTier: Incomplete.
  Status NewIterator(const IteratorRequest& request,
                     std::unique_ptr<InternalIterator>* result) const;

  // The bytes of the file as `request.bulk` asks for them, and the reader of
  // its metadata, which must live as long as the stream.
  struct BulkData {
    std::shared_ptr<const TableReader> reader;
    std::unique_ptr<InputStream> data;
    bool is_ephemeral = false;  // a handle of its own
  };
  Status OpenStream(const IteratorRequest& request, BulkData* result) const;

  // What users read of the file lately, if it is open.
  void CollectHeat(const FileMeta& file, KeyHeat* heat) const;

  // What is not open is opened by `request.bulk`, privately where that says
  // so, and goes with the result.
  Status FindForBulk(const IteratorRequest& request,
                     std::shared_ptr<const TableReader>* reader) const;
  // Like Tombstones(), with the reader that FindForBulk() finds.
  Status TombstonesForBulk(
      const IteratorRequest& request,
      std::shared_ptr<const FragmentedTombstones>* result) const;

  struct LevelFile {
    const FileMeta* file = nullptr;
    int level = -1;
  };
  // Point lookup in one file: notes the file's clipped tombstones, then feeds.
  Status Get(const ReadOptions& options, const LevelFile& where,
             const MutableCFOptions& mutable_cf, const Slice& internal_key,
             PointLookup* lookup) const;

  // The same for several keys, in ascending order, in the steps of TableBatch;
  // *reader must outlive the batch.
  struct BatchRequest {
    LevelFile where;
    const MutableCFOptions* mutable_cf = nullptr;
    TableLookup* lookups = nullptr;
    size_t count = 0;
  };
  Status NewBatch(const ReadOptions& options, const BatchRequest& request,
                  std::shared_ptr<const TableReader>* reader,
                  std::unique_ptr<TableBatch>* batch) const;
  // DBOptions::row_cache: keys may be fed as soon as a batch is made.
  bool has_rows() const { return rows_ != nullptr; }

  // The file's range tombstones clipped to its bounds; may be shared.
  Status Tombstones(const ReadOptions& options, const FileMeta& file, int level,
                    const MutableCFOptions& mutable_cf,
                    std::shared_ptr<const FragmentedTombstones>* result) const;

  // Reads every block of the file and verifies its checksum; through an
  // ephemeral reader if the policy says so.
  Status Verify(const ReadOptions& options, const FileMeta& file, int level,
                const MutableCFOptions& mutable_cf,
                const BulkReadPolicy& bulk) const;

  struct KeyRange {  // [begin, end)
    Slice begin;     // internal keys
    Slice end;
  };
  // How much of a file such a range takes, by the file's bounds.
  enum class Cover { kNone, kPart, kAll };
  Cover CoverOf(const FileMeta& file, const KeyRange& range) const;
  bool IsBefore(const FileMeta& file, const KeyRange& range) const;
  // About how many bytes of a file that is taken in part hold keys of it.
  Status ApproximateBytes(const FileMeta& file, int level,
                          const MutableCFOptions& mutable_cf,
                          const KeyRange& range, uint64_t* bytes) const;

  // When index and filter that live in the block cache come into it.
  enum class Metadata : uint8_t { kNow, kWhenFirstRead };
  // Opens the file and copies its figures into `file` (entry counts...).
  Status LoadFigures(FileMeta* file, int level,
                     const MutableCFOptions& mutable_cf,
                     const ReadOptions& read = ReadOptions(),
                     Metadata metadata = Metadata::kNow) const;

  // fast_sst_open: keeps in `file`, which was just written and opened, and is
  // in no version yet, what the file system says of it.
  void NoteOpenMetadata(FileMeta* file) const;

  // Corruption that names the file, unless it is there with its size. Does not
  // open it.
  Status CheckPresence(const FileMeta& file) const;

  std::string FilePath(const FileMeta& file) const;
  const std::vector<std::string>& paths() const { return context_.paths; }
  // Whether files that are opened stay open (max_open_files).
  bool pins_readers() const {
    return context_.pins_readers == nullptr ||
           context_.pins_readers->load(std::memory_order_relaxed);
  }
  bool uses_metadata() const {
    return context_.uses_metadata != nullptr &&
           context_.uses_metadata->load(std::memory_order_relaxed);
  }
  IoGovernor* governor() const { return context_.governor; }
  // Null: no images are kept.
  FreshStage* fresh() const { return context_.fresh; }

  // Memory of those readers of files in `numbers` that the database's cache
  // holds. Walks through the whole of it; none of them counts as used.
  uint64_t CachedReaderBytes(const std::set<uint64_t>& numbers) const;

  // Drops the reader of a file that is about to be deleted.
  void Evict(uint64_t number) const;
  // Drops that of a file that is in no version yet, and that nobody else reads:
  // what the reader was opened by is to change.
  void Forget(const FileMeta& file) const;

 private:
  using ReaderRef = std::shared_ptr<const TableReader>;
  void CountDirectOpen(const BulkReadPolicy& bulk) const;
  // Shared readers serve users; private ones read a file once, front to back.
  enum class Use : uint8_t { kShared, kPrivate };
  struct OpenRequest {
    const FileMeta* file = nullptr;
    int level = -1;
    const MutableCFOptions* options = nullptr;
    Use use = Use::kShared;
    bool fill_cache = true;
    Metadata metadata = Metadata::kNow;
  };

  // The shared reader of the file, opened if need be.
  Status FindOrOpen(const OpenRequest& request, ReaderRef* reader) const;
  // The reader if the file is open; else null.
  ReaderRef FindOpen(const FileMeta& file) const;
  Temperature TemperatureOf(const FileMeta& file) const;
  // Opens the file itself, under its name or its old one (*path).
  Status OpenFile(const FileMeta& file, const FileOptions& options,
                  std::unique_ptr<FSRandomAccessFile>* handle,
                  std::string* path) const;
  Status CheckSize(const FileMeta& file, const std::string& path) const;
  Status NewReader(const OpenRequest& request,
                   std::unique_ptr<FSRandomAccessFile> handle,
                   const std::string& path, ReaderRef* reader) const;
  Status OpenShared(const OpenRequest& request, ReaderRef* reader) const;
  void Keep(const FileMeta& file, const ReaderRef& reader) const;
  Status NewBulkIterator(const IteratorRequest& request,
                         std::unique_ptr<InternalIterator>* result) const;
  // Like OpenStream(), but from the image in memory.
  Status OpenFresh(const IteratorRequest& request,
                   std::shared_ptr<const FreshImage> image,
                   BulkData* result) const;
  // The handle that `bulk` asks for, and the reader of the metadata.
  Status OpenBulk(const IteratorRequest& request,
                  std::unique_ptr<FSRandomAccessFile>* handle,
                  std::string* path, ReaderRef* reader) const;
  std::shared_ptr<const FragmentedTombstones> ClippedTombstones(
      const FileMeta& file, const TableReader& reader) const;
  FileIoContext IoContext(const FileMeta& file, int level) const;
  bool UsesRows(const FileMeta& file, const Slice& internal_key) const;
  bool CoversUserKey(const FileMeta& file, const Slice& user_key) const;
  // Tells the lookup of the newest tombstone over its key.
  void NoteTombstone(const FileMeta& file, const TableReader& reader,
                     const Slice& internal_key, PointLookup* lookup) const;

  Context context_;
  const std::unique_ptr<const FileRowCache> rows_;  // null: none
  // How long reads of each level's files took, where times are wanted.
  std::vector<std::shared_ptr<HistogramImpl>> level_times_;
  mutable std::array<Mutex, 16> open_locks_;  // by file number
};

}  // namespace ROCKSDB_NAMESPACE
