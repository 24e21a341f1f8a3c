// Commands that read or change a manifest without opening the database:
// file_checksum_dump, unsafe_remove_sst_file, update_manifest, repair.

#include <cstdio>
#include <memory>

#include "rocksdb/db.h"
#include "tools/ldb/command.h"
#include "tools/ldb/hex.h"
#include "tools/ldb/json.h"
#include "tools/ldb/manifest_rewrite.h"
#include "tools/ldb/progress.h"
#include "tools/ldb/stderr_log.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class FileChecksumCommand : public Command {
 public:
  using Command::Command;
  void DoCommand() override {
    PrepareOptions();
    std::vector<ListedChecksum> checksums;
    const Status s = ListFileChecksums(options_.env, db_path_, &checksums);
    if (!s.ok()) return Fail(s.ToString());
    for (const ListedChecksum& row : checksums) {
      if (wants_json()) {
        PrintLine(JsonObject()
                      .Add("file_number", row.number)
                      .Add("function", row.function)
                      .Add("checksum_hex", Slice(row.checksum).ToString(true))
                      .Text());
        continue;
      }
      PrintLine(std::to_string(row.number) + ", " + row.function + ", " +
                (is_key_hex_ ? StringToHex(row.checksum) : row.checksum));
    }
    if (wants_json()) return;
    PrintLine("Print SST file checksum information finished ");
  }
};

class RemoveTableCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (words().size() != 1) return Fail("SST file number must be specified");
    if (!WholeNumber(words()[0], &number_)) {
      Fail("Failed to parse SST file number " + words()[0]);
    }
  }
  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    PrepareOptions();
    if (exec_state_.IsFailed()) return;
    DatabaseLock lock(options_.env, db_path_);
    Status s = lock.Take();
    if (s.ok()) s = RemoveTableFromManifest(options_, db_path_, number_);
    if (!s.ok()) return Fail("failed to unsafely remove SST file", s);
    Succeed("unsafely removed SST file");
  }

 private:
  uint64_t number_ = 0;
};

class UpdateManifestCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    is_verbose_ = ParseBooleanOption(option_map_, "verbose", false);
    if (!ParseBooleanOption(option_map_, "update_temperatures", false) &&
        !exec_state_.IsFailed()) {
      Fail(
          "No action like --update_temperatures specified for "
          "update_manifest");
    }
  }
  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    PrepareOptions();
    if (exec_state_.IsFailed()) return;
    DatabaseLock lock(options_.env, db_path_);
    Status s = lock.Take();
    uint64_t changed = 0;
    if (s.ok()) s = UpdateTemperatures(options_, db_path_, &changed);
    if (!s.ok()) return Fail("failed to update manifest", s);
    if (is_verbose_) {
      std::fprintf(stderr, "%s tables have another temperature now\n",
                   std::to_string(changed).c_str());
    }
    Succeed("Manifest updates successful");
  }

 private:
  bool is_verbose_ = false;
};

class RepairCommand : public Command {
 public:
  using Command::Command;
  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    PrepareOptions();
    if (exec_state_.IsFailed()) return;
    const Status exists = options_.env->FileExists(db_path_);
    if (!exists.ok()) {
      const std::string lock = LockFileName(db_path_);
      return Fail(
          "IO error: No such file or directory: while open a file for "
          "lock: " +
          lock + ": No such file or directory");
    }
    if (IsEmptyDirectory()) return OkOrFail(MakeEmptyDatabase());
    options_.info_log = std::make_shared<StderrLog>(
        HasFlag("verbose") ? InfoLogLevel::INFO_LEVEL
                           : InfoLogLevel::WARN_LEVEL);
    Status s;
    {
      const ProgressBeside progress([](uint64_t seconds) {
        return "reading tables and logs: " + std::to_string(seconds) + " s";
      });
      s = column_families_.empty()
              ? RepairDB(db_path_, options_)
              : RepairDB(db_path_, options_, column_families_, options_);
    }
    OkOrFail(s);
  }

 private:
  bool IsEmptyDirectory() const {
    std::vector<std::string> children;
    if (!options_.env->GetChildren(db_path_, &children).ok()) return false;
    for (const std::string& child : children) {
      uint64_t number = 0;
      FileType type = kTempFile;
      const bool is_known = ParseFileName(child, &number, &type);
      if (child == "." || child == "..") continue;
      if (!is_known || (type != kDBLockFile && type != kInfoLogFile)) {
        return false;
      }
    }
    return true;
  }
  // What scripts expect of a directory without a database.
  Status MakeEmptyDatabase() {
    options_.create_if_missing = true;
    std::unique_ptr<DB> db;
    const Status s = DB::Open(options_, db_path_, &db);
    return s.ok() ? db->Close() : s;
  }
};

}  // namespace

const std::vector<CommandRow>& ManifestCommands() {
  static const std::vector<CommandRow> kRows = {
      {"file_checksum_dump",
       Opens::kNothing,
       "[--hex] [--json]",
       "Prints '<number>, <function>, <checksum>' for each table and blob "
       "file.",
       {"path", "hex", "json"},
       &MakeCommand<FileChecksumCommand>},
      {"unsafe_remove_sst_file",
       Opens::kNothing,
       "<number>",
       "Takes a table file out of the manifest, with all that is in it: for "
       "one that is lost or damaged. Deleted keys may come back. Takes the "
       "lock; the file itself goes when the database is opened.",
       {},
       &MakeCommand<RemoveTableCommand>},
      {"update_manifest",
       Opens::kNothing,
       "--update_temperatures [--verbose]",
       "Writes down what the file system says of the files' temperatures.",
       {"verbose", "update_temperatures"},
       &MakeCommand<UpdateManifestCommand>},
      {"repair",
       Opens::kNothing,
       "[--verbose]",
       "Makes a manifest anew, of what can be read. Takes the lock; what is of "
       "no use moves to lost/.",
       {"verbose"},
       &MakeCommand<RepairCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
