#include "tools/ldb/live/top_command.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "tools/ldb/live/log_digest.h"
#include "tools/ldb/live/metrics.h"
#include "tools/ldb/live/screen.h"

namespace ROCKSDB_NAMESPACE {

void TopCommand::Parse() {
  IntOption("interval", &interval_seconds_);
  IntOption("count", &count_);
  if (exec_state_.IsFailed()) return;
  if (interval_seconds_ < 1) Fail("interval must be 1 second or more");
  if (count_ < 0) Fail("count must be >= 0");
  metrics_path_ = Option("prometheus");
  if (metrics_path_.empty() && db_path_.empty()) {
    Fail("either --db or --prometheus must be specified");
  }
}

void TopCommand::DoCommand() {
  Metrics before;
  for (int i = 0; count_ == 0 || i < count_; ++i) {
    if (i > 0) {
      std::this_thread::sleep_for(std::chrono::seconds(interval_seconds_));
    }
    if (metrics_path_.empty() ? !ShowLog() : !ShowMetrics(&before)) return;
    if (!FlushScreen()) return;
  }
}

bool TopCommand::ShowLog() {
  std::string path = Option("log");
  if (path.empty()) path = db_path_ + "/LOG";
  std::ifstream log(path);
  if (!log) {
    Fail(path + " cannot be read");
    return false;
  }
  LogDigest digest;
  for (std::string line; std::getline(log, line);) digest.Feed(line);
  if (wants_json()) {
    PrintLine(JsonOf(digest));
    return true;
  }
  BeginScreen();
  Print(TextOf(digest));
  return true;
}

bool TopCommand::ShowMetrics(Metrics* before) {
  std::ifstream file(metrics_path_);
  if (!file) {
    Fail(metrics_path_ + " cannot be read");
    return false;
  }
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  Metrics now = Metrics::Parse(text);
  if (wants_json()) {
    PrintLine(now.Json());
    return true;
  }
  BeginScreen();
  Print(TextOf(now, *before, interval_seconds_));
  *before = std::move(now);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
