#include "db/observe/background_io_stats.h"

#include <cstdio>

#include "file/io_pace.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kMegabyte = 1'000'000;

// What %llu prints.
unsigned long long Printable(uint64_t value) { return value; }

uint64_t Average(uint64_t sum, uint64_t count) {
  return count == 0 ? 0 : sum / count;
}

}  // namespace

std::map<std::string, std::string> BackgroundIoMap(
    const GovernorMembership& member) {
  INVARIANT(member.governor() != nullptr);
  const IoGovernorStats stats = member.governor()->Stats();
  std::map<std::string, std::string> map;
  const auto add = [&map](const std::string& name, uint64_t value) {
    const bool is_new = map.emplace(name, std::to_string(value)).second;
    INVARIANT(is_new);
  };
  add("cap-bytes", stats.cap_bytes);
  add("request-bytes", stats.request_bytes);
  add("bandwidth-bytes-per-second", stats.bandwidth_bytes_per_second);
  add("user-read-idle-micros", stats.user_read_idle_micros);
  add("user-read-p95-micros", stats.user_read_p95_micros);
  for (size_t i = 0; i < kIoClassCount; ++i) {
    const IoGovernorStats::Class& own = stats.classes[i];
    const std::string name =
        std::string(IoClassName(static_cast<IoClass>(i))) + ".";
    add(name + "bytes-in-flight", own.bytes_in_flight);
    add(name + "requests", own.requests);
    add(name + "bytes", own.bytes);
    add(name + "waiting", own.waiting);
    add(name + "wait-micros", own.wait_micros);
    add(name + "device-micros", own.device_micros);
  }
  add("deep.pace-bytes-per-second", member.deep_pace()->rate());
  add("deep.pace-wait-micros", member.deep_pace()->wait_micros());
  return map;
}

std::string BackgroundIoText(const GovernorMembership& member) {
  INVARIANT(member.governor() != nullptr);
  const IoGovernorStats stats = member.governor()->Stats();
  char line[256];
  snprintf(line, sizeof(line),
           "Most in flight: %zu KiB, of a request: %zu KiB, device: %llu MB/s; "
           "user reads: %llu us idle, P95 %llu us\n",
           stats.cap_bytes >> 10, stats.request_bytes >> 10,
           Printable(stats.bandwidth_bytes_per_second / kMegabyte),
           Printable(stats.user_read_idle_micros),
           Printable(stats.user_read_p95_micros));
  std::string text = "\n** Background I/O **\n";
  text += line;
  for (size_t i = 0; i < kIoClassCount; ++i) {
    const IoGovernorStats::Class& own = stats.classes[i];
    snprintf(line, sizeof(line),
             "%s: %llu requests, %llu MB, %zu KiB in flight, %llu wait; "
             "average %llu us of waiting, %llu us at the device\n",
             IoClassName(static_cast<IoClass>(i)), Printable(own.requests),
             Printable(own.bytes / kMegabyte), own.bytes_in_flight >> 10,
             Printable(own.waiting),
             Printable(Average(own.wait_micros, own.requests)),
             Printable(Average(own.device_micros, own.requests)));
    text += line;
  }
  const uint64_t pace = member.deep_pace()->rate();
  snprintf(
      line, sizeof(line), "Pace of deep compactions: %s; waited %llu us\n",
      pace == 0 ? "free" : (std::to_string(pace / kMegabyte) + " MB/s").c_str(),
      Printable(member.deep_pace()->wait_micros()));
  text += line;
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
