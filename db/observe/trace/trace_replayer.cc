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
    std::string bytes;
    Status s = ReadLocked(&bytes);
    return s.ok() ? DecodeTraceRecord(bytes, version_, record) : s;
  }

  Status Execute(const std::unique_ptr<TraceRecord>& record,
                 std::unique_ptr<TraceRecordResult>* result) override {
    if (record == nullptr) return Status::InvalidArgument("record is null");
    return record->Accept(executor_.get(), result);
  }

  Status Replay(const ReplayOptions& options,
                const Callback& result_callback) override {
    // NaN is not positive either.
    if (!(options.fast_forward > 0.0)) {
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
  // The bytes of the next record.
  Status ReadLocked(std::string* bytes) REQUIRES(mutex_) {
    if (!is_prepared_) return Status::Incomplete("Not prepared!");
    if (is_at_end_) return Status::Incomplete("Trace end.");
    Status s = reader_->Read(bytes);
    // The footer may be missing.
    if (s.IsIncomplete() || (s.ok() && bytes->size() >= kTraceRecordHeadBytes &&
                             (*bytes)[8] == kTraceEnd)) {
      is_at_end_ = true;
      return Status::Incomplete("Trace end.");
    }
    return s;
  }

  // What one thread does: the next record, until there is none or one failed.
  void RunAll(const ReplayOptions& options,
              std::chrono::steady_clock::time_point start,
              const Callback& callback) {
    for (;;) {
      std::unique_ptr<TraceRecord> record;
      Status s;
      if (!NextToRun(&record, &s)) return;
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

  // False: nothing is left to run. A record that was read and is of no type
  // that can be run is told of: it is null, and *told is NotSupported.
  bool NextToRun(std::unique_ptr<TraceRecord>* record, Status* told) {
    MutexLock lock(&mutex_);
    if (!outcome_.ok()) return false;
    std::string bytes;
    Status s = ReadLocked(&bytes);
    if (!s.ok()) {
      // A reader that fails once is not asked again, whatever its error is.
      if (!s.IsIncomplete()) outcome_ = s;
      return false;
    }
    *told = DecodeTraceRecord(bytes, version_, record);
    if (told->ok() || told->IsNotSupported()) return true;
    outcome_ = *told;
    return false;
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
  // The first failure of the replay.
  Status outcome_ GUARDED_BY(mutex_);
};

}  // namespace

Status NewTraceReplayer(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                        std::unique_ptr<TraceReader>&& reader,
                        std::unique_ptr<Replayer>* replayer) {
  if (replayer == nullptr) return Status::InvalidArgument("replayer is null");
  replayer->reset();
  if (db == nullptr || reader == nullptr) {
    return Status::InvalidArgument("a replayer needs a database and a reader");
  }
  if (std::count(handles.begin(), handles.end(), nullptr) > 0) {
    return Status::InvalidArgument("a column family handle is null");
  }
  *replayer = std::make_unique<TraceReplayer>(db, handles, std::move(reader));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
