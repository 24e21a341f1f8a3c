// A secondary instance whose reads of its primary's files fail: opening it and
// catching up say so or are right.
#include <algorithm>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/following/instance_fault_loop.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What a primary with merges does, and what its families go through.
class PrimaryStates {
 public:
  // From front() to back().
  void Advance(DB* db, const std::vector<ColumnFamilyHandle*>& handles) {
    states_ = {FollowingInstance::AllOf(db, handles)};
    const std::string value = std::to_string(++round_);
    const WriteOptions write;
    const auto note = [&](const Status& s) {
      ASSERT_OK(s);
      states_.push_back(FollowingInstance::AllOf(db, handles));
    };
    ASSERT_NO_FATAL_FAILURE(note(db->Put(write, handles[0], "a", value)));
    ASSERT_NO_FATAL_FAILURE(
        note(db->Put(write, handles[1], "b", std::string(60, 'b') + value)));
    ASSERT_OK(db->Flush(FlushOptions(), handles));
    if (round_ % 3 == 0) {
      for (ColumnFamilyHandle* family : handles) {
        ASSERT_OK(
            db->CompactRange(CompactRangeOptions(), family, nullptr, nullptr));
      }
    }
    ASSERT_NO_FATAL_FAILURE(note(db->Put(write, handles[1], "c", value)));
    ASSERT_NO_FATAL_FAILURE(note(db->Merge(write, handles[0], "d", value)));
    ASSERT_NO_FATAL_FAILURE(note(db->Delete(write, "e" + value)));
    if (round_ % 10 == 0) {
      ASSERT_NO_FATAL_FAILURE(note(db->Delete(write, "d")));
    }
  }
  bool Has(const std::string& text) const {
    return std::count(states_.begin(), states_.end(), text) > 0;
  }
  const std::string& front() const { return states_.front(); }
  const std::string& back() const { return states_.back(); }

 private:
  std::vector<std::string> states_;
  int round_ = 0;
};

class SecondaryFaultLoop : public InstanceFaultLoop {
 protected:
  SecondaryFaultLoop() {
    options_.merge_operator = NewStringAppendOperator(",");
  }
  Status OpenInstance(const Options& own) override {
    Options all_open = own;
    all_open.max_open_files = -1;
    return instance_.OpenSecondary(all_open, path_);
  }
  void Advance() override { states_.Advance(db_.get(), handles_); }
  const std::string& Before() const override { return states_.front(); }
  const std::string& Newest() const override { return states_.back(); }
  bool IsBetween(const std::string& text) const override {
    return states_.Has(text);
  }

  PrimaryStates states_;
};

TEST_P(SecondaryFaultLoop, EveryCallOfAnOpenFailsOnce) {
  FailEveryCallOfAnOpen();
}

TEST_P(SecondaryFaultLoop, EveryCallOfACatchUpFailsOnce) {
  FailEveryCallOfACatchUp();
}

INSTANTIATE_TEST_SUITE_P(Kinds, SecondaryFaultLoop, kInstanceFaults,
                         NameOfInstanceFault);

class SecondaryFaults : public FamiliesFixture {
 protected:
  SecondaryFaults() {
    options_.merge_operator = NewStringAppendOperator(",");
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.enable_blob_files = true;
    options_.min_blob_size = 50;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    options_.max_open_files = -1;
  }
  void Advance() { states_.Advance(db_.get(), handles_); }

  PrimaryStates states_;
};

// What is wrong with the primary's files is said, or is no part of what is
// read; when they are mended, all is right.
TEST_F(SecondaryFaults, DamageIsSaidAndOutlived) {
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  ASSERT_NO_FATAL_FAILURE(Advance());
  FollowingInstance old, fresh;
  ASSERT_OK(old.OpenSecondary(options_, path_));
  const std::string before = old.All();
  ASSERT_NO_FATAL_FAILURE(Advance());
  CloseFamilies();
  int errors = 0;
  for (const FileType type :
       {kCurrentFile, kDescriptorFile, kWalFile, kTableFile, kBlobFile}) {
    for (const std::string& path : FilesOf(path_, type)) {
      const std::string bytes = ReadBytes(path);
      const auto size = static_cast<int64_t>(bytes.size());
      if (size < 2) continue;
      for (const int64_t at : {int64_t{-1}, -size / 2, int64_t{1}}) {
        SCOPED_TRACE(path + " at " + std::to_string(at));
        WriteBytes(path, Damaged(bytes, {Harm::kFlip, at}));
        Status s = fresh.OpenSecondary(options_, path_);
        if (s.ok()) {
          const std::string all = fresh.All();
          // Damage in a table's data block shows only when that is read.
          EXPECT_TRUE(states_.Has(all) || all.starts_with("Corruption")) << all;
          if (all.starts_with("Corruption")) ++errors;
        } else {
          ++errors;
          EXPECT_FALSE(fresh.is_open());
        }
        s = old.db()->TryCatchUpWithPrimary();
        const std::string all = old.All();
        EXPECT_TRUE(all == before || states_.Has(all) ||
                    all.starts_with("Corruption"))
            << all;
        WriteBytes(path, bytes);
        ASSERT_OK(fresh.OpenSecondary(options_, path_));
        EXPECT_EQ(fresh.All(), states_.back());
      }
    }
  }
  EXPECT_GT(errors, 5);
  ASSERT_OK(old.db()->TryCatchUpWithPrimary());
  EXPECT_EQ(old.All(), states_.back());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
