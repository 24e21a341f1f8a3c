// engine_counters: what the counters of an engine say of a fixed workload.
//
//   engine_counters DIR         runs the workload in databases below DIR
//
// Prints a line for each counter that a step has moved:
//   step TAB counter TAB value
// Counters are fields of the PerfContext (perf:), also by level (with @N), and
// of the IOStatsContext (io:), tickers (ticker:) and histograms (histogram:,
// the number of values and, unless they are times, their sum). Of times it
// prints only that they have moved: "+". Last come the counters that there are,
// moved or not, in lines of the same kind: the step "names" with no value.
//
// One thread works, and each step waits for the background work that it has
// caused, so that most counts are the same each time. The program uses the
// public interface alone, so it can be built against any engine that has it.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/iostats_context.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/wide_columns.h"
#include "rocksdb/write_batch.h"
#include "tools/common/exit_status.h"

namespace ROCKSDB_NAMESPACE::engine_counters {

namespace {

[[noreturn]] void Die(const char* what, const Status& status) {
  fprintf(stderr, "%s: %s\n", what, status.ToString().c_str());
  exit(1);
}

void Must(const Status& status) {
  if (!status.ok()) Die("the workload failed", status);
}

// Joins what is merged with commas.
class JoinOperator final : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice& /*key*/, const Slice* existing, const Slice& value,
             std::string* result, Logger* /*logger*/) const override {
    if (existing != nullptr) *result = existing->ToString() + ",";
    result->append(value.data(), value.size());
    return true;
  }
  const char* Name() const override { return "JoinOperator"; }
};

// --- What is counted

using Counts = std::map<std::string, uint64_t>;

bool IsTime(const std::string& name) {
  for (const char* unit : {"_time", "nanos", "micros"}) {
    if (name.find(unit) != std::string::npos) return true;
  }
  return false;
}

// Takes "name = value, ..." apart, as the contexts print themselves.
void AddContext(const std::string& prefix, const std::string& text,
                Counts* counts) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(", ", at), text.size());
    const size_t equals = text.find(" = ", at);
    (*counts)[prefix + text.substr(at, equals - at)] =
        std::stoull(text.substr(equals + 3, end - equals - 3));
    at = end + 2;
  }
}

void AddLevels(const PerfContext& perf, Counts* counts) {
  constexpr struct {
    const char* name;
    uint64_t PerfContextByLevel::*field;
  } kFields[] = {
      {"bloom_filter_useful", &PerfContextByLevel::bloom_filter_useful},
      {"bloom_filter_full_positive",
       &PerfContextByLevel::bloom_filter_full_positive},
      {"bloom_filter_full_true_positive",
       &PerfContextByLevel::bloom_filter_full_true_positive},
      {"user_key_return_count", &PerfContextByLevel::user_key_return_count},
      {"get_from_table_nanos", &PerfContextByLevel::get_from_table_nanos},
      {"block_cache_hit_count", &PerfContextByLevel::block_cache_hit_count},
      {"block_cache_miss_count", &PerfContextByLevel::block_cache_miss_count},
  };
  for (const auto& [level, counted] : *perf.level_to_perf_context) {
    for (const auto& [name, field] : kFields) {
      (*counts)["perf:" + std::string(name) + "@" + std::to_string(level)] =
          counted.*field;
    }
  }
}

void AddStatistics(const Statistics& statistics, Counts* counts) {
  for (const auto& [ticker, name] : TickersNameMap) {
    (*counts)["ticker:" + name] = statistics.getTickerCount(ticker);
  }
  for (const auto& [histogram, name] : HistogramsNameMap) {
    HistogramData data;
    statistics.histogramData(histogram, &data);
    (*counts)["histogram:" + name] = data.count;
    if (!IsTime(name)) (*counts)["histogram:" + name + ".sum"] = data.sum;
  }
}

// --- The databases

class World {
 public:
  World(std::string directory, std::string name)
      : path_(std::move(directory) + "/" + name), name_(std::move(name)) {
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = true;
    options_.compression = kNoCompression;
    options_.statistics = CreateDBStatistics();
    options_.statistics->set_stats_level(StatsLevel::kAll);
    options_.merge_operator = std::make_shared<JoinOperator>();
    options_.db_host_id = "host";  // Files have it.
    options_.stats_dump_period_sec = 0;
    options_.stats_persist_period_sec = 0;
    table_.block_cache = NewLRUCache(32 << 20, /*num_shard_bits=*/0);
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
    table_.format_version = 5;
    table_.checksum = kXXH3;
  }
  ~World() { Close(); }

  Options& options() { return options_; }
  BlockBasedTableOptions& table() { return table_; }
  DB* db() { return db_.get(); }

  void Open() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
#if ROCKSDB_MAJOR >= 11
    Must(DB::Open(options_, path_, &db_));
#else
    DB* opened = nullptr;
    Must(DB::Open(options_, path_, &opened));
    db_.reset(opened);
#endif
  }
  void Close() { db_.reset(); }

  // Runs `work` and prints what has counted meanwhile.
  template <class Work>
  void Step(const std::string& step, const Work& work) {
    Counts before;
    AddStatistics(*options_.statistics, &before);
    PerfContext* const perf = get_perf_context();
    perf->Reset();
    perf->ClearPerLevelPerfContext();
    perf->EnablePerLevelPerfContext();
    get_iostats_context()->Reset();
    work();
    Counts after;
    AddLevels(*perf, &after);
    perf->DisablePerLevelPerfContext();
    AddContext("perf:", perf->ToString(/*exclude_zero_counters=*/true), &after);
    AddContext("io:", get_iostats_context()->ToString(true), &after);
    after.erase("io:thread_pool_id");
    WaitForBackground();
    AddStatistics(*options_.statistics, &after);
    for (const auto& [name, count] : after) {
      const auto old = before.find(name);
      const uint64_t moved = count - (old != before.end() ? old->second : 0);
      if (moved == 0) continue;
      const bool is_count = !IsTime(name) || name.starts_with("histogram:");
      printf("%s/%s\t%s\t%s\n", name_.c_str(), step.c_str(), name.c_str(),
             is_count ? std::to_string(moved).c_str() : "+");
    }
  }

  void Put(const std::string& key, const std::string& value) {
    Must(db_->Put(WriteOptions(), key, value));
  }
  void Get(const std::string& key) {
    std::string value;
    const Status s = db_->Get(ReadOptions(), key, &value);
    if (!s.IsNotFound()) Must(s);
  }
  void MultiGet(const std::vector<std::string>& keys) {
    const std::vector<Slice> slices(keys.begin(), keys.end());
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), keys.size(),
                  slices.data(), values.data(), statuses.data());
    for (const Status& s : statuses) {
      if (!s.IsNotFound()) Must(s);
    }
  }
  void ScanForward(const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
    }
    Must(it->status());
  }
  void ScanBackward(const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
    }
    Must(it->status());
  }
  void Seek(const std::string& target, const ReadOptions& read) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    it->Seek(target);
    Must(it->status());
  }
  void SeekForPrev(const std::string& target) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->SeekForPrev(target);
    Must(it->status());
  }
  void Flush() { Must(db_->Flush(FlushOptions())); }
  void Compact() {
    CompactRangeOptions compact;
    compact.bottommost_level_compaction =
        BottommostLevelCompaction::kForceOptimized;
    Must(db_->CompactRange(compact, nullptr, nullptr));
  }

 private:
  void WaitForBackground() {
    if (db_ == nullptr) return;
    for (const std::string& property :
         {DB::Properties::kNumRunningFlushes,
          DB::Properties::kNumRunningCompactions}) {
      uint64_t running = 1;
      while (db_->GetIntProperty(property, &running) && running > 0) {
        std::this_thread::yield();
      }
    }
  }

  const std::string path_;
  const std::string name_;
  Options options_;
  BlockBasedTableOptions table_;
  std::unique_ptr<DB> db_;
};

std::string Key(int number) {
  char text[16];
  snprintf(text, sizeof(text), "key%05d", number);
  return text;
}

std::string Value(int number, size_t size = 100) {
  return std::string(size, static_cast<char>('a' + number % 26));
}

// --- The workloads

// Puts keys [begin, end) at every `step`.
void PutKeys(World* world, int begin, int end, int step = 1) {
  for (int i = begin; i < end; i += step) world->Put(Key(i), Value(i));
}

// Hides some of the keys 0 to 99 by deletions of all kinds.
void HideKeys(World* world) {
  DB* const db = world->db();
  for (int i = 10; i < 20; ++i) Must(db->Delete(WriteOptions(), Key(i)));
  for (int i = 20; i < 25; ++i) Must(db->SingleDelete(WriteOptions(), Key(i)));
  Must(db->DeleteRange(WriteOptions(), db->DefaultColumnFamily(), Key(30),
                       Key(40)));
}

void MergeKeys(World* world, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    Must(world->db()->Merge(WriteOptions(), Key(i), "operand"));
  }
}

// The reads that every state of the tree is asked for.
void Read(World* world, const std::string& state) {
  const auto step = [&](const char* name, const auto& work) {
    world->Step(state + ": " + name, work);
  };
  step("get a value", [&] { world->Get(Key(50)); });
  step("get an overwritten one", [&] { world->Get(Key(3)); });
  step("get a deleted one", [&] { world->Get(Key(12)); });
  step("get a single-deleted one", [&] { world->Get(Key(22)); });
  step("get one in a deleted range", [&] { world->Get(Key(33)); });
  step("get a merged one", [&] { world->Get(Key(62)); });
  step("get none between", [&] { world->Get(Key(50) + "x"); });
  step("get none behind all", [&] { world->Get("zzz"); });
  step("get an entity", [&] {
    PinnableWideColumns columns;
    Must(world->db()->GetEntity(
        ReadOptions(), world->db()->DefaultColumnFamily(), Key(50), &columns));
  });
  step("get operands", [&] {
    GetMergeOperandsOptions most;
    most.expected_max_number_of_operands = 5;
    PinnableSlice operands[5];
    int count = 0;
    Must(world->db()->GetMergeOperands(ReadOptions(),
                                       world->db()->DefaultColumnFamily(),
                                       Key(62), operands, &most, &count));
  });
  step("get many", [&] {
    world->MultiGet({Key(1), Key(3), Key(12), Key(33), Key(50), Key(62),
                     Key(99), Key(50) + "x", "zzz"});
  });
  step("scan forward", [&] { world->ScanForward(); });
  step("scan backward", [&] { world->ScanBackward(); });
  step("seek a key", [&] { world->Seek(Key(50), ReadOptions()); });
  step("seek behind deletions", [&] { world->Seek(Key(10), ReadOptions()); });
  step("seek behind a range", [&] { world->Seek(Key(30), ReadOptions()); });
  step("seek behind all", [&] { world->Seek("zzz", ReadOptions()); });
  step("seek back from a key", [&] { world->SeekForPrev(Key(50)); });
  step("seek back over deletions", [&] { world->SeekForPrev(Key(24)); });
  step("seek back over a range", [&] { world->SeekForPrev(Key(39)); });
  step("walk to and fro", [&] {
    const std::unique_ptr<Iterator> it(world->db()->NewIterator(ReadOptions()));
    it->Seek(Key(5));
    it->Next();
    it->Next();
    it->Prev();
    it->Prev();
    it->Next();
    Must(it->status());
  });
  step("may exist", [&] {
    std::string value;
    bool found = false;
    (void)world->db()->KeyMayExist(ReadOptions(), Key(50), &value, &found);
    (void)world->db()->KeyMayExist(ReadOptions(), "zzz", &value, &found);
  });
}

void WriteAll(World* world, const std::string& state) {
  const auto step = [&](const char* name, const auto& work) {
    world->Step(state + ": " + name, work);
  };
  step("put 100", [&] { PutKeys(world, 0, 100); });
  step("overwrite 10", [&] { PutKeys(world, 0, 10); });
  step("delete 10, 5 and 10", [&] { HideKeys(world); });
  step("merge 10", [&] { MergeKeys(world, 60, 70); });
  step("merge 10 again", [&] { MergeKeys(world, 60, 70); });
  step("write a batch", [&] {
    WriteBatch batch;
    for (int i = 200; i < 210; ++i) Must(batch.Put(Key(i), Value(i)));
    WriteOptions sync;
    sync.sync = true;
    Must(world->db()->Write(sync, &batch));
  });
}

// One family through memory, level 0 and the last level.
void LiveSimply(World* world) {
  world->Step("open", [&] { world->Open(); });
  world->Step("empty: get", [&] { world->Get("x"); });
  world->Step("empty: scan forward", [&] { world->ScanForward(); });
  WriteAll(world, "memory");
  Read(world, "memory");
  world->Step("flush", [&] { world->Flush(); });
  Read(world, "level 0");
  world->Step("put 50", [&] { PutKeys(world, 0, 100, 2); });
  world->Step("flush 50", [&] { world->Flush(); });
  Read(world, "two of level 0");
  world->Step("compact", [&] { world->Compact(); });
  Read(world, "last level");
  WriteAll(world, "over files");
  Read(world, "memory over files");
  world->Step("reopen", [&] {
    world->Close();
    world->Open();
  });
  world->Step("compact again", [&] { world->Compact(); });
}

// What a snapshot sees below newer versions, and keys of many versions.
void LiveInThePast(World* world) {
  world->Open();
  PutKeys(world, 0, 20);
  const Snapshot* const snapshot = world->db()->GetSnapshot();
  for (int round = 0; round < 3; ++round) PutKeys(world, 0, 20);
  for (int i = 5; i < 10; ++i) {
    Must(world->db()->Delete(WriteOptions(), Key(i)));
  }
  for (int i = 0; i < 30; ++i) world->Put(Key(15), Value(i));
  ReadOptions then;
  then.snapshot = snapshot;
  for (const char* state : {"memory", "files"}) {
    const auto step = [&](const char* name, const auto& work) {
      world->Step(std::string(state) + ": " + name, work);
    };
    step("scan then forward", [&] { world->ScanForward(then); });
    step("scan then backward", [&] { world->ScanBackward(then); });
    step("scan now forward", [&] { world->ScanForward(); });
    step("scan now backward", [&] { world->ScanBackward(); });
    step("get then", [&] {
      std::string value;
      Must(world->db()->Get(then, Key(15), &value));
    });
    if (std::string(state) == "memory") world->Flush();
  }
  world->db()->ReleaseSnapshot(snapshot);
  world->Step("compact", [&] { world->Compact(); });
  world->Step("scan", [&] { world->ScanForward(); });
}

// Prefixes and their filters, in memory too.
void LiveByPrefix(World* world) {
  world->options().prefix_extractor.reset(NewFixedPrefixTransform(7));
  world->options().memtable_prefix_bloom_size_ratio = 0.1;
  world->options().memtable_whole_key_filtering = true;
  world->Open();
  PutKeys(world, 0, 100);
  ReadOptions by_prefix;
  by_prefix.prefix_same_as_start = true;
  for (const char* state : {"memory", "files"}) {
    const auto step = [&](const char* name, const auto& work) {
      world->Step(std::string(state) + ": " + name, work);
    };
    step("get a value", [&] { world->Get(Key(50)); });
    step("get none", [&] { world->Get(Key(50) + "x"); });
    step("seek a key", [&] { world->Seek(Key(50), by_prefix); });
    step("seek no prefix", [&] { world->Seek("kex00001", by_prefix); });
    if (std::string(state) == "memory") world->Flush();
  }
}

// Values in blob files.
void LiveInBlobs(World* world) {
  world->options().enable_blob_files = true;
  world->options().min_blob_size = 50;
  world->options().enable_blob_garbage_collection = true;
  world->options().blob_garbage_collection_age_cutoff = 1.0;
  world->Open();
  world->Step("put 100", [&] { PutKeys(world, 0, 100); });
  world->Step("flush", [&] { world->Flush(); });
  world->Step("get", [&] { world->Get(Key(50)); });
  world->Step("get many", [&] {
    world->MultiGet({Key(1), Key(2), Key(3), Key(500)});
  });
  world->Step("scan", [&] { world->ScanForward(); });
  world->Step("put 50", [&] { PutKeys(world, 0, 100, 2); });
  world->Step("compact", [&] { world->Compact(); });
  world->Step("get again", [&] { world->Get(Key(51)); });
}

// Blocks that are compressed, indexes and filters in the cache.
void LiveInTheCache(World* world) {
  world->options().compression = kSnappyCompression;
  world->table().cache_index_and_filter_blocks = true;
  world->table().block_size = 1024;
  world->Open();
  PutKeys(world, 0, 1000);
  world->Step("flush", [&] { world->Flush(); });
  world->Step("get", [&] { world->Get(Key(500)); });
  world->Step("get again", [&] { world->Get(Key(500)); });
  world->Step("get none", [&] { world->Get(Key(500) + "x"); });
  world->Step("scan forward", [&] { world->ScanForward(); });
  world->Step("scan backward", [&] { world->ScanBackward(); });
  world->Step("get many", [&] {
    world->MultiGet({Key(1), Key(200), Key(400), Key(2000)});
  });
  world->Step("compact", [&] { world->Compact(); });
  world->Step("get from the last level", [&] { world->Get(Key(501)); });
}

// A cache of rows.
void LiveByRows(World* world) {
  world->options().row_cache = NewLRUCache(1 << 20, /*num_shard_bits=*/0);
  world->Open();
  PutKeys(world, 0, 100);
  world->Flush();
  world->Step("get", [&] { world->Get(Key(50)); });
  world->Step("get again", [&] { world->Get(Key(50)); });
  world->Step("get none", [&] { world->Get(Key(50) + "x"); });
}

void PrintNames() {
  Counts all;
  const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
  AddStatistics(*statistics, &all);
  AddContext("perf:", get_perf_context()->ToString(), &all);
  AddContext("io:", get_iostats_context()->ToString(), &all);
  PerfContext levels;
  levels.EnablePerLevelPerfContext();
  (*levels.level_to_perf_context)[0];
  AddLevels(levels, &all);
  for (const auto& [name, count] : all) {
    printf("names\t%s\t\n", name.substr(0, name.find('@')).c_str());
  }
}

int Main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s DIR\n", argv[0]);
    return 1;
  }
  SetPerfLevel(kEnableTime);
  constexpr struct {
    const char* name;
    void (*live)(World*);
  } kLives[] = {
      {"simple", LiveSimply},    {"past", LiveInThePast},
      {"prefix", LiveByPrefix},  {"blobs", LiveInBlobs},
      {"cache", LiveInTheCache}, {"rows", LiveByRows},
  };
  for (const auto& [name, live] : kLives) {
    World world(argv[1], name);
    live(&world);
  }
  PrintNames();
  return 0;
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine_counters

int main(int argc, char** argv) {
  return tools::ExitStatus(
      ROCKSDB_NAMESPACE::engine_counters::Main(argc, argv));
}
