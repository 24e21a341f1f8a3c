// The built-in objects by name: those of the floors up to options.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/object_registry.h"
#include "rocksdb/wal_filter.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Makes a T; null where it cannot.
template <class T>
std::shared_ptr<T> Make(const std::string& id, Status* status) {
  std::shared_ptr<T> result;
  ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  *status = std::remove_const_t<T>::CreateFromString(strict, id, &result);
  return result;
}

TEST(CreateFromStringTest, Comparators) {
  const Comparator* c = nullptr;
  for (const Comparator* known :
       {BytewiseComparator(), ReverseBytewiseComparator(),
        BytewiseComparatorWithU64Ts(), ReverseBytewiseComparatorWithU64Ts()}) {
    ASSERT_TRUE(
        Comparator::CreateFromString(ConfigOptions(), known->Name(), &c).ok());
    EXPECT_EQ(known, c);
  }
  const Comparator* const known = c;
  ConfigOptions config;
  EXPECT_TRUE(Comparator::CreateFromString(config, "my.own", &c).ok());
  EXPECT_EQ(known, c) << "passed over";
  config.ignore_unsupported_options = false;
  const Status s = Comparator::CreateFromString(config, "my.own", &c);
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
}

TEST(CreateFromStringTest, MergeOperators) {
  Status s;
  for (const char* name :
       {"put", "PutOperator", "uint64add", "UInt64AddOperator", "max",
        "MaxOperator", "stringappend", "StringAppendOperator",
        "stringappendtest", "StringAppendTESTOperator", "bytesxor", "BytesXOR",
        "sortlist", "MergeSortOperator"}) {
    const auto op = Make<MergeOperator>(name, &s);
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_TRUE(op->IsInstanceOf(name));
  }
  // An old name of the same.
  const auto put = Make<MergeOperator>("put_v1", &s);
  ASSERT_NE(nullptr, put) << s.ToString();
  EXPECT_STREQ("PutOperator", put->Name());
  const auto append = Make<MergeOperator>("{id=stringappend;delimiter=+}", &s);
  ASSERT_NE(nullptr, append) << s.ToString();
  std::string text;
  ASSERT_TRUE(append->GetOptionString(ConfigOptions(), &text).ok());
  EXPECT_EQ("delimiter=+;", text);
  EXPECT_EQ(nullptr, Make<MergeOperator>("nullptr", &s));
  EXPECT_TRUE(s.ok());
  EXPECT_EQ(nullptr, Make<MergeOperator>("{id=put;no=1}", &s));
  EXPECT_FALSE(s.ok());
  EXPECT_EQ(nullptr, Make<MergeOperator>("mine", &s));
  EXPECT_TRUE(s.IsNotSupported());
}

TEST(CreateFromStringTest, PrefixExtractors) {
  Status s;
  const auto make = [&s](const std::string& id) {
    return Make<const SliceTransform>(id, &s);
  };
  for (const char* id : {"fixed:8", "rocksdb.FixedPrefix.8"}) {
    const auto t = make(id);
    ASSERT_TRUE(s.ok() && t != nullptr) << id;
    EXPECT_EQ("rocksdb.FixedPrefix.8", t->GetId());
  }
  EXPECT_EQ("rocksdb.CappedPrefix.5", make("capped:5")->GetId());
  EXPECT_EQ("rocksdb.CappedPrefix.5", make("rocksdb.CappedPrefix.5")->GetId());
  EXPECT_EQ("rocksdb.Noop", make("rocksdb.Noop")->GetId());
  EXPECT_EQ(nullptr, make("nullptr"));
  EXPECT_TRUE(s.ok());
  for (const char* bad : {"fixed:", "capped:5x", "rocksdb.FixedPrefix.x"}) {
    EXPECT_EQ(nullptr, make(bad));
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  }
  EXPECT_EQ(nullptr, make("other"));
  EXPECT_TRUE(s.IsNotSupported());
}

TEST(CreateFromStringTest, MemtableFactories) {
  Status s;
  EXPECT_EQ("SkipListFactory:4",
            Make<MemTableRepFactory>("skip_list:4", &s)->GetId());
  EXPECT_EQ("VectorRepFactory",
            Make<MemTableRepFactory>("vector", &s)->GetId());
  EXPECT_EQ(nullptr, Make<MemTableRepFactory>("skip_list:x", &s));
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_EQ(nullptr, Make<MemTableRepFactory>("mine", &s));
  EXPECT_TRUE(s.IsNotSupported());
  ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  std::unique_ptr<MemTableRepFactory> unique;
  EXPECT_TRUE(MemTableRepFactory::CreateFromString(strict, "mine", &unique)
                  .IsNotSupported());
  ASSERT_TRUE(
      MemTableRepFactory::CreateFromString(strict, "vector:7", &unique).ok());
  EXPECT_EQ("VectorRepFactory:7", unique->GetId());
  EXPECT_TRUE(MemTableRepFactory::CreateFromString(strict, "nullptr", &unique)
                  .IsNotSupported());
  ASSERT_TRUE(MemTableRepFactory::CreateFromString(strict, "", &unique).ok());
  EXPECT_EQ(nullptr, unique);
}

TEST(CreateFromStringTest, Others) {
  Status s;
  EXPECT_STREQ("BasicStatistics",
               Make<Statistics>("BasicStatistics", &s)->Name());
  EXPECT_EQ(nullptr, Make<Statistics>("mine", &s));
  EXPECT_TRUE(s.IsNotSupported());
  EXPECT_EQ(nullptr, Make<CompactionFilterFactory>("mine", &s));
  EXPECT_TRUE(s.IsNotSupported());
  const CompactionFilter* filter = nullptr;
  EXPECT_TRUE(
      CompactionFilter::CreateFromString(ConfigOptions(), "", &filter).ok());
  EXPECT_TRUE(
      CompactionFilter::CreateFromString(ConfigOptions(), "mine", &filter)
          .ok());
  EXPECT_EQ(nullptr, filter);
  ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  EXPECT_TRUE(CompactionFilter::CreateFromString(strict, "mine", &filter)
                  .IsNotSupported());
}

// Of a program's listeners a file has the names: they are no nulls, which an
// opening would refuse.
TEST(CreateFromStringTest, ListsLeaveOutWhatIsNotThere) {
  ConfigOptions config;
  DBOptions options;
  for (const char* text :
       {"listeners={Mine:Other}", "listeners=Mine", "listeners={Mine}"}) {
    options.listeners = {nullptr};
    ASSERT_TRUE(
        GetDBOptionsFromString(config, DBOptions(), text, &options).ok());
    EXPECT_TRUE(options.listeners.empty()) << text;
  }
  config.ignore_unsupported_options = false;
  EXPECT_TRUE(GetDBOptionsFromString(config, DBOptions(),
                                     "listeners={Mine:Other}", &options)
                  .IsInvalidArgument());
}

TEST(CreateFromStringTest, AllocatorsAndLogFilters) {
  ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  std::shared_ptr<MemoryAllocator> allocator;
  EXPECT_TRUE(MemoryAllocator::CreateFromString(strict, "none", &allocator)
                  .IsNotSupported());
  EXPECT_TRUE(
      MemoryAllocator::CreateFromString(ConfigOptions(), "none", &allocator)
          .ok());
  EXPECT_EQ(nullptr, allocator);

  class NamedFilter final : public WalFilter {
   public:
    const char* Name() const override { return "named"; }
  };
  static NamedFilter filter;
  strict.registry->AddLibrary("mine")->AddFactory<WalFilter>(
      "named",
      [](const std::string&, std::unique_ptr<WalFilter>*,
         std::string*) -> WalFilter* { return &filter; });
  WalFilter* found = nullptr;
  ASSERT_TRUE(WalFilter::CreateFromString(strict, "named", &found).ok());
  EXPECT_EQ(&filter, found);
  EXPECT_TRUE(
      WalFilter::CreateFromString(strict, "other", &found).IsNotSupported());
  EXPECT_EQ(&filter, found);
  ASSERT_TRUE(WalFilter::CreateFromString(strict, "", &found).ok());
  EXPECT_EQ(nullptr, found);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
