// Filters of table files: which policy a text names, which kind a file gets,
// the bytes, and what they match.
//
// Runs tests/testdata/sst/filter_policies.txt:
//
//   policy TEXT            its id, or what is wrong with it; unknown names are
//   strict TEXT            skipped, or are an error
//   filter of:POLICY [version:N] [fits] [style:STYLE] [for:REASON] [level:N]
//                          of a file: of which format, whether it is to fit the
//                          blocks of memory, why and where it is written
//   KEY .., KEY/PREFIX ..  the keys; many:COUNT are so many others
//   stored BYTES           a filter of these
//   > kind, bytes, entries
//   > may KEY ..           can each be there?
#include "rocksdb/filter_policy.h"

#include <gtest/gtest.h>

#include <climits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "table/filter/filter_bits.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string KeyOf(uint64_t n) {
  std::string key = "key";
  PutFixed64(&key, n);
  return key;
}

struct Built {
  std::unique_ptr<char[]> buffer;
  Slice payload;
};

Built Build(double bits, uint32_t version, const std::vector<std::string>& keys,
            bool fits = false) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(bits));
  BlockBasedTableOptions options;
  options.format_version = version;
  options.optimize_filters_for_memory = fits;
  const std::unique_ptr<FilterBitsBuilder> builder(
      policy->GetBuilderWithContext(FilterBuildingContext(options)));
  EXPECT_NE(builder, nullptr);
  for (const std::string& key : keys) builder->AddKey(key);
  Built built;
  built.payload = builder->Finish(&built.buffer);
  return built;
}

class BloomKinds : public ::testing::TestWithParam<uint32_t> {};

TEST_P(BloomKinds, NoFalseNegativesAndFewFalsePositives) {
  for (const size_t count : {1u, 10u, 1000u, 20000u}) {
    std::vector<std::string> keys;
    for (size_t i = 0; i < count; ++i) keys.push_back(KeyOf(i));
    for (const bool fits : {false, true}) {
      const Built built = Build(10, GetParam(), keys, fits);
      const auto reader = NewBuiltinFilterBitsReader(built.payload);
      for (const std::string& key : keys) ASSERT_TRUE(reader->MayMatch(key));
      size_t false_positives = 0;
      for (size_t i = 0; i < 20000; ++i) {
        false_positives += reader->MayMatch(KeyOf(1000000 + i)) ? 1 : 0;
      }
      EXPECT_LT(false_positives, 500u) << count;  // 2.5 %
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, BloomKinds, ::testing::Values(4, 5, 7));

std::unique_ptr<FilterBitsBuilder> RibbonBuilder(
    double bits, const BlockBasedTableOptions& options) {
  const std::unique_ptr<const FilterPolicy> policy(
      NewRibbonFilterPolicy(bits, -1));
  return std::unique_ptr<FilterBitsBuilder>(
      policy->GetBuilderWithContext(FilterBuildingContext(options)));
}

TEST(Ribbon, NoFalseNegativesFewFalsePositivesAndSmaller) {
  for (const double bits : {1.0, 3.3, 10.0, 25.0, 60.0}) {
    for (const size_t count : {1u, 10u, 1000u, 3000u, 30000u}) {
      SCOPED_TRACE(std::to_string(bits) + " " + std::to_string(count));
      std::vector<std::string> keys;
      for (size_t i = 0; i < count; ++i) keys.push_back(KeyOf(i));
      for (const bool fits : {false, true}) {
        BlockBasedTableOptions options;
        options.optimize_filters_for_memory = fits;
        const auto builder = RibbonBuilder(bits, options);
        for (const std::string& key : keys) builder->AddKey(key);
        std::unique_ptr<char[]> buffer;
        const Slice payload = builder->Finish(&buffer);
        EXPECT_TRUE(builder->MatchesAll(payload));
        const auto reader = NewBuiltinFilterBitsReader(payload);
        for (const std::string& key : keys) ASSERT_TRUE(reader->MayMatch(key));
        if (bits == 10.0 && count >= 1000) {
          EXPECT_EQ(payload[payload.size() - 5], '\xfe');
          if (!fits) {
            EXPECT_LT(payload.size() * 8, count * 8);
          }
          size_t wrong = 0;
          for (size_t i = 0; i < 20000; ++i) {
            wrong += reader->MayMatch(KeyOf(1000000 + i)) ? 1 : 0;
          }
          EXPECT_LT(wrong, 400u);
        }
      }
    }
  }
}

// Bits that turn where they should not are noticed.
TEST(FilterBuilder, DamageIsNoticed) {
  BlockBasedTableOptions options;
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  BlockBasedTableOptions legacy;
  legacy.format_version = 4;
  std::vector<std::unique_ptr<FilterBitsBuilder>> builders;
  builders.push_back(RibbonBuilder(10, options));
  builders.emplace_back(
      bloom->GetBuilderWithContext(FilterBuildingContext(options)));
  builders.emplace_back(
      bloom->GetBuilderWithContext(FilterBuildingContext(legacy)));
  for (const auto& builder : builders) {
    std::unique_ptr<char[]> buffer;
    for (uint64_t i = 0; i < 3000; ++i) builder->AddKey(KeyOf(i));
    const Slice payload = builder->Finish(&buffer);
    EXPECT_TRUE(builder->MatchesAll(payload));
    for (size_t i = 0; i < 256; ++i) buffer[i] = 0;
    EXPECT_FALSE(builder->MatchesAll(payload));
  }
}

TEST(FilterBuilder, CapacityFitsTheSize) {
  BlockBasedTableOptions options;
  options.optimize_filters_for_memory = false;
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  for (const size_t bytes : {1u, 64u, 116u, 500u, 4000u, 100000u}) {
    for (const bool is_ribbon : {false, true}) {
      std::unique_ptr<FilterBitsBuilder> builder =
          is_ribbon
              ? RibbonBuilder(10, options)
              : std::unique_ptr<FilterBitsBuilder>(bloom->GetBuilderWithContext(
                    FilterBuildingContext(options)));
      const size_t capacity = builder->CapacityOf(bytes);
      ASSERT_GE(capacity, 1u);
      for (size_t i = 0; i < capacity; ++i) builder->AddKey(KeyOf(i));
      std::unique_ptr<char[]> buffer;
      const size_t size = builder->Finish(&buffer).size();
      EXPECT_LE(size, std::max<size_t>(bytes + bytes / 10, 69)) << capacity;
      if (bytes > 500) {
        EXPECT_GE(size, bytes / 2);
      }
    }
  }
}

TEST(FilterReader, ArbitraryBytesAnswerSomething) {
  Random64 random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = random.RandomBytes(random.Uniform(200));
    if (bytes.size() > 5) {
      // Often one of the known kinds.
      const char kinds[] = {'\xff', '\xfe', 6, 0, '\x80'};
      bytes[bytes.size() - 5] = kinds[random.Uniform(sizeof(kinds))];
      if (random.OneIn(2)) {
        for (size_t k = 1; k <= 4; ++k) {
          bytes[bytes.size() - k] = static_cast<char>(random.Uniform(4));
        }
      }
    }
    const auto copy = std::make_unique<char[]>(bytes.size());
    memcpy(copy.get(), bytes.data(), bytes.size());
    const auto reader =
        NewBuiltinFilterBitsReader(Slice(copy.get(), bytes.size()));
    ASSERT_NE(reader, nullptr);
    for (uint64_t k = 0; k < 20; ++k) {
      const bool may_match = reader->MayMatch(KeyOf(k));
      if (bytes.size() <= 5) {
        EXPECT_FALSE(may_match);
      }
    }
  }
}

class FilterPolicyScript {
 public:
  explicit FilterPolicyScript(const ScriptCase& c)
      : command_(c.command), steps_(c.body) {}

  std::string Answers() {
    if (command_.verb() == "stored") {
      payload_ =
          command_.words().empty() ? "" : BytesOfText(command_.words()[0]);
    } else {
      EXPECT_EQ(command_.verb(), "filter");
      if (!Make()) return "no filter";
    }
    const auto reader = NewBuiltinFilterBitsReader(payload_);
    return AnswerEachLine(steps_.asked, [&](const ScriptWords& words) {
      if (words.verb() == "kind") {
        return Kind() + (reader->IsUsable() ? "" : ", of no use");
      }
      if (words.verb() == "bytes") return TextOfBytes(payload_);
      if (words.verb() == "entries") return std::to_string(entries_);
      EXPECT_EQ(words.verb(), "may");
      std::string text;
      for (const std::string& key : words.words()) {
        JoinItem(&text, reader->MayMatch(key) ? "yes" : "no");
      }
      return text;
    });
  }

 private:
  bool Make() {
    std::shared_ptr<const FilterPolicy> policy;
    const Status s = FilterPolicy::CreateFromString(
        ConfigOptions(), command_.Text("of", ""), &policy);
    EXPECT_TRUE(s.ok()) << s.ToString();
    BlockBasedTableOptions table;
    table.format_version = static_cast<uint32_t>(command_.Number("version", 5));
    table.optimize_filters_for_memory = command_.HasWord("fits");
    FilterBuildingContext file(table);
    SetPurpose(&file);
    const std::unique_ptr<FilterBitsBuilder> builder(
        policy->GetBuilderWithContext(file));
    if (builder == nullptr) return false;
    for (const std::string& line : steps_.given) {
      std::istringstream words(line);
      for (std::string word; words >> word;) AddWord(word, builder.get());
    }
    entries_ = builder->EntryCount();
    std::unique_ptr<char[]> buffer;
    const Slice payload = builder->Finish(&buffer);
    EXPECT_TRUE(builder->MatchesAll(payload));
    payload_ = payload.ToString();
    return true;
  }
  void SetPurpose(FilterBuildingContext* file) const {
    const std::string style = command_.Text("style", "level");
    if (style == "universal") {
      file->compaction_style = kCompactionStyleUniversal;
    } else if (style == "fifo") {
      file->compaction_style = kCompactionStyleFIFO;
    } else {
      EXPECT_EQ(style, "level");
    }
    const std::string reason = command_.Text("for", "misc");
    if (reason == "flush") {
      file->reason = TableFileCreationReason::kFlush;
    } else if (reason == "compaction") {
      file->reason = TableFileCreationReason::kCompaction;
    } else {
      EXPECT_EQ(reason, "misc");
    }
    if (command_.Has("level")) {
      file->level_at_creation = static_cast<int>(command_.Number("level", 0));
    }
  }
  static void AddWord(const std::string& word, FilterBitsBuilder* builder) {
    if (word.starts_with("many:")) {
      const uint64_t count = std::stoull(word.substr(5));
      for (uint64_t i = 0; i < count; ++i) builder->AddKey(KeyOf(i));
      return;
    }
    const size_t slash = word.find('/');
    if (slash == word.npos) return builder->AddKey(word);
    builder->AddKeyAndAlternate(word.substr(0, slash), word.substr(slash + 1));
  }
  std::string Kind() const {
    if (payload_.size() <= kFilterMetadataBytes) return "of nothing";
    const auto mark = static_cast<unsigned char>(
        payload_[payload_.size() - kFilterMetadataBytes]);
    if (mark == 0xff) return "Bloom";
    if (mark == 0xfe) return "Ribbon";
    return mark > 0 && mark < 0x80 ? "legacy Bloom" : "unknown";
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  std::string payload_;
  size_t entries_ = 0;
};

std::string FilterPolicyAnswers(const ScriptCase& c) {
  const std::string verb = c.command.substr(0, c.command.find(' '));
  if (verb != "policy" && verb != "strict") {
    return FilterPolicyScript(c).Answers();
  }
  ConfigOptions config;
  config.ignore_unsupported_options = verb == "policy";
  std::shared_ptr<const FilterPolicy> policy;
  const Status s = FilterPolicy::CreateFromString(
      config, c.command.substr(verb.size() + 1), &policy);
  if (!s.ok()) return s.ToString();
  if (policy == nullptr) return "no policy";
  return policy->GetId() + " read as " + policy->CompatibilityName();
}

TEST(FilterPolicy, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/filter_policies.txt", FilterPolicyAnswers), 48u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
