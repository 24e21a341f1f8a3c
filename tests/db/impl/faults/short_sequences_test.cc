// Every short sequence of operations, each ended by the loss of the device at
// some call and a crash: what is there is a prefix that holds all that was
// acknowledged as durable. Long random runs find what many operations do
// together; this finds what two or three do in an order that nobody thought of.
#include <gtest/gtest.h>

#include <string>

#include "tests/db/impl/fault_world.h"
#include "tests/testing/scale.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct NamedStep {
  const char* name;
  Status (*run)(FaultWorld* world);
};

Status WriteTo(FaultWorld* world, const char* family, bool sync) {
  if (world->Handle(family) == nullptr) return Status::OK();
  return world->Write(family, sync);
}

Status DropB(FaultWorld* world) {
  ColumnFamilyHandle* handle = world->Handle("b");
  if (handle == nullptr) return Status::OK();
  // Even if this fails, the family may be gone.
  world->history_.Forget("b");
  Status s = world->db_->DropColumnFamily(handle);
  IgnoreError(world->db_->DestroyColumnFamilyHandle(handle),
              "a handle of this database is always given back");
  std::erase(world->handles_, handle);
  return s;
}

const NamedStep kSteps[] = {
    {"write", [](FaultWorld* w) { return WriteTo(w, "default", false); }},
    {"write, synced",
     [](FaultWorld* w) { return WriteTo(w, "default", true); }},
    {"write b", [](FaultWorld* w) { return WriteTo(w, "b", false); }},
    {"write b, synced", [](FaultWorld* w) { return WriteTo(w, "b", true); }},
    {"sync the log",
     [](FaultWorld* w) {
       Status s = w->db_->SyncWAL();
       if (s.ok()) w->history_.NoteAllDurable();
       return s;
     }},
    {"flush",
     [](FaultWorld* w) {
       return w->db_->Flush(FlushOptions(), w->Handle("default"));
     }},
    {"flush all", [](FaultWorld* w) { return w->FlushAll(); }},
    {"compact",
     [](FaultWorld* w) { return w->CompactAll(w->Handle("default")); }},
    {"create b",
     [](FaultWorld* w) {
       return w->Handle("b") == nullptr ? w->CreateFamily("b") : Status::OK();
     }},
    {"drop b", &DropB},
    {"set options",
     [](FaultWorld* w) {
       return w->db_->SetOptions({{"max_write_buffer_number", "3"}});
     }},
    {"reopen",
     [](FaultWorld* w) {
       Status s = w->Close();
       return s.ok() ? w->Open() : s;
     }},
};
constexpr uint64_t kStepCount = std::size(kSteps);
constexpr uint64_t kSequences = kStepCount * kStepCount * kStepCount;
static_assert(kSequences == 1728);

std::string NameOf(uint64_t sequence) {
  std::string name;
  for (int i = 0; i < 3; ++i, sequence /= kStepCount) {
    name +=
        (i == 0 ? "" : ", ") + std::string(kSteps[sequence % kStepCount].name);
  }
  return name;
}

// Runs the sequence until the device is lost at call `k` (0: never), crashes
// and checks. *calls: how many calls there were.
std::string RunOnce(uint64_t sequence, uint64_t k, int survival_percent,
                    uint64_t* calls) {
  FaultWorld world(sequence + k, sequence % 2 == 1, 300);
  Status s = world.Open();
  if (s.ok()) s = world.CreateFamily("b");
  if (s.ok()) s = WriteTo(&world, "default", true);
  if (s.ok()) s = WriteTo(&world, "b", false);
  if (!s.ok()) return "before the sequence: " + s.ToString();
  world.fs_->FailCall({.call = k, .is_permanent = true});
  uint64_t rest = sequence;
  for (int i = 0; i < 3 && world.db_ != nullptr; ++i, rest /= kStepCount) {
    s = kSteps[rest % kStepCount].run(&world);
    if (!s.ok() && !world.fs_->failed()) {
      return std::string(kSteps[rest % kStepCount].name) + ": " + s.ToString();
    }
  }
  *calls = world.fs_->call_count(FaultScope::kMutatingCalls);
  const std::string where = ", lost at " + world.fs_->failed_call();
  IgnoreError(world.Close(), "a crash follows");
  s = world.fs_->CrashAndHeal({.survival_percent = survival_percent});
  if (s.ok()) s = world.Open();
  if (!s.ok()) return "after the crash: " + s.ToString() + where;
  const std::string wrong = world.Check(false);
  return wrong.empty() ? "" : wrong + where;
}

// In parts, which run side by side.
constexpr uint64_t kSequenceParts = 4;

class ShortSequences : public ::testing::TestWithParam<uint64_t> {};

TEST_P(ShortSequences, EndAsAPrefix) {
  // 500 of them (or a share), or all with every call, as the scale says.
  const bool is_soak = TestScale() > 1;
  const uint64_t count = 500 / kSequenceParts / TestShare();
  Random64 random(GetParam() + 1);
  int failures = 0;
  uint64_t run_count = 0;
  for (uint64_t sequence = GetParam(); sequence < kSequences && failures < 5;
       sequence += kSequenceParts) {
    if (!is_soak && sequence * count / kSequences ==
                        (sequence + kSequenceParts) * count / kSequences) {
      continue;
    }
    uint64_t calls = 0;
    std::string wrong = RunOnce(sequence, 0, 0, &calls);
    const uint64_t step = is_soak ? 1 : 1 + calls / 4;
    for (uint64_t k = 1 + random.Uniform(step); k <= calls && wrong.empty();
         k += step) {
      uint64_t ignored = 0;
      wrong = RunOnce(sequence, k, k % 2 == 0 ? 0 : 50, &ignored);
      ++run_count;
    }
    EXPECT_EQ(wrong, "") << "sequence " << sequence << ": " << NameOf(sequence);
    if (!wrong.empty()) ++failures;
  }
  EXPECT_GT(run_count, 100u / TestShare());
}

INSTANTIATE_TEST_SUITE_P(Parts, ShortSequences,
                         ::testing::Range<uint64_t>(0, kSequenceParts));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
