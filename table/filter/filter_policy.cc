#include "rocksdb/filter_policy.h"

#include <malloc.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>
#include <vector>

#include "options/builtin_objects.h"
#include "options/compaction_styles.h"
#include "options/object_kinds.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "table/filter/builtin_policies.h"
#include "table/filter/fast_local_bloom.h"
#include "table/filter/filter_bits.h"
#include "table/filter/legacy_bloom.h"
#include "table/filter/ribbon.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kFirstFastLocalVersion = 5;
static_assert(kFilterMetadataBytes == 5);

class ConstantReader final : public FilterBitsReader {
 public:
  explicit ConstantReader(bool answer) : answer_(answer) {}
  bool MayMatch(const Slice&) const override { return answer_; }
  // No filter at all holds nothing.
  bool IsUsable() const override { return !answer_; }

 private:
  const bool answer_;
};

}  // namespace

std::unique_ptr<FilterBitsReader> NewBuiltinFilterBitsReader(
    const Slice& payload) {
  if (payload.size() <= kFilterMetadataBytes) {
    return std::make_unique<ConstantReader>(false);
  }
  const auto kind =
      static_cast<uint8_t>(payload[payload.size() - kFilterMetadataBytes]);
  std::unique_ptr<FilterBitsReader> reader;
  if (kind == 0xff) {
    reader = NewFastLocalBloomReader(payload);
  } else if (kind == 0xfe) {
    reader = NewRibbonReader(payload);
  } else if (kind >= 1 && kind <= 0x7f) {
    reader = NewLegacyBloomReader(payload);
  }
  if (reader == nullptr) reader = std::make_unique<ConstantReader>(true);
  assert(reader != nullptr);
  return reader;
}

size_t FitFilterAllocation(void* memory, const FilterFit& fit) {
  assert(fit.unit > 0 && fit.bytes % fit.unit == 0);
  const size_t usable = malloc_usable_size(memory);
  if (usable <= fit.bytes + kFilterMetadataBytes) return fit.bytes;
  const size_t room = usable - kFilterMetadataBytes;
  // A quarter more at most: beyond that the allocator is only generous.
  const size_t bytes =
      std::min({room, fit.bytes + fit.bytes / 4, fit.max_bytes}) / fit.unit *
      fit.unit;
  return std::max(bytes, fit.bytes);
}

BuiltinFilterPolicy::BuiltinFilterPolicy(double bits_per_key)
    : bits_per_key_(bits_per_key) {
  if (bits_per_key < 0.5) {
    millibits_ = 0;
  } else if (bits_per_key < 1.0) {
    millibits_ = 1000;
  } else if (!(bits_per_key < 100.0)) {  // Also what is no number.
    millibits_ = 100000;
  } else {
    millibits_ = static_cast<uint64_t>(bits_per_key * 1000.0 + 0.500001);
  }
}

FilterBitsBuilder* BuiltinFilterPolicy::GetBuilderWithContext(
    const FilterBuildingContext& context) const {
  if (millibits_ == 0) return nullptr;
  assert(millibits_ >= 1000 && millibits_ <= 100000);
  const BlockBasedTableOptions& options = context.table_options;
  if (options.format_version < kFirstFastLocalVersion) {
    return NewLegacyBloomBuilder(millibits_).release();
  }
  return NewFastLocalBloomBuilder(
             {.millibits_per_key = millibits_,
              .fits_allocation = options.optimize_filters_for_memory})
      .release();
}

// Files that stay are worth the smaller filter, which takes longer to build;
// those of young levels are soon rewritten.
bool RibbonFilterPolicy::UsesBloom(const FilterBuildingContext& context) const {
  if (bloom_before_level_ == std::numeric_limits<int>::max()) return true;
  if (!TraitsOf(context.compaction_style).moves_down) return false;
  if (context.reason == TableFileCreationReason::kFlush) {
    return bloom_before_level_ > -1;
  }
  return context.level_at_creation >= 0 &&
         context.level_at_creation < bloom_before_level_;
}

FilterBitsBuilder* RibbonFilterPolicy::GetBuilderWithContext(
    const FilterBuildingContext& context) const {
  if (millibits() == 0 || UsesBloom(context)) {
    return BuiltinFilterPolicy::GetBuilderWithContext(context);
  }
  return NewRibbonBuilder(
             {.millibits_per_key = millibits(),
              .fits_allocation =
                  context.table_options.optimize_filters_for_memory})
      .release();
}

FilterBitsReader* BuiltinFilterPolicy::GetFilterBitsReader(
    const Slice& contents) const {
  return NewBuiltinFilterBitsReader(contents).release();
}

std::string BloomFilterPolicy::GetId() const {
  return std::string(kClassName()) + ":" + DoubleToString(bits_per_key()) +
         ":false";
}

std::string RibbonFilterPolicy::GetId() const {
  return std::string(kClassName()) + ":" + DoubleToString(bits_per_key()) +
         ":" + std::to_string(bloom_before_level_);
}

const char* OneKindFilterPolicy::NameOf(Kind kind) {
  switch (kind) {
    case Kind::kLegacyBloom:
      return "rocksdb.internal.LegacyBloomFilter";
    case Kind::kFastLocalBloom:
      return "rocksdb.internal.FastLocalBloomFilter";
    case Kind::kRibbon:
      break;
  }
  return "rocksdb.internal.Standard128RibbonFilter";
}

std::string OneKindFilterPolicy::GetId() const {
  return std::string(Name()) + ":" + DoubleToString(bits_per_key());
}

FilterBitsBuilder* OneKindFilterPolicy::GetBuilderWithContext(
    const FilterBuildingContext& context) const {
  if (millibits() == 0) return nullptr;
  const bool fits = context.table_options.optimize_filters_for_memory;
  switch (kind_) {
    case Kind::kLegacyBloom:
      return NewLegacyBloomBuilder(millibits()).release();
    case Kind::kFastLocalBloom:
      return NewFastLocalBloomBuilder(
                 {.millibits_per_key = millibits(), .fits_allocation = fits})
          .release();
    case Kind::kRibbon:
      break;
  }
  return NewRibbonBuilder(
             {.millibits_per_key = millibits(), .fits_allocation = fits})
      .release();
}

const FilterPolicy* NewBloomFilterPolicy(double bits_per_key, bool) {
  return std::make_unique<BloomFilterPolicy>(bits_per_key).release();
}

const FilterPolicy* NewRibbonFilterPolicy(double bits_per_key,
                                          int bloom_before_level) {
  return std::make_unique<RibbonFilterPolicy>(bits_per_key, bloom_before_level)
      .release();
}

Status RibbonFilterPolicy::ConfigureOption(const ConfigOptions& config,
                                           const std::string& name,
                                           const std::string& value) {
  if (name != "bloom_before_level") {
    return BuiltinFilterPolicy::ConfigureOption(config, name, value);
  }
  int32_t level = 0;
  if (!ParseInt32(value, &level)) {
    return Status::InvalidArgument("filter_policy: bloom_before_level", value);
  }
  bloom_before_level_ = level;
  return Status::OK();
}

namespace {

// `id` is name:bits[:argument].
bool SplitId(const std::string& id, double* bits, std::string* argument) {
  const std::vector<std::string> parts = SplitString(id, ':');
  if (parts.size() < 2 || parts.size() > 3 || !ParseDouble(parts[1], bits)) {
    return false;
  }
  *argument = parts.size() == 3 ? parts[2] : "";
  return true;
}

const FilterPolicy* MakeBloom(const std::string& id,
                              std::unique_ptr<const FilterPolicy>* guard,
                              std::string* message) {
  double bits = 0;
  std::string ignored;  // Once chose a kind of filter that is gone.
  if (SplitId(id, &bits, &ignored)) {
    *guard = std::make_unique<BloomFilterPolicy>(bits);
  } else {
    *message = "not a number of bits behind the colon";
  }
  return guard->get();
}

const FilterPolicy* MakeRibbon(const std::string& id,
                               std::unique_ptr<const FilterPolicy>* guard,
                               std::string* message) {
  double bits = 0;
  std::string level_text;
  int32_t level = 0;
  if (!SplitId(id, &bits, &level_text)) {
    *message = "not a number of bits behind the colon";
  } else if (!level_text.empty() && !ParseInt32(level_text, &level)) {
    *message = "bloom_before_level is not a number";
  } else {
    *guard = std::make_unique<RibbonFilterPolicy>(bits, level);
  }
  return guard->get();
}

void RegisterPoliciesOfOneKind() {
  using PatternEntry = ObjectLibrary::PatternEntry;
  using Kind = OneKindFilterPolicy::Kind;
  ObjectLibrary& library = *BuiltinLibrary();
  library.AddFactory<const FilterPolicy>(
      PatternEntry(ReadFilterPolicy::kClassName()),
      [](const std::string&, std::unique_ptr<const FilterPolicy>* guard,
         std::string*) {
        *guard = std::make_unique<ReadFilterPolicy>();
        return guard->get();
      });
  for (const Kind kind :
       {Kind::kLegacyBloom, Kind::kFastLocalBloom, Kind::kRibbon}) {
    library.AddFactory<const FilterPolicy>(
        PatternEntry(OneKindFilterPolicy::NameOf(kind), false)
            .AddNumber(":", false),
        [kind](const std::string& id,
               std::unique_ptr<const FilterPolicy>* guard,
               std::string* message) -> const FilterPolicy* {
          double bits = 0;
          std::string none;
          if (SplitId(id, &bits, &none)) {
            *guard = std::make_unique<OneKindFilterPolicy>(kind, bits);
          } else {
            *message = "not a number of bits behind the colon";
          }
          return guard->get();
        });
  }
}

void RegisterPolicies() {
  const auto add = [](const char* nickname, const char* name, auto make) {
    BuiltinLibrary()->AddFactory<const FilterPolicy>(
        ObjectLibrary::PatternEntry(nickname, false)
            .AnotherName(name)
            .AddSeparator(":", false),
        make);
  };
  add("bloomfilter", "rocksdb.BloomFilter", MakeBloom);
  add("ribbonfilter", "rocksdb.RibbonFilter", MakeRibbon);
  RegisterPoliciesOfOneKind();
}

ROCKSDB_REGISTER_OBJECTS(RegisterPolicies);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
