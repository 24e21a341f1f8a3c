// Records what users ask of a database, as long as somebody traces it.
//
// Cost       Nobody does: one relaxed load for an operation.
// Threads    Any. Records are written one at a time, under a lock of its own,
//            so an application's TraceWriter must not use the database.
// Errors     The first one of the writer ends the trace, and nobody else hears
//            of it before End(): operations go on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/trace_record.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class SystemClock;
class TraceWriter;

class QueryTracer {
 public:
  // `clock` outlives it.
  explicit QueryTracer(SystemClock* clock);
  // Ends a trace that runs.
  ~QueryTracer();
  QueryTracer(const QueryTracer&) = delete;
  QueryTracer& operator=(const QueryTracer&) = delete;

  // Ends one that runs, and begins another.
  Status Start(const TraceOptions& options,
               std::unique_ptr<TraceWriter>&& writer) EXCLUDES(mutex_);
  // IOError: there is none. Incomplete: its writer has failed.
  Status End() EXCLUDES(mutex_);

  // relaxed: what runs beside Start() or End() may be in the trace or not.
  bool is_on() const { return mode() != Mode::kOff; }
  // Writes are recorded by who makes them, before they have their turn, or by
  // who logs them, in the order of the log.
  bool wants_writes_as_made() const { return mode() == Mode::kOn; }
  bool wants_writes_as_logged() const { return mode() == Mode::kInWriteOrder; }

  // What is asked, if it belongs into the trace. `batch`: as encoded.
  void Write(const Slice& batch) EXCLUDES(mutex_);
  void Get(uint32_t family, const Slice& key) EXCLUDES(mutex_);
  // family_of(i) is that of keys[i].
  template <class FamilyOf>
  void MultiGet(size_t count, const FamilyOf& family_of, const Slice* keys)
      EXCLUDES(mutex_) {
    std::string families, text;
    for (size_t i = 0; i < count; ++i) {
      AppendLookup(family_of(i), keys[i], &families, &text);
    }
    RecordLookups(static_cast<uint32_t>(count), families, text);
  }
  // `type` is that of a seek; bounds that are null or empty are left out.
  void Seek(TraceType type, uint32_t family, const Slice& target,
            const ReadOptions& options) EXCLUDES(mutex_);

 private:
  enum class Mode { kOff, kOn, kInWriteOrder };

  Mode mode() const { return mode_.load(std::memory_order_relaxed); }
  static void AppendLookup(uint32_t family, const Slice& key,
                           std::string* families, std::string* keys);
  void RecordLookups(uint32_t count, const Slice& families, const Slice& keys)
      EXCLUDES(mutex_);
  template <class Encode>
  void Record(TraceType type, TraceFilterType kind, const Encode& encode)
      EXCLUDES(mutex_);
  bool IsWanted(TraceFilterType kind) REQUIRES(mutex_);
  void Append(uint64_t time, TraceType type, const Slice& payload)
      REQUIRES(mutex_);
  Status EndLocked() REQUIRES(mutex_);

  SystemClock* const clock_;
  std::atomic<Mode> mode_{Mode::kOff};
  Mutex mutex_;
  TraceOptions options_ GUARDED_BY(mutex_);
  std::unique_ptr<TraceWriter> writer_ GUARDED_BY(mutex_);  // null: no trace
  uint64_t operations_ GUARDED_BY(mutex_) = 0;  // that the filter has let pass
  Status error_ GUARDED_BY(mutex_);             // the writer's first error
};

// The seeks of one iterator. Without a tracer it records nothing.
class SeekTrace {
 public:
  SeekTrace() = default;
  SeekTrace(QueryTracer* tracer, uint32_t family)
      : tracer_(tracer), family_(family) {}

  void Seek(const Slice& target, const ReadOptions& options) const {
    Note(kTraceIteratorSeek, target, options);
  }
  void SeekForPrev(const Slice& target, const ReadOptions& options) const {
    Note(kTraceIteratorSeekForPrev, target, options);
  }

 private:
  void Note(TraceType type, const Slice& target,
            const ReadOptions& options) const {
    if (tracer_ != nullptr && tracer_->is_on()) [[unlikely]] {
      tracer_->Seek(type, family_, target, options);
    }
  }

  QueryTracer* tracer_ = nullptr;
  uint32_t family_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
