// Power failure in every mode of writing, with logs that are written by calls
// and through a mapping: at every call of a scenario of one writer, and at
// random calls of several writers at once. Afterwards every write that was
// acknowledged as durable is there, each with all of its parts, and behind it a
// prefix of what the writer wrote later.
//
// Where writes go past the log, those are durable that were flushed; and unless
// families are flushed as one, each holds a prefix of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/db/impl/fault_world.h"
#include "tests/testing/scale.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kPlainMode = kDefaultColumnFamilyName;

enum class Log { kUsed, kLeftOut };

struct CrashMode {
  const char* name;
  void (*apply)(Options*);
  Log log = Log::kUsed;
  // A call that only this mode makes; it has to be among those that fail.
  const char* call = "";
};

const CrashMode kCrashModes[] = {
    {"Plain", [](Options*) {}},
    {"OneInserter",
     [](Options* o) { o->allow_concurrent_memtable_write = false; }},
    {"Pipelined", [](Options* o) { o->enable_pipelined_write = true; }},
    {"PipelinedOneInserter",
     [](Options* o) {
       o->enable_pipelined_write = true;
       o->allow_concurrent_memtable_write = false;
     }},
    {"Unordered", [](Options* o) { o->unordered_write = true; }},
    {"TwoQueues", [](Options* o) { o->two_write_queues = true; }},
    {"TwoQueuesOneInserter",
     [](Options* o) {
       o->two_write_queues = true;
       o->allow_concurrent_memtable_write = false;
     }},
    {"ManualFlush", [](Options* o) { o->manual_wal_flush = true; }},
    {"ManualFlushPipelined",
     [](Options* o) {
       o->manual_wal_flush = true;
       o->enable_pipelined_write = true;
     }},
    {"ManualFlushTwoQueues",
     [](Options* o) {
       o->manual_wal_flush = true;
       o->two_write_queues = true;
     }},
    {"BackgroundClose",
     [](Options* o) {
       o->background_close_inactive_wals = true;
       o->avoid_unnecessary_blocking_io = true;
     }},
    {"AtomicFlush", [](Options* o) { o->atomic_flush = true; }},
    {"LogInSteps", [](Options* o) { o->wal_bytes_per_sync = 256; }, Log::kUsed,
     "RangeSync"},
    {"Recycled", [](Options* o) { o->recycle_log_file_num = 2; }, Log::kUsed,
     "ReuseWritableFile"},
    {"RecycledPipelined",
     [](Options* o) {
       o->recycle_log_file_num = 2;
       o->enable_pipelined_write = true;
     },
     Log::kUsed, "ReuseWritableFile"},
    {"RecycledTwoQueues",
     [](Options* o) {
       o->recycle_log_file_num = 2;
       o->two_write_queues = true;
     },
     Log::kUsed, "ReuseWritableFile"},
    {"Compressed", [](Options* o) { o->wal_compression = kZSTD; }},
    {"CompressedRecycledInSteps",
     [](Options* o) {
       o->wal_compression = kZSTD;
       o->recycle_log_file_num = 2;
       o->wal_bytes_per_sync = 256;
     },
     Log::kUsed, "ReuseWritableFile"},
    {"NoLog", [](Options*) {}, Log::kLeftOut},
    {"NoLogPipelined", [](Options* o) { o->enable_pipelined_write = true; },
     Log::kLeftOut},
    {"NoLogTwoQueues", [](Options* o) { o->two_write_queues = true; },
     Log::kLeftOut},
    {"NoLogAtomicFlush", [](Options* o) { o->atomic_flush = true; },
     Log::kLeftOut},
};

// How logs are written, as far as the mode writes any by appending.
enum class Appends { kByCall, kMapped };

CrashOptions SurvivalOf(uint64_t seed) {
  constexpr int kPercents[] = {0, 50, 100, 10};
  return {.survival_percent = kPercents[seed % 4]};
}

class WriteModeCrash
    : public ::testing::TestWithParam<std::tuple<CrashMode, Appends>> {
 protected:
  static const CrashMode& mode() { return std::get<0>(GetParam()); }
  static bool is_mapped() {
    return std::get<1>(GetParam()) == Appends::kMapped;
  }

  static void Start(FaultWorld* world) {
    mode().apply(&world->options_);
    if (is_mapped()) world->fs_->MapLogs();
    if (mode().log == Log::kLeftOut) {
      world->history_.LeaveLogOut();
      if (!world->options_.atomic_flush) {
        world->history_.ExpectPrefixOfEachFamily();
      }
    }
    ASSERT_TRUE(world->Open().ok());
    ASSERT_TRUE(world->CreateFamily("b").ok());
    // Only what is more than 1 MiB behind the end is written back.
    if (world->options_.wal_bytes_per_sync > 0) {
      const std::string of_others(1, WriteHistory::kOfOthers);
      ASSERT_TRUE(
          world->db_
              ->Put(WriteOptions(), of_others, std::string(1100 << 10, 'v'))
              .ok());
    }
    // Logs to be used again.
    for (size_t i = 0; i < world->options_.recycle_log_file_num; ++i) {
      for (int n = 0; n < 20; ++n) ASSERT_TRUE(world->Write(kPlainMode).ok());
      ASSERT_TRUE(world->FlushAll().ok());
    }
  }
};

// --- One writer, every call

void WriteSome(FaultWorld* world, Log log) {
  const auto write = [world](const std::string& family, bool sync) {
    IgnoreError(world->Write(family, sync), "the device may be gone");
  };
  const auto sync_log = [world, log] {
    if (log == Log::kLeftOut) return;
    const Status s = world->db_->SyncWAL();
    if (s.ok()) world->history_.NoteAllDurable();
    IgnoreError(s, "the device may be gone");
  };
  for (int i = 0; i < 4; ++i) write(i % 2 == 0 ? kPlainMode : "b", false);
  // A record of several blocks, also of the log.
  WriteOptions options;
  options.disableWAL = log == Log::kLeftOut;
  IgnoreError(world->db_->Put(options, std::string(1, WriteHistory::kOfOthers),
                              std::string(40 << 10, 'v')),
              "the device may be gone");
  write("b", true);
  write(kPlainMode, false);
  // One family alone: the other's data are in the log only.
  const Status flushed = world->db_->Flush(FlushOptions(), world->Handle("b"));
  if (flushed.ok()) world->history_.NoteDurable("b");
  IgnoreError(flushed, "the device may be gone");
  for (int i = 0; i < 3; ++i) write(i % 2 == 0 ? kPlainMode : "b", false);
  sync_log();
  write("b", false);
  IgnoreError(world->db_->FlushWAL(/*sync=*/false), "the device may be gone");
  write(kPlainMode, true);
  IgnoreError(world->FlushAll(), "the device may be gone");
  write("b", false);
  write(kPlainMode, false);
}

TEST_P(WriteModeCrash, AtEveryCall) {
  bool struck = true;
  bool struck_own_call = false;
  bool struck_store = false;
  uint64_t k = 1;
  // A call that only this mode makes is seldom.
  const uint64_t step = *mode().call == '\0' ? TestShare() : 1;
  for (; struck; k += step) {
    SCOPED_TRACE("call " + std::to_string(k));
    ASSERT_LT(k, 2000u) << "the scenario never runs through";
    FaultWorld world(k, /*is_direct=*/k % 3 == 0, /*value_bytes=*/300);
    ASSERT_NO_FATAL_FAILURE(Start(&world));
    world.fs_->FailCall(
        {.call = k,
         .kind = k % 2 == 0 ? FaultKind::kIOError : FaultKind::kShort,
         .is_permanent = true});
    WriteSome(&world, mode().log);
    struck = world.fs_->failed();
    const std::string call = world.fs_->failed_call();
    struck_own_call |= call.find(mode().call) != std::string::npos;
    struck_store |= call.find("Store") != std::string::npos;
    IgnoreError(world.Close(), "a crash follows");
    ASSERT_TRUE(world.fs_->CrashAndHeal(SurvivalOf(k)).ok());
    const Status s = world.Open();
    ASSERT_TRUE(s.ok()) << s.ToString();
    ASSERT_EQ(world.Check(/*is_live=*/false), "");
    // And it can be written to.
    world.history_.TakeOver();
    ASSERT_TRUE(world.Write("b", /*sync=*/true).ok());
    ASSERT_EQ(world.Check(/*is_live=*/true), "");
  }
  EXPECT_GT(k, 20u);
  EXPECT_TRUE(struck_own_call) << "no " << mode().call;
  EXPECT_EQ(struck_store, is_mapped());
}

// --- Several writers

// A writer's n-th write puts n under its name into one family, and a key of
// its own into the other, in one batch.
class Writer {
 public:
  Writer(FaultWorld* world, int id, Log log)
      : world_(*world), id_(id), log_(log) {}

  void Run(int count) {
    Random64 random(static_cast<uint64_t>(id_) + 1);
    for (int n = 1; n <= count; ++n) {
      WriteOptions options;
      options.disableWAL = log_ == Log::kLeftOut;
      options.sync = !options.disableWAL && random.OneIn(5);
      WriteBatch batch;
      Status s = batch.Put(world_.Handle(kPlainMode), Name(),
                           std::to_string(n) + std::string(500, 'v'));
      if (s.ok()) s = batch.Put(world_.Handle("b"), KeyOf(n), "");
      if (s.ok()) s = world_.db_->Write(options, &batch);
      last_tried_ = n;
      if (!s.ok()) return;
      // What is behind it in the log is durable with it.
      if (options.sync) durable_ = n;
      if (!options.sync && random.OneIn(20) && Save().ok()) durable_ = n;
    }
  }

  // What is wrong with what the database holds; empty if nothing.
  std::string Check() const {
    std::string value;
    Status s = world_.db_->Get(ReadOptions(), world_.Handle(kPlainMode), Name(),
                               &value);
    if (!s.ok() && !s.IsNotFound()) return s.ToString();
    const int last = s.ok() ? std::stoi(value) : 0;
    const std::string where = Name() + ": the last of " +
                              std::to_string(last_tried_) + " is " +
                              std::to_string(last);
    if (last < durable_) {
      return where + ", durable are " + std::to_string(durable_);
    }
    if (last > last_tried_) return where;
    int count = 0;
    for (int n = 1; n <= last_tried_; ++n) {
      s = world_.db_->Get(ReadOptions(), world_.Handle("b"), KeyOf(n), &value);
      if (s.IsNotFound()) continue;
      if (!s.ok()) return where + ", of another: " + s.ToString();
      if (++count != n)
        return where + ", one before " + std::to_string(n) + " is not there";
    }
    if (count < durable_ || (AreFamiliesOne() && count != last)) {
      return where + ", the other family has " + std::to_string(count);
    }
    return "";
  }

 private:
  std::string Name() const { return "writer" + std::to_string(id_); }
  std::string KeyOf(int n) const { return Name() + "." + std::to_string(n); }
  bool AreFamiliesOne() const {
    return log_ == Log::kUsed || world_.options_.atomic_flush;
  }
  Status Save() {
    return log_ == Log::kUsed
               ? world_.db_->FlushWAL(/*sync=*/true)
               : world_.db_->Flush(FlushOptions(), world_.handles_);
  }

  FaultWorld& world_;
  const int id_;
  const Log log_;
  int last_tried_ = 0;
  int durable_ = 0;
};

TEST_P(WriteModeCrash, WithWritersAtOnce) {
  constexpr int kWriters = 3;
  constexpr int kWrites = 60;
  const uint64_t runs = 40 * TestScale() / TestShare();
  for (uint64_t seed = 1; seed <= runs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random64 random(seed);
    FaultWorld world(seed, /*is_direct=*/false, /*value_bytes=*/100);
    world.options_.write_buffer_size = 64 << 10;
    world.options_.max_write_buffer_number = 3;
    ASSERT_NO_FATAL_FAILURE(Start(&world));
    world.fs_->FailCall(
        {.call = 1 + random.Uniform(200),
         .kind = random.OneIn(2) ? FaultKind::kIOError : FaultKind::kShort,
         .is_permanent = true});
    std::vector<Writer> writers;
    for (int i = 0; i < kWriters; ++i) {
      writers.emplace_back(&world, i, mode().log);
    }
    std::vector<std::thread> threads;
    for (Writer& writer : writers) {
      threads.emplace_back([&writer] { writer.Run(kWrites); });
    }
    for (std::thread& thread : threads) thread.join();
    IgnoreError(world.Close(), "a crash follows");
    ASSERT_TRUE(world.fs_->CrashAndHeal(SurvivalOf(seed)).ok());
    const Status s = world.Open();
    ASSERT_TRUE(s.ok()) << s.ToString();
    for (const Writer& writer : writers) ASSERT_EQ(writer.Check(), "");
  }
}

std::string PairName(
    const ::testing::TestParamInfo<WriteModeCrash::ParamType>& info) {
  const bool is_mapped = std::get<1>(info.param) == Appends::kMapped;
  return std::get<0>(info.param).name + std::string(is_mapped ? "Mapped" : "");
}

std::vector<WriteModeCrash::ParamType> AllPairs() {
  std::vector<WriteModeCrash::ParamType> pairs;
  for (const CrashMode& mode : kCrashModes) {
    pairs.emplace_back(mode, Appends::kByCall);
    if (mode.log == Log::kUsed) pairs.emplace_back(mode, Appends::kMapped);
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Modes, WriteModeCrash, ::testing::ValuesIn(AllPairs()),
                         PairName);

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
