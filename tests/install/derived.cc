// A program that derives from public classes and asks for the type of public
// objects, as applications do: it links to the shared library only while that
// exports their virtual tables and type information.
//
//   derived DIRECTORY     which must be empty

#include <cstdio>
#include <memory>
#include <string>
#include <typeinfo>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/wal_filter.h"

namespace {

using namespace rocksdb;  // NOLINT

// Names are asked for when a database opens; calls come while it runs.
class Order : public Comparator {
 public:
  const char* Name() const override { return "derived.Order"; }
  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

class Joiner : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "derived.Joiner"; }
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, Logger*) const override {
    if (existing != nullptr) result->assign(existing->data(), existing->size());
    result->append(value.data(), value.size());
    return true;
  }
};

class Dropper : public CompactionFilter {
 public:
  const char* Name() const override { return "derived.Dropper"; }
  bool Filter(int, const Slice& key, const Slice&, std::string*,
              bool*) const override {
    return key.starts_with("drop");
  }
};

class Droppers : public CompactionFilterFactory {
 public:
  const char* Name() const override { return "derived.Droppers"; }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context&) override {
    return std::make_unique<Dropper>();
  }
};

class FirstTwo : public SliceTransform {
 public:
  const char* Name() const override { return "derived.FirstTwo"; }
  Slice Transform(const Slice& key) const override {
    return Slice(key.data(), 2);
  }
  bool InDomain(const Slice& key) const override { return key.size() >= 2; }
};

class Ear : public EventListener {
 public:
  void OnFlushCompleted(DB*, const FlushJobInfo&) override { ++flushes; }
  int flushes = 0;
};

class Counter : public TablePropertiesCollector {
 public:
  const char* Name() const override { return "derived.Counter"; }
  Status AddUserKey(const Slice&, const Slice&, EntryType, SequenceNumber,
                    uint64_t) override {
    ++keys_;
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* properties) override {
    (*properties)["derived.keys"] = std::to_string(keys_);
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }

 private:
  int keys_ = 0;
};

class Counters : public TablePropertiesCollectorFactory {
 public:
  const char* Name() const override { return "derived.Counters"; }
  TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context) override {
    return std::make_unique<Counter>().release();
  }
};

class Files : public FileSystemWrapper {
 public:
  explicit Files(const std::shared_ptr<FileSystem>& target)
      : FileSystemWrapper(target) {}
  const char* Name() const override { return "derived.Files"; }
};

class OwnCache : public CacheWrapper {
 public:
  OwnCache() : CacheWrapper(NewLRUCache(1 << 20)) {}
  const char* Name() const override { return "derived.Cache"; }
};

class Watcher : public WriteBatch::Handler {
 public:
  Status PutCF(uint32_t, const Slice&, const Slice&) override {
    ++puts;
    return Status::OK();
  }
  int puts = 0;
};

class Quiet : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char*, va_list) override {}
};

class Replay : public WalFilter {
 public:
  const char* Name() const override { return "derived.Replay"; }
};

int Fail(const char* what) {
  fprintf(stderr, "derived: %s\n", what);
  return 1;
}

// What the library has made, seen through its base classes.
bool HasTypes(DB* db) {
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  return dynamic_cast<Cleanable*>(it.get()) != nullptr &&
         typeid(*db) != typeid(DB) && typeid(Env) != typeid(EnvWrapper) &&
         dynamic_cast<Files*>(db->GetFileSystem()) != nullptr;
}

// Everything of the above at work.
int Use(DB* db) {
  WriteBatch batch;
  Watcher watcher;
  bool fits = batch.Put("drop me", "1").ok() && batch.Put("key", "a").ok() &&
              batch.Merge("key", "b").ok();
  if (!fits || !db->Write(WriteOptions(), &batch).ok()) return Fail("Write");
  batch.Clear();
  fits = batch.Put("k1", "1").ok() && batch.Put("k2", "2").ok();
  if (!fits || !batch.Iterate(&watcher).ok() || watcher.puts != 2) {
    return Fail("Iterate");
  }
  if (!db->Flush(FlushOptions()).ok()) return Fail("Flush");
  CompactRangeOptions compact;
  compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  if (!db->CompactRange(compact, nullptr, nullptr).ok()) return Fail("Compact");
  std::string value;
  if (!db->Get(ReadOptions(), "key", &value).ok() || value != "ab") {
    return Fail("Get");
  }
  if (!db->Get(ReadOptions(), "drop me", &value).IsNotFound()) {
    return Fail("a key that the filter drops");
  }
  TablePropertiesCollection tables;
  if (!db->GetPropertiesOfAllTables(&tables).ok() || tables.size() != 1) {
    return Fail("GetPropertiesOfAllTables");
  }
  const auto& own = tables.begin()->second->user_collected_properties;
  if (own.at("derived.keys") != "1") return Fail("a collector");
  return HasTypes(db) ? 0 : Fail("types");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string path = std::string(argv[1]) + "/db";
  const Order order;
  Replay replay;
  const std::unique_ptr<Env> env =
      NewCompositeEnv(std::make_shared<Files>(FileSystem::Default()));
  auto ear = std::make_shared<Ear>();
  Options options;
  options.create_if_missing = true;
  options.env = env.get();
  options.comparator = &order;
  options.wal_filter = &replay;
  options.merge_operator = std::make_shared<Joiner>();
  options.compaction_filter_factory = std::make_shared<Droppers>();
  options.prefix_extractor = std::make_shared<FirstTwo>();
  options.listeners = {ear};
  options.table_properties_collector_factories = {std::make_shared<Counters>()};
  options.info_log = std::make_shared<Quiet>();
  options.statistics = CreateDBStatistics();
  BlockBasedTableOptions table;
  table.block_cache = std::make_shared<OwnCache>();
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  std::unique_ptr<DB> db;
  const Status s = DB::Open(options, path, &db);
  if (!s.ok()) return Fail(s.ToString().c_str());
  if (const int result = Use(db.get()); result != 0) return result;
  db.reset();
  // Listeners are called by the job's thread, which closing waits for.
  if (ear->flushes != 1) return Fail("a listener");
  printf("derived: OK\n");
  return 0;
}
