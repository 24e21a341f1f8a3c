// The line that says how far long work has come, on a terminal.
#include "tools/ldb/progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>

namespace ROCKSDB_NAMESPACE {
namespace {

// Standard error is a terminal as long as this lives.
class TerminalForErrors {
 public:
  TerminalForErrors() : old_(dup(STDERR_FILENO)) {
    master_ = posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_GE(master_, 0);
    EXPECT_EQ(0, grantpt(master_));
    EXPECT_EQ(0, unlockpt(master_));
    const int slave = open(ptsname(master_), O_RDWR | O_NOCTTY);
    EXPECT_GE(slave, 0);
    dup2(slave, STDERR_FILENO);
    close(slave);
  }
  ~TerminalForErrors() {
    dup2(old_, STDERR_FILENO);
    close(old_);
    close(master_);
  }
  bool HasOutput() const {
    pollfd ready = {.fd = master_, .events = POLLIN, .revents = 0};
    return poll(&ready, 1, /*timeout=*/0) > 0;
  }
  // What was written to it; waits for some.
  std::string Read() {
    char bytes[4096];
    const ssize_t size = read(master_, bytes, sizeof(bytes));
    return size > 0 ? std::string(bytes, static_cast<size_t>(size)) : "";
  }

 private:
  const int old_;
  int master_ = -1;
};

TEST(ProgressTest, IsToldBesideACallThatIsSilent) {
  TerminalForErrors terminal;
  std::atomic<int> asked{0};
  {
    const ProgressBeside progress([&](uint64_t seconds) {
      ++asked;
      return "working: " + std::to_string(seconds) + " s";
    });
    EXPECT_THAT(terminal.Read(), ::testing::HasSubstr("\rworking: "));
    EXPECT_GE(asked.load(), 1);
  }
  // The line is taken away.
  EXPECT_THAT(terminal.Read(), ::testing::EndsWith("\r\033[K"));
}

TEST(ProgressTest, NamesTheWorkAndItsSeconds) {
  TerminalForErrors terminal;
  {
    const ProgressBeside progress("copying");
    EXPECT_THAT(terminal.Read(),
                ::testing::MatchesRegex("\rcopying: [0-9]+ s.*"));
  }
}

TEST(ProgressTest, IsCountedInSteps) {
  TerminalForErrors terminal;
  Progress progress;
  // Short work shows nothing: it goes on until a line is due.
  while (!terminal.HasOutput()) {
    for (int i = 0; i < 1024; ++i) progress.Count("entries");
  }
  const std::string line = terminal.Read();
  uint64_t count = 0;
  ASSERT_EQ(1, sscanf(line.c_str(), "\r%" SCNu64 " entries", &count)) << line;
  EXPECT_EQ(0u, count % 1024);
}

TEST(ProgressTest, NothingIsShownWithoutATerminal) {
  const int old = dup(STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO);
  EXPECT_FALSE(Progress().is_shown());
  dup2(old, STDERR_FILENO);
  close(old);
  close(nowhere);
  TerminalForErrors terminal;
  EXPECT_TRUE(Progress().is_shown());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
