#include "db/wal/wal_precreator.h"

#include <utility>

#include "monitoring/statistics_impl.h"
#include "rocksdb/info_log.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Compares those options of a log that may change while the database is open.
bool AreAlike(const FileOptions& a, const FileOptions& b) {
  return a.bytes_per_sync == b.bytes_per_sync &&
         a.strict_bytes_per_sync == b.strict_bytes_per_sync &&
         a.writable_file_max_buffer_size == b.writable_file_max_buffer_size;
}

}  // namespace

WalPrecreator::WalPrecreator(const ImmutableDBOptions* db) : db_(db) {
  INVARIANT(db_ != nullptr);
  thread_ = std::thread([this] { Work(); });
}

WalPrecreator::~WalPrecreator() { Stop(); }

void WalPrecreator::Start(Request request) {
  INVARIANT(request.number > 0 && !request.path.empty());
  MutexLock lock(&mutex_);
  INVARIANT(state_ == State::kIdle);
  INVARIANT(request_.number < request.number);
  if (is_ending_) return;
  request_ = std::move(request);
  state_ = State::kAsked;
  changed_.SignalAll();
}

uint64_t WalPrecreator::number() const {
  MutexLock lock(&mutex_);
  return state_ != State::kIdle ? request_.number : 0;
}

void WalPrecreator::AwaitMaking() {
  if (state_ != State::kMaking) return;
  RecordTick(db_->stats, WAL_PRECREATE_WAITED);
  const uint64_t begin = MonotonicMicros(db_->clock);
  while (state_ == State::kMaking) changed_.Wait();
  RecordTick(db_->stats, WAL_PRECREATE_WAIT_MICROS,
             MonotonicMicros(db_->clock) - begin);
}

std::unique_ptr<FSWritableFile> WalPrecreator::Take(
    uint64_t number, const FileOptions& options) {
  std::unique_ptr<FSWritableFile> file;
  bool is_alike = false;
  {
    MutexLock lock(&mutex_);
    AwaitMaking();
    if (state_ != State::kIdle && request_.number == number) {
      // One that nobody has begun is made sooner by the caller.
      state_ = State::kIdle;
      is_alike = AreAlike(request_.options, options);
      file = std::move(file_);
    }
  }
  if (!is_alike) file.reset();
  RecordTick(db_->stats,
             file != nullptr ? WAL_PRECREATE_HIT : WAL_PRECREATE_MISS);
  return file;
}

void WalPrecreator::Work() {
  MutexLock lock(&mutex_);
  while (true) {
    while (state_ != State::kAsked && !is_ending_) changed_.Wait();
    if (is_ending_) return;
    state_ = State::kMaking;
    const Request request = request_;
    std::unique_ptr<FSWritableFile> file;
    {
      MutexUnlock unlock(&mutex_);
      const Status s = db_->fs->NewWritableFile(request.path, request.options,
                                                &file, nullptr);
      if (!s.ok()) {
        file.reset();
        RecordTick(db_->stats, WAL_PRECREATE_FAILED);
        Warn(db_->logger, "cannot make %s ahead of its need: %s",
             request.path.c_str(), s.ToString().c_str());
      }
    }
    INVARIANT(state_ == State::kMaking);
    file_ = std::move(file);
    state_ = State::kDone;
    changed_.SignalAll();
  }
}

void WalPrecreator::Stop() {
  std::string left_over;
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
  {
    MutexLock lock(&mutex_);
    // If it failed, something may be there all the same.
    if (state_ == State::kDone) left_over = request_.path;
    state_ = State::kIdle;
    file_.reset();
  }
  if (left_over.empty()) return;
  const Status s = db_->fs->DeleteFile(left_over, IOOptions(), nullptr);
  if (s.ok() || s.IsNotFound() || s.IsPathNotFound()) return;
  Warn(db_->logger, "a log that was not needed stays: %s",
       s.ToString().c_str());
}

}  // namespace ROCKSDB_NAMESPACE
