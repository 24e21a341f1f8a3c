// A Status keeps code, sub-code, message and extra facts through copies and
// moves, and its text is RocksDB's.
#include "rocksdb/status.h"

#include <gtest/gtest.h>

#include <utility>

#include "rocksdb/io_status.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(StatusTest, OkIsSmallAndPlain) {
  const Status s;
  EXPECT_TRUE(s.ok());
  EXPECT_EQ("OK", s.ToString());
  EXPECT_EQ(nullptr, s.getState());
  EXPECT_LE(sizeof(Status), 16u);
  EXPECT_EQ(sizeof(Status), sizeof(IOStatus));
}

TEST(StatusTest, TextHasPrefixSubCodeAndMessage) {
  EXPECT_EQ("NotFound: ", Status::NotFound().ToString());
  EXPECT_EQ("NotFound: key", Status::NotFound("key").ToString());
  EXPECT_EQ("Corruption: file: bad block",
            Status::Corruption("file", "bad block").ToString());
  EXPECT_EQ("Not implemented: x", Status::NotSupported("x").ToString());
  EXPECT_EQ("Invalid argument: x", Status::InvalidArgument("x").ToString());
  EXPECT_EQ("IO error: No space left on device", Status::NoSpace().ToString());
  EXPECT_EQ("IO error: No space left on device: /a: b",
            Status::NoSpace("/a", "b").ToString());
  EXPECT_EQ("Operation failed. Try again.: x",
            Status::TryAgain("x").ToString());
  EXPECT_EQ("Resource busy: Deadlock",
            Status::Busy(Status::kDeadlock).ToString());
  EXPECT_EQ("Result incomplete: Manual compaction paused",
            Status::Incomplete(Status::kManualCompactionPaused).ToString());
}

TEST(StatusTest, PredicatesLookAtCodeAndSubCode) {
  EXPECT_TRUE(Status::Busy(Status::kDeadlock).IsDeadlock());
  EXPECT_FALSE(Status::Busy("x").IsDeadlock());
  EXPECT_TRUE(Status::NoSpace().IsNoSpace());
  EXPECT_TRUE(Status::NoSpace().IsIOError());
  EXPECT_TRUE(Status::PathNotFound("p").IsPathNotFound());
  EXPECT_TRUE(Status::MemoryLimit().IsMemoryLimit());
  EXPECT_TRUE(Status::OkOverwritten().ok());
  EXPECT_TRUE(Status::OkOverwritten().IsOkOverwritten());
  EXPECT_TRUE(Status::OkMergeOperandThresholdExceeded().ok());
  EXPECT_TRUE(Status::OkMergeOperandThresholdExceeded()
                  .IsOkMergeOperandThresholdExceeded());
  EXPECT_FALSE(Status::OK().IsOkMergeOperandThresholdExceeded());
  EXPECT_TRUE(Status::TimedOut(Status::kLockTimeout, "k").IsTimedOut());
}

TEST(StatusTest, CopyAndMove) {
  const Status a = Status::Corruption("a", "b");
  Status copy = a;
  EXPECT_EQ(a.ToString(), copy.ToString());
  Status moved = std::move(copy);
  EXPECT_EQ(a.ToString(), moved.ToString());
  EXPECT_TRUE(copy.ok());  // NOLINT: a moved-from status is OK.
  moved = Status::OK();
  EXPECT_EQ(nullptr, moved.getState());
  const Status hard(a, Status::kHardError);
  EXPECT_EQ(Status::kHardError, hard.severity());
  EXPECT_EQ(a, hard);
  EXPECT_NE(a, Status::OK());
}

TEST(StatusTest, AppendAndUpdate) {
  const Status s = Status::CopyAppendMessage(Status::IOError("a"), "; ", "b");
  EXPECT_EQ("IO error: a; b", s.ToString());
  Status first;
  first.UpdateIfOk(Status::Aborted("one"));
  first.UpdateIfOk(Status::Aborted("two"));
  EXPECT_EQ("Operation aborted: one", first.ToString());
  IgnoreError(Status::Aborted("x"), "a test");
}

TEST(IOStatusTest, ExtraFactsTravelThroughStatus) {
  IOStatus io = IOStatus::IOError("disk");
  io.SetRetryable(true);
  io.SetDataLoss(true);
  io.SetScope(IOStatus::kIOErrorScopeFile);
  Status s = io;
  EXPECT_TRUE(s.IsIOError());
  const IOStatus back = status_to_io_status(std::move(s));
  EXPECT_TRUE(back.GetRetryable());
  EXPECT_TRUE(back.GetDataLoss());
  EXPECT_EQ(IOStatus::kIOErrorScopeFile, back.GetScope());
  EXPECT_EQ("IO error: disk", back.ToString());
  EXPECT_TRUE(IOStatus::IOFenced().IsIOFenced());
}

TEST(StatusTest, TheFirstErrorIsKept) {
  Status s;
  const Status first = Status::IOError("first");
  EXPECT_EQ(&s, &s.UpdateIfOk(first));
  s.UpdateIfOk(Status::Corruption("second"));
  EXPECT_EQ("IO error: first", s.ToString());
  EXPECT_EQ("IO error: first", first.ToString());
  EXPECT_TRUE(Status::PrefetchLimitReached().IsPrefetchLimitReached());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
