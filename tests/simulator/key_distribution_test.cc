// How many different keys are among those that are written. Runs
// tests/testdata/simulator/keys.txt:
//
//   kind NAME             is there such a distribution?
//   distinct NAME         of 20000 keys; theta:N.N of a Zipfian distribution
//   DRAWS                 how many different keys are among so many, in
//                         thousands of all keys
//
// Each number is held against what the keys come to one by one, too.
#include "tools/compaction_simulator/key_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>

#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Kind = KeyDistribution::Kind;
constexpr uint64_t kEntryBytes = 100;
constexpr uint64_t kKeys = 20'000;
constexpr uint64_t kSpace = kKeys * kEntryBytes;

KeyDistribution::Shape ShapeOf(Kind kind, double theta = 0.99) {
  return {kind, theta, kEntryBytes};
}

// Without spans of ranks: one by one.
double ExpectedKeys(const KeyDistribution::Shape& shape, double draws) {
  if (shape.kind == Kind::kSequential) {
    return std::min(draws, static_cast<double>(kKeys));
  }
  const double theta = shape.kind == Kind::kZipfian ? shape.theta : 0;
  double all = 0;
  for (uint64_t r = 1; r <= kKeys; ++r) {
    all += std::pow(static_cast<double>(r), -theta);
  }
  double expected = 0;
  for (uint64_t r = 1; r <= kKeys; ++r) {
    const double chance = std::pow(static_cast<double>(r), -theta) / all;
    expected += 1 - std::exp(-draws * chance);
  }
  return expected;
}

std::string DistinctKeys(const ScriptWords& command, const std::string& body) {
  Kind kind = Kind::kUniform;
  const Status s = KeyDistribution::KindOf(command.Word(0), &kind);
  EXPECT_TRUE(s.ok()) << s.ToString();
  const KeyDistribution::Shape shape =
      ShapeOf(kind, std::stod(command.Text("theta", "0.99")));
  const KeyDistribution keys(shape, kSpace);
  std::istringstream numbers(body);
  std::string text;
  for (double draws = 0; numbers >> draws;) {
    const double distinct = keys.DistinctBytes(draws * kEntryBytes);
    const double expected = ExpectedKeys(shape, draws) * kEntryBytes;
    EXPECT_NEAR(distinct, expected, expected / 700) << draws;
    char line[64];
    std::snprintf(line, sizeof(line), "%.0f: %.0f\n", draws,
                  distinct * 1000 / kSpace);
    text += line;
  }
  return text;
}

TEST(KeyDistribution, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    const ScriptWords command(c.command);
    if (command.verb() == "distinct") return DistinctKeys(command, c.body);
    EXPECT_EQ(command.verb(), "kind");
    const std::string name =
        command.words().empty() ? "" : command.words().front();
    Kind kind = Kind::kSequential;
    const Status s = KeyDistribution::KindOf(name, &kind);
    return s.ok() ? std::to_string(static_cast<int>(kind)) : s.ToString();
  };
  EXPECT_GE(RunScript("simulator/keys.txt", run), 13u) << "cases went missing";
}

// More is written, more keys are different, but never more than there are.
TEST(KeyDistribution, GrowsUpToTheKeySpace) {
  for (const Kind kind : {Kind::kUniform, Kind::kZipfian, Kind::kSequential}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const KeyDistribution keys(ShapeOf(kind), kSpace);
    EXPECT_EQ(keys.DistinctBytes(0), 0);
    double before = 0;
    for (double written = kEntryBytes; written < 64.0 * kSpace; written *= 2) {
      const double distinct = keys.DistinctBytes(written);
      EXPECT_GE(distinct, before);
      EXPECT_LE(distinct, written * 1.0001);
      EXPECT_LE(distinct, static_cast<double>(kSpace));
      before = distinct;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
