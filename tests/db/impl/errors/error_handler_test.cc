// How bad a background error is, and what goes on after a compaction has met
// damage.
#include "db/background/error_handler.h"

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

#include "rocksdb/io_status.h"
#include "rocksdb/listener.h"
#include "rocksdb/statistics.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Reason = BackgroundErrorReason;
using Severity = Status::Severity;

Status Retryable() {
  IOStatus s = IOStatus::IOError("busy");
  s.SetRetryable(true);
  return s;
}

struct SeverityCase {
  const char* what;
  Status status;
  Reason reason;
  Severity expect;
  Severity expect_lenient;  // with paranoid_checks off
};

void PrintTo(const SeverityCase& c, std::ostream* to) { *to << c.what; }

class ErrorSeverityTest : public ::testing::TestWithParam<SeverityCase> {};

TEST_P(ErrorSeverityTest, IsAsListed) {
  const SeverityCase& c = GetParam();
  EXPECT_EQ(ErrorHandler::SeverityOf(c.status, c.reason, true), c.expect);
  EXPECT_EQ(ErrorHandler::SeverityOf(c.status, c.reason, false),
            c.expect_lenient);
  for (const bool is_paranoid : {true, false}) {
    SCOPED_TRACE(is_paranoid);
    const Severity severity = is_paranoid ? c.expect : c.expect_lenient;
    ErrorHandler errors(is_paranoid);
    EXPECT_EQ(errors.Set(c.status, c.reason), severity > Severity::kNoError);
    EXPECT_EQ(errors.error().severity(), severity);
    EXPECT_EQ(errors.StopsCompaction(), severity >= Severity::kSoftError);
    EXPECT_EQ(errors.BlocksWrites(), severity >= Severity::kHardError);
    EXPECT_EQ(errors.StopsFlush(), severity >= Severity::kFatalError);
    EXPECT_EQ(errors.CanResume().ok(), severity < Severity::kFatalError);
  }
}

const SeverityCase kSeverityCases[] = {
    {"what is no error", Status::OK(), Reason::kFlush, Severity::kNoError,
     Severity::kNoError},
    {"a shutdown", Status::ShutdownInProgress(), Reason::kFlush,
     Severity::kNoError, Severity::kNoError},
    {"a family that is gone", Status::ColumnFamilyDropped(), Reason::kFlush,
     Severity::kNoError, Severity::kNoError},
    {"a compaction that is stopped", Status::Incomplete(), Reason::kCompaction,
     Severity::kNoError, Severity::kNoError},
    {"damage met by a compaction", Status::Corruption("x"), Reason::kCompaction,
     Severity::kUnrecoverableError, Severity::kNoError},
    {"a full device met by a compaction", Status::NoSpace("x"),
     Reason::kCompaction, Severity::kSoftError, Severity::kSoftError},
    {"what a compaction may try again", Retryable(), Reason::kCompaction,
     Severity::kSoftError, Severity::kSoftError},
    {"a compaction that cannot write", Status::IOError("x"),
     Reason::kCompaction, Severity::kHardError, Severity::kSoftError},
    {"damage met by a flush", Status::Corruption("x"), Reason::kFlush,
     Severity::kUnrecoverableError, Severity::kUnrecoverableError},
    {"damage met by a flush without logs", Status::Corruption("x"),
     Reason::kFlushNoWAL, Severity::kUnrecoverableError,
     Severity::kUnrecoverableError},
    {"a flush that cannot write", Status::IOError("x"), Reason::kFlush,
     Severity::kHardError, Severity::kHardError},
    {"a flush of a full device", Status::NoSpace("x"), Reason::kFlush,
     Severity::kHardError, Severity::kHardError},
    {"a flush that may try again", Retryable(), Reason::kFlushNoWAL,
     Severity::kHardError, Severity::kHardError},
    {"a manifest that cannot be written", Status::IOError("x"),
     Reason::kManifestWrite, Severity::kHardError, Severity::kHardError},
    {"the same without logs", Status::IOError("x"), Reason::kManifestWriteNoWAL,
     Severity::kHardError, Severity::kHardError},
    {"a log that cannot be written", Status::IOError("x"),
     Reason::kWriteCallback, Severity::kHardError, Severity::kHardError},
    {"a memtable that lacks what the log has", Status::Corruption("x"),
     Reason::kMemTable, Severity::kFatalError, Severity::kFatalError},
};

INSTANTIATE_TEST_SUITE_P(Errors, ErrorSeverityTest,
                         ::testing::ValuesIn(kSeverityCases));

TEST(ErrorHandler, TheWorseErrorStays) {
  ErrorHandler errors(/*paranoid_checks=*/true);
  EXPECT_TRUE(errors.Set(Status::NoSpace("soft"), Reason::kCompaction));
  EXPECT_TRUE(errors.Set(Status::IOError("hard"), Reason::kFlush));
  EXPECT_FALSE(errors.Set(Status::NoSpace("soft"), Reason::kCompaction));
  EXPECT_FALSE(errors.Set(Status::IOError("as hard"), Reason::kFlush));
  EXPECT_TRUE(errors.error().IsIOError());
  EXPECT_NE(errors.error().ToString().find(": hard"), std::string::npos);
  EXPECT_EQ(errors.count(), 4u);
  EXPECT_EQ(errors.stopping_count(), 4u);
  errors.Clear();
  EXPECT_OK(errors.error());
}

TEST(ErrorHandler, WhatStopsNothingIsCountedUnlessNothingFailed) {
  ErrorHandler errors(/*paranoid_checks=*/false);
  EXPECT_FALSE(errors.Set(Status::Corruption("x"), Reason::kCompaction));
  EXPECT_OK(errors.error());
  EXPECT_EQ(errors.count(), 1u);
  for (const Status& end :
       {Status::OK(), Status::ShutdownInProgress(),
        Status::ColumnFamilyDropped(), Status::Incomplete()}) {
    EXPECT_FALSE(errors.Set(end, Reason::kCompaction));
  }
  EXPECT_EQ(errors.count(), 1u);
  EXPECT_EQ(errors.stopping_count(), 0u);
}

class DamagedInputTest : public DbFixture {
 protected:
  // Two files that overlap, of which the older one is damaged.
  void OpenDamaged() {
    options_.disable_auto_compactions = true;
    Open();
    for (const char* value : {"1", "2"}) {
      ASSERT_OK(Put("a", value));
      ASSERT_OK(Put("z", value));
      ASSERT_OK(Flush());
    }
    db_.reset();
    const std::string path = FilesOf(path_, kTableFile).front();
    // Within the first data block.
    WriteBytes(path, Damaged(ReadBytes(path), {Harm::kFlip, -10}));
    Open();
  }
  uint64_t ErrorCount() {
    uint64_t count = 0;
    EXPECT_TRUE(db_->GetIntProperty(DB::Properties::kBackgroundErrors, &count));
    return count;
  }
};

TEST_F(DamagedInputTest, WritesStopAndReadsGoOn) {
  ASSERT_NO_FATAL_FAILURE(OpenDamaged());
  ASSERT_OK(Put("m", "1"));
  Status s = CompactAll();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_EQ(ErrorCount(), 1u);
  s = Put("m", "2");
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_EQ(s.severity(), Severity::kUnrecoverableError);
  // The cause does not go by waiting.
  s = db_->Resume();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_TRUE(Put("m", "2").IsCorruption());
  EXPECT_TRUE(CompactAll().IsCorruption());
  EXPECT_EQ(Get("m"), "1");
  EXPECT_EQ(Get("a"), "2") << "from the newer file";
  EXPECT_EQ(FilesAt(0), 3) << "the two, and what CompactRange() flushed";
  Reopen();
  EXPECT_EQ(Get("m"), "1");
  EXPECT_OK(Put("m", "2"));
  EXPECT_EQ(Get("m"), "2");
}

TEST_F(DamagedInputTest, WithoutParanoidChecksTheCompactionFailsAlone) {
  options_.paranoid_checks = false;
  options_.statistics = CreateDBStatistics();
  ASSERT_NO_FATAL_FAILURE(OpenDamaged());
  uint64_t failures = 0;
  for (const char* value : {"1", "2"}) {
    const Status s = CompactAll();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_EQ(ErrorCount(), ++failures);
    EXPECT_EQ(options_.statistics->getTickerCount(ERROR_HANDLER_BG_ERROR_COUNT),
              failures);
    EXPECT_OK(Put("m", value));
    EXPECT_OK(Flush());
    EXPECT_EQ(Get("m"), value);
    EXPECT_EQ(Get("a"), "2");
  }
  EXPECT_EQ(FilesAt(0), 4);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
