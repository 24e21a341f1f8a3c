#include "tools/ldb/doctor/ways_out.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "file/filename.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A word as a shell takes it.
std::string ShellWord(const std::string& text) {
  const bool is_plain =
      !text.empty() &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' ||
               c == '-' || c == '=';
      });
  if (is_plain) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string Ldb(const Health& health, const std::string& rest) {
  return "ldb --db=" + ShellWord(health.db_path) + " " + rest;
}

std::string SetAside(const Health& health, const std::string& path) {
  const std::string lost = ShellWord(health.db_path + "/lost");
  return "mkdir -p " + lost + " && mv " + ShellWord(path) + " " + lost + "/";
}

std::string WritesText(SequenceNumber first, SequenceNumber last) {
  if (last == kMaxSequenceNumber) {
    return first == 0 ? "all writes that are in logs alone"
                      : "the writes from number " + std::to_string(first) +
                            " on that are in logs alone";
  }
  return "the writes " + std::to_string(first) + " to " + std::to_string(last) +
         " (" + std::to_string(last - first + 1) + " at most)";
}

Loss LossOfWrites(SequenceNumber first, SequenceNumber last,
                  const std::string& why) {
  Loss loss;
  loss.what = WritesText(first, last) + why;
  loss.first_sequence = first;
  loss.last_sequence = last;
  return loss;
}

void Append(std::vector<Loss> more, std::vector<Loss>* losses) {
  losses->insert(losses->end(), more.begin(), more.end());
}

std::vector<Loss> LossesOfTables(const Health& health) {
  std::vector<Loss> losses;
  for (const ListedTable& table : health.tables) {
    if (table.trouble.empty()) continue;
    Loss loss;
    loss.what = "what table " + std::to_string(table.number) +
                " holds: keys from " + ShownSpan(table.keys) + " of family '" +
                table.family +
                "'. Older values of them may appear, and deleted keys may "
                "come back";
    loss.family = table.family;
    loss.keys = table.keys;
    losses.push_back(std::move(loss));
  }
  return losses;
}

// Tables are linked to the oldest blob file that they need, and need no older
// one; any newer one may be theirs.
std::vector<Loss> LossesOfBlobFiles(const Health& health) {
  std::vector<Loss> losses;
  for (const ListedBlobFile& blob : health.blobs) {
    if (blob.trouble.empty()) continue;
    for (const ListedTable& table : health.tables) {
      if (table.family != blob.family || table.oldest_blob_file == 0 ||
          table.oldest_blob_file > blob.number) {
        continue;
      }
      Loss loss;
      loss.what = "values in blob file " + std::to_string(blob.number) + " (" +
                  std::to_string(blob.blob_count) + " at most) of keys from " +
                  ShownSpan(table.keys) + " of family '" + table.family +
                  "': reads of these keys fail";
      loss.family = table.family;
      loss.keys = table.keys;
      losses.push_back(std::move(loss));
    }
  }
  return losses;
}

// Where no manifest says which tables count.
std::vector<Loss> LossesWithoutManifest(const Health& health) {
  std::vector<Loss> losses;
  Loss loss;
  loss.what =
      "the word on which tables count: deleted keys and dropped families may "
      "come back, of tables that were about to be deleted. Levels are lost, "
      "too, and compactions make them anew";
  losses.push_back(loss);
  for (const auto& [number, trouble] : health.unlisted_tables) {
    if (trouble.empty()) continue;
    loss.what = "what table " + std::to_string(number) +
                " holds, of keys that nobody knows";
    losses.push_back(loss);
  }
  return losses;
}

bool HasDamagedLog(const Health& health) {
  return std::any_of(
      health.logs.gaps.begin(), health.logs.gaps.end(),
      [](const LogGap& gap) { return !(gap.is_at_end && gap.is_torn); });
}

// A family that was flushed behind the gap would be ahead of the others.
bool CanGoBackInTime(const Health& health) {
  if (health.logs.gaps.empty() || health.first_logs.size() < 2) return true;
  const uint64_t damaged = health.logs.gaps.front().log_number;
  return std::all_of(
      health.first_logs.begin(), health.first_logs.end(),
      [damaged](const auto& entry) { return entry.second <= damaged; });
}

WayOut SetCurrent(const Health& health) {
  WayOut way;
  way.name = "name the manifest in CURRENT again";
  const std::string manifest = DescriptorFileName(health.manifest_read);
  way.commands = {"printf '" + manifest + "\\n' > " +
                  ShellWord(CurrentFileName(health.db_path))};
  way.remark =
      manifest +
      " can be read to its end, and all files that it lists are there.";
  return way;
}

WayOut SetOptionsAside(const Health& health) {
  WayOut way;
  way.name = "set the OPTIONS file aside";
  way.commands = {SetAside(health, health.options_path)};
  way.remark =
      "No data are in it. Tools then go by the OPTIONS file before, or by "
      "defaults; an application that opens the database writes a new one. "
      "Where an order of its own (comparator) was set, open it with the "
      "application first.";
  return way;
}

WayOut Recover(const Health& health, WALRecoveryMode mode) {
  WayOut way;
  way.name = mode == WALRecoveryMode::kPointInTimeRecovery
                 ? "go back to the last whole state before the damage"
                 : "keep all that can be read of the logs";
  way.losses = LossesOfLogs(health, mode);
  way.commands = {Ldb(
      health, "recover --wal_recovery_mode=" + NameOfMode(mode) + " --force")};
  way.remark =
      mode == WALRecoveryMode::kPointInTimeRecovery
          ? "The result is a state that the database once had. " +
                std::to_string(health.logs.writes_behind_first_gap) +
                " writes behind the damage could be read, and are dropped."
          : "The result may be a state that the database never had: later "
            "writes stand without earlier ones.";
  return way;
}

WayOut DropTables(const Health& health) {
  WayOut way;
  way.name = "drop the damaged tables";
  way.losses = LossesOfTables(health);
  for (const ListedTable& table : health.tables) {
    if (table.trouble.empty()) continue;
    way.commands.push_back(
        Ldb(health, "unsafe_remove_sst_file " + std::to_string(table.number)));
  }
  way.remark =
      "Quick: no other file is read. Each file is deleted when the database is "
      "opened: keep a copy.";
  return way;
}

WayOut BestEffortsWay(const Health& health) {
  WayOut way;
  way.name = "go back to an older state of which all files are there";
  way.losses = LossesOfBestEfforts(health);
  way.commands = {Ldb(health, "recover --best_efforts --force")};
  way.remark =
      "Each family goes back as far as it must; without such a state it "
      "becomes empty.";
  return way;
}

WayOut RepairWay(const Health& health) {
  WayOut way;
  way.name = "repair";
  const bool misses_table = std::any_of(
      health.tables.begin(), health.tables.end(),
      [](const ListedTable& table) { return table.trouble == kIsMissing; });
  const bool goes_by_tables = health.manifest_read == 0 ||
                              health.has_newer_unlisted ||
                              (health.has_cut_manifest && misses_table);
  for (const ListedBlobFile& blob : health.blobs) {
    if (blob.trouble.empty() || blob.trouble == kIsMissing) continue;
    way.commands.push_back(SetAside(health, blob.path));
  }
  if (health.has_newer_unlisted) {
    for (const FoundManifest& found : health.manifests) {
      way.commands.push_back(SetAside(health, found.path));
    }
  }
  way.commands.push_back(Ldb(health, "repair"));
  if (goes_by_tables) {
    way.losses = LossesWithoutManifest(health);
    Append(LossesOfTables(health), &way.losses);
  } else {
    way.losses = LossesOfTables(health);
    Append(LossesOfBlobFiles(health), &way.losses);
  }
  Append(LossesOfLogs(health, WALRecoveryMode::kSkipAnyCorruptedRecords),
         &way.losses);
  way.remark =
      "Reads every table. What is of no use moves to lost/ and is not "
      "deleted.";
  return way;
}

// One way, and then another.
void FollowWith(const WayOut& next, WayOut* way) {
  way->name += (way->name.empty() ? "" : ", then ") + next.name;
  way->commands.insert(way->commands.end(), next.commands.begin(),
                       next.commands.end());
  Append(next.losses, &way->losses);
  way->remark += (way->remark.empty() ? "" : " ") + next.remark;
}

// Keys beyond this number are left to the next examination.
constexpr size_t kMostDeletions = 100;

// Deletes the keys whose values in blob files cannot be read; all other keys
// stay.
WayOut DeleteValuesWay(const Health& health) {
  WayOut way;
  way.name = "delete the keys";
  std::set<std::pair<std::string, std::string>> keys;
  std::set<std::string> families;
  bool has_timestamps = false;
  for (const BadValue& value : health.bad_values) {
    if (keys.size() == kMostDeletions) break;
    if (!keys.emplace(value.family, value.key).second) continue;
    Loss loss;
    loss.what = "the value of key " + ShownKey(value.key) + " of family '" +
                value.family + "', a newer one of it, too";
    loss.family = value.family;
    loss.keys = {value.key, value.key};
    way.losses.push_back(std::move(loss));
    has_timestamps = has_timestamps || value.has_timestamp;
    if (value.has_timestamp) continue;
    families.insert(value.family);
    way.commands.push_back(
        Ldb(health, "delete --hex 0x" + Slice(value.key).ToString(true) + " " +
                        ShellWord("--column_family=" + value.family)));
  }
  for (const std::string& family : families) {
    way.commands.push_back(
        Ldb(health, "compact " + ShellWord("--column_family=" + family)));
  }
  way.remark =
      "Or write these keys anew. Reads of them fail until then, and so do "
      "compactions that collect the garbage of their file.";
  if (has_timestamps) {
    way.remark +=
        " Keys with timestamps the application deletes, with its timestamps.";
  }
  if (keys.size() == kMostDeletions) {
    way.remark += " There may be more than are listed: look again afterwards.";
  }
  return way;
}

std::vector<WayOut> WaysOutOfLogDamage(const Health& health) {
  const WayOut back = Recover(health, WALRecoveryMode::kPointInTimeRecovery);
  const WayOut all = Recover(health, WALRecoveryMode::kSkipAnyCorruptedRecords);
  if (!CanGoBackInTime(health)) return {all, RepairWay(health)};
  return {back, all, RepairWay(health)};
}

}  // namespace

std::string ShownKey(const std::string& key) {
  const bool is_text = std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return c >= 0x20 && c < 0x7f;
  });
  return is_text ? "'" + key + "'" : "0x" + Slice(key).ToString(true);
}

std::string ShownSpan(const KeySpan& keys) {
  return ShownKey(keys.smallest) + " to " + ShownKey(keys.largest);
}

std::string NameOfMode(WALRecoveryMode mode) {
  switch (mode) {
    case WALRecoveryMode::kTolerateCorruptedTailRecords:
      return "tolerate_corrupted_tail_records";
    case WALRecoveryMode::kAbsoluteConsistency:
      return "absolute_consistency";
    case WALRecoveryMode::kPointInTimeRecovery:
      return "point_in_time";
    case WALRecoveryMode::kSkipAnyCorruptedRecords:
      return "skip_any_corrupted_records";
  }
  return "";
}

std::vector<Loss> LossesOfLogs(const Health& health, WALRecoveryMode mode) {
  std::vector<Loss> losses;
  for (const uint64_t number : health.logs.missing) {
    losses.push_back(LossOfWrites(0, kMaxSequenceNumber,
                                  " (log " + std::to_string(number) +
                                      " is missing; they are lost "
                                      "whatever is done)"));
  }
  for (const LogGap& gap : health.logs.gaps) {
    const std::string place =
        " (" + gap.path + ", behind offset " + std::to_string(gap.offset) + ")";
    if (mode == WALRecoveryMode::kSkipAnyCorruptedRecords) {
      losses.push_back(
          LossOfWrites(gap.first_sequence, gap.last_sequence, place));
      continue;
    }
    losses.push_back(
        LossOfWrites(gap.first_sequence, kMaxSequenceNumber, place));
    break;
  }
  return losses;
}

std::vector<Loss> LossesOfBestEfforts(const Health& health) {
  std::vector<Loss> losses;
  std::set<std::string> families;
  for (const ListedTable& table : health.tables) {
    if (!table.trouble.empty()) families.insert(table.family);
  }
  for (const ListedBlobFile& blob : health.blobs) {
    if (!blob.trouble.empty()) families.insert(blob.family);
  }
  for (const std::string& family : families) {
    Loss loss;
    loss.what = "of family '" + family +
                "' what was written since that older state, and all of it if "
                "there is none";
    loss.family = family;
    losses.push_back(std::move(loss));
  }
  if (health.manifest_read == 0) {
    Loss loss;
    loss.what = "what no manifest that can be read tells of";
    losses.push_back(std::move(loss));
  }
  if (health.logs.write_count > 0 || !health.logs.gaps.empty()) {
    losses.push_back(LossOfWrites(health.logs.first_sequence,
                                  kMaxSequenceNumber,
                                  ": this way leaves the logs alone"));
  }
  return losses;
}

std::vector<WayOut> WaysOut(const Health& health) {
  if (!health.IsDamaged()) return {};
  const bool has_bad_tables = health.IsDamaged(DamagedPart::kTable);
  const bool has_bad_blobs = health.IsDamaged(DamagedPart::kBlobFile);
  const bool has_bad_manifest = health.IsDamaged(DamagedPart::kManifest);
  const bool has_bad_current = health.IsDamaged(DamagedPart::kCurrent);
  const bool has_bad_logs = health.IsDamaged(DamagedPart::kLog);
  std::vector<WayOut> ways;
  if (has_bad_manifest || has_bad_tables || has_bad_blobs) {
    ways.push_back(RepairWay(health));
    const bool only_tables = !has_bad_manifest && !has_bad_blobs &&
                             !has_bad_current && !has_bad_logs;
    if (only_tables) ways.push_back(DropTables(health));
    if (!has_bad_manifest) ways.push_back(BestEffortsWay(health));
  } else if (has_bad_current && has_bad_logs) {
    ways.push_back(RepairWay(health));
  } else if (has_bad_current) {
    ways.push_back(SetCurrent(health));
    ways.push_back(RepairWay(health));
  } else if (has_bad_logs && HasDamagedLog(health)) {
    ways = WaysOutOfLogDamage(health);
  } else if (has_bad_logs) {
    ways.push_back(RepairWay(health));
  }
  if (!health.bad_values.empty()) {
    const WayOut deletion = DeleteValuesWay(health);
    if (ways.empty()) ways.emplace_back();
    for (WayOut& way : ways) FollowWith(deletion, &way);
  }
  if (!health.IsDamaged(DamagedPart::kOptions)) return ways;
  const WayOut aside = SetOptionsAside(health);
  if (ways.empty()) return {aside};
  for (WayOut& way : ways) {
    way.commands.insert(way.commands.begin(), aside.commands.begin(),
                        aside.commands.end());
    way.remark = aside.remark + " " + way.remark;
  }
  return ways;
}

}  // namespace ROCKSDB_NAMESPACE
