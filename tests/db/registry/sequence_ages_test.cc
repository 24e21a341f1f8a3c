// How old entries are by their sequences. The cases of
// tests/testdata/families/ages.txt are "ages", and a step a line:
//
//   family NAME keeps:SECONDS excludes:SECONDS   preserve_internal_time_seconds
//                     and preclude_last_level_data_seconds; drop NAME
//   sequence N        was written last
//   wait SECONDS
//   tell              what a job is to know: the age that it keeps
//   zeroed NAME       up to which sequence its entries may lose theirs
//   limits NAME       the same, and up to which they may go to the last level
#include "db/registry/sequence_ages.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "db/compaction/compaction_picker.h"
#include "db/manifest/version_set.h"
#include "db/outputs/job_context.h"
#include "tests/db/registry/family_world.h"
#include "tests/testing/mock_clock.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class AgesScript {
 public:
  AgesScript() {
    world_.f.db->clock = &clock_;
    VersionSet::Context context;
    context.db_path = "/db";
    context.db = world_.f.db.get();
    context.families = world_.context;
    context.mutex = &world_.mutex;
    versions_ = std::make_unique<VersionSet>(std::move(context));
    ages_ = std::make_unique<SequenceAges>(world_.f.db.get(), &world_.mutex,
                                           &world_.families, versions_.get());
  }

  // "": the step has no answer.
  std::string Step(const ScriptWords& words) {
    if (words.verb() == "tell") return Told();
    const std::string& first = words.Word(0);
    if (words.verb() == "family") {
      Add(first, words);
    } else if (words.verb() == "drop") {
      Drop(first);
    } else if (words.verb() == "sequence") {
      versions_->SetLastSequence(std::stoull(first));
    } else if (words.verb() == "wait") {
      clock_.SleepForMicroseconds(std::stoi(first) * 1'000'000);
    } else {
      return Limits(words.verb(), *families_.at(first));
    }
    return "";
  }

 private:
  void Add(const std::string& name, const ScriptWords& words) {
    ColumnFamilyOptions& options = world_.f.family;
    options.preserve_internal_time_seconds = words.Number("keeps", 0);
    options.preclude_last_level_data_seconds = words.Number("excludes", 0);
    families_[name] = world_.Add(next_id_++, name);
    MutexLock lock(&world_.mutex);
    ages_->Set();
  }
  void Drop(const std::string& name) {
    MutexLock lock(&world_.mutex);
    world_.families.Remove(families_.at(name)->cfd->id());
    families_.erase(name);
    ages_->Set();
  }
  std::string Told() {
    JobContext job;
    {
      MutexLock lock(&world_.mutex);
      ages_->Tell(&job);
    }
    if (job.sequence_times == nullptr) return "nothing is kept";
    const uint64_t now = clock_.NowMicros() / 1'000'000;
    return "old before " + std::to_string(now - job.old_by_seconds) +
           " seconds ago";
  }
  std::string Limits(const std::string& verb, const FamilyEntry& family) {
    MutexLock lock(&world_.mutex);
    const AgeLimits limits =
        ages_->LimitsOf(*family.cfd, *family.cfd->options());
    const std::string zeroed = "zeroed up to " + TextOfLimit(limits.zeroed);
    if (verb == "zeroed") return zeroed;
    EXPECT_EQ(verb, "limits");
    return zeroed + ", last level up to " + TextOfLimit(limits.last_level);
  }
  static std::string TextOfLimit(SequenceNumber limit) {
    return limit == kMaxSequenceNumber ? "any" : std::to_string(limit);
  }

  FamilyWorld world_;
  MockClock clock_;
  std::unique_ptr<VersionSet> versions_;
  std::unique_ptr<SequenceAges> ages_;
  std::map<std::string, FamilyRef> families_;
  uint32_t next_id_ = 0;
};

std::string RunAges(const ScriptCase& c) {
  EXPECT_EQ(c.command, "ages");
  AgesScript script;
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string answer = script.Step(ScriptWords(line));
    if (!answer.empty()) text += line + ": " + answer + "\n";
  }
  return text;
}

TEST(SequenceAgesTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("families/ages.txt", RunAges), 8u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
