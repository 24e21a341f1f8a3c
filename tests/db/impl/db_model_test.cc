// Random operations against an ordered map: whatever is flushed, compacted or
// reopened in between, every read answers as the map does.
#include <map>

#include "rocksdb/slice_transform.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Model = std::map<std::string, std::string>;

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
    {"several memtables, mmap",
     [](Options* o) {
       SmallTree(o);
       o->max_write_buffer_number = 4;
       o->min_write_buffer_number_to_merge = 2;
       o->allow_mmap_reads = true;
     }},
};

class ModelRun {
 public:
  ModelRun(DB* db, uint64_t seed, Model* model)
      : db_(db), random_(seed), model_(model) {}

  std::string Key() {
    return "key" + std::to_string(1000 + random_.Uniform(600));
  }
  std::string Value() {
    return std::string(random_.Uniform(200), 'a' + char(random_.Uniform(26))) +
           std::to_string(random_.Next() % 1000);
  }

  Status Step() {
    const WriteOptions options;
    const std::string key = Key();
    switch (random_.Uniform(20)) {
      case 0:
        return RangeDelete();
      case 1:
      case 2:
      case 3: {
        model_->erase(key);
        return db_->Delete(options, key);
      }
      case 4:
      case 5: {
        const std::string operand = "m" + Value();
        const auto [at, is_new] = model_->emplace(key, operand);
        if (!is_new) at->second += "," + operand;
        return db_->Merge(options, key, operand);
      }
      case 6:
        return Batch();
      default: {
        const std::string value = "v" + Value();
        (*model_)[key] = value;
        return db_->Put(options, key, value);
      }
    }
  }

  // Every kind of read.
  void Check(const Model& model, const Snapshot* snapshot) {
    ReadOptions options;
    options.snapshot = snapshot;
    const std::unique_ptr<Iterator> it(db_->NewIterator(options));
    auto expected = model.begin();
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++expected) {
      ASSERT_NE(expected, model.end()) << it->key().ToString();
      ASSERT_EQ(it->key().ToString(), expected->first);
      ASSERT_EQ(it->value().ToString(), expected->second) << expected->first;
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(expected, model.end());
    auto backward = model.rbegin();
    for (it->SeekToLast(); it->Valid(); it->Prev(), ++backward) {
      ASSERT_NE(backward, model.rend());
      ASSERT_EQ(it->key().ToString(), backward->first);
      ASSERT_EQ(it->value().ToString(), backward->second);
    }
    ASSERT_EQ(backward, model.rend());
    CheckSeeks(model, it.get());
    CheckLookups(model, options);
  }

 private:
  Status RangeDelete() {
    std::string begin = Key(), end = Key();
    if (end < begin) std::swap(begin, end);
    model_->erase(model_->lower_bound(begin), model_->lower_bound(end));
    return db_->DeleteRange(WriteOptions(), begin, end);
  }

  Status Batch() {
    WriteBatch batch;
    for (int i = 0; i < 5; ++i) {
      const std::string key = Key(), value = "b" + Value();
      Status s = batch.Put(key, value);
      if (!s.ok()) return s;
      (*model_)[key] = value;
    }
    return db_->Write(WriteOptions(), &batch);
  }

  void CheckSeeks(const Model& model, Iterator* it) {
    for (int i = 0; i < 20; ++i) {
      const std::string target = Key() + (random_.OneIn(2) ? "" : "x");
      it->Seek(target);
      auto at = model.lower_bound(target);
      ASSERT_EQ(it->Valid(), at != model.end()) << target;
      // A walk that turns now and then.
      for (int step = 0; step < 8 && it->Valid(); ++step) {
        ASSERT_EQ(it->key().ToString(), at->first);
        ASSERT_EQ(it->value().ToString(), at->second);
        if (random_.OneIn(2)) {
          it->Next();
          ++at;
        } else {
          it->Prev();
          if (at == model.begin()) {
            ASSERT_FALSE(it->Valid());
            break;
          }
          --at;
        }
        ASSERT_EQ(it->Valid(), at != model.end());
      }
      it->SeekForPrev(target);
      auto after = model.upper_bound(target);
      ASSERT_EQ(it->Valid(), after != model.begin()) << target;
      if (it->Valid()) {
        ASSERT_EQ(it->key().ToString(), std::prev(after)->first);
      }
    }
  }

  void CheckLookups(const Model& model, const ReadOptions& options) {
    std::vector<std::string> names;
    for (int i = 0; i < 50; ++i) names.push_back(Key());
    const std::vector<Slice> keys(names.begin(), names.end());
    std::vector<std::string> values;
    const std::vector<Status> statuses = db_->MultiGet(options, keys, &values);
    for (size_t i = 0; i < names.size(); ++i) {
      std::string value;
      const Status s = db_->Get(options, names[i], &value);
      const auto expected = model.find(names[i]);
      ASSERT_EQ(s.ok(), expected != model.end()) << names[i] << s.ToString();
      ASSERT_EQ(statuses[i].ok(), s.ok()) << statuses[i].ToString();
      if (!s.ok()) continue;
      ASSERT_EQ(value, expected->second) << names[i];
      ASSERT_EQ(values[i], value);
    }
  }

  DB* db_;
  Random64 random_;
  Model* model_;
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
