// The types of fixed and of dynamic options have the fields of their rows and
// none of the other's, and nothing is lost between them and the public structs.
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "options/cf_options.h"
#include "options/column_family_rows.h"
#include "options/db_options.h"
#include "options/db_rows.h"
#include "options/random_options.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {
namespace {

#define HAS_FIELD(Type, member)                 \
  [](auto tag) {                                \
    using T = typename decltype(tag)::type;     \
    return requires(const T& t) { &t.member; }; \
  }(std::type_identity<Type>())

// Code does not compile if it reads a dynamic option's value from when the
// database was opened, or a fixed option from what SetOptions() replaces.
#define FIXED(member, ...)                              \
  static_assert(HAS_FIELD(ImmutableDBOptions, member)); \
  static_assert(!HAS_FIELD(MutableDBOptions, member));
#define DYNAMIC(member, ...)                          \
  static_assert(HAS_FIELD(MutableDBOptions, member)); \
  static_assert(!HAS_FIELD(ImmutableDBOptions, member));
#include "options/db_rows.def"

#define FIXED(member, ...)                              \
  static_assert(HAS_FIELD(ImmutableCFOptions, member)); \
  static_assert(!HAS_FIELD(MutableCFOptions, member));
#define DYNAMIC(member, ...)                          \
  static_assert(HAS_FIELD(MutableCFOptions, member)); \
  static_assert(!HAS_FIELD(ImmutableCFOptions, member));
#include "options/column_family_rows.def"

// Nor can either stand in for all options.
static_assert(!std::is_convertible_v<const ImmutableDBOptions&, DBOptions>);
static_assert(!std::is_convertible_v<const MutableDBOptions&, DBOptions>);
static_assert(
    !std::is_convertible_v<const ImmutableCFOptions&, ColumnFamilyOptions>);
static_assert(
    !std::is_convertible_v<const MutableCFOptions&, ColumnFamilyOptions>);

std::string ValueOf(const OptionRow& row, const void* options) {
  std::string text;
  row.kind->print(ConfigOptions(), row.Field(options), &text);
  return text;
}

// `rebuild` takes the random options apart, and puts them together again.
template <class Options, class Rebuild>
void ExpectWhole(const OptionStruct& options, const Rebuild& rebuild) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    Options given;
    RandomizeOptions(options, /*one_in=*/2, &random, &given);
    const Options built = rebuild(given);
    for (const OptionRow& row : options.rows) {
      EXPECT_EQ(ValueOf(row, &built), ValueOf(row, &given)) << row.name;
    }
  }
}

TEST(FixedAndDynamic, TogetherTheyAreAllOptionsOfADatabase) {
  ExpectWhole<DBOptions>(DBOptionStruct(), [](const DBOptions& given) {
    return BuildDBOptions(ImmutableDBOptions(given), MutableDBOptions(given));
  });
}

TEST(FixedAndDynamic, TogetherTheyAreAllOptionsOfAFamily) {
  ExpectWhole<ColumnFamilyOptions>(
      ColumnFamilyOptionStruct(), [](const ColumnFamilyOptions& given) {
        return BuildColumnFamilyOptions(ImmutableCFOptions(given),
                                        MutableCFOptions(given));
      });
}

TEST(FixedAndDynamic, EachHalfComesFromItsType) {
  DBOptions db;
  db.max_open_files = 7;
  const ImmutableDBOptions fixed_db(db);
  db.max_open_files = 8;
  db.use_fsync = true;
  const DBOptions all_db = BuildDBOptions(fixed_db, MutableDBOptions(db));
  EXPECT_EQ(all_db.max_open_files, 8);
  EXPECT_FALSE(all_db.use_fsync);

  ColumnFamilyOptions cf;
  cf.num_levels = 3;
  const ImmutableCFOptions fixed_cf(cf);
  cf.num_levels = 4;
  cf.write_buffer_size = 12345;
  const ColumnFamilyOptions all_cf =
      BuildColumnFamilyOptions(fixed_cf, MutableCFOptions(cf));
  EXPECT_EQ(all_cf.write_buffer_size, 12345u);
  EXPECT_EQ(all_cf.num_levels, 3);
}

// A FileSystem is asked by the type of fixed options how files are accessed
// now.
TEST(FixedAndDynamic, AQuestionToAFileSystemTellsHowFilesAreAccessedNow) {
  DBOptions options;
  const ImmutableDBOptions fixed(options);
  options.use_direct_io_for_compaction_reads = true;
  options.compaction_write_access = FileAccess::kDirect;
  const ImmutableDBOptions asked(fixed, MutableDBOptions(options));
  const FileSystem& fs = *FileSystem::Default();
  EXPECT_TRUE(fs.OptimizeForCompactionTableRead({}, asked).use_direct_reads);
  EXPECT_TRUE(fs.OptimizeForCompactionTableWrite({}, asked).use_direct_writes);
  const ImmutableDBOptions before(fixed, MutableDBOptions());
  EXPECT_FALSE(fs.OptimizeForCompactionTableRead({}, before).use_direct_reads);
  EXPECT_DEATH_IF_SUPPORTED(fs.OptimizeForCompactionTableRead({}, fixed), "");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
