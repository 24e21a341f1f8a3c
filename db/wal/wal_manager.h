// The write-ahead logs that are alive: the one being written, and older ones
// that still hold data of some memtable.
//
// Contract   Records go to the newest log. Sync() makes every log durable that
//            is not yet, oldest first, and the directory the first time. After
//            a failed sync or append the log is poisoned: every later call on
//            it answers the error, and only a new log (Switch) helps.
// Threads    Append(), Flush(), Sync(), Switch() by the holder of the write
//            thread's leadership. SyncFlushed(), SyncClosed(), Remove() and
//            queries from any thread, beside them: of the log that is being
//            written they touch no more than the file's sync.
//            Queries and Remove() wait for no sync: one lock guards the list,
//            another is held for the length of a sync, and comes before it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/log_format.h"
#include "db/wal/predecessor_record.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class PageCacheRoom;
class WalPrecreator;

namespace log {
class Writer;
}

class WalManager {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string wal_dir;
    FileOptions file_options;
    FSDirectory* directory = nullptr;  // the WAL directory
    const PageCacheRoom* page_cache = nullptr;
  };
  explicit WalManager(Context context);
  ~WalManager();

  // Opens log `number` and makes it the current one; the one before is kept
  // as closed, with what it holds in the operating system's hands.
  // `preallocate_bytes`: about what it will hold.
  Status Switch(uint64_t number, uint64_t preallocate_bytes,
                const MutableDBOptions& now);

  // async_wal_precreate: has the file of the next log made in the background.
  // By whoever calls Switch(), after that; the next log is `number` then.
  void Precreate(uint64_t number, const MutableDBOptions& now);
  // What the next log is to be; 0: any larger number.
  uint64_t precreated_number() const;

  // Called before logs are synced: what they refer to has to be durable first,
  // and if it cannot be, they are not synced. Once, before others use this.
  void SyncFirst(std::function<Status()> sync) {
    sync_first_ = std::move(sync);
  }

  // wal_bytes_per_sync has changed: it counts for the current log, too. In turn
  // with Append().
  void SetWriteBack(const MutableDBOptions& now);

  // Is one of the older ones passed over, because it failed?
  bool HasAbandoned() const;

  // Has the current log an error?
  bool has_failed() const {
    return has_failed_.load(std::memory_order_relaxed);
  }
  // What a record has. Prepared transactions take no sequences, so that they
  // say nothing of how far a log goes.
  enum class Kind { kUpdates, kPrepared };
  Status Append(const Slice& record, Kind kind = Kind::kUpdates);
  // Keys of family `id` end with timestamps: each log says so before its first
  // batch from here on. By the write leader.
  void NoteTimestamps(uint32_t id, size_t timestamp_size) {
    timestamp_sizes_[id] = static_cast<uint16_t>(timestamp_size);
  }
  Status Flush();
  Status Sync();
  // Makes durable what Flush() gave to the operating system, while others may
  // append: a record that is there meanwhile may be, or not. NotSupported, with
  // nothing done to the current log, where its file cannot be synced beside
  // its writer.
  Status SyncFlushed();

  // With background_close_inactive_wals, Sync() and SyncFlushed() leave older
  // logs that they have made durable open, for a background thread to close
  // them.
  bool HasInactive() const {
    return inactive_count_.load(std::memory_order_relaxed) > 0;
  }
  void CloseInactive();

  // Closed logs that have failed are not synced any more: a sync that is tried
  // again proves nothing. Their data must be saved by other means. True if
  // there are any.
  bool AbandonFailed();

  // Syncs the closed logs: before a table may hold data that a closed log
  // holds too (db-format.md 1.6).
  Status SyncClosed();

  // Logs below `number` hold nothing that is needed: their numbers, to be
  // deleted by the caller. One that is just being synced, and those behind it,
  // stay until a later call. With kAllowed, recycle_log_file_num of them are
  // kept, to be overwritten by logs to come.
  enum class Reuse { kAllowed, kForbidden };
  std::vector<uint64_t> Remove(uint64_t number, Reuse reuse);
  // Those that are kept for that, and the one that just becomes another.
  std::vector<uint64_t> reusable() const;

  // Closed logs that were synced since the last call, with
  // track_and_verify_wals_in_manifest: the manifest is to know of them.
  struct Live {
    uint64_t number = 0;
    uint64_t size_bytes = 0;
    bool is_abandoned = false;  // then it may have more, which counts nowhere
  };
  std::vector<Live> TakeSynced();

  // A log that recovery found and that stays alive. `next_sequence`: behind
  // what it, and those before it, gave.
  void AddRecovered(uint64_t number, uint64_t size_bytes,
                    SequenceNumber next_sequence);

  uint64_t current_number() const {
    return current_number_.load(std::memory_order_relaxed);
  }
  // Bytes of the current log that the operating system does not have yet.
  uint64_t BufferedBytes() const;
  uint64_t current_bytes() const {
    return current_bytes_.load(std::memory_order_relaxed);
  }
  // Bytes of all live logs.
  uint64_t TotalBytes() const {
    return total_bytes_.load(std::memory_order_relaxed);
  }
  std::vector<Live> live() const;
  // Has a log before the current one any update?
  bool HasLoggedBefore() const;

  Status Close();

 private:
  struct Log {
    uint64_t number = 0;
    uint64_t size_bytes = 0;
    bool is_synced = false;
    std::unique_ptr<log::Writer> writer;  // null once closed and synced
    bool is_abandoned = false;
    bool is_in_sync = false;  // a sync uses the writer
    bool is_ours = true;      // made by this object
    // Whether all of it reached the operating system when the next one began.
    Status ending = {};
  };

  FileOptions LogOptions(const MutableDBOptions& now) const;
  // A file for log `number`: a new one, or one that is used again.
  Status OpenLog(uint64_t number, const FileOptions& options,
                 uint64_t preallocate_bytes,
                 std::unique_ptr<FSWritableFile>* file);
  void NoteSwitched(uint64_t number, std::unique_ptr<log::Writer> writer);
  // The first record of a log speaks of the log before.
  Status AppendPredecessor(SequenceNumber sequence);
  // What a sync does about the log that is being written.
  enum class Current { kLeft, kWhole, kFlushed };
  Status SyncDirectoryOnce() REQUIRES(sync_mutex_);
  Status SyncLogs(Current current) REQUIRES(sync_mutex_);
  Status CloseSynced(std::unique_ptr<log::Writer> writer, bool is_foreground);
  // The oldest log from `number` on that is to be synced, marked as in use.
  Log* NextToSync(uint64_t number, Current current, bool* is_current)
      REQUIRES(sync_mutex_);
  Status SyncLog(Log* log, bool is_current, Current current)
      REQUIRES(sync_mutex_);

  const Context context_;
  std::function<Status()> sync_first_;
  std::unique_ptr<WalPrecreator> precreator_;  // null: not asked for yet
  std::atomic<uint64_t> current_number_{0};
  // The newest of logs_; only the write leader touches it.
  log::Writer* current_ = nullptr;
  std::atomic<bool> has_failed_{false};
  bool is_begun_ = false;  // it has a record
  // Behind the last update in the current log; 0: it has none. Whoever appends
  // has these, as what the log before was.
  SequenceNumber next_sequence_ = 0;
  uint64_t reached_ = 0;  // where its last record ends
  LogPredecessor predecessor_;
  // track_and_verify_wals: the same in the form that all readers know.
  SequenceNumber last_batch_ = 0;
  log::PredecessorInfo predecessor_info_;
  std::map<uint32_t, uint16_t> timestamp_sizes_;  // the write leader's
  std::atomic<uint64_t> total_bytes_{0};
  std::atomic<uint64_t> current_bytes_{0};

  Mutex sync_mutex_;
  mutable Mutex mutex_;
  // Oldest first; elements stay where they are while others come and go.
  std::deque<Log> logs_ GUARDED_BY(mutex_);
  bool directory_synced_ GUARDED_BY(mutex_) = false;
  std::deque<uint64_t> reusable_ GUARDED_BY(mutex_);  // oldest first
  uint64_t reusing_ GUARDED_BY(mutex_) = 0;           // is getting its new name
  std::vector<Live> synced_ GUARDED_BY(mutex_);
  // Durable, and to be closed.
  std::vector<std::unique_ptr<log::Writer>> inactive_ GUARDED_BY(mutex_);
  std::atomic<size_t> inactive_count_{0};
};

}  // namespace ROCKSDB_NAMESPACE
