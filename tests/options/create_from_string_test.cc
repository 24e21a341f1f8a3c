// The built-in objects by name, those of the floors up to options: runs
// option_scripts/objects.txt.
//
//   make KIND [lenient]   each line, "nothing" is the empty one: the id of what
//       it makes and its options, "none", or why not. Otherwise than with
//       lenient, names that are not known are errors; with it, "as before"
//       tells that nothing has been changed
//   KIND is comparator, merge, prefix, memtable, unique_memtable, statistics,
//   filter, filter_factory, allocator, wal_filter or listeners (those of an
//   option text).
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/object_registry.h"
#include "rocksdb/wal_filter.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

template <class T>
std::string IdAndOptions(const T* object) {
  if (object == nullptr) return "none";
  std::string text = object->GetId();
  std::string options;
  EXPECT_TRUE(object->GetOptionString(ConfigOptions(), &options).ok());
  if (!options.empty()) text += " with " + options;
  return text;
}

template <class T>
std::string MadeShared(const ConfigOptions& config, const std::string& text) {
  std::shared_ptr<T> result;
  const Status s =
      std::remove_const_t<T>::CreateFromString(config, text, &result);
  EXPECT_TRUE(s.ok() || result == nullptr);
  return s.ok() ? IdAndOptions(result.get()) : s.ToString();
}

// Whatever `text` is, one that was found keeps the name of its own.
std::string FoundComparator(const ConfigOptions& config,
                            const std::string& text) {
  const Comparator* const before = ReverseBytewiseComparatorWithU64Ts();
  const Comparator* result = before;
  const Status s = Comparator::CreateFromString(config, text, &result);
  if (!s.ok()) {
    EXPECT_EQ(result, before);
    return s.ToString();
  }
  if (result == before && text != before->Name()) return "as before";
  for (const Comparator* known :
       {BytewiseComparator(), ReverseBytewiseComparator(),
        BytewiseComparatorWithU64Ts(), ReverseBytewiseComparatorWithU64Ts()}) {
    if (result == known) return std::string("the one ") + known->Name();
  }
  return result == nullptr ? "none" : "another";
}

std::string MadeMerge(const ConfigOptions& config, const std::string& text) {
  std::shared_ptr<MergeOperator> result;
  const Status s = MergeOperator::CreateFromString(config, text, &result);
  EXPECT_TRUE(s.ok() || result == nullptr);
  if (!s.ok()) return s.ToString();
  const bool knows_itself = result != nullptr && result->IsInstanceOf(text);
  return IdAndOptions(result.get()) + (knows_itself ? ", known so" : "");
}

std::string MadeUniqueMemtable(const ConfigOptions& config,
                               const std::string& text) {
  std::unique_ptr<MemTableRepFactory> result;
  const Status s = MemTableRepFactory::CreateFromString(config, text, &result);
  EXPECT_TRUE(s.ok() || result == nullptr);
  return s.ok() ? IdAndOptions(result.get()) : s.ToString();
}

std::string FoundFilter(const ConfigOptions& config, const std::string& text) {
  const CompactionFilter* result = nullptr;
  const Status s = CompactionFilter::CreateFromString(config, text, &result);
  EXPECT_TRUE(s.ok() || result == nullptr);
  return s.ok() ? IdAndOptions(result) : s.ToString();
}

std::string FoundWalFilter(ConfigOptions config, const std::string& text) {
  class NamedFilter final : public WalFilter {
   public:
    const char* Name() const override { return "named"; }
  };
  static NamedFilter named, before;
  config.registry = ObjectRegistry::NewInstance();
  config.registry->AddLibrary("mine")->AddFactory<WalFilter>(
      "named",
      [](const std::string&, std::unique_ptr<WalFilter>*,
         std::string*) -> WalFilter* { return &named; });
  WalFilter* result = &before;
  const Status s = WalFilter::CreateFromString(config, text, &result);
  EXPECT_TRUE(s.ok() || result == &before);
  if (!s.ok()) return s.ToString();
  if (result == &before) return "as before";
  EXPECT_TRUE(result == nullptr || result == &named);
  return IdAndOptions(result);
}

// Those of a program have names in a file: they are no nulls, which an opening
// would refuse.
std::string MadeListeners(const ConfigOptions& config,
                          const std::string& text) {
  DBOptions options;
  options.listeners = {nullptr};
  const Status s = GetDBOptionsFromString(config, DBOptions(), text, &options);
  if (!s.ok()) return s.ToString();
  for (const auto& listener : options.listeners) EXPECT_NE(listener, nullptr);
  return std::to_string(options.listeners.size());
}

std::string MadeObject(const ConfigOptions& config, const std::string& kind,
                       const std::string& text) {
  if (kind == "comparator") return FoundComparator(config, text);
  if (kind == "merge") return MadeMerge(config, text);
  if (kind == "prefix") return MadeShared<const SliceTransform>(config, text);
  if (kind == "memtable") return MadeShared<MemTableRepFactory>(config, text);
  if (kind == "unique_memtable") return MadeUniqueMemtable(config, text);
  if (kind == "statistics") return MadeShared<Statistics>(config, text);
  if (kind == "filter") return FoundFilter(config, text);
  if (kind == "filter_factory") {
    return MadeShared<CompactionFilterFactory>(config, text);
  }
  if (kind == "allocator") return MadeShared<MemoryAllocator>(config, text);
  if (kind == "wal_filter") return FoundWalFilter(config, text);
  EXPECT_EQ(kind, "listeners");
  return MadeListeners(config, text);
}

std::string RunObjectCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "make");
  ConfigOptions config;
  config.ignore_unsupported_options = command.HasWord("lenient");
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    answers +=
        MadeObject(config, command.Word(0), line == "nothing" ? "" : line) +
        "\n";
  }
  return answers;
}

TEST(CreateFromStringTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/objects.txt", RunObjectCase), 17u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
