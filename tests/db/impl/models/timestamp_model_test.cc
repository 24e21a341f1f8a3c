// Random operations on keys with timestamps, under options of several shapes,
// are read as a model reads them.
#include "tests/db/impl/models/timestamp_model.h"

#include "rocksdb/slice_transform.h"
#include "tests/testing/scale.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TimestampShapes : public TimestampModel {
 protected:
  void SetUpShape(const TimestampShape& shape, uint64_t seed) {
    Begin(shape, seed);
    options_.write_buffer_size = 64 << 10;
    options_.target_file_size_base = 8 << 10;
    options_.max_bytes_for_level_base = 32 << 10;
    options_.level0_file_num_compaction_trigger = 2;
    options_.max_subcompactions = 3;
    options_.max_sequential_skip_in_iterations = 2;
    options_.paranoid_file_checks = true;
    if (shape.is_universal) {
      options_.compaction_style = kCompactionStyleUniversal;
    }
    if (shape.has_blobs) {
      options_.enable_blob_files = true;
      options_.min_blob_size = 30;
      options_.enable_blob_garbage_collection = true;
      options_.blob_garbage_collection_age_cutoff = 0.7;
    }
    if (shape.is_in_memory) {
      options_.allow_concurrent_memtable_write = false;
      options_.max_write_buffer_number = 4;
      options_.write_buffer_size = 16 << 10;
    }
    BlockBasedTableOptions table;
    table.block_size = 256;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    if (shape.has_prefixes) {
      table.whole_key_filtering = false;
      options_.prefix_extractor.reset(NewFixedPrefixTransform(5));
    }
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    Open();
  }

  void Run(const TimestampShape& shape, uint64_t seed) {
    for (uint64_t round = 0; round < TestScale(); ++round) {
      path_ = directory_.path() + "/db" + std::to_string(round);
      ASSERT_NO_FATAL_FAILURE(RunOnce(shape, seed + 100 * round));
    }
  }

  void RunOnce(const TimestampShape& shape, uint64_t seed) {
    SCOPED_TRACE(shape.name);
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(SetUpShape(shape, seed));
    for (int i = 0; i < 2400; ++i) {
      ASSERT_NO_FATAL_FAILURE(Step());
      if (i % 150 != 149) continue;
      ASSERT_NO_FATAL_FAILURE(Check());
    }
    ReleaseSnapshots();
    ASSERT_OK(CompactAll(/*force=*/true));
    ASSERT_NO_FATAL_FAILURE(Check());
    Reopen();
    ASSERT_NO_FATAL_FAILURE(Check());
  }
};

TEST_F(TimestampShapes, Plain) { Run({.name = "plain"}, 1); }
TEST_F(TimestampShapes, Reversed) {
  Run({.name = "reversed", .is_reversed = true}, 2);
}
TEST_F(TimestampShapes, AllVersions) {
  Run({.name = "versions", .has_merges = false}, 3);
}
TEST_F(TimestampShapes, AllVersionsReversed) {
  Run({.name = "reversed", .is_reversed = true, .has_merges = false}, 4);
}
TEST_F(TimestampShapes, NothingGoes) {
  Run({.name = "no history", .has_merges = false, .has_history = false}, 5);
}
TEST_F(TimestampShapes, Blobs) {
  Run({.name = "blobs", .has_merges = true, .has_blobs = true}, 6);
}
TEST_F(TimestampShapes, InMemory) {
  Run({.name = "in memory", .is_in_memory = true}, 8);
}
TEST_F(TimestampShapes, InMemoryReversed) {
  Run({.name = "in memory, reversed",
       .is_reversed = true,
       .has_merges = false,
       .is_in_memory = true},
      9);
}
TEST_F(TimestampShapes, InMemoryBlobs) {
  Run({.name = "in memory, blobs", .has_blobs = true, .is_in_memory = true},
      10);
}
TEST_F(TimestampShapes, InMemoryUniversal) {
  Run({.name = "in memory, universal",
       .has_merges = false,
       .has_history = false,
       .is_universal = true,
       .has_prefixes = true,
       .is_in_memory = true},
      11);
}
TEST_F(TimestampShapes, UniversalWithPrefixes) {
  Run({.name = "universal", .is_universal = true, .has_prefixes = true}, 7);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
