// The names by which text makes objects of every class; names that nobody
// knows, and text that clears: testdata/utilities/object_names.txt.
//
//   make CLASS TEXT      the id of what is made, "null", or why not; and what
//                        comes of it if unknown names are passed over
//   merged TEXT          what the merge operator makes of a and b
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/cache.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/listener.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/user_defined_index.h"
#include "tests/testing/script_calls.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Config = const ConfigOptions&;

// The id of what is made, "null", or the error.
template <class T>
std::string Shared(Config config, const std::string& text) {
  std::shared_ptr<T> object;
  const Status s =
      std::remove_const_t<T>::CreateFromString(config, text, &object);
  if (!s.ok()) return s.ToString();
  return object == nullptr ? "null" : object->GetId();
}
template <class T>
std::string Static(Config config, const std::string& text) {
  T* object = nullptr;
  const Status s =
      std::remove_const_t<T>::CreateFromString(config, text, &object);
  if (!s.ok()) return s.ToString();
  return object == nullptr ? "null" : object->GetId();
}

using MakeNamed = std::function<std::string(Config, const std::string&)>;

const std::map<std::string, MakeNamed>& NamedClasses() {
  static const auto& classes =
      *std::make_unique<std::map<std::string, MakeNamed>>(
           std::map<std::string, MakeNamed>{
               {"BlockCipher", &Shared<BlockCipher>},
               {"CompactionFilter", &Static<const CompactionFilter>},
               {"CompactionFilterFactory", &Shared<CompactionFilterFactory>},
               {"Comparator", &Static<const Comparator>},
               {"CompressionManager", &Shared<CompressionManager>},
               {"EncryptionProvider", &Shared<EncryptionProvider>},
               {"EventListener", &Shared<EventListener>},
               {"FileChecksumGenFactory", &Shared<FileChecksumGenFactory>},
               {"FileSystem", &Shared<FileSystem>},
               {"FilterPolicy", &Shared<const FilterPolicy>},
               {"FlushBlockPolicyFactory", &Shared<FlushBlockPolicyFactory>},
               {"MemTableRepFactory", &Shared<MemTableRepFactory>},
               {"MemoryAllocator", &Shared<MemoryAllocator>},
               {"MergeOperator", &Shared<MergeOperator>},
               {"SecondaryCache", &Shared<SecondaryCache>},
               {"SliceTransform", &Shared<const SliceTransform>},
               {"SstPartitionerFactory", &Shared<SstPartitionerFactory>},
               {"Statistics", &Shared<Statistics>},
               {"SystemClock", &Shared<SystemClock>},
               {"TableFactory", &Shared<TableFactory>},
               {"TablePropertiesCollectorFactory",
                &Shared<TablePropertiesCollectorFactory>},
               {"UserDefinedIndexFactory", &Shared<UserDefinedIndexFactory>},
           })
           .release();
  return classes;
}

ConfigOptions Strict() {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  return config;
}

// Addresses are cut off.
std::string MadeByName(const CallArguments& a) {
  const auto found = NamedClasses().find(a[0]);
  EXPECT_NE(found, NamedClasses().end()) << a[0];
  if (found == NamedClasses().end()) return "";
  const auto made = [&](const ConfigOptions& config) {
    const std::string id = found->second(config, a[1]);
    return id.substr(0, id.find("@0x"));
  };
  const std::string strict = made(Strict()), lenient = made(ConfigOptions());
  return lenient == strict ? strict : strict + "; passed over: " + lenient;
}

TEST(ObjectNamesTest, WhatIsPassedOverLeavesTheResult) {
  const ConfigOptions config;
  const Comparator* order = ReverseBytewiseComparator();
  EXPECT_TRUE(Comparator::CreateFromString(config, "mine", &order).ok());
  EXPECT_EQ(ReverseBytewiseComparator(), order);
  std::shared_ptr<MergeOperator> merge;
  ASSERT_TRUE(MergeOperator::CreateFromString(config, "put", &merge).ok());
  EXPECT_TRUE(MergeOperator::CreateFromString(config, "mine", &merge).ok());
  ASSERT_NE(nullptr, merge);
  EXPECT_STREQ("PutOperator", merge->Name());
}

std::string MergedByName(const std::string& text) {
  std::shared_ptr<MergeOperator> merge;
  const Status s = MergeOperator::CreateFromString(Strict(), text, &merge);
  if (!s.ok()) return s.ToString();
  const Slice key("k");
  const Slice existing("a");
  const std::vector<Slice> operands{"b"};
  std::string value;
  Slice operand(nullptr, 0);
  MergeOperator::MergeOperationOutput out(value, operand);
  EXPECT_TRUE(merge->FullMergeV2(
      MergeOperator::MergeOperationInput(key, &existing, operands, nullptr),
      &out));
  return value;
}

TEST(ObjectNamesTest, CallsOfTheScript) {
  const ScriptCalls calls = {
      {"make", MadeByName},
      {"merged", [](const CallArguments& a) { return MergedByName(a[0]); }}};
  EXPECT_GE(RunCalls("utilities/object_names.txt", calls), 181u)
      << "calls went missing";
}

// An object that registers nothing goes by the two calls that it overrides.
TEST(ObjectNamesTest, TextSetsAndShowsWhatAnObjectOverrides) {
  std::shared_ptr<MergeOperator> merge;
  ASSERT_TRUE(
      MergeOperator::CreateFromString(Strict(), "stringappend", &merge).ok());
  EXPECT_TRUE(merge->ConfigureFromString(Strict(), "delimiter=+;").ok());
  std::string value;
  EXPECT_TRUE(merge->GetOption(Strict(), "delimiter", &value).ok());
  EXPECT_EQ("+", value);
  std::unordered_set<std::string> names;
  EXPECT_TRUE(merge->GetOptionNames(Strict(), &names).ok());
  EXPECT_EQ(std::unordered_set<std::string>{"delimiter"}, names);
  EXPECT_TRUE(merge->GetOption(Strict(), "none", &value).IsNotFound());
  EXPECT_TRUE(merge->ConfigureFromString(Strict(), "none=1;").IsNotFound());
  ConfigOptions config = Strict();
  config.ignore_unknown_options = true;
  const Status s = MergeOperator::CreateFromString(
      config, "{id=stringappend;none=1}", &merge);
  EXPECT_TRUE(s.ok()) << s.ToString();
}

TEST(ObjectNamesTest, OptionsOfTheObjectThatIsThereStay) {
  std::shared_ptr<MergeOperator> merge;
  std::string value;
  for (const std::string text :
       {"{id=stringappend;delimiter=XX}", "stringappend",
        "{id=StringAppendOperator}", "{StringAppendOperator.delimiter=XX}"}) {
    const MergeOperator* const before = merge.get();
    const Status s = MergeOperator::CreateFromString(Strict(), text, &merge);
    ASSERT_TRUE(s.ok()) << text << ": " << s.ToString();
    EXPECT_NE(before, merge.get());
    EXPECT_TRUE(merge->GetOption(Strict(), "delimiter", &value).ok());
    EXPECT_EQ("XX", value) << text;
  }
  // They are not those of another class.
  ASSERT_TRUE(
      MergeOperator::CreateFromString(Strict(), "stringappendtest", &merge)
          .ok());
  EXPECT_TRUE(merge->GetOption(Strict(), "delimiter", &value).ok());
  EXPECT_EQ(",", value);
}

TEST(ObjectNamesTest, AMapWithAWrongOptionChangesNothing) {
  std::shared_ptr<TableFactory> factory;
  ASSERT_TRUE(
      TableFactory::CreateFromString(Strict(), "BlockBasedTable", &factory)
          .ok());
  std::string before, after;
  ASSERT_TRUE(factory->GetOptionString(Strict(), &before).ok());
  const Status s =
      factory->ConfigureFromMap(Strict(), {{"block_size", "8192"},
                                           {"whole_key_filtering", "false"},
                                           {"none", "1"},
                                           {"block_restart_interval", "8"},
                                           {"format_version", "5"}});
  EXPECT_TRUE(s.IsNotFound()) << s.ToString();
  ASSERT_TRUE(factory->GetOptionString(Strict(), &after).ok());
  EXPECT_EQ(before, after);
  EXPECT_TRUE(
      factory
          ->ConfigureFromMap(Strict(), {{"BlockBasedTable.block_size", "8192"}})
          .ok());
  EXPECT_EQ(8192u, factory->GetOptions<BlockBasedTableOptions>()->block_size);
}

TEST(ObjectNamesTest, OptionsThatAreToldMakeTheSame) {
  std::shared_ptr<MergeOperator> merge;
  ASSERT_TRUE(MergeOperator::CreateFromString(
                  Strict(), "{id=stringappend;delimiter={;}}", &merge)
                  .ok());
  std::string text;
  ASSERT_TRUE(merge->GetOptionString(Strict(), &text).ok());
  EXPECT_EQ("a;b", MergedByName("{id=stringappend;" + text + "}"));
}

// One of its own class, by its name, for all; by another text, for its caller.
TEST(MemoryAllocatorsTest, OneForEachId) {
  const auto make = [](const std::string& text) {
    std::shared_ptr<MemoryAllocator> made;
    const Status s = MemoryAllocator::CreateFromString(Strict(), text, &made);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return made;
  };
  auto first = make("DefaultMemoryAllocator");
  ASSERT_NE(nullptr, first);
  EXPECT_EQ(first, make("DefaultMemoryAllocator"));
  void* const p = first->Allocate(100);
  ASSERT_NE(nullptr, p);
  EXPECT_EQ(100u, first->UsableSize(p, 100));
  first->Deallocate(p);
  const auto counted = make("CountedMemoryAllocator");
  EXPECT_NE(counted, make("CountedMemoryAllocator"));
  counted->Deallocate(counted->Allocate(1));
  // A cache takes its memory from it.
  LRUCacheOptions options;
  options.capacity = 1 << 20;
  options.memory_allocator = counted;
  EXPECT_EQ(counted.get(), options.MakeSharedCache()->memory_allocator());
}

TEST(MemoryAllocatorsTest, WhatIsNotBuiltIn) {
  JemallocAllocatorOptions options;
  std::shared_ptr<MemoryAllocator> made;
  EXPECT_TRUE(NewJemallocNodumpAllocator(options, nullptr).IsInvalidArgument());
  EXPECT_EQ("Not implemented: Not compiled with JEMALLOC",
            NewJemallocNodumpAllocator(options, &made).ToString());
  options.num_arenas = 0;
  EXPECT_TRUE(NewJemallocNodumpAllocator(options, &made).IsInvalidArgument());
  options.num_arenas = 1;
  options.limit_tcache_size = true;
  options.tcache_size_lower_bound = options.tcache_size_upper_bound;
  EXPECT_TRUE(NewJemallocNodumpAllocator(options, &made).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
