// Commands that copy whole databases: checkpoint, backup, restore.

#include <cstdio>
#include <memory>

#include "rocksdb/db.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "tools/ldb/command.h"
#include "tools/ldb/progress.h"
#include "tools/ldb/stderr_log.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class CheckpointCommand : public Command {
 public:
  using Command::Command;
  void DoCommand() override {
    if (db_ == nullptr) return;
    Checkpoint* made = nullptr;
    Status s = Checkpoint::Create(db_.get(), &made);
    const std::unique_ptr<Checkpoint> checkpoint(made);
    if (s.ok()) {
      const ProgressBeside progress("linking or copying files");
      s = checkpoint->CreateCheckpoint(Option("checkpoint_dir"));
    }
    OkOrFail(s);
  }
};

// What backup and restore have in common.
class BackupDirectoryCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    const auto number = [this](const char* name, int* value) {
      IntOption(name, value);
      return !exec_state_.IsFailed();
    };
    if (!number("num_threads", &thread_count_) ||
        !number("stderr_log_level", &log_level_)) {
      return;
    }
    if (HasOption("stderr_log_level") &&
        (log_level_ < 0 || log_level_ >= NUM_INFO_LOG_LEVELS)) {
      return Fail("stderr_log_level must be >= 0 and < " +
                  std::to_string(NUM_INFO_LOG_LEVELS) + ".");
    }
    if (HasOption("num_threads") && thread_count_ < 1) {
      return Fail("num_threads must be > 0.");
    }
    if (HasOption("backup_env_uri") && HasOption("backup_fs_uri")) {
      return Fail(
          "you may not specity both --backup_env_uri and --backup_fs_uri");
    }
    if (!HasOption("backup_dir")) {
      Fail("--backup_dir: missing backup directory");
    }
  }

 protected:
  // False: the command has failed.
  bool MakeEngineOptions(std::unique_ptr<BackupEngineOptions>* engine) {
    Env* env = options_.env;
    const std::string env_uri = Option("backup_env_uri");
    const std::string fs_uri = Option("backup_fs_uri");
    if (!env_uri.empty() || !fs_uri.empty()) {
      const Status s =
          Env::CreateFromUri(config_options_, env_uri, fs_uri, &env, &env_);
      if (!s.ok()) {
        Fail(s.ToString());
        return false;
      }
    }
    *engine = std::make_unique<BackupEngineOptions>(Option("backup_dir"), env);
    (*engine)->max_background_operations = thread_count_;
    if (log_level_ >= 0) {
      log_ = std::make_unique<StderrLog>(static_cast<InfoLogLevel>(log_level_));
      (*engine)->info_log = log_.get();
    }
    return true;
  }

 private:
  int thread_count_ = 1;
  int log_level_ = -1;
  std::shared_ptr<Env> env_;
  std::unique_ptr<StderrLog> log_;
};

class BackupCommand : public BackupDirectoryCommand {
 public:
  using BackupDirectoryCommand::BackupDirectoryCommand;
  void DoCommand() override {
    if (db_ == nullptr) return;
    PrintLine("open db OK");
    std::unique_ptr<BackupEngineOptions> options;
    if (!MakeEngineOptions(&options)) return;
    BackupEngine* opened = nullptr;
    Status s = BackupEngine::Open(options_.env, *options, &opened);
    const std::unique_ptr<BackupEngine> engine(opened);
    if (!s.ok()) return Fail(s.ToString());
    PrintLine("open backup engine OK");
    {
      const ProgressBeside progress("copying files to the backup");
      s = engine->CreateNewBackup(db_.get());
    }
    if (!s.ok()) return Fail(s.ToString());
    PrintLine("create new backup OK");
  }
};

class RestoreCommand : public BackupDirectoryCommand {
 public:
  using BackupDirectoryCommand::BackupDirectoryCommand;
  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    std::unique_ptr<BackupEngineOptions> options;
    if (!MakeEngineOptions(&options)) return;
    BackupEngineReadOnly* opened = nullptr;
    Status s = BackupEngineReadOnly::Open(options_.env, *options, &opened);
    const std::unique_ptr<BackupEngineReadOnly> engine(opened);
    if (!s.ok()) return Fail(s.ToString());
    PrintLine("open restore engine OK");
    // The engine takes the database's lock.
    {
      const ProgressBeside progress("copying files from the backup");
      s = engine->RestoreDBFromLatestBackup(db_path_, db_path_);
    }
    if (!s.ok()) return Fail(s.ToString());
    PrintLine("restore from backup OK");
  }
};

}  // namespace

const std::vector<CommandRow>& BackupCommands() {
  static const std::vector<std::string> kBackupOptions = {
      "backup_dir", "backup_env_uri", "backup_fs_uri", "num_threads",
      "stderr_log_level"};
  static const std::vector<CommandRow> kRows = {
      {"checkpoint",
       Opens::kForWriting,
       "--checkpoint_dir=<dir>",
       "Makes a database of its own in <dir>, which must not be there yet. On "
       "the same file system its table files are hard links.",
       {"checkpoint_dir"},
       &MakeCommand<CheckpointCommand>},
      {"backup", Opens::kForWriting,
       "--backup_dir=<dir> [--backup_env_uri=<uri> | --backup_fs_uri=<uri>] "
       "[--num_threads=<n>] [--stderr_log_level=<0 to 5>]",
       "Adds a backup to those in <dir>; copies what is not there yet.",
       kBackupOptions, &MakeCommand<BackupCommand>},
      {"restore", Opens::kNothing,
       "--backup_dir=<dir> [--backup_env_uri=<uri> | --backup_fs_uri=<uri>] "
       "[--num_threads=<n>] [--stderr_log_level=<0 to 5>]",
       "Makes the database what the latest backup in <dir> holds. Takes the "
       "lock of a database that is there; what is in it is replaced.",
       kBackupOptions, &MakeCommand<RestoreCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
