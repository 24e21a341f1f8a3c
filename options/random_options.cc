#include "options/random_options.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "options/column_family_rows.h"
#include "options/constraints.h"
#include "options/db_rows.h"
#include "options/parse.h"
#include "options/table_rows.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string PickOne(std::string_view values, Random64* random) {
  std::vector<std::string_view> choices;
  while (true) {
    const size_t bar = values.find('|');
    choices.push_back(values.substr(0, bar));
    if (bar == std::string_view::npos) break;
    values.remove_prefix(bar + 1);
  }
  return std::string(choices[random->Uniform(choices.size())]);
}

// Not for RandomizeRunnableOptions(), joined by '|'.
constexpr std::string_view kNotDrawn =
    // Objects, places, and what data mean.
    "comparator|merge_operator|prefix_extractor|compaction_filter|"
    "compaction_filter_factory|table_factory|env|db_paths|cf_paths|wal_dir|"
    "db_log_dir|num_levels|compaction_style|user_defined_timestamps|"
    "persist_user_defined_timestamps|allow_2pc|allow_ingest_behind|"
    "cf_allow_ingest_behind|"
    "disallow_memtable_writes|persist_stats_to_disk|db_host_id|"
    // What is promised, and when opening fails.
    "create_if_missing|create_missing_column_families|error_if_exists|"
    "wal_recovery_mode|best_efforts_recovery|manual_wal_flush|"
    "inplace_update_support|unordered_write|avoid_flush_during_shutdown|"
    "use_udi_as_primary_index|fail_if_no_udi_on_open|"
    // It goes with few others, so that whoever wants it sets those.
    "enable_blob_direct_write|"
    // Writers that wait for a compaction that nobody starts.
    "disable_auto_compactions|delayed_write_rate|"
    "level0_slowdown_writes_trigger|level0_stop_writes_trigger|"
    "soft_pending_compaction_bytes_limit|hard_pending_compaction_bytes_limit|"
    // Memory for the asking.
    "memtable_huge_page_size|arena_block_size|dump_malloc_stats";

// Small sets of values only: a random number could ask for any memory.
bool IsDrawn(const OptionRow& row) {
  if (row.kind->parse == nullptr || IsOneOf(row.name, kNotDrawn)) return false;
  if (!row.traits.samples.empty()) return true;
  return row.kind->random != nullptr && row.kind->number == nullptr &&
         row.kind->members == nullptr && row.kind->type != "string";
}

Status ValidateTogether(const RunnableOptions& options) {
  Status s = ValidateDBOptions(*options.db);
  if (s.ok()) s = ValidateColumnFamilyOptions(*options.db, *options.cf);
  if (s.ok()) s = ValidateBlockBasedTableOptions(*options.table, *options.cf);
  if (s.ok()) {
    s = ValidateRows(BlockBasedTableOptionStruct(), options.table);
  }
  return s;
}

// Names and values for some of the rows. Of an option that is a struct each
// member is drawn by itself.
void DrawTexts(const OptionStruct& rows, const std::string& prefix,
               uint64_t one_in, Random64* random, OptionTexts* texts) {
  for (const OptionRow& row : rows.rows) {
    const std::string name = prefix + std::string(row.name);
    if (row.kind->members != nullptr && row.traits.samples.empty()) {
      DrawTexts(row.kind->members(), name + ".", one_in, random, texts);
    } else if (IsDrawn(row) && random->OneIn(one_in)) {
      texts->emplace_back(name, RandomOptionText(row, random));
    }
  }
}

// Each by itself: a value that is refused is taken back.
template <class T>
void DrawRows(const OptionStruct& rows, uint64_t one_in, Random64* random,
              const RunnableOptions& options, T* object) {
  OptionTexts texts;
  DrawTexts(rows, "", one_in, random, &texts);
  for (const auto& [name, text] : texts) {
    const T before = *object;
    Status s = ParseOption(ConfigOptions(), rows, name, text, object);
    if (s.ok()) s = ValidateTogether(options);
    if (!s.ok()) *object = before;
  }
}

}  // namespace

std::string RandomOptionText(const OptionRow& row, Random64* random) {
  const OptionTraits& traits = row.traits;
  if (row.kind->parse == nullptr) return "";
  if (!traits.samples.empty()) return PickOne(traits.samples, random);
  if (row.kind->random == nullptr) return "";
  const std::string text = row.kind->random(random);
  if (row.kind->number == nullptr) return text;
  const double number = std::strtod(text.c_str(), nullptr);
  if (number >= traits.min && number <= traits.max) return text;
  const double bound = std::clamp(number, traits.min, traits.max);
  return std::to_string(static_cast<int64_t>(bound));
}

void RandomizeRunnableOptions(uint64_t one_in, Random64* random,
                              const RunnableOptions& options) {
  DrawRows(DBOptionStruct(), one_in, random, options, options.db);
  DrawRows(ColumnFamilyOptionStruct(), one_in, random, options, options.cf);
  DrawRows(BlockBasedTableOptionStruct(), one_in, random, options,
           options.table);
}

void RandomizeOptions(const OptionStruct& options, uint64_t one_in,
                      Random64* random, void* object) {
  const ConfigOptions config;
  for (const OptionRow& row : options.rows) {
    if (!random->OneIn(one_in)) continue;
    const std::string text = RandomOptionText(row, random);
    if (text.empty()) continue;
    if (!row.traits.built.empty() && !IsOneOf(text, row.traits.built)) continue;
    IgnoreError(ParseOption(config, options, row.name, text, object),
                "a random value that does not fit leaves the old one");
  }
}

}  // namespace ROCKSDB_NAMESPACE
