#include "tools/ldb/live/log_digest.h"

#include <cctype>
#include <sstream>

#include "tools/ldb/json.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool BeginsWith(const std::string& text, const char* begin) {
  return text.rfind(begin, 0) == 0;
}

// "2026/11/26-17:19:37.617998 32336 ...": a line that begins a message.
bool IsMessage(const std::string& line) {
  return line.size() > 20 && line[4] == '/' && line[7] == '/' &&
         line[10] == '-' && std::isdigit(static_cast<unsigned char>(line[0]));
}

std::string TimeOf(const std::string& line) { return line.substr(0, 19); }

// Between "[" and "]".
std::string InBrackets(const std::string& line) {
  const size_t begin = line.find('[');
  const size_t end = line.find(']', begin);
  return begin == std::string::npos || end == std::string::npos
             ? ""
             : line.substr(begin + 1, end - begin - 1);
}

}  // namespace

void LogDigest::Feed(const std::string& line) {
  if (IsMessage(line)) {
    FeedMessage(line);
  } else if (part_ != Part::kNone) {
    FeedStatistics(line);
  }
}

void LogDigest::FeedMessage(const std::string& line) {
  if (line.find("DUMPING STATS") != std::string::npos) {
    *this = LogDigest();
    time = TimeOf(line);
    part_ = Part::kOther;
    return;
  }
  const bool is_stop = line.find("Stopping writes") != std::string::npos;
  const bool is_stall = line.find("Stalling writes") != std::string::npos;
  if (is_stop || is_stall) {
    ++(is_stop ? stop_count : stall_count);
    last_stall = line;
  }
}

void LogDigest::FeedStatistics(const std::string& line) {
  if (BeginsWith(line, "** DB Stats **")) {
    part_ = Part::kDatabase;
  } else if (BeginsWith(line, "** Compaction Stats [")) {
    family_ = InBrackets(line);
    // The second table of a family is of priorities.
    part_ = families[family_].levels.empty() ? Part::kLevels : Part::kOther;
  } else if (BeginsWith(line, "**")) {
    part_ = Part::kOther;
  } else if (part_ == Part::kDatabase) {
    if (BeginsWith(line, "Interval") || BeginsWith(line, "Uptime") ||
        BeginsWith(line, "Write Stall")) {
      database.push_back(line);
    }
  } else if (part_ == Part::kLevels) {
    Family& family = families[family_];
    if (line.empty()) {
      part_ = Part::kOther;
    } else if (BeginsWith(line, "Level")) {
      family.header = line;
    } else if (BeginsWith(line, "Priority")) {
      part_ = Part::kOther;
    } else if (!BeginsWith(line, "--")) {
      family.levels.push_back(line);
    }
  } else if (BeginsWith(line, "Interval compaction:")) {
    families[family_].compaction = line;
  } else if (BeginsWith(line, "Stalls(count):") ||
             BeginsWith(line, "Write Stall (count):")) {
    FeedCauses(line);
  } else if (BeginsWith(line, "Block cache ") && block_cache.empty()) {
    block_cache = line;
  }
}

// "0 level0_slowdown, 4 memtable_slowdown, ..." of older versions, and
// "cf-l0-file-count-limit-delays-...: 0, ..." of newer ones.
void LogDigest::FeedCauses(const std::string& line) {
  std::istringstream parts(line.substr(line.find(':') + 1));
  for (std::string part; std::getline(parts, part, ',');) {
    while (!part.empty() && part.front() == ' ') part.erase(0, 1);
    const bool is_none = BeginsWith(part, "0 ") ||
                         part.find(": 0") == part.size() - 3 ||
                         BeginsWith(part, "interval");
    if (!is_none && !part.empty()) families[family_].causes.push_back(part);
  }
}

std::string TextOf(const LogDigest& digest) {
  if (digest.time.empty()) {
    return "LOG has no statistics yet: they come every "
           "stats_dump_period_sec.\n";
  }
  std::string text = "Statistics of " + digest.time + "\n";
  for (const std::string& line : digest.database) text += line + "\n";
  if (!digest.block_cache.empty()) text += digest.block_cache + "\n";
  for (const auto& [name, family] : digest.families) {
    text += "\nFamily '" + name + "'\n";
    // The columns on the right are of no use for a look.
    if (!family.header.empty()) text += family.header.substr(0, 120) + "\n";
    for (const std::string& row : family.levels) {
      text += row.substr(0, 120) + "\n";
    }
    if (!family.compaction.empty()) text += family.compaction + "\n";
    for (const std::string& cause : family.causes) {
      text += "held writes back since the open: " + cause + "\n";
    }
  }
  text += "\nSince then writes were slowed down " +
          std::to_string(digest.stall_count) + " times and stopped " +
          std::to_string(digest.stop_count) + " times";
  if (digest.last_stall.empty()) return text + ".\n";
  return text + ", the last time:\n  " + digest.last_stall + "\n";
}

std::string JsonOf(const LogDigest& digest) {
  const auto lines = [](const std::vector<std::string>& all) {
    JsonArray array;
    for (const std::string& line : all) array.Add(JsonString(line));
    return array.Text();
  };
  JsonObject families;
  for (const auto& [name, family] : digest.families) {
    families.AddRaw(name.c_str(), JsonObject()
                                      .Add("header", family.header)
                                      .AddRaw("levels", lines(family.levels))
                                      .Add("compaction", family.compaction)
                                      .AddRaw("causes", lines(family.causes))
                                      .Text());
  }
  return JsonObject()
      .Add("time", digest.time)
      .AddRaw("database", lines(digest.database))
      .Add("block_cache", digest.block_cache)
      .AddRaw("families", families.Text())
      .Add("slowed_down", digest.stall_count)
      .Add("stopped", digest.stop_count)
      .Add("last_stall", digest.last_stall)
      .Text();
}

}  // namespace ROCKSDB_NAMESPACE
