// What FamilyChanges changes of families that are there, their options and how
// far back their history goes: runs option_scripts/family_changes.txt.
//
//   changes [db:OPTIONS] [family:OPTIONS]   a database that is open with these;
//       then the steps of option_steps.h and these:
//     set FAMILY NAME=VALUE.. [& FAMILY NAME=VALUE..]   what comes of it: what
//         readers of each family have otherwise than at first, and whether the
//         OPTIONS file says so
//     older FAMILY ENTRY    its memtable, which has this entry, is sealed and
//         waits for others
//     queued FAMILY         does it still wait?
//     lock | unlock         the log, by a user
//     stalls                whom listeners were told of, and how writers are
//     ages                  do jobs learn when sequences were given out?
//     history FAMILY TIME   its beginning is raised to that timestamp, or to
//         the text behind "=": what comes of it, and where it begins
//     manifest              has anything been written to it in the meantime?
//     errors                those that stop the database
//   An ENTRY is a key; "k^5" has the timestamp 5.

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/intake/family_changes.h"
#include "tests/db/intake/option_steps.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ToldStalls final : public EventListener {
 public:
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    told += info.cf_name + " ";
  }
  std::string told;
};

class FamilyChangesScript final : public OptionSteps {
 public:
  FamilyChangesScript() { world_.f.db_options.listeners.push_back(listener_); }

 private:
  void Begin() override {
    manifest_bytes_ = ManifestBytes();
    first_ = OptionsOf(Family("default"));
  }
  std::string Step(const std::string& verb,
                   const std::vector<std::string>& words) override {
    if (verb == "set") return Set(words);
    if (verb == "older") return SealOlder(words.at(0), words.at(1)), "";
    if (verb == "queued") return IsQueued(words.at(0)) ? "queued" : "it waits";
    if (verb == "lock") return world_.LockLog(), "";
    if (verb == "unlock") return world_.wal_lock.GiveBack().ToString();
    if (verb == "stalls") return Stalls();
    if (verb == "ages") return world_.KnowsAges() ? "yes" : "no";
    if (verb == "history") return Raise(words.at(0), words.at(1));
    if (verb == "errors") return Errors();
    if (verb == "manifest") {
      const uint64_t before = std::exchange(manifest_bytes_, ManifestBytes());
      return manifest_bytes_ == before ? "nothing" : "more";
    }
    return OptionSteps::Step(verb, words);
  }

  // Those that reads go by, which are those of jobs.
  static ColumnFamilyOptions OptionsOf(ColumnFamilyData* cfd) {
    SuperVersion* const state = cfd->AcquireReferenced();
    const ColumnFamilyOptions read =
        BuildColumnFamilyOptions(cfd->ioptions(), *state->options);
    ColumnFamilyData::Release(state);
    EXPECT_EQ(OptionDifference(read, BuildColumnFamilyOptions(cfd->ioptions(),
                                                              *cfd->options())),
              "-");
    return read;
  }
  std::string Set(const std::vector<std::string>& words) {
    std::map<std::string, Values> values;
    for (size_t at = 0; at < words.size(); ++at) {
      Values* const own = &values[words[at]];
      std::vector<std::string> pairs;
      while (++at < words.size() && words[at] != "&")
        pairs.push_back(words[at]);
      *own = ValuesOf(pairs);
    }
    std::vector<FamilyChanges::Inputs> changes;
    for (const auto& [name, own] : values) {
      changes.push_back({Family(name), &own});
    }
    const Status s = world_.family_changes->SetOptions(changes);
    std::string answer = s.ToString();
    for (const auto& [name, own] : values) {
      answer +=
          "; " + name + ": " +
          (IsGone(name) ? "gone"
                        : OptionDifference(first_, OptionsOf(Family(name))));
    }
    return answer + "; " + File();
  }

  bool IsGone(const std::string& name) { return Family(name)->is_dropped(); }

  // "k^5" with the timestamp, which is little-endian.
  static std::string KeyOf(const std::string& text) {
    const size_t hat = text.find('^');
    std::string key = text.substr(0, hat);
    if (hat != std::string::npos) {
      PutFixed64(&key, std::stoull(text.substr(hat + 1)));
    }
    return key;
  }
  void SealOlder(const std::string& name, const std::string& entry) {
    ColumnFamilyData* const cfd = Family(name);
    world_.Insert(cfd, KeyOf(entry));
    MutexLock lock(world_.mutex);
    const Status s = world_.memtables->SealOlder({cfd});
    EXPECT_TRUE(s.ok()) << s.ToString();
    world_.flushes->Queue(cfd, FlushReason::kWriteBufferFull);
  }
  bool IsQueued(const std::string& name) {
    MutexLock lock(world_.mutex);
    return Family(name)->schedule.queued_for_flush;
  }

  std::string Stalls() {
    const WriteStallCondition now = world_.controller.condition();
    const std::string told = std::exchange(listener_->told, "");
    return (told.empty() ? "nobody " : told) + "| " +
           (now == WriteStallCondition::kNormal    ? "as usual"
            : now == WriteStallCondition::kDelayed ? "delayed"
                                                   : "stopped");
  }
  std::string Raise(const std::string& name, const std::string& time) {
    std::string low;
    if (time.front() == '=') {
      low = time.substr(1);
    } else {
      PutFixed64(&low, std::stoull(time));
    }
    ColumnFamilyData* const cfd = Family(name);
    const Status s = world_.family_changes->RaiseHistory(cfd, low);
    if (IsGone(name)) return s.ToString() + "; gone";
    SuperVersion* const state = cfd->AcquireReferenced();
    const std::string now = state->full_history_ts_low;
    ColumnFamilyData::Release(state);
    return s.ToString() + "; from " +
           (now.empty() ? "its beginning"
                        : std::to_string(DecodeFixed64(now.data())));
  }
  uint64_t ManifestBytes() const {
    return world_.versions()->manifest()->size_bytes();
  }
  std::string Errors() const {
    std::string text;
    for (const IntakeWorld::Told& told : world_.told) {
      text += (text.empty() ? "" : ", ") +
              std::string(told.reason == BackgroundErrorReason::kManifestWrite
                              ? "of the manifest"
                              : "another");
    }
    return text.empty() ? "none" : text;
  }

  const std::shared_ptr<ToldStalls> listener_ = std::make_shared<ToldStalls>();
  ColumnFamilyOptions first_;
  uint64_t manifest_bytes_ = 0;
};

TEST(FamilyOptionsTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    EXPECT_TRUE(c.command.starts_with("changes")) << c.command;
    return FamilyChangesScript().Run(c);
  };
  EXPECT_GE(RunScript("option_scripts/family_changes.txt", run), 19u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
