// Recorded operations are replayed, RocksDB's traces too, each told once
// however many threads run them; damaged traces are errors.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "db/observe/trace/trace_replayer.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/replayer.h"
#include "rocksdb/write_batch.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/vectors.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Records that are in memory, and what is answered behind them.
class RecordsReader : public TraceReader {
 public:
  explicit RecordsReader(std::vector<std::string> records,
                         const Status& end = Status::Incomplete())
      : records_(std::move(records)), end_(end) {}

  Status Read(std::string* data) override {
    if (next_ >= records_.size()) return end_;
    *data = records_[next_++];
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Reset() override {
    next_ = 0;
    return Status::OK();
  }

 private:
  const std::vector<std::string> records_;
  const Status end_;
  size_t next_ = 0;
};

std::string TracedRecord(char type, const std::string& payload,
                         uint64_t time = 1000) {
  std::string record;
  PutFixed64(&record, time);
  record += type;
  PutFixed32(&record, static_cast<uint32_t>(payload.size()));
  return record + payload;
}

std::string TraceHeader(const std::string& version) {
  return TracedRecord(kTraceBegin,
                      "feedcafedeadbeef\tTrace Version: " + version +
                          "\tRocksDB Version: 11.9\tFormat: "
                          "Timestamp OpType Payload\n");
}

std::string TracedGet(uint32_t family, const std::string& key,
                      uint64_t time = 1000) {
  std::string payload;
  PutFixed64(&payload, 0xc);
  PutFixed32(&payload, family);
  PutLengthPrefixedSlice(&payload, key);
  return TracedRecord(kTraceGet, payload, time);
}

class TraceReplayTest : public ::testing::Test {
 protected:
  TraceReplayTest() : directory_("replay") {
    options_.create_if_missing = true;
    const Status merge = MergeOperator::CreateFromString(
        ConfigOptions(), "stringappend", &options_.merge_operator);
    EXPECT_TRUE(merge.ok()) << merge.ToString();
    const Status s = DB::Open(options_, directory_.path() + "/db", &db_);
    EXPECT_TRUE(s.ok()) << s.ToString();
    ColumnFamilyHandle* second = nullptr;
    const Status created = db_->CreateColumnFamily(options_, "second", &second);
    EXPECT_TRUE(created.ok()) << created.ToString();
    second_ = second;
  }
  ~TraceReplayTest() override {
    db_->DestroyColumnFamilyHandle(second_).PermitUncheckedError();
  }

  std::unique_ptr<Replayer> ReplayerOf(
      std::vector<std::string> records,
      const Status& end = Status::Incomplete()) {
    std::unique_ptr<Replayer> replayer;
    const Status s = NewTraceReplayer(
        db_.get(), {second_},
        std::make_unique<RecordsReader>(std::move(records), end), &replayer);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return replayer;
  }

  const TempDir directory_;
  Options options_;
  std::unique_ptr<DB> db_;
  ColumnFamilyHandle* second_ = nullptr;
};

// Counts results by their kinds.
class KindCounter : public TraceRecordResult::Handler {
 public:
  Status Handle(const StatusOnlyTraceExecutionResult& result) override {
    ++writes;
    return result.GetStatus();
  }
  Status Handle(const SingleValueTraceExecutionResult& result) override {
    values.push_back(result.GetStatus().ok() ? result.GetValue() : "-");
    return Status::OK();
  }
  Status Handle(const MultiValuesTraceExecutionResult& result) override {
    for (size_t i = 0; i < result.GetValues().size(); ++i) {
      many.push_back(result.GetMultiStatus()[i].ok() ? result.GetValues()[i]
                                                     : "-");
    }
    return Status::OK();
  }
  Status Handle(const IteratorTraceExecutionResult& result) override {
    ++seeks;
    return result.GetStatus();
  }

  int writes = 0;
  int seeks = 0;
  std::vector<std::string> values;
  std::vector<std::string> many;
};

TEST_F(TraceReplayTest, TracesOfRocksDbAreReplayed) {
  for (const std::string release : {"r783_", "r119_"}) {
    const std::string path = VectorPath("utilities/" + release + "ops.trace");
    if (path.empty()) GTEST_SKIP() << "the vectors are absent";
    std::unique_ptr<TraceReader> reader;
    ASSERT_TRUE(
        NewFileTraceReader(Env::Default(), EnvOptions(), path, &reader).ok());
    std::unique_ptr<Replayer> replayer;
    ASSERT_TRUE(
        NewTraceReplayer(db_.get(), {second_}, std::move(reader), &replayer)
            .ok());
    KindCounter counter;
    std::unique_ptr<TraceRecord> record;
    EXPECT_TRUE(replayer->Next(&record).IsIncomplete());
    EXPECT_TRUE(replayer->Replay(ReplayOptions(), {}).IsIncomplete());
    ASSERT_TRUE(replayer->Prepare().ok());
    EXPECT_GT(replayer->GetHeaderTimestamp(), 0u);
    int told = 0;
    const ReplayOptions options(1, 1000);
    const Status s = replayer->Replay(
        options,
        [&](Status status, std::unique_ptr<TraceRecordResult>&& result) {
          ++told;
          EXPECT_TRUE(status.ok()) << status.ToString();
          ASSERT_NE(result, nullptr);
          EXPECT_TRUE(result->Accept(&counter).ok());
        });
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(told, 16);
    EXPECT_EQ(counter.writes, 8);
    EXPECT_EQ(counter.seeks, 4);
    EXPECT_EQ(counter.values.size(), 2u);
    if (release == "r783_") {
      EXPECT_EQ(counter.values[0], "1,x");
      EXPECT_EQ(std::vector<std::string>(counter.many.begin(),
                                         counter.many.begin() + 3),
                (std::vector<std::string>{"1,x", "two", "-"}));
    }
    EXPECT_TRUE(replayer->Replay(options, {}).IsIncomplete());
    EXPECT_TRUE(replayer->Prepare().ok());
  }
}

TEST_F(TraceReplayTest, RecordsOfAnApplication) {
  const std::unique_ptr<TraceRecord::Handler> handler(
      TraceRecord::NewExecutionHandler(db_.get(), {second_}));
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(second_, "a", "1").ok());
  ASSERT_TRUE(batch.Put(second_, "c", "3").ok());
  std::unique_ptr<TraceRecordResult> result;
  KindCounter counter;
  const auto run = [&](TraceRecord& record) {
    Status s = record.Accept(handler.get(), &result);
    return s.ok() ? result->Accept(&counter) : s;
  };
  const uint32_t id = second_->GetID();
  WriteQueryTraceRecord write(batch.Data(), 1);
  EXPECT_TRUE(run(write).ok());
  GetQueryTraceRecord get(id, "a", 2);
  EXPECT_TRUE(run(get).ok());
  GetQueryTraceRecord absent(0, "a", 2);
  EXPECT_TRUE(run(absent).ok());
  MultiGetQueryTraceRecord many({id, 0}, std::vector<std::string>{"c", "c"}, 3);
  EXPECT_TRUE(run(many).ok());
  EXPECT_EQ(counter.values, (std::vector<std::string>{"1", "-"}));
  EXPECT_EQ(counter.many, (std::vector<std::string>{"3", "-"}));

  IteratorSeekQueryTraceRecord seek(IteratorSeekQueryTraceRecord::kSeek, id,
                                    "b", "", "c", 4);
  EXPECT_TRUE(run(seek).ok());
  const auto* at = static_cast<IteratorTraceExecutionResult*>(result.get());
  EXPECT_FALSE(at->GetValid());
  IteratorSeekQueryTraceRecord back(IteratorSeekQueryTraceRecord::kSeekForPrev,
                                    id, "b", 5);
  EXPECT_TRUE(run(back).ok());
  at = static_cast<IteratorTraceExecutionResult*>(result.get());
  EXPECT_TRUE(at->GetValid());
  EXPECT_EQ(at->GetKey(), "a");
  EXPECT_EQ(at->GetValue(), "1");
  EXPECT_EQ(at->GetTraceType(), kTraceIteratorSeekForPrev);
  EXPECT_GE(at->GetEndTimestamp(), at->GetStartTimestamp());

  GetQueryTraceRecord elsewhere(99, "a", 6);
  EXPECT_TRUE(run(elsewhere).IsCorruption());
  EXPECT_TRUE(get.Accept(nullptr, &result).IsInvalidArgument());
  MultiGetQueryTraceRecord uneven({id}, std::vector<std::string>{"a", "b"}, 7);
  EXPECT_TRUE(run(uneven).IsInvalidArgument());
}

TEST_F(TraceReplayTest, TheFirstFailureEndsAReplay) {
  for (const uint32_t threads : {0u, 1u, 4u}) {
    auto replayer = ReplayerOf({TraceHeader("0.2"), TracedGet(0, "a"),
                                TracedRecord(kIOTracer, "x"),
                                TracedGet(99, "b"), TracedGet(0, "c", 900000)});
    ASSERT_TRUE(replayer->Prepare().ok());
    EXPECT_TRUE(replayer->Replay(ReplayOptions(1, 0), {}).IsInvalidArgument());
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(
        replayer->Replay(ReplayOptions(1, no_number), {}).IsInvalidArgument());
    std::mutex mutex;
    std::vector<Status::Code> codes;
    const Status s = replayer->Replay(
        ReplayOptions(threads, 10),
        [&](Status status, std::unique_ptr<TraceRecordResult>&& result) {
          const std::lock_guard<std::mutex> lock(mutex);
          EXPECT_EQ(status.ok(), result != nullptr);
          codes.push_back(status.code());
        });
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    if (threads == 4) continue;
    EXPECT_EQ(codes,
              (std::vector<Status::Code>{Status::kOk, Status::kNotSupported,
                                         Status::kCorruption}));
  }
}

// NotSupported of a record passes over that one; of the reader, it is a failure
// like any other.
TEST_F(TraceReplayTest, AReaderThatFailsEndsAReplay) {
  for (const uint32_t threads : {1u, 4u}) {
    for (const Status& failure :
         {Status::NotSupported("reader"), Status::IOError("reader")}) {
      auto replayer =
          ReplayerOf({TraceHeader("0.2"), TracedGet(0, "a")}, failure);
      ASSERT_TRUE(replayer->Prepare().ok());
      std::atomic<int> told{0};
      const Status s = replayer->Replay(
          ReplayOptions(threads, 10),
          [&](Status status, std::unique_ptr<TraceRecordResult>&& result) {
            EXPECT_TRUE(status.ok()) << status.ToString();
            EXPECT_NE(result, nullptr);
            ++told;
          });
      EXPECT_EQ(s.ToString(), failure.ToString());
      EXPECT_EQ(told.load(), 1);
    }
  }
}

// However many threads run them, each operation is told of once.
TEST_F(TraceReplayTest, EveryOperationIsToldOnceOfManyThreads) {
  std::vector<std::string> records{TraceHeader("0.2")};
  for (int i = 0; i < 200; ++i) {
    records.push_back(TracedGet(i % 2, "k" + std::to_string(i)));
  }
  records.push_back(TracedRecord(kTraceEnd, ""));
  for (const uint32_t threads : {1u, 4u}) {
    auto replayer = ReplayerOf(records);
    ASSERT_TRUE(replayer->Prepare().ok());
    std::atomic<int> told{0};
    const Status s = replayer->Replay(
        ReplayOptions(threads, 10),
        [&](Status status, std::unique_ptr<TraceRecordResult>&& result) {
          EXPECT_TRUE(status.ok()) << status.ToString();
          EXPECT_NE(result, nullptr);
          ++told;
        });
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(told.load(), 200);
  }
}

TEST_F(TraceReplayTest, WhatIsNull) {
  std::unique_ptr<Replayer> replayer;
  const auto reader = [] {
    return std::make_unique<RecordsReader>(
        std::vector<std::string>{TraceHeader("0.2")});
  };
  EXPECT_TRUE(db_->NewDefaultReplayer({second_}, nullptr, &replayer)
                  .IsInvalidArgument());
  EXPECT_TRUE(db_->NewDefaultReplayer({nullptr}, reader(), &replayer)
                  .IsInvalidArgument());
  EXPECT_TRUE(db_->NewDefaultReplayer({second_}, reader(), nullptr)
                  .IsInvalidArgument());
  ASSERT_TRUE(db_->NewDefaultReplayer({second_}, reader(), &replayer).ok());
  std::unique_ptr<TraceRecordResult> result;
  EXPECT_TRUE(replayer->Execute(nullptr, &result).IsInvalidArgument());
}

// A trace whose process was killed has no end, and is good as far as it goes.
TEST_F(TraceReplayTest, ATraceNeedsNoEnd) {
  auto replayer = ReplayerOf({TraceHeader("0.2"), TracedGet(0, "a")});
  ASSERT_TRUE(replayer->Prepare().ok());
  EXPECT_TRUE(replayer->Replay(ReplayOptions(), {}).ok());
  EXPECT_TRUE(replayer->Replay(ReplayOptions(), {}).IsIncomplete());
}

TEST_F(TraceReplayTest, DamagedTraces) {
  EXPECT_TRUE(ReplayerOf({})->Prepare().IsIncomplete());
  EXPECT_TRUE(ReplayerOf({TracedGet(0, "a")})->Prepare().IsCorruption());
  EXPECT_TRUE(ReplayerOf({TracedRecord(kTraceBegin, "beef")})
                  ->Prepare()
                  .IsCorruption());

  const std::string get = TracedGet(0, "key");
  for (size_t size = 0; size < get.size(); ++size) {
    auto replayer = ReplayerOf({TraceHeader("0.2"), get.substr(0, size)});
    ASSERT_TRUE(replayer->Prepare().ok());
    std::unique_ptr<TraceRecord> record;
    EXPECT_TRUE(replayer->Next(&record).IsCorruption()) << size;
    EXPECT_EQ(record, nullptr);
  }
  for (size_t size = 0; size < get.size() - 13; ++size) {
    const std::string cut = TracedRecord(kTraceGet, get.substr(13, size));
    std::unique_ptr<TraceRecord> record;
    EXPECT_TRUE(DecodeTraceRecord(cut, 2, &record).IsCorruption()) << size;
  }
}

TEST_F(TraceReplayTest, TheOldVersion) {
  std::string payload;
  PutFixed32(&payload, 7);
  PutLengthPrefixedSlice(&payload, "key");
  std::unique_ptr<TraceRecord> record;
  ASSERT_TRUE(
      DecodeTraceRecord(TracedRecord(kTraceGet, payload), 1, &record).ok());
  EXPECT_EQ(record->GetTraceType(), kTraceGet);
  EXPECT_EQ(static_cast<GetQueryTraceRecord*>(record.get())->GetKey(), "key");
  EXPECT_TRUE(
      DecodeTraceRecord(TracedRecord(kTraceMultiGet, payload), 1, &record)
          .IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
