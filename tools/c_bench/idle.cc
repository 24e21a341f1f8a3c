// What an open database costs that nobody asks for anything.

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "tools/c_bench/benchmarks.h"
#include "tools/c_bench/text.h"

namespace c_bench {

namespace {

struct ThreadState {
  std::string name;
  uint64_t switches = 0;  // Voluntary switches: the thread slept and was woken.
};

struct Snapshot {
  std::map<std::string, ThreadState> threads;  // By their ids.
  uint64_t read_calls = 0;
  uint64_t write_calls = 0;
};

ThreadState ReadThread(const std::string& id) {
  ThreadState thread;
  std::ifstream status("/proc/self/task/" + id + "/status");
  for (std::string word; status >> word;) {
    if (word == "Name:") status >> thread.name;
    if (word == "voluntary_ctxt_switches:") status >> thread.switches;
  }
  return thread;
}

Snapshot Take() {
  Snapshot snapshot;
  if (DIR* tasks = opendir("/proc/self/task")) {
    while (const dirent* entry = readdir(tasks)) {
      if (entry->d_name[0] == '.') continue;
      snapshot.threads[entry->d_name] = ReadThread(entry->d_name);
    }
    closedir(tasks);
  }
  std::ifstream io("/proc/self/io");
  for (std::string word; io >> word;) {
    if (word == "syscr:") io >> snapshot.read_calls;
    if (word == "syscw:") io >> snapshot.write_calls;
  }
  return snapshot;
}

}  // namespace

// The third snapshot over the second, less what taking one costs, which is the
// second over the first.
void StayIdle(const std::string& name, Database* database) {
  const int64_t seconds =
      std::max<int64_t>(database->flags().Number("idle_seconds"), 1);
  const Snapshot first = Take();
  const Snapshot second = Take();
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  const std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - begin;
  const Snapshot third = Take();
  uint64_t most = 0;
  for (const auto& [id, thread] : third.threads) {
    const auto before = second.threads.find(id);
    // One that is new has been woken at least once.
    const uint64_t wakes =
        thread.switches -
        (before == second.threads.end() ? 0 : before->second.switches);
    if (id == std::to_string(getpid())) continue;  // This one, which measures.
    most = std::max(most, wakes);
    printf("  thread %s woke %llu times\n", thread.name.c_str(),
           Printed(wakes));
  }
  const uint64_t own_reads = second.read_calls - first.read_calls;
  const int64_t reads =
      static_cast<int64_t>(third.read_calls - second.read_calls - own_reads);
  printf(
      "%-12s : %.3f seconds, %llu threads, one woke at most %llu times, "
      "%lld reads, %llu writes\n",
      name.c_str(), passed.count(), Printed(third.threads.size()),
      Printed(most), static_cast<long long>(reads),
      Printed(third.write_calls - second.write_calls));
}

}  // namespace c_bench
