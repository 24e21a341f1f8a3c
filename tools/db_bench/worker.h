// What a benchmark thread is given to work with.
//
// Threads    A Worker is confined to its thread. SharedState is common to the
//            threads of one run.
// Ownership  Borrows the databases and the shared state, which outlive it.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "rocksdb/write_batch.h"
#include "tools/db_bench/keys.h"
#include "tools/db_bench/pacer.h"
#include "tools/db_bench/random.h"
#include "tools/db_bench/stats.h"
#include "tools/db_bench/targets.h"
#include "tools/db_bench/timestamps.h"
#include "tools/db_bench/values.h"

namespace ROCKSDB_NAMESPACE::bench {

struct SharedState {
  SharedState(uint64_t write_rate, uint64_t read_rate)
      : write_pacer(write_rate), read_pacer(read_rate) {}

  Pacer write_pacer;  // In bytes.
  Pacer read_pacer;   // In operations.

  // Threads that are measured and have not ended; the background writer goes
  // on until there are none.
  std::atomic<int> measured_threads{0};

  // With which options the databases were opened.
  const Options* options = nullptr;
};

struct Worker {
  DB* db = nullptr;  // Null in benchmarks that use no database.
  Targets* targets = nullptr;
  SharedState* shared = nullptr;
  const std::vector<std::string>* existing_keys = nullptr;  // May be null.
  ValueShape value_shape;
  ReadOptions read_options;
  WriteOptions write_options;
  Random random{0};
  Stats stats{Stats::Context()};
  // This thread's number; the first thread has 0.
  int index = 0;

  // The numbers of the keys: [0, KeyCount()).
  uint64_t KeyCount() const;
  KeyBuffer MakeKeyBuffer() const;

  // Where the key of that number is.
  Target At(uint64_t number) { return targets->Pick(number, &random); }

  // The options of a read that begins now. Without timestamps they are
  // read_options; with them they point into this worker, until the next call.
  const ReadOptions& ReadsNow() {
    if (has_timestamps_) StampReads(&read_options);
    return read_options;
  }
  void StampReads(ReadOptions* options) {
    if (!has_timestamps_) return;
    read_stamp_ = StampToRead(&random);
    read_slice_ = read_stamp_.AsSlice();
    options->timestamp = &read_slice_;
  }

  Status Put(const Target& target, const Slice& key, const Slice& value);
  Status Delete(const Target& target, const Slice& key);
  Status SingleDelete(const Target& target, const Slice& key);
  Status Merge(const Target& target, const Slice& key, const Slice& operand);
  WriteBatch MakeBatch() const;
  Status Write(DB* database, const WriteOptions& options, WriteBatch* batch) {
    return has_timestamps_ ? WriteStamped(database, options, batch)
                           : database->Write(options, batch);
  }

  // Whether a read that ended with `s` ends the benchmark. With
  // --tolerate_io_errors_for_remote_dbs an I/O error is counted instead.
  bool EndsWith(const Status& s) {
    if (s.ok() || s.IsNotFound()) return false;
    return !IsTolerated(s);
  }

  // Waits for the turn to read `count` more entries; the time of no operation.
  void WaitToRead(uint64_t count) {
    if (!shared->read_pacer.is_limited()) return;
    shared->read_pacer.Wait(count);
    stats.SkipWait();
  }

 private:
  bool IsTolerated(const Status& s);
  Status WriteStamped(DB* database, const WriteOptions& options,
                      WriteBatch* batch);

  bool has_timestamps_ = HasTimestamps();
  Timestamp read_stamp_;
  Slice read_slice_;
};

// An iterator; with --explicit_snapshot, of a snapshot that it holds.
class Cursor {
 public:
  Cursor(Worker& worker, const Target& target, ReadOptions options);
  ~Cursor();
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  Iterator* operator->() const { return iterator_.get(); }
  Iterator* get() const { return iterator_.get(); }

 private:
  DB* const db_;
  const Snapshot* snapshot_ = nullptr;
  std::unique_ptr<Iterator> iterator_;
};

// Says when a benchmark has done enough: after a number of operations, or
// after --duration seconds if those are given and allowed.
class Budget {
 public:
  enum class Limit { kOperations, kOperationsOrDuration };

  Budget(uint64_t operations, Limit limit);

  // Whether `count` more operations are to be done; they count as done.
  bool Take(uint64_t count) {
    if (seconds_ == 0) {
      if (done_ >= operations_) return false;
      done_ += count;
      return true;
    }
    done_ += count;
    return done_ < next_look_ || StillHasTime();
  }
  uint64_t done() const { return done_; }

 private:
  bool StillHasTime();

  const uint64_t operations_;
  const int64_t seconds_;
  const std::chrono::steady_clock::time_point start_;
  uint64_t done_ = 0;
  uint64_t next_look_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench
