#include "tests/fuzz/kept_values.h"

#include <deque>
#include <memory>
#include <utility>

#include "rocksdb/experimental.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/utilities/agg_merge.h"
#include "table/file_decompressor.h"
#include "util/builtin_merge_operators.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/invariant.h"
#include "utilities/ttl/ttl_compaction_filter.h"
#include "utilities/ttl/ttl_merge_operator.h"
#include "utilities/ttl/ttl_value.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

// The items of the list, without one that is cut off at the end.
std::vector<Slice> ListOf(Slice bytes) {
  std::vector<Slice> list;
  Slice item;
  while (GetLengthPrefixedSlice(&bytes, &item)) list.push_back(item);
  return list;
}

std::string AsList(const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) PutLengthPrefixedSlice(&list, item);
  return list;
}

// The first is the value, the others are operands. True: there is a result.
bool MergeAll(const MergeOperator& merge, const std::vector<Slice>& list,
              std::string* value) {
  if (list.empty()) return false;
  const std::vector<Slice> operands(list.begin() + 1, list.end());
  const Slice key("key");
  Slice none(nullptr, 0);
  const MergeOperator::MergeOperationInput in(key, &list[0], operands, nullptr);
  MergeOperator::MergeOperationOutput out(*value, none);
  std::string combined;
  const std::deque<Slice> all(list.begin(), list.end());
  if (all.size() > 1) {
    static_cast<void>(merge.PartialMergeMulti(key, all, &combined, nullptr));
  }
  return merge.FullMergeV2(in, &out);
}

}  // namespace

// ---- Databases with a time to live

size_t RunTtlValues(const Slice& bytes) {
  const std::vector<Slice> list = ListOf(bytes);
  const TtlCompactionFilter filter(NewTtlSetting(100), nullptr, nullptr,
                                   SystemClock::Default().get());
  size_t count = 0;
  for (const Slice& stored : list) {
    if (CheckTtlValue(stored).ok()) {
      ++count;
      INVARIANT(WithoutTtlTime(stored).size() + kTtlBytes == stored.size());
    }
    for (const auto type : {CompactionFilter::ValueType::kValue,
                            CompactionFilter::ValueType::kMergeOperand}) {
      std::string value;
      std::string skip;
      static_cast<void>(filter.FilterV2(0, "key", type, stored, &value, &skip));
    }
  }
  const TtlMergeOperator merge(NewStringAppendOperator(","),
                               SystemClock::Default().get());
  std::string merged;
  if (MergeAll(merge, list, &merged)) INVARIANT(CheckTtlValue(merged).ok());
  return count;
}

std::vector<std::string> TtlValuesSeeds() {
  std::string young("value");
  AppendTtlTime(UINT32_MAX, &young);
  std::string old;
  AppendTtlTime(kMinTtlTime, &old);
  return {AsList({young, old}), AsList({old, "plain", young}),
          AsList({young, young, young})};
}

// ---- Operands that name their function

namespace {

class JoinedPayloads final : public Aggregator {
 public:
  bool Aggregate(const std::vector<Slice>& values,
                 std::string& result) const override {
    for (const Slice& value : values) result.append(value.data(), value.size());
    return !result.starts_with("no");
  }
};

void RegisterJoin() {
  static const bool is_done =
      AddAggregator("join", std::make_unique<JoinedPayloads>()).ok();
  INVARIANT(is_done);
}

}  // namespace

size_t RunAggValues(const Slice& bytes) {
  RegisterJoin();
  const std::vector<Slice> list = ListOf(bytes);
  size_t count = 0;
  for (const Slice& item : list) {
    Slice name;
    Slice payload;
    if (ExtractAggFuncAndValue(item, name, payload)) ++count;
    std::vector<Slice> parts;
    static_cast<void>(ExtractList(item, parts));
  }
  std::string merged;
  if (MergeAll(*GetAggMergeOperator(), list, &merged)) {
    // Whatever was merged, what is stored has a function, or its list.
    Slice name;
    Slice payload;
    INVARIANT(ExtractAggFuncAndValue(merged, name, payload));
    std::vector<Slice> parts;
    INVARIANT(name != Slice(kErrorFuncName) || ExtractList(payload, parts));
  }
  return count;
}

std::vector<std::string> AggValuesSeeds() {
  const std::string one("\4joinone");
  const std::string unnamed("\0two", 4);
  return {AsList({one, one, unnamed}), AsList({unnamed, "\x70", one}),
          AsList({std::string("\4nope1"), one})};
}

// ---- Filters for scans

namespace {

using experimental::SstQueryFilterConfigsManager;

std::shared_ptr<SstQueryFilterConfigsManager::Factory> FilterFactory() {
  experimental::SstQueryFilterConfigs configs;
  configs.extractor = experimental::MakeSharedCappedKeySegmentsExtractor({2});
  configs.filters = {
      MakeSharedBytewiseMinMaxSQFC(experimental::SelectKeySegment(0)),
      MakeSharedBytewiseMinMaxSQFC(experimental::SelectWholeKey())};
  std::shared_ptr<SstQueryFilterConfigsManager> manager;
  INVARIANT(SstQueryFilterConfigsManager::MakeShared({{1, {{"f", configs}}}},
                                                     &manager)
                .ok());
  std::shared_ptr<SstQueryFilterConfigsManager::Factory> factory;
  INVARIANT(manager->MakeSharedFactory("f", 1, &factory).ok());
  return factory;
}

constexpr const char* kFilterProperty = "basalt.sqfc";

}  // namespace

size_t RunQueryFilter(const Slice& bytes) {
  static const auto& factory =
      *std::make_unique<std::shared_ptr<SstQueryFilterConfigsManager::Factory>>(
           FilterFactory())
           .release();
  TableProperties file;
  file.comparator_name = BytewiseComparator()->Name();
  file.user_collected_properties[kFilterProperty] = bytes.ToString();
  size_t count = 0;
  for (const auto& [lower, upper] :
       {std::pair("", "b"), std::pair("aa1", "aa9"), std::pair("x", "z"),
        std::pair("z", "a")}) {
    if (!factory->GetTableFilterForRangeQuery(lower, upper)(file)) ++count;
  }
  return count;
}

std::vector<std::string> QueryFilterSeeds() {
  std::vector<std::string> seeds;
  for (const std::vector<std::string>& keys :
       {std::vector<std::string>{"aa1", "aa5"},
        std::vector<std::string>{"m", "mm", "nothing"}}) {
    const std::unique_ptr<TablePropertiesCollector> collector(
        FilterFactory()->CreateTablePropertiesCollector({}));
    UserCollectedProperties properties;
    for (const std::string& key : keys) {
      IgnoreError(collector->AddUserKey(key, "", kEntryPut, 1, 1),
                  "a seed may lack a key");
    }
    IgnoreError(collector->Finish(&properties), "a seed may be empty");
    seeds.push_back(properties[kFilterProperty]);
  }
  return seeds;
}

// ---- Compression managers

size_t RunCompressionMark(const Slice& bytes) {
  size_t count = 0;
  for (const uint32_t version : {7u, 6u}) {
    std::shared_ptr<Decompressor> decompressor;
    const Status s =
        FindDecompressor({.format_version = version,
                          .property = bytes.ToString(),
                          .configured = GetBuiltinV2CompressionManager()},
                         &decompressor);
    if (s.ok()) ++count;
  }
  return count > 1 ? 1 : 0;
}

std::vector<std::string> CompressionMarkSeeds() {
  return {"BuiltinV2;0407;", "BuiltinV2;;", ";;", "BuiltinV2;04;more;"};
}

}  // namespace ROCKSDB_NAMESPACE::fuzz
