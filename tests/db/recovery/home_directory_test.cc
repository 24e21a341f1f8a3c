// The directory of a database, before anything of it is read: made, locked, and
// with its small files. The cases of tests/testdata/opening/home.txt are
//
//   home OPTIONS     create, new (it must not be there), without_file (of its
//                    id), paths:PATH,.. (of its tables)
//   STEP             one a line
//
// A STEP is of one who opens it, by any name: NAME make, NAME lock, NAME keep
// (a lock that somebody else took), NAME open [alone] (a manifest is enough),
// NAME identity (the id is ensured), NAME close; or it is put PATH [TEXT],
// remove PATH, fail CALL|all PATH (that call on such a path fails; all calls
// do), set create|old|new, versions (of another session), id ID (the manifest
// has that one), there PATH .. (are they?), show PATH, find PATH (does it have
// the id?), remember PATH and changed PATH, failed (was there a fault?).
//
// An id that nobody has given is told as #1, #2 ..
#include "db/recovery/home_directory.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/manifest/manifest_log.h"
#include "db/manifest/version_set.h"
#include "tests/db/tables/table_files.h"
#include "tests/testing/script.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Without how many other calls there were before the one that failed.
std::string WithoutCallCount(std::string text) {
  const size_t begin = text.find(" (");
  const size_t end = text.find(" of all)");
  if (end != std::string::npos)
    text.erase(begin, text.find(')', end) + 1 - begin);
  return text;
}

class HomeScript {
 public:
  explicit HomeScript(const ScriptWords& options) {
    f_.Open(/*pins=*/true);
    f_.db->create_if_missing = options.HasWord("create");
    f_.db->error_if_exists = options.HasWord("new");
    f_.db->write_identity_file = !options.HasWord("without_file");
    std::istringstream paths(options.Text("paths", ""));
    for (std::string path; std::getline(paths, path, ',');) {
      f_.db->db_paths.emplace_back(path, 1 << 20);
    }
    MakeVersions();
  }
  ~HomeScript() {
    for (const auto& [name, home] : homes_) {
      IgnoreError(home->Close(), "the test is over");
    }
  }
  HomeScript(const HomeScript&) = delete;
  HomeScript& operator=(const HomeScript&) = delete;

  // "": the step has no answer.
  std::string Step(const ScriptWords& words) {
    const std::string& verb = words.verb();
    const std::vector<std::string>& rest = words.words();
    if (verb == "there") {
      std::string text;
      for (const std::string& path : rest)
        text += IsThere(path) ? "yes " : "no ";
      return text;
    }
    if (verb == "versions") return MakeVersions(), "";
    if (verb == "failed") return f_.fs->failed() ? "yes" : "no";
    const std::string& first = rest.at(0);
    if (Change(verb, rest)) return "";
    if (verb == "show") return Shown(first);
    if (verb == "find") {
      const bool has =
          Text(first).find(versions_->db_id()) != std::string::npos;
      return has ? "has " + NameOf(versions_->db_id()) : "has it not";
    }
    if (verb == "changed") {
      return Text(first) == remembered_.at(first) ? "no" : "yes";
    }
    return Open(verb, first, rest.size() > 1);
  }

 private:
  void MakeVersions() {
    VersionSet::Context context;
    context.db_path = "/base";
    context.db = f_.db.get();
    context.mutex = &mutex_;
    versions_ = std::make_unique<VersionSet>(std::move(context));
  }
  bool IsThere(const std::string& path) const {
    return f_.fs->FileExists(path, IOOptions(), nullptr).ok();
  }
  // "": there is none.
  std::string Text(const std::string& path) {
    std::string text;
    return ReadFileToString(f_.fs.get(), path, &text).ok() ? text : "";
  }
  std::string Shown(const std::string& path) {
    if (!IsThere(path)) return "none";
    const std::string text = Text(path);
    return text == versions_->db_id() ? NameOf(text) : TextOfBytes(text);
  }
  // Those that a script has given stand for themselves.
  std::string NameOf(const std::string& id) {
    if (id.empty()) return "nothing";
    if (id.starts_with("from-")) return id;
    return "#" +
           std::to_string(ids_.emplace(id, ids_.size() + 1).first->second);
  }

  bool Change(const std::string& verb, const std::vector<std::string>& rest) {
    const std::string& first = rest.at(0);
    Status s;
    if (verb == "put") {
      const std::string bytes = rest.size() > 1 ? BytesOfText(rest[1]) : "";
      s = WriteStringToFile(f_.fs.get(), bytes, first);
    } else if (verb == "remove") {
      s = f_.fs->DeleteFile(first, IOOptions(), nullptr);
    } else if (verb == "set") {
      f_.db->create_if_missing = first == "create";
      f_.db->error_if_exists = first == "new";
    } else if (verb == "remember") {
      remembered_[first] = Text(first);
    } else if (verb == "id") {
      versions_->manifest()->set_db_id(first);
    } else if (verb == "fail") {
      Fault fault{.call = 1, .path_contains = rest.at(1)};
      if (first == "all") {
        fault.scope = FaultScope::kAllCalls;
      } else {
        fault.call = std::stoull(first);
      }
      f_.fs->FailCall(fault);
    } else {
      return false;
    }
    EXPECT_TRUE(s.ok()) << s.ToString();
    return true;
  }

  std::string Open(const std::string& name, const std::string& verb,
                   bool manifest_alone) {
    using Alone = HomeDirectory::ManifestAlone;
    std::unique_ptr<HomeDirectory>& home = homes_[name];
    if (home == nullptr) {
      home = std::make_unique<HomeDirectory>(
          HomeDirectory::Context{.db = f_.db.get(),
                                 .db_name = "/base",
                                 .wal_dir = "/logs",
                                 .file_options = FileOptions(),
                                 .mutex = &mutex_});
    }
    if (verb == "make") return home->MakeDirectories().ToString();
    if (verb == "open") {
      return home->Open(manifest_alone ? Alone::kEnough : Alone::kTooLittle)
          .ToString();
    }
    if (verb == "keep") {
      FileLock* lock = nullptr;
      const Status s =
          f_.fs->LockFile(LockFileName("/base"), IOOptions(), &lock, nullptr);
      home->Keep(lock);
      return s.ToString();
    }
    if (verb == "identity") {
      const Status s = home->EnsureIdentity(versions_.get());
      return s.ok() ? NameOf(versions_->db_id()) : s.ToString();
    }
    if (verb == "drop") return home->DropUnwantedIdentity().ToString();
    EXPECT_TRUE(verb == "lock" || verb == "close") << verb;
    const Status s = verb == "lock" ? home->Lock() : home->Close();
    if (s.ok()) {
      EXPECT_EQ(home->directory() != nullptr, verb == "lock");
    }
    return s.ToString();
  }

  TableFiles f_;
  Mutex mutex_;
  std::unique_ptr<VersionSet> versions_;
  std::map<std::string, std::unique_ptr<HomeDirectory>> homes_;
  std::map<std::string, std::string> remembered_;
  std::map<std::string, size_t> ids_;
};

std::string RunHomeCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "home");
  HomeScript script(command);
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    std::string answer = script.Step(ScriptWords(line));
    if (answer.empty()) continue;
    if (answer.back() == ' ') answer.pop_back();
    text += line.substr(0, line.find(" /")) + ": " + WithoutCallCount(answer) +
            "\n";
  }
  return text;
}

TEST(HomeDirectoryTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("opening/home.txt", RunHomeCase), 20u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
