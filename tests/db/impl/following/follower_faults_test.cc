// A follower whose calls fail: opening it and catching up say so or are right,
// show no half of anything, and leave the leader's files alone.
#include <algorithm>
#include <set>

#include "tests/db/impl/following/instance_fault_loop.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool IsDataFile(const std::string& name) {
  return name.ends_with(".sst") || name.ends_with(".blob");
}

class FollowerFaultLoop : public InstanceFaultLoop {
 protected:
  FollowerFaultLoop() {
    options_.follower_refresh_catchup_period_ms = 0;
    options_.follower_catchup_retry_count = 2;
    options_.follower_catchup_retry_wait_ms = 0;
  }

  Status OpenInstance(const Options& own) override {
    return instance_.OpenFollower(own, own_, path_);
  }
  // What is flushed goes on, in one family after the other.
  void Advance() override {
    const auto note = [this] {
      states_.push_back(FollowingInstance::AllOf(db_.get(), handles_));
    };
    states_.clear();
    note();
    const std::string value = std::to_string(++round_);
    ASSERT_OK(PutIn(0, "a", value));
    ASSERT_OK(db_->Delete(WriteOptions(), handles_[0], "c" + value));
    note();
    ASSERT_OK(PutIn(1, "b", std::string(60, 'b') + value));
    note();
    for (ColumnFamilyHandle* family : handles_) {
      ASSERT_OK(db_->Flush(FlushOptions(), family));
      if (round_ % 3 == 0) {
        ASSERT_OK(
            db_->CompactRange(CompactRangeOptions(), family, nullptr, nullptr));
      }
    }
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    leaders_ = NamesIn(path_);
  }
  const std::string& Before() const override { return states_.front(); }
  const std::string& Newest() const override { return states_.back(); }
  bool IsBetween(const std::string& text) const override {
    return std::count(states_.begin(), states_.end(), text) > 0;
  }
  void CheckFilesOfOpen() override {
    ASSERT_EQ(NamesIn(path_), leaders_);
    ASSERT_EQ(Links(), static_cast<size_t>(std::count_if(
                           leaders_.begin(), leaders_.end(), &IsDataFile)));
  }
  void CheckFilesOfClosed() override {
    ASSERT_EQ(NamesIn(path_), leaders_);
    ASSERT_EQ(Links(), 0u);
  }

 private:
  std::set<std::string> NamesIn(const std::string& path) {
    std::vector<std::string> names;
    EXPECT_OK(options_.env->GetChildren(path, &names));
    return {names.begin(), names.end()};
  }
  size_t Links() {
    size_t count = 0;
    for (const std::string& name : NamesIn(own_)) {
      count += IsDataFile(name) || name.ends_with(".dbtmp");
    }
    return count;
  }

  const std::string own_ = "/follower";
  std::vector<std::string> states_;
  std::set<std::string> leaders_;
  int round_ = 0;
};

TEST_P(FollowerFaultLoop, EveryCallOfAnOpenFailsOnce) {
  FailEveryCallOfAnOpen();
}

TEST_P(FollowerFaultLoop, EveryCallOfACatchUpFailsOnce) {
  FailEveryCallOfACatchUp();
}

INSTANTIATE_TEST_SUITE_P(Kinds, FollowerFaultLoop, kInstanceFaults,
                         NameOfInstanceFault);

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
