#include "db/observe/database_stats.h"

#include <algorithm>
#include <string_view>

#include "rocksdb/write_stall_stats.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr double kMebibyte = 1048576.0;
constexpr uint64_t kMicrosPerSecond = 1'000'000;

// Adds to a number that one thread at a time writes.
void AddOwned(std::atomic<uint64_t>* number, uint64_t by) {
  number->store(number->load(kRelaxed) + by, kRelaxed);
}

double RatioOf(double a, double b) { return b > 0 ? a / b : 0; }

unsigned long long PrintableNumber(uint64_t number) { return number; }

// "00:00:1.250": as RocksDB has it, seconds alone have no zero in front.
std::string Clock(uint64_t micros) {
  const uint64_t seconds = micros / kMicrosPerSecond;
  return StringPrintf(
      "%02llu:%02llu:%llu.%03llu", PrintableNumber(seconds / 3600),
      PrintableNumber(seconds / 60 % 60), PrintableNumber(seconds % 60),
      PrintableNumber(micros / 1000 % 1000));
}

}  // namespace

void DatabaseStats::AddGroup(const Group& group) {
  INVARIANT(group.writes > 0);
  AddOwned(&writes_, group.writes);
  AddOwned(&groups_, 1);
  AddOwned(&keys_, group.keys);
  AddOwned(&bytes_, group.bytes);
}

void DatabaseStats::AddLogged(uint64_t writes, uint64_t record_bytes) {
  INVARIANT(writes > 0);
  AddOwned(&logged_writes_, writes);
  AddOwned(&wal_bytes_, record_bytes);
}

void DatabaseStats::Reset(uint64_t now_micros) {
  start_micros_ = now_micros;
  told_ = Numbers();
  for (auto* number :
       {&writes_, &groups_, &keys_, &bytes_, &logged_writes_, &wal_bytes_,
        &wal_syncs_, &stall_micros_, &buffer_manager_stops_}) {
    number->store(0, kRelaxed);
  }
}

DatabaseStats::Numbers DatabaseStats::Now(uint64_t now_micros) const {
  Numbers now;
  now.at_micros = now_micros > start_micros_ ? now_micros - start_micros_ : 0;
  now.writes = writes_.load(kRelaxed);
  now.groups = groups_.load(kRelaxed);
  now.keys = keys_.load(kRelaxed);
  now.bytes = bytes_.load(kRelaxed);
  now.logged_writes = logged_writes_.load(kRelaxed);
  now.wal_bytes = wal_bytes_.load(kRelaxed);
  now.wal_syncs = wal_syncs_.load(kRelaxed);
  now.stall_micros = stall_micros_.load(kRelaxed);
  return now;
}

std::string DatabaseStats::Lines(const char* what, const Numbers& from,
                                 const Numbers& to) {
  INVARIANT(what != nullptr);
  const double seconds =
      static_cast<double>(to.at_micros -
                          std::min(from.at_micros, to.at_micros)) /
      1e6;
  const auto part = [&](uint64_t Numbers::*field) {
    return to.*field - std::min(from.*field, to.*field);
  };
  const auto number = [&](uint64_t Numbers::*field) {
    return static_cast<double>(part(field));
  };
  const auto count = [&](uint64_t Numbers::*field) {
    return NumberToHumanString(static_cast<int64_t>(part(field)));
  };
  // The whole is told in GB, what is new in MB.
  const bool is_whole = std::string_view(what) == "Cumulative";
  const char* const unit = is_whole ? "GB" : "MB";
  const double unit_bytes = is_whole ? kMebibyte * 1024 : kMebibyte;
  std::string text = StringPrintf(
      "%s writes: %s writes, %s keys, %s commit groups, %.1f writes per commit "
      "group, ingest: %.2f %s, %.2f MB/s\n",
      what, count(&Numbers::writes).c_str(), count(&Numbers::keys).c_str(),
      count(&Numbers::groups).c_str(),
      RatioOf(number(&Numbers::writes), number(&Numbers::groups)),
      number(&Numbers::bytes) / unit_bytes, unit,
      RatioOf(number(&Numbers::bytes) / kMebibyte, seconds));
  text += StringPrintf(
      "%s WAL: %s writes, %s syncs, %.2f writes per sync, written: %.2f GB, "
      "%.2f MB/s\n",
      what, count(&Numbers::logged_writes).c_str(),
      count(&Numbers::wal_syncs).c_str(),
      // Before the first sync all writes wait for it.
      number(&Numbers::logged_writes) /
          std::max(number(&Numbers::wal_syncs), 1.0),
      number(&Numbers::wal_bytes) / (kMebibyte * 1024),
      RatioOf(number(&Numbers::wal_bytes) / kMebibyte, seconds));
  text += StringPrintf(
      "%s stall: %s H:M:S, %.1f percent\n", what,
      Clock(part(&Numbers::stall_micros)).c_str(),
      RatioOf(100 * number(&Numbers::stall_micros) / 1e6, seconds));
  return text;
}

std::string DatabaseStats::TakeText(uint64_t now_micros) {
  const Numbers now = Now(now_micros);
  std::string text = "\n** DB Stats **\n";
  text += StringPrintf(
      "Uptime(secs): %.1f total, %.1f interval\n",
      static_cast<double>(now.at_micros) / 1e6,
      static_cast<double>(now.at_micros -
                          std::min(told_.at_micros, now.at_micros)) /
          1e6);
  text += Lines("Cumulative", Numbers(), now);
  text += Lines("Interval", told_, now);
  text += StallText();
  told_ = now;
  return text;
}

std::map<std::string, std::string> DatabaseStats::Map(
    uint64_t now_micros) const {
  const Numbers now = Now(now_micros);
  std::map<std::string, std::string> map = StallMap();
  const auto put = [&map](const char* name, uint64_t value) {
    map[std::string("db.") + name] = std::to_string(value);
  };
  put("wal_bytes_written", now.wal_bytes);
  put("wal_syncs", now.wal_syncs);
  put("user_bytes_written", now.bytes);
  put("user_keys_written", now.keys);
  // A group may end between the two readings.
  put("user_writes_by_other", now.writes - std::min(now.groups, now.writes));
  put("user_writes_by_self", now.groups);
  put("user_writes_with_wal", now.logged_writes);
  put("user_write_stall_micros", now.stall_micros);
  put("uptime", now.at_micros / kMicrosPerSecond);
  return map;
}

std::string DatabaseStats::StallText() const {
  return "Write Stall (count): write-buffer-manager-limit-stops: " +
         std::to_string(buffer_manager_stops_.load(kRelaxed)) + "\n";
}

std::map<std::string, std::string> DatabaseStats::StallMap() const {
  return {{WriteStallStatsMapKeys::CauseConditionCount(
               WriteStallCause::kWriteBufferManagerLimit,
               WriteStallCondition::kStopped),
           std::to_string(buffer_manager_stops_.load(kRelaxed))}};
}

}  // namespace ROCKSDB_NAMESPACE
