// Keys with timestamps under option sets drawn from the rows, one after the
// other on the same database: whatever set wrote the files, and whatever set
// reads them, every read is as of its time.
#include "tests/db/impl/models/drawn_options.h"
#include "tests/db/impl/models/timestamp_model.h"
#include "tests/testing/scale.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Databases, and the sets that each is opened with: 200 sets a run.
constexpr uint64_t kTimestampDatabases = 50;
constexpr uint64_t kTimestampSetsEach = 4;
constexpr int kTimestampOperations = 300;
const TestSeeds kTimestampSeeds(0, kTimestampDatabases);

class TimestampSets : public TimestampModel,
                      public ::testing::WithParamInterface<uint64_t> {
 protected:
  void DrawRead(const Moment& moment, ReadOptions* read) override {
    ReadOptions drawn = DrawReadOptions(&*reads_, moment.snapshot);
    drawn.timestamp = read->timestamp;
    // Iterators that follow what is written have no time of their own.
    drawn.tailing = false;
    drawn.allow_unprepared_value = false;
    *read = drawn;
  }

  // What a database keeps as it began with.
  static TimestampShape DrawShape(Random64* random) {
    TimestampShape shape{.name = "drawn"};
    shape.is_reversed = random->OneIn(3);
    shape.has_merges = random->OneIn(2);
    shape.has_history = random->OneIn(2);
    shape.is_in_memory = random->OneIn(4);
    return shape;
  }
  void DrawSet(const TimestampShape& shape, uint64_t seed, bool is_universal) {
    Random64 random(seed);
    options_ =
        DrawOptions(&random, is_universal,
                    shape.is_reversed ? ReverseBytewiseComparatorWithU64Ts()
                                      : BytewiseComparatorWithU64Ts());
    options_.persist_user_defined_timestamps = !shape.is_in_memory;
    options_.preclude_last_level_data_seconds = 0;  // refused with them
    if (shape.is_in_memory) {
      options_.allow_concurrent_memtable_write = false;
      options_.unordered_write = false;
      options_.atomic_flush = false;
    }
  }

  void RunDatabase(uint64_t database) {
    path_ = directory_.path() + "/" + std::to_string(database);
    Random64 random(database + 1000);
    const TimestampShape shape = DrawShape(&random);
    reads_.emplace(database);
    Begin(shape, database);
    for (uint64_t set = 0; set < kTimestampSetsEach; ++set) {
      const uint64_t seed = database * kTimestampSetsEach + set;
      SCOPED_TRACE("option set " + std::to_string(seed));
      ReleaseSnapshots();
      DrawSet(shape, seed, /*is_universal=*/database % 4 == 3);
      ASSERT_NO_FATAL_FAILURE(Reopen());
      for (int i = 0; i < kTimestampOperations; ++i) {
        ASSERT_NO_FATAL_FAILURE(Step());
      }
      ASSERT_NO_FATAL_FAILURE(Check());
      ASSERT_OK(Flush());
      ASSERT_NO_FATAL_FAILURE(Check());
    }
    ReleaseSnapshots();
    db_.reset();
  }

 private:
  std::optional<Random64> reads_;
};

TEST_P(TimestampSets, EverySetReadsAsOfItsTime) {
  for (uint64_t scale = 0; scale < TestScale(); ++scale) {
    ASSERT_NO_FATAL_FAILURE(
        RunDatabase(GetParam() + scale * kTimestampDatabases));
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, TimestampSets,
                         ::testing::Range(kTimestampSeeds.begin,
                                          kTimestampSeeds.end));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
