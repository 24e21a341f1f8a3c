// What a status says, and what it keeps when it is copied.
//
// testdata/util/status.txt has what it says. A STATUS is NAME, a maker of one,
// and NAME MESSAGE, NAME MESSAGE MORE; or NAME/SUBCODE, a number.
//
//   text STATUS                   for people
//   is STATUS                     every question that is answered with yes
//   append DELIMITER MESSAGE STATUS
//   first NAME MESSAGE [NAME MESSAGE]..   what is kept of several
#include "rocksdb/status.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/io_status.h"
#include "tests/testing/script_calls.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct StatusMaker {
  std::string_view name;
  Status (*plain)();
  Status (*with_message)(const Slice&, const Slice&);
  Status (*with_subcode)(Status::SubCode);
};
#define ANY(name)                                                          \
  StatusMaker {                                                            \
    #name, [] { return Status::name(); },                                  \
        [](const Slice& a, const Slice& b) { return Status::name(a, b); }, \
        [](Status::SubCode code) { return Status::name(code); }            \
  }
#define FINER(name)                                                        \
  StatusMaker {                                                            \
    #name, [] { return Status::name(); },                                  \
        [](const Slice& a, const Slice& b) { return Status::name(a, b); }, \
        nullptr                                                            \
  }
#define PLAIN(name)                                        \
  StatusMaker {                                            \
    #name, [] { return Status::name(); }, nullptr, nullptr \
  }
const StatusMaker kStatusMakers[] = {PLAIN(OK),
                                     PLAIN(OkOverwritten),
                                     PLAIN(OkMergeOperandThresholdExceeded),
                                     PLAIN(PrefetchLimitReached),
                                     FINER(NoSpace),
                                     FINER(MemoryLimit),
                                     FINER(SpaceLimit),
                                     FINER(PathNotFound),
                                     FINER(LockLimit),
                                     FINER(TxnNotPrepared),
                                     ANY(NotFound),
                                     ANY(Corruption),
                                     ANY(NotSupported),
                                     ANY(InvalidArgument),
                                     ANY(IOError),
                                     ANY(MergeInProgress),
                                     ANY(Incomplete),
                                     ANY(ShutdownInProgress),
                                     ANY(TimedOut),
                                     ANY(Aborted),
                                     ANY(Busy),
                                     ANY(Expired),
                                     ANY(TryAgain),
                                     ANY(CompactionTooLarge),
                                     ANY(ColumnFamilyDropped)};
#undef ANY
#undef FINER
#undef PLAIN

// NAME[/SUBCODE] [MESSAGE [MORE]]
Status MadeStatus(const std::vector<std::string>& words) {
  const std::string& name = words.at(0);
  const size_t slash = name.find('/');
  for (const StatusMaker& maker : kStatusMakers) {
    if (maker.name != name.substr(0, slash)) continue;
    if (slash != std::string::npos) {
      const int code = std::stoi(name.substr(slash + 1));
      return maker.with_subcode(static_cast<Status::SubCode>(code));
    }
    if (words.size() == 1) return maker.plain();
    return maker.with_message(words[1], words.size() > 2 ? words[2] : "");
  }
  ADD_FAILURE() << "no status: " << name;
  return Status::OK();
}

std::string AnswersOfStatus(const CallArguments& a) {
  const struct {
    const char* name;
    bool (Status::*question)() const;
  } kQuestions[] = {
#define QUESTION(name) {#name, &Status::name}
      QUESTION(ok),
      QUESTION(IsOkOverwritten),
      QUESTION(IsOkMergeOperandThresholdExceeded),
      QUESTION(IsNotFound),
      QUESTION(IsCorruption),
      QUESTION(IsNotSupported),
      QUESTION(IsInvalidArgument),
      QUESTION(IsIOError),
      QUESTION(IsMergeInProgress),
      QUESTION(IsIncomplete),
      QUESTION(IsShutdownInProgress),
      QUESTION(IsTimedOut),
      QUESTION(IsAborted),
      QUESTION(IsBusy),
      QUESTION(IsExpired),
      QUESTION(IsTryAgain),
      QUESTION(IsCompactionTooLarge),
      QUESTION(IsColumnFamilyDropped),
      QUESTION(IsLockLimit),
      QUESTION(IsDeadlock),
      QUESTION(IsNoSpace),
      QUESTION(IsMemoryLimit),
      QUESTION(IsSpaceLimit),
      QUESTION(IsPathNotFound),
      QUESTION(IsManualCompactionPaused),
      QUESTION(IsCompactionAborted),
      QUESTION(IsTxnNotPrepared),
      QUESTION(IsIOFenced),
      QUESTION(IsPrefetchLimitReached),
#undef QUESTION
  };
  const Status s = MadeStatus(a.all());
  std::string yes;
  for (const auto& [name, question] : kQuestions) {
    if ((s.*question)()) yes += (yes.empty() ? "" : " ") + std::string(name);
  }
  return yes;
}

std::string FirstOfStatuses(const CallArguments& a) {
  Status first;
  for (size_t i = 0; i < a.size(); i += 2) {
    first.UpdateIfOk(a[i] == "OK" ? Status::OK()
                                  : MadeStatus({a[i], a[i + 1]}));
  }
  return first.ToString();
}

TEST(StatusTest, CallsOfTheScript) {
  const ScriptCalls calls = {
      {"text",
       [](const CallArguments& a) {
         const Status s = MadeStatus(a.all());
         const Status copy = s;
         EXPECT_EQ(copy.ToString(), s.ToString());
         return ShownBytes(s.ToString());
       }},
      {"is", AnswersOfStatus},
      {"append",
       [](const CallArguments& a) {
         return Status::CopyAppendMessage(MadeStatus(a.From(2)), a[0], a[1])
             .ToString();
       }},
      {"first", FirstOfStatuses},
  };
  EXPECT_GE(RunCalls("util/status.txt", calls), 102u) << "calls went missing";
}

TEST(StatusTest, OkIsSmallAndPlain) {
  const Status s;
  EXPECT_TRUE(s.ok());
  EXPECT_EQ("OK", s.ToString());
  EXPECT_EQ(nullptr, s.getState());
  EXPECT_LE(sizeof(Status), 16u);
  EXPECT_EQ(sizeof(Status), sizeof(IOStatus));
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
  Status same;
  const Status error = Status::IOError("kept");
  EXPECT_EQ(&same, &same.UpdateIfOk(error));
  EXPECT_EQ("IO error: kept", error.ToString());
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
