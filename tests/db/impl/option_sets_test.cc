// Option sets drawn from the rows, one after the other on the same database:
// whatever set wrote the files, and whatever set reads them, every read answers
// as an ordered map does.
#include "tests/db/impl/drawn_options.h"
#include "tests/db/impl/model_run.h"
#include "tests/testing/scale.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Databases, and the sets that each is opened with: 200 sets a run.
constexpr uint64_t kDatabases = 40;
constexpr uint64_t kSetsEach = 5;
constexpr int kOperations = 250;

class OptionSets : public DbFixture,
                   public ::testing::WithParamInterface<uint64_t> {
 protected:
  void RunSet(uint64_t seed, Model* model) {
    Random64 random(seed + 1);
    ModelRun run(db_.get(), seed, model);
    run.WriteEntities();
    const Snapshot* snapshot = nullptr;
    Model at_snapshot;
    for (int i = 0; i < kOperations; ++i) {
      ASSERT_OK(run.Step());
      if (random.OneIn(120)) ASSERT_OK(Flush());
      if (random.OneIn(400)) ASSERT_OK(CompactAll(random.OneIn(2)));
      if (i == kOperations / 2) {
        snapshot = db_->GetSnapshot();
        at_snapshot = *model;
      }
    }
    ASSERT_NO_FATAL_FAILURE(
        run.CheckOnce(*model, DrawReadOptions(&random, nullptr)));
    ASSERT_NO_FATAL_FAILURE(
        run.CheckOnce(at_snapshot, DrawReadOptions(&random, snapshot)));
    db_->ReleaseSnapshot(snapshot);
  }
};

TEST_P(OptionSets, EverySetReadsAsTheModelDoes) {
  for (uint64_t scale = 0; scale < TestScale(); ++scale) {
    const uint64_t database = GetParam() + scale * kDatabases;
    db_.reset();
    path_ = directory_.path() + "/" + std::to_string(database);
    Model model;
    for (uint64_t set = 0; set < kSetsEach; ++set) {
      const uint64_t seed = database * kSetsEach + set;
      SCOPED_TRACE("option set " + std::to_string(seed));
      Random64 random(seed);
      options_ = DrawOptions(&random, /*is_universal=*/database % 4 == 3);
      ASSERT_NO_FATAL_FAILURE(Reopen());
      ASSERT_NO_FATAL_FAILURE(RunSet(seed, &model));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, OptionSets,
                         ::testing::Range<uint64_t>(0, kDatabases));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
