// SetDBOptions() over the parts of a database: runs
// option_scripts/database_changes.txt.
//
//   changes [db:OPTIONS] [family:OPTIONS]   a database that is open with these;
//       then the steps of option_steps.h and these:
//     set NAME=VALUE..      what comes of it: the options that are not as they
//         were at first, whether the OPTIONS file says so, and whether the next
//         writer is asked to look
//     refuse DIRECTORY | accept   direct files, from now on
//     access                how table files are read now
//     pools                 the threads that were asked for
//     rate                  at which writers are delayed
//     manifest              is it that of the last time?
//     write                 2 MiB: has any of the log been written back since?
#include "db/intake/option_changes.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "options/enum_names.h"
#include "tests/db/intake/option_steps.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Keeps what it is asked for.
class PoolSizesEnv final : public EnvWrapper {
 public:
  PoolSizesEnv() : EnvWrapper(Env::Default()) {}
  void IncBackgroundThreadsIfNeeded(int number, Priority pool) override {
    asked[pool] = number;
  }
  std::map<Priority, int> asked;
};

class WriteBackListener final : public EventListener {
 public:
  bool ShouldBeNotifiedOnFileIO() override { return true; }
  void OnFileRangeSyncFinish(const FileOperationInfo& info) override {
    if (info.path.ends_with(".log")) ++log_parts;
  }
  int log_parts = 0;
};

class DatabaseChangesScript final : public OptionSteps {
 public:
  DatabaseChangesScript() {
    world_.f.db_options.listeners.push_back(listener_);
  }
  // Whoever holds the options from before keeps to them.
  ~DatabaseChangesScript() override {
    EXPECT_EQ(OptionDifference(first_, All(*before_)), "-");
  }

 private:
  void Begin() override {
    world_.f.db->env = &pools_;
    before_ = world_.options->Get();
    first_ = All(*before_);
    manifest_ = Manifest();
    changes_ = std::make_unique<OptionChanges>(
        OptionChanges::Context{.db = world_.f.db.get(),
                               .db_name = "/db",
                               .mutex = world_.mutex,
                               .options = world_.options.get(),
                               .scheduler = &world_.scheduler,
                               .stalls = world_.stalls.get(),
                               .versions = world_.versions(),
                               .families = world_.family_changes.get(),
                               .files = world_.room.get(),
                               .access = world_.access.get(),
                               .logs = world_.logs.get(),
                               .attention = &world_.attention});
  }
  std::string Step(const std::string& verb,
                   const std::vector<std::string>& words) override {
    if (verb == "set") return Set(words);
    if (verb == "refuse") return world_.f.fs->RefuseDirectIo(words.at(0)), "";
    if (verb == "accept") return world_.f.fs->AcceptDirectIo(), "";
    if (verb == "access") return Access();
    if (verb == "pools") return Pools();
    if (verb == "rate") return std::to_string(world_.controller.delayed_rate());
    if (verb == "manifest") {
      const uint64_t before = std::exchange(manifest_, Manifest());
      return manifest_ == before ? "the same" : "a new one";
    }
    if (verb == "write") return Write();
    return OptionSteps::Step(verb, words);
  }

  DBOptions All(const MutableDBOptions& now) const {
    return BuildDBOptions(*world_.f.db, now);
  }
  std::string Set(const std::vector<std::string>& words) {
    const CurrentOptions::Ref held = world_.options->Get();
    const Status s = world_.wal_lock.WithLogAtRest(
        [&] { return changes_->Apply(ValuesOf(words)); });
    const bool is_asked = world_.attention.IsAsked();
    world_.attention.Clear();
    // What fails as a whole does not even make others of the same values.
    EXPECT_TRUE(s.ok() || s.IsIOError() || world_.options->Get() == held);
    return s.ToString() + "; " +
           OptionDifference(first_, All(*world_.options->Get())) + "; " +
           File() + (is_asked ? "; asked" : "");
  }
  std::string Access() const {
    const FileAccess access = world_.options->Get()->read_access;
    for (const auto& [name, value] : EnumNames<FileAccess>()) {
      if (value == access) return std::string(name);
    }
    return "an access without a name";
  }
  std::string Pools() const {
    std::string text;
    for (const auto& [pool, threads] : pools_.asked) {
      text += (text.empty() ? "" : ", ") + Env::PriorityToString(pool) + " " +
              std::to_string(threads);
    }
    return text.empty() ? "-" : text;
  }
  uint64_t Manifest() const {
    MutexLock lock(world_.mutex);
    return world_.versions()->manifest()->installed().number;
  }
  std::string Write() {
    const int before = listener_->log_parts;
    const Status s =
        world_.Put(families_.at("default"), "k", std::string(2 << 20, 'v'));
    EXPECT_TRUE(s.ok()) << s.ToString();
    return listener_->log_parts > before ? "written back" : "not yet";
  }

  const std::shared_ptr<WriteBackListener> listener_ =
      std::make_shared<WriteBackListener>();
  PoolSizesEnv pools_;
  CurrentOptions::Ref before_;
  DBOptions first_;
  uint64_t manifest_ = 0;
  std::unique_ptr<OptionChanges> changes_;
};

TEST(OptionChangesTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    EXPECT_TRUE(c.command.starts_with("changes")) << c.command;
    return DatabaseChangesScript().Run(c);
  };
  EXPECT_GE(RunScript("option_scripts/database_changes.txt", run), 16u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
