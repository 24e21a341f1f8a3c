#include "tools/c_bench/scheduling.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tools/c_bench/text.h"

namespace c_bench {

namespace {

// The argument of sched_setattr(2), which some C libraries do not declare.
// `runtime` is the length of a time slice, unless the policy is SCHED_DEADLINE.
struct Attributes {
  uint32_t size = sizeof(Attributes);
  uint32_t policy = 0;
  uint64_t flags = 0;
  int32_t nice = 0;
  uint32_t priority = 0;
  uint64_t runtime = 0;
  uint64_t deadline = 0;
  uint64_t period = 0;
};
static_assert(sizeof(Attributes) == 48);

uint32_t PolicyOf(const std::string& name) {
  if (name.empty() || name == "other") return SCHED_OTHER;
  if (name == "batch") return SCHED_BATCH;
  if (name == "idle") return SCHED_IDLE;
  Fail("--background_policy: there is no " + name);
}

}  // namespace

BackgroundScheduling::BackgroundScheduling(const Flags& flags)
    : policy_(PolicyOf(flags.Value("background_policy"))),
      slice_nanos_(1000 * flags.Number("background_slice_micros")) {
  if (flags.Value("background_policy").empty() && slice_nanos_ == 0) return;
  thread_ = std::thread([this] { Watch(); });
}

BackgroundScheduling::~BackgroundScheduling() {
  is_over_.store(true);
  if (thread_.joinable()) thread_.join();
}

void BackgroundScheduling::Change(const std::string& id) {
  std::string name;
  std::getline(std::ifstream("/proc/self/task/" + id + "/comm"), name);
  if (!name.starts_with("rocksdb:")) return;
  const int thread = atoi(id.c_str());
  Attributes attributes;
  if (syscall(SYS_sched_getattr, thread, &attributes, sizeof(attributes), 0)) {
    return;  // It has ended.
  }
  attributes.size = sizeof(attributes);
  attributes.policy = policy_;
  attributes.runtime = slice_nanos_;
  if (syscall(SYS_sched_setattr, thread, &attributes, 0) != 0 &&
      errno != ESRCH) {
    Fail(Text("sched_setattr of %s: %s", name.c_str(), strerror(errno)));
  }
  changed_.insert(id);
}

void BackgroundScheduling::Watch() {
  while (!is_over_.load()) {
    if (DIR* tasks = opendir("/proc/self/task")) {
      while (const dirent* entry = readdir(tasks)) {
        const std::string id = entry->d_name;
        if (id[0] != '.' && !changed_.contains(id)) Change(id);
      }
      closedir(tasks);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace c_bench
