// Traces of what users ask of a database: what is recorded, byte for byte as
// RocksDB records it, what is left out, and how a trace ends.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/replayer.h"
#include "tests/testing/memory_trace.h"
#include "tests/testing/shell.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/vectors.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::vector<TraceType> TypesOf(const std::string& bytes) {
  std::vector<TraceType> types;
  for (const auto& record : TraceInMemory::RecordsOf(bytes)) {
    types.push_back(record.type);
  }
  return types;
}

class QueryTraceTest : public ::testing::Test {
 protected:
  QueryTraceTest() : directory_("trace") {
    options_.create_if_missing = true;
    const Status s = MergeOperator::CreateFromString(
        ConfigOptions(), "stringappend", &options_.merge_operator);
    EXPECT_TRUE(s.ok()) << s.ToString();
    Open("db", &db_, &second_);
  }
  ~QueryTraceTest() override { CloseDb(); }

  void Open(const std::string& name, std::unique_ptr<DB>* db,
            ColumnFamilyHandle** second) {
    Status s = DB::Open(options_, directory_.path() + "/" + name, db);
    ASSERT_TRUE(s.ok()) << s.ToString();
    s = (*db)->CreateColumnFamily(options_, "second", second);
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void CloseDb() {
    if (db_ == nullptr) return;
    EXPECT_TRUE(db_->DestroyColumnFamilyHandle(second_).ok());
    db_.reset();
  }
  void StartTrace(const TraceOptions& options = TraceOptions()) {
    const Status s = db_->StartTrace(options, trace_.NewWriter());
    ASSERT_TRUE(s.ok()) << s.ToString();
  }
  void ExpectAsIn(const std::string& vector) {
    const std::string path = VectorPath("utilities/" + vector);
    if (path.empty()) GTEST_SKIP() << "the vectors are absent";
    const auto expected = TraceInMemory::RecordsOf(BytesOfFile(path));
    const auto records = trace_.Records();
    ASSERT_EQ(records.size(), expected.size());
    for (size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(records[i].type, expected[i].type) << i;
      EXPECT_EQ(records[i].payload, expected[i].payload) << i;
    }
  }
  ColumnFamilyHandle* First() { return db_->DefaultColumnFamily(); }

  const TempDir directory_;
  Options options_;
  TraceInMemory trace_;
  std::unique_ptr<DB> db_;
  ColumnFamilyHandle* second_ = nullptr;
};

// What the vectors say was done to make `ops.trace`.
void DoWrites(DB* db, ColumnFamilyHandle* second) {
  const WriteOptions write;
  EXPECT_TRUE(db->Put(write, "alpha", "1").ok());
  EXPECT_TRUE(db->Put(write, second, "beta", "two").ok());
  EXPECT_TRUE(db->Merge(write, "alpha", "x").ok());
  EXPECT_TRUE(db->Delete(write, "gone").ok());
  EXPECT_TRUE(db->SingleDelete(write, second, "nothere").ok());
  EXPECT_TRUE(db->DeleteRange(write, db->DefaultColumnFamily(), "m", "n").ok());
  WriteBatch batch;
  EXPECT_TRUE(batch.Put("k1", "v1").ok());
  EXPECT_TRUE(batch.Put(second, "k2", "v2").ok());
  EXPECT_TRUE(batch.PutLogData("blobby").ok());
  EXPECT_TRUE(batch.Delete("k3").ok());
  EXPECT_TRUE(db->Write(write, &batch).ok());
  WriteBatch empty;
  EXPECT_TRUE(db->Write(write, &empty).ok());
}

void DoReads(DB* db, ColumnFamilyHandle* second) {
  const ReadOptions read;
  std::string value;
  EXPECT_TRUE(db->Get(read, "alpha", &value).ok());
  EXPECT_TRUE(db->Get(read, second, "missing", &value).IsNotFound());
  std::vector<std::string> values;
  ColumnFamilyHandle* const first = db->DefaultColumnFamily();
  db->MultiGet(read, {first, second, first}, {"alpha", "beta", "zz"}, &values);
  const Slice keys[] = {"k1", "k2"};
  PinnableSlice found[2];
  Status statuses[2];
  db->MultiGet(read, second, 2, keys, found, statuses);
}

void DoSeeks(DB* db, ColumnFamilyHandle* second) {
  const Slice a = "a", m = "m";
  ReadOptions read;
  std::unique_ptr<Iterator> it(db->NewIterator(read));
  it->SeekToFirst();
  it->Seek("al");
  it->Next();
  it->SeekToLast();
  it->Prev();
  it->SeekForPrev("zz");
  read.iterate_lower_bound = &a;
  read.iterate_upper_bound = &m;
  it.reset(db->NewIterator(read, second));
  it->SeekToFirst();
  it->Seek("b");
  const Slice nothing;
  read.iterate_lower_bound = &nothing;
  it.reset(db->NewIterator(read));
  it->SeekForPrev("c");
  EXPECT_TRUE(it->status().ok());
}

TEST_F(QueryTraceTest, IsAsRocksDbWritesIt) {
  StartTrace();
  DoWrites(db_.get(), second_);
  DoReads(db_.get(), second_);
  DoSeeks(db_.get(), second_);
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->EndTrace().ok());
  EXPECT_EQ(trace_.closed, 1);
  const auto records = trace_.Records();
  for (size_t i = 1; i < records.size(); ++i) {
    EXPECT_GE(records[i].time, records[i - 1].time);
  }
  EXPECT_TRUE(db_->Put(WriteOptions(), "after", "the end").ok());
  ExpectAsIn("r119_ops.trace");
}

TEST_F(QueryTraceTest, EntitiesAndTimesOfWritingInTheOrderOfTheLog) {
  TraceOptions options;
  options.preserve_write_order = true;
  StartTrace(options);
  const WriteOptions write;
  ASSERT_TRUE(
      db_->PutEntity(write, First(), "e", WideColumns{{"", "d"}, {"c", "v"}})
          .ok());
  ASSERT_TRUE(db_->Put(write, "a", "b").ok());
  PinnableWideColumns columns;
  ASSERT_TRUE(db_->GetEntity(ReadOptions(), First(), "e", &columns).ok());
  WriteBatch batch;
  ASSERT_TRUE(batch.TimedPut(First(), "t", "v", 100).ok());
  ASSERT_TRUE(db_->Write(write, &batch).ok());
  ASSERT_TRUE(db_->EndTrace().ok());
  ExpectAsIn("r119_ops_entity.trace");
}

TEST_F(QueryTraceTest, FilteredOnesDoNotCountAsSamples) {
  TraceOptions options;
  options.sampling_frequency = 3;
  options.filter = kTraceFilterWrite;
  StartTrace(options);
  for (int i = 0; i < 10; ++i) {
    const std::string key = "s" + std::to_string(i);
    std::string value;
    ASSERT_TRUE(db_->Put(WriteOptions(), key, "v").ok());
    ASSERT_TRUE(db_->Get(ReadOptions(), key, &value).ok());
  }
  ASSERT_TRUE(db_->EndTrace().ok());
  ExpectAsIn("r119_ops_sampled.trace");
}

TEST_F(QueryTraceTest, EveryKindCanBeLeftOut) {
  const std::vector<std::pair<TraceFilterType, TraceType>> kinds = {
      {kTraceFilterGet, kTraceGet},
      {kTraceFilterWrite, kTraceWrite},
      {kTraceFilterIteratorSeek, kTraceIteratorSeek},
      {kTraceFilterIteratorSeekForPrev, kTraceIteratorSeekForPrev},
      {kTraceFilterMultiGet, kTraceMultiGet}};
  for (const auto& [filter, type] : kinds) {
    trace_.bytes.clear();
    TraceOptions options;
    options.filter = uint64_t{31} & ~uint64_t{filter};
    StartTrace(options);
    DoWrites(db_.get(), second_);
    DoReads(db_.get(), second_);
    DoSeeks(db_.get(), second_);
    ASSERT_TRUE(db_->EndTrace().ok());
    const auto types = TypesOf(trace_.bytes);
    ASSERT_GT(types.size(), 2u);
    for (size_t i = 1; i + 1 < types.size(); ++i) EXPECT_EQ(types[i], type);
  }
}

TEST_F(QueryTraceTest, AFullTraceStillHasItsEnd) {
  TraceOptions options;
  options.max_trace_file_size = 300;
  StartTrace(options);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(db_->Put(WriteOptions(), "m" + std::to_string(i), "v").ok());
  }
  ASSERT_TRUE(db_->EndTrace().ok());
  ExpectAsIn("r119_ops_max.trace");
}

TEST_F(QueryTraceTest, BeginningAndEnd) {
  EXPECT_EQ(db_->EndTrace().ToString(), "IO error: No trace file to close");
  EXPECT_TRUE(db_->StartTrace(TraceOptions(), nullptr).IsInvalidArgument());
  StartTrace();
  // Another one takes its place.
  TraceInMemory other;
  ASSERT_TRUE(db_->StartTrace(TraceOptions(), other.NewWriter()).ok());
  EXPECT_EQ(trace_.closed, 1);
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  EXPECT_EQ(TypesOf(trace_.bytes),
            (std::vector<TraceType>{kTraceBegin, kTraceEnd}));
  // The database is closed before the trace is.
  CloseDb();
  EXPECT_EQ(other.closed, 1);
  EXPECT_EQ(TypesOf(other.bytes),
            (std::vector<TraceType>{kTraceBegin, kTraceWrite, kTraceEnd}));
}

TEST_F(QueryTraceTest, AWriterThatFailsHarmsNobodyElse) {
  // The beginning, three writes and a look-up.
  for (int allowed = 0; allowed < 5; ++allowed) {
    trace_.bytes.clear();
    trace_.writes_left = allowed;
    StartTrace();
    std::string value;
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
    }
    EXPECT_TRUE(db_->Get(ReadOptions(), "k", &value).ok());
    // The writer has room again: what is missing stays missing.
    trace_.writes_left = -1;
    EXPECT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
    const Status s = db_->EndTrace();
    EXPECT_TRUE(s.IsIncomplete()) << s.ToString();
    EXPECT_NE(s.ToString().find("the disk is full"), std::string::npos);
    EXPECT_EQ(TypesOf(trace_.bytes).size(), static_cast<size_t>(allowed));
    EXPECT_TRUE(db_->EndTrace().IsIOError());
  }
}

TEST_F(QueryTraceTest, WhatIsRefusedOrOlderThanTheTrace) {
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  WriteBatch again;
  ASSERT_TRUE(again.Put("k", "v").ok());
  ASSERT_TRUE(db_->Write(WriteOptions(), &again).ok());
  const std::string encoded = again.Data();
  StartTrace();
  it->Seek("a");
  // A batch that was written before has a sequence, which is not told.
  ASSERT_TRUE(db_->Write(WriteOptions(), &again).ok());
  WriteOptions impossible;
  impossible.sync = impossible.disableWAL = true;
  EXPECT_TRUE(db_->Put(impossible, "k", "v").IsInvalidArgument());
  ASSERT_TRUE(db_->EndTrace().ok());
  const auto records = trace_.Records();
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[1].type, kTraceIteratorSeek);
  ASSERT_EQ(records[2].type, kTraceWrite);
  const std::string& payload = records[2].payload;
  EXPECT_EQ(payload.substr(9, 8), std::string(8, '\0'));
  EXPECT_EQ(payload.substr(17), encoded.substr(8));
}

// Each writer counts on its own; replayed, every counter ends as it did.
TEST_F(QueryTraceTest, WritersSideBySideInTheOrderOfTheLog) {
  TraceOptions options;
  options.preserve_write_order = true;
  StartTrace(options);
  std::vector<std::thread> writers;
  for (int w = 0; w < 8; ++w) {
    writers.emplace_back([this, w] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_TRUE(db_->Put(WriteOptions(), "last", std::to_string(w)).ok());
        EXPECT_TRUE(
            db_->Merge(WriteOptions(), "all", std::to_string(w * 100 + i))
                .ok());
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  ASSERT_TRUE(db_->EndTrace().ok());

  std::unique_ptr<DB> copy;
  ColumnFamilyHandle* second = nullptr;
  Open("copy", &copy, &second);
  const std::string path = directory_.path() + "/trace";
  std::unique_ptr<TraceWriter> file;
  ASSERT_TRUE(
      NewFileTraceWriter(Env::Default(), EnvOptions(), path, &file).ok());
  ASSERT_TRUE(file->Write(trace_.bytes).ok());
  ASSERT_TRUE(file->Close().ok());
  std::unique_ptr<TraceReader> reader;
  ASSERT_TRUE(
      NewFileTraceReader(Env::Default(), EnvOptions(), path, &reader).ok());
  std::unique_ptr<Replayer> replayer;
  ASSERT_TRUE(
      copy->NewDefaultReplayer({second}, std::move(reader), &replayer).ok());
  ASSERT_TRUE(replayer->Prepare().ok());
  const Status s = replayer->Replay(ReplayOptions(1, 1000), {});
  EXPECT_TRUE(s.ok()) << s.ToString();
  for (const std::string key : {"last", "all"}) {
    std::string expected, found;
    ASSERT_TRUE(db_->Get(ReadOptions(), key, &expected).ok());
    ASSERT_TRUE(copy->Get(ReadOptions(), key, &found).ok());
    EXPECT_EQ(found, expected) << key;
  }
  EXPECT_EQ(copy->GetLatestSequenceNumber(), db_->GetLatestSequenceNumber());
  replayer.reset();
  EXPECT_TRUE(copy->DestroyColumnFamilyHandle(second).ok());
}

// What a database holds, by our engine.
std::string ContentOf(const std::string& path) {
  std::unique_ptr<DB> db;
  const Status s = DB::OpenForReadOnly(Options(), path, &db);
  if (!s.ok()) return s.ToString();
  std::string text;
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    text += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  return it->status().ok() ? text : it->status().ToString();
}

TEST_F(QueryTraceTest, StockReplaysOurs) {
  if (!HasProgram("db_bench")) GTEST_SKIP() << "stock db_bench is not here";
  const std::string trace = directory_.path() + "/trace";
  std::unique_ptr<TraceWriter> writer;
  ASSERT_TRUE(
      NewFileTraceWriter(Env::Default(), EnvOptions(), trace, &writer).ok());
  ASSERT_TRUE(db_->StartTrace(TraceOptions(), std::move(writer)).ok());
  for (int i = 0; i < 100; ++i) {
    const std::string key = "k" + std::to_string(i % 30);
    std::string value;
    ASSERT_TRUE(db_->Put(WriteOptions(), key, std::to_string(i)).ok());
    ASSERT_TRUE(db_->Get(ReadOptions(), key, &value).ok());
    if (i % 7 == 0) {
      ASSERT_TRUE(db_->Delete(WriteOptions(), key).ok());
    }
  }
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->Seek("k2");
  it->SeekForPrev("k2");
  it.reset();
  ASSERT_TRUE(db_->EndTrace().ok());
  CloseDb();
  const std::string theirs = directory_.path() + "/theirs";
  int status = 0;
  const std::string output = RunShell(
      // Stock's replay is of a database with several families, or aborts.
      "db_bench --benchmarks=replay --trace_replay_fast_forward=1000 "
      "--num_column_families=2 --db=" +
          theirs + " --trace_file=" + trace,
      &status);
  ASSERT_EQ(status, 0) << output;
  const std::string expected = ContentOf(directory_.path() + "/db");
  EXPECT_NE(expected, "");
  EXPECT_EQ(ContentOf(theirs), expected) << output;
}

TEST_F(QueryTraceTest, WeReplayStocks) {
  if (!HasProgram("db_bench")) GTEST_SKIP() << "stock db_bench is not here";
  const std::string theirs = directory_.path() + "/theirs";
  const std::string trace = directory_.path() + "/trace";
  int status = 0;
  const std::string output = RunShell(
      "db_bench --benchmarks=fillrandom --num=300 --value_size=20 --seed=5 "
      "--compression_type=none --db=" +
          theirs + " --trace_file=" + trace,
      &status);
  ASSERT_EQ(status, 0) << output;
  std::unique_ptr<TraceReader> reader;
  ASSERT_TRUE(
      NewFileTraceReader(Env::Default(), EnvOptions(), trace, &reader).ok());
  std::unique_ptr<Replayer> replayer;
  ASSERT_TRUE(
      db_->NewDefaultReplayer({second_}, std::move(reader), &replayer).ok());
  ASSERT_TRUE(replayer->Prepare().ok());
  int told = 0;
  const Status s = replayer->Replay(
      ReplayOptions(1, 1000),
      [&](Status, std::unique_ptr<TraceRecordResult>&&) { ++told; });
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(told, 300);
  replayer.reset();
  CloseDb();
  const std::string found = ContentOf(directory_.path() + "/db");
  EXPECT_NE(found, "");
  EXPECT_EQ(found, ContentOf(theirs));
}

TEST_F(QueryTraceTest, OfADatabaseThatIsOnlyRead) {
  ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
  std::unique_ptr<DB> reader;
  ASSERT_TRUE(
      DB::OpenForReadOnly(options_, directory_.path() + "/db", &reader).ok());
  ASSERT_TRUE(reader->StartTrace(TraceOptions(), trace_.NewWriter()).ok());
  std::string value;
  EXPECT_TRUE(reader->Get(ReadOptions(), "k", &value).ok());
  EXPECT_FALSE(reader->Put(WriteOptions(), "k", "w").ok());
  ASSERT_TRUE(reader->EndTrace().ok());
  EXPECT_EQ(TypesOf(trace_.bytes),
            (std::vector<TraceType>{kTraceBegin, kTraceGet, kTraceEnd}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
