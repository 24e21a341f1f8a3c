// Sections of transactions in logs of killed databases: what we make of them,
// and RocksDB 7.8.3, where it is installed.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "rocksdb/table.h"
#include "tests/tools/program.h"
#include "tests/utilities/transactions/pessimistic_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const char* const kOld = "default: k=old; merges: m=0; other:;";
const char* const kOldShown = "default: k=old; merges: m=0; other: o=new;";
const char* const kNew = "default: k=new; merges: m=0,1; other: o=new;";

class SectionsBesideStockTest
    : public PessimisticFixture,
      public ::testing::WithParamInterface<TxnDBWritePolicy> {
 protected:
  SectionsBesideStockTest() {
    options_.compression = kNoCompression;
    options_.max_total_wal_size = 64 << 10;
    BlockBasedTableOptions table;
    table.format_version = 5;  // 7.8.3 knows no later one.
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    txn_db_options_.write_policy = GetParam();
  }

  static bool HasStock() {
    return std::filesystem::exists("/usr/bin/ldb") &&
           std::filesystem::exists(std::string(BASALT_BINARY_DIR) +
                                   "/bin/transaction_answers_stock");
  }
  // Ours, and stock's if it is there.
  static std::vector<std::string> Programs() {
    std::vector<std::string> programs{"transaction_answers"};
    if (HasStock()) programs.emplace_back("transaction_answers_stock");
    return programs;
  }

  std::string killed() const { return dir_.path() + "/killed"; }
  // The process is killed here, for another one to look at.
  void LeaveCopy() {
    std::filesystem::remove_all(killed());
    CopyTo(killed());
  }

  void PutOld() {
    ASSERT_TRUE(PutOutside("k", "old").ok());
    ASSERT_TRUE(db_->Put(WriteOptions(), merges(), "m", "0").ok());
  }
  TxnPtr PrepareNew(const std::string& name) {
    TxnPtr txn = BeginNamed(name);
    EXPECT_TRUE(txn->Put("k", "new").ok());
    EXPECT_TRUE(txn->Merge(merges(), "m", "1").ok());
    EXPECT_TRUE(txn->Put(other(), "o", "new").ok());
    const Status s = txn->Prepare();
    EXPECT_TRUE(s.ok()) << s.ToString();
    return txn;
  }

  // PrepareNew() of "t", and what makes it go to a later log: others write to
  // these families, and they are flushed. The process is killed then.
  TxnPtr Carry(const std::vector<ColumnFamilyHandle*>& families) {
    PutOld();
    TxnPtr txn = PrepareNew("t");
    for (int round = 0; round < 10 && !HasFailure(); ++round) {
      for (ColumnFamilyHandle* family : families) {
        EXPECT_TRUE(
            db_->Put(WriteOptions(), family, "fill", std::string(20 << 10, 'f'))
                .ok());
        EXPECT_TRUE(db_->Delete(WriteOptions(), family, "fill").ok());
      }
      LeaveCopy();
      if (SectionCount("ldb") > 1) break;
      EXPECT_TRUE(db_->Flush(FlushOptions(), families).ok());
    }
    EXPECT_EQ(SectionCount("ldb"), 2u);
    if (HasStock()) {
      EXPECT_EQ(SectionCount("/usr/bin/ldb"), 2u);
    }
    return txn;
  }

  // How often a section stands in the logs of the killed database.
  size_t SectionCount(const std::string& ldb) {
    const std::string is_committed =
        GetParam() == WRITE_COMMITTED ? "true" : "false";
    size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(killed())) {
      if (file.path().extension() != ".log") continue;
      const ProgramResult dump =
          RunProgram(ldb, {"dump_wal", "--walfile=" + file.path().string(),
                           "--write_committed=" + is_committed});
      EXPECT_EQ(dump.status, 0) << dump.output << dump.errors;
      const std::string end = "END_PREPARE(";
      for (size_t at = dump.output.find(end); at != std::string::npos;
           at = dump.output.find(end, at + 1)) {
        ++count;
      }
    }
    return count;
  }
  // What is there when a program has opened a copy of the killed database, by
  // the policy, and has ended so what is prepared.
  std::string AnswersOf(const std::string& program, const std::string& end) {
    const std::string copy = dir_.path() + "/opened";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(killed(), copy,
                          std::filesystem::copy_options::recursive);
    const ProgramResult run =
        RunProgram(program, {copy, "--open", std::to_string(GetParam()), end});
    const std::string text =
        run.status == 0 ? "" : "status " + std::to_string(run.status) + "\n";
    return text + run.output + run.errors;
  }
  void ExpectOneSection(const std::string& program, const std::string& before) {
    for (const std::string end : {"leave", "commit", "rollback"}) {
      EXPECT_EQ(AnswersOf(program, end),
                Expected(end, "t", before, end == "commit" ? kNew : before))
          << program;
    }
  }
  // The process is killed, and its transaction was committed.
  void ExpectCommitted() {
    LeaveCopy();
    for (const std::string& program : Programs()) {
      EXPECT_EQ(AnswersOf(program, "leave"),
                Expected("leave", "(none)", kNew, kNew))
          << program;
    }
  }
  // The answers for a database with the content `before` and the transaction
  // `prepared`, or "(none)"; the content is `after` once `end` is done.
  static std::string Expected(const std::string& end,
                              const std::string& prepared,
                              const std::string& before,
                              const std::string& after) {
    const std::string left = end != "leave" ? "(none)" : prepared;
    return "open\tOpen\tOK\nopen\tprepared\t" + prepared + "\nopen\tall\t" +
           before + "\n" +
           (end == "leave" ? "" : "open\t" + end + " " + prepared + "\tOK\n") +
           "open\tall, " + end + "\t" + after + "\n" +
           "open\tprepared, opened again\t" +
           (end == "leave" ? prepared : "(none)") + "\n" +
           "open\tall, opened again\t" + after + "\n";
  }
};

TEST_P(SectionsBesideStockTest, WhatOneLogHas) {
  ASSERT_NO_FATAL_FAILURE(PutOld());
  {
    const TxnPtr gone = PrepareNew("gone");
    ASSERT_TRUE(gone->Rollback().ok());
  }
  const TxnPtr txn = PrepareNew("t");
  ASSERT_NO_FATAL_FAILURE(LeaveCopy());
  for (const std::string& program : Programs()) ExpectOneSection(program, kOld);
  ASSERT_TRUE(txn->Commit().ok());
  ExpectCommitted();
}

// Killed between the copy of a section to a later log and the next flush. What
// the older log has of it is void.
TEST_P(SectionsBesideStockTest, ASectionThatStandsTwice) {
  const TxnPtr txn = Carry({handles_[0], merges(), other()});
  for (const std::string& program : Programs()) ExpectOneSection(program, kOld);
  ASSERT_TRUE(txn->Commit().ok());
  ExpectCommitted();
}

// RocksDB inserts a section of write-prepared where it stands. In families that
// were flushed since, the older copy is passed over; in one with nothing else
// it is shown before its commit.
TEST_P(SectionsBesideStockTest, ASectionThatStandsTwiceInAnIdleFamily) {
  const TxnPtr txn = Carry({handles_[0], merges()});
  ExpectOneSection("transaction_answers", kOld);
  if (HasStock()) {
    ExpectOneSection("transaction_answers_stock",
                     GetParam() == WRITE_PREPARED ? kOldShown : kOld);
  }
  ASSERT_TRUE(txn->Commit().ok());
  ExpectCommitted();
}

INSTANTIATE_TEST_SUITE_P(Policies, SectionsBesideStockTest,
                         ::testing::Values(WRITE_COMMITTED, WRITE_PREPARED));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
