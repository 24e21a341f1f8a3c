#include "db/observe/trace/trace_replayer.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "monitoring/trace/trace_format.h"
#include "rocksdb/trace_reader_writer.h"
#include "util/coding.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class TraceReplayer final : public Replayer {
 public:
  using Callback =
      std::function<void(Status, std::unique_ptr<TraceRecordResult>&&)>;

  TraceReplayer(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                std::unique_ptr<TraceReader>&& reader)
      : reader_(std::move(reader)),
        executor_(TraceRecord::NewExecutionHandler(db, handles)) {}
  ~TraceReplayer() override {
    reader_->Close().PermitUncheckedError();
    outcome_.PermitUncheckedError();
  }

  Status Prepare() override {
    MutexLock lock(&mutex_);
    is_prepared_ = false;
    std::string bytes;
    Status s = reader_->Reset();
    if (s.ok()) s = reader_->Read(&bytes);
    if (!s.ok()) return s;
    TraceRecordParts header;
    if (!SplitTraceRecord(bytes, &header).ok()) {
      return Status::Corruption("Corrupted trace file. Incorrect header.");
    }
    int version = 0;
    s = DecodeQueryTraceHeader(header, &version);
    if (!s.ok()) return s;
    header_time_ = header.time;
    version_ = version;
    is_at_end_ = false;
    is_prepared_ = true;
    return s;
  }

  uint64_t GetHeaderTimestamp() const override { return header_time_; }

  Status Next(std::unique_ptr<TraceRecord>* record) override {
    MutexLock lock(&mutex_);
    return NextLocked(record);
  }

  Status Execute(const std::unique_ptr<TraceRecord>& record,
                 std::unique_ptr<TraceRecordResult>* result) override {
    return record->Accept(executor_.get(), result);
  }

  Status Replay(const ReplayOptions& options,
                const Callback& result_callback) override {
    if (options.fast_forward <= 0.0) {
      return Status::InvalidArgument("Wrong fast forward speed!");
    }
    {
      MutexLock lock(&mutex_);
      if (!is_prepared_) return Status::Incomplete("Not prepared!");
      if (is_at_end_) return Status::Incomplete("Trace end.");
      outcome_ = Status::OK();
    }
    const auto start = std::chrono::steady_clock::now();
    const auto run = [&] { RunAll(options, start, result_callback); };
    std::vector<std::thread> threads;
    for (uint32_t i = 1; i < options.num_threads; ++i)
      threads.emplace_back(run);
    run();
    for (std::thread& thread : threads) thread.join();
    MutexLock lock(&mutex_);
    return outcome_;
  }

 private:
  Status NextLocked(std::unique_ptr<TraceRecord>* record) REQUIRES(mutex_) {
    if (!is_prepared_) return Status::Incomplete("Not prepared!");
    if (is_at_end_) return Status::Incomplete("Trace end.");
    std::string bytes;
    Status s = reader_->Read(&bytes);
    // The footer may be missing.
    if (s.IsIncomplete() || (s.ok() && bytes.size() >= kTraceRecordHeadBytes &&
                             bytes[8] == kTraceEnd)) {
      is_at_end_ = true;
      return Status::Incomplete("Trace end.");
    }
    return s.ok() ? DecodeTraceRecord(bytes, version_, record) : s;
  }

  // What one thread does: the next record, until there is none or one failed.
  void RunAll(const ReplayOptions& options,
              std::chrono::steady_clock::time_point start,
              const Callback& callback) {
    for (;;) {
      std::unique_ptr<TraceRecord> record;
      Status s = NextToRun(&record);
      if (record == nullptr && !s.IsNotSupported()) return;
      std::unique_ptr<TraceRecordResult> result;
      if (record != nullptr) {
        const uint64_t time = record->GetTimestamp();
        const uint64_t due = time - std::min(time, header_time_);
        std::this_thread::sleep_until(
            start + std::chrono::microseconds(static_cast<int64_t>(
                        static_cast<double>(due) / options.fast_forward)));
        s = Execute(record, &result);
        if (!s.ok()) Fail(s);
      }
      if (callback) callback(std::move(s), std::move(result));
    }
  }

  // No record and not NotSupported: nothing is left to run.
  Status NextToRun(std::unique_ptr<TraceRecord>* record) {
    MutexLock lock(&mutex_);
    if (!outcome_.ok()) return Status::Incomplete("A record failed.");
    Status s = NextLocked(record);
    if (!s.ok() && !s.IsIncomplete() && !s.IsNotSupported()) outcome_ = s;
    return s;
  }

  void Fail(const Status& s) {
    MutexLock lock(&mutex_);
    if (outcome_.ok()) outcome_ = s;
  }

  Mutex mutex_;
  const std::unique_ptr<TraceReader> reader_ GUARDED_BY(mutex_);
  const std::unique_ptr<TraceRecord::Handler> executor_;
  uint64_t header_time_ = 0;  // Changed by Prepare() alone.
  int version_ GUARDED_BY(mutex_) = 0;
  bool is_prepared_ GUARDED_BY(mutex_) = false;
  bool is_at_end_ GUARDED_BY(mutex_) = false;
  // Of the replay: the first failure.
  Status outcome_ GUARDED_BY(mutex_);
};

}  // namespace

Status NewTraceReplayer(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                        std::unique_ptr<TraceReader>&& reader,
                        std::unique_ptr<Replayer>* replayer) {
  replayer->reset();
  if (db == nullptr || reader == nullptr) {
    return Status::InvalidArgument("a replayer needs a database and a reader");
  }
  *replayer = std::make_unique<TraceReplayer>(db, handles, std::move(reader));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
