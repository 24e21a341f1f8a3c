#include "tests/fuzz/object_texts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/utilities/options_type.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

ConfigOptions StrictConfig() {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  return config;
}

// What an object says of itself is read again.
template <class T>
size_t MakeTwice(const std::string& text) {
  std::shared_ptr<T> object;
  const Status s =
      std::remove_const_t<T>::CreateFromString(StrictConfig(), text, &object);
  if (!s.ok() || object == nullptr) return 0;
  std::string options;
  IgnoreError(object->GetOptionString(StrictConfig(), &options),
              "it may have none");
  std::shared_ptr<T> again;
  IgnoreError(std::remove_const_t<T>::CreateFromString(
                  StrictConfig(),
                  "{id=" + object->GetId() + ";" + options + "}", &again),
              "not each object can be made of its id");
  return 1;
}

template <class T>
size_t FindStatic(const std::string& text) {
  const T* object = nullptr;
  const Status s = T::CreateFromString(StrictConfig(), text, &object);
  return s.ok() && object != nullptr ? 1 : 0;
}

struct NamedClass {
  size_t (*make)(const std::string& text);
  const char* seed;
};

// Caches are left out: a text may ask them for any memory.
constexpr NamedClass kClasses[] = {
    {&MakeTwice<MergeOperator>, "{id=stringappend;delimiter={;}}"},
    {&MakeTwice<const SliceTransform>, "rocksdb.CappedPrefix.12"},
    {&MakeTwice<const FilterPolicy>, "ribbonfilter:9.5:2"},
    {&MakeTwice<MemTableRepFactory>, "prefix_hash:1000"},
    {&MakeTwice<TableFactory>, "{id=CuckooTable;hash_table_ratio=0.5}"},
    {&MakeTwice<TablePropertiesCollectorFactory>,
     "{id=CompactOnDeletionCollector;window_size=8;deletion_trigger=3}"},
    {&MakeTwice<SstPartitionerFactory>,
     "{id=SstPartitionerFixedPrefixFactory;length=3}"},
    {&MakeTwice<CompactionFilterFactory>,
     "{id=TtlCompactionFilterFactory;ttl=30;}"},
    {&MakeTwice<CompressionManager>, "BuiltinV2"},
    {&MakeTwice<FlushBlockPolicyFactory>, "FlushBlockEveryKeyPolicyFactory"},
    {&MakeTwice<FileChecksumGenFactory>, "FileChecksumGenCrc32cFactory"},
    {&MakeTwice<EncryptionProvider>, "{id=CTR;cipher=ROT13:16}"},
    {&MakeTwice<BlockCipher>, "{id=ROT13;block_size=64}"},
    {&MakeTwice<SystemClock>, "DefaultClock"},
    {&MakeTwice<Statistics>, "BasicStatistics"},
    {&MakeTwice<MemoryAllocator>, "DefaultMemoryAllocator"},
    {&FindStatic<Comparator>, "rocksdb.ReverseBytewiseComparator"},
    {&FindStatic<CompactionFilter>, "RemoveEmptyValueCompactionFilter"},
};

}  // namespace

size_t RunObjectText(const Slice& bytes) {
  if (bytes.empty()) return 0;
  const NamedClass& chosen =
      kClasses[static_cast<uint8_t>(bytes[0]) % std::size(kClasses)];
  return chosen.make(std::string(bytes.data() + 1, bytes.size() - 1));
}

std::vector<std::string> ObjectTextSeeds() {
  std::vector<std::string> seeds;
  for (size_t i = 0; i < std::size(kClasses); ++i) {
    seeds.push_back(static_cast<char>(i) + std::string(kClasses[i].seed));
  }
  return seeds;
}

// ---- Types that an application registers

namespace {

struct Within {
  int depth = 1;
  std::string label = "none";
};

struct Registered {
  static const char* kName() { return "Registered"; }

  int limit = 3;
  bool is_on = false;
  uint64_t bytes = 7;
  double ratio = 0.5;
  std::string text = "t";
  std::string key = "k";
  CompressionType compression = kNoCompression;
  Within within;
  std::vector<int> sizes;
  std::array<int, 2> pair = {1, 2};
  std::map<std::string, std::string> strings;
  std::shared_ptr<MergeOperator> merge;
};

using TypeMap = std::unordered_map<std::string, OptionTypeInfo>;

// std::map has no standard layout.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

const TypeMap& WithinTypes() {
  static const TypeMap map = {
      {"depth", {offsetof(Within, depth), OptionType::kInt}},
      {"label", {offsetof(Within, label), OptionType::kString}},
  };
  return map;
}

const TypeMap& RegisteredTypes() {
  static const TypeMap map = {
      {"limit", {offsetof(Registered, limit), OptionType::kInt}},
      {"is_on", {offsetof(Registered, is_on), OptionType::kBoolean}},
      {"bytes", {offsetof(Registered, bytes), OptionType::kUInt64T}},
      {"ratio", {offsetof(Registered, ratio), OptionType::kDouble}},
      {"text", {offsetof(Registered, text), OptionType::kString}},
      {"key", {offsetof(Registered, key), OptionType::kEncodedString}},
      {"compression",
       {offsetof(Registered, compression), OptionType::kCompressionType}},
      {"within", OptionTypeInfo::Struct(
                     "within", &WithinTypes(), offsetof(Registered, within),
                     OptionVerificationType::kNormal, OptionTypeFlags::kNone)},
      {"sizes", OptionTypeInfo::Vector<int>(offsetof(Registered, sizes),
                                            OptionVerificationType::kNormal,
                                            OptionTypeFlags::kNone,
                                            {0, OptionType::kInt})},
      {"pair", OptionTypeInfo::Array<int, 2>(
                   offsetof(Registered, pair), OptionVerificationType::kNormal,
                   OptionTypeFlags::kNone, {0, OptionType::kInt})},
      {"strings", OptionTypeInfo::StringMap(offsetof(Registered, strings),
                                            OptionVerificationType::kNormal,
                                            OptionTypeFlags::kNone)},
      {"merge",
       OptionTypeInfo::AsCustomSharedPtr<MergeOperator>(
           offsetof(Registered, merge), OptionVerificationType::kByName,
           OptionTypeFlags::kAllowNull)},
  };
  return map;
}

#pragma GCC diagnostic pop

}  // namespace

size_t RunOptionTypes(const Slice& bytes) {
  const ConfigOptions config = StrictConfig();
  Registered made;
  if (!OptionTypeInfo::ParseType(config, bytes.ToString(), RegisteredTypes(),
                                 &made)
           .ok()) {
    return 0;
  }
  std::string printed;
  if (!OptionTypeInfo::SerializeType(config, RegisteredTypes(), &made, &printed)
           .ok()) {
    return 1;
  }
  // Blanks at the ends of a text go when it is read, and nothing else ever.
  std::string before;
  for (int i = 0; i < 2; ++i) {
    before = printed;
    Registered again;
    const Status s =
        OptionTypeInfo::ParseType(config, before, RegisteredTypes(), &again);
    INVARIANT(s.ok());
    INVARIANT(OptionTypeInfo::SerializeType(config, RegisteredTypes(), &again,
                                            &printed)
                  .ok());
  }
  INVARIANT(printed == before);
  return 1;
}

std::vector<std::string> OptionTypesSeeds() {
  return {"limit=12;is_on=true;bytes=1M;ratio=0.25;text=a b;key=00FF;",
          "compression=kZSTD;within={depth=2;label=x};sizes=1:22:333;",
          "pair=8:9;strings={613D=3B;62=};within.depth=9;",
          "within={label={a\\\\b\\:c}}", "merge={id=stringappend;delimiter=,}"};
}

}  // namespace ROCKSDB_NAMESPACE::fuzz
