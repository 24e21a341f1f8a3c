// A write batch keeps every kind of update in order, undoes to its save points,
// joins others, and reads RocksDB's batches; malformed bytes are Corruption.
#include "rocksdb/write_batch.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "tests/db/wal/log_file.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using std::string_literals::operator""s;

class TestHandle : public ColumnFamilyHandle {
 public:
  explicit TestHandle(uint32_t id,
                      const Comparator* order = BytewiseComparator())
      : id_(id), order_(order) {}
  const std::string& GetName() const override { return name_; }
  uint32_t GetID() const override { return id_; }
  Status GetDescriptor(ColumnFamilyDescriptor*) override {
    return Status::NotSupported();
  }
  const Comparator* GetComparator() const override { return order_; }

 private:
  const std::string name_ = "test";
  const uint32_t id_;
  const Comparator* const order_;
};

// Writes down every call.
class Recorder : public WriteBatch::Handler {
 public:
  std::vector<std::string> calls;
  size_t limit = std::numeric_limits<size_t>::max();
  std::string fail_at;

  Status Note(const std::string& call) {
    calls.push_back(call);
    return call == fail_at ? Status::Aborted("told to") : Status::OK();
  }
  static std::string Join(const char* name, uint32_t id, const Slice& a,
                          const Slice& b = Slice()) {
    return std::string(name) + std::to_string(id) + "(" + a.ToString() + "," +
           b.ToString() + ")";
  }
  Status PutCF(uint32_t id, const Slice& k, const Slice& v) override {
    return Note(Join("Put", id, k, v));
  }
  Status TimedPutCF(uint32_t id, const Slice& k, const Slice& v,
                    uint64_t time) override {
    return Note(Join("TimedPut", id, k, v) + "@" + std::to_string(time));
  }
  Status PutEntityCF(uint32_t id, const Slice& k, const Slice&) override {
    return Note(Join("PutEntity", id, k));
  }
  Status DeleteCF(uint32_t id, const Slice& k) override {
    return Note(Join("Delete", id, k));
  }
  Status SingleDeleteCF(uint32_t id, const Slice& k) override {
    return Note(Join("SingleDelete", id, k));
  }
  Status DeleteRangeCF(uint32_t id, const Slice& b, const Slice& e) override {
    return Note(Join("DeleteRange", id, b, e));
  }
  Status MergeCF(uint32_t id, const Slice& k, const Slice& v) override {
    return Note(Join("Merge", id, k, v));
  }
  Status PutBlobIndexCF(uint32_t id, const Slice& k, const Slice& v) override {
    return Note(Join("PutBlobIndex", id, k, v));
  }
  void LogData(const Slice& blob) override {
    calls.push_back("LogData(" + blob.ToString() + ")");
  }
  Status MarkBeginPrepare(bool unprepared) override {
    return Note(unprepared ? "BeginUnprepare" : "BeginPrepare");
  }
  Status MarkEndPrepare(const Slice& xid) override {
    return Note("EndPrepare(" + xid.ToString() + ")");
  }
  Status MarkNoop(bool empty) override {
    return Note(empty ? "Noop1" : "Noop");
  }
  Status MarkRollback(const Slice& xid) override {
    return Note("Rollback(" + xid.ToString() + ")");
  }
  Status MarkCommit(const Slice& xid) override {
    return Note("Commit(" + xid.ToString() + ")");
  }
  Status MarkCommitWithTimestamp(const Slice& xid, const Slice& ts) override {
    return Note("Commit(" + xid.ToString() + "@" + std::to_string(ts.size()) +
                ")");
  }
  bool Continue() override { return calls.size() < limit; }
};

std::vector<std::string> Calls(const WriteBatch& batch) {
  Recorder recorder;
  Status s = batch.Iterate(&recorder);
  if (!s.ok()) recorder.calls.push_back(s.ToString());
  return recorder.calls;
}

using Strings = std::vector<std::string>;

TEST(WriteBatch, KeepsEveryKindInOrder) {
  TestHandle one(1);
  TestHandle zero(0);
  WriteBatch batch;
  EXPECT_EQ(batch.Count(), 0u);
  EXPECT_EQ(batch.GetDataSize(), 12u);
  ASSERT_TRUE(batch.Put("a", "1").ok());
  ASSERT_TRUE(batch.Put(&one, "b", "2").ok());
  ASSERT_TRUE(batch.Put(&zero, "", "").ok());
  ASSERT_TRUE(batch.Delete("c").ok());
  ASSERT_TRUE(batch.Delete(&one, "d").ok());
  ASSERT_TRUE(batch.SingleDelete("e").ok());
  ASSERT_TRUE(batch.SingleDelete(&one, "f").ok());
  ASSERT_TRUE(batch.Merge("g", "7").ok());
  ASSERT_TRUE(batch.Merge(&one, "h", "8").ok());
  ASSERT_TRUE(batch.DeleteRange("i", "j").ok());
  ASSERT_TRUE(batch.DeleteRange(&one, "k", "l").ok());
  ASSERT_TRUE(batch.PutLogData("note").ok());
  ASSERT_TRUE(batch.PutEntity(&one, "m", {{"y", "1"}, {"x", "2"}}).ok());
  ASSERT_TRUE(batch.TimedPut(&one, "n", "v", 77).ok());
  ASSERT_TRUE(batch.TimedPut(&zero, "o", "v", UINT64_MAX).ok());
  EXPECT_EQ(batch.Count(), 14u);
  EXPECT_EQ(Calls(batch),
            (Strings{"Put0(a,1)", "Put1(b,2)", "Put0(,)", "Delete0(c,)",
                     "Delete1(d,)", "SingleDelete0(e,)", "SingleDelete1(f,)",
                     "Merge0(g,7)", "Merge1(h,8)", "DeleteRange0(i,j)",
                     "DeleteRange1(k,l)", "LogData(note)", "PutEntity1(m,)",
                     "TimedPut1(n,v)@77", "Put0(o,v)"}));
  // The bytes are the batch.
  EXPECT_EQ(Calls(WriteBatch(batch.Data())), Calls(batch));
  const WriteBatch copy(batch);
  EXPECT_EQ(copy.Data(), batch.Data());
  const WriteBatch moved(std::move(batch));
  EXPECT_EQ(moved.Data(), copy.Data());
}

TEST(WriteBatch, PiecesAreJoined) {
  const Slice key[] = {"ab", "", "c"};
  const Slice value[] = {"12", "3"};
  TestHandle five(5);
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(SliceParts(key, 3), SliceParts(value, 2)).ok());
  ASSERT_TRUE(
      batch.Merge(&five, SliceParts(key, 3), SliceParts(value, 2)).ok());
  ASSERT_TRUE(batch.Delete(SliceParts(key, 3)).ok());
  ASSERT_TRUE(batch.SingleDelete(SliceParts(key, 1)).ok());
  ASSERT_TRUE(batch.DeleteRange(SliceParts(key, 1), SliceParts(key, 3)).ok());
  EXPECT_EQ(Calls(batch),
            (Strings{"Put0(abc,123)", "Merge5(abc,123)", "Delete0(abc,)",
                     "SingleDelete0(ab,)", "DeleteRange0(ab,abc)"}));
}

TEST(WriteBatch, KnowsItsKinds) {
  WriteBatch batch;
  EXPECT_FALSE(batch.HasPut());
  ASSERT_TRUE(batch.Put("a", "1").ok());
  ASSERT_TRUE(batch.DeleteRange("a", "b").ok());
  for (const WriteBatch& b : {batch, WriteBatch(batch.Data())}) {
    EXPECT_TRUE(b.HasPut());
    EXPECT_TRUE(b.HasDeleteRange());
    EXPECT_FALSE(b.HasDelete() || b.HasSingleDelete() || b.HasMerge());
    EXPECT_FALSE(b.HasBeginPrepare() || b.HasEndPrepare() || b.HasCommit());
    EXPECT_FALSE(b.HasRollback() || b.HasTimedPut() || b.HasPutEntity());
  }
}

TEST(WriteBatch, SavePointsNest) {
  WriteBatch batch;
  EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
  EXPECT_TRUE(batch.PopSavePoint().IsNotFound());
  ASSERT_TRUE(batch.Put("a", "1").ok());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Delete("b").ok());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Merge("c", "3").ok());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.PopSavePoint().ok());
  ASSERT_TRUE(batch.RollbackToSavePoint().ok());
  EXPECT_EQ(Calls(batch), (Strings{"Put0(a,1)", "Delete0(b,)"}));
  EXPECT_FALSE(batch.HasMerge());
  EXPECT_TRUE(batch.HasDelete());
  ASSERT_TRUE(batch.RollbackToSavePoint().ok());
  EXPECT_EQ(Calls(batch), Strings{"Put0(a,1)"});
  EXPECT_EQ(batch.Count(), 1u);
  EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
  batch.SetSavePoint();
  batch.Clear();
  EXPECT_TRUE(batch.RollbackToSavePoint().IsNotFound());
  EXPECT_EQ(batch.GetDataSize(), 12u);
}

TEST(WriteBatch, MaxBytesRefusesAndChangesNothing) {
  WriteBatch batch(0, 40);
  ASSERT_TRUE(batch.Put("key", "0123456789").ok());
  const std::string before = batch.Data();
  EXPECT_TRUE(batch.Put("key", "0123456789").IsMemoryLimit());
  EXPECT_TRUE(batch.PutLogData(std::string(40, 'x')).IsMemoryLimit());
  EXPECT_EQ(batch.Data(), before);
  ASSERT_TRUE(batch.Delete("k").ok());
  batch.SetMaxBytes(0);
  EXPECT_TRUE(batch.Put("key", std::string(1000, 'v')).ok());
}

TEST(WriteBatch, ReleaseGivesTheBytesAway) {
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "1").ok());
  const std::string bytes = batch.Release();
  EXPECT_EQ(Calls(WriteBatch(bytes)), Strings{"Put0(a,1)"});
  EXPECT_EQ(batch.Count(), 0u);
  ASSERT_TRUE(batch.Put("b", "2").ok());
  EXPECT_EQ(Calls(batch), Strings{"Put0(b,2)"});
}

TEST(WriteBatch, HandlerMayStopOrFail) {
  WriteBatch batch;
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_TRUE(batch.Put(key, "").ok());
  }
  Recorder stops;
  stops.limit = 2;
  EXPECT_TRUE(batch.Iterate(&stops).ok());
  EXPECT_EQ(stops.calls.size(), 2u);
  Recorder fails;
  fails.fail_at = "Put0(b,)";
  EXPECT_TRUE(batch.Iterate(&fails).IsAborted());
  EXPECT_EQ(fails.calls.size(), 2u);
}

TEST(WriteBatch, DefaultHandlerTakesTheDefaultFamilyOnly) {
  class Puts : public WriteBatch::Handler {
   public:
    void Put(const Slice& key, const Slice&) override {
      keys += key.ToString();
    }
    std::string keys;
  } puts;
  TestHandle one(1);
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("a", "").ok());
  ASSERT_TRUE(batch.Delete("b").ok());
  EXPECT_TRUE(batch.Iterate(&puts).ok());
  EXPECT_EQ(puts.keys, "a");
  ASSERT_TRUE(batch.Put(&one, "c", "").ok());
  EXPECT_TRUE(batch.Iterate(&puts).IsInvalidArgument());
  WriteBatch range;
  ASSERT_TRUE(range.DeleteRange("a", "b").ok());
  EXPECT_TRUE(range.Iterate(&puts).IsInvalidArgument());
}

TEST(WriteBatch, KeysEndWithTheirTimestamps) {
  TestHandle timed_handle(1, BytewiseComparatorWithU64Ts());
  TestHandle plain_handle(2, BytewiseComparator());
  ColumnFamilyHandle* const timed = &timed_handle;
  ColumnFamilyHandle* const plain = &plain_handle;
  const Slice ts("12345678");
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(timed, "a", ts, "b").ok());
  ASSERT_TRUE(batch.Delete(timed, "c", ts).ok());
  ASSERT_TRUE(batch.SingleDelete(timed, "d", ts).ok());
  ASSERT_TRUE(batch.DeleteRange(timed, "e", "f", ts).ok());
  ASSERT_TRUE(batch.Merge(timed, "g", ts, "h").ok());
  ASSERT_TRUE(batch.Put(plain, "p", "q").ok());
  EXPECT_EQ(Calls(batch), (Strings{"Put1(a12345678,b)", "Delete1(c12345678,)",
                                   "SingleDelete1(d12345678,)",
                                   "DeleteRange1(e12345678,f12345678)",
                                   "Merge1(g12345678,h)", "Put2(p,q)"}));
  const WriteBatch before = batch;
  // Calls of the wrong kind add nothing.
  EXPECT_TRUE(batch.Put(timed, "a", "1234", "b").IsInvalidArgument());
  EXPECT_TRUE(batch.Put(plain, "a", ts, "b").IsInvalidArgument());
  EXPECT_TRUE(batch.Put(nullptr, "a", ts, "b").IsInvalidArgument());
  EXPECT_TRUE(batch.PutEntity(timed, "a", {}).IsInvalidArgument());
  EXPECT_TRUE(batch.TimedPut(timed, "a", "b", 7).IsInvalidArgument());
  EXPECT_EQ(batch.Data(), before.Data());
}

TEST(WriteBatch, TimestampsThatComeLater) {
  TestHandle timed(1, BytewiseComparatorWithU64Ts());
  const auto sizes = [](uint32_t id) { return id == 1 ? size_t{8} : 0; };
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("p", "q").ok());
  EXPECT_TRUE(WriteBatchInternal::CheckTimestamps(batch, 0).ok());
  EXPECT_FALSE(WriteBatchInternal::CheckTimestamps(batch, 8).ok());
  batch.SetSavePoint();
  ASSERT_TRUE(batch.Put(&timed, "a", "b").ok());
  EXPECT_FALSE(WriteBatchInternal::CheckTimestamps(batch, 0).ok());
  ASSERT_TRUE(batch.RollbackToSavePoint().ok());
  EXPECT_TRUE(WriteBatchInternal::CheckTimestamps(batch, 0).ok());
  ASSERT_TRUE(batch.Put(&timed, "a", "b").ok());
  ASSERT_TRUE(batch.DeleteRange(&timed, "c", "d").ok());
  EXPECT_TRUE(batch.UpdateTimestamps("12345678", nullptr).IsInvalidArgument());
  EXPECT_TRUE(batch.UpdateTimestamps("1234", sizes).IsInvalidArgument());
  ASSERT_TRUE(batch.UpdateTimestamps("12345678", sizes).ok());
  EXPECT_TRUE(WriteBatchInternal::CheckTimestamps(batch, 0).ok());
  EXPECT_EQ(Calls(batch), (Strings{"Put0(p,q)", "Put1(a12345678,b)",
                                   "DeleteRange1(c12345678,d12345678)"}));
  // A key that has no room for it.
  WriteBatch bytes(batch.Data());
  EXPECT_TRUE(
      bytes.UpdateTimestamps("12345678", [](uint32_t) { return size_t{8}; })
          .IsCorruption());
  EXPECT_EQ(bytes.Data(), batch.Data());
}

TEST(WriteBatch, KeepsTimestampSizesOfFamilies) {
  TestHandle timed(1, BytewiseComparatorWithU64Ts());
  TestHandle plain(2, BytewiseComparator());
  using Sizes = std::unordered_map<uint32_t, size_t>;
  WriteBatch batch;
  ASSERT_TRUE(batch.Put(&timed, "a", "b").ok());
  batch.MaybeTrackTimestampSize(5, 8);
  EXPECT_EQ(batch.GetColumnFamilyToTimestampSize(), Sizes{});
  batch.SetTrackTimestampSize(true);
  EXPECT_EQ(batch.GetColumnFamilyToTimestampSize(), Sizes{});
  ASSERT_TRUE(batch.Delete(&timed, "a", "12345678").ok());
  EXPECT_EQ(batch.GetColumnFamilyToTimestampSize(), (Sizes{{1, 8}}));
  ASSERT_TRUE(batch.Put("p", "q").ok());
  ASSERT_TRUE(batch.Merge(&plain, "p", "q").ok());
  EXPECT_TRUE(batch.Put(&plain, "a", "12345678", "b").IsInvalidArgument());
  batch.MaybeTrackTimestampSize(5, 8);
  batch.MaybeTrackTimestampSize(1, 4);
  const Sizes all{{1, 8}, {0, 0}, {2, 0}, {5, 8}};
  EXPECT_EQ(batch.GetColumnFamilyToTimestampSize(), all);
  WriteBatch copy(batch);
  EXPECT_EQ(copy.GetColumnFamilyToTimestampSize(), all);
  const WriteBatch moved(std::move(copy));
  copy = moved;
  EXPECT_EQ(copy.GetColumnFamilyToTimestampSize(), all);
  copy.Clear();
  EXPECT_EQ(copy.GetColumnFamilyToTimestampSize(), Sizes{});
  ASSERT_TRUE(copy.Put(&timed, "a", "b").ok()) << "they are kept still";
  EXPECT_EQ(copy.GetColumnFamilyToTimestampSize(), (Sizes{{1, 8}}));
  batch.SetTrackTimestampSize(false);
  EXPECT_EQ(batch.GetColumnFamilyToTimestampSize(), Sizes{});
  batch.SetTrackTimestampSize(true);
  EXPECT_EQ(batch.GetColumnFamilyToTimestampSize(), Sizes{});
}

TEST(WriteBatch, AppendJoinsGroups) {
  WriteBatch group;
  WriteBatch first;
  ASSERT_TRUE(first.Put("a", "1").ok());
  WriteBatch second;
  ASSERT_TRUE(second.Merge("b", "2").ok());
  second.MarkWalTerminationPoint();
  ASSERT_TRUE(second.Delete("c").ok());
  using Part = WriteBatchInternal::Part;
  ASSERT_TRUE(WriteBatchInternal::Append(&group, first, Part::kAll).ok());
  ASSERT_TRUE(
      WriteBatchInternal::Append(&group, second, Part::kUpToWalTermination)
          .ok());
  EXPECT_EQ(Calls(group), (Strings{"Put0(a,1)", "Merge0(b,2)"}));
  EXPECT_TRUE(group.HasMerge());
  EXPECT_FALSE(group.HasDelete());
  ASSERT_TRUE(WriteBatchInternal::Append(&group, second, Part::kAll).ok());
  EXPECT_EQ(group.Count(), 4u);
  EXPECT_TRUE(
      WriteBatchInternal::Append(&group, WriteBatch("short"), Part::kAll)
          .IsCorruption());
}

TEST(WriteBatch, TransactionMarkers) {
  WriteBatch batch;
  WriteBatchInternal::AddMarker(&batch, kTypeNoop);
  ASSERT_TRUE(batch.Put("a", "1").ok());
  ASSERT_TRUE(
      WriteBatchInternal::MarkEndPrepare(&batch, "x1", kTypeBeginPrepareXID)
          .ok());
  WriteBatchInternal::AddTransactionMarker(&batch, kTypeCommitXID, "x1");
  WriteBatchInternal::AddTransactionMarker(&batch, kTypeRollbackXID, "x2");
  EXPECT_EQ(batch.Count(), 1u);
  EXPECT_EQ(Calls(batch),
            (Strings{"BeginPrepare", "Put0(a,1)", "EndPrepare(x1)",
                     "Commit(x1)", "Rollback(x2)"}));
  EXPECT_TRUE(batch.HasBeginPrepare() && batch.HasEndPrepare());
  EXPECT_TRUE(batch.HasCommit() && batch.HasRollback());
  WriteBatch no_noop;
  EXPECT_TRUE(
      WriteBatchInternal::MarkEndPrepare(&no_noop, "x", kTypeBeginPrepareXID)
          .IsInvalidArgument());
}

// --- Bytes that others wrote

TEST(WriteBatch, StockBatches) {
  const LogContents log = ReadLog(TestLog("r119_two_cf.000004"),
                                  WALRecoveryMode::kAbsoluteConsistency, 4);
  ASSERT_EQ(log.records.size(), 3u);
  WriteBatch batch;
  ASSERT_TRUE(WriteBatchInternal::SetContents(&batch, log.records[0]).ok());
  EXPECT_EQ(WriteBatchInternal::Sequence(batch), 1u);
  EXPECT_EQ(batch.Count(), 14u);
  EXPECT_EQ(
      Calls(batch),
      (Strings{"Put0(apple,red)", "Put1(bird,wren)", "Delete0(cherry,)",
               "Delete1(dodo,)", "SingleDelete0(eel,)", "SingleDelete1(fox,)",
               "Merge0(grape,1)", "Merge1(heron,2)", "DeleteRange0(i,k)",
               "DeleteRange1(l,n)", "LogData(note)", "PutEntity0(ent,)",
               "PutEntity1(ent2,)", "TimedPut0(timed,tv)@1700000000",
               "TimedPut1(timed2,tv2)@1700000001"}));
  // Written again, it is the same bytes.
  TestHandle one(1);
  TestHandle zero(0);
  WriteBatch again;
  WriteBatchInternal::SetSequence(&again, 1);
  ASSERT_TRUE(again.Put("apple", "red").ok());
  ASSERT_TRUE(again.Put(&one, "bird", "wren").ok());
  ASSERT_TRUE(again.Delete("cherry").ok());
  ASSERT_TRUE(again.Delete(&one, "dodo").ok());
  ASSERT_TRUE(again.SingleDelete("eel").ok());
  ASSERT_TRUE(again.SingleDelete(&one, "fox").ok());
  ASSERT_TRUE(again.Merge("grape", "1").ok());
  ASSERT_TRUE(again.Merge(&one, "heron", "2").ok());
  ASSERT_TRUE(again.DeleteRange("i", "k").ok());
  ASSERT_TRUE(again.DeleteRange(&one, "l", "n").ok());
  ASSERT_TRUE(again.PutLogData("note").ok());
  ASSERT_TRUE(
      again.PutEntity(&zero, "ent", {{"", "dflt"}, {"a", "1"}, {"bb", "22"}})
          .ok());
  ASSERT_TRUE(again.PutEntity(&one, "ent2", {{"z", "9"}}).ok());
  ASSERT_TRUE(again.TimedPut(&zero, "timed", "tv", 1700000000).ok());
  ASSERT_TRUE(again.TimedPut(&one, "timed2", "tv2", 1700000001).ok());
  EXPECT_EQ(again.Data(), log.records[0]);
}

TEST(WriteBatch, StockTransactionBatches) {
  Strings calls;
  for (const char* name :
       {"r119_txn_write_committed.000004", "r119_txn_write_prepared.000004",
        "r119_txn_write_unprepared.000004", "r119_udt_txn.000004",
        "r783_txn_write_committed.000004", "r783_txn_write_prepared.000004",
        "r783_txn_write_unprepared.000004"}) {
    const LogContents log =
        ReadLog(TestLog(name), WALRecoveryMode::kAbsoluteConsistency, 4);
    EXPECT_TRUE(log.reports.empty());
    EXPECT_GT(log.records.size(), 3u);
    for (const std::string& record : log.records) {
      Recorder recorder;
      EXPECT_TRUE(WriteBatch(record).Iterate(&recorder).ok());
      calls.insert(calls.end(), recorder.calls.begin(), recorder.calls.end());
    }
  }
  for (const char* call :
       {"BeginPrepare", "BeginUnprepare", "Noop1", "Noop", "EndPrepare(xid1)",
        "Commit(xid1)", "Rollback(xid2)", "Commit(xidts@8)"}) {
    EXPECT_NE(std::find(calls.begin(), calls.end(), call), calls.end()) << call;
  }
}

// The calls of a log that a release wrote.
Strings CallsOfLog(const std::string& name) {
  const LogContents log =
      ReadLog(TestLog(name), WALRecoveryMode::kAbsoluteConsistency, 4);
  EXPECT_TRUE(log.reports.empty());
  Strings calls;
  for (const std::string& record : log.records) {
    for (const std::string& call : Calls(WriteBatch(record))) {
      calls.push_back(call);
    }
  }
  return calls;
}

// The same of both releases, each with its own marker of who prepared.
TEST(WriteBatch, StockTransactionsAreThoseOfTheOtherRelease) {
  for (const std::string policy : {"committed", "prepared", "unprepared"}) {
    const std::string name = "_txn_write_" + policy + ".000004";
    const Strings calls = CallsOfLog("r783" + name);
    EXPECT_GT(calls.size(), 10u);
    EXPECT_EQ(calls, CallsOfLog("r119" + name));
  }
}

// Behind the value, seconds as fixed32.
TEST(WriteBatch, StockBatchesWithTimeToLive) {
  EXPECT_EQ(CallsOfLog("r119_ttl.000004"), Strings{"Put0(k,v\xfb\xb0\0k)"s});
  EXPECT_EQ(CallsOfLog("r783_ttl.000004"), Strings{"Put0(k,v\xf9\xb0\0k)"s});
}

// References to blob file 8, and an entity that has one as a column.
TEST(WriteBatch, StockBatchesWithBlobsOfTheirOwn) {
  const Strings calls = CallsOfLog("r119_blob_direct_write.000004");
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_TRUE(calls[0].starts_with("PutBlobIndex0(k1,\x01\x08\x40"))
      << calls[0];
  EXPECT_EQ(calls[1], "Put0(k2,x)");
  EXPECT_EQ(calls[2], "PutEntity0(e,)");
}

TEST(WriteBatch, MalformedBytesAreCorruption) {
  EXPECT_EQ(WriteBatch("").Count(), 0u);
  Recorder recorder;
  EXPECT_TRUE(
      WriteBatch(std::string(11, '\0')).Iterate(&recorder).IsCorruption());
  WriteBatch batch;
  EXPECT_TRUE(
      WriteBatchInternal::SetContents(&batch, "12345678901").IsCorruption());
  EXPECT_TRUE(WriteBatch("short").Put("a", "b").IsCorruption());
  const std::string whole = ReadLog(TestLog("r119_two_cf.000004"),
                                    WALRecoveryMode::kAbsoluteConsistency, 4)
                                .records[0];
  for (size_t size = 0; size < whole.size(); ++size) {
    Recorder r;
    EXPECT_TRUE(WriteBatch(whole.substr(0, size)).Iterate(&r).IsCorruption());
  }
  for (int tag = 0; tag < 256; ++tag) {
    std::string bytes(12, '\0');
    bytes.push_back(static_cast<char>(tag));
    bytes.append("\x01\x01\x01");
    Recorder r;
    const Status s = WriteBatch(bytes).Iterate(&r);
    EXPECT_TRUE(s.IsCorruption()) << tag;
  }
  std::string wrong_count = whole;
  wrong_count[8] = 13;
  EXPECT_TRUE(WriteBatch(wrong_count).Iterate(&recorder).IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
