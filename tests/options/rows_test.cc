// Every field has a row, and every row's values survive their text form.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/parse.h"
#include "options/print.h"
#include "options/random_options.h"
#include "options/table_rows.h"
#include "rocksdb/convenience.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// An object of type T in memory that was filled with `poison` before.
template <class T>
class Poisoned {
 public:
  explicit Poisoned(unsigned char poison) {
    memory_ = static_cast<unsigned char*>(::operator new(sizeof(T)));
    std::memset(memory_, poison, sizeof(T));
    object_ = new (memory_) T;
  }
  ~Poisoned() {
    object_->~T();
    ::operator delete(memory_);
  }
  T* object() { return object_; }
  unsigned char byte(size_t i) const { return memory_[i]; }

 private:
  unsigned char* memory_;
  T* object_;
};

// Bytes that the constructor sets, and no row covers: fields without a row.
// Bytes that differ between the two poisons are padding.
template <class T>
std::vector<size_t> UncoveredBytes(const OptionStruct& options) {
  Poisoned<T> a(0x5a);
  Poisoned<T> b(0xa5);
  std::vector<bool> covered(sizeof(T), false);
  for (const OptionRow& row : options.rows) {
    const auto* field = static_cast<unsigned char*>(row.field(a.object()));
    const auto* begin = reinterpret_cast<unsigned char*>(a.object());
    const auto offset = static_cast<size_t>(field - begin);
    for (size_t i = 0; i < row.kind->size_bytes; ++i)
      covered[offset + i] = true;
  }
  std::vector<size_t> uncovered;
  for (size_t i = 0; i < sizeof(T); ++i) {
    const bool padding = a.byte(i) == 0x5a && b.byte(i) == 0xa5;
    if (!covered[i] && !padding) uncovered.push_back(i);
  }
  return uncovered;
}

TEST(RowsTest, EveryFieldHasARow) {
  const std::vector<size_t> none;
  EXPECT_EQ(none, UncoveredBytes<DBOptions>(DBOptionStruct()));
  EXPECT_EQ(none,
            UncoveredBytes<ColumnFamilyOptions>(ColumnFamilyOptionStruct()));
  EXPECT_EQ(none, UncoveredBytes<BlockBasedTableOptions>(
                      BlockBasedTableOptionStruct()));
  EXPECT_EQ(none, UncoveredBytes<PlainTableOptions>(PlainTableOptionStruct()));
  EXPECT_EQ(none,
            UncoveredBytes<CuckooTableOptions>(CuckooTableOptionStruct()));
  EXPECT_EQ(none,
            UncoveredBytes<CompressionOptions>(CompressionOptionStruct()));
  EXPECT_EQ(none, UncoveredBytes<CompactionOptionsUniversal>(
                      UniversalOptionStruct()));
  EXPECT_EQ(none, UncoveredBytes<CompactionOptionsFIFO>(FifoOptionStruct()));
  EXPECT_EQ(none,
            UncoveredBytes<FileTemperatureAge>(FileTemperatureAgeStruct()));
  EXPECT_EQ(none,
            UncoveredBytes<MetadataCacheOptions>(MetadataCacheOptionStruct()));
}

struct TwoFields {
  uint64_t first = 1;
  uint64_t second = 2;
};

TEST(RowsTest, AMissingRowIsFound) {
  // A struct whose second field has no row.
  const OptionRow rows[] = {
      {"first",
       [](void* o) -> void* { return &static_cast<TwoFields*>(o)->first; },
       DBOptionStruct().Find("max_total_wal_size")->kind,
       Mutability::kFixed,
       {}}};
  const OptionStruct options{.name = "TwoFields", .rows = rows};
  EXPECT_EQ(8u, UncoveredBytes<TwoFields>(options).size());
}

TEST(RowsTest, NamesAreUnique) {
  for (const OptionStruct* options :
       {&DBOptionStruct(), &ColumnFamilyOptionStruct(),
        &BlockBasedTableOptionStruct()}) {
    std::set<std::string_view> names;
    for (const OptionRow& row : options->rows) {
      EXPECT_TRUE(names.insert(row.name).second) << row.name;
      EXPECT_FALSE(options->IsDeprecated(row.name)) << row.name;
      EXPECT_EQ(nullptr, options->FindAlias(row.name)) << row.name;
    }
  }
}

// Sets each row to a random value, prints the object, parses the text over
// defaults, and expects equal objects.
template <class T>
void ExpectRoundTrip(const OptionStruct& options, uint64_t seed) {
  const ConfigOptions config;
  Random64 random(seed);
  T original;
  size_t set_count = 0;
  for (const OptionRow& row : options.rows) {
    const std::string text = RandomOptionText(row, &random);
    if (text.empty()) continue;
    const Status s = ParseOption(config, options, row.name, text, &original);
    ASSERT_TRUE(s.ok()) << s.ToString() << " seed " << seed;
    ++set_count;
  }
  EXPECT_GT(set_count, 0u);
  const std::string text = PrintOptions(config, options, &original);
  T parsed;
  const Status s = ParseOptionString(config, options, text, &parsed);
  ASSERT_TRUE(s.ok()) << s.ToString() << " seed " << seed << "\n" << text;
  const OptionRow* row = FirstDifference(config, options, &original, &parsed);
  EXPECT_EQ(nullptr, row) << row->name << " seed " << seed << "\n" << text;
  EXPECT_EQ(text, PrintOptions(config, options, &parsed));
}

TEST(RowsTest, RandomValuesSurviveText) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    ExpectRoundTrip<DBOptions>(DBOptionStruct(), seed);
    ExpectRoundTrip<ColumnFamilyOptions>(ColumnFamilyOptionStruct(), seed);
    ExpectRoundTrip<BlockBasedTableOptions>(BlockBasedTableOptionStruct(),
                                            seed);
    ExpectRoundTrip<PlainTableOptions>(PlainTableOptionStruct(), seed);
    ExpectRoundTrip<CuckooTableOptions>(CuckooTableOptionStruct(), seed);
  }
}

// A change of one row is seen by comparison: no kind's equal() is blind.
TEST(RowsTest, MembersOfStructsAreDrawn) {
  std::set<int> read_amps;
  std::set<bool> merges;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random64 random(seed);
    DBOptions db;
    ColumnFamilyOptions cf;
    BlockBasedTableOptions table;
    RandomizeRunnableOptions(2, &random, {&db, &cf, &table});
    const int read_amp = cf.compaction_options_universal.max_read_amp;
    read_amps.insert(read_amp);
    merges.insert(cf.compaction_options_fifo.allow_compaction);
    // Together with what else is drawn.
    EXPECT_TRUE(cf.compaction_style != kCompactionStyleUniversal ||
                read_amp <= 0 ||
                read_amp >= cf.level0_file_num_compaction_trigger);
    EXPECT_EQ(cf.compaction_options_fifo.age_for_warm, 0U);
  }
  EXPECT_EQ(read_amps, (std::set<int>{-1, 0, 4, 10}));
  EXPECT_EQ(merges.size(), 2U);
}

TEST(RowsTest, EveryChangeIsADifference) {
  const ConfigOptions config;
  Random64 random(7);
  for (const OptionRow& row : ColumnFamilyOptionStruct().rows) {
    ColumnFamilyOptions defaults;
    ColumnFamilyOptions changed;
    for (int tries = 0; tries < 64; ++tries) {
      const std::string text = RandomOptionText(row, &random);
      if (text.empty()) break;
      ASSERT_TRUE(ParseOption(config, ColumnFamilyOptionStruct(), row.name,
                              text, &changed)
                      .ok());
      if (PrintOption(config, row, &changed) !=
          PrintOption(config, row, &defaults)) {
        EXPECT_EQ(&row, FirstDifference(config, ColumnFamilyOptionStruct(),
                                        &defaults, &changed));
        break;
      }
    }
  }
}

TEST(RowsTest, BadValuesNameTheOptionAndLeaveIt) {
  const ConfigOptions config;
  for (const OptionRow& row : DBOptionStruct().rows) {
    if (row.kind->parse == nullptr || row.kind->type == "string" ||
        row.kind->type == "object" || row.kind->type == "list") {
      continue;
    }
    DBOptions options;
    const std::string before = PrintOption(config, row, &options);
    const Status s = ParseOption(config, DBOptionStruct(), row.name,
                                 "not a value", &options);
    EXPECT_TRUE(s.IsInvalidArgument()) << row.name;
    EXPECT_NE(std::string::npos, s.ToString().find(std::string(row.name)));
    EXPECT_NE(std::string::npos, s.ToString().find("not a value"));
    EXPECT_EQ(before, PrintOption(config, row, &options));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
