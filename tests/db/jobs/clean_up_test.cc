// Files and states that nobody needs any more. Runs
// tests/testdata/jobs/clean_up.txt:
//
//   clean_up
//   STEPS                 one line of state for each line
//
// STEPs: state (one is left by its readers), file:N (N.sst is obsolete); purge
// (at once), schedule (a job), run (the next job); disable, enable (deletions);
// shut_down.
//
// The state: jobs that wait, files that are there, and how many states were
// freed.
#include "db/jobs/clean_up.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "db/wal/wal_manager.h"
#include "env/job_threads.h"
#include "tests/db/jobs/held_env.h"
#include "tests/db/jobs/jobs_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct CleanUpWorld {
  CleanUpWorld() { parts.obsolete->Arm(); }

  HeldEnv env;
  JobThreads threads;
  JobsWorld parts;
  PageCacheRoom page_cache;
  WalManager wal{{.db = parts.world.f.db.get(),
                  .wal_dir = "/db",
                  .file_options = FileOptions(),
                  .directory = nullptr,
                  .page_cache = &page_cache}};
  CleanUp clean_up{{.env = &env,
                    .mutex = &parts.world.mutex,
                    .stop = &parts.stop,
                    .scheduler = &parts.scheduler,
                    .publisher = parts.publisher.get(),
                    .obsolete = parts.obsolete.get(),
                    .wal = &wal,
                    .threads = &threads}};
};

class CleanUpScript {
 public:
  std::string Run(const std::string& line) {
    std::istringstream steps(line);
    for (std::string step; steps >> step;) Step(step);
    std::string text = "jobs:" + std::to_string(w_.env.job_count());
    EXPECT_EQ(w_.clean_up.IsScheduled(), w_.env.job_count() > 0);
    text += " files:" + Files();
    text +=
        " freed:" +
        std::to_string(w_.parts.world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS));
    MutexLock lock(&w_.parts.world.mutex);
    EXPECT_TRUE(w_.parts.scheduler.IsIdle());  // No job runs.
    return text + "\n";
  }

 private:
  void Step(const std::string& step) {
    if (step == "state") {
      // The second publication leaves the first without a reader.
      MutexLock lock(&w_.parts.world.mutex);
      for (int i = 0; i < 2; ++i)
        w_.parts.publisher->Publish(w_.parts.world.cfd);
    } else if (step.starts_with("file:")) {
      const uint64_t number = std::stoull(step.substr(5));
      const std::string path = TableFileName("/db", number);
      EXPECT_TRUE(WriteStringToFile(w_.parts.world.f.fs.get(), "x", path).ok());
      w_.parts.obsolete->Add(path, kTableFile, number);
    } else if (step == "purge") {
      w_.clean_up.Purge();
    } else if (step == "schedule") {
      w_.clean_up.Schedule();
    } else if (step == "run") {
      w_.env.RunNext();
    } else if (step == "disable") {
      w_.parts.obsolete->DisableDeletions();
    } else if (step == "enable") {
      w_.parts.obsolete->EnableDeletions();
    } else {
      EXPECT_EQ(step, "shut_down");
      w_.parts.stop.ShutDown();
    }
  }
  std::string Files() {
    std::vector<std::string> names;
    EXPECT_TRUE(
        w_.parts.world.f.fs->GetChildren("/db", IOOptions(), &names, nullptr)
            .ok());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) {
      if (!name.ends_with(".sst")) continue;
      text += (text.empty() ? "" : ",") + std::to_string(std::stoull(name));
    }
    return text.empty() ? "none" : text;
  }

  CleanUpWorld w_;
};

TEST(CleanUpTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    EXPECT_EQ(c.command, "clean_up");
    CleanUpScript script;
    std::string text;
    for (const std::string& line : LinesOf(c.body)) text += script.Run(line);
    return text;
  };
  EXPECT_GE(RunScript("jobs/clean_up.txt", run), 8u) << "cases went missing";
}

TEST(CleanUpTest, LogsThatASyncHasLeftOpenAreClosed) {
  CleanUpWorld w;
  w.parts.world.f.db->background_close_inactive_wals = true;
  const auto open_files = [&] {
    return w.parts.world.f.fs->open_handles(FileKind::kWritable);
  };
  const MutableDBOptions now{DBOptions()};
  const size_t before = open_files();
  ASSERT_TRUE(w.wal.Switch(100, 1 << 20, now).ok());
  ASSERT_TRUE(w.wal.Switch(101, 1 << 20, now).ok());
  w.clean_up.CloseInactiveLogs();
  EXPECT_EQ(w.env.job_count(), 0u);
  ASSERT_TRUE(w.wal.Sync().ok());
  w.clean_up.CloseInactiveLogs();
  ASSERT_EQ(w.env.job_count(), 1u);
  EXPECT_EQ(open_files(), before + 2);
  w.clean_up.Purge();  // Closes none.
  EXPECT_EQ(open_files(), before + 2);
  w.env.RunNext();
  EXPECT_EQ(open_files(), before + 1);
  w.clean_up.CloseInactiveLogs();
  EXPECT_EQ(w.env.job_count(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
