// ldb doctor: what is wrong with a database, in plain words, and what each way
// out loses. ldb recover: the ways out that are a matter of opening.

#include <cstdio>
#include <memory>

#include "rocksdb/db.h"
#include "tools/ldb/command.h"
#include "tools/ldb/doctor/examination.h"
#include "tools/ldb/doctor/ways_out.h"
#include "tools/ldb/json.h"
#include "tools/ldb/progress.h"
#include "tools/ldb/stderr_log.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const char* NameOfPart(DamagedPart part) {
  switch (part) {
    case DamagedPart::kNone:
      break;
    case DamagedPart::kCurrent:
      return "current";
    case DamagedPart::kManifest:
      return "manifest";
    case DamagedPart::kOptions:
      return "options";
    case DamagedPart::kLog:
      return "log";
    case DamagedPart::kTable:
      return "table";
    case DamagedPart::kBlobFile:
      return "blob_file";
    case DamagedPart::kBlobValue:
      return "blob_value";
  }
  return "other";
}

std::string JsonOf(const Finding& finding) {
  return JsonObject()
      .Add("severity",
           finding.severity == Severity::kDamage ? "damage" : "note")
      .Add("part", NameOfPart(finding.part))
      .Add("path", finding.path)
      .Add("text", finding.text)
      .Text();
}

std::string JsonOf(const Loss& loss) {
  JsonObject object;
  object.Add("what", loss.what);
  if (loss.family.has_value()) object.Add("column_family", *loss.family);
  if (loss.keys.has_value()) {
    object.Add("smallest_key_hex", Slice(loss.keys->smallest).ToString(true));
    object.Add("largest_key_hex", Slice(loss.keys->largest).ToString(true));
  }
  object.Add("first_sequence", loss.first_sequence);
  object.Add("last_sequence", loss.last_sequence);
  return object.Text();
}

std::string JsonOf(const WayOut& way, bool is_recommended) {
  JsonArray commands, losses;
  for (const std::string& command : way.commands) {
    commands.Add(JsonString(command));
  }
  for (const Loss& loss : way.losses) losses.Add(JsonOf(loss));
  return JsonObject()
      .Add("way_out", way.name)
      .AddRaw("is_recommended", is_recommended ? "true" : "false")
      .AddRaw("commands", commands.Text())
      .AddRaw("losses", losses.Text())
      .Add("remark", way.remark)
      .Text();
}

void ShowLosses(const std::vector<Loss>& losses) {
  if (losses.empty()) return PrintLine("  Loses nothing.");
  PrintLine("  Loses at most:");
  for (const Loss& loss : losses) Print(Wrapped("- " + loss.what + ".", 4));
}

void ShowWay(const WayOut& way, bool is_recommended) {
  PrintLine("");
  PrintLine((is_recommended ? "Recommended: " : "Or: ") + way.name);
  // Whole, so that they can be copied.
  for (const std::string& command : way.commands) {
    PrintLine("    " + command);
  }
  ShowLosses(way.losses);
  Print(Wrapped(way.remark, 2));
}

Examination ExaminationOf(const std::string& db_path, Env* env,
                          const ConfigOptions& config, Progress* progress) {
  Examination request;
  request.db_path = db_path;
  request.env = env;
  request.config = config;
  request.config.env = env;
  request.progress = [progress](const std::string& path) {
    progress->Tell("looking at " + path);
  };
  return request;
}

class DoctorCommand : public Command {
 public:
  using Command::Command;
  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    Progress progress;
    Examination request =
        ExaminationOf(db_path_, options_.env, config_options_, &progress);
    request.reads_all = HasFlag("verify_checksums");
    Health health;
    const Status s = Examine(request, &health);
    progress.Clear();
    if (!s.ok()) return Fail(s.ToString());
    const std::vector<WayOut> ways = WaysOut(health);
    if (wants_json()) {
      ShowJson(health, ways);
    } else {
      Show(health, ways);
    }
    if (health.IsDamaged()) FailQuietly();
  }

 private:
  static void ShowJson(const Health& health, const std::vector<WayOut>& ways) {
    for (const Finding& finding : health.findings) PrintLine(JsonOf(finding));
    for (size_t i = 0; i < ways.size(); ++i) {
      PrintLine(JsonOf(ways[i], i == 0));
    }
    PrintLine(JsonObject()
                  .Add("db", health.db_path)
                  .AddRaw("is_damaged", health.IsDamaged() ? "true" : "false")
                  .Text());
  }

  static void ShowFindings(const Health& health, Severity severity,
                           const char* title) {
    bool is_first = true;
    for (const Finding& finding : health.findings) {
      if (finding.severity != severity) continue;
      if (is_first) PrintLine(std::string("\n") + title);
      is_first = false;
      PrintLine("  " + finding.path);
      Print(Wrapped(finding.text, 4));
    }
  }

  void Show(const Health& health, const std::vector<WayOut>& ways) const {
    PrintLine(health.db_path + ": " + std::to_string(health.tables.size()) +
              " tables, " + std::to_string(health.blobs.size()) +
              " blob files, " + std::to_string(health.logs.write_count) +
              " writes in logs");
    ShowFindings(health, Severity::kDamage, "Damage:");
    ShowFindings(health, Severity::kNote, "Notes:");
    if (!health.IsDamaged()) {
      PrintLine(
          HasFlag("verify_checksums")
              ? "\nNothing is wrong."
              : "\nNothing is wrong. Data blocks and blobs were not read: "
                "--verify_checksums does that.");
      return;
    }
    PrintLine("\nFirst of all: copy the directory, and work on the copy.");
    Print(
        Wrapped("If there is a backup that is new enough, `ldb restore` loses "
                "what was written since, and nothing else. If a file is "
                "missing or damaged here and whole elsewhere (a checkpoint, a "
                "replica's copy of the same file), put it back, and look "
                "again.",
                0));
    for (size_t i = 0; i < ways.size(); ++i) ShowWay(ways[i], i == 0);
  }
};

// Opens the database once in a mode that takes it as it is, and once more in
// its own, so that the mode does not stay in the OPTIONS file.
class RecoverCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    is_best_efforts_ = HasFlag("best_efforts");
    const std::string name = Option("wal_recovery_mode");
    if (is_best_efforts_ == !name.empty()) {
      return Fail("either --wal_recovery_mode or --best_efforts is needed");
    }
    if (is_best_efforts_) return;
    std::string names;
    for (const WALRecoveryMode mode :
         {WALRecoveryMode::kTolerateCorruptedTailRecords,
          WALRecoveryMode::kAbsoluteConsistency,
          WALRecoveryMode::kPointInTimeRecovery,
          WALRecoveryMode::kSkipAnyCorruptedRecords}) {
      mode_ = mode;
      if (name == NameOfMode(mode)) return;
      names += " " + NameOfMode(mode);
    }
    Fail("wal_recovery_mode is one of" + names + ", not " + name);
  }

  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    PrepareOptions();
    if (exec_state_.IsFailed()) return;
    {
      DatabaseLock lock(options_.env, db_path_);
      const Status s = lock.Take();
      if (!s.ok()) return Fail(s.ToString());
    }
    if (!HasFlag("force") && !IsHarmless()) return;
    Status s = OpenAsAsked();
    if (s.ok()) s = OpenOnce();
    OkOrFail(s);
  }

 private:
  // False: something would be lost, which is told.
  bool IsHarmless() {
    Progress progress;
    Health health;
    const Status s = Examine(
        ExaminationOf(db_path_, options_.env, config_options_, &progress),
        &health);
    progress.Clear();
    if (!s.ok()) {
      Fail(s.ToString());
      return false;
    }
    const std::vector<Loss> losses = is_best_efforts_
                                         ? LossesOfBestEfforts(health)
                                         : LossesOfLogs(health, mode_);
    if (losses.empty()) return true;
    ShowLosses(losses);
    Fail("data may be lost: nothing is changed without --force");
    return false;
  }

  // A log that this open kept would be read again by the next one, whose mode
  // may drop what this one took: what it took has to be in tables.
  Status OpenAsAsked() {
    const DBOptions own = options_;
    options_.avoid_flush_during_recovery = false;
    options_.best_efforts_recovery = is_best_efforts_;
    if (!is_best_efforts_) options_.wal_recovery_mode = mode_;
    const Status s = OpenOnce();
    static_cast<DBOptions&>(options_) = own;
    return s;
  }

  Status OpenOnce() {
    std::vector<ColumnFamilyDescriptor> families = column_families_;
    if (families.empty()) families.emplace_back("default", options_);
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> db;
    Status s = DB::Open(options_, db_path_, families, &handles, &db);
    if (!s.ok()) return s;
    for (ColumnFamilyHandle* handle : handles) {
      IgnoreError(db->DestroyColumnFamilyHandle(handle),
                  "the handle is gone, whatever is said");
    }
    return db->Close();
  }

  bool is_best_efforts_ = false;
  WALRecoveryMode mode_ = WALRecoveryMode::kPointInTimeRecovery;
};

}  // namespace

const std::vector<CommandRow>& DoctorCommands() {
  static const std::vector<CommandRow> kRows = {
      {"doctor",
       Opens::kNothing,
       "[--verify_checksums] [--json]",
       "Says what is wrong with a database, what each way out loses, and the "
       "command for it. Reads CURRENT, manifests, the OPTIONS file, logs, and "
       "the metadata of tables and blob files; with --verify_checksums all "
       "blocks of tables and the values in blob files, too. Changes nothing. "
       "Ends with 1 if there is damage.",
       {"verify_checksums", "json"},
       &MakeCommand<DoctorCommand>},
      {"recover",
       Opens::kNothing,
       "--wal_recovery_mode=<mode> | --best_efforts [--force]",
       "Opens a database whose logs or files are damaged, once, in the way "
       "that is given, and closes it. Modes are point_in_time, "
       "skip_any_corrupted_records, tolerate_corrupted_tail_records and "
       "absolute_consistency. Without --force it says what would be lost, "
       "and changes nothing if that is something.",
       {"wal_recovery_mode", "best_efforts", "force"},
       &MakeCommand<RecoverCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
