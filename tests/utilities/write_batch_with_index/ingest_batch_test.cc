// DB::IngestWriteBatchWithIndex: batches as memtables of their own.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/wal/write_batch_internal.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IngestBatchTest : public FamiliesFixture {
 protected:
  IngestBatchTest() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.create_missing_column_families = true;
    unlogged_.disableWAL = true;
  }
  void Open() { OpenFamilies({"default", "b"}); }
  static std::shared_ptr<WriteBatchWithIndex> NewBatch() {
    return std::make_shared<WriteBatchWithIndex>(BytewiseComparator(), 0,
                                                 /*overwrite_key=*/true);
  }
  Status Ingest(const std::shared_ptr<WriteBatchWithIndex>& batch) {
    return db_->IngestWriteBatchWithIndex(unlogged_, batch);
  }
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb." + property, &value));
    return value;
  }

  WriteOptions unlogged_;
};

TEST_F(IngestBatchTest, AllOfItIsThere) {
  Open();
  for (const char* key : {"a", "b", "c"}) ASSERT_OK(PutIn(0, key, "0"));
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  const Snapshot* snapshot = db_->GetSnapshot();
  const auto batch = NewBatch();
  ASSERT_OK(batch->Put("a", "1"));
  ASSERT_OK(batch->Put("a", "2"));
  ASSERT_OK(batch->Delete("b"));
  ASSERT_OK(batch->Merge(handles_[0], "c", "3"));
  ASSERT_OK(batch->Put(handles_[1], "d", "4"));
  ASSERT_OK(Ingest(batch));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before + 5);
  ASSERT_OK(PutIn(0, "e", "5"));
  for (const char* place : {"memory", "files", "reopened"}) {
    SCOPED_TRACE(place);
    EXPECT_EQ(ScanOf(0), "a=2 c=0,3 e=5 ");
    EXPECT_EQ(ScanOf(1), "d=4 ");
    if (snapshot != nullptr) {
      EXPECT_EQ(Get("a", snapshot) + Get("b", snapshot) + Get("c", snapshot),
                "000");
    }
    if (place == std::string("memory")) ASSERT_OK(db_->Flush({}, handles_));
    if (place == std::string("files")) {
      db_->ReleaseSnapshot(snapshot);
      snapshot = nullptr;
      Open();
    }
  }
}

TEST_F(IngestBatchTest, ItIsSealedByItself) {
  options_.max_write_buffer_number = 6;
  Open();
  ASSERT_OK(db_->PauseBackgroundWork());
  ASSERT_OK(PutIn(0, "a", "0"));
  const auto batch = NewBatch();
  ASSERT_OK(batch->Put("b", "1"));
  ASSERT_OK(Ingest(batch));
  EXPECT_EQ(Number("num-immutable-mem-table"), 2u);
  EXPECT_EQ(Number("num-entries-active-mem-table"), 0u);
  ASSERT_OK(Ingest(NewBatch()));  // Nothing is in it.
  EXPECT_EQ(Number("num-immutable-mem-table"), 2u);
  ASSERT_OK(batch->Put("c", "2"));
  ASSERT_OK(Ingest(batch));
  EXPECT_EQ(Number("num-immutable-mem-table"), 3u);
  EXPECT_EQ(ScanOf(0), "a=0 b=1 c=2 ");
  ASSERT_OK(db_->ContinueBackgroundWork());
  ASSERT_OK(db_->Flush({}, handles_));
  EXPECT_EQ(Number("num-immutable-mem-table"), 0u);
  EXPECT_EQ(ScanOf(0), "a=0 b=1 c=2 ");
}

TEST_F(IngestBatchTest, WhatItRefuses) {
  Open();
  const auto batch = NewBatch();
  ASSERT_OK(batch->Put("a", "1"));
  EXPECT_TRUE(Ingest(nullptr).IsInvalidArgument());
  EXPECT_TRUE(
      db_->IngestWriteBatchWithIndex(WriteOptions(), batch).IsNotSupported());
  const auto all = std::make_shared<WriteBatchWithIndex>();
  ASSERT_OK(all->Put("a", "1"));
  EXPECT_TRUE(Ingest(all).IsNotSupported());
  // A family that is gone.
  ASSERT_OK(batch->Put(handles_[1], "b", "2"));
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  EXPECT_TRUE(Ingest(batch).IsInvalidArgument());
  EXPECT_EQ(ScanOf(0), "");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before);
  unlogged_.ignore_missing_column_families = true;
  ASSERT_OK(Ingest(batch));
  EXPECT_EQ(ScanOf(0), "a=1 ");
}

TEST_F(IngestBatchTest, FailureInTheMiddleLeavesNothing) {
  Open();
  ASSERT_OK(PutIn(0, "a", "0"));
  const auto batch = NewBatch();
  ASSERT_OK(batch->Put("a", "1"));
  ASSERT_OK(batch->Put(handles_[1], "b", "1"));
  // No insertion gets past half a transaction.
  WriteBatchInternal::AddTransactionMarker(batch->GetWriteBatch(),
                                           kTypeEndPrepareXID, "x");
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  EXPECT_FALSE(Ingest(batch).ok());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before);
  EXPECT_EQ(ScanOf(0), "a=0 ");
  EXPECT_EQ(ScanOf(1), "");
  // Writing goes on, with the sequences that were not used.
  ASSERT_OK(PutIn(0, "c", "2"));
  ASSERT_OK(PutIn(1, "c", "2"));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before + 2);
  for (const bool is_reopened : {false, true}) {
    if (is_reopened) Open();
    EXPECT_EQ(ScanOf(0), "a=0 c=2 ");
    EXPECT_EQ(ScanOf(1), "c=2 ");
  }
}

TEST_F(IngestBatchTest, AProtectedBatchIsVerified) {
  Open();
  const auto batch = std::make_shared<WriteBatchWithIndex>(
      BytewiseComparator(), 0, true, 0, /*protection_bytes_per_key=*/8);
  ASSERT_OK(batch->Put("a", "value"));
  char* const bytes = const_cast<char*>(batch->GetWriteBatch()->Data().data());
  char* const last = bytes + batch->GetWriteBatch()->GetDataSize() - 1;
  *last ^= 1;
  EXPECT_TRUE(Ingest(batch).IsCorruption());
  EXPECT_EQ(ScanOf(0), "");
  *last ^= 1;
  ASSERT_OK(Ingest(batch));
  EXPECT_EQ(ScanOf(0), "a=value ");
}

TEST_F(IngestBatchTest, FlushedTogetherWhereFlushesAre) {
  options_.atomic_flush = true;
  Open();
  ASSERT_OK(db_->Put(unlogged_, handles_[1], "before", "0"));
  const auto batch = NewBatch();
  ASSERT_OK(batch->Put("a", "1"));
  ASSERT_OK(Ingest(batch));
  ASSERT_OK(db_->Flush({}, handles_));
  Open();
  EXPECT_EQ(ScanOf(0), "a=1 ");
  EXPECT_EQ(ScanOf(1), "before=0 ");
}

struct Mode {
  const char* name;
  void (*apply)(Options*);
};

class IngestModesTest : public IngestBatchTest,
                        public ::testing::WithParamInterface<Mode> {};

// Both families show every batch, or neither does.
TEST_P(IngestModesTest, BesideWritersAndReaders) {
  constexpr int kBatches = 30;
  GetParam().apply(&options_);
  options_.write_buffer_size = 64 << 10;
  options_.max_write_buffer_number = 6;
  Open();
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop.load(); ++i) {
      ASSERT_OK(PutIn(0, "w" + std::to_string(i % 50), std::to_string(i)));
    }
  });
  std::thread reader([&] {
    while (!stop.load()) {
      ReadOptions read;
      read.snapshot = db_->GetSnapshot();
      std::string a, b;
      const Status in_a = db_->Get(read, handles_[0], "n", &a);
      const Status in_b = db_->Get(read, handles_[1], "n", &b);
      EXPECT_EQ(in_a.ok(), in_b.ok());
      EXPECT_EQ(a, b);
      db_->ReleaseSnapshot(read.snapshot);
    }
  });
  for (int n = 1; n <= kBatches; ++n) {
    const auto batch = NewBatch();
    ASSERT_OK(batch->Put(handles_[0], "n", std::to_string(n)));
    ASSERT_OK(batch->Put(handles_[1], "n", std::to_string(n)));
    ASSERT_OK(Ingest(batch));
    ASSERT_EQ(GetFrom(0, "n"), std::to_string(n));
  }
  stop.store(true);
  writer.join();
  reader.join();
  ASSERT_OK(db_->Flush({}, handles_));
  Open();
  EXPECT_EQ(GetFrom(0, "n"), std::to_string(kBatches));
  EXPECT_EQ(GetFrom(1, "n"), std::to_string(kBatches));
}

INSTANTIATE_TEST_SUITE_P(
    Modes, IngestModesTest,
    ::testing::Values(
        Mode{"Plain", [](Options*) {}},
        Mode{"Pipelined", [](Options* o) { o->enable_pipelined_write = true; }},
        Mode{"Unordered", [](Options* o) { o->unordered_write = true; }},
        Mode{"TwoQueues", [](Options* o) { o->two_write_queues = true; }}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
