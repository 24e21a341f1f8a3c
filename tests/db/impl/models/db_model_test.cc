// Random operations against an ordered map: whatever is flushed, compacted or
// reopened in between, every read answers as the map does.
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "tests/db/impl/model_run.h"
#include "tests/memtable/set_rep.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct Setting {
  const char* name;
  void (*apply)(Options* options);
};

void SmallTree(Options* options) {
  options->write_buffer_size = 64 << 10;
  options->target_file_size_base = 32 << 10;
  options->max_bytes_for_level_base = 64 << 10;
  options->level0_file_num_compaction_trigger = 2;
}

void UseBlobs(Options* options) {
  options->enable_blob_files = true;
  options->min_blob_size = 50;
  options->blob_file_size = 16 << 10;
  options->enable_blob_garbage_collection = true;
  options->blob_garbage_collection_force_threshold = 0.4;
}

const Setting kSettings[] = {
    {"small tree", &SmallTree},
    {"static levels",
     [](Options* o) {
       SmallTree(o);
       o->level_compaction_dynamic_level_bytes = false;
     }},
    {"direct compaction reads and writes",
     [](Options* o) {
       SmallTree(o);
       o->use_direct_io_for_compaction_reads = true;
       o->use_direct_io_for_flush_and_compaction = true;
     }},
    {"uncached compaction reads and writes",
     [](Options* o) {
       SmallTree(o);
       o->compaction_read_access = FileAccess::kUncached;
       o->compaction_write_access = FileAccess::kUncached;
     }},
    {"direct reads",
     [](Options* o) {
       SmallTree(o);
       o->use_direct_reads = true;
     }},
    {"sub-compactions, few open files",
     [](Options* o) {
       SmallTree(o);
       o->max_subcompactions = 4;
       o->max_open_files = 20;
       o->use_direct_io_for_compaction_reads = true;
     }},
    {"filters and index in the cache, format 5",
     [](Options* o) {
       SmallTree(o);
       BlockBasedTableOptions table;
       table.filter_policy.reset(NewBloomFilterPolicy(10));
       table.cache_index_and_filter_blocks = true;
       table.format_version = 5;
       table.block_size = 512;
       table.block_cache = NewLRUCache(64 << 10);
       o->table_factory.reset(NewBlockBasedTableFactory(table));
     }},
    {"blob files, collected",
     [](Options* o) {
       SmallTree(o);
       UseBlobs(o);
     }},
    {"compressed blob files, cached, read directly",
     [](Options* o) {
       SmallTree(o);
       UseBlobs(o);
       o->blob_compression_type = kZSTD;
       o->blob_cache = NewLRUCache(32 << 10);
       o->prepopulate_blob_cache = PrepopulateBlobCache::kFlushOnly;
       o->use_direct_io_for_compaction_reads = true;
       o->use_direct_io_for_flush_and_compaction = true;
       o->max_subcompactions = 3;
       o->max_open_files = 20;
     }},
    {"blob files below level 0, read ahead",
     [](Options* o) {
       SmallTree(o);
       UseBlobs(o);
       o->blob_file_starting_level = 1;
       o->blob_compaction_readahead_size = 64 << 10;
       o->blob_garbage_collection_age_cutoff = 1;
       o->paranoid_file_checks = true;
     }},
    {"memtables that are vectors",
     [](Options* o) {
       SmallTree(o);
       o->memtable_factory = std::make_shared<VectorRepFactory>(100);
     }},
    {"memtables of the application",
     [](Options* o) {
       SmallTree(o);
       o->allow_concurrent_memtable_write = false;
       o->memtable_factory =
           std::make_shared<SetRepFactory>(std::make_shared<SetRepLog>());
     }},
    {"memtables with buckets of trees",
     [](Options* o) {
       SmallTree(o);
       o->prefix_extractor.reset(NewFixedPrefixTransform(4));
       o->memtable_factory.reset(NewHashSkipListRepFactory(50));
     }},
    {"memtables with buckets of lists",
     [](Options* o) {
       SmallTree(o);
       o->prefix_extractor.reset(NewFixedPrefixTransform(4));
       o->memtable_factory.reset(NewHashLinkListRepFactory(50));
     }},
    {"memtables with filters",
     [](Options* o) {
       SmallTree(o);
       o->prefix_extractor.reset(NewFixedPrefixTransform(4));
       o->memtable_prefix_bloom_size_ratio = 0.02;
       o->memtable_whole_key_filtering = true;
       o->bloom_locality = 1;
     }},
    {"hints of where entries belong",
     [](Options* o) {
       SmallTree(o);
       o->memtable_insert_with_hint_prefix_extractor.reset(
           NewFixedPrefixTransform(4));
     }},
    {"merges resolved when they are written",
     [](Options* o) {
       SmallTree(o);
       o->max_successive_merges = 1;
       o->strict_max_successive_merges = true;
     }},
    {"memtables that check what they hold",
     [](Options* o) {
       SmallTree(o);
       o->memtable_protection_bytes_per_key = 4;
       o->memtable_verify_per_key_checksum_on_seek = true;
       o->paranoid_memory_checks = true;
     }},
    {"scans that seek past versions",
     [](Options* o) {
       SmallTree(o);
       UseBlobs(o);
       o->max_sequential_skip_in_iterations = 0;
     }},
    {"several memtables, mmap",
     [](Options* o) {
       SmallTree(o);
       o->max_write_buffer_number = 4;
       o->min_write_buffer_number_to_merge = 2;
       o->allow_mmap_reads = true;
     }},
};

class DbModelTest : public DbFixture,
                    public ::testing::WithParamInterface<Setting> {};

TEST_P(DbModelTest, ReadsAnswerAsTheModelDoes) {
  GetParam().apply(&options_);
  options_.merge_operator = NewStringAppendOperator(",");
  Model model;
  Random64 random(301);
  for (int round = 0; round < 6; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    Reopen();
    ModelRun run(db_.get(), 1000 + round, &model);
    run.WriteEntities();
    const Snapshot* snapshot = nullptr;
    Model at_snapshot;
    for (int i = 0; i < 2500; ++i) {
      ASSERT_OK(run.Step());
      if (random.OneIn(400)) ASSERT_OK(Flush());
      if (random.OneIn(1200)) ASSERT_OK(CompactAll(random.OneIn(2)));
      if (i == 1000) {
        snapshot = db_->GetSnapshot();
        at_snapshot = model;
      }
    }
    ASSERT_NO_FATAL_FAILURE(run.Check(model, nullptr));
    ASSERT_NO_FATAL_FAILURE(run.Check(at_snapshot, snapshot));
    ASSERT_OK(CompactAll());
    ASSERT_NO_FATAL_FAILURE(run.Check(at_snapshot, snapshot));
    db_->ReleaseSnapshot(snapshot);
    ASSERT_OK(CompactAll(/*force=*/true));
    ASSERT_NO_FATAL_FAILURE(run.Check(model, nullptr));
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, DbModelTest, ::testing::ValuesIn(kSettings),
                         [](const auto& info) {
                           return "Setting" + std::to_string(info.index);
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
