// An application's own Customizable objects register options of all types,
// which are parsed, printed, compared, copied and undone.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/object_registry.h"
#include "rocksdb/utilities/options_type.h"

namespace ROCKSDB_NAMESPACE {
namespace {

enum class Colour { kRed, kBlue };

const std::unordered_map<std::string, Colour> kColours = {
    {"kRed", Colour::kRed}, {"kBlue", Colour::kBlue}};

struct Inner {
  int depth = 1;
  std::string label = "none";
};
bool operator==(const Inner& a, const Inner& b) {
  return a.depth == b.depth && a.label == b.label;
}

const std::unordered_map<std::string, OptionTypeInfo> kInner = {
    {"depth", {offsetof(Inner, depth), OptionType::kInt}},
    {"label", {offsetof(Inner, label), OptionType::kString}},
};

struct Sample {
  static const char* kName() { return "Sample"; }

  int limit = 3;
  bool is_on = false;
  uint64_t bytes = 7;
  std::string text = "t";
  std::string key = "k";
  CompressionType compression = kNoCompression;
  Colour colour = Colour::kRed;
  Inner inner;
  std::vector<int> sizes;
  std::array<int, 2> pair = {1, 2};
  std::map<std::string, std::string> strings;
  std::shared_ptr<MergeOperator> merge;
  int old = 0;
};

// std::map has no standard layout.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

const std::unordered_map<std::string, OptionTypeInfo>& SampleMap() {
  static const std::unordered_map<std::string, OptionTypeInfo> kMap = {
      {"limit",
       {offsetof(Sample, limit), OptionType::kInt,
        OptionVerificationType::kNormal, OptionTypeFlags::kMutable}},
      {"is_on", {offsetof(Sample, is_on), OptionType::kBoolean}},
      {"bytes", {offsetof(Sample, bytes), OptionType::kUInt64T}},
      {"text",
       {offsetof(Sample, text), OptionType::kString,
        OptionVerificationType::kNormal, OptionTypeFlags::kCompareNever}},
      {"key", {offsetof(Sample, key), OptionType::kEncodedString}},
      {"compression",
       {offsetof(Sample, compression), OptionType::kCompressionType}},
      {"colour", OptionTypeInfo::Enum(offsetof(Sample, colour), &kColours)},
      {"inner", OptionTypeInfo::Struct(
                    "inner", &kInner, offsetof(Sample, inner),
                    OptionVerificationType::kNormal, OptionTypeFlags::kNone)},
      {"sizes", OptionTypeInfo::Vector<int>(
                    offsetof(Sample, sizes), OptionVerificationType::kNormal,
                    OptionTypeFlags::kNone, {0, OptionType::kInt})},
      {"pair", OptionTypeInfo::Array<int, 2>(
                   offsetof(Sample, pair), OptionVerificationType::kNormal,
                   OptionTypeFlags::kNone, {0, OptionType::kInt})},
      {"strings", OptionTypeInfo::StringMap(offsetof(Sample, strings),
                                            OptionVerificationType::kNormal,
                                            OptionTypeFlags::kNone)},
      {"merge", OptionTypeInfo::AsCustomSharedPtr<MergeOperator>(
                    offsetof(Sample, merge), OptionVerificationType::kByName,
                    OptionTypeFlags::kAllowNull)},
      {"old",
       {offsetof(Sample, old), OptionType::kInt,
        OptionVerificationType::kDeprecated}},
  };
  return kMap;
}

#pragma GCC diagnostic pop

Sample SomeSample() {
  Sample sample;
  sample.limit = 12;
  sample.is_on = true;
  sample.bytes = uint64_t{1} << 40;
  sample.text = "a b";
  sample.key = std::string("\0\xff", 2);
  sample.compression = kZSTD;
  sample.colour = Colour::kBlue;
  sample.inner = {5, "deep"};
  sample.sizes = {1, 22, 333};
  sample.pair = {8, 9};
  sample.strings = {{"a=", ";"}, {"b", ""}};
  return sample;
}

TEST(OptionTypeInfo, TextOfAllTypesIsTakenBack) {
  const ConfigOptions config;
  Sample sample = SomeSample();
  ASSERT_TRUE(
      MergeOperator::CreateFromString(config, "put", &sample.merge).ok());
  std::string text;
  ASSERT_TRUE(
      OptionTypeInfo::SerializeType(config, SampleMap(), &sample, &text).ok());
  EXPECT_NE(text.find("limit=12;"), std::string::npos) << text;
  EXPECT_NE(text.find("key=00FF;"), std::string::npos) << text;
  EXPECT_NE(text.find("sizes=1:22:333;"), std::string::npos) << text;
  EXPECT_EQ(text.find("old="), std::string::npos) << text;

  Sample copy;
  const Status s = OptionTypeInfo::ParseType(config, text, SampleMap(), &copy);
  ASSERT_TRUE(s.ok()) << s.ToString();
  std::string mismatch;
  EXPECT_TRUE(OptionTypeInfo::TypesAreEqual(config, SampleMap(), &sample, &copy,
                                            &mismatch))
      << mismatch;
  EXPECT_EQ(copy.text, sample.text);
  EXPECT_EQ(copy.strings, sample.strings);
  EXPECT_TRUE(copy.inner == sample.inner);
  ASSERT_NE(copy.merge, nullptr);
  EXPECT_STREQ(copy.merge->Name(), sample.merge->Name());
}

TEST(OptionTypeInfo, DifferencesAreNamed) {
  ConfigOptions config;
  const Sample a = SomeSample();
  Sample b = a;
  b.text = "never compared";
  std::string mismatch;
  const auto is_equal = [&] {
    mismatch.clear();
    return OptionTypeInfo::TypesAreEqual(config, SampleMap(), &a, &b,
                                         &mismatch);
  };
  EXPECT_TRUE(is_equal()) << mismatch;
  b.inner.depth = 6;
  EXPECT_FALSE(is_equal());
  EXPECT_EQ(mismatch, "inner.depth");
  b = a;
  b.sizes.push_back(4);
  EXPECT_FALSE(is_equal());
  EXPECT_EQ(mismatch, "sizes");
  config.sanity_level = ConfigOptions::kSanityLevelNone;
  EXPECT_TRUE(is_equal());
}

TEST(OptionTypeInfo, MembersOfStructsAndErrors) {
  const ConfigOptions config;
  Sample sample;
  const auto set = [&](const std::string& text) {
    return OptionTypeInfo::ParseType(config, text, SampleMap(), &sample);
  };
  EXPECT_TRUE(set("inner.depth=9").ok());
  EXPECT_EQ(sample.inner.depth, 9);
  EXPECT_TRUE(set("inner={depth=2;label=x}").ok());
  EXPECT_TRUE(sample.inner == (Inner{2, "x"}));
  EXPECT_TRUE(set("old=whatever").ok());

  EXPECT_TRUE(set("limit=many").IsInvalidArgument());
  EXPECT_TRUE(set("colour=kGreen").IsInvalidArgument());
  EXPECT_TRUE(set("pair=1:2:3").IsInvalidArgument());
  EXPECT_TRUE(set("inner={height=1}").IsInvalidArgument());
  EXPECT_TRUE(set("strings=zz").IsInvalidArgument());
  EXPECT_TRUE(set("missing=1").IsNotFound());

  std::unordered_map<std::string, std::string> unused;
  EXPECT_TRUE(OptionTypeInfo::ParseType(config, "limit=4;missing=1",
                                        SampleMap(), &sample, &unused)
                  .ok());
  EXPECT_EQ(sample.limit, 4);
  EXPECT_EQ(unused.size(), 1u);
}

TEST(OptionTypeInfo, TokensAndBraces) {
  std::string token;
  size_t end = 0;
  EXPECT_TRUE(OptionTypeInfo::NextToken("{a:b}: c", ':', 0, &end, &token).ok());
  EXPECT_EQ(token, "a:b");
  EXPECT_EQ(end, 5u);
  EXPECT_TRUE(OptionTypeInfo::NextToken("{a:b}: c", ':', 6, &end, &token).ok());
  EXPECT_EQ(token, "c");
  EXPECT_EQ(end, std::string::npos);
  EXPECT_TRUE(OptionTypeInfo::NextToken("{a:b", ':', 0, &end, &token)
                  .IsInvalidArgument());
  EXPECT_EQ(OptionTypeInfo::StripOuterBraces("{a}"), "a");
}

// A merge operator of an application.
class SampleMerge : public AssociativeMergeOperator {
 public:
  SampleMerge() { RegisterOptions(&sample_, &SampleMap()); }

  static const char* kClassName() { return "SampleMerge"; }
  const char* Name() const override { return kClassName(); }

  bool Merge(const Slice&, const Slice*, const Slice& value,
             std::string* result, Logger*) const override {
    result->assign(value.data(), value.size());
    return true;
  }

  Status PrepareOptions(const ConfigOptions& config) override {
    ++prepared;
    return AssociativeMergeOperator::PrepareOptions(config);
  }

  int prepared = 0;

 private:
  Sample sample_;
};

// Whatever is in it: text is unescaped when it is read.
TEST(OptionTypeInfo, TheTextOfAnObjectIsReadAgain) {
  const ConfigOptions config;
  for (const std::string delimiter : {"\\", "#", ":", "a\nb", "\\\\n", "\\;"}) {
    SampleMerge merge;
    std::shared_ptr<MergeOperator>& set = merge.GetOptions<Sample>()->merge;
    ASSERT_TRUE(
        MergeOperator::CreateFromString(
            config, "{id=stringappend;delimiter={" + delimiter + "}}", &set)
            .ok());
    std::string text;
    ASSERT_TRUE(merge.GetOptionString(config, &text).ok());
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    SampleMerge other;
    const Status s = other.ConfigureFromString(config, text);
    ASSERT_TRUE(s.ok()) << text << ": " << s.ToString();
    const auto& read = other.GetOptions<Sample>()->merge;
    ASSERT_NE(read, nullptr);
    std::string before;
    std::string after;
    EXPECT_TRUE(set->GetOptionString(config, &before).ok());
    EXPECT_TRUE(read->GetOptionString(config, &after).ok());
    EXPECT_EQ(before, after) << text;
  }
}

TEST(OptionTypeInfo, RegisteredOptionsAreSetAndShown) {
  const ConfigOptions config;
  SampleMerge merge;
  Sample* const sample = merge.GetOptions<Sample>();
  ASSERT_NE(sample, nullptr);

  const Status s = merge.ConfigureFromString(
      config, "limit=5;inner.label=in;merge={id=stringappend;delimiter=|}");
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(sample->limit, 5);
  EXPECT_EQ(sample->inner.label, "in");
  EXPECT_EQ(merge.prepared, 1);
  EXPECT_TRUE(merge.ConfigureOption(config, "SampleMerge.limit", "6").ok());
  EXPECT_EQ(sample->limit, 6);

  std::string value;
  EXPECT_TRUE(merge.GetOption(config, "limit", &value).ok());
  EXPECT_EQ(value, "6");
  EXPECT_TRUE(merge.GetOption(config, "inner.label", &value).ok());
  EXPECT_EQ(value, "in");
  EXPECT_TRUE(merge.GetOption(config, "missing", &value).IsNotFound());
  std::unordered_set<std::string> names;
  EXPECT_TRUE(merge.GetOptionNames(config, &names).ok());
  EXPECT_TRUE(names.contains("sizes"));
  EXPECT_FALSE(names.contains("old"));

  std::string text;
  ASSERT_TRUE(merge.GetOptionString(config, &text).ok());
  SampleMerge other;
  ASSERT_TRUE(other.ConfigureFromString(config, text).ok()) << text;
  std::string mismatch;
  EXPECT_TRUE(merge.AreEquivalent(config, &other, &mismatch)) << mismatch;
  EXPECT_TRUE(other.ConfigureOption(config, "bytes", "99").ok());
  EXPECT_FALSE(merge.AreEquivalent(config, &other, &mismatch));
  EXPECT_EQ(mismatch, "bytes");
}

TEST(OptionTypeInfo, ACopyHasOptionsOfItsOwn) {
  const ConfigOptions config;
  SampleMerge merge;
  SampleMerge copy(merge);
  EXPECT_TRUE(copy.ConfigureOption(config, "limit", "50").ok());
  EXPECT_EQ(merge.GetOptions<Sample>()->limit, 3);
  EXPECT_EQ(copy.GetOptions<Sample>()->limit, 50);
}

TEST(OptionTypeInfo, FailedChangesAreUndone) {
  ConfigOptions config;
  SampleMerge merge;
  ASSERT_TRUE(merge.ConfigureFromString(config, "limit=5;text=a").ok());
  EXPECT_TRUE(merge.ConfigureFromString(config, "limit=6;text=b;bytes=x")
                  .IsInvalidArgument());
  EXPECT_EQ(merge.GetOptions<Sample>()->limit, 5);
  EXPECT_EQ(merge.GetOptions<Sample>()->text, "a");
  EXPECT_TRUE(merge.ConfigureFromString(config, "limit=6;x=1").IsNotFound());
  EXPECT_EQ(merge.GetOptions<Sample>()->limit, 5);
  EXPECT_TRUE(merge.ConfigureFromString(config, "word").IsInvalidArgument());

  std::unordered_map<std::string, std::string> unused;
  EXPECT_TRUE(
      merge.ConfigureFromMap(config, {{"limit", "7"}, {"x", "1"}}, &unused)
          .ok());
  EXPECT_EQ(merge.GetOptions<Sample>()->limit, 7);
  EXPECT_TRUE(unused.contains("x"));

  config.mutable_options_only = true;
  EXPECT_TRUE(merge.ConfigureOption(config, "limit", "8").ok());
  EXPECT_TRUE(merge.ConfigureOption(config, "bytes", "8").IsInvalidArgument());
}

TEST(OptionTypeInfo, OptionStringsMakeSuchObjects) {
  ConfigOptions config;
  config.registry = ObjectRegistry::NewInstance();
  config.registry->AddLibrary("mine")->AddFactory<MergeOperator>(
      SampleMerge::kClassName(),
      [](const std::string&, std::unique_ptr<MergeOperator>* guard,
         std::string*) {
        *guard = std::make_unique<SampleMerge>();
        return guard->get();
      });
  ColumnFamilyOptions options;
  Status s = GetColumnFamilyOptionsFromString(
      config, ColumnFamilyOptions(),
      "merge_operator={id=SampleMerge;limit=5;sizes=4:5}", &options);
  ASSERT_TRUE(s.ok()) << s.ToString();
  const Sample* sample = options.merge_operator->GetOptions<Sample>();
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->limit, 5);
  EXPECT_EQ(sample->sizes, (std::vector<int>{4, 5}));

  std::string text;
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(config, options, &text).ok());
  EXPECT_NE(text.find("id=SampleMerge;"), std::string::npos) << text;
  ColumnFamilyOptions again;
  s = GetColumnFamilyOptionsFromString(config, ColumnFamilyOptions(), text,
                                       &again);
  ASSERT_TRUE(s.ok()) << s.ToString();
  ASSERT_NE(again.merge_operator, nullptr);
  std::string mismatch;
  EXPECT_TRUE(options.merge_operator->AreEquivalent(
      config, again.merge_operator.get(), &mismatch))
      << mismatch;
}

TEST(OptionTypeInfo, TextOfObjectsIsTakenApart) {
  const ConfigOptions config;
  std::string id;
  std::unordered_map<std::string, std::string> options;
  EXPECT_TRUE(Configurable::GetOptionsMap("name", "", &id, &options).ok());
  EXPECT_EQ(id, "name");
  EXPECT_TRUE(
      Configurable::GetOptionsMap("{id=n;a=b}", "x", &id, &options).ok());
  EXPECT_EQ(id, "n");
  EXPECT_EQ(options.size(), 1u);
  EXPECT_TRUE(Configurable::GetOptionsMap("a=b", "x", &id, &options).ok());
  EXPECT_EQ(id, "x");
  EXPECT_TRUE(Configurable::GetOptionsMap("a=b", "", &id, &options)
                  .IsInvalidArgument());

  SampleMerge merge;
  ASSERT_TRUE(merge.ConfigureOption(config, "limit", "44").ok());
  EXPECT_TRUE(
      Customizable::GetOptionsMap(config, &merge, "bytes=1", &id, &options)
          .ok());
  EXPECT_EQ(id, "SampleMerge");
  EXPECT_EQ(options["limit"], "44");
  EXPECT_EQ(options["bytes"], "1");
  EXPECT_TRUE(Customizable::ConfigureNewObject(config, &merge, options).ok());
  EXPECT_EQ(merge.GetOptions<Sample>()->bytes, 1u);
  EXPECT_TRUE(Customizable::ConfigureNewObject(config, nullptr, options)
                  .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
