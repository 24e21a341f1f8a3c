// Prepared transactions in logs, opened with allow_2pc, take effect where they
// are committed, keep their logs, and survive crashes and damaged logs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "db/recovery/wal_replay.h"
#include "db/wal/log_writer.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/write_batch_internal.h"
#include "file/filename.h"
#include "file/writable_file_writer.h"
#include "rocksdb/env.h"
#include "tests/db/impl/db_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

WriteBatch Prepared(const std::string& name, const KeyValues& updates,
                    ValueType begin = kTypeBeginPrepareXID) {
  WriteBatch batch;
  WriteBatchInternal::AddMarker(&batch, kTypeNoop);
  for (const auto& [key, value] : updates) EXPECT_OK(batch.Put(key, value));
  EXPECT_OK(WriteBatchInternal::MarkEndPrepare(&batch, name, begin));
  return batch;
}
WriteBatch Marker(ValueType type, const std::string& name) {
  WriteBatch batch;
  WriteBatchInternal::AddTransactionMarker(&batch, type, name);
  return batch;
}
WriteBatch Puts(const KeyValues& updates) {
  WriteBatch batch;
  for (const auto& [key, value] : updates) EXPECT_OK(batch.Put(key, value));
  return batch;
}
WriteBatch Joined(const std::vector<WriteBatch>& parts) {
  WriteBatch all;
  for (const WriteBatch& part : parts) {
    EXPECT_OK(
        WriteBatchInternal::Append(&all, part, WriteBatchInternal::Part::kAll));
  }
  return all;
}

class PreparedTransactionsTest : public DbFixture {
 protected:
  PreparedTransactionsTest() { options_.allow_2pc = true; }
  ~PreparedTransactionsTest() override { db_.reset(); }

  // Behind all that is there. A prepared section takes no sequence, a commit
  // as many as the section has updates.
  struct Logged {
    WriteBatch batch;
    uint64_t sequences = 0;
  };
  uint64_t WriteLog(std::vector<Logged> records) {
    Open();
    SequenceNumber next = db_->GetLatestSequenceNumber() + 1 - lost_sequences_;
    EXPECT_OK(db_->Close());
    db_.reset();
    const uint64_t number = NewestLog() + 10;
    std::unique_ptr<WritableFileWriter> file;
    EXPECT_OK(WritableFileWriter::Create(FileSystem::Default().get(),
                                         LogFileName(path_, number),
                                         FileOptions(), &file));
    log::Writer writer(std::move(file), {.log_number = number});
    for (Logged& record : records) {
      WriteBatchInternal::SetSequence(&record.batch, next);
      next += record.sequences;
      EXPECT_OK(writer.AddRecord(record.batch.Data()));
    }
    EXPECT_OK(writer.Close());
    return number;
  }
  uint64_t NewestLog() {
    std::vector<uint64_t> logs;
    EXPECT_OK(ListLogs(FileSystem::Default().get(), path_, &logs));
    return logs.empty() ? 100 : logs.back();
  }
  bool HasLog(uint64_t number) {
    return std::filesystem::exists(LogFileName(path_, number));
  }
  void WriteAndFlush() {
    ASSERT_OK(Put("later", "x"));
    ASSERT_OK(Flush());
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  }

  // So many are in the manifest, and were in no log that is left.
  uint64_t lost_sequences_ = 0;
  const std::shared_ptr<FaultInjectionFileSystem> fs_ =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default());
  const std::unique_ptr<Env> env_ = NewCompositeEnv(fs_);
};

TEST_F(PreparedTransactionsTest, TakeEffectWhereTheyAreCommitted) {
  Open();
  ASSERT_OK(Put("a", "0"));
  ASSERT_OK(Put("e", "0"));
  const uint64_t log = WriteLog({
      {Prepared("xid1", {{"a", "1"}, {"b", "2"}}), 0},
      {Prepared("xid2", {{"d", "4"}}), 0},
      // The commit of xid1 comes later, so its value of `a` wins.
      {Puts({{"a", "between"}, {"c", "3"}}), 2},
      {Marker(kTypeCommitXID, "xid1"), 2},
      {Marker(kTypeRollbackXID, "xid2"), 0},
      {Marker(kTypeCommitXID, "of long ago"), 0},
      {Puts({{"b", "last"}}), 1},
  });
  Open();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("b"), "last");
  EXPECT_EQ(Get("c"), "3");
  EXPECT_EQ(Get("d"), "NOT_FOUND");
  EXPECT_EQ(Get("e"), "0");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 7u);
  ASSERT_NO_FATAL_FAILURE(WriteAndFlush());
  EXPECT_FALSE(HasLog(log));
  Reopen();
  EXPECT_EQ(Get("a"), "1");
}

// Writers of one group share a record.
TEST_F(PreparedTransactionsTest, OneRecordHoldsSeveral) {
  WriteLog({
      {Joined({Puts({{"a", "1"}}), Prepared("x", {{"b", "2"}, {"c", "3"}}),
               Puts({{"b", "before"}}), Prepared("y", {{"a", "4"}})}),
       2},
      {Joined({Marker(kTypeCommitXID, "y"), Puts({{"d", "5"}}),
               Marker(kTypeCommitXID, "x")}),
       4},
  });
  Open();
  EXPECT_EQ(Get("a"), "4");
  EXPECT_EQ(Get("b"), "2");
  EXPECT_EQ(Get("c"), "3");
  EXPECT_EQ(Get("d"), "5");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 6u);
}

// Until they are ended, over as many sessions and flushes as it takes.
TEST_F(PreparedTransactionsTest, TheLogsOfOpenOnesStay) {
  const uint64_t log =
      WriteLog({{Prepared("open", {{"a", "1"}, {"b", "2"}}), 0},
                {Puts({{"a", "0"}}), 1}});
  for (int session = 0; session < 3; ++session) {
    Open();
    EXPECT_EQ(Get("a"), "0");
    EXPECT_EQ(Get("b"), "NOT_FOUND");
    ASSERT_NO_FATAL_FAILURE(WriteAndFlush());
    EXPECT_TRUE(HasLog(log)) << session;
    uint64_t kept = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.min-log-number-to-keep", &kept));
    EXPECT_EQ(kept, log);
  }
  // Read-only, too.
  db_.reset();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  WriteLog({{Marker(kTypeCommitXID, "open"), 2}});
  Open();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("b"), "2");
  ASSERT_NO_FATAL_FAILURE(WriteAndFlush());
  EXPECT_FALSE(HasLog(log));
  Reopen();
  EXPECT_EQ(Get("b"), "2");
}

TEST_F(PreparedTransactionsTest, WithoutTheOptionTheyAreRefused) {
  WriteLog(
      {{Prepared("x", {{"a", "1"}}), 0}, {Marker(kTypeCommitXID, "x"), 1}});
  options_.allow_2pc = false;
  EXPECT_TRUE(TryOpen().IsNotSupported());
  options_.allow_2pc = true;
  Open();
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(PreparedTransactionsTest, OtherPoliciesAreRefusedByName) {
  for (const ValueType begin :
       {kTypeBeginPersistedPrepareXID, kTypeBeginUnprepareXID}) {
    PreparedSections sections;
    WriteBatch batch = Prepared("x", {{"a", "1"}}, begin);
    const Status s = sections.Expand(7, {}, &batch);
    EXPECT_TRUE(s.IsNotSupported());
    EXPECT_NE(s.ToString().find("write-prepared"), std::string::npos);
    EXPECT_TRUE(sections.sections().empty());
  }
}

TEST_F(PreparedTransactionsTest, MarkersThatDoNotPairUpAreCorruption) {
  WriteBatch begin, inside, end, twice;
  WriteBatchInternal::AddMarker(&begin, kTypeBeginPrepareXID);
  ASSERT_OK(begin.Put("a", "1"));
  inside = Joined({begin, Prepared("x", {{"a", "1"}})});
  WriteBatchInternal::AddTransactionMarker(&end, kTypeEndPrepareXID, "x");
  twice = Joined({Prepared("x", {{"a", "1"}}), Prepared("x", {{"a", "1"}})});
  for (WriteBatch* batch : {&begin, &inside, &end, &twice}) {
    PreparedSections sections;
    EXPECT_TRUE(PreparedSections::Concerns(*batch));
    EXPECT_TRUE(sections.Expand(7, {}, batch).IsCorruption());
  }
}

TEST_F(PreparedTransactionsTest, ACommitBringsTheTimestamp) {
  PreparedSections sections;
  const std::string blank(8, '\0'), stamp(8, '\x4d');
  WriteBatch batch;
  WriteBatchInternal::AddMarker(&batch, kTypeNoop);
  const Slice key("key"), empty(blank), value("value");
  const Slice parts[] = {key, empty};
  const SliceParts value_parts(&value, 1);
  ASSERT_OK(WriteBatchInternal::Add(&batch, kTypeValue, 3, SliceParts(parts, 2),
                                    &value_parts));
  ASSERT_OK(batch.Put("plain", "of a family without"));
  ASSERT_OK(
      WriteBatchInternal::MarkEndPrepare(&batch, "x", kTypeBeginPrepareXID));
  ASSERT_OK(sections.Expand(7, {{3, 8}}, &batch));
  EXPECT_EQ(batch.Count(), 0u);
  EXPECT_EQ(sections.MinLog(), 7u);

  const auto commit = [&](const std::string& timestamp) {
    std::string bytes(12, '\0');
    bytes.push_back(static_cast<char>(kTypeCommitXIDAndTimestamp));
    bytes.push_back(static_cast<char>(timestamp.size()));
    bytes += timestamp + "\x01x";
    return WriteBatch(bytes);
  };
  PreparedSections copy = sections;
  WriteBatch wrong = commit("short");
  EXPECT_TRUE(copy.Expand(8, {{3, 8}}, &wrong).IsCorruption());
  WriteBatch right = commit(stamp);
  ASSERT_OK(sections.Expand(8, {{3, 8}}, &right));
  EXPECT_EQ(right.Count(), 2u);
  EXPECT_NE(right.Data().find("key" + stamp), std::string::npos);
  EXPECT_NE(right.Data().find("plain"), std::string::npos);
  EXPECT_EQ(sections.MinLog(), UINT64_MAX);
}

// RocksDB wrote these logs: xid1 commits a and b, xid2 rolls c back, and d is
// written twice.
TEST_F(PreparedTransactionsTest, ALogOfTheFieldsOwnEngine) {
  for (const std::string release : {"r119", "r783"}) {
    SCOPED_TRACE(release);
    const auto take = [&](const std::string& policy) {
      std::filesystem::copy_file(
          std::filesystem::path(BASALT_SOURCE_DIR) / "tests/testdata/wal" /
              (release + "_txn_write_" + policy + ".000004.log"),
          LogFileName(path_, NewestLog() + 10));
    };
    Open();
    ASSERT_OK(db_->Close());
    db_.reset();
    take("committed");
    Open();
    EXPECT_EQ(Get("plain"), "v");
    EXPECT_EQ(Get("a"), "1");
    EXPECT_EQ(Get("b"), "2");
    EXPECT_EQ(Get("c"), "NOT_FOUND");
    EXPECT_EQ(Get("d"), "5");
    EXPECT_EQ(db_->GetLatestSequenceNumber(), 5u);
    db_.reset();
    for (const char* policy : {"prepared", "unprepared"}) {
      take(policy);
      EXPECT_FALSE(TryOpen().ok()) << policy;
      std::filesystem::remove(LogFileName(path_, NewestLog()));
    }
    Open();
    EXPECT_EQ(Get("d"), "5");
    db_.reset();
    ASSERT_OK(DestroyDB(path_, options_));
  }
}

// What the first session has made durable is enough for the next one.
TEST_F(PreparedTransactionsTest, ACrashAtOpenLosesNothing) {
  const uint64_t log =
      WriteLog({{Prepared("open", {{"a", "1"}}), 0}, {Puts({{"b", "2"}}), 1}});
  Open();
  EXPECT_EQ(Get("b"), "2");
  // The next session opens a copy of the files, as if this process had ended.
  const std::string copy = directory_.path() + "/copy";
  std::filesystem::copy(path_, copy, std::filesystem::copy_options::recursive);
  db_.reset();
  path_ = copy;
  WriteLog({{Marker(kTypeCommitXID, "open"), 1}});
  Open();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("b"), "2");
  EXPECT_GT(NewestLog(), log);
}

// Their log is where the next replay begins, which would end at the failed one:
// they are carried over to the log behind it.
TEST_F(PreparedTransactionsTest, AFailedLogBehindThemIsPassedOver) {
  const uint64_t log = WriteLog({{Prepared("x", {{"a", "1"}}), 0},
                                 {Prepared("y", {{"a", "2"}, {"f", "2"}}), 0}});
  options_.env = env_.get();
  options_.max_bgerror_resume_count = 0;
  Open();
  ASSERT_OK(Put("b", "1"));
  for (const char* key : {"c", "d"}) {
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    fs_->FailCall({.call = 1, .path_contains = ".log"});
    EXPECT_TRUE(Put(key, "1").IsIOError());
    EXPECT_FALSE(Put(key, "1").ok());
    ASSERT_OK(db_->Resume());
    ASSERT_OK(Put(std::string("after ") + key, "1"));
  }
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  EXPECT_FALSE(HasLog(log));
  WriteLog({{Marker(kTypeCommitXID, "x"), 1}});
  WriteLog({{Marker(kTypeCommitXID, "y"), 2}});
  Open();
  EXPECT_EQ(Scan(), "a=2 after c=1 after d=1 b=1 f=2 ");
}

// A crash has cut a log amid a record, and the manifest's sequences go further
// than what is left of it. A session without paranoid_checks went on in the
// next log, whose first sequence is not the one behind the cut log's last.
TEST_F(PreparedTransactionsTest, ATornLogIsFollowedByTheNextSession) {
  Open();
  for (const char* key : {"p", "q", "r", "s"}) ASSERT_OK(Put(key, "0"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Close());
  db_.reset();
  lost_sequences_ = 3;
  const uint64_t torn =
      WriteLog({{Prepared("open", {{"a", "1"}}), 0}, {Puts({{"b", "1"}}), 1}});
  lost_sequences_ = 0;
  {
    std::ofstream file(LogFileName(path_, torn),
                       std::ios::binary | std::ios::app);
    file << std::string("\xde\x8f\x03\xb1\x1d\x06\x01", 7);  // a header alone
  }
  options_.paranoid_checks = false;
  Open();
  options_.paranoid_checks = true;
  ASSERT_EQ(Get("b"), "1");
  ASSERT_OK(Put("c", "1"));
  ASSERT_OK(Flush());  // tables that are newer than the torn log
  ASSERT_OK(Put("d", "1"));
  ASSERT_TRUE(HasLog(torn));
  WriteLog({{Marker(kTypeCommitXID, "open"), 1}});
  Open();
  EXPECT_EQ(Scan(), "a=1 b=1 c=1 d=1 p=0 q=0 r=0 s=0 ");
}

// A crash at each call of a Resume(): nothing that is prepared is lost, whether
// it is in one log then or in two.
TEST_F(PreparedTransactionsTest, ACrashWhileTheyAreCarriedLosesNothing) {
  options_.max_bgerror_resume_count = 0;
  bool has_struck = true;
  for (uint64_t call = 1; has_struck; ++call) {
    ASSERT_LT(call, 200u);
    SCOPED_TRACE(call);
    options_.env = Env::Default();
    ASSERT_OK(DestroyDB(path_, options_));
    WriteLog({{Prepared("x", {{"a", "1"}}), 0}});
    options_.env = env_.get();
    Open();
    ASSERT_OK(Put("b", "1"));
    fs_->FailCall({.call = 1, .path_contains = ".log"});
    EXPECT_TRUE(Put("c", "1").IsIOError());
    // All that comes later fails too, as if the process had ended there.
    fs_->FailCall({.call = call,
                   .scope = FaultScope::kMutatingCalls,
                   .is_permanent = true});
    const Status resumed = db_->Resume();
    has_struck = fs_->failed();
    EXPECT_TRUE(resumed.ok() || has_struck) << resumed.ToString();
    db_.reset();
    fs_->Heal();
    options_.env = Env::Default();
    WriteLog({{Marker(kTypeCommitXID, "x"), 1}});
    Open();
    EXPECT_EQ(Scan(), "a=1 b=1 ");
    ASSERT_OK(db_->Close());
    db_.reset();
  }
}

TEST_F(PreparedTransactionsTest, OfTwoAlikeTheLaterCounts) {
  PreparedSections sections;
  WriteBatch batch = Prepared("x", {{"a", "1"}});
  ASSERT_OK(sections.Expand(7, {}, &batch));
  batch = Prepared("x", {{"a", "1"}});
  ASSERT_OK(sections.Expand(9, {}, &batch));
  EXPECT_EQ(sections.sections().size(), 1u);
  EXPECT_EQ(sections.MinLog(), 9u);
  batch = Prepared("x", {{"a", "1"}});
  EXPECT_TRUE(sections.Expand(9, {}, &batch).IsCorruption());
  batch = Prepared("x", {{"a", "2"}});
  EXPECT_TRUE(sections.Expand(11, {}, &batch).IsCorruption());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
