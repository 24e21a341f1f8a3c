#include "options/builtin_objects.h"

#include <cstdint>
#include <utility>

#include "monitoring/statistics_impl.h"
#include "options/builtin_compression_manager.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "util/builtin_allocators.h"
#include "util/builtin_merge_operators.h"
#include "util/no_destructor.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using PatternEntry = ObjectLibrary::PatternEntry;

void AddComparators(ObjectLibrary* library) {
  for (const Comparator* comparator :
       {BytewiseComparator(), ReverseBytewiseComparator(),
        BytewiseComparatorWithU64Ts(), ReverseBytewiseComparatorWithU64Ts()}) {
    library->AddFactory<const Comparator>(
        comparator->Name(), [comparator](const std::string&, auto*,
                                         std::string*) { return comparator; });
  }
}

void AddMergeOperators(ObjectLibrary* library) {
  for (const BuiltinMergeOperator& row : BuiltinMergeOperators()) {
    PatternEntry names(row.make()->Name());
    names.AnotherName(row.nickname);
    if (row.other_nickname != nullptr) names.AnotherName(row.other_nickname);
    library->AddFactory<MergeOperator>(
        names,
        [make = row.make](const std::string&, auto* guard, std::string*) {
          *guard = make();
          return guard->get();
        });
  }
}

// The number behind the last `separator`.
bool LengthBehind(const std::string& id, char separator, std::string* message,
                  size_t* length) {
  uint64_t number = 0;
  Slice rest(id);
  rest.remove_prefix(id.rfind(separator) + 1);
  if (!ConsumeDecimalNumber(&rest, &number) || !rest.empty()) {
    *message = "bad length of a prefix";
    return false;
  }
  *length = static_cast<size_t>(number);
  return true;
}

using NewTransform = const SliceTransform* (*)(size_t length);

// "fixed:8" and "rocksdb.FixedPrefix.8".
void AddTransform(ObjectLibrary* library, const std::string& nickname,
                  const std::string& name, NewTransform make) {
  const auto add = [&](const std::string& start, char separator) {
    library->AddFactory<const SliceTransform>(
        PatternEntry(start, false)
            .AddSeparator(std::string(1, separator), false),
        [separator, make](const std::string& id, auto* guard,
                          std::string* message) {
          size_t length = 0;
          if (LengthBehind(id, separator, message, &length)) {
            guard->reset(make(length));
          }
          return guard->get();
        });
  };
  add(nickname, ':');
  add(name, '.');
}

void AddTransforms(ObjectLibrary* library) {
  AddTransform(library, "fixed", "rocksdb.FixedPrefix",
               &NewFixedPrefixTransform);
  AddTransform(library, "capped", "rocksdb.CappedPrefix",
               &NewCappedPrefixTransform);
  library->AddFactory<const SliceTransform>(
      "rocksdb.Noop", [](const std::string&, auto* guard, std::string*) {
        guard->reset(NewNoopTransform());
        return guard->get();
      });
}

void AddCompressionManager(ObjectLibrary* library) {
  library->AddFactory<CompressionManager>(
      PatternEntry(kBuiltinCompatibility)
          .AnotherName(BuiltinCompressionManager::kClassName()),
      [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<BuiltinCompressionManager>();
        return guard->get();
      });
}

void AddStatistics(ObjectLibrary* library) {
  library->AddFactory<Statistics>(
      StatisticsImpl::kClassName(),
      [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<StatisticsImpl>();
        return guard->get();
      });
}

void AddAllocators(ObjectLibrary* library) {
  library->AddFactory<MemoryAllocator>(
      PatternEntry::AsIndividualId(DefaultMemoryAllocator::kClassName()),
      [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<DefaultMemoryAllocator>();
        return guard->get();
      });
  library->AddFactory<MemoryAllocator>(
      CountedMemoryAllocator::kClassName(),
      [](const std::string&, auto* guard, std::string*) {
        *guard = std::make_unique<CountedMemoryAllocator>(
            std::make_shared<DefaultMemoryAllocator>());
        return guard->get();
      });
  for (const auto& [name, reason] :
       {std::pair("JemallocNodumpAllocator", "Not compiled with JEMALLOC"),
        std::pair("MemkindKmemAllocator", "Not compiled with MemKind")}) {
    library->AddFactory<MemoryAllocator>(
        name, [reason](const std::string&, auto* guard, std::string* message) {
          *message = reason;
          return guard->get();
        });
  }
}

// Drops entries without a value.
class RemoveEmptyValueCompactionFilter final : public CompactionFilter {
 public:
  static const char* kClassName() { return "RemoveEmptyValueCompactionFilter"; }
  const char* Name() const override { return kClassName(); }
  bool Filter(int, const Slice&, const Slice& value, std::string*,
              bool*) const override {
    return value.empty();
  }
};

void AddCompactionFilters(ObjectLibrary* library) {
  library->AddFactory<CompactionFilter>(
      RemoveEmptyValueCompactionFilter::kClassName(),
      [](const std::string&, std::unique_ptr<CompactionFilter>*,
         std::string*) -> CompactionFilter* {
        static NoDestructor<RemoveEmptyValueCompactionFilter> filter;
        return filter.get();
      });
}

// A kind that RocksDB once had.
void AddCuckooMemTable(ObjectLibrary* library) {
  library->AddFactory<MemTableRepFactory>(
      "cuckoo", [](const std::string&, auto*, std::string* message) {
        *message = "cuckoo hash memtable is not supported anymore.";
        return static_cast<MemTableRepFactory*>(nullptr);
      });
}

// A memtable factory with one number behind a colon: "skip_list:16".
template <class Factory>
void AddMemTable(ObjectLibrary* library) {
  library->AddFactory<MemTableRepFactory>(
      PatternEntry(Factory::kClassName())
          .AnotherName(Factory::kNickName())
          .AddSeparator(":", false),
      [](const std::string& id, auto* guard, std::string* message) {
        size_t argument = 0;
        const size_t colon = id.find(':');
        if (colon != std::string::npos &&
            !ParseSizeT(id.substr(colon + 1), &argument)) {
          *message = "not a number behind the colon";
        } else {
          *guard = std::make_unique<Factory>(argument);
        }
        return guard->get();
      });
}

}  // namespace

bool NumberEntry::Matches(const std::string& target) const {
  uint64_t number = 0;
  return ParseUint64(target, &number);
}

const std::shared_ptr<ObjectLibrary>& BuiltinLibrary() {
  // Filled before anybody sees it.
  static const auto& library = *[] {
    auto filled = std::make_unique<std::shared_ptr<ObjectLibrary>>(
        std::make_shared<ObjectLibrary>("built-in"));
    AddComparators(filled->get());
    AddMergeOperators(filled->get());
    AddTransforms(filled->get());
    AddStatistics(filled->get());
    AddCompressionManager(filled->get());
    AddAllocators(filled->get());
    AddCompactionFilters(filled->get());
    AddCuckooMemTable(filled->get());
    AddMemTable<SkipListFactory>(filled->get());
    AddMemTable<VectorRepFactory>(filled->get());
    return filled.release();
  }();
  return library;
}

}  // namespace ROCKSDB_NAMESPACE
