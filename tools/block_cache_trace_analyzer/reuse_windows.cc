// Which blocks of one window of time are asked for in another again.
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>

#include "tools/block_cache_trace_analyzer/result_tables.h"
#include "tools/block_cache_trace_analyzer/results.h"

namespace tools {

using ROCKSDB_NAMESPACE::Status;

namespace {

// Each window's blocks, by its first second.
using Windows = std::map<uint64_t, std::unordered_set<uint64_t>>;

uint64_t SharedBlocks(const std::unordered_set<uint64_t>& some,
                      const std::unordered_set<uint64_t>& others) {
  uint64_t count = 0;
  for (const uint64_t block : some) count += others.count(block);
  return count;
}

// A row for each window: what part of its blocks each later one asks for, too.
void FillReuse(const Windows& windows, std::ofstream& out) {
  out << "start_time";
  for (const auto& [start, blocks] : windows) out << ',' << start;
  out << '\n';
  for (const auto& [start, blocks] : windows) {
    out << start;
    for (const auto& [other, asked] : windows) {
      out << ',';
      if (other < start) continue;  // Not yet asked for then.
      out << std::to_string(
          PercentOf(SharedBlocks(blocks, asked), blocks.size()));
    }
    out << '\n';
  }
}

}  // namespace

Status WriteReuseWindows(const Accesses& accesses,
                         const BlockCacheAnalyzerSettings& settings) {
  const uint64_t seconds = settings.reuse_window;
  for (const bool only_users : {true, false}) {
    Windows windows;
    for (const BlockAccessText& access : accesses) {
      if (only_users && !IsUserAccess(access)) continue;
      const uint64_t second = access.time_micros / kMicrosPerSecond;
      windows[second / seconds * seconds].insert(access.block);
    }
    const Status s =
        WriteTable(settings.result_dir + "/" +
                       (only_users ? "user_access_only_" : "all_access_") +
                       std::to_string(seconds) + "_reuse_blocks_timeline",
                   [&](std::ofstream& out) { FillReuse(windows, out); });
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace tools
