// Which OPTIONS files a database has: runs option_scripts/numbered_files.txt.
//
//   files                 steps in a database that has none; after each stands
//       which is current and which there are
//     write                 a new one; older ones are removed
//     write kept            a new one while the database opens
//     remove NUMBER|all     old ones, while NUMBER is the newest that anybody
//         has been told of
//     stop | heal           the file system does nothing more, until it heals
//     fail NAME             the next change of a file with NAME in its path
//         fails
#include "db/files/options_files.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/files/obsolete_files.h"
#include "db/manifest/version_set.h"
#include "file/filename.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OptionsFilesWorld {
 public:
  OptionsFilesWorld() {
    const ImmutableDBOptions& db = *world_.f.db;
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = &db;
    context.families = world_.context;
    context.mutex = &world_.mutex;
    versions_ = std::make_unique<VersionSet>(std::move(context));
    ObsoleteFiles::Callbacks none;
    none.on_deleted = [](const std::string&, FileType, uint64_t,
                         const Status&) {};
    none.forget = [](UnreferencedTable) {};
    none.on_unattended = [] {};
    obsolete_ = std::make_shared<ObsoleteFiles>(&db, nullptr, std::move(none));
    obsolete_->Arm();
    EXPECT_TRUE(db.fs->CreateDirIfMissing("/db", IOOptions(), nullptr).ok());
    EXPECT_TRUE(
        db.fs->NewDirectory("/db", IOOptions(), &directory_, nullptr).ok());
    const FamilyRef family = world_.Add(0, "default");
    MutexLock lock(&world_.mutex);
    versions_->families()->Add(family->cfd);
    files_ = std::make_unique<OptionsFiles>(
        OptionsFiles::Context{.db = &db,
                              .db_name = "/db",
                              .mutex = &world_.mutex,
                              .versions = versions_.get(),
                              .obsolete = obsolete_.get(),
                              .directory = directory_.get()});
  }
  std::string Step(const std::string& line) {
    std::istringstream words(line);
    std::string verb, word;
    words >> verb >> word;
    std::string answer;
    if (verb == "write") {
      answer = Write(word == "kept" ? OptionsFiles::Old::kKept
                                    : OptionsFiles::Old::kRemoved);
    } else if (verb == "remove") {
      files_->RemoveOld(word == "all" ? UINT64_MAX : std::stoull(word));
    } else if (verb == "stop") {
      world_.f.fs->Deactivate();
      return "";
    } else if (verb == "heal") {
      world_.f.fs->Heal();
    } else {
      EXPECT_EQ(verb, "fail");
      Fault fault;
      fault.call = 1;
      fault.path_contains = word;
      world_.f.fs->FailCall(fault);
      return "";
    }
    return (answer.empty() ? "" : answer + "; ") + "current " +
           std::to_string(Current()) + " of" + OnDisk() + "\n";
  }

 private:
  std::string Write(OptionsFiles::Old old) {
    const MutableDBOptions now(world_.f.db_options);
    MutexLock lock(&world_.mutex);
    return files_->Write(now, old).ToString();
  }
  uint64_t Current() {
    MutexLock lock(&world_.mutex);
    return files_->current();
  }
  std::string OnDisk() {
    std::vector<std::string> names;
    const Status s =
        world_.f.fs->GetChildren("/db", IOOptions(), &names, nullptr);
    if (!s.ok()) return " " + s.ToString();
    std::set<uint64_t> numbers;
    std::string text;
    for (const std::string& name : names) {
      uint64_t number = 0;
      FileType type = kTempFile;
      if (!ParseFileName(name, &number, &type)) continue;
      if (type == kOptionsFile) numbers.insert(number);
      if (type == kTempFile) text += " " + name;
    }
    for (const uint64_t number : numbers) text += " " + std::to_string(number);
    return text.empty() ? " none" : text;
  }

  FamilyWorld world_;
  std::unique_ptr<VersionSet> versions_;
  std::shared_ptr<ObsoleteFiles> obsolete_;
  std::unique_ptr<FSDirectory> directory_;
  std::unique_ptr<OptionsFiles> files_;
};

std::string RunNumberedFiles(const ScriptCase& c) {
  EXPECT_EQ(c.command, "files");
  OptionsFilesWorld world;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) answers += world.Step(line);
  return answers;
}

TEST(OptionsFilesTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/numbered_files.txt", RunNumberedFiles),
            8u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
