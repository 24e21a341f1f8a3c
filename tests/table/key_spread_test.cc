// Are keys spread evenly, and where does a number lie among others?
//
// Runs tests/testdata/sst/key_spread.txt:
//
//   spread [KEY ..]        keys in order
//   > below THRESHOLD ..   is their spread below it?
//   bound [NUMBER ..]      numbers in order
//   > of NUMBER ..         how many of them are less
#include "table/key_spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

bool AreEven(const std::vector<std::string>& keys, double threshold) {
  return AreEvenlySpread(std::vector<Slice>(keys.begin(), keys.end()),
                         threshold);
}

TEST(InterpolatedLowerBound, FindsWhatHalvingFinds) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random64 random(seed);
    std::vector<uint64_t> numbers(random.Uniform(40));
    for (uint64_t& number : numbers) {
      switch (seed % 4) {
        case 0:
          number = random.Next();
          break;
        case 1:
          number = random.Uniform(20);
          break;
        case 2:
          number = random.OneIn(8) ? UINT64_MAX - random.Uniform(3)
                                   : random.Uniform(1000);
          break;
        default:
          number = uint64_t{1} << random.Uniform(64);
      }
    }
    std::sort(numbers.begin(), numbers.end());
    std::vector<uint64_t> wanted = numbers;
    for (const uint64_t number : numbers) {
      wanted.push_back(number + 1);
      wanted.push_back(number - 1);
    }
    wanted.insert(wanted.end(), {0, UINT64_MAX, random.Next()});
    for (const uint64_t one : wanted) {
      const auto expected =
          std::lower_bound(numbers.begin(), numbers.end(), one);
      ASSERT_EQ(InterpolatedLowerBound(numbers.data(), numbers.size(), one),
                static_cast<size_t>(expected - numbers.begin()))
          << "seed " << seed << " wanted " << one;
    }
  }
}

std::string SpreadAnswers(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "spread");
  std::vector<std::string> keys;
  for (const std::string& word : command.words()) {
    keys.push_back(BytesOfText(word));
  }
  const auto answer = [&keys](const ScriptWords& words) {
    EXPECT_EQ(words.verb(), "below");
    std::string text;
    for (const std::string& threshold : words.words()) {
      JoinItem(&text, AreEven(keys, std::stod(threshold)) ? "yes" : "no");
    }
    return text;
  };
  return AnswerEachLine(ScriptSteps(c.body).asked, answer);
}

std::string BoundAnswers(const ScriptCase& c) {
  const auto number = [](const std::string& word) {
    return word == "max" ? UINT64_MAX : std::stoull(word);
  };
  const ScriptWords command(c.command);
  std::vector<uint64_t> numbers;
  for (const std::string& word : command.words()) {
    numbers.push_back(number(word));
  }
  const auto answer = [&](const ScriptWords& words) {
    EXPECT_EQ(words.verb(), "of");
    std::string text;
    for (const std::string& word : words.words()) {
      JoinItem(&text, std::to_string(InterpolatedLowerBound(
                          numbers.data(), numbers.size(), number(word))));
    }
    return text;
  };
  return AnswerEachLine(ScriptSteps(c.body).asked, answer);
}

TEST(KeySpread, EveryCaseOfTheScript) {
  const size_t count = RunScript("sst/key_spread.txt", [](const ScriptCase& c) {
    return c.command.starts_with("bound") ? BoundAnswers(c) : SpreadAnswers(c);
  });
  EXPECT_GE(count, 22u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
