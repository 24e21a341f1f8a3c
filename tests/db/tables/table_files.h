// Table files in an in-memory file system that counts handles and fails on
// purpose, and a table cache over them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/tables/file_meta.h"
#include "db/tables/table_cache.h"
#include "env/mem_file_system.h"
#include "file/filename.h"
#include "file/writable_file_writer.h"
#include "rocksdb/cache.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "table/point_lookup.h"
#include "table/table_builder.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

struct TestEntry {
  std::string user_key;
  SequenceNumber sequence = 1;
  std::string value;
};
struct TestTombstone {
  std::string begin, end;
  SequenceNumber sequence = 1;
};

// A file system that accepts the option but never reads directly.
class StrippingFileSystem : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "StrippingFileSystem"; }
  FileOptions OptimizeForCompactionTableRead(
      const FileOptions& options, const ImmutableDBOptions& db) const override {
    FileOptions result = target()->OptimizeForCompactionTableRead(options, db);
    result.use_direct_reads = false;
    result.use_uncached_io = false;
    return result;
  }
};

class TableFiles {
 public:
  TableFiles()
      : fs(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>())) {
    db_options.statistics = CreateDBStatistics();
    table.block_size = 256;
    table.cache_index_and_filter_blocks = false;
    table.block_cache = NewLRUCache(8 << 20);
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    EXPECT_TRUE(fs->CreateDirIfMissing("/db", IOOptions(), nullptr).ok());
  }

  // After the options are set. `file_system` null: `fs` itself.
  void Open(bool pins, std::shared_ptr<FileSystem> file_system = {}) {
    if (file_system == nullptr) file_system = fs;
    env = NewCompositeEnv(file_system);
    db_options.env = env.get();
    family.table_factory.reset(NewBlockBasedTableFactory(table));
    db = std::make_unique<ImmutableDBOptions>(db_options);
    cf = std::make_unique<ImmutableCFOptions>(family);
    mutable_cf = std::make_unique<MutableCFOptions>(family);
    TableCache::Context context;
    context.db = db.get();
    context.cf = cf.get();
    context.db_session_id = "NVX5J2V5R5ORAM6WHLQV";
    context.paths = {"/db"};
    pins_readers = pins;
    context.pins_readers = &pins_readers;
    reader_cache = NewLRUCache(100);
    context.cache = reader_cache;
    tables = std::make_unique<TableCache>(std::move(context));
  }

  // Writes N.sst; entries ascend. The bounds are those of points and
  // tombstones.
  FileRef Write(uint64_t number, const std::vector<TestEntry>& entries,
                const std::vector<TestTombstone>& tombstones = {}) {
    auto meta = std::make_shared<FileMeta>();
    meta->number = number;
    meta->epoch_number = number;
    std::unique_ptr<WritableFileWriter> file;
    EXPECT_TRUE(WritableFileWriter::Create(fs.get(),
                                           TableFileName("/db", number),
                                           FileOptions(), &file)
                    .ok());
    TableBuilderOptions options;
    options.db = db.get();
    options.cf = cf.get();
    options.mutable_cf = mutable_cf.get();
    options.column_family_name = "default";
    options.db_id = "faa7a530-9e8f-4116-8439-3195a5c928ab";
    options.db_session_id = "NVX5J2V5R5ORAM6WHLQV";
    options.file_number = number;
    const std::unique_ptr<TableBuilder> builder(
        mutable_cf->table_factory->NewTableBuilder(options, file.get()));
    for (const TestEntry& e : entries) {
      const InternalKey key(e.user_key, e.sequence, kTypeValue);
      builder->Add(key.Encode(), e.value);
      meta->NoteEntry(key.Encode(), e.sequence);
    }
    for (const TestTombstone& t : tombstones) {
      const InternalKey begin(t.begin, t.sequence, kTypeRangeDeletion);
      builder->AddTombstone(begin.Encode(), t.end);
      meta->NoteTombstone(begin, InternalKey::TombstoneSentinel(t.end),
                          t.sequence, cf->internal_comparator);
    }
    EXPECT_TRUE(builder->Finish().ok());
    meta->size_bytes = builder->FileSize();
    EXPECT_TRUE(file->Close().ok());
    return meta;
  }

  // prefix00000 ... with some blocks' worth of data.
  static std::vector<TestEntry> Numbered(const std::string& prefix, int count,
                                         SequenceNumber sequence = 5) {
    std::vector<TestEntry> entries;
    for (int i = 0; i < count; ++i) {
      const std::string digits = std::to_string(100000 + i).substr(1);
      entries.push_back(
          {prefix + digits, sequence, "value of " + prefix + digits});
    }
    return entries;
  }

  BulkReadPolicy DirectPolicy() const {
    BulkReadPolicy policy;
    policy.open_ephemeral_reader = true;
    policy.file_options.use_direct_reads = true;
    return policy;
  }
  TableCache::IteratorRequest Request(const FileRef& file,
                                      const BulkReadPolicy* bulk) const {
    TableCache::IteratorRequest request;
    request.file = file.get();
    request.level = 1;
    request.mutable_cf = mutable_cf.get();
    request.table.read_options = &read;
    request.table.skip_filters = bulk != nullptr;
    request.bulk = bulk;
    return request;
  }

  uint64_t Ticker(uint32_t ticker) const {
    return db_options.statistics->getTickerCount(ticker);
  }
  size_t RandomHandles() const {
    return fs->open_handles(FileKind::kRandomAccess);
  }
  // What a lookup finds: "=value", "none", or the status.
  std::string Get(const FileRef& file, const std::string& key,
                  SequenceNumber sequence = kMaxSequenceNumber - 1) const {
    PointLookup::Context context;
    context.order = &cf->internal_comparator;
    PinnableSlice value;
    PointLookup lookup(context, key, &value, nullptr);
    const InternalKey target(key, sequence, kValueTypeForSeek);
    Status s = tables->Get(read, {file.get(), 1}, *mutable_cf, target.Encode(),
                           &lookup);
    if (!s.ok()) return s.ToString();
    s = lookup.Finish();
    if (s.IsNotFound()) return "none";
    return s.ok() ? "=" + value.ToString() : s.ToString();
  }

  std::shared_ptr<FaultInjectionFileSystem> fs;
  std::unique_ptr<Env> env;
  BlockBasedTableOptions table;
  ColumnFamilyOptions family;
  DBOptions db_options;
  ReadOptions read;
  std::unique_ptr<ImmutableDBOptions> db;
  std::unique_ptr<ImmutableCFOptions> cf;
  std::unique_ptr<MutableCFOptions> mutable_cf;
  std::atomic<bool> pins_readers{true};
  std::shared_ptr<Cache> reader_cache;
  std::unique_ptr<TableCache> tables;
};

// User keys in the order of the iterator; its status must be OK.
inline std::vector<std::string> KeysForward(InternalIterator* iterator) {
  std::vector<std::string> keys;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    keys.push_back(ExtractUserKey(iterator->key()).ToString());
  }
  EXPECT_TRUE(iterator->status().ok()) << iterator->status().ToString();
  return keys;
}
inline std::vector<std::string> KeysBackward(InternalIterator* iterator) {
  std::vector<std::string> keys;
  for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) {
    keys.push_back(ExtractUserKey(iterator->key()).ToString());
  }
  EXPECT_TRUE(iterator->status().ok()) << iterator->status().ToString();
  return keys;
}

}  // namespace ROCKSDB_NAMESPACE
