// Commands that share a compaction between two processes by way of a directory:
// remote_compaction_primary, remote_compaction_worker.
//
//   <job_dir>/input.bin    what is to be compacted, from the primary
//   <job_dir>/output/      the tables that the worker writes
//   <job_dir>/result.bin   what came of it, from the worker
//
// Each file is written under another name and renamed, so that the other side
// finds it whole.

#include <memory>
#include <string>

#include "rocksdb/compaction_service.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "tools/ldb/at_rest_command.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr int kPollMicros = 100 * 1000;
constexpr int kPolls = 1200;  // two minutes

std::string InputPath(const std::string& job_dir) {
  return job_dir + "/input.bin";
}
std::string ResultPath(const std::string& job_dir) {
  return job_dir + "/result.bin";
}

Status WriteWhole(Env* env, const std::string& bytes, const std::string& path) {
  const std::string temporary = path + ".tmp";
  const Status s = WriteStringToFile(env, bytes, temporary, true);
  return s.ok() ? env->RenameFile(temporary, path) : s;
}

// Waits for the file, reads it and takes it away.
Status AwaitFile(Env* env, const std::string& path, std::string* bytes) {
  for (int i = 0; i < kPolls; ++i) {
    if (env->FileExists(path).ok()) {
      const Status s = ReadFileToString(env, path, bytes);
      return s.ok() ? env->DeleteFile(path) : s;
    }
    env->SleepForMicroseconds(kPollMicros);
  }
  return Status::TimedOut("nobody has written " + path);
}

// Hands the primary's compactions to the worker.
class DirectoryService final : public CompactionService {
 public:
  DirectoryService(Env* env, std::string job_dir)
      : env_(env), job_dir_(std::move(job_dir)) {}
  const char* Name() const override { return "ldb.DirectoryService"; }

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    // What a worker answered to a job that was given up is no answer to this.
    const std::string old_result = ResultPath(job_dir_);
    Status s;
    if (env_->FileExists(old_result).ok()) s = env_->DeleteFile(old_result);
    if (s.ok()) s = WriteWhole(env_, input, InputPath(job_dir_));
    return CompactionServiceScheduleResponse(
        std::to_string(info.job_id),
        s.ok() ? CompactionServiceJobStatus::kSuccess
               : CompactionServiceJobStatus::kFailure);
  }
  CompactionServiceJobStatus Wait(const std::string& /*scheduled_job_id*/,
                                  std::string* result) override {
    return AwaitFile(env_, ResultPath(job_dir_), result).ok()
               ? CompactionServiceJobStatus::kSuccess
               : CompactionServiceJobStatus::kFailure;
  }

 private:
  Env* const env_;
  const std::string job_dir_;
};

// The worker takes one job: no other compaction may begin.
class PrimaryCommand : public AtRestCommand {
 public:
  using AtRestCommand::AtRestCommand;
  void Parse() override {
    if (!HasOption("job_dir")) Fail("--job_dir is required");
  }
  void OverrideBaseOptions() override {
    AtRestCommand::OverrideBaseOptions();
    options_.compaction_service =
        std::make_shared<DirectoryService>(options_.env, Option("job_dir"));
  }

 protected:
  void Work() override {
    Status s = options_.env->CreateDirIfMissing(Option("job_dir"));
    if (!s.ok()) return Fail(s.ToString());
    CompactRangeOptions range;
    // What this compaction writes is not compacted again: the worker is gone.
    range.bottommost_level_compaction =
        BottommostLevelCompaction::kForceOptimized;
    s = db_->CompactRange(range, GetCfHandle(), nullptr, nullptr);
    if (!s.ok()) return Fail("Compaction failed", s);
    PrintLine("remote_compaction_primary: OK");
  }
};

class WorkerCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (!HasOption("job_dir")) Fail("--job_dir is required");
  }
  void DoCommand() override {
    if (db_path_.empty()) return Fail("--db: missing database directory");
    const std::string job_dir = Option("job_dir");
    std::string input;
    Status s = AwaitFile(options_.env, InputPath(job_dir), &input);
    if (!s.ok()) return Fail(s.ToString());
    // Not before: the primary replaces OPTIONS when it opens the database.
    PrepareOptions();
    if (exec_state_.IsFailed()) return;
    CompactionServiceOptionsOverride used;
    used.env = options_.env;
    used.comparator = Family().comparator;
    used.merge_operator = Family().merge_operator;
    used.prefix_extractor = Family().prefix_extractor;
    used.table_factory = Family().table_factory;
    std::string result;
    s = options_.env->CreateDirIfMissing(job_dir + "/output");
    if (s.ok()) {
      s = DB::OpenAndCompact(db_path_, job_dir + "/output", input, &result,
                             used);
    }
    if (s.ok()) s = WriteWhole(options_.env, result, ResultPath(job_dir));
    if (!s.ok()) return Fail(s.ToString());
    PrintLine("remote_compaction_worker: OK (" + std::to_string(result.size()) +
              " bytes result)");
  }

 private:
  const ColumnFamilyOptions& Family() const {
    for (const ColumnFamilyDescriptor& family : column_families_) {
      if (family.name == column_family_name_) return family.options;
    }
    return options_;
  }
};

}  // namespace

const std::vector<CommandRow>& RemoteCommands() {
  static const std::vector<CommandRow> kRows = {
      {"remote_compaction_primary",
       Opens::kForWriting,
       "--job_dir=<dir>",
       "Compacts a family by way of a worker, which finds the job in <dir> and "
       "answers there within two minutes.",
       {"job_dir"},
       &MakeCommand<PrimaryCommand>},
      {"remote_compaction_worker",
       Opens::kNothing,
       "--job_dir=<dir>",
       "Waits up to two minutes for the job of a primary in <dir>, and does "
       "it.",
       {"job_dir"},
       &MakeCommand<WorkerCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
