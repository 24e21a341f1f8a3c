// Names the test that hangs, and says where each of its threads is. ctest would
// only kill the program, and say which of its shards it was.
//
// An alarm for each test, not a thread: tests fork. It is linked into every
// test program, and nothing else refers to it.
#include <dirent.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "tests/testing/scale.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Many times what the slowest test takes under a sanitizer.
constexpr unsigned kMostSeconds = 900;

// The name of the test that runs; it is set before the test's alarm.
std::array<char, 256> running_test;

std::atomic<int> printed_stacks{0};

void PrintStack(int /*signal*/) {
  std::array<void*, 64> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  backtrace_symbols_fd(frames.data(), count, STDERR_FILENO);
  ++printed_stacks;
}

void PrintStackOf(const std::string& thread) {
  dprintf(STDERR_FILENO, "thread %s:\n", thread.c_str());
  const int before = printed_stacks;
  syscall(SYS_tgkill, getpid(), std::atoi(thread.c_str()), SIGUSR2);
  // One behind the other; a thread may not take signals.
  for (int i = 0; i < 100'000 && printed_stacks == before; ++i) sched_yield();
}

// The process is lost anyhow: what is not safe in a handler may be tried.
void TellAndStop(int /*signal*/) {
  dprintf(STDERR_FILENO, "\n%s does not end; its threads are at:\n",
          running_test.data());
  if (DIR* const threads = opendir("/proc/self/task")) {
    while (const dirent* entry = readdir(threads)) {
      if (entry->d_name[0] != '.') PrintStackOf(entry->d_name);
    }
    closedir(threads);
  }
  abort();
}

class HangWatch : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    snprintf(running_test.data(), running_test.size(), "%s.%s",
             test.test_suite_name(), test.name());
    signal(SIGUSR2, &PrintStack);
    signal(SIGALRM, &TellAndStop);
    alarm(kMostSeconds * static_cast<unsigned>(TestScale()));
  }
  void OnTestEnd(const testing::TestInfo&) override { alarm(0); }
};

[[maybe_unused]] const bool is_watched = [] {
  testing::UnitTest::GetInstance()->listeners().Append(
      std::make_unique<HangWatch>().release());  // gtest owns it.
  return true;
}();

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
