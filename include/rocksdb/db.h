#pragma once

// The database: an ordered map from byte strings to byte strings that lives in
// a directory, split into column families.
//
// Threads    Every call of an open DB may come from any thread at any time,
//            except Close() and destruction, which come last and alone.
// Errors     Every call that can fail answers a Status; nothing is thrown.
// Lifetime   Iterators, snapshots and handles must be given back before the
//            DB is destroyed.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/column_family.h"
#include "rocksdb/destroy_repair.h"
#include "rocksdb/file_ingestion_handle.h"
#include "rocksdb/iostats_context.h"
#include "rocksdb/iterator.h"
#include "rocksdb/lazy_wide_columns.h"
#include "rocksdb/listener.h"
#include "rocksdb/metadata.h"
#include "rocksdb/multi_scan_iterators.h"
#include "rocksdb/options.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/thread_status.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/types.h"
#include "rocksdb/user_write_callback.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "rocksdb/version.h"
#include "rocksdb/wide_columns.h"
#include "rocksdb/write_batch.h"
#include "rocksdb/write_stall_stats.h"

namespace ROCKSDB_NAMESPACE {

class BlockCacheTraceWriter;
class Env;
class FileChecksumList;
class FileSystem;
class Replayer;
class StatsHistoryIterator;
class TraceReader;
class TraceWriter;
class UserWriteCallback;
class WriteBatch;
class WriteBatchWithIndex;
struct BlockCacheTraceOptions;

// The release whose interface this is.
constexpr int kMajorVersion = ROCKSDB_MAJOR;
constexpr int kMinorVersion = ROCKSDB_MINOR;

class DB {
 public:
  // Opens the database at `name` with its default family.
  //
  // Result   *dbptr owns the database when OK, and is null otherwise.
  // Errors   InvalidArgument: it does not exist and create_if_missing is off,
  //          it exists and error_if_exists is on, it has families that are
  //          not listed, options contradict each other, a path refuses
  //          O_DIRECT while direct reads or writes are asked for.
  //          NotSupported: an option names a feature that is not there.
  //          Corruption: the files contradict themselves. IOError: the file
  //          system failed, or another process has the database open.
  static Status Open(const Options& options, const std::string& name,
                     std::unique_ptr<DB>* dbptr);
  static Status Open(const Options& options, const std::string& name,
                     DB** dbptr);

  // The same with a list of families, which must name all that exist (the
  // default one included); `handles` gets one for each, in order.
  static Status Open(const DBOptions& db_options, const std::string& name,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles,
                     std::unique_ptr<DB>* dbptr);
  static Status Open(const DBOptions& db_options, const std::string& name,
                     const std::vector<ColumnFamilyDescriptor>& column_families,
                     std::vector<ColumnFamilyHandle*>* handles, DB** dbptr);

  // Opens without a lock and without writing anything; unlisted families are
  // left alone. Calls that write answer NotSupported. The files must not be
  // changed by another process meanwhile.
  static Status OpenForReadOnly(const Options& options, const std::string& name,
                                std::unique_ptr<DB>* dbptr,
                                bool error_if_wal_file_exists = false);
  static Status OpenForReadOnly(const Options& options, const std::string& name,
                                DB** dbptr,
                                bool error_if_wal_file_exists = false);
  static Status OpenForReadOnly(
      const DBOptions& db_options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
      bool error_if_wal_file_exists = false);
  static Status OpenForReadOnly(
      const DBOptions& db_options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
      bool error_if_wal_file_exists = false);

  // Open(), and leaves out for ever, of each family with user-defined
  // timestamps, all versions, deletions and range deletions with a newer one
  // than `trim_ts`: what is read as of now is then what was read as of
  // `trim_ts`. Other families stay as they are.
  //
  // Cost      Each table of those families is written anew, before it returns.
  // Errors    InvalidArgument: `trim_ts` has another size than a family's
  //           timestamps, or lies before a family's full_history_ts_low, as
  //           what was then is no longer known. NotSupported: a family with
  //           timestamps has persist_user_defined_timestamps = false, or
  //           kCompactionStyleFIFO. Otherwise, of the compactions: some
  //           versions may be gone already, and a second call goes on; until
  //           then, do not read the database.
  static Status OpenAndTrimHistory(
      const DBOptions& db_options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
      std::string trim_ts);
  static Status OpenAndTrimHistory(
      const DBOptions& db_options, const std::string& name,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
      std::string trim_ts);

  // Opens a database that another process has open for writing, and follows it:
  // sees what that has logged when TryCatchUpWithPrimary() is called. Writes
  // only its info log, under `secondary_path`. Calls that write answer
  // NotSupported. Files that the primary removes stay readable as long as they
  // are open here, which max_open_files = -1 makes sure of. Reads from a
  // snapshot answer NotSupported: the primary keeps nothing for it.
  static Status OpenAsSecondary(const Options& options, const std::string& name,
                                const std::string& secondary_path,
                                std::unique_ptr<DB>* dbptr);
  static Status OpenAsSecondary(const Options& options, const std::string& name,
                                const std::string& secondary_path, DB** dbptr);
  static Status OpenAsSecondary(
      const DBOptions& db_options, const std::string& name,
      const std::string& secondary_path,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr);
  static Status OpenAsSecondary(
      const DBOptions& db_options, const std::string& name,
      const std::string& secondary_path,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, DB** dbptr);

  // Opens a database that another process has open for writing, at
  // `leader_path`, and follows it by itself, in a directory of its own (`name`,
  // made if missing).
  //
  // Shows     What the leader has flushed, as its manifest tells: logs are not
  //           read. Every follower_refresh_catchup_period_ms a thread looks for
  //           news, TryCatchUpWithPrimary() at once. A catch-up that fails
  //           leaves what is shown as it was, is told to the info log, and is
  //           tried again the next time; where the leader has moved its files
  //           meanwhile, follower_catchup_retry_count more times before that,
  //           follower_catchup_retry_wait_ms apart. A batch of several families
  //           shows in each when that has been flushed.
  // Files     Tables and blob files get hard links in `name`, through which
  //           they are read: the leader may delete its files at any time. Links
  //           that nothing reads any more go with the next round, all of them
  //           when the follower is closed, and those of a process that was
  //           killed at the next open.
  // Leader    Is not changed and need not know. db_paths, cf_paths and wal_dir
  //           are those of the leader.
  // Calls     That write, flush, compact or change options answer NotSupported,
  //           as do reads from a snapshot: the leader keeps nothing for it.
  // Families  The default one must be among those asked for, and all must
  //           exist. One that the leader drops stays as it was; new ones show
  //           when the follower is opened again.
  // Errors    NotSupported: no hard links from the leader's directories to
  //           `name` (they must be of one file system). InvalidArgument: `name`
  //           is, or is in, a directory of the leader, or is that of another
  //           database. IOError: `name` is in use by another follower.
  //           NotFound: no database at `leader_path`.
  static Status OpenAsFollower(const Options& options, const std::string& name,
                               const std::string& leader_path,
                               std::unique_ptr<DB>* dbptr);
  static Status OpenAsFollower(
      const DBOptions& db_options, const std::string& name,
      const std::string& leader_path,
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr);

  // The families in the manifest of the database at `name`.
  static Status ListColumnFamilies(const DBOptions& db_options,
                                   const std::string& name,
                                   std::vector<std::string>* column_families);

  DB() {}
  DB(const DB&) = delete;
  DB& operator=(const DB&) = delete;
  virtual ~DB() {}

  // Flushes what no log holds (an error says that it is lost), stops background
  // work, and releases every file; later calls fail. Aborted if snapshots are
  // held. The destructor does the same and drops the status.
  virtual Status Close() { return Status::NotSupported("Close"); }

  // After a background error that left the database read-only: clears it and
  // goes on if the cause is gone. Compactions that failed are tried again at
  // once, without the rest of bgerror_resume_retry_interval.
  virtual Status Resume() { return Status::NotSupported("Resume"); }

  // --- column families
  // *handle is null if the family was not made. It is set, beside an error, if
  // the family is there and only the OPTIONS file could not be written.
  virtual Status CreateColumnFamily(const ColumnFamilyOptions& options,
                                    const std::string& column_family_name,
                                    ColumnFamilyHandle** handle) = 0;
  virtual Status CreateColumnFamilies(
      const ColumnFamilyOptions& options,
      const std::vector<std::string>& column_family_names,
      std::vector<ColumnFamilyHandle*>* handles) = 0;
  virtual Status CreateColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>& column_families,
      std::vector<ColumnFamilyHandle*>* handles) = 0;
  // A new family with the tables that Checkpoint::ExportColumnFamily() has
  // exported; with several exports, their key ranges must not overlap. The
  // files are copied, or moved as `import_options` say. *handle as above.
  virtual Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      const ImportColumnFamilyOptions& import_options,
      const ExportImportFilesMetaData& metadata, ColumnFamilyHandle** handle);
  virtual Status CreateColumnFamilyWithImport(
      const ColumnFamilyOptions& options, const std::string& column_family_name,
      const ImportColumnFamilyOptions& import_options,
      const std::vector<const ExportImportFilesMetaData*>& metadatas,
      ColumnFamilyHandle** handle);
  // The data goes when the last handle and iterator of the family go.
  virtual Status DropColumnFamily(ColumnFamilyHandle* column_family) = 0;
  virtual Status DropColumnFamilies(
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;
  // Frees a handle. The default family's is the DB's own: InvalidArgument.
  virtual Status DestroyColumnFamilyHandle(ColumnFamilyHandle* column_family);
  virtual ColumnFamilyHandle* DefaultColumnFamily() const = 0;

  // --- writing
  // Each call is atomic. InvalidArgument for a null handle's family that is
  // dropped, options that contradict; Incomplete with no_slowdown when the
  // write would wait; the background error while one is in force.
  virtual Status Put(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& value) = 0;
  virtual Status Put(const WriteOptions& options, const Slice& key,
                     const Slice& value) {
    return Put(options, DefaultColumnFamily(), key, value);
  }
  // Calls with a timestamp `ts` are for families whose comparator has user-
  // defined timestamps of that size; calls without are for the others, else
  // InvalidArgument. The versions of a key must be written in ascending order
  // of their timestamps; a later write with the same timestamp replaces.
  virtual Status Put(const WriteOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     const Slice& ts, const Slice& value);
  virtual Status Put(const WriteOptions& options, const Slice& key,
                     const Slice& ts, const Slice& value) {
    return Put(options, DefaultColumnFamily(), key, ts, value);
  }

  // Wide columns.
  virtual Status PutEntity(const WriteOptions& options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           const WideColumns& columns) = 0;
  // Columns for several families, in one atomic write. InvalidArgument if
  // there is no group or one has no family.
  virtual Status PutEntity(const WriteOptions& options, const Slice& key,
                           const AttributeGroups& attribute_groups);

  // A key that is not there is no error.
  virtual Status Delete(const WriteOptions& options,
                        ColumnFamilyHandle* column_family,
                        const Slice& key) = 0;
  virtual Status Delete(const WriteOptions& options, const Slice& key) {
    return Delete(options, DefaultColumnFamily(), key);
  }
  virtual Status Delete(const WriteOptions& options,
                        ColumnFamilyHandle* column_family, const Slice& key,
                        const Slice& ts);
  virtual Status Delete(const WriteOptions& options, const Slice& key,
                        const Slice& ts) {
    return Delete(options, DefaultColumnFamily(), key, ts);
  }

  // Deletes a key that was Put exactly once since the last deletion, and never
  // merged; otherwise the result is undefined. Cheaper than Delete().
  virtual Status SingleDelete(const WriteOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key) = 0;
  virtual Status SingleDelete(const WriteOptions& options, const Slice& key) {
    return SingleDelete(options, DefaultColumnFamily(), key);
  }
  virtual Status SingleDelete(const WriteOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice& key, const Slice& ts);
  virtual Status SingleDelete(const WriteOptions& options, const Slice& key,
                              const Slice& ts) {
    return SingleDelete(options, DefaultColumnFamily(), key, ts);
  }

  // Deletes every key in [begin_key, end_key). InvalidArgument if the end
  // comes before the begin.
  virtual Status DeleteRange(const WriteOptions& options,
                             ColumnFamilyHandle* column_family,
                             const Slice& begin_key, const Slice& end_key) = 0;
  virtual Status DeleteRange(const WriteOptions& options,
                             const Slice& begin_key, const Slice& end_key) {
    return DeleteRange(options, DefaultColumnFamily(), begin_key, end_key);
  }
  virtual Status DeleteRange(const WriteOptions& options,
                             ColumnFamilyHandle* column_family,
                             const Slice& begin_key, const Slice& end_key,
                             const Slice& ts);
  virtual Status DeleteRange(const WriteOptions& options,
                             const Slice& begin_key, const Slice& end_key,
                             const Slice& ts) {
    return DeleteRange(options, DefaultColumnFamily(), begin_key, end_key, ts);
  }

  // Adds an operand that the family's merge operator folds into the value.
  // NotSupported if the family has none.
  virtual Status Merge(const WriteOptions& options,
                       ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value) = 0;
  virtual Status Merge(const WriteOptions& options, const Slice& key,
                       const Slice& value) {
    return Merge(options, DefaultColumnFamily(), key, value);
  }
  virtual Status Merge(const WriteOptions& options,
                       ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& ts, const Slice& value);

  // Applies all updates of the batch, or none.
  virtual Status Write(const WriteOptions& options, WriteBatch* updates) = 0;
  // The same; `callback`, which may be null, is told how far the write has
  // come.
  virtual Status WriteWithCallback(const WriteOptions& /*options*/,
                                   WriteBatch* /*updates*/,
                                   UserWriteCallback* /*callback*/) {
    return Status::NotSupported("WriteWithCallback");
  }
  // Write() of a large batch past the log: it becomes memtables of its own,
  // which are flushed by themselves. All of its updates are there then, or
  // none. NotSupported without `disableWAL`, or for a batch without
  // overwrite_key. Other writers wait for it.
  virtual Status IngestWriteBatchWithIndex(
      const WriteOptions& /*options*/,
      std::shared_ptr<WriteBatchWithIndex> /*wbwi*/) {
    return Status::NotSupported("IngestWriteBatchWithIndex");
  }

  // --- reading
  // NotFound if the key is not there. The first form pins the value where it
  // can: `value` must be reset before reuse and not outlive the DB.
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     PinnableSlice* value) = 0;
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value);
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     std::string* value) {
    return Get(options, DefaultColumnFamily(), key, value);
  }
  // The same, and the timestamp of the newest version as of options.timestamp:
  // also of a deletion; empty if there is none, or a range deletion hides it.
  // `timestamp` may be null.
  //
  // Errors  Of all reads: InvalidArgument for a family with user-defined
  //         timestamps without options.timestamp, for one without timestamps
  //         with it, and for one older than full_history_ts_low.
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     PinnableSlice* value, std::string* timestamp);
  virtual Status Get(const ReadOptions& options,
                     ColumnFamilyHandle* column_family, const Slice& key,
                     std::string* value, std::string* timestamp);
  virtual Status Get(const ReadOptions& options, const Slice& key,
                     std::string* value, std::string* timestamp) {
    return Get(options, DefaultColumnFamily(), key, value, timestamp);
  }

  virtual Status GetEntity(const ReadOptions& options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           PinnableWideColumns* columns) = 0;
  // The columns in the families that *result names, at one point in time. Each
  // group has its own status; the call fails only where it could not be made.
  virtual Status GetEntity(const ReadOptions& options, const Slice& key,
                           PinnableAttributeGroups* result) = 0;

  // The columns of a key, of which those in blob files are read when they are
  // asked for (lazy_wide_columns.h). A merge is made at once, with all that it
  // needs. NotSupported: a database that does not have it.
  virtual Status GetEntityLazy(const ReadOptions& /*options*/,
                               ColumnFamilyHandle* /*column_family*/,
                               const Slice& /*key*/,
                               LazyWideColumns* /*result*/) {
    return Status::NotSupported("GetEntityLazy");
  }

  // The merge operands of a key, not merged: oldest first, the value below
  // them, if there is one, before them.
  //
  // Result   *number_of_operands is how many there are. Incomplete, and
  //          nothing written, if that is more than
  //          options->expected_max_number_of_operands. NotFound if the key has
  //          neither operands nor a value.
  virtual Status GetMergeOperands(const ReadOptions& options,
                                  ColumnFamilyHandle* column_family,
                                  const Slice& key,
                                  PinnableSlice* merge_operands,
                                  GetMergeOperandsOptions* operands_options,
                                  int* number_of_operands) = 0;

  // Looks up `num_keys` keys of one family at one point in time.
  //
  // Shape     Entry i of values and statuses answers keys[i]. Zero is a no-op.
  // Result    statuses[i]: OK, NotFound, Corruption or IOError, key by key.
  // Lifetime  values[i] pins memory until reset; it must not outlive the DB.
  virtual void MultiGet(const ReadOptions& options,
                        ColumnFamilyHandle* column_family, size_t num_keys,
                        const Slice* keys, PinnableSlice* values,
                        Status* statuses, bool sorted_input = false) = 0;
  // Keys of several families: column_families[i] is keys[i]'s.
  virtual void MultiGet(const ReadOptions& options, size_t num_keys,
                        ColumnFamilyHandle** column_families, const Slice* keys,
                        PinnableSlice* values, Status* statuses,
                        bool sorted_input = false) = 0;
  // With timestamps: timestamps[i] is as Get() gives it for keys[i]; null =
  // nobody asks.
  virtual void MultiGet(const ReadOptions& options,
                        ColumnFamilyHandle* column_family, size_t num_keys,
                        const Slice* keys, PinnableSlice* values,
                        std::string* timestamps, Status* statuses,
                        bool sorted_input = false);
  virtual void MultiGet(const ReadOptions& options, size_t num_keys,
                        ColumnFamilyHandle** column_families, const Slice* keys,
                        PinnableSlice* values, std::string* timestamps,
                        Status* statuses, bool sorted_input = false);
  virtual std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families,
      const std::vector<Slice>& keys, std::vector<std::string>* values,
      std::vector<std::string>* timestamps);
  virtual std::vector<Status> MultiGet(const ReadOptions& options,
                                       const std::vector<Slice>& keys,
                                       std::vector<std::string>* values,
                                       std::vector<std::string>* timestamps);
  virtual std::vector<Status> MultiGet(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families,
      const std::vector<Slice>& keys, std::vector<std::string>* values);
  virtual std::vector<Status> MultiGet(const ReadOptions& options,
                                       const std::vector<Slice>& keys,
                                       std::vector<std::string>* values);

  // Told of a look-up that has ended.
  class AsyncCallback {
   public:
    virtual ~AsyncCallback() = default;
    // Whether OnComplete() wants the contexts of the thread that looked up.
    virtual bool EnableStats() const { return false; }
    // Without EnableStats() both are null. Answers and statuses are there.
    virtual void OnComplete(const PerfContext* callback_perf_context,
                            const IOStatsContext* callback_iostats_context) = 0;
  };
  // Get() and MultiGet() that tell `callback`, from any thread, before or after
  // they return. All that is passed by reference or pointer stays until then.
  // Basalt looks up in the caller's thread, before it returns.
  virtual void GetAsync(const ReadOptions& options,
                        ColumnFamilyHandle* column_family, const Slice& key,
                        PinnableSlice* value, std::string* timestamp,
                        Status& status, AsyncCallback& callback);
  virtual void GetAsync(const ReadOptions& options,
                        ColumnFamilyHandle* column_family, const Slice& key,
                        std::string* value, std::string* timestamp,
                        Status& status, AsyncCallback& callback);
  virtual void GetAsync(const ReadOptions& options,
                        ColumnFamilyHandle* column_family, const Slice& key,
                        PinnableSlice* value, Status& status,
                        AsyncCallback& callback);
  virtual void GetAsync(const ReadOptions& options,
                        ColumnFamilyHandle* column_family, const Slice& key,
                        std::string* value, Status& status,
                        AsyncCallback& callback);
  virtual void GetAsync(const ReadOptions& options, const Slice& key,
                        std::string* value, Status& status,
                        AsyncCallback& callback) {
    GetAsync(options, DefaultColumnFamily(), key, value, status, callback);
  }
  virtual void GetAsync(const ReadOptions& options, const Slice& key,
                        std::string* value, std::string* timestamp,
                        Status& status, AsyncCallback& callback) {
    GetAsync(options, DefaultColumnFamily(), key, value, timestamp, status,
             callback);
  }
  virtual void MultiGetAsync(const ReadOptions& options, const size_t num_keys,
                             ColumnFamilyHandle** column_families,
                             const Slice* keys, PinnableSlice* values,
                             std::string* timestamps, Status* statuses,
                             const bool sorted_input, AsyncCallback& callback);
  virtual void MultiGetAsync(const ReadOptions& options, const size_t num_keys,
                             ColumnFamilyHandle** column_families,
                             const Slice* keys, PinnableSlice* values,
                             Status* statuses, const bool sorted_input,
                             AsyncCallback& callback) {
    MultiGetAsync(options, num_keys, column_families, keys, values, nullptr,
                  statuses, sorted_input, callback);
  }
  virtual void MultiGetAsync(const ReadOptions& options, const size_t num_keys,
                             ColumnFamilyHandle** column_families,
                             const Slice* keys, PinnableSlice* values,
                             std::string* timestamps, Status* statuses,
                             AsyncCallback& callback) {
    MultiGetAsync(options, num_keys, column_families, keys, values, timestamps,
                  statuses, /*sorted_input=*/false, callback);
  }
  virtual void MultiGetAsync(const ReadOptions& options, const size_t num_keys,
                             ColumnFamilyHandle** column_families,
                             const Slice* keys, PinnableSlice* values,
                             Status* statuses, AsyncCallback& callback) {
    MultiGetAsync(options, num_keys, column_families, keys, values, nullptr,
                  statuses, /*sorted_input=*/false, callback);
  }

  // The same with wide columns; a plain value is its default column.
  virtual void MultiGetEntity(const ReadOptions& options,
                              ColumnFamilyHandle* column_family,
                              size_t num_keys, const Slice* keys,
                              PinnableWideColumns* results, Status* statuses,
                              bool sorted_input = false) = 0;
  virtual void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                              ColumnFamilyHandle** column_families,
                              const Slice* keys, PinnableWideColumns* results,
                              Status* statuses, bool sorted_input = false) = 0;
  // results[i] names the families in which keys[i] is looked up; each of its
  // groups gets a status.
  virtual void MultiGetEntity(const ReadOptions& options, size_t num_keys,
                              const Slice* keys,
                              PinnableAttributeGroups* results) = 0;

  // The same as GetEntityLazy() for many keys: entry i of *result and statuses
  // answers keys[i]; an entry whose status is not OK has no columns.
  virtual void MultiGetEntityLazy(const ReadOptions& /*options*/,
                                  ColumnFamilyHandle* /*column_family*/,
                                  size_t num_keys, const Slice* /*keys*/,
                                  LazyWideColumnsBatch* /*result*/,
                                  Status* statuses,
                                  bool /*sorted_input*/ = false) {
    for (size_t i = 0; i < num_keys; ++i) {
      statuses[i] = Status::NotSupported("MultiGetEntityLazy");
    }
  }

  // False only if the key is certainly not there. May answer true without
  // looking at files; *value_found says whether the answer is certain. *value
  // is then the key's value, empty for a key that is not there.
  virtual bool KeyMayExist(const ReadOptions& options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           std::string* value, bool* value_found = nullptr);
  virtual bool KeyMayExist(const ReadOptions& options, const Slice& key,
                           std::string* value, bool* value_found = nullptr) {
    return KeyMayExist(options, DefaultColumnFamily(), key, value, value_found);
  }
  virtual bool KeyMayExist(const ReadOptions& options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           std::string* value, std::string* timestamp,
                           bool* value_found = nullptr);
  virtual bool KeyMayExist(const ReadOptions& options, const Slice& key,
                           std::string* value, std::string* timestamp,
                           bool* value_found = nullptr) {
    return KeyMayExist(options, DefaultColumnFamily(), key, value, timestamp,
                       value_found);
  }

  // A cursor over one family at the present moment, or at options.snapshot.
  // Owned by the caller; freed before the DB. Never null: see its status().
  virtual Iterator* NewIterator(const ReadOptions& options,
                                ColumnFamilyHandle* column_family) = 0;
  virtual Iterator* NewIterator(const ReadOptions& options) {
    return NewIterator(options, DefaultColumnFamily());
  }
  // Cursors over several families at one point in time.
  virtual Status NewIterators(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families,
      std::vector<Iterator*>* iterators) = 0;
  // One cursor over the keys of several families, which must share a
  // comparator. At a key that several have, columns() has all their columns; of
  // columns of one name, that of the family named last. value() is the default
  // column. Never null: see its status().
  //
  // With ReadOptions::iter_start_ts it shows versions: it stands at each key
  // and timestamp that some family has, and key() is the stored one. A deletion
  // adds no columns. key() is that of the family named last which has no
  // deletion there; where all have one, that of the first of them.
  virtual std::unique_ptr<Iterator> NewCoalescingIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;
  // The same, each family's columns by themselves. Among versions a deletion's
  // group has no columns.
  virtual std::unique_ptr<AttributeGroupIterator> NewAttributeGroupIterator(
      const ReadOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;

  // Reads several ranges of one family at one point in time, one after the
  // other, with their blocks fetched ahead. Never null; what is wrong with the
  // ranges is thrown when it is walked over: see MultiScan. With
  // options.iterate_upper_bound and _lower_bound too nothing beyond them shows.
  // Without prefix_same_as_start filters of prefixes are asked as with
  // auto_prefix_mode: a range may hold keys of several.
  virtual std::unique_ptr<MultiScan> NewMultiScan(
      const ReadOptions& options, ColumnFamilyHandle* column_family,
      const MultiScanArgs& scan_opts);

  // Fixes the present state for reads until released. Null where a column
  // family has inplace_update_support, and after Close(). Waits while files
  // that are ingested without a sequence number are written to the manifest; a
  // callback that tells of a file's event, or comes in the thread of the
  // ingestion, does not wait, and its snapshot sees these files.
  virtual const Snapshot* GetSnapshot() = 0;
  virtual void ReleaseSnapshot(const Snapshot* snapshot) = 0;

  // --- seeing
  struct Properties {
    static const std::string kNumFilesAtLevelPrefix;
    static const std::string kCompressionRatioAtLevelPrefix;
    static const std::string kStats;
    static const std::string kSSTables;
    static const std::string kCFStats;
    static const std::string kCFStatsNoFileHistogram;
    static const std::string kCFFileHistogram;
    static const std::string kCFWriteStallStats;
    static const std::string kDBWriteStallStats;
    static const std::string kDBStats;
    static const std::string kLevelStats;
    static const std::string kBlockCacheEntryStats;
    static const std::string kFastBlockCacheEntryStats;
    static const std::string kNumImmutableMemTable;
    static const std::string kNumImmutableMemTableFlushed;
    static const std::string kMemTableFlushPending;
    static const std::string kNumRunningFlushes;
    static const std::string kCompactionPending;
    static const std::string kNumRunningCompactions;
    static const std::string kNumRunningCompactionSortedRuns;
    static const std::string kNumUnscheduledCompactions;
    static const std::string kCompactionAbortCount;
    static const std::string kBackgroundErrors;
    static const std::string kCurSizeActiveMemTable;
    static const std::string kCurSizeAllMemTables;
    static const std::string kSizeAllMemTables;
    static const std::string kNumEntriesActiveMemTable;
    static const std::string kNumEntriesImmMemTables;
    static const std::string kNumDeletesActiveMemTable;
    static const std::string kNumDeletesImmMemTables;
    static const std::string kEstimateNumKeys;
    static const std::string kEstimateTableReadersMem;
    static const std::string kIsFileDeletionsEnabled;
    static const std::string kNumSnapshots;
    static const std::string kOldestSnapshotTime;
    static const std::string kOldestSnapshotSequence;
    static const std::string kNumLiveVersions;
    static const std::string kCurrentSuperVersionNumber;
    static const std::string kEstimateLiveDataSize;
    static const std::string kMinLogNumberToKeep;
    static const std::string kMinObsoleteSstNumberToKeep;
    static const std::string kTotalSstFilesSize;
    static const std::string kLiveSstFilesSize;
    static const std::string kLiveSstFilesSizeAtTemperature;
    static const std::string kObsoleteSstFilesSize;
    static const std::string kBaseLevel;
    static const std::string kEstimatePendingCompactionBytes;
    static const std::string kAggregatedTableProperties;
    static const std::string kAggregatedTablePropertiesAtLevel;
    static const std::string kActualDelayedWriteRate;
    static const std::string kIsWriteStopped;
    static const std::string kEstimateOldestKeyTime;
    static const std::string kBlockCacheCapacity;
    static const std::string kBlockCacheUsage;
    static const std::string kBlockCachePinnedUsage;
    static const std::string kOptionsStatistics;
    static const std::string kNumBlobFiles;
    static const std::string kBlobStats;
    static const std::string kTotalBlobFileSize;
    static const std::string kLiveBlobFileSize;
    static const std::string kLiveBlobFileGarbageSize;
    static const std::string kBlobCacheCapacity;
    static const std::string kBlobCacheUsage;
    static const std::string kBlobCachePinnedUsage;
    // Basalt's own, "basalt.background-io", as a map or as text: how many bytes
    // of background I/O the device may hold, how long users' reads from it
    // take, and of each class (flush, level-0, deep, maintenance) requests,
    // bytes, waiting and device time. It is of all databases on the file
    // system. Not there with background_io_target_delay_micros = 0.
    static const std::string kBackgroundIo;
    // "basalt.fresh-level0-bytes": what fresh_level0_bytes holds now.
    static const std::string kFreshLevel0Bytes;
  };

  // False if the property is unknown or has no such form.
  virtual bool GetProperty(ColumnFamilyHandle* column_family,
                           const Slice& property, std::string* value) = 0;
  virtual bool GetProperty(const Slice& property, std::string* value) {
    return GetProperty(DefaultColumnFamily(), property, value);
  }
  virtual bool GetMapProperty(ColumnFamilyHandle* column_family,
                              const Slice& property,
                              std::map<std::string, std::string>* value) = 0;
  virtual bool GetMapProperty(const Slice& property,
                              std::map<std::string, std::string>* value) {
    return GetMapProperty(DefaultColumnFamily(), property, value);
  }
  virtual bool GetIntProperty(ColumnFamilyHandle* column_family,
                              const Slice& property, uint64_t* value) = 0;
  virtual bool GetIntProperty(const Slice& property, uint64_t* value) {
    return GetIntProperty(DefaultColumnFamily(), property, value);
  }
  // The sum over all families.
  virtual bool GetAggregatedIntProperty(const Slice& property,
                                        uint64_t* value) = 0;
  virtual Status ResetStats() { return Status::NotSupported("ResetStats"); }

  // The older flag form of SizeApproximationOptions.
  enum class SizeApproximationFlags : uint8_t {
    NONE = 0,
    INCLUDE_MEMTABLES = 1 << 0,
    INCLUDE_FILES = 1 << 1,
    INCLUDE_BLOB_FILES = 1 << 2,
  };
  // Bytes on disk (and in memory, as asked) of each range; estimates.
  virtual Status GetApproximateSizes(const SizeApproximationOptions& options,
                                     ColumnFamilyHandle* column_family,
                                     const Range* ranges, int n,
                                     uint64_t* sizes) = 0;
  virtual Status GetApproximateSizes(ColumnFamilyHandle* column_family,
                                     const Range* ranges, int n,
                                     uint64_t* sizes,
                                     SizeApproximationFlags include_flags =
                                         SizeApproximationFlags::INCLUDE_FILES);
  virtual Status GetApproximateSizes(
      const Range* ranges, int n, uint64_t* sizes,
      SizeApproximationFlags include_flags =
          SizeApproximationFlags::INCLUDE_FILES) {
    return GetApproximateSizes(DefaultColumnFamily(), ranges, n, sizes,
                               include_flags);
  }

  // About how many entries of [range.start, range.limit) are in memtables, and
  // how many bytes they take.
  virtual void GetApproximateMemTableStats(ColumnFamilyHandle* column_family,
                                           const Range& range, uint64_t* count,
                                           uint64_t* size) = 0;
  virtual void GetApproximateMemTableStats(const Range& range, uint64_t* count,
                                           uint64_t* size) {
    GetApproximateMemTableStats(DefaultColumnFamily(), range, count, size);
  }

  virtual const std::string& GetName() const = 0;
  virtual Env* GetEnv() const = 0;
  virtual FileSystem* GetFileSystem() const;
  virtual Options GetOptions(ColumnFamilyHandle* column_family) const = 0;
  virtual Options GetOptions() const {
    return GetOptions(DefaultColumnFamily());
  }
  virtual DBOptions GetDBOptions() const = 0;
  virtual SequenceNumber GetLatestSequenceNumber() const = 0;
  virtual Status GetDbIdentity(std::string& identity) const = 0;
  virtual Status GetDbSessionId(std::string& session_id) const = 0;

  virtual void GetLiveFilesMetaData(
      std::vector<LiveFileMetaData>* metadata) = 0;
  virtual void GetColumnFamilyMetaData(ColumnFamilyHandle* column_family,
                                       ColumnFamilyMetaData* metadata) = 0;
  void GetColumnFamilyMetaData(ColumnFamilyMetaData* metadata) {
    GetColumnFamilyMetaData(DefaultColumnFamily(), metadata);
  }
  // The same for the table files that `options` selects, and for those levels
  // alone that have such files. Sizes and counts cover the selected files; blob
  // files are all listed.
  virtual void GetColumnFamilyMetaData(
      ColumnFamilyHandle* column_family,
      const GetColumnFamilyMetaDataOptions& options,
      ColumnFamilyMetaData* metadata);
  void GetColumnFamilyMetaData(const GetColumnFamilyMetaDataOptions& options,
                               ColumnFamilyMetaData* metadata) {
    GetColumnFamilyMetaData(DefaultColumnFamily(), options, metadata);
  }
  // The metadata of every column family.
  virtual void GetAllColumnFamilyMetaData(
      std::vector<ColumnFamilyMetaData>* metadata) = 0;
  virtual Status GetPropertiesOfAllTables(ColumnFamilyHandle* column_family,
                                          TablePropertiesCollection* props) = 0;
  virtual Status GetPropertiesOfAllTables(TablePropertiesCollection* props) {
    return GetPropertiesOfAllTables(DefaultColumnFamily(), props);
  }
  // The properties of those tables that may hold a key of one of the ranges,
  // whose ends are both included.
  virtual Status GetPropertiesOfTablesInRange(
      ColumnFamilyHandle* /*column_family*/, const Range* /*ranges*/,
      std::size_t /*n*/, TablePropertiesCollection* /*props*/) {
    return Status::NotSupported("GetPropertiesOfTablesInRange()");
  }
  // (*props_by_level)[i] has the properties of the tables in level i; each
  // level has an entry.
  virtual Status GetPropertiesOfTablesByLevel(
      ColumnFamilyHandle* /*column_family*/,
      std::vector<std::unique_ptr<TablePropertiesCollection>>*
      /*props_by_level*/) {
    return Status::NotSupported("GetPropertiesOfTablesByLevel()");
  }
  // Every block of every live table is read and its checksum verified.
  virtual Status VerifyChecksum(const ReadOptions& options) = 0;
  virtual Status VerifyChecksum() { return VerifyChecksum(ReadOptions()); }
  // Every live table is read as a whole and compared with the checksum in the
  // manifest; files without one are passed over. InvalidArgument without
  // DBOptions::file_checksum_gen_factory.
  virtual Status VerifyFileChecksums(const ReadOptions& options) = 0;

  // --- changing
  // Change dynamic options of a family, or of the database, by name. The new
  // values are in force when the call returns, and LOG tells them. All or
  // nothing: a bad value, an empty map or, of a family, an unknown or fixed
  // name is InvalidArgument and changes nothing; such a name of the database is
  // NotFound.
  virtual Status SetOptions(
      ColumnFamilyHandle* column_family,
      const std::unordered_map<std::string, std::string>& new_options) = 0;
  virtual Status SetOptions(
      const std::unordered_map<std::string, std::string>& new_options) {
    return SetOptions(DefaultColumnFamily(), new_options);
  }
  // Change several families in one step: all of them change, or none does.
  virtual Status SetOptions(
      const std::vector<ColumnFamilyHandle*>& column_families,
      const std::unordered_map<std::string, std::string>& new_options);
  virtual Status SetOptions(
      const std::unordered_map<ColumnFamilyHandle*,
                               std::unordered_map<std::string, std::string>>&
      /*options_of_families*/) {
    return Status::NotSupported("SetOptions() of several column families");
  }
  virtual Status SetDBOptions(
      const std::unordered_map<std::string, std::string>& new_options) = 0;

  // --- maintenance
  // Writes the memtable of the families to table files.
  virtual Status Flush(const FlushOptions& options,
                       ColumnFamilyHandle* column_family) = 0;
  virtual Status Flush(const FlushOptions& options) {
    return Flush(options, DefaultColumnFamily());
  }
  virtual Status Flush(
      const FlushOptions& options,
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;
  // With manual_wal_flush: hands buffered log bytes to the OS. With `sync`,
  // what was written before is durable when it returns; writers go on
  // meanwhile. A log whose sync fails is lost for writers, too (background
  // error).
  virtual Status FlushWAL(bool sync) = 0;
  virtual Status FlushWAL(const FlushWALOptions& options) {
    return FlushWAL(options.sync);
  }
  virtual Status SyncWAL() = 0;
  // Until as many UnlockWAL() follow, no write changes the logs or the last
  // sequence: writers wait, those with no_slowdown get Incomplete. What was
  // written is in the operating system's hands. What brings files or changes
  // the set of column families waits, too. A flush that needs a new log is
  // Aborted, or TryAgain if it would not be waited for. Checkpoints and
  // listings of files copy the log, and flush nothing but data that no log has.
  virtual Status LockWAL() { return Status::NotSupported("LockWAL"); }
  // Aborted: there is no lock.
  virtual Status UnlockWAL() { return Status::NotSupported("UnlockWAL"); }

  // Compacts the keys in [begin, end], null = open end, down to the last
  // level that has any. Waits.
  virtual Status CompactRange(const CompactRangeOptions& options,
                              ColumnFamilyHandle* column_family,
                              const Slice* begin, const Slice* end) = 0;
  virtual Status CompactRange(const CompactRangeOptions& options,
                              const Slice* begin, const Slice* end) {
    return CompactRange(options, DefaultColumnFamily(), begin, end);
  }
  // Compacts just these files into a level.
  virtual Status CompactFiles(
      const CompactionOptions& compact_options,
      ColumnFamilyHandle* column_family,
      const std::vector<std::string>& input_file_names, int output_level,
      int output_path_id = -1,
      std::vector<std::string>* output_file_names = nullptr,
      CompactionJobInfo* compaction_job_info = nullptr) = 0;
  virtual Status CompactFiles(
      const CompactionOptions& compact_options,
      const std::vector<std::string>& input_file_names, int output_level,
      int output_path_id = -1,
      std::vector<std::string>* output_file_names = nullptr,
      CompactionJobInfo* compaction_job_info = nullptr) {
    return CompactFiles(compact_options, DefaultColumnFamily(),
                        input_file_names, output_level, output_path_id,
                        output_file_names, compaction_job_info);
  }
  // Has the files that hold keys of [begin, end], null = open end, compacted
  // soon, one level down each, but for those of the last level. Does not wait.
  virtual Status SuggestCompactRange(ColumnFamilyHandle* column_family,
                                     const Slice* begin, const Slice* end) = 0;
  // Moves all files of level 0 to an empty level, not rewriting them. Waits
  // for compactions that run. InvalidArgument if the files overlap, or if
  // there are files between the two levels.
  virtual Status PromoteL0(ColumnFamilyHandle* column_family,
                           int target_level) = 0;
  // With user-defined timestamps: flushes and compactions may drop versions
  // that a newer one hides from all who read as of `ts_low` or later. Reads as
  // of older timestamps fail from then on. InvalidArgument if it is older than
  // the present one.
  virtual Status IncreaseFullHistoryTsLow(ColumnFamilyHandle* column_family,
                                          std::string ts_low);
  // Empty: all versions are kept.
  virtual Status GetFullHistoryTsLow(ColumnFamilyHandle* column_family,
                                     std::string* ts_low);
  // Until no flush and no compaction is pending or running.
  virtual Status WaitForCompact(const WaitForCompactOptions& options) = 0;
  virtual Status PauseBackgroundWork() = 0;
  virtual Status ContinueBackgroundWork() = 0;
  virtual Status EnableAutoCompaction(
      const std::vector<ColumnFamilyHandle*>& column_families) = 0;
  virtual void DisableManualCompaction() = 0;
  virtual void EnableManualCompaction() = 0;
  // Stops all compactions of all column families, and returns once none runs.
  // What they have written goes, and their inputs stay.
  //
  // Result   CompactRange() and CompactFiles() that run or are called answer
  //          Incomplete (IsCompactionAborted()); automatic ones wait. All go
  //          on after as many calls of ResumeAllCompactions(), of which one
  //          too many does nothing. Flushes are not concerned.
  // Threads  Any, but not from what a compaction calls: it would wait for
  //          itself.
  virtual void AbortAllCompactions() = 0;
  virtual void ResumeAllCompactions() = 0;
  // The same for one family. The two kinds are counted apart: a compaction runs
  // where neither is in force.
  virtual void AbortCompactions(ColumnFamilyHandle* /*column_family*/) {}
  virtual void ResumeCompactions(ColumnFamilyHandle* /*column_family*/) {}
  virtual int NumberLevels(ColumnFamilyHandle* column_family) = 0;
  virtual int NumberLevels() { return NumberLevels(DefaultColumnFamily()); }
  virtual int Level0StopWriteTrigger(ColumnFamilyHandle* column_family) = 0;
  virtual int Level0StopWriteTrigger() {
    return Level0StopWriteTrigger(DefaultColumnFamily());
  }

  // Keeps obsolete files on disk until as many Enable calls follow.
  virtual Status DisableFileDeletions() = 0;
  virtual Status EnableFileDeletions() = 0;
  // Names, relative to the DB directory, of the files that make up the database
  // now, and how much of the manifest is valid. Where an instance that cannot
  // write is asked to flush, the logs that it has read are named too.
  virtual Status GetLiveFiles(std::vector<std::string>& files,
                              uint64_t* manifest_file_size,
                              bool flush_memtable = true) = 0;
  // Every file that makes up the database now, logs included, and how much of
  // each to copy. Memtables are flushed as the options say. Call
  // DisableFileDeletions() before, so that the files stay. An instance that
  // cannot write lists what it shows; who writes may remove a file at any time.
  virtual Status GetLiveFilesStorageInfo(
      const LiveFilesStorageInfoOptions& options,
      std::vector<LiveFileStorageInfo>* files) = 0;
  // Checksums of all live tables and blob files, as the manifest has them.
  virtual Status GetLiveFilesChecksumInfo(FileChecksumList* checksum_list) = 0;
  // For Checkpoint::ExportColumnFamily(), an addition of ours: the live tables
  // of a family, all of one moment, as they can go without blob files. One with
  // values there is written anew to `directory`, which exists, with all values
  // inside; the others are named where they are. Call DisableFileDeletions()
  // before, so that these stay. On failure *files is untouched, and the
  // directory may have some of the new ones.
  virtual Status GetTablesWithoutBlobs(
      ColumnFamilyHandle* /*column_family*/, const std::string& /*directory*/,
      std::vector<LiveFileMetaData>* /*files*/) {
    return Status::NotSupported("GetTablesWithoutBlobs");
  }
  // Seconds since 1970; 0 if some file's is not known. NotSupported unless
  // max_open_files is -1.
  virtual Status GetCreationTimeOfOldestFile(uint64_t* creation_time) = 0;
  // The logs that hold at least one batch, archived ones first.
  virtual Status GetSortedWalFiles(VectorWalPtr& files) = 0;
  // The log that is written now; its start sequence is not looked up.
  virtual Status GetCurrentWalFile(
      std::unique_ptr<WalFile>* /*current_wal_file*/) {
    return Status::NotSupported("GetCurrentWalFile");
  }
  // The batches in the logs, from the one that holds `seq_number` on, or the
  // first behind it. NotFound: it is not written yet. Behind a gap in the
  // sequence numbers, which an ingestion or a write without log leaves, the
  // iterator goes on, and its status is NotFound from there on. See
  // WAL_ttl_seconds for logs to be kept. A batch of PutLogData() alone has the
  // sequence of the update behind it, and is shown once that is written.
  virtual Status GetUpdatesSince(
      SequenceNumber seq_number, std::unique_ptr<TransactionLogIterator>* iter,
      const TransactionLogIterator::ReadOptions& read_options =
          TransactionLogIterator::ReadOptions()) = 0;

  // Carries out what a CompactionService of the database `name`, open in
  // another process, was given as `input`; writes tables to
  // `output_directory`, which is created, and sets *output to what its Wait()
  // is to return. The rest of the options is read from the OPTIONS file.
  // Also after an error *output, if not empty, says what went wrong.
  //
  // Errors  Corruption: not such an input. Incomplete: `canceled` was set.
  static Status OpenAndCompact(
      const OpenAndCompactOptions& options, const std::string& name,
      const std::string& output_directory, const std::string& input,
      std::string* output,
      const CompactionServiceOptionsOverride& override_options);
  static Status OpenAndCompact(
      const std::string& name, const std::string& output_directory,
      const std::string& input, std::string* output,
      const CompactionServiceOptionsOverride& override_options);

  // Adds table files that an SstFileWriter has made: each to the deepest level
  // where it hides nothing newer. Of files that overlap, later ones win. Writes
  // wait while the files are added.
  //
  // Errors  InvalidArgument: a file of another comparator or family, or what
  //         the options forbid. Corruption: a file that is damaged. The
  //         database is then as before, and so are the files.
  // Cost    Where a memtable holds keys of the files, it is flushed first. A
  //         file that a sequence number may be written into is copied, also
  //         with move_files and link_files.
  virtual Status IngestExternalFile(
      ColumnFamilyHandle* column_family,
      const std::vector<std::string>& external_files,
      const IngestExternalFileOptions& options) = 0;
  virtual Status IngestExternalFile(
      const std::vector<std::string>& external_files,
      const IngestExternalFileOptions& options) {
    return IngestExternalFile(DefaultColumnFamily(), external_files, options);
  }
  // The same for several families, each at most once: all or nothing, also
  // after a crash.
  virtual Status IngestExternalFiles(
      const std::vector<IngestExternalFileArg>& args) = 0;
  // The same in two steps. What takes long, and all that can be wrong with the
  // files, comes with the first, which writers do not wait for. All handles of
  // one commit are of different families, and count together or not at all;
  // they are gone in either case.
  virtual Status PrepareFileIngestion(
      const std::vector<IngestExternalFileArg>& /*args*/,
      std::unique_ptr<FileIngestionHandle>* /*handle*/) {
    return Status::NotSupported("PrepareFileIngestion()");
  }
  virtual Status PrepareFileIngestion(
      ColumnFamilyHandle* column_family,
      const std::vector<std::string>& external_files,
      const IngestExternalFileOptions& options,
      std::unique_ptr<FileIngestionHandle>* handle);
  virtual Status CommitFileIngestionHandles(
      std::vector<std::unique_ptr<FileIngestionHandle>> /*handles*/) {
    return Status::NotSupported("CommitFileIngestionHandles()");
  }
  virtual Status CommitFileIngestionHandle(
      std::unique_ptr<FileIngestionHandle> handle);
  // What ingestion has to know of a file, for file_infos: opened here once.
  virtual Status GetPreparedFileInfoForExternalSstIngestion(
      const std::string& /*file_path*/,
      std::shared_ptr<const PreparedFileInfo>* /*file_info*/) {
    return Status::NotSupported("GetPreparedFileInfoForExternalSstIngestion()");
  }

  // Leaves the family only its keys of [begin_key, end_key), which it compacts:
  // what was outside is gone from the files, unless a snapshot needs it.
  // Writes of other keys meanwhile may stay or go.
  //
  // Errors  InvalidArgument where end_key is not behind begin_key; NotSupported
  //         for keys with timestamps. After an error some keys outside may be
  //         gone already.
  virtual Status ClipColumnFamily(ColumnFamilyHandle* /*column_family*/,
                                  const Slice& /*begin_key*/,
                                  const Slice& /*end_key*/) {
    return Status::NotSupported("ClipColumnFamily()");
  }

  // The newest timestamp of what the family holds, deletions included; empty:
  // it holds nothing. InvalidArgument: a family without timestamps. Where files
  // leave timestamps out (persist_user_defined_timestamps = false) and nothing
  // is in memory, it is the last before the history that is there. Looks at
  // every entry in memory, and at the properties of all tables.
  virtual Status GetNewestUserDefinedTimestamp(
      ColumnFamilyHandle* /*column_family*/,
      std::string* /*newest_timestamp*/) {
    return Status::NotSupported("GetNewestUserDefinedTimestamp()");
  }

  // The snapshots of the statistics that were taken in [start_time, end_time),
  // seconds since 1970, as far as they are kept; see
  // DBOptions::stats_persist_period_sec.
  virtual Status GetStatsHistory(
      uint64_t start_time, uint64_t end_time,
      std::unique_ptr<StatsHistoryIterator>* stats_iterator) = 0;

  // Lets a secondary instance see what the primary has done up to now.
  // Iterators from before keep their view. TryAgain if the primary changed its
  // files faster than they could be read. NotSupported for other instances.
  virtual Status TryCatchUpWithPrimary() {
    return Status::NotSupported("TryCatchUpWithPrimary");
  }

  // Writes what users ask from now on to `trace_writer`, to be replayed:
  // writes, look-ups of keys, seeks of iterators; not their steps. A trace that
  // runs already ends. OK, whatever the writer says.
  //
  // Threads  The writer is called by one thread at a time, and must not use
  //          the database.
  // Errors   The first one of the writer ends the trace; operations go on, and
  //          EndTrace() answers Incomplete.
  virtual Status StartTrace(const TraceOptions& /*options*/,
                            std::unique_ptr<TraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartTrace() is not implemented.");
  }
  // IOError: no trace runs.
  virtual Status EndTrace() {
    return Status::NotSupported("EndTrace() is not implemented.");
  }
  // Records which files are asked for what, until EndIOTrace().
  virtual Status StartIOTrace(const TraceOptions& /*options*/,
                              std::unique_ptr<TraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartIOTrace() is not implemented.");
  }
  virtual Status EndIOTrace() {
    return Status::NotSupported("EndIOTrace() is not implemented.");
  }
  // Records which blocks are asked of the block cache, until
  // EndBlockCacheTrace(). Busy: a trace runs already.
  virtual Status StartBlockCacheTrace(
      const TraceOptions& /*options*/,
      std::unique_ptr<TraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartBlockCacheTrace() is not implemented.");
  }
  virtual Status StartBlockCacheTrace(
      const BlockCacheTraceOptions& /*options*/,
      std::unique_ptr<BlockCacheTraceWriter>&& /*trace_writer*/) {
    return Status::NotSupported("StartBlockCacheTrace() is not implemented.");
  }
  virtual Status EndBlockCacheTrace() {
    return Status::NotSupported("EndBlockCacheTrace() is not implemented.");
  }
  // What runs a trace on this database. `handles` are the families of the
  // trace's operations, the default one aside; they and the database outlive
  // the replayer.
  virtual Status NewDefaultReplayer(
      const std::vector<ColumnFamilyHandle*>& /*handles*/,
      std::unique_ptr<TraceReader>&& /*reader*/,
      std::unique_ptr<Replayer>* /*replayer*/) {
    return Status::NotSupported("NewDefaultReplayer() is not implemented.");
  }

  virtual DB* GetRootDB() { return this; }
};

inline DB::SizeApproximationFlags operator|(DB::SizeApproximationFlags a,
                                            DB::SizeApproximationFlags b) {
  return static_cast<DB::SizeApproximationFlags>(static_cast<uint8_t>(a) |
                                                 static_cast<uint8_t>(b));
}
inline DB::SizeApproximationFlags operator&(DB::SizeApproximationFlags a,
                                            DB::SizeApproximationFlags b) {
  return static_cast<DB::SizeApproximationFlags>(static_cast<uint8_t>(a) &
                                                 static_cast<uint8_t>(b));
}

}  // namespace ROCKSDB_NAMESPACE
