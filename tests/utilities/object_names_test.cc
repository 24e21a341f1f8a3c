// Every name by which text makes an object, of every class, as RocksDB 7.8.3
// and 11.9 know them; names that nobody knows, and text that clears.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
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

struct NameCase {
  const char* type;
  const char* text;
  const char* id;  // what the id begins with
};

constexpr NameCase kNames[] = {
    {"FileSystem", "PosixFileSystem", "PosixFileSystem"},
    {"FileSystem", "posix", "PosixFileSystem"},
    {"FileSystem", "posix://x", "PosixFileSystem"},
    {"FileSystem", "TimedFS", "TimedFS"},
    {"FileSystem", "ReadOnlyFileSystem", "ReadOnlyFileSystem"},
    {"FileSystem", "CountedFileSystem", "CountedFileSystem"},
    {"FileSystem", "MemoryFileSystem", "MemoryFileSystem"},
    {"FileSystem", "EncryptedFileSystem", "NotFound: Missing configurable"},
    {"FileSystem", "ChrootFS", "Invalid argument: "},
    {"SystemClock", "PosixClock", "DefaultClock"},
    {"SystemClock", "DefaultClock", "DefaultClock"},
    {"TableFactory", "BlockBasedTable", "BlockBasedTable"},
    {"TableFactory", "PlainTable", "PlainTable"},
    {"TableFactory", "CuckooTable", "CuckooTable"},
    {"MemTableRepFactory", "SkipListFactory", "SkipListFactory"},
    {"MemTableRepFactory", "skip_list", "SkipListFactory"},
    {"MemTableRepFactory", "skip_list:16", "SkipListFactory:16"},
    {"MemTableRepFactory", "VectorRepFactory", "VectorRepFactory"},
    {"MemTableRepFactory", "vector:9", "VectorRepFactory"},
    {"MemTableRepFactory", "prefix_hash", "HashSkipListRepFactory"},
    {"MemTableRepFactory", "HashSkipListRepFactory", "HashSkipListRepFactory"},
    {"MemTableRepFactory", "prefix_hash:10", "HashSkipListRepFactory"},
    {"MemTableRepFactory", "hash_linkedlist", "HashLinkListRepFactory"},
    {"MemTableRepFactory", "HashLinkListRepFactory", "HashLinkListRepFactory"},
    {"MemTableRepFactory", "hash_linkedlist:10", "HashLinkListRepFactory"},
    {"MergeOperator", "StringAppendOperator", "StringAppendOperator"},
    {"MergeOperator", "stringappend", "StringAppendOperator"},
    {"MergeOperator", "StringAppendTESTOperator", "StringAppendTESTOperator"},
    {"MergeOperator", "stringappendtest", "StringAppendTESTOperator"},
    {"MergeOperator", "MergeSortOperator", "MergeSortOperator"},
    {"MergeOperator", "sortlist", "MergeSortOperator"},
    {"MergeOperator", "BytesXOR", "BytesXOR"},
    {"MergeOperator", "bytesxor", "BytesXOR"},
    {"MergeOperator", "UInt64AddOperator", "UInt64AddOperator"},
    {"MergeOperator", "uint64add", "UInt64AddOperator"},
    {"MergeOperator", "MaxOperator", "MaxOperator"},
    {"MergeOperator", "max", "MaxOperator"},
    {"MergeOperator", "PutOperator", "PutOperator"},
    {"MergeOperator", "put", "PutOperator"},
    {"MergeOperator", "put_v1", "PutOperator"},
    {"CompactionFilter", "RemoveEmptyValueCompactionFilter",
     "RemoveEmptyValueCompactionFilter"},
    {"Comparator", "leveldb.BytewiseComparator", "leveldb.BytewiseComparator"},
    {"Comparator", "rocksdb.ReverseBytewiseComparator",
     "rocksdb.ReverseBytewiseComparator"},
    {"Comparator", "leveldb.BytewiseComparator.u64ts",
     "leveldb.BytewiseComparator.u64ts"},
    {"Comparator", "rocksdb.ReverseBytewiseComparator.u64ts",
     "rocksdb.ReverseBytewiseComparator.u64ts"},
    {"SliceTransform", "rocksdb.Noop", "rocksdb.Noop"},
    {"SliceTransform", "fixed:8", "rocksdb.FixedPrefix.8"},
    {"SliceTransform", "rocksdb.FixedPrefix.8", "rocksdb.FixedPrefix.8"},
    {"SliceTransform", "capped:5", "rocksdb.CappedPrefix.5"},
    {"SliceTransform", "rocksdb.CappedPrefix.5", "rocksdb.CappedPrefix.5"},
    {"SliceTransform", "fixed:-4", "Invalid argument: "},
    {"FilterPolicy", "rocksdb.BuiltinBloomFilter",
     "rocksdb.BuiltinBloomFilter"},
    {"FilterPolicy", "bloomfilter:10", "bloomfilter:10:false"},
    {"FilterPolicy", "bloomfilter:10:true", "bloomfilter:10:false"},
    {"FilterPolicy", "bloomfilter:9.5:false", "bloomfilter:9.5:false"},
    {"FilterPolicy", "rocksdb.BloomFilter:10", "bloomfilter:10:false"},
    {"FilterPolicy", "ribbonfilter:10", "ribbonfilter:10:0"},
    {"FilterPolicy", "ribbonfilter:10:-1", "ribbonfilter:10:-1"},
    {"FilterPolicy", "ribbonfilter:10:3", "ribbonfilter:10:3"},
    {"FilterPolicy", "rocksdb.RibbonFilter:10", "ribbonfilter:10:0"},
    {"FilterPolicy", "rocksdb.internal.LegacyBloomFilter:10",
     "rocksdb.internal.LegacyBloomFilter:10"},
    {"FilterPolicy", "rocksdb.internal.FastLocalBloomFilter:10",
     "rocksdb.internal.FastLocalBloomFilter:10"},
    {"FilterPolicy", "rocksdb.internal.Standard128RibbonFilter:10",
     "rocksdb.internal.Standard128RibbonFilter:10"},
    {"FlushBlockPolicyFactory", "FlushBlockBySizePolicyFactory",
     "FlushBlockBySizePolicyFactory"},
    {"FlushBlockPolicyFactory", "FlushBlockEveryKeyPolicyFactory",
     "FlushBlockEveryKeyPolicyFactory"},
    {"Statistics", "BasicStatistics", "BasicStatistics"},
    {"MemoryAllocator", "DefaultMemoryAllocator", "DefaultMemoryAllocator@0x"},
    {"MemoryAllocator", "CountedMemoryAllocator", "CountedMemoryAllocator"},
    {"MemoryAllocator", "JemallocNodumpAllocator", "Invalid argument: "},
    {"MemoryAllocator", "MemkindKmemAllocator", "Invalid argument: "},
    {"TablePropertiesCollectorFactory", "CompactOnDeletionCollector",
     "CompactOnDeletionCollector"},
    {"TablePropertiesCollectorFactory", "CompactForTieringCollector",
     "CompactForTieringCollector"},
    {"SstPartitionerFactory", "SstPartitionerFixedPrefixFactory",
     "SstPartitionerFixedPrefixFactory"},
    {"SstPartitionerFactory", "{id=SstPartitionerFixedPrefixFactory;length=3}",
     "SstPartitionerFixedPrefixFactory"},
    {"FileChecksumGenFactory", "FileChecksumGenCrc32cFactory",
     "FileChecksumGenCrc32cFactory"},
    {"SecondaryCache", "compressed_secondary_cache://",
     "CompressedSecondaryCache"},
    {"SecondaryCache", "compressed_secondary_cache://no=1",
     "Invalid argument: "},
    {"EncryptionProvider", "CTR", "NotFound: Missing configurable object"},
    {"EncryptionProvider", "CTR://test", "CTR"},
    {"EncryptionProvider", "1://test", "CTR"},
    {"BlockCipher", "ROT13", "ROT13"},
    {"BlockCipher", "ROT13:16", "ROT13"},
    {"CompressionManager", "BuiltinV2", "BuiltinV2"},
    {"UserDefinedIndexFactory", "trie_index", "trie_index"},
    {"CompactionFilterFactory", "TtlCompactionFilterFactory",
     "TtlCompactionFilterFactory"},
};

TEST(ObjectNamesTest, EveryNameMakesItsObject) {
  for (const NameCase& c : kNames) {
    const MakeNamed& make = NamedClasses().at(c.type);
    for (const ConfigOptions& config : {Strict(), ConfigOptions()}) {
      const std::string id = make(config, c.text);
      EXPECT_EQ(id.substr(0, std::string(c.id).size()), c.id)
          << c.type << " " << c.text;
    }
  }
}

// Names that are near to others, too.
TEST(ObjectNamesTest, UnknownNames) {
  std::vector<std::pair<std::string, std::string>> unknown = {
      {"SystemClock", "TimeEmulatedSystemClock"},
      {"TableFactory", "AdaptiveTableFactory"},
      {"MergeOperator", "CassandraValueMergeOperator"},
      {"MergeOperator", "AggMergeOperator.v1"},
      {"Comparator", "rocksdb.BytewiseComparator"},
      {"SliceTransform", "noop"},
      {"SliceTransform", "rocksdb.FixedPrefix"},
      {"FilterPolicy", "bloomfilter"},
      {"SstPartitionerFactory", "SstPartitionerFixedPrefixFactory:3"},
      {"SecondaryCache", "compressed_secondary_cache"},
      {"EncryptionProvider", "CTR://foo"},
      {"BlockCipher", "AES"},
  };
  for (const auto& [type, make] : NamedClasses()) {
    unknown.emplace_back(type, "mine");
  }
  for (const auto& [type, text] : unknown) {
    const MakeNamed& make = NamedClasses().at(type);
    EXPECT_EQ("Not implemented: Could not load " + type + ": " + text,
              make(Strict(), text));
    // Who runs on another file system, or by another clock, than was asked for
    // may lose data: these are not passed over.
    if (type == "FileSystem" || type == "SystemClock") continue;
    EXPECT_EQ("null", make(ConfigOptions(), text)) << type;
  }
  EXPECT_EQ("Invalid argument: ",
            NamedClasses()
                .at("MemTableRepFactory")(Strict(), "cuckoo")
                .substr(0, 18));
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

TEST(ObjectNamesTest, TextThatClears) {
  const std::map<std::string, std::string> of_no_text = {
      {"FileSystem", "PosixFileSystem"},
      {"SystemClock", "DefaultClock"},
      {"Statistics", "BasicStatistics"},
      {"FlushBlockPolicyFactory", "FlushBlockBySizePolicyFactory"},
  };
  for (const auto& [type, make] : NamedClasses()) {
    const auto other = of_no_text.find(type);
    EXPECT_EQ(other == of_no_text.end() ? "null" : other->second,
              make(Strict(), ""))
        << type;
  }
  for (const char* type :
       {"MemTableRepFactory", "Comparator", "MemoryAllocator"}) {
    EXPECT_EQ("Not implemented: Cannot reset object",
              NamedClasses().at(type)(ConfigOptions(), "nullptr"))
        << type;
  }
  for (const char* type : {"MergeOperator", "CompactionFilter", "Statistics",
                           "FilterPolicy", "TableFactory", "SecondaryCache"}) {
    EXPECT_EQ("null", NamedClasses().at(type)(Strict(), "nullptr")) << type;
  }
  EXPECT_EQ("FlushBlockBySizePolicyFactory",
            NamedClasses().at("FlushBlockPolicyFactory")(Strict(), "nullptr"));
}

std::string Merged(const std::string& text) {
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

TEST(ObjectNamesTest, OptionsOfAnObject) {
  EXPECT_EQ("a,b", Merged("stringappend"));
  EXPECT_EQ("aXXb", Merged("{id=stringappend;delimiter=XX}"));
  EXPECT_EQ("aXXb", Merged("id=stringappend;delimiter=XX"));
  EXPECT_EQ("a;b", Merged("{id=stringappend;delimiter={;}}"));
  EXPECT_EQ("ab", Merged("{id=stringappend;delimiter=;}"));
  std::shared_ptr<MergeOperator> merge;
  ASSERT_TRUE(MergeOperator::CreateFromString(
                  Strict(), "{id=stringappend;delimiter={;}}", &merge)
                  .ok());
  std::string text;
  ASSERT_TRUE(merge->GetOptionString(Strict(), &text).ok());
  EXPECT_EQ("a;b", Merged("{id=stringappend;" + text + "}"));
  EXPECT_EQ("NotFound: ", Merged("{id=stringappend;no=1}").substr(0, 10));
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
