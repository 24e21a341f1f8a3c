// The presets of rocksdb/options.h: runs option_scripts/presets.txt.
//
//   preset OPTIONS        each line is NAME NUMBER.. , numbers as the preset
//       takes them: what it changes of these options, one change a line
//   use OPTIONS           the same, of what an opening then makes of them
//   OPTIONS               "a=1;b=2" over the defaults, or nothing
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/write_buffer_manager.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Tells how many threads are asked for, which would be those of all tests.
class PoolEnv final : public EnvWrapper {
 public:
  PoolEnv() : EnvWrapper(Env::Default()) {}
  const char* Name() const override { return "PoolEnv"; }
  void SetBackgroundThreads(int number, Priority pool) override {
    threads +=
        PriorityToString(pool) + " threads: " + std::to_string(number) + "\n";
  }
  std::string threads;
};

// False: there is no such preset.
bool ApplyPreset(const std::string& line, Options* options) {
  std::istringstream words(line);
  std::string name;
  int a = 0, b = 0;
  words >> name >> a >> b;
  if (name == "IncreaseParallelism") {
    options->IncreaseParallelism(a);
  } else if (name == "OptimizeForPointLookup") {
    options->OptimizeForPointLookup(a);
  } else if (name == "OptimizeLevelStyleCompaction") {
    options->OptimizeLevelStyleCompaction(static_cast<uint64_t>(a) << 20);
  } else if (name == "OptimizeUniversalStyleCompaction") {
    options->OptimizeUniversalStyleCompaction(static_cast<uint64_t>(a) << 20);
  } else if (name == "PrepareForBulkLoad") {
    options->PrepareForBulkLoad();
  } else if (name == "OptimizeForSmallDb") {
    options->OptimizeForSmallDb();
  } else if (name == "DisableExtraChecks") {
    options->DisableExtraChecks();
  } else if (name == "OldDefaults") {
    options->OldDefaults(a, b);
  } else {
    return false;
  }
  return true;
}

// What text does not show: who shares and counts the memory.
std::string MemoryOf(const Options& options) {
  std::string text;
  if (options.write_buffer_manager != nullptr) {
    text += "memtables share " +
            std::to_string(options.write_buffer_manager->buffer_size()) + "\n";
    if (options.write_buffer_manager->cost_to_cache()) {
      text += "and are charged to a cache\n";
    }
  }
  const auto* table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  if (table != nullptr && table->block_cache != nullptr) {
    text += "block cache of " +
            std::to_string(table->block_cache->GetCapacity()) + "\n";
  }
  return text;
}

// Which codec is the default depends on what is built in.
std::string WithoutCodec(std::string text) {
  for (const std::string name : {"kLZ4Compression", "kSnappyCompression"}) {
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
      text.replace(at, name.size(), "CODEC");
    }
  }
  return text;
}

std::string RunPresetCase(const ScriptCase& c) {
  const size_t space = c.command.find(' ');
  const std::string verb = c.command.substr(0, space);
  EXPECT_TRUE(verb == "preset" || verb == "use") << verb;
  Options base;
  if (space != std::string::npos) {
    const Status s = GetOptionsFromString(ConfigOptions(), Options(),
                                          c.command.substr(space + 1), &base);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  PoolEnv pools;
  base.env = &pools;
  Options options = base;
  for (const std::string& line : LinesOf(c.body)) {
    EXPECT_TRUE(ApplyPreset(line, &options)) << line;
  }
  OptionLines lines;
  if (verb == "use") {
    const DBOptions db = SanitizeDBOptions("/db", options);
    const auto family =
        SanitizeColumnFamilyOptions(ImmutableDBOptions(db), options);
    lines.Add(static_cast<const DBOptions&>(options), db);
    lines.Add(static_cast<const ColumnFamilyOptions&>(options), family);
    return lines.Joined("\n");
  }
  lines.Add(static_cast<const DBOptions&>(base), options);
  lines.Add(static_cast<const ColumnFamilyOptions&>(base), options);
  const std::string memory = MemoryOf(options);
  return WithoutCodec(lines.Joined("\n")) + "\n" +
         (memory == MemoryOf(base) ? "" : memory) + pools.threads;
}

TEST(OptionPresetsTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/presets.txt", RunPresetCase), 14u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
