#include "db/wal/wal_manager.h"

#include <algorithm>
#include <utility>

#include "db/wal/log_writer.h"
#include "db/wal/wal_precreator.h"
#include "db/wal/write_batch_format.h"
#include "file/filename.h"
#include "file/page_cache_room.h"
#include "file/writable_file_writer.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/info_log.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

WalManager::WalManager(Context context) : context_(std::move(context)) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(context_.db->fs != nullptr);
  INVARIANT(context_.page_cache != nullptr);
}

WalManager::~WalManager() {
  IgnoreError(Close(), "Close() has reported it to those who asked");
}

Status WalManager::Switch(uint64_t number, uint64_t preallocate_bytes,
                          const MutableDBOptions& now) {
  INVARIANT(number > current_number_);
  INVARIANT(precreated_number() == 0 || precreated_number() == number);
  if (current_ != nullptr) {
    // What the old log holds must reach the operating system before anything
    // newer does. A log that has failed keeps its error; its data are in
    // memtables, which a flush will save.
    Status s = current_->Flush();
    // To a reader an older record behind the last one of this log may be a
    // hole, and the newer log may not go on with the very next sequence.
    if (s.ok()) s = current_->CutTail();
    MutexLock lock(&mutex_);
    INVARIANT(!logs_.empty() && logs_.back().number == current_number_);
    logs_.back().ending = s;
  }
  const FileOptions options = LogOptions(now);
  std::unique_ptr<FSWritableFile> file;
  Status s = OpenLog(number, options, preallocate_bytes, &file);
  if (!s.ok()) return s;
  WritableFileWriterOptions writer_options;
  writer_options.clock = context_.db->clock;
  writer_options.statistics = context_.db->stats;
  writer_options.listeners = FileListeners(context_.db->listeners);
  writer_options.hands_checksums =
      context_.db->checksum_handoff_file_types.Contains(kWalFile);
  // Where tables are kept out of the page cache, logs are too: nobody reads
  // them but a recovery.
  writer_options.drops_written = now.write_access != FileAccess::kBuffered ||
                                 (now.read_access != FileAccess::kBuffered &&
                                  context_.page_cache->is_short());
  log::WriterOptions log_options;
  log_options.log_number = number;
  log_options.manual_flush = context_.db->manual_wal_flush;
  log_options.recyclable = context_.db->recycle_log_file_num > 0;
  log_options.is_compressed = context_.db->wal_compression == kZSTD;
  NoteSwitched(number,
               std::make_unique<log::Writer>(
                   std::make_unique<WritableFileWriter>(
                       std::move(file), LogFileName(context_.wal_dir, number),
                       options, writer_options),
                   log_options));
  return Status::OK();
}

void WalManager::Precreate(uint64_t number, const MutableDBOptions& now) {
  INVARIANT(number > current_number_);
  // A log that is used again has its file already.
  INVARIANT(context_.db->recycle_log_file_num == 0);
  if (precreator_ == nullptr) {
    precreator_ = std::make_unique<WalPrecreator>(context_.db);
  }
  precreator_->Start(
      {number, LogFileName(context_.wal_dir, number), LogOptions(now)});
}

uint64_t WalManager::precreated_number() const {
  return precreator_ != nullptr ? precreator_->number() : 0;
}

FileOptions WalManager::LogOptions(const MutableDBOptions& now) const {
  FileOptions options = context_.db->fs->OptimizeForLogWrite(
      context_.file_options, BuildDBOptions(*context_.db, now));
  options.temperature = context_.db->wal_write_temperature;
  return options;
}

void WalManager::SetWriteBack(const MutableDBOptions& now) {
  INVARIANT(current_ != nullptr);
  current_->file()->SetWriteBack(LogOptions(now));
}

Status WalManager::OpenLog(uint64_t number, const FileOptions& options,
                           uint64_t preallocate_bytes,
                           std::unique_ptr<FSWritableFile>* file) {
  INVARIANT(!context_.wal_dir.empty());
  INVARIANT(file != nullptr);
  const std::string path = LogFileName(context_.wal_dir, number);
  ROCKSDB_NAMESPACE::Debug(context_.db->logger, "New log file: %s",
                           path.c_str());
  FileSystem* fs = context_.db->fs;
  uint64_t old = 0;
  {
    MutexLock lock(&mutex_);
    if (!reusable_.empty()) {
      // A second try does not meet it again: nobody knows what became of it.
      old = reusing_ = reusable_.front();
      reusable_.pop_front();
    }
  }
  if (old == 0) {
    Status s;
    if (precreator_ != nullptr) *file = precreator_->Take(number, options);
    if (*file == nullptr) {
      s = fs->NewWritableFile(path, options, file, nullptr);
    }
    if (s.ok()) (*file)->SetPreallocationBlockSize(preallocate_bytes);
    return s;
  }
  INVARIANT(old < number);
  Status s = fs->ReuseWritableFile(path, LogFileName(context_.wal_dir, old),
                                   options, file, nullptr);
  {
    MutexLock lock(&mutex_);
    reusing_ = 0;
  }
  if (!s.ok()) {
    IgnoreError(fs->DeleteFile(path, IOOptions(), nullptr),
                "it may not be there; the next open finds it");
  }
  return s;
}

void WalManager::NoteSwitched(uint64_t number,
                              std::unique_ptr<log::Writer> writer) {
  INVARIANT(writer->log_number() == number);
  INVARIANT(writer->size() == 0);
  MutexLock lock(&mutex_);
  predecessor_info_ = {};
  if (!logs_.empty() && current_ != nullptr) {
    logs_.back().size_bytes = current_->size();
    if (context_.db->track_and_verify_wals) {
      predecessor_info_ = {current_number_, current_->size(), last_batch_};
    }
  }
  // From a log without updates only prepared sections could be missed: where
  // there are none, the log before it stays the predecessor.
  if (next_sequence_ > 0 || (is_begun_ && context_.db->allow_2pc)) {
    predecessor_ = {current_number_, next_sequence_, reached_};
  }
  next_sequence_ = 0;
  reached_ = 0;
  is_begun_ = false;
  has_failed_.store(false, std::memory_order_relaxed);
  last_batch_ = 0;
  current_ = writer.get();
  current_bytes_ = 0;
  current_number_ = number;
  directory_synced_ = false;
  INVARIANT(logs_.empty() || logs_.back().number < number);
  logs_.push_back({number, 0, false, std::move(writer)});
}

Status WalManager::Append(const Slice& record, Kind kind) {
  INVARIANT(current_ != nullptr);
  assert(!record.empty());
  INVARIANT(record.size() >= kBatchHeaderBytes);
  const uint64_t before = current_->size();
  const SequenceNumber sequence = DecodeFixed64(record.data());
  const uint32_t count = DecodeFixed32(record.data() + sizeof(uint64_t));
  Status s;
  if (!is_begun_) s = AppendPredecessor(sequence);
  if (s.ok() && !timestamp_sizes_.empty()) {
    s = current_->AddTimestampSizes(timestamp_sizes_);
  }
  if (s.ok()) s = current_->AddRecord(record);
  if (s.ok()) {
    is_begun_ = true;
    // A record without updates says nothing of how far the log goes: what
    // comes before it may be past the log.
    if (count > 0 && kind == Kind::kUpdates) next_sequence_ = sequence + count;
    last_batch_ = sequence;
    reached_ = current_->size();
  } else {
    has_failed_.store(true, std::memory_order_relaxed);
  }
  total_bytes_.fetch_add(current_->size() - before, std::memory_order_relaxed);
  current_bytes_.store(current_->size(), std::memory_order_relaxed);
  assert(!s.ok() || current_->size() > before);
  assert(TotalBytes() >= current_bytes());
  return s;
}

Status WalManager::AppendPredecessor(SequenceNumber sequence) {
  if (predecessor_info_.log_number != 0) {
    INVARIANT(context_.db->track_and_verify_wals);
    Status s = current_->AddPredecessor(predecessor_info_);
    if (!s.ok()) return s;
    predecessor_info_ = {};
  }
  if (predecessor_.log_number == 0) return Status::OK();
  INVARIANT(predecessor_.log_number < current_number());
  return current_->AddRecord(EncodePredecessor(predecessor_, sequence));
}

Status WalManager::Flush() {
  INVARIANT(current_ != nullptr);
  Status s = current_->Flush();
  if (!s.ok()) has_failed_.store(true, std::memory_order_relaxed);
  MutexLock lock(&mutex_);
  // What an older log has lost, this one cannot make up for.
  for (const Log& log : logs_) {
    if (!log.is_abandoned && !log.ending.ok()) return log.ending;
  }
  return s;
}

uint64_t WalManager::BufferedBytes() const {
  INVARIANT(current_ != nullptr);
  const uint64_t flushed = current_->file()->GetFlushedSize();
  return current_->size() - std::min(current_->size(), flushed);
}

Status WalManager::SyncDirectoryOnce() {
  uint64_t newest = 0;
  {
    MutexLock lock(&mutex_);
    if (directory_synced_ || context_.directory == nullptr) {
      return Status::OK();
    }
    newest = current_number_;
  }
  Status s = context_.directory->Fsync(IOOptions(), nullptr);
  MutexLock lock(&mutex_);
  // A log that was made meanwhile may not be in it yet.
  if (s.ok() && current_number_ == newest) directory_synced_ = true;
  return s;
}

// A log that may be overwritten is closed before.
Status WalManager::CloseSynced(std::unique_ptr<log::Writer> writer,
                               bool is_foreground) {
  const bool is_put_off = is_foreground &&
                          context_.db->background_close_inactive_wals &&
                          context_.db->recycle_log_file_num == 0;
  if (!is_put_off) return writer->Close();
  MutexLock lock(&mutex_);
  inactive_.push_back(std::move(writer));
  inactive_count_.store(inactive_.size(), std::memory_order_relaxed);
  return Status::OK();
}

void WalManager::CloseInactive() {
  std::vector<std::unique_ptr<log::Writer>> writers;
  {
    MutexLock lock(&mutex_);
    writers.swap(inactive_);
    inactive_count_.store(0, std::memory_order_relaxed);
  }
  for (const auto& writer : writers) {
    const Status s = writer->Close();
    if (s.ok()) continue;
    ROCKSDB_NAMESPACE::Warn(context_.db->logger, "closing a synced log: %s",
                            s.ToString().c_str());
  }
}

WalManager::Log* WalManager::NextToSync(uint64_t number, Current current,
                                        bool* is_current) {
  MutexLock lock(&mutex_);
  for (Log& log : logs_) {
    *is_current = log.number == current_number_;
    if (log.number < number || log.writer == nullptr || log.is_abandoned) {
      continue;
    }
    if (*is_current && current == Current::kLeft) continue;
    INVARIANT(!log.is_in_sync);
    log.is_in_sync = true;
    return &log;
  }
  return nullptr;
}

// `is_current`: when its turn came. The next one may have begun since, and then
// it may hold more than what is synced here.
Status WalManager::SyncLog(Log* log, bool is_current, Current current) {
  INVARIANT(log->is_in_sync);
  Status s;
  if (!log->is_synced) {
    const StopWatch watch(context_.db->clock, context_.db->stats,
                          WAL_FILE_SYNC_MICROS);
    s = is_current && current == Current::kFlushed
            ? log->writer->SyncFlushed(context_.db->use_fsync)
            : log->writer->Sync(context_.db->use_fsync);
    if (s.ok()) RecordTick(context_.db->stats, WAL_FILE_SYNCED);
  }
  std::unique_ptr<log::Writer> done;
  {
    MutexLock lock(&mutex_);
    log->is_in_sync = false;
    // NotSupported says that nothing was tried, unless the file is at fault.
    const bool was_tried =
        !s.IsNotSupported() || log->writer->file()->seen_error();
    if (!s.ok() && was_tried && log->number == current_number_) {
      has_failed_.store(true, std::memory_order_relaxed);
    }
    if (s.ok() && !is_current) {
      log->is_synced = true;
      log->size_bytes = log->writer->size();
      done = std::move(log->writer);
      if (context_.db->track_and_verify_wals_in_manifest) {
        synced_.push_back({log->number, log->size_bytes});
      }
    }
  }
  // The current log is synced for a user alone.
  return done != nullptr
             ? CloseSynced(std::move(done), current != Current::kLeft)
             : s;
}

Status WalManager::SyncLogs(Current current) {
  if (sync_first_ != nullptr) {
    if (Status s = sync_first_(); !s.ok()) return s;
  }
  bool is_current = false;
  uint64_t number = 0;
  while (Log* log = NextToSync(number, current, &is_current)) {
    number = log->number + 1;
    Status s = SyncLog(log, is_current, current);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status WalManager::Sync() {
  INVARIANT(current_ != nullptr);
  MutexLock lock(&sync_mutex_);
  Status s = SyncLogs(Current::kWhole);
  if (s.ok()) s = SyncDirectoryOnce();
  return s;
}

Status WalManager::SyncFlushed() {
  MutexLock lock(&sync_mutex_);
  Status s = SyncLogs(Current::kFlushed);
  if (s.ok()) s = SyncDirectoryOnce();
  return s;
}

bool WalManager::AbandonFailed() {
  MutexLock sync_lock(&sync_mutex_);
  MutexLock lock(&mutex_);
  bool has_failed = false;
  for (Log& log : logs_) {
    if (log.writer == nullptr || !log.writer->has_failed()) continue;
    INVARIANT(log.number != current_number_);
    log.is_abandoned = true;
    has_failed = true;
  }
  return has_failed;
}

bool WalManager::HasAbandoned() const {
  MutexLock lock(&mutex_);
  return std::any_of(logs_.begin(), logs_.end(),
                     [](const Log& log) { return log.is_abandoned; });
}

Status WalManager::SyncClosed() {
  MutexLock sync_lock(&sync_mutex_);
  bool has_closed = false;
  {
    MutexLock lock(&mutex_);
    has_closed = logs_.size() > 1;
  }
  Status s = SyncLogs(Current::kLeft);
  if (s.ok() && has_closed) s = SyncDirectoryOnce();
  return s;
}

std::vector<uint64_t> WalManager::Remove(uint64_t number, Reuse reuse) {
  std::vector<uint64_t> removed;
  MutexLock lock(&mutex_);
  while (!logs_.empty() && logs_.front().number < number &&
         logs_.front().number != current_number_ && !logs_.front().is_in_sync) {
    Log& log = logs_.front();
    const uint64_t bytes =
        log.writer != nullptr ? log.writer->size() : log.size_bytes;
    bool is_whole = log.is_ours && !log.is_abandoned;
    if (log.writer != nullptr) {
      is_whole = is_whole && !log.writer->has_failed();
      IgnoreError(log.writer->Close(), "the log is deleted next");
    }
    INVARIANT(total_bytes_.load() >= bytes);
    total_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    INVARIANT(removed.empty() || removed.back() < log.number);
    if (is_whole && reuse == Reuse::kAllowed &&
        reusable_.size() < context_.db->recycle_log_file_num) {
      reusable_.push_back(log.number);
    } else {
      removed.push_back(log.number);
    }
    // The manifest is not to hear of it behind its end.
    std::erase_if(synced_, [&log](const Live& synced) {
      return synced.number == log.number;
    });
    logs_.pop_front();
  }
  return removed;
}

std::vector<uint64_t> WalManager::reusable() const {
  MutexLock lock(&mutex_);
  std::vector<uint64_t> numbers(reusable_.begin(), reusable_.end());
  if (reusing_ != 0) numbers.push_back(reusing_);
  return numbers;
}

std::vector<WalManager::Live> WalManager::TakeSynced() {
  MutexLock lock(&mutex_);
  return std::exchange(synced_, {});
}

void WalManager::AddRecovered(uint64_t number, uint64_t size_bytes,
                              SequenceNumber next_sequence) {
  MutexLock lock(&mutex_);
  if (next_sequence > 0) predecessor_ = {number, next_sequence};
  INVARIANT(logs_.empty() || logs_.back().number < number);
  logs_.push_back({number, size_bytes, true, nullptr});
  logs_.back().is_ours = false;
  total_bytes_.fetch_add(size_bytes, std::memory_order_relaxed);
}

bool WalManager::HasLoggedBefore() const {
  MutexLock lock(&mutex_);
  return predecessor_.log_number != 0;
}

std::vector<WalManager::Live> WalManager::live() const {
  std::vector<Live> result;
  MutexLock lock(&mutex_);
  for (const Log& log : logs_) {
    Live one{log.number, log.size_bytes, log.is_abandoned};
    if (log.number == current_number_) one.size_bytes = current_bytes_.load();
    // What failed was counted, and is not there.
    if (log.is_abandoned) {
      one.size_bytes = log.writer->file()->GetFlushedSize();
    }
    result.push_back(one);
  }
  return result;
}

Status WalManager::Close() {
  if (precreator_ != nullptr) precreator_->Stop();
  CloseInactive();
  MutexLock sync_lock(&sync_mutex_);
  MutexLock lock(&mutex_);
  Status result;
  for (Log& log : logs_) {
    if (log.writer == nullptr) continue;
    Status s = log.writer->CutTail();
    if (Status closed = log.writer->Close(); s.ok()) s = closed;
    if (result.ok()) result = s;
    log.writer.reset();
  }
  current_ = nullptr;
  return result;
}

}  // namespace ROCKSDB_NAMESPACE
