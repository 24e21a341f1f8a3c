// One list of random operations under option sets that are drawn from the
// option rows: every set gives the same history, and what is left is read alike
// by the stock tools where they know the format.
#include <sstream>

#include "options/random_options.h"
#include "tests/db/impl/model_run.h"
#include "tests/testing/scale.h"
#include "tests/testing/shell.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Option sets; each runs the same operations.
constexpr uint64_t kSets = 12;
constexpr int kMetamorphicOperations = 5000;

class Metamorphic : public DbFixture,
                    public ::testing::WithParamInterface<uint64_t> {
 protected:
  // Set 0 is the default.
  void DrawOptions(uint64_t seed) {
    Random64 random(seed);
    BlockBasedTableOptions table;
    options_ = Options();
    // FIFO among them, with room for all that is written.
    if (seed % 4 == 2) options_.compaction_style = kCompactionStyleUniversal;
    if (seed % 4 == 3) options_.compaction_style = kCompactionStyleFIFO;
    if (seed > 0) {
      RandomizeRunnableOptions(3, &random, {&options_, &options_, &table});
    }
    options_.create_if_missing = true;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    // Small, so that there are levels; what time does is not compared.
    options_.write_buffer_size = 64 << 10;
    options_.target_file_size_base = 32 << 10;
    options_.max_bytes_for_level_base = 64 << 10;
    options_.level0_file_num_compaction_trigger = 2;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    is_read_by_stock_ = table.format_version <= 5;
  }

  void RunOperations(Model* model) {
    Random64 random(7);
    ModelRun run(db_.get(), 8, model);
    const Snapshot* snapshot = nullptr;
    Model at_snapshot;
    for (int i = 0; i < kMetamorphicOperations; ++i) {
      ASSERT_OK(run.Step());
      if (random.OneIn(300)) ASSERT_OK(Flush());
      if (random.OneIn(1500)) ASSERT_OK(CompactAll(random.OneIn(2)));
      if (i == kMetamorphicOperations / 2) {
        snapshot = db_->GetSnapshot();
        at_snapshot = *model;
      }
    }
    ASSERT_NO_FATAL_FAILURE(run.Check(*model, nullptr));
    ASSERT_NO_FATAL_FAILURE(run.Check(at_snapshot, snapshot));
    db_->ReleaseSnapshot(snapshot);
  }

  // Without a merge operator of ours, the stock tools read what has none.
  void CompareWithStock(const Model& model) {
    if (!is_read_by_stock_ || !HasProgram("ldb")) return;
    ASSERT_OK(CompactAll(/*force=*/true));
    db_.reset();
    int status = 0;
    const std::string text = RunShell(
        "ldb --ignore_unknown_options --db=" + path_ + " scan", &status);
    if (status != 0) {
      // A codec or a property that the stock build lacks.
      printf("stock does not read set %d\n", static_cast<int>(GetParam()));
      return;
    }
    std::istringstream lines(text);
    std::string line;
    auto expected = model.begin();
    while (std::getline(lines, line)) {
      size_t at = line.find(" ==> ");
      size_t width = 5;
      if (at == std::string::npos) {
        at = line.find(" : ");
        width = 3;
      }
      if (at == std::string::npos) continue;
      ASSERT_NE(expected, model.end()) << line;
      ASSERT_EQ(line.substr(0, at), expected->first);
      ASSERT_EQ(line.substr(at + width), expected->second.first);
      ++expected;
    }
    ASSERT_EQ(expected, model.end());
  }

  bool is_read_by_stock_ = false;
};

TEST_P(Metamorphic, EveryOptionSetGivesOneHistory) {
  for (uint64_t scale = 0; scale < TestScale(); ++scale) {
    const uint64_t seed = GetParam() + scale * kSets;
    SCOPED_TRACE("option set " + std::to_string(seed));
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
    DrawOptions(seed);
    ASSERT_NO_FATAL_FAILURE(Open());
    Model model;
    ASSERT_NO_FATAL_FAILURE(RunOperations(&model));
    Reopen();
    ModelRun again(db_.get(), 9, &model);
    ASSERT_NO_FATAL_FAILURE(again.Check(model, nullptr));
    ASSERT_NO_FATAL_FAILURE(CompareWithStock(model));
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, Metamorphic,
                         ::testing::Range<uint64_t>(0, kSets));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
