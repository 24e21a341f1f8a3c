// The expected state survives the death of the process, and knows which writes
// must, may or cannot be found after it.
#include "db_stress_tool/expected_state.h"

#include <gtest/gtest.h>

#include <map>

#include "db_stress_tool/keys.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

constexpr ExpectedState::Shape kShape{
    .family_count = 2, .key_count = 100, .is_loss_common = true};

class ExpectedStateTest : public ::testing::Test {
 protected:
  ExpectedStateTest() : directory_("stress") {}

  // Does what a process does that starts: judges what an earlier one left
  // against found_, and takes that for the truth if it is possible.
  std::unique_ptr<ExpectedState> Start(std::string* wrong) {
    auto state = std::make_unique<ExpectedState>(
        kShape, directory_.path() + "/expected");
    const Status loaded = state->Load();
    EXPECT_TRUE(loaded.ok()) << loaded.ToString();
    const auto found = [this](const KeyRef& key) -> std::optional<uint32_t> {
      const auto at = found_.find({key.family, key.number});
      if (at == found_.end()) return std::nullopt;
      return at->second;
    };
    *wrong = state->Judge(found);
    if (wrong->empty()) {
      const Status settled = state->Settle(found);
      EXPECT_TRUE(settled.ok()) << settled.ToString();
    }
    return state;
  }

  TempDir directory_;
  std::map<std::pair<size_t, uint64_t>, uint32_t> found_;
};

TEST_F(ExpectedStateTest, WhatIsDurableIsExpectedByTheNextProcess) {
  std::string wrong;
  auto state = Start(&wrong);
  ASSERT_EQ(wrong, "");
  ExpectedState::Write write(state.get());
  ASSERT_EQ(VersionOf(*write.Put({1, 7})), 1u);
  write.Acknowledge(Durability::kDurable);
  state.reset();
  state = Start(&wrong);
  EXPECT_NE(wrong.find("family 1, key 7"), std::string::npos) << wrong;
  found_[{1, 7}] = 1;
  state = Start(&wrong);
  EXPECT_EQ(wrong, "");
  Window window = state->OpenWindow({1, 7});
  state->CloseWindow({1, 7}, &window);
  EXPECT_TRUE(window.Admits(1));
  EXPECT_FALSE(window.Admits(std::nullopt));
}

TEST_F(ExpectedStateTest, ALostVersionIsNeverUsedAgain) {
  std::string wrong;
  auto state = Start(&wrong);
  ExpectedState::Write lost(state.get());
  ASSERT_TRUE(lost.Put({0, 3}).has_value());
  lost.Acknowledge(Durability::kBuffered);
  state = Start(&wrong);
  EXPECT_EQ(wrong, "");
  // Twice, so that it is known from the baseline alone.
  state = Start(&wrong);
  ExpectedState::Write next(state.get());
  EXPECT_EQ(VersionOf(*next.Put({0, 3})), 2u);
  next.Acknowledge(Durability::kDurable);
  // The lost one comes back: wrong.
  found_[{0, 3}] = 1;
  state = Start(&wrong);
  EXPECT_NE(wrong, "");
}

TEST_F(ExpectedStateTest, ASyncMakesAllBeforeItDurable) {
  std::string wrong;
  auto state = Start(&wrong);
  ExpectedState::Write before(state.get());
  before.Put({0, 1});
  before.Acknowledge(Durability::kBuffered);
  state->NoteDurable(state->Now());
  ExpectedState::Write after(state.get());
  after.Put({0, 2});
  after.Acknowledge(Durability::kBuffered);
  state = Start(&wrong);
  EXPECT_NE(wrong.find("key 1"), std::string::npos) << wrong;
  found_[{0, 1}] = 1;
  state = Start(&wrong);
  EXPECT_EQ(wrong, "");
}

// A database that was closed and could not save what it held, in one process.
TEST_F(ExpectedStateTest, ALossIsJudgedWhileTheProcessGoesOn) {
  std::string wrong;
  auto state = Start(&wrong);
  const auto found = [this](const KeyRef& key) -> std::optional<uint32_t> {
    const auto at = found_.find({key.family, key.number});
    if (at == found_.end()) return std::nullopt;
    return at->second;
  };
  ExpectedState::Write kept(state.get());
  kept.Put({0, 4});
  kept.Acknowledge(Durability::kDurable);
  ExpectedState::Write lost(state.get());
  lost.Put({0, 4});
  lost.Acknowledge(Durability::kBuffered);
  EXPECT_NE(state->Judge(found), "");
  found_[{0, 4}] = 1;
  EXPECT_EQ(state->Judge(found), "");
  const Status settled = state->Settle(found);
  ASSERT_TRUE(settled.ok()) << settled.ToString();
  Window window = state->OpenWindow({0, 4});
  state->CloseWindow({0, 4}, &window);
  EXPECT_TRUE(window.Admits(1));
  EXPECT_FALSE(window.Admits(2));
  // What was found is durable now.
  found_.clear();
  EXPECT_NE(state->Judge(found), "");
}

TEST_F(ExpectedStateTest, AReadSeesWhatWasThereWhileItRan) {
  std::string wrong;
  auto state = Start(&wrong);
  const KeyRef key{0, 9};
  Window window = state->OpenWindow(key);
  ExpectedState::Write write(state.get());
  write.Put(key);
  state->CloseWindow(key, &window);
  EXPECT_TRUE(window.Admits(std::nullopt));
  EXPECT_TRUE(window.Admits(1));
  EXPECT_FALSE(window.Admits(2));
  write.Acknowledge(Durability::kDurable);
  Window later = state->OpenWindow(key);
  state->CloseWindow(key, &later);
  EXPECT_FALSE(later.Admits(std::nullopt));
  EXPECT_TRUE(later.Admits(1));
}

TEST(KeyFormatTest, KeysAndValuesSayWhatTheyAre) {
  const KeyFormat format(3, 8);
  for (uint64_t number : {0u, 1u, 2u, 255u, 256u, 65535u, 1000000u}) {
    EXPECT_EQ(format.Number(format.Key(number)), number);
    EXPECT_LT(format.Key(number), format.Key(number + 1));
  }
  EXPECT_EQ(format.Number("short"), std::nullopt);
  EXPECT_EQ(format.Number(format.Key(2) + "x"), std::nullopt);
  const KeyRef key{1, 5};
  std::string value = format.Value(key, 12);
  EXPECT_EQ(format.Version(key, value), 12u);
  EXPECT_EQ(format.Version({1, 6}, value), std::nullopt);
  EXPECT_EQ(format.Version({2, 5}, value), std::nullopt);
  for (size_t at = 0; at < value.size(); ++at) {
    value[at] ^= 1;
    EXPECT_EQ(format.Version(key, value), std::nullopt) << at;
    value[at] ^= 1;
  }
}

// Files of the database were taken away: what was durable may be lost, but
// not from the middle.
TEST_F(ExpectedStateTest, APrefixIsAllThatIsAskedForAfterACut) {
  std::string wrong;
  auto state = Start(&wrong);
  ASSERT_EQ(wrong, "");
  for (uint64_t number : {1, 2}) {
    ExpectedState::Write write(state.get());
    ASSERT_TRUE(write.Put({0, number}).has_value());
    write.Acknowledge(Durability::kDurable);
  }
  const auto only = [](uint64_t there) {
    return [there](const KeyRef& key) -> std::optional<uint32_t> {
      if (key.family != 0 || key.number != there) return std::nullopt;
      return 1;
    };
  };
  EXPECT_NE(state->Judge(only(1)), "");
  EXPECT_EQ(state->Judge(only(1), Promise::kPrefix), "");
  const auto nothing = [](const KeyRef&) { return std::nullopt; };
  EXPECT_EQ(state->Judge(nothing, Promise::kPrefix), "");
  EXPECT_NE(state->Judge(only(2), Promise::kPrefix), "");
}

TEST_F(ExpectedStateTest, StampsAscendAcrossProcesses) {
  const ExpectedState::Shape shape{.family_count = 1,
                                   .key_count = 4,
                                   .is_loss_common = true,
                                   .has_stamps = true};
  const auto nothing = [](const KeyRef&) { return std::nullopt; };
  Stamp newest = 0;
  for (int process = 0; process < 2; ++process) {
    ExpectedState state(shape, directory_.path() + "/stamped");
    ASSERT_TRUE(state.Load().ok());
    ASSERT_TRUE(state.Settle(nothing).ok());
    ExpectedState::Write write(&state);
    ASSERT_TRUE(write.Put({0, 1}).has_value());
    EXPECT_GT(write.stamp(), newest);
    newest = write.stamp();
    EXPECT_EQ(state.newest_stamp(), newest);
    Window before = state.OpenWindow({0, 1}, newest - 1);
    Window now = state.OpenWindow({0, 1}, newest);
    write.Acknowledge(Durability::kBuffered);
    state.CloseWindow({0, 1}, &before, newest - 1);
    state.CloseWindow({0, 1}, &now, newest);
    const uint32_t version = static_cast<uint32_t>(process) + 1;
    EXPECT_FALSE(before.Admits(version));
    EXPECT_TRUE(before.Admits(std::nullopt));
    EXPECT_TRUE(now.Admits(version));
    EXPECT_TRUE(now.Admits(std::nullopt));
    now = state.OpenWindow({0, 1}, newest);
    state.CloseWindow({0, 1}, &now, newest);
    EXPECT_FALSE(now.Admits(std::nullopt));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
